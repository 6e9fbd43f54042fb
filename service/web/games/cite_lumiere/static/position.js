/** What a state and a move of La Cité de la Lumière tell by themselves. Pure. */

/** @import { AnyCiteMove } from "../../../types/moves.js" */

import { cellsOfSquare } from "./geometry.js";

/** The points of a seat by category. @param {import("../../../types/api.js").CiteLumiereState} state @param {string} seat @returns {{category: string, points: number}[]} */
export function scoreParts(state, seat) {
  const score = state.score[seat];
  return ["lit", "group", "unbuilt", "postcards"].map((category) => ({ category, points: score[category] }));
}

/** The number of the turn that each frame belongs to; the set-up is turn 0. @returns {number[]} */
export function turnOf(frames) {
  return frames.map((frame) => frame.ply);
}

/** The spaces that a move names. @param {AnyCiteMove} move @returns {string[]} */
export function cellsOf(move) {
  if (move.type === "pave") {
    return cellsOfSquare(move.at);
  }
  return move.cells ?? (move.cell ? [move.cell] : []);
}
