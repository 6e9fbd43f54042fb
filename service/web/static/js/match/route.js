/** What the address of a match says: which ply is looked at, and with which tool. */

import { page } from "../texts.js";

const PATH = /^\/matches\/[^/]+(?:\/(\d+))?$/;
/** Milliseconds after which a ply that is shown stands in the address: browsers refuse too many changes at once. */
const REST = 300;

let resting;

/** @typedef {{ply: number | null, tool: string | null}} Route `ply` is null where the match is followed as it goes on */

/** @returns {Route} */
export function readRoute() {
  const tool = new URLSearchParams(location.search).get("tool");
  if (page.view === "embed") return { ply: page.ply, tool: null };
  const found = PATH.exec(location.pathname)?.[1];
  return { ply: found === undefined ? null : Number(found), tool };
}

/** The address of a route; the link by which the page was opened stays in it. @param {Route} route @returns {string} */
export function addressOf({ ply, tool }) {
  const query = new URLSearchParams(location.search);
  if (tool === null) query.delete("tool");
  else query.set("tool", tool);
  const said = query.toString();
  return `/matches/${page.match}${ply === null ? "" : `/${ply}`}${said && `?${said}`}`;
}

/** Let the address name a route: as a step that going back takes back, or, once it rests, in place of the one before. */
export function writeRoute(/** @type {Route} */ route, { isStep = false } = {}) {
  if (page.view === "embed") return;
  clearTimeout(resting);
  const write = () => {
    try {
      if (isStep) history.pushState(null, "", addressOf(route));
      else history.replaceState(null, "", addressOf(route));
    } catch (refused) {
      if (!(refused instanceof DOMException) || refused.name !== "SecurityError") throw refused;
    }
  };
  if (isStep) write();
  else resting = setTimeout(write, REST);
}
