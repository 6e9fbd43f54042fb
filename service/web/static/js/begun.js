/**
 * Matches that are begun on this device while the network is away. They wait, with the moves that follow, until the service
 * begins them, once for each idempotency key; then all that belongs to them goes on under the id that it gave.
 */

import { ApiProblem, ask } from "./api.js";
import { localDate } from "./format.js";
import { loadGame } from "./game.js";
import { run } from "./outbox.js";
import { account } from "./texts.js";

/**
 * @typedef {{id: string, key: string, body: any, seen: {document: any, edition: any, state: any},
 *     problem: import("./api.js").Problem | null, account?: string | null, sentAs?: string}} Begun
 * A match that the service does not know: the request that begins it with its idempotency key, the match as it is shown
 * until then, and why it was refused, if it was. `sentAs` is its id once it was sent.
 */

/** The page that shows any match that this device keeps. */
const KEPT = "/matches/kept";

/** The address of a match that was begun here. @param {string} id @returns {string} */
export function addressOfBegun(id) {
  return `${KEPT}#${id}`;
}

/** Whether a match can be begun here without network: its page must be kept on the device. @returns {Promise<boolean>} */
export async function canBeginHere() {
  return window.caches !== undefined && (await caches.match(KEPT, { ignoreVary: true })) !== undefined;
}

/**
 * Begin a match here; rejects where nothing can be stored.
 * @param {{id: string, key: string, body: any, names: string[], edition: any}} match `body` is what is to be sent, `names`
 *   are those of its players
 */
export async function beginHere({ id, key, body, names, edition }) {
  const seats = body.players.map(({ seat }) => seat);
  const beginning = await (await loadGame(body.game)).loadBeginning();
  const state = beginning(body.setup, seats, edition);
  const now = new Date().toISOString();
  const document = {
    id,
    game: body.game,
    edition: edition.id,
    rules_conflict: null,
    players: seats.map((seat, at) => ({ seat, player_id: body.players[at].player_id ?? null, name: names[at] })),
    seats_known: true,
    status: "in_progress",
    version: 1,
    revision: 0,
    ply: 0,
    to_move: state.to_move,
    result: null,
    played_at: body.played_at ?? now,
    venue: body.venue ?? null,
    tags: body.tags ?? [],
    withdrawn: false,
    created_at: now,
    setup: body.setup,
  };
  await keepBegun({ id, key, body, seen: { document, edition, state }, problem: null });
}

/** Have the service begin a match; as it answers it. Raises `ApiProblem` or `Offline`. @param {Begun} begun */
export async function sendBegun({ id, key, body, seen }) {
  const { data } = await ask("/matches", { method: "POST", body, idempotencyKey: key });
  const match = body.played_at === undefined ? await dated(data, seen.document.played_at) : data;
  await settleBegun(id, seen, match);
  return match;
}

/**
 * A match on the day on which it was begun here. The service dates it by when it hears of it, perhaps days later, and
 * refuses moves from long before a match; the request stays as it is, since it may have arrived before.
 * @param {any} match @param {string} begunAt
 */
async function dated(match, begunAt) {
  if (localDate(match.played_at) === localDate(begunAt)) return match;
  try {
    return (await ask(`/matches/${match.id}`, { method: "PATCH", body: { played_at: begunAt } })).data;
  } catch (error) {
    if (error instanceof ApiProblem) return match; // such as for a clock that is days ahead
    throw error;
  }
}

/**
 * The service has begun a match that was begun here: all that waits for it goes on under its id, in one step.
 * @param {string} id @param {Begun["seen"]} seen @param {any} match as the API answers it
 */
export async function settleBegun(id, { edition, state }, match) {
  await run(["begun", "waiting", "matches"], "readwrite", (begun, waiting, matches) => {
    eachOf(waiting, id, (cursor) => cursor.update({ ...cursor.value, matchId: match.id }));
    const seen = { id: match.id, document: match, edition, state, lastMove: null, legal: null, rights: ["record"] };
    matches.put({ ...seen, account });
    begun.put({ id, sentAs: match.id, account });
  });
}

/** Keep a match that was begun here until it is sent; rejects where nothing can be stored. @param {Begun} begun */
export function keepBegun(begun) {
  return run("begun", "readwrite", (store) => store.put({ ...begun, account }));
}

/** A match that was begun here, if this account did. @param {string} id @returns {Promise<Begun | undefined>} */
export async function begunHere(id) {
  const begun = await run("begun", "readonly", (store) => store.get(id)).catch(() => undefined);
  return begun?.account === account ? begun : undefined;
}

/** All matches that this account has begun here and that are not sent. @returns {Promise<Begun[]>} */
export async function allBegun() {
  const begun = await run("begun", "readonly", (store) => store.getAll()).catch(() => []);
  return begun.filter((one) => one.account === account && one.sentAs === undefined);
}

/** Give up a match that was begun here, with the moves that follow it. @param {string} id */
export async function forgetBegun(id) {
  await run(["begun", "waiting"], "readwrite", (begun, waiting) => {
    begun.delete(id);
    eachOf(waiting, id, (cursor) => cursor.delete());
  });
}

/** Visit what waits for a match. */
function eachOf(waiting, matchId, visit) {
  const request = waiting.index("matchId").openCursor(IDBKeyRange.only(matchId));
  request.onsuccess = () => {
    const { result: cursor } = request;
    if (cursor === null) return;
    visit(cursor);
    cursor.continue();
  };
}
