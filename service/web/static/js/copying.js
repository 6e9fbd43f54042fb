/** Texts to be copied, such as addresses. */

import { h, replace } from "./dom.js";
import { t } from "./texts.js";

/** A text that can be copied but not changed, with the button that does so. @param {string} text @param {string} label @param {boolean} [isLong] @returns {HTMLElement} */
export function copyField(text, label, isLong = false) {
  const field = h(isLong ? "textarea" : "input", {
    readonly: true,
    value: text,
    "aria-label": label,
    onfocus: ({ target }) => target.select(),
  });
  const copy = async ({ currentTarget }) => {
    field.select();
    // Without HTTPS browsers have no clipboard but the old way.
    if (navigator.clipboard) await navigator.clipboard.writeText(text);
    else document.execCommand("copy");
    replace(currentTarget, t("shared.copied"));
  };
  return h("div", { class: "copied" }, field, h("button", { type: "button", onclick: copy }, t("shared.copy")));
}
