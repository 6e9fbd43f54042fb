/** Questions that a state and an edition of Paris answer: who stands where, what a move costs and gives. Pure. */

/** @import { ParisHoldings, ParisState } from "../../../types/api.js" */
/** @import { AnyParisMove } from "../../../types/moves.js" */

export const DISTRICTS = ["batignolles", "montmartre", "la_villette", "chaillot", "saint_germain", "belleville"];
export const VALUES = [1, 2, 3, 4, 5, 8];
export const RESOURCES = ["wood", "marble", "gold"];
export const PRESTIGE = ["bronze", "silver", "gilt"];
export const TAKE_ANY = 17;
export const STEP_BACK = 25;
/** The kinds of which pairs are given for these tiles. */
export const PAIRED = { 23: PRESTIGE, 24: RESOURCES };
const MOST_PRESTIGE = 3;

/** The values of an edition document without their sources. @param {any} document @returns {any} */
export function bare(document) {
  if (document === null || typeof document !== "object" || Array.isArray(document)) return document;
  if ("value" in document) return document.value;
  return Object.fromEntries(Object.entries(document).map(([name, member]) => [name, bare(member)]));
}

/** What a building, landmark, bank or the Arc is worth. @param {string} place @returns {number} */
export function valueOf(place) {
  return place.includes("-") && !place.startsWith("bank:") ? Number(place.slice(place.lastIndexOf("-") + 1)) : 0;
}

export const isLandmark = (place) => place.startsWith("landmark-");
export const isBank = (place) => place.startsWith("bank:") || place === "arc";
export const isSpace = (place) => !isBank(place) && !isLandmark(place) && VALUES.includes(valueOf(place));

/** The district of a place; null for the Arc and a landmark that lies beside the board. */
export function districtOf(state, place) {
  if (place.startsWith("bank:")) return place.slice("bank:".length);
  if (isLandmark(place)) return state.landmarks.placed[valueOf(place)]?.district ?? null;
  return isSpace(place) ? place.slice(0, place.lastIndexOf("-")) : null;
}

/** What shows a place large: its district, `track` or `supply`; null for what is always in sight. */
export function viewOf(state, place) {
  const [part, rest] = place.split(":");
  if (part === "track") return "track";
  if (["stack", "market", "end_tiles", "scoring-tile"].includes(part)) return "supply";
  if (part === "scoring") return rest;
  if (part === "hand") return null;
  return districtOf(state, place) ?? (isLandmark(place) ? "supply" : null);
}

/**
 * The seats that have a key at a place, in order of arrival.
 * @param {ParisState} state
 * @param {string} place
 * @returns {string[]}
 */
export function keysAt(state, place) {
  if (place === "arc") return state.arc;
  if (place.startsWith("bank:")) return state.banks[districtOf(state, place)];
  if (isLandmark(place)) return state.landmarks.placed[valueOf(place)]?.keys ?? [];
  return state.buildings[place]?.keys ?? [];
}

/**
 * Where a seat has keys, the most valuable places first.
 * @param {ParisState} state
 * @param {string} seat
 * @returns {string[]}
 */
export function placesOf(state, seat) {
  const places = [
    ...Object.keys(state.buildings),
    ...Object.keys(state.landmarks.placed).map((value) => `landmark-${value}`),
    ...DISTRICTS.map((district) => `bank:${district}`),
    "arc",
  ];
  return places
    .filter((place) => keysAt(state, place).includes(seat))
    .sort((one, other) => valueOf(other) - valueOf(one));
}

/** The landmarks of a district in ascending order. @returns {number[]} */
export function landmarksIn(state, district) {
  const placed = Object.entries(state.landmarks.placed);
  return placed
    .filter(([, landmark]) => landmark.district === district)
    .map(([value]) => Number(value))
    .sort((a, b) => a - b);
}

/**
 * What each seat owns in a district, added up; seats without a property are left out.
 * @returns {Record<string, number>}
 */
export function sums(state, district) {
  const places = [
    ...VALUES.map((value) => `${district}-${value}`),
    ...landmarksIn(state, district).map((value) => `landmark-${value}`),
  ];
  const found = {};
  for (const place of places)
    for (const seat of keysAt(state, place)) found[seat] = (found[seat] ?? 0) + valueOf(place);
  return Object.fromEntries(
    Object.keys(state.seats)
      .filter((seat) => seat in found)
      .map((seat) => [seat, found[seat]]),
  );
}

/** The francs of a move of a key. @param {string} from @param {string} to @returns {number} */
export function francsFor(from, to) {
  return Math.max(0, valueOf(to) - valueOf(from));
}

/**
 * The resources of a move to a place.
 * @param {ParisState} state
 * @param {any} sheet
 * @param {string} to
 * @returns {Record<string, number>}
 */
export function extraOf(state, sheet, to) {
  if (isLandmark(to)) return sheet.landmarks[valueOf(to)].extra;
  const building = state.buildings[to];
  return building ? sheet.buildings[building.tile].extra : {};
}

/** The tokens that a seat has, of all kinds. @returns {Record<string, number>} */
export function tokensOf(side) {
  return { ...side.resources, ...side.prestige };
}

