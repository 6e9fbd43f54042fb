/**
 * What this device keeps while the network is away: moves and new matches that wait to be sent, matches as they were last
 * seen, and the players known from them. All of it is of the account that was signed in and never shown to another.
 */

/** @import { Move, Seat } from "../../types/api.js" */

import { account } from "./texts.js";

/**
 * @typedef {{key: string, matchId: string, order: number, seat: Seat, move: Move, ruling?: {reason: string},
 *     entered_at?: string, expected: number, problem: import("./api.js").Problem | null, account?: string | null}} Waiting
 * A move on its way: the idempotency key that it keeps, the version that it follows, and why it was refused, if it was.
 */

const NAME = "carnet";
const VERSION = 2;
/** What stands in the names of caches before the account whose pages they hold; the service worker knows it too. */
const OF = "#";

let opening = null;
/** Moves that could not be stored; they wait in the memory of the page until it works again. @type {Map<string, Waiting>} */
const unsaved = new Map();
let isAskedToPersist = false;

/** Browsers close connections of pages in the background: one that is gone is opened again when it is next needed. */
function open() {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      const { result: database } = request;
      const isThere = (name) => database.objectStoreNames.contains(name);
      if (!isThere("waiting"))
        database.createObjectStore("waiting", { keyPath: "key" }).createIndex("matchId", "matchId");
      for (const name of ["matches", "begun", "players"])
        if (!isThere(name)) database.createObjectStore(name, { keyPath: "id" });
    };
    request.onsuccess = () => {
      const database = request.result;
      database.onclose = forgetConnection;
      database.onversionchange = () => {
        database.close();
        forgetConnection();
      };
      resolve(database);
    };
    request.onerror = () => reject(request.error);
  });
  return opening;
}

function forgetConnection() {
  opening = null;
}

/**
 * Do something with a store, or with several in one transaction.
 * @param {string | string[]} stores @param {IDBTransactionMode} mode
 * @param {(...stores: IDBObjectStore[]) => IDBRequest | void} act @returns {Promise<any>} what its request answers
 */
export async function run(stores, mode, act) {
  try {
    return await transact(stores, mode, act);
  } catch {
    forgetConnection();
    return transact(stores, mode, act);
  }
}

async function transact(stores, mode, act) {
  const database = await open();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(stores, mode);
    const request = act(...[stores].flat().map((name) => transaction.objectStore(name)));
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
}

/**
 * The moves of a match that this account has still to send, the first one first. Those that waited before moves had
 * an account are of whoever opens the match.
 * @param {string} matchId
 * @returns {Promise<Waiting[]>}
 */
export async function waitingOf(matchId) {
  const found = await run("waiting", "readonly", (store) => store.index("matchId").getAll(matchId));
  return found.filter((item) => (item.account ?? account) === account).sort((one, other) => one.order - other.order);
}

/**
 * Keep a move until it is sent, or keep it as it is now; never rejects. What cannot be stored is stored with the next
 * one, if that works.
 * @param {Waiting} item @returns {Promise<boolean>} whether all moves are stored on the device
 */
export async function keepWaiting(item) {
  unsaved.set(item.key, { ...item, account });
  try {
    for (const [key, kept] of unsaved) {
      await run("waiting", "readwrite", (store) => store.put(kept));
      unsaved.delete(key);
    }
  } catch {
    return false;
  }
  return true;
}

/** Ask the browser, once, not to clear what is stored here when room runs short. */
export function askToPersist() {
  if (isAskedToPersist) return;
  isAskedToPersist = true;
  navigator.storage?.persist?.().catch(() => {}); // what it answers changes nothing
}

/** Forget a move that was sent or given up; never rejects: a move sent again is recorded once. @param {string} key */
export async function forgetWaiting(key) {
  unsaved.delete(key);
  await run("waiting", "readwrite", (store) => store.delete(key)).catch(() => {});
}

/** Remember a match as it is now seen, if the device lets us. @param {{id: string, [member: string]: any}} seen */
export async function keepSeen(seen) {
  await run("matches", "readwrite", (store) => store.put({ ...seen, account })).catch(() => {});
}

/** Forget a match that may no longer be read, and its page. @param {string} id */
export async function forgetSeen(id) {
  await run("matches", "readwrite", (store) => store.delete(id)).catch(() => {});
  for (const name of await pageCaches()) {
    const cache = await caches.open(name);
    await cache.delete(`/matches/${id}`, { ignoreSearch: true, ignoreVary: true });
  }
}

/** Forget what other accounts have read here; their moves that wait stay until they are signed in again. */
export async function forgetOthers() {
  await run(["matches", "players"], "readwrite", (...stores) => {
    for (const store of stores) {
      const request = store.openCursor();
      request.onsuccess = () => {
        const cursor = request.result;
        if (cursor === null) return;
        if (cursor.value.account !== account) cursor.delete();
        cursor.continue();
      };
    }
  });
  for (const name of await pageCaches()) if (!name.endsWith(OF + account)) await caches.delete(name);
}

async function pageCaches() {
  if (window.caches === undefined) return []; // over plain HTTP no page is kept
  return (await caches.keys()).filter((name) => name.includes(OF));
}

/** Leave nothing of what was read on this device; what waits to be sent stays. */
export async function forgetAllSeen() {
  await run(["matches", "players"], "readwrite", (...stores) => stores.forEach((store) => store.clear()));
  if (window.caches === undefined) return; // over plain HTTP no page is kept
  for (const name of await caches.keys()) await caches.delete(name);
}

/** A match as this account last saw it on this device, if it did. @param {string} id */
export async function lastSeen(id) {
  const seen = await run("matches", "readonly", (store) => store.get(id)).catch(() => undefined);
  return seen?.account === account ? seen : undefined;
}

/** All matches as this account last saw them on this device. @returns {Promise<{id: string, document: any}[]>} */
export async function allSeen() {
  const seen = await run("matches", "readonly", (store) => store.getAll()).catch(() => []);
  return seen.filter((one) => one.account === account);
}
