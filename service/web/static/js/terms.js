/** Terms that explain themselves: a button that opens one sentence beside it, for a finger, a mouse and a keyboard. */

import { h } from "./dom.js";
import { page, t } from "./texts.js";

const WIDTH = 320;
const MARGIN = 8;
let count = 0;

/**
 * A term of statistics with the sentence that the API has for it.
 * @param {string} name as answers of the API have it @param {string} [label] @returns {HTMLElement}
 */
export function term(name, label = t(`stats.${name}`)) {
  return explained(label, page.terms[name]);
}

/** A question mark beside what is a button itself, such as the head of a column. @param {string} name @param {string} label @returns {HTMLElement} */
export function hint(name, label) {
  return explained("?", page.terms[name], t("stats.what_is", { term: label }));
}

/** @param {import("./dom.js").Child} label @param {string} sentence @param {string} [name] for the ear @returns {HTMLElement} */
export function explained(label, sentence, name) {
  count += 1;
  const id = `about-${count}`;
  const button = h(
    "button",
    { type: "button", class: ["term", name && "hint"], popovertarget: id, "aria-label": name },
    label,
  );
  const open = ({ newState }) => newState === "open" && place(note, button.getBoundingClientRect());
  const note = h("span", { id, class: "explanation", popover: "auto", role: "note", onbeforetoggle: open }, sentence);
  return h("span", { class: "explained" }, button, note);
}

/** Put a note below its term, within the width of the page. */
function place(note, { left, bottom }) {
  const wide = document.documentElement.clientWidth;
  const width = Math.min(WIDTH, wide - 2 * MARGIN);
  note.style.width = `${width}px`;
  note.style.left = `${scrollX + Math.max(MARGIN, Math.min(left, wide - width - MARGIN))}px`;
  note.style.top = `${scrollY + bottom}px`;
}
