/**
 * The changes of a match as the service sends them, while the page is visible.
 *
 * Over HTTP/1.1 a browser has six connections to a host for all its pages, and an event stream keeps one of them. So a
 * hidden page has no stream, and of the visible ones at most `PLACES` have one; if there are more, they take turns. What
 * happened in between no stream sends: after `open` a page fetches what is new.
 */

import { address } from "./api.js";

const PLACES = ["carnet-stream-1", "carnet-stream-2", "carnet-stream-3"];
/** Milliseconds after which a page gives its place to another one that waits. */
const TURN = 5000;
const EVENTS = ["changed", "details", "annotations", "gone", "error"];

/**
 * Events: `open` for each new stream; `reopen` when the browser has mended a broken one, which goes on where it broke;
 * `error` when it breaks; and those of the API, with the text of their data.
 */
export class Stream extends EventTarget {
  #path;
  /** @type {EventSource | null} */
  #source = null;
  /** Ends the wait for a place, or the turn. @type {AbortController | null} */
  #leaving = null;
  #isEnded = false;

  /** @param {string} path of the stream in the API */
  constructor(path) {
    super();
    this.#path = path;
    document.addEventListener("visibilitychange", () => (isVisible() ? this.connect() : this.#leave()));
    this.connect();
  }

  /** Whether there is a connection now. */
  get isOpen() {
    return this.#source?.readyState === EventSource.OPEN;
  }

  /** Whether this page has a connection, or tries to get one. */
  get hasPlace() {
    return this.#source !== null;
  }

  /** Whether the browser has given up a connection that broke. */
  get isBroken() {
    return this.#source?.readyState === EventSource.CLOSED;
  }

  /** Connect anew, or as soon as the page is visible and has a place. */
  connect() {
    if (this.#isEnded || !isVisible()) return;
    if (this.hasPlace) this.#open();
    else if (this.#leaving === null) this.#takeTurns();
  }

  /** Send nothing any more. */
  end() {
    this.#isEnded = true;
    this.#leave();
  }

  async #takeTurns() {
    const leaving = new AbortController();
    this.#leaving = leaving;
    while (!leaving.signal.aborted)
      await withPlace(leaving.signal, (isTurnOver) => this.#stayOpen(leaving.signal, isTurnOver));
  }

  async #stayOpen(signal, isTurnOver) {
    if (signal.aborted) return;
    this.#open();
    do await pause(TURN, signal);
    while (!signal.aborted && !(await isTurnOver()));
    if (!signal.aborted) this.#close();
  }

  #leave() {
    this.#leaving?.abort();
    this.#leaving = null;
    this.#close();
  }

  #open() {
    this.#close();
    const source = new EventSource(address(this.#path));
    this.#source = source;
    const pass = (type, data) => source === this.#source && this.dispatchEvent(new MessageEvent(type, { data }));
    source.addEventListener(
      "open",
      () => {
        pass("open");
        source.addEventListener("open", () => pass("reopen"));
      },
      { once: true },
    );
    for (const type of EVENTS) source.addEventListener(type, ({ data }) => pass(type, data));
  }

  #close() {
    this.#source?.close();
    this.#source = null;
  }
}

/**
 * Do something in one of the places, once one is free. Only secure contexts have locks; elsewhere every visible page has
 * a place.
 * @param {AbortSignal} signal ends the wait @param {(isTurnOver: () => Promise<boolean>) => Promise<void>} act
 */
async function withPlace(signal, act) {
  const { locks } = navigator;
  if (locks === undefined) {
    await act(async () => false);
    return;
  }
  const actIn = (place) => act(async () => ((await locks.query()).pending ?? []).some(({ name }) => name === place));
  for (const place of PLACES) {
    const isFree = (lock) => lock !== null && actIn(place).then(() => true);
    if (await locks.request(place, { ifAvailable: true }, isFree)) return;
    if (signal.aborted) return;
  }
  const { pending = [] } = await locks.query();
  const queue = (place) => pending.filter(({ name }) => name === place).length;
  const shortest = PLACES.reduce((least, place) => (queue(place) < queue(least) ? place : least));
  try {
    await locks.request(shortest, { signal }, () => actIn(shortest));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function pause(milliseconds, signal) {
  return new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

function isVisible() {
  return document.visibilityState === "visible";
}