/**
 * The tiles of a seat that stand for a kind of token, and how often still.
 * @returns {{tile: number|string, left: number}[]}
 */
export function standIns(side, sheet, kind) {
  const group = RESOURCES.includes(kind) ? "resource" : "prestige";
  const held = [
    ...side.bonus.map((tile) => [tile, sheet.bonus[tile]]),
    ...side.end_tiles.map((tile) => [tile, sheet.end_tiles[tile]]),
  ];
  return held
    .filter(([, does]) => does.stands_for?.[0] === kind || does.stands_for?.[0] === group)
    .map(([tile, does]) => ({
      tile,
      left: does.stands_for.length - (side.half_used[tile] ?? 0),
      isCertain: does.stands_for[0] === kind,
    }))
    .sort((one, other) => Number(other.isCertain) - Number(one.isCertain));
}

/**
 * Tiles that make up for tokens that are missing, those for one certain kind first.
 * @param {ParisHoldings} side @param {any} sheet @param {Record<string, number>} wanted @returns {{tile: number|string, as:
 *   string}[]}
 */
export function fillUp(side, sheet, wanted, taken = []) {
  const spend = [...taken];
  for (const [kind, count] of Object.entries(wanted)) {
    let missing = count - taken.filter((entry) => entry.as === kind).length;
    for (const { tile, left } of standIns(side, sheet, kind)) {
      const used = Math.min(Math.max(missing, 0), left - spend.filter((entry) => entry.tile === tile).length);
      for (let at = 0; at < used; at += 1) spend.push({ tile, as: kind });
      missing -= Math.max(used, 0);
    }
  }
  return spend;
}

/** The kinds of prestige that a landmark takes, the best first. @returns {[string, number][]} */
export function prestigeWanted(sheet, to) {
  return isLandmark(to)
    ? Object.entries(sheet.landmarks[valueOf(to)].prestige).sort((one, other) => other[1] - one[1])
    : [];
}

/** As much prestige as counts for a landmark, tiles included. @returns {Record<string, number>} */
export function mostPrestige(side, sheet, to) {
  const counts = {};
  let room = MOST_PRESTIGE;
  for (const [kind] of prestigeWanted(sheet, to)) {
    const there = side.prestige[kind] + standIns(side, sheet, kind).reduce((sum, { left }) => sum + left, 0);
    counts[kind] = Math.min(room, there);
    room -= counts[kind];
  }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

/** The number of the tile on top of a space of the track, if one is left. @returns {number|undefined} */
export function topOf(state, space) {
  return state.track[space]?.at(-1);
}

/**
 * Points by where they come from, the way the bar of scores shows them.
 * @returns {{category: string, points: number}[]}
 */
export function scoreParts(state, seat) {
  const { points, francs_tile: francs, districts } = state.score[seat];
  const scored = Object.entries(districts).map(([district, of]) => ({ category: district, points: of }));
  return [{ category: "points", points }, ...scored, ...(francs ? [{ category: "francs_tile", points: francs }] : [])];
}

/**
 * The number of the turn that each frame belongs to; the set-up is 0.
 * @param {{seat: string|null, move: AnyParisMove | null}[]} frames
 */
export function turnOf(frames) {
  let turn = 0;
  return frames.map((frame, at) => {
    const before = frames[at - 1];
    const begins = frame.seat !== null && (!before || before.seat !== frame.seat || before.move?.type === "end_turn");
    if (begins) turn += 1;
    return turn;
  });
}

/** Whether a move only ends a turn. @param {AnyParisMove} move */
export function isSilent(move) {
  return move.type === "end_turn";
}

/**
 * The places that a move touches, beginning with the one that a key leaves.
 * @param {AnyParisMove} move @param {string} [seat] @returns {string[]}
 */
export function cellsOf(move, seat) {
  switch (move.type) {
    case "reveal":
      if (move.discard) return [`stack:${move.stack}`];
      return [move.district ? `${move.district}-${valueOf(move.tile)}` : move.tile];
    case "place_key":
      return [move.at];
    case "move_key":
      return [move.from, move.to, ...(move.landmark ? [`landmark-${move.landmark.tile}`] : [])];
    case "advance":
      return [`track:${move.to}`];
    case "score_tile":
      return [`scoring:${move.district}`];
    case "trade":
      return [`market:${move.buy ?? move.sell}`];
    case "take_end_tile":
      return ["end_tiles"];
    case "activate":
      return [...(move.to ? [`track:${move.to}`] : []), ...(seat ? [`hand:${seat}`] : [])];
    default:
      return [];
  }
}

/** What a move puts on the board, as ghosts. @param {AnyParisMove} move @param {string} seat */
export function piecesOf(move, seat) {
  const cells = cellsOf(move);
  if (move.type === "reveal" && !move.discard) return [{ kind: "piece", cells, tile: move.tile }];
  if (move.type === "place_key" || move.type === "advance") return [{ kind: "piece", cells, seat }];
  if (move.type === "move_key") return [{ kind: "piece", cells: [move.to], seat }];
  return [];
}
