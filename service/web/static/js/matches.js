/** Matches as they stand in lists: a row says who played what, how it ended, when and where. */

import { h } from "./dom.js";
import { day } from "./format.js";
import { seatName, seatSign } from "./seats.js";
import { t } from "./texts.js";

/** The points of a seat, or null as long as there is no result. @param {any} match @param {string} seat @returns {number | null} */
export function pointsOf(match, seat) {
  return match.result?.ranking.find((ranked) => ranked.seat === seat)?.points ?? null;
}

/**
 * A match as a row of a list, which leads to it.
 * @param {any} match @param {Record<string, string>} games the titles of the games @returns {HTMLElement}
 */
export function matchRow(match, games) {
  return h(
    "li",
    { class: ["row", match.status] },
    h(
      "a",
      { class: "row-link", href: `/matches/${match.id}` },
      h(
        "span",
        { class: "row-players" },
        match.players.map((player) => playerLine(match, player)),
      ),
      h(
        "span",
        { class: "row-about" },
        h("span", { class: "row-game" }, games[match.game] ?? match.game),
        h("span", { class: "quiet" }, [day(match.played_at), match.venue].filter(Boolean).join(" · ")),
        h("span", { class: "quiet" }, standing(match)),
        match.tags.length > 0 &&
          h(
            "span",
            { class: "tags" },
            match.tags.map((tag) => h("span", { class: "tag" }, tag)),
          ),
      ),
    ),
  );
}

function playerLine(match, player) {
  const points = pointsOf(match, player.seat);
  const won = match.result?.winners.includes(player.seat);
  const moves = match.status === "in_progress" && match.to_move === player.seat;
  return h(
    "span",
    { class: ["player", won && "won", moves && "moves"] },
    seatSign(match.game, player.seat),
    h("span", { class: "player-name" }, player.name, h("span", { class: "unseen" }, ` (${seatName(player.seat)})`)),
    moves && h("span", { class: "turn" }, t("matches.to_move")),
    points !== null &&
      h("span", { class: "points" }, String(points), won && h("span", { class: "unseen" }, ` ${t("matches.won")}`)),
  );
}

function standing(match) {
  if (match.rules_conflict) return t("matches.conflict");
  if (match.status === "in_progress") return t("matches.in_progress", { ply: match.ply });
  if (match.status === "abandoned") return t("matches.abandoned");
  if (match.result.decided_by === "points") return null;
  return match.result.decided_by === "shared" ? t("matches.shared") : t("matches.tie_break");
}
