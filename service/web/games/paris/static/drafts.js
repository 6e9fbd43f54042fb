/** Moves as they take shape under the finger: what a tap may mean, what a choice changes, what the move costs. Pure. */

/** @import { ParisState } from "../../../types/api.js" */
/** @import { AnyParisMove } from "../../../types/moves.js" */

import {
  DISTRICTS,
  districtOf,
  extraOf,
  fillUp,
  francsFor,
  isLandmark,
  isSpace,
  keysAt,
  landmarksIn,
  mostPrestige,
  PAIRED,
  placesOf,
  PRESTIGE,
  RESOURCES,
  standIns,
  tokensOf,
  valueOf,
  VALUES,
} from "./position.js";

/**
 * Every way to bring a key to a place, the cheapest first. The prestige that counts for a landmark goes with it.
 * @param {AnyParisMove[]} legal @param {string} to @param {string|null} from @param {string} view the district that is looked at
 * @returns {any[]}
 */
export function waysTo(legal, to, from, view) {
  const found = new Map();
  for (const move of legal) {
    if (move.type !== "move_key" || move.to !== to || (from !== null && move.from !== from)) continue;
    const way = `${move.from} ${move.landmark?.district ?? ""}`;
    if (!found.has(way) || move.prestige) found.set(way, move);
  }
  const cost = (move) => francsFor(move.from, move.to) + (move.landmark && move.landmark.district !== view ? 0.5 : 0);
  return [...found.values()].sort((one, other) => cost(one) - cost(other));
}

/**
 * The move that a tap on a place probably means although it is not among the legal ones; null without a key on the
 * board.
 */
export function guessMove(state, seat, to, from, view) {
  const places = placesOf(state, seat);
  const district = isLandmark(to) ? (districtOf(state, to) ?? view) : districtOf(state, to);
  const below = places.filter((place) => districtOf(state, place) === district && valueOf(place) < valueOf(to));
  const source = from ?? below[0] ?? (places.includes("arc") ? "arc" : places.find((place) => place !== to));
  if (source === undefined || source === to) return null;
  const move = { type: "move_key", from: source, to };
  if (isLandmark(to) && districtOf(state, to) === null) {
    move.landmark = { tile: valueOf(to), district: districtOf(state, source) ?? view };
  }
  return move;
}

/** The landmarks that can be placed along with a move, by the districts where the key allows it. */
export function landmarksAlong(state, move) {
  const district = districtOf(state, move.from);
  const isEntered = (value) => `landmark-${value}` === move.to;
  return state.landmarks.available
    .filter((value) => !isEntered(value))
    .filter((value) => district === null || landmarksIn(state, district).every((other) => other < value));
}

/**
 * The move with another choice of landmark, prestige or tiles that stand for tokens; what is missing is made up by
 *   tiles.
 * @param {ParisState} state @param {any} sheet @param {AnyParisMove} move
 * @param {{prestige?: Record<string, number>, spend?: {tile: number|string, as: string}[], landmark?: any}} choice
 */
export function amended(state, sheet, seat, move, choice) {
  const { landmark, prestige = {}, ...rest } = { ...move, ...choice };
  const next = /** @type {any} */ (rest);
  delete next.spend;
  if (landmark) next.landmark = landmark;
  const counts = Object.fromEntries(Object.entries(prestige).filter(([, count]) => count > 0));
  const side = state.seats[seat];
  const wanted = wantedOf(state, sheet, { ...next, prestige: counts });
  const kept = keptSpend(choice.spend ?? [], wanted);
  const tokens = tokensOf(side);
  const missing = Object.fromEntries(
    Object.entries(wanted).map(([kind, count]) => [kind, Math.max(0, count - tokens[kind])]),
  );
  const paid = fillUp(side, sheet, missing, choice.spend ? kept : []);
  if (paid.length > 0) next.spend = paid;
  if (Object.keys(counts).length > 0) next.prestige = counts;
  return next;
}

function keptSpend(spend, wanted) {
  const left = { ...wanted };
  return spend.filter(({ as }) => (left[as] = (left[as] ?? 0) - 1) >= 0);
}

/** The tokens that a move of a key takes, prestige included. @returns {Record<string, number>} */
function wantedOf(state, sheet, move) {
  return { ...extraOf(state, sheet, move.to), ...move.prestige };
}

/** The tiles that could be spent in this move and are not, each with the kind that it would stand for. */
export function spendable(state, sheet, seat, move) {
  const wanted = wantedOf(state, sheet, move);
  const spend = move.spend ?? [];
  return Object.entries(wanted).flatMap(([kind, count]) =>
    spend.filter(({ as }) => as === kind).length >= count
      ? []
      : standIns(state.seats[seat], sheet, kind)
          .filter(({ tile, left }) => spend.filter((entry) => entry.tile === tile).length < left)
          .map(({ tile }) => ({ tile, as: kind })),
  );
}

