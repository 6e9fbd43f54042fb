/**
 * The position after a move that waits to be sent, as far as the move itself says it; points and rights are not known.
 */

/** @import { ParisState } from "../../../types/api.js" */
/** @import { AnyParisMove } from "../../../types/moves.js" */

import { bare, districtOf, francsFor, isLandmark, keysAt, valueOf } from "./position.js";

/**
 * @param {ParisState} state @param {{seat: string, move: AnyParisMove}} entry @param {any} edition
 * @returns {ParisState}
 */
export function predict(state, { seat, move }, edition) {
  const next = structuredClone(state);
  next.ply += 1;
  if (seat !== state.to_move) Object.assign(next, { to_move: seat, turn: freshTurn() });
  ACTS[move.type](next, seat, move, bare(edition));
  return next;
}

function freshTurn() {
  return { revealed: false, acted: false, may_advance: false, advance_fee: 0, may_score_tile: false };
}

/** @type {Record<AnyParisMove["type"], (state: ParisState, seat: string, move: any, sheet: any) => void>} */
const ACTS = {
  reveal(state, seat, { stack, tile, district, discard }, sheet) {
    state.stacks[stack - 1] -= 1;
    state.turn.revealed = true;
    if (discard) state.discarded = [...state.discarded, tile].sort();
    else
      state.buildings[district ? `${district}-${valueOf(tile)}` : tile] = {
        tile,
        type: sheet.buildings[tile].type,
        keys: [],
      };
  },

  place_key(state, seat, { at }, sheet) {
    keysAt(state, at).push(seat);
    state.seats[seat].keys -= 1;
    state.seats[seat].francs += at === "arc" ? 0 : sheet.banks[districtOf(state, at)];
    state.turn.acted = true;
  },

  move_key(state, seat, { from, to, landmark }) {
    if (landmark) {
      state.landmarks.available = state.landmarks.available.filter((value) => value !== landmark.tile);
      state.landmarks.placed[landmark.tile] = { district: landmark.district, keys: [] };
    }
    const left = keysAt(state, from);
    left.splice(left.indexOf(seat), 1);
    keysAt(state, to).push(seat);
    state.seats[seat].francs = Math.max(0, state.seats[seat].francs - francsFor(from, to));
    if (!isLandmark(to)) delete state.tokens[to];
    state.turn.acted = true;
  },

  take_end_tile(state, seat, { tile }, sheet) {
    state.end_tiles = state.end_tiles.filter((other) => other !== tile);
    if (sheet.end_tiles[tile].stands_for) state.seats[seat].end_tiles.push(tile);
    state.turn.acted = true;
  },

  advance(state, seat, { to }) {
    takeFromTrack(state, seat, to);
    state.seats[seat].track = to;
    Object.assign(state.turn, { may_advance: false, advance_fee: 0 });
  },

  score_tile(state, seat, { tile, district }) {
    state.scoring_tiles.available = state.scoring_tiles.available.filter((other) => other !== tile);
    state.scoring_tiles.placed[district] = tile;
    state.turn.may_score_tile = false;
  },

  trade(state, seat, { buy, sell, tile }) {
    const side = state.seats[seat];
    const kind = buy ?? sell;
    if (tile !== undefined) return;
    const tokens = kind in side.resources ? side.resources : side.prestige;
    tokens[kind] += buy ? 1 : -1;
    if (kind in state.market) state.market[kind] += buy ? -1 : 1;
  },

  activate(state, seat, { tile, take, to }) {
    const side = state.seats[seat];
    side.bonus = side.bonus.filter((other) => other !== tile);
    side.used_bonus = [...side.used_bonus, tile].sort((one, other) => one - other);
    const space = to ?? Object.keys(state.track).find((one) => take !== undefined && state.track[one].at(-1) === take);
    if (space !== undefined) takeFromTrack(state, seat, space);
    if (to !== undefined) side.track = to;
  },

  end_turn(state) {
    const seats = /** @type {ParisState["to_move"][]} */ (Object.keys(state.seats));
    state.to_move = seats[(seats.indexOf(state.to_move) + 1) % seats.length];
    state.turn = freshTurn();
  },
};

function takeFromTrack(state, seat, space) {
  const number = state.track[space].pop();
  if (number !== undefined)
    state.seats[seat].bonus = [...state.seats[seat].bonus, number].sort((one, other) => one - other);
}
