/** The board and the scores on a second screen, large and live. */

import { ask } from "./api.js";
import { byId, h, replace, settled } from "./dom.js";
import { loadGame } from "./game.js";
import { openMatch } from "./match.js";
import { playerName, seatName, seatSign, withPlayers } from "./seats.js";
import { hasText, lang, page, t } from "./texts.js";
import { minus } from "./format.js";

const match = await openMatch(page.match);
const { createBoard, scoreParts } = await loadGame(match.game);
const nameOf = (seat) => playerName(match.document.players, seat);
const board = match.state && createBoard(byId("board"), { edition: match.edition, nameOf });

match.addEventListener("change", draw);
await draw();
settled();

async function draw() {
  const { document: now, state, lastMove } = match;
  board?.draw(state, { lastMove });
  replace(byId("scores"), now.players.map(drawSeat));
  replace(byId("standing"), standing(now));
  byId("live").classList.toggle("on", match.isLive);
  byId("live").hidden = match.isLive && match.document.status !== "in_progress";
  replace(byId("live"), t(match.isLive ? "scoreboard.live" : "scoreboard.away"));
  await tellLastMove(match.version);
}

function drawSeat({ seat, name }) {
  const { document: now, state } = match;
  const ranked = now.result?.ranking.find((one) => one.seat === seat);
  const moves = now.status === "in_progress" && now.to_move === seat;
  return h(
    "li",
    { class: ["seat", seat, moves && "to-move", ranked?.place === 1 && "won"] },
    seatSign(match.game, seat),
    h("span", { class: "seat-name" }, name, h("span", { class: "unseen" }, ` (${seatName(seat)})`)),
    h("span", { class: "seat-points" }, minus(ranked?.points ?? state?.score[seat].total ?? "")),
    state && h("span", { class: "seat-parts" }, scoreParts(state, seat).map(drawPart)),
    moves && h("span", { class: "seat-turn" }, t("scoreboard.to_move")),
  );
}

function drawPart({ category, points }) {
  const key = `${match.game}.score_${category}`;
  return h("span", {}, hasText(key) ? t(key) : category, " ", h("b", {}, minus(points)));
}

function standing(now) {
  if (now.status === "abandoned") return t("scoreboard.abandoned");
  if (now.result === null) return t("scoreboard.move", { ply: now.ply });
  const names = now.result.winners.map(nameOf);
  return t(names.length > 1 ? "scoreboard.shared" : "scoreboard.won", { name: names.join(", ") });
}

async function tellLastMove(version) {
  if (match.state === null || match.isLost) return;
  const path = `/matches/${match.id}/replay/${match.document.ply}?version=${version}&lang=${lang}`;
  const { data } = await ask(path);
  if (version !== match.version) return;
  replace(byId("last"), data.ply > 0 ? withPlayers(data.text, match.document.players) : "");
}
