/** The tool *Moves*: the list of moves, each of which is shown by a tap. */

/** @import { Store } from "../store.js" */
/** @import { MatchPage } from "../page.js" */

import { h, renew } from "../../dom.js";
import { t } from "../../texts.js";
import { seekMove, showMoves } from "../move_list.js";

/** @param {HTMLElement} host @param {Store} store @param {MatchPage} page @returns {Promise<import("../tool_rail.js").Tool>} */
export async function tool(host, store, page) {
  await store.loadFrames();
  let shown = null;

  function update() {
    const frames = store.frames ?? [];
    if (frames.length < 2) {
      renew(host, h("p", { class: "quiet" }, t("match.no_moves")));
      return;
    }
    const turning = page.ending?.turning_point?.ply;
    const onPick = (ply) => page.go(ply);
    showMoves(host, page.game, { match: store.document, frames, ply: page.ply, turning, onPick });
    if (shown !== page.ply && host.parentElement) seekMove(host.parentElement);
    shown = page.ply;
  }

  return { update };
}
