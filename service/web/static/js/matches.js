/** Matches as they stand in lists: those in progress with a small board, results in two lines. */

import { h } from "./dom.js";
import { day } from "./format.js";
import { minus } from "./minus.js";
import { seatName, seatSign } from "./seats.js";
import { smallBoard } from "./small_board.js";
import { t } from "./texts.js";

/**
 * A match as a row of a list, which leads to it.
 * @param {any} match @param {Record<string, string>} games the titles of the games @returns {HTMLElement}
 */
export function matchRow(match, games) {
  return match.status === "in_progress" ? rowInProgress(match, games) : rowOver(match, games);
}

function rowInProgress(match, games) {
  return h(
    "li",
    { class: ["row", "in_progress"] },
    h(
      "a",
      { class: "row-link", href: addressOf(match) },
      match.board && h("span", { class: "row-board" }, smallBoard(match.board)),
      h(
        "span",
        { class: "row-players" },
        match.players.map((player) => playerLine(match, player)),
      ),
      h("span", { class: "row-about quiet" }, about(match, games)),
    ),
  );
}

function rowOver(match, games) {
  return h(
    "li",
    { class: ["row", match.status] },
    h(
      "a",
      { class: "row-link", href: addressOf(match) },
      h(
        "span",
        { class: "row-result" },
        byPlace(match).map((player) => playerLine(match, player)),
      ),
      h("span", { class: "row-about quiet" }, about(match, games)),
    ),
  );
}

/** Where a match is shown; one that was begun here and is not sent says where. */
function addressOf({ id, address = `/matches/${id}` }) {
  return address;
}

/** The players of a match that is over, the winner first. */
function byPlace({ players, result }) {
  const place = ({ seat }) => result?.ranking.find((ranked) => ranked.seat === seat)?.place ?? 0;
  return players.toSorted((one, other) => place(one) - place(other));
}

function about(match, games) {
  const game = games[match.game] ?? match.game;
  return [standing(match), game, day(match.played_at), match.venue, ...match.tags].filter(Boolean).join(" · ");
}

function playerLine(match, player) {
  const points = pointsOf(match, player.seat);
  const won = match.result?.winners.includes(player.seat);
  const moves = match.status === "in_progress" && match.to_move === player.seat;
  return h(
    "span",
    { class: ["player", won && "won", moves && "moves"] },
    match.seats_known && seatSign(match.game, player.seat),
    h(
      "span",
      { class: "player-name" },
      player.name,
      match.seats_known && h("span", { class: "unseen" }, ` (${seatName(player.seat)})`),
    ),
    moves && h("span", { class: "turn" }, t("matches.to_move")),
    points !== null &&
      h("span", { class: "points" }, minus(points), won && h("span", { class: "unseen" }, ` ${t("matches.won")}`)),
  );
}

/** The points of a seat: of the result, else of the last position if the list has them. */
function pointsOf(match, seat) {
  return match.result?.ranking.find((ranked) => ranked.seat === seat)?.points ?? match.score?.[seat] ?? null;
}

function standing(match) {
  if (match.rules_conflict) return t("matches.conflict");
  if (match.status === "in_progress") return t("matches.in_progress", { ply: match.ply });
  if (match.status === "abandoned") return t("matches.abandoned");
  if (match.result.decided_by === "points") return null;
  return match.result.decided_by === "shared" ? t("matches.shared") : t("matches.tie_break");
}
