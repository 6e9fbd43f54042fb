/** What is said below the board of a match that nobody enters moves of: who has won, or that one only watches. */

import { h, renew } from "../dom.js";
import { playerName, seatSign } from "../seats.js";
import { hasText, page, t } from "../texts.js";

/** @param {HTMLElement} host @param {import("./page.js").MatchPage} shown */
export function showOutcome(host, shown) {
  renew(host, shown.isLive && h("div", { class: "outcome" }, said(shown)));
}

function said(shown) {
  const { store, game } = shown;
  const { status, rules_conflict: conflict, result } = store.document;
  if (page.view !== "page")
    return status === "abandoned" ? h("p", {}, t("match.abandoned")) : result && winner(store, game, result);
  if (conflict) {
    const toHistory = h("button", { type: "button", onclick: () => shown.open("history") }, t("match.tool_history"));
    return [h("p", {}, t("match.conflict")), store.may("record") && toHistory];
  }
  if (status === "in_progress") return h("p", { class: "quiet" }, t("match.watching"));
  const isReplayed = store.state !== null;
  const isTold = shown.rail.open === "result";
  return [
    status === "abandoned" ? h("p", {}, t("match.abandoned")) : result && winner(store, game, result),
    !isReplayed && h("p", {}, t("match.result_only")),
    !isTold &&
      h(
        "p",
        { class: "links" },
        isReplayed && h("button", { type: "button", class: "primary", onclick: () => play(shown) }, t("match.replay")),
        status === "finished" &&
          h("button", { type: "button", onclick: () => shown.open("result") }, t("match.tool_result")),
        status === "finished" &&
          store.may("record") &&
          h("a", { class: "button", href: `/matches/new?rematch=${store.id}` }, t("match.rematch")),
      ),
  ];
}

/** Play the match from its beginning. */
async function play({ store, player }) {
  await store.loadFrames();
  player.go(0);
  player.toggle();
}

function winner(store, game, { winners, decided_by: decidedBy }) {
  const names = winners.map((seat) => playerName(store.document.players, seat));
  const text =
    names.length > 1 ? t("match.shared", { players: names.join(", ") }) : t("match.won", { player: names[0] });
  // That equal points of an old note were not decided does not say that all tie-breaks were equal too.
  const isKnown = store.state !== null || decidedBy !== "shared";
  const key = decidedBy === "points" ? "match.decided_points" : `${game.id}.decided_${decidedBy}`;
  return [
    h(
      "p",
      { class: "winner" },
      winners.map((seat) => seatSign(game.id, seat)),
      text,
    ),
    hasText(key) && isKnown && h("p", { class: "quiet" }, t(key)),
  ];
}
