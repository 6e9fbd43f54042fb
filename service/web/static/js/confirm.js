/** The one way to ask before something that cannot be undone. What can be undone is done at once, with a toast. */

import { h } from "./dom.js";
import { t } from "./texts.js";

/**
 * Ask in a dialog; nothing is done unless the button that names it is pressed.
 * @param {{text: string, yes: string, title?: string, no?: string}} question @returns {Promise<boolean>}
 */
export function confirm({ text, yes, title, no = t("shared.cancel") }) {
  return new Promise((resolve) => {
    const dialog = h(
      "dialog",
      { class: "ask", "aria-label": title ?? yes },
      title && h("h2", {}, title),
      h("p", {}, text),
      h(
        "form",
        { method: "dialog", class: "ask-acts" },
        h("button", { value: "" }, no),
        h("button", { value: "yes", class: "danger" }, yes),
      ),
    );
    dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
