/** How long the seats of a match thought, as far as that is known; it is fetched when somebody opens it. */

/** @import { MatchTimes } from "../../../types/api.js" */
/** @import { Store } from "./store.js" */
/** @import { MatchPage } from "./page.js" */

import { ask, attempt } from "../api.js";
import { h } from "../dom.js";
import { formatDuration } from "../format.js";
import { seatSign } from "../seats.js";
import { t, tn } from "../texts.js";

/**
 * What draws the times. It is to be called whenever its tool is drawn, and lets it draw anew by `redraw`.
 * @param {Store} store @param {MatchPage} page @param {() => void} redraw @returns {() => HTMLElement | null}
 */
export function createThinkTimes(store, page, redraw) {
  /** @type {MatchTimes | null} */
  let known = null;
  let isOpen = false;
  let asked = 0;

  async function load() {
    asked = store.version;
    await attempt(
      async () => {
        known = (await ask(`/matches/${store.id}/times`)).data;
        redraw();
      },
      (problem) => page.report(problem),
    );
  }

  function toggle({ currentTarget }) {
    isOpen = currentTarget.open;
    loadIfOpen();
  }

  function loadIfOpen() {
    if (isOpen && asked !== store.version) load();
  }

  return () => {
    if (store.state === null) return null;
    loadIfOpen();
    return h(
      "details",
      { key: "times", class: "think-times", ontoggle: toggle },
      h("summary", {}, t("match.think_times")),
      known && [
        h("ul", {}, known.seats.map(drawSeat)),
        known.seats.some(({ moves, timed }) => timed < moves) && h("p", { class: "quiet" }, t("match.think_unknown")),
      ],
    );
  };

  function drawSeat({ seat, moves, timed, seconds, longest }) {
    const all = seconds === null ? t("match.think_not_known") : formatDuration(1000 * seconds);
    return h(
      "li",
      { key: seat },
      seatSign(page.game.id, seat),
      h("span", { class: "think-name" }, page.nameOf(seat), h("small", {}, tn("match.think_of", moves, { timed }))),
      h("b", {}, all),
      longest &&
        h(
          "button",
          { type: "button", class: "plain", onclick: () => page.go(longest.ply) },
          t("match.think_longest", { ply: longest.ply, time: formatDuration(1000 * longest.seconds) }),
        ),
    );
  }
}
