/** What the address of a match says: which ply is looked at, and with which tool. */

import { page } from "../texts.js";

const PATH = /^\/matches\/[^/]+(?:\/(\d+))?$/;
/** Milliseconds between two changes of the address: browsers refuse too many at once. */
const REST = 300;

/** @type {number | undefined} */
let resting;

/** @typedef {{ply: number | null, tool: string | null}} Route `ply` is null where the match is followed as it goes on */

/** What comes into the address next. @type {Route | null} */
let waiting = null;

/** @returns {Route} */
export function readRoute() {
  const tool = new URLSearchParams(location.search).get("tool");
  if (page.view === "embed") return { ply: page.ply, tool: null };
  const found = PATH.exec(location.pathname)?.[1];
  return { ply: found === undefined ? null : Number(found), tool };
}

/** Be told when the reader goes back or forward. @param {(route: Route) => void} goTo */
export function onReturn(goTo) {
  addEventListener("popstate", () => {
    waiting = null;
    goTo(readRoute());
  });
}

/** The address of a route; the link by which the page was opened stays in it. @param {Route} route @returns {string} */
export function addressOf({ ply, tool }) {
  const query = new URLSearchParams(location.search);
  if (tool === null) query.delete("tool");
  else query.set("tool", tool);
  const said = query.toString();
  return `/matches/${page.match}${ply === null ? "" : `/${ply}`}${said && `?${said}`}`;
}

/**
 * Let the address name a route: as a step that going back takes back, or in place of the one before. Of changes that
 * follow each other at once the first stands there, and the last once it rests.
 */
export function writeRoute(/** @type {Route} */ route, { isStep = false } = {}) {
  if (page.view === "embed") return;
  waiting = null;
  if (isStep || resting === undefined) write(route, isStep);
  else waiting = route;
  clearTimeout(resting);
  resting = setTimeout(() => {
    resting = undefined;
    if (waiting !== null) write(waiting, false);
    waiting = null;
  }, REST);
}

function write(/** @type {Route} */ route, /** @type {boolean} */ isStep) {
  try {
    if (isStep) history.pushState(null, "", addressOf(route));
    else history.replaceState(null, "", addressOf(route));
  } catch (refused) {
    if (!(refused instanceof DOMException) || refused.name !== "SecurityError") throw refused;
  }
}