/**
 * What a move of a key costs, and what is left then.
 * @returns {{francs: number, left: number, tokens: {kind: string, count: number, tiles: number, left: number}[]}}
 */
export function priceOf(state, sheet, seat, move) {
  const side = state.seats[seat];
  const francs = francsFor(move.from, move.to);
  const tokens = Object.entries(extraOf(state, sheet, move.to)).map(([kind, count]) => {
    const tiles = (move.spend ?? []).filter(({ as }) => as === kind).length;
    return { kind, count, tiles, left: tokensOf(side)[kind] - (count - tiles) };
  });
  return { francs, left: side.francs - francs, tokens };
}

/**
 * What becoming the owner of a place brings.
 * @returns {{token?: string, points: number, advance: boolean, fee: number}}
 */
export function gainsOf(state, sheet, move) {
  const value = valueOf(move.to);
  const each = isLandmark(move.to) ? sheet.landmarks[value].prestige : {};
  const discarded = Object.entries(move.prestige ?? {}).reduce(
    (sum, [kind, count]) => sum + count * (each[kind] ?? 0),
    0,
  );
  return {
    token: state.tokens[move.to],
    points: discarded + (value === 8 ? sheet.points_on_8 : 0),
    advance: value <= 3,
    fee: value === 3 ? sheet.advance_fee_on_3 : 0,
  };
}

/** All tokens of prestige that a landmark would take from a seat. */
export function fullPrestige(state, sheet, seat, move) {
  return mostPrestige(state.seats[seat], sheet, move.to);
}

/** The tiles that may be drawn onto a space, the one that is printed for it first; without `legal` all that fit by value. */
export function tilesFor(legal, state, space, isFree) {
  const district = districtOf(state, space);
  if (!isFree) return [space];
  const tiles =
    legal === null
      ? undrawn(state).filter((tile) => valueOf(tile) === valueOf(space))
      : legal
          .filter(
            (move) => move.type === "reveal" && move.district === district && valueOf(move.tile) === valueOf(space),
          )
          .map(({ tile }) => tile);
  return [...new Set(tiles)].sort((one, other) => Number(other === space) - Number(one === space));
}

/** Whether tiles may lie in any district, as far as the table tells: then none was set aside. */
export function looksFree(state, sheet) {
  const lying = Object.keys(state.buildings).length + state.discarded.length;
  const left = state.stacks.reduce((sum, stack) => sum + stack, 0);
  return sheet.tiles_set_aside > 0 && lying + left === DISTRICTS.length * VALUES.length;
}

/** The building tiles that nobody has drawn yet. */
function undrawn(state) {
  const drawn = new Set([...Object.values(state.buildings).map(({ tile }) => tile), ...state.discarded]);
  const tiles = DISTRICTS.flatMap((district) => VALUES.map((value) => `${district}-${value}`));
  return tiles.filter((tile) => !drawn.has(tile));
}

/** As many pairs as a seat has for tile 23 or 24. @returns {Record<string, number>} */
export function mostPairs(side, tile) {
  const counts = PAIRED[tile].map((kind) => [kind, Math.floor(tokensOf(side)[kind] / 2)]);
  return Object.fromEntries(counts.filter(([, pairs]) => pairs > 0));
}

/** What can be traded: as moves, buying first. */
export function tradesOf(legal, state, sheet, seat) {
  if (legal !== null) return legal.filter((move) => move.type === "trade");
  const side = state.seats[seat];
  const bought = RESOURCES.filter((kind) => state.market[kind] > 0).map((kind) => ({ type: "trade", buy: kind }));
  const sold = [...RESOURCES, ...PRESTIGE]
    .filter((kind) => tokensOf(side)[kind] > 0)
    .map((kind) => ({ type: "trade", sell: kind }));
  return [...bought, ...sold];
}

/** Whether a bonus tile is used by activating it. @param {Record<string, any>} does @returns {boolean} */
export function isActivated(does) {
  return !(
    "stands_for" in does ||
    "per_franc_at_end" in does ||
    ["second_key_on_own", "share_with_rival"].includes(does.rule)
  );
}

/** Places that a tap could mean something on now, for the ghosts. */
export function ghostsOf(legal, from) {
  const places = new Set();
  for (const move of legal) {
    if (move.type === "reveal" && !move.discard)
      places.add(move.district ? `${move.district}-${valueOf(move.tile)}` : move.tile);
    if (move.type === "place_key" && from === null) places.add(move.at);
    if (move.type === "move_key" && (from === null || move.from === from)) places.add(move.to);
    if (move.type === "advance") places.add(`track:${move.to}`);
  }
  return [...places];
}

/** Whether a seat can take up a key from a place. */
export function isSource(state, seat, place) {
  return (
    (isSpace(place) || isLandmark(place) || place === "arc" || place.startsWith("bank:")) &&
    keysAt(state, place).includes(seat)
  );
}
