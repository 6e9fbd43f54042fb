/** The list of moves beside the board, where there is room for one. */

import { ApiProblem, Offline, ask } from "./api.js";
import { h, replace } from "./dom.js";
import { seatSign, withPlayers } from "./seats.js";
import { t } from "./texts.js";

const ROOM = matchMedia("(min-width: 820px) and (min-height: 561px)");

/**
 * @param {HTMLElement} host
 * @param {import("./match.js").Match} match
 * @returns {{update: () => void}}
 */
export function createMoves(host, match) {
  let shown = null;
  ROOM.addEventListener("change", update);

  async function update() {
    const wanted = JSON.stringify([match.version, match.document.players]);
    if (!ROOM.matches || match.state === null || shown === wanted) return;
    shown = wanted;
    try {
      const { data } = await ask(`/matches/${match.id}/replay?fields=ply,seat,text,ruling&from=1`);
      if (shown !== wanted) return;
      const lines = data.frames.map((frame) => line(match, frame));
      replace(host, lines.length ? h("ol", {}, lines) : h("p", {}, t("recording.no_moves")));
      host.scrollTop = host.scrollHeight;
    } catch (error) {
      if (!(error instanceof Offline || error instanceof ApiProblem)) throw error;
      shown = null;
    }
  }

  return { update };
}

/** A move, which leads to where it is put right. */
function line(match, { ply, seat, text, ruling }) {
  const reason = ruling && h("span", { class: "ruled" }, ruling.reason ?? t("recording.ruling"));
  const repair = new URL(location.href);
  repair.pathname = `/matches/${match.id}/repair`;
  repair.searchParams.set("ply", ply);
  return h(
    "li",
    {},
    h(
      "a",
      { href: repair.href },
      h("span", { class: "ply" }, ply),
      seatSign(match.game, seat),
      h("span", {}, withPlayers(text, match.document.players), reason),
    ),
  );
}
