/** What is said below the board of a match that nobody enters moves of: who has won and when that was decided, or that one only watches. */

/** @import { MatchResult } from "../../../types/api.js" */

import { h, renew } from "../dom.js";
import { playerName, seatSign, withPlayers } from "../seats.js";
import { hasText, page, t, tn } from "../texts.js";

/** @param {HTMLElement} host @param {import("./page.js").MatchPage} shown */
export function showOutcome(host, shown) {
  renew(host, shown.isLive && h("div", { class: "outcome" }, said(shown)));
}

function said(shown) {
  const { store, game } = shown;
  const { status, rules_conflict: conflict, result } = store.document;
  const isOver = status === "finished" && result !== null;
  if (page.view !== "page")
    return status === "abandoned" ? h("p", {}, t("match.abandoned")) : isOver && winner(store, game);
  if (conflict) {
    const toHistory = h("button", { type: "button", onclick: () => shown.open("history") }, t("match.tool_history"));
    return [h("p", {}, t("match.conflict")), store.may("record") && toHistory];
  }
  if (status === "in_progress") return h("p", { class: "quiet" }, t("match.watching"));
  const isReplayed = store.state !== null;
  if (isReplayed && shown.rail.open === "result") return null;
  return [
    isOver ? winner(store, game) : h("p", {}, t("match.abandoned")),
    isOver && isReplayed && h("div", { class: "decided" }, turningPoint(shown)),
    !isReplayed && h("p", {}, t("match.result_only")),
    h(
      "p",
      { class: "links" },
      isReplayed && h("button", { type: "button", class: "primary", onclick: () => play(shown) }, t("match.replay")),
      isOver && h("button", { type: "button", onclick: () => shown.open("result") }, t("match.tool_result")),
      isOver &&
        store.may("record") &&
        h("a", { class: "button", href: `/matches/new?rematch=${store.id}` }, t("match.rematch")),
    ),
  ];
}

/** Play the match from its beginning. @param {import("./page.js").MatchPage} shown */
export async function play({ store, player }) {
  await store.loadFrames();
  player.go(0);
  player.toggle();
}

/** Who has won, and by how much. @param {import("./store.js").Store} store @param {import("../game.js").Game} game */
export function winner(store, game) {
  const { players, result } = store.document;
  const { winners, ranking, decided_by: decidedBy } = /** @type {any} */ (result);
  const names = winners.map((seat) => playerName(players, seat));
  const [first, second] = ranking.map(({ points }) => points).sort((one, other) => other - one);
  // That equal points of an old note were not decided does not say that all tie-breaks were equal too.
  const isKnown = store.state !== null || decidedBy !== "shared";
  const key = `${game.id}.decided_${decidedBy}`;
  return [
    h(
      "h2",
      { class: "winner" },
      winners.map((seat) => seatSign(game.id, seat)),
      h(
        "span",
        {},
        names.length > 1
          ? t("match.shared", { players: names.join(", ") })
          : first > second
            ? tn("match.won_by", first - second, { player: names[0] })
            : t("match.won", { player: names[0] }),
      ),
    ),
    decidedBy !== "points" && hasText(key) && isKnown && h("p", { class: "quiet" }, t(key)),
  ];
}

/** The move by which the winner gained most, as a way to it. @param {import("./page.js").MatchPage} shown */
export function turningPoint(shown) {
  /** @type {MatchResult | null} */
  const ending = shown.ending;
  if (!ending?.turning_point) return null;
  const { ply, seat, swing } = ending.turning_point;
  const { store, game } = shown;
  const frame = store.frames?.[ply];
  return h(
    "button",
    { type: "button", class: "turning", onclick: () => shown.go(ply) },
    h("b", {}, t("match.turning_point", { ply })),
    h("span", { class: "quiet" }, tn("match.swing", swing)),
    h(
      "span",
      { class: "told-move" },
      seatSign(game.id, seat),
      h("span", {}, frame?.text ? withPlayers(frame.text, store.document.players) : shown.nameOf(seat)),
    ),
  );
}
