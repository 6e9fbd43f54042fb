/** The seats of a game, each shown by its colour and a shape, and named. */

import { svg } from "./dom.js";
import { files, t } from "./texts.js";

/**
 * The sign of a seat, to stand beside its name or a player's.
 * @param {string} game @param {string} seat @returns {SVGElement}
 */
export function seatSign(game, seat) {
  const use = svg("use", { href: `${files}games/${game}/signs.svg#${seat}` });
  return svg("svg", { class: "sign", "aria-hidden": "true" }, use);
}

/** What a seat is called. @param {string} seat @returns {string} */
export function seatName(seat) {
  return t(`shared.seat_${seat}`);
}
