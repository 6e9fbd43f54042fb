/**
 * The changes of a match as the service sends them, while the page is visible.
 *
 * Over HTTP/1.1 a browser has six connections to a host for all its pages, and an event stream keeps one of them. So the
 * pages of a match share one stream: that page has it which holds the lock of the match, and it passes on what it hears.
 * Streams of different matches take turns if there are more than `PLACES`, and a hidden page has none. What happened in
 * between no stream sends: after `open` a page fetches what is new.
 */

import { address } from "../api.js";
import { account } from "../texts.js";

const PLACES = ["carnet-stream-1", "carnet-stream-2", "carnet-stream-3"];
/** Milliseconds after which a page gives its place to another one that waits. */
const TURN = 5000;
const EVENTS = ["changed", "details", "annotations", "gone", "error"];
/** What a page asks that has just begun to listen, and what is said to all when the stream is gone for now. */
const [HELLO, LEFT] = ["hello", "left"];

/**
 * Events: `open` for each new stream; `reopen` when the browser has mended a broken one, which goes on where it broke;
 * `error` when it breaks; and those of the API, with the text of their data.
 */
export class Stream extends EventTarget {
  #address;
  #id = Math.random();
  /** @type {EventSource | null} */
  #source = null;
  /** Whether another page of the same match has an open stream and passes on what it hears. */
  #isShared = false;
  /** Ends the wait for the lock or a place, or the turn. @type {AbortController | null} */
  #leaving = null;
  #isEnded = false;
  /** To the pages of the same match, opened by the same account and link. @type {BroadcastChannel} */
  #others;

  /** @param {string} path of the stream in the API */
  constructor(path) {
    super();
    this.#address = address(path);
    this.#others = new BroadcastChannel(this.#name);
    this.#others.addEventListener("message", ({ data }) => this.#hearOther(data));
    document.addEventListener("visibilitychange", () => (isVisible() ? this.connect() : this.#leave()));
    this.connect();
  }

  /** Whether this page is told of changes now. */
  get isOpen() {
    return this.#isShared || this.#source?.readyState === EventSource.OPEN;
  }

  /** Whether this page is told of changes, or tries to get a connection. */
  get hasPlace() {
    return this.#isShared || this.#source !== null;
  }

  /** Whether the browser has given up a connection that broke. */
  get isBroken() {
    return this.#source?.readyState === EventSource.CLOSED;
  }

  /** Connect anew, or as soon as the page is visible and it is its turn. */
  connect() {
    if (this.#isEnded || !isVisible()) return;
    if (this.#source !== null) this.#open();
    else if (this.#leaving === null) this.#lead();
  }

  /** Send nothing any more. */
  end() {
    this.#isEnded = true;
    this.#leave();
    this.#others.close();
  }

  get #name() {
    return `carnet-stream ${account} ${this.#address}`;
  }

  /** Have the stream as long as no other page of the match has it; only secure contexts have locks. */
  async #lead() {
    const leaving = new AbortController();
    const { signal } = leaving;
    this.#leaving = leaving;
    const lead = async () => {
      this.#isShared = false;
      while (!signal.aborted) await withPlace(signal, (isTurnOver) => this.#stayOpen(signal, isTurnOver));
    };
    this.#others.postMessage({ type: HELLO, from: this.#id });
    try {
      if (navigator.locks === undefined) await lead();
      else await navigator.locks.request(this.#name, { signal }, lead);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #hearOther({ type, data, from, to }) {
    if (this.#leaving === null || this.#source !== null || (to !== undefined && to !== this.#id)) {
      if (type === HELLO && this.#source?.readyState === EventSource.OPEN)
        this.#others.postMessage({ type: "open", to: from });
      return;
    }
    if (type === HELLO) return;
    this.#isShared = type !== LEFT && type !== "error";
    if (type !== LEFT) this.dispatchEvent(new MessageEvent(type, { data }));
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
    this.#isShared = false;
    if (this.#source !== null) this.#others.postMessage({ type: LEFT });
    this.#close();
  }

  #open() {
    this.#close();
    const source = new EventSource(this.#address);
    this.#source = source;
    const pass = (type, data) => {
      if (source !== this.#source) return;
      this.#others.postMessage({ type, data });
      this.dispatchEvent(new MessageEvent(type, { data }));
    };
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
 * Do something in one of the places, once one is free. Without locks every visible page has a place.
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
