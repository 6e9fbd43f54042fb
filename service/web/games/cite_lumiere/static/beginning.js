/** The position before the first move, for a match that is begun without network. Pure. */

/** @import { CiteLumiereState } from "../../../types/api.js" */

import { seatOfTile } from "./parts.js";

const ROWS = 8;

/**
 * @param {{first: string, postcards: string[]}} setup @param {string[]} seats @param {any} edition
 * @returns {CiteLumiereState}
 */
export function beginning({ first, postcards }, seats, edition) {
  const of = (value) => /** @type {any} */ (Object.fromEntries(seats.map((seat) => [seat, value(seat)])));
  const tiles = Object.keys(edition.faces).flatMap((number) => [`O${number}`, `B${number}`]);
  return {
    game: "cite-lumiere",
    ply: 0,
    phase: "paving",
    to_move: /** @type {any} */ (first),
    board: Array.from({ length: ROWS }, () => ".".repeat(ROWS)),
    pieces: [],
    supply: /** @type {any} */ (Object.keys(edition.buildings).sort()),
    postcards: /** @type {any} */ ([...postcards].sort().map((card) => ({ card, state: "open", owner: null }))),
    seats: of((seat) => ({
      tiles: tiles.filter((tile) => seatOfTile(tile) === seat).sort(),
      reserve: [],
      tokens: edition.action_tokens.value,
      chimneys: edition.chimneys.value,
      passed: false,
    })),
    score: of(() => ({ lit: 0, group: 0, unbuilt: 0, postcards: 0, total: 0, free_spaces: 0, buildings: [] })),
    result: null,
  };
}
