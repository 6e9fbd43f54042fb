/** The seats of a game, each shown by its colour and a shape, and named. */

import { svg } from "./dom.js";
import { symbol, t } from "./texts.js";

/**
 * The sign of a seat, to stand beside its name or a player's.
 * @param {string} game @param {string} seat @returns {SVGElement}
 */
export function seatSign(game, seat) {
  const use = svg("use", { href: symbol(`games/${game}/signs.svg`, seat) });
  return svg("svg", { class: "sign", "aria-hidden": "true" }, use);
}

/**
 * The name of the player on a seat.
 * @param {{seat: string, name: string}[]} players @param {string} seat @returns {string}
 */
export function playerName(players, seat) {
  return players.find((player) => player.seat === seat)?.name ?? seatName(seat);
}

/**
 * A sentence of the API with the names of the players in place of the names of their seats. No other word of a game is
 * the name of a seat; a test holds the games to that.
 * @param {string} sentence @param {{seat: string, name: string}[]} players @returns {string}
 */
export function withPlayers(sentence, players) {
  const names = new Map(players.map(({ seat, name }) => [seatName(seat), name]));
  return sentence.replace(/[\p{L}\p{N}]+/gu, (word) => names.get(word) ?? word);
}

/** What a seat is called. @param {string} seat @returns {string} */
export function seatName(seat) {
  return t(`shared.seat_${seat}`);
}
