/** What moves would give, told before they are made; off for those who want to think for themselves, on this device. */

import { h } from "./dom.js";
import { withSign } from "./minus.js";
import { t } from "./texts.js";

const KEPT = "gains";

/** What a move would give its seat, as the API tells it. @typedef {import("../../types/api.js").Gain} Gain */

/** Whether the device shows what moves would give. @returns {boolean} */
export function areGainsShown() {
  return localStorage.getItem(KEPT) !== "hidden";
}

/** The switch. @param {() => void} onChange @returns {HTMLElement} */
export function gainsSwitch(onChange) {
  const toggle = ({ currentTarget }) => {
    localStorage.setItem(KEPT, areGainsShown() ? "hidden" : "shown");
    currentTarget.setAttribute("aria-pressed", String(areGainsShown()));
    onChange();
  };
  return h("button", { type: "button", "aria-pressed": String(areGainsShown()), onclick: toggle }, t("shared.gains"));
}

/** What a move would give, in one line: "+16: 3 lamps × 4, group +4". @param {Gain | null | undefined} gain @returns {string} */
export function tellGain(gain) {
  if (!gain || gain.items.length === 0) return "";
  const [{ text }] = gain.items;
  const isSaid = gain.items.length === 1 && text.endsWith(withSign(gain.points));
  return isSaid ? text : `${withSign(gain.points)}: ${gain.items.map((item) => item.text).join(", ")}`;
}

/**
 * The most that one of the moves on each place would give; places where that is nothing are left out.
 * @param {any[]} moves @param {Gain[] | null} gains in the order of the moves @param {(move: any) => string[]} placesOf
 * @returns {Record<string, number>}
 */
export function bestOn(moves, gains, placesOf) {
  /** @type {Record<string, number>} */
  const best = {};
  moves.forEach((move, at) => {
    const points = gains?.[at]?.points;
    if (points !== undefined) for (const place of placesOf(move)) best[place] = Math.max(best[place] ?? points, points);
  });
  return Object.fromEntries(Object.entries(best).filter(([, points]) => points !== 0));
}
