/** One short message over the page, with a way to take back what it tells of. */

import { h } from "./dom.js";
import { t } from "./texts.js";

const LASTS = 12_000;

let shown = null;
let leaving = null;

/**
 * Show a message in place of the last one. It goes by itself unless the pointer or the focus is on it.
 * @param {string} text @param {{label: string, act: () => any}} [offer] @returns {() => void} what takes it away
 */
export function toast(text, offer) {
  dismiss();
  const act = () => {
    dismiss();
    return offer?.act();
  };
  const element = h(
    "div",
    { class: "toast", role: offer ? "status" : "alert" },
    h("p", {}, text),
    offer && h("button", { type: "button", class: "primary", onclick: act }, offer.label),
    h("button", { type: "button", class: "plain", "aria-label": t("shared.close"), onclick: dismiss }, "×"),
  );
  shown = element;
  document.body.append(element);
  leaving = setTimeout(function leave() {
    if (element.matches(":hover, :focus-within")) leaving = setTimeout(leave, LASTS);
    else if (shown === element) dismiss();
  }, LASTS);
  return () => shown === element && dismiss();
}

function dismiss() {
  clearTimeout(leaving);
  shown?.remove();
  shown = null;
}
