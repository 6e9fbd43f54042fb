/** The frames of a replay from what changed with each ply, as `change_of` in service/exchange/replay_file.py tells it. */

/** @import { Frame } from "../../../types/api.js" */

/** @param {any[]} plies @param {string[]} sentences @returns {Frame[]} */
export function unpack(plies, sentences) {
  let state = {};
  return plies.map(({ change, ...ply }, at) => {
    state = changed(state, change);
    return { ply: at, text: sentences[at], state, ...ply };
  });
}

/**
 * A value with a change: a list holds the new value, an object the changes of members, and 0 takes a member out. What
 * does not change is shared with the value before.
 */
function changed(value, change) {
  if (Array.isArray(change)) return change[0];
  const copy = Array.isArray(value) ? [...value] : { ...value };
  for (const [name, of] of Object.entries(change)) {
    if (of === 0) delete copy[name];
    else copy[name] = changed(copy[name], of);
  }
  return copy;
}
