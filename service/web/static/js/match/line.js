/** What is said of the line of moves as a whole: turns, times, corrections, and where the lead changed. */

/** @import { Frame } from "../../../types/api.js" */
/** @import { Game } from "../game.js" */

/** The plies of each turn, in order; the set-up is a turn of its own. @param {Game} game @param {Frame[]} frames @returns {Frame[][]} */
export function turnsOf(game, frames) {
  const numbers = frames.some(({ state }) => state === null) ? frames.map(({ ply }) => ply) : game.turnOf(frames);
  return [...Map.groupBy(frames, ({ ply }) => numbers[ply]).values()];
}

/** The plies of which the move was recorded after a later one, so it was corrected. @param {Frame[]} frames @returns {Set<number>} */
export function correctedPlies(frames) {
  const corrected = new Set();
  let least = Infinity;
  for (const { ply, seq } of frames.toReversed()) {
    if (seq === null) continue;
    if (seq > least && ply > 0) corrected.add(ply);
    least = Math.min(least, seq);
  }
  return corrected;
}

/**
 * How long the move of each ply took by when it was recorded, in milliseconds; 0 where that tells nothing: for moves that
 * were entered together, or corrected later.
 * @param {Frame[]} frames @returns {number[]}
 */
export function timesOf(frames) {
  const corrected = correctedPlies(frames);
  return frames.map(({ ply, recorded_at: recordedAt }) => {
    const before = frames[ply - 1]?.recorded_at;
    if (!before || !recordedAt || corrected.has(ply) || corrected.has(ply - 1)) return 0;
    return Math.max(0, Date.parse(recordedAt) - Date.parse(before));
  });
}

/**
 * The plies at which somebody else came to lead alone.
 * @param {Frame[]} frames @param {string[]} seats @returns {{ply: number, seat: string}[]}
 */
export function leadChanges(frames, seats) {
  const changes = [];
  let leader = null;
  for (const { ply, state } of frames) {
    if (state === null) continue;
    const [first, second] = seats
      .map((seat) => ({ seat, points: state.score[seat].total }))
      .sort((one, other) => other.points - one.points);
    if (second !== undefined && first.points === second.points) continue;
    if (leader !== null && leader !== first.seat) changes.push({ ply, seat: first.seat });
    leader = first.seat;
  }
  return changes;
}
