/** The log of a match: everything that was recorded, and any earlier state to look at and to bring back. */

import { all, ask } from "./api.js";
import { byId, find, h, replace, settled } from "./dom.js";
import { minus, when } from "./format.js";
import { loadGame } from "./game.js";
import { openMatch } from "./match.js";
import { playerName, seatSign, withPlayers } from "./seats.js";
import { lang, page, t, tn } from "./texts.js";
import { tellLine } from "./told.js";

const match = await openMatch(page.match);
const { createBoard, loadPrintedValues } = await loadGame(match.game);
const described = await loadPrintedValues();
let last = 0;
let shown = null;

match.addEventListener("change", readOn);
match.addEventListener("stale", () => say(t("log.stale")));
await readOn();
settled();

/** Add what was recorded since; a log only grows. */
async function readOn() {
  if (last >= match.version) return;
  const since = last;
  last = match.version;
  const lines = [];
  lines.push(...(await all(`/matches/${match.id}/log?after=${since}&limit=200&lang=${lang}`)));
  byId("lines").prepend(...lines.reverse().map(drawLine));
  if (shown !== null) offerRestoring();
}

function drawLine(line) {
  return h(
    "li",
    { id: `entry-${line.seq}`, class: ["entry", line.kind], value: String(line.seq) },
    h(
      "p",
      { class: "entry-about quiet" },
      h("span", { class: "entry-seq" }, line.seq),
      when(line.recorded_at),
      line.by && h("span", {}, t("log.by", { name: line.by })),
    ),
    tellLine(line, match.document.players, described),
    match.state &&
      h(
        "button",
        {
          type: "button",
          class: "plain look",
          "aria-label": t("log.look_at", { n: line.seq }),
          onclick: () => look(line),
        },
        t("log.look"),
      ),
  );
}

async function look(line) {
  const [{ data: frame }, { data: edition }] = await Promise.all([
    ask(`/matches/${match.id}/replay/${line.ply}?version=${line.seq}&lang=${lang}`),
    ask(`/matches/${match.id}/edition?version=${line.seq}`),
  ]);
  shown = line;
  const board = h("div", { class: "then-board" });
  replace(
    byId("then"),
    h("h2", { tabindex: "-1" }, t("log.then", { n: line.seq })),
    h("p", { class: "quiet" }, tn("log.then_moves", line.ply)),
    h(
      "ul",
      { class: "then-scores" },
      match.document.players.map(({ seat }) =>
        h("li", {}, seatSign(match.game, seat), nameOf(seat), h("b", {}, minus(frame.state.score[seat].total))),
      ),
    ),
    board,
    line.ply > 0 && h("p", {}, `${line.ply}. ${withPlayers(frame.text, match.document.players)}`),
    h(
      "div",
      { class: "notice-acts" },
      h("button", { type: "button", onclick: close }, t("log.close")),
      h("button", { type: "button", class: "primary restore", onclick: restore }, t("log.restore")),
    ),
  );
  createBoard(board, { edition, nameOf }).draw(frame.state, {
    lastMove: frame.move && { ply: frame.ply, seat: frame.seat, move: frame.move },
  });
  offerRestoring();
  byId("then").hidden = false;
  find(byId("then"), "h2").focus();
}

function nameOf(seat) {
  return playerName(match.document.players, seat);
}

function offerRestoring() {
  find(byId("then"), ".restore").hidden = !match.may("record") || shown.seq === match.version;
}

async function restore() {
  const { seq } = shown;
  const outcome = await match.write("restore", { version: seq });
  if (outcome.accepted) say(t("log.restored", { n: seq }));
  else if (outcome.problem.type === "/problems/no-change") say(t("log.is_present"));
  else if (outcome.problem.status !== 412) say(outcome.problem.detail);
}

function close() {
  byId("then").hidden = true;
  find(byId(`entry-${shown.seq}`), ".look").focus();
  shown = null;
}

function say(sentence) {
  replace(byId("said"), sentence);
}
