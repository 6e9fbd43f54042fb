/** The position after a move that waits to be sent, and what a move lays on the board; points are not known. Pure. */

/** @import { CiteLumiereState } from "../../../types/api.js" */
/** @import { AnyCiteMove } from "../../../types/moves.js" */
/** @import { Ghost } from "../../js/game.js" */

import { cellsOfSquare, pointOf, turnedFace } from "./geometry.js";
import { CARD_SYMBOL, faceOf, rivalOf, seatOfTile } from "./parts.js";
import { cellsOf } from "./position.js";

/** The postcards that give a right for later instead of an effect at once. */
const ARMED = new Set(["chartier", "metropolitain"]);

/** What a move puts on the board, as a ghost. @param {string} seat @param {AnyCiteMove} move @returns {?Ghost} */
export function ghostOf(seat, move) {
  if (move.type === "pave") {
    return { kind: "tile", tile: move.tile, at: move.at, rotation: move.rotation };
  }
  const piece = pieceOfMove(seat, move);
  return piece && { kind: "piece", ...piece };
}

/**
 * The position after a move as far as its own fields tell: where things lie and who holds what, without its score.
 * @param {CiteLumiereState} state @param {{seat: string, move: AnyCiteMove}} entry @param {object} edition
 * @returns {CiteLumiereState}
 */
export function predict(state, { seat, move }, edition) {
  const next = structuredClone(state);
  const side = next.seats[seat];
  const without = (list, gone) => list.filter((name) => name !== gone);
  if (move.type === "pave") {
    side.tiles = without(side.tiles, move.tile);
    paint(next.board, move, edition);
  }
  if (move.type === "take") {
    next.supply = without(next.supply, move.building);
    side.reserve = /** @type {typeof side.reserve} */ ([...side.reserve, move.building].sort());
  }
  if (move.type === "postcard") {
    side.tokens = Math.max(0, side.tokens - 1);
    const card = next.postcards.find((one) => one.card === move.card);
    Object.assign(card ?? {}, { state: ARMED.has(move.card) ? "armed" : "taken", owner: seat });
    if (move.give) {
      side.reserve = without(side.reserve, move.give);
      next.supply = [...without(next.supply, move.take), move.give].sort();
    }
  }
  const piece = pieceOfMove(seat, move);
  if (piece) {
    side.reserve = without(side.reserve, piece.piece);
    next.pieces.push(piece);
  }
  if (next.phase === "paving" && Object.values(next.seats).every((one) => one.tiles.length === 0)) {
    next.phase = "building";
  }
  next.ply += 1;
  next.to_move = rivalOf(seat);
  return next;
}

function pieceOfMove(owner, move) {
  const cells = cellsOf(move);
  const piece = move.type === "build" ? move.building : (move.take ?? CARD_SYMBOL[move.card]);
  if (!piece || cells.length === 0) {
    return null;
  }
  const joins = move.type === "postcard" ? move.building : undefined;
  return { piece, owner, cells, ...(joins && { joins }), ...(move.facing && { facing: move.facing }) };
}

function paint(board, move, edition) {
  const letters = turnedFace(faceOf(edition, move.tile), seatOfTile(move.tile), move.rotation);
  cellsOfSquare(move.at).forEach((cell, at) => {
    const [column, row] = pointOf(cell);
    board[row] = board[row].slice(0, column) + letters[at] + board[row].slice(column + 1);
  });
}
