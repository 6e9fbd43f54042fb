/** Puts right what was recorded: moves, the set-up and who sat where, each after a look at what it means. */

import { ask } from "./api.js";
import { byId, find, h, replace, settled } from "./dom.js";
import { loadGame } from "./game.js";
import { openMatch } from "./match.js";
import { createMoveEditor } from "./repair_move.js";
import { createPeopleEditor } from "./repair_people.js";
import { createSetupEditor } from "./repair_setup.js";
import { playerName, seatSign, withPlayers } from "./seats.js";
import { lang, page, t } from "./texts.js";
import { tellMove } from "./told.js";

const match = await openMatch(page.match);
let frames = [];
let shown = null;
let editor = null;
let opener = null;
/** The board beside the list, where there is room for one. */
let board = null;

match.addEventListener("change", () => {
  tellConflict();
  listMoves();
  board?.draw(match.state, { lastMove: match.lastMove });
});
match.addEventListener("stale", lookAgain);
byId("edit-setup").addEventListener("click", () => edit((host, ways) => createSetupEditor(match, host, ways)));
byId("edit-people").addEventListener("click", () => edit((host, ways) => createPeopleEditor(match, host, ways)));
document.getElementById("accept")?.addEventListener("click", acceptRules);
tellConflict();
await listMoves();
await showPresent();
openAsked();
settled();

async function listMoves() {
  if (shown === match.version) return;
  shown = match.version;
  const { data } = await ask(`/matches/${match.id}/replay?fields=ply,seq,seat,text,ruling,move&lang=${lang}`);
  if (data.match.version !== shown) return;
  frames = data.frames;
  replace(byId("moves"), frames.slice(1).map(drawMove));
  byId("no-moves").hidden = frames.length > 1;
}

/** Show how the match stands where the editor will be. */
async function showPresent() {
  if (match.state === null || !matchMedia("(min-width: 900px)").matches) return;
  const { createBoard } = await loadGame(match.game);
  const nameOf = (seat) => playerName(match.document.players, seat);
  board = createBoard(byId("present-board"), { edition: match.edition, nameOf });
  board.draw(match.state, { lastMove: match.lastMove });
  byId("present").hidden = false;
}

function drawMove(frame) {
  return h(
    "li",
    {},
    h(
      "button",
      { type: "button", class: "move", id: `move-${frame.ply}`, onclick: () => editMove(frame.ply) },
      seatSign(match.game, frame.seat),
      tellMove(frame, match.document.players),
    ),
  );
}

function tellConflict() {
  const conflict = match.document.rules_conflict;
  byId("conflict").hidden = !conflict;
  if (!conflict) return;
  const why = withPlayers(conflict.problem?.detail ?? "", match.document.players);
  replace(byId("why"), t("repair.conflict", { ply: conflict.ply, why }));
}

async function acceptRules() {
  const outcome = await match.write("rules-conflict/accept", undefined);
  if (!outcome.accepted) say(outcome.problem.detail);
}

function editMove(ply) {
  edit((host, ways) => createMoveEditor(match, frames, ply, host, ways));
}

/** Open the move that the address names. */
function openAsked() {
  const asked = Number(new URLSearchParams(location.search).get("ply"));
  if (asked > 0 && asked < frames.length) editMove(asked);
}

function edit(create) {
  editor?.dispose();
  opener = document.activeElement;
  say("");
  document.body.classList.add("editing");
  byId("editor").hidden = false;
  editor = create(byId("editor"), { close, done, lookAgain });
  find(byId("editor"), "h2").focus();
}

function close() {
  editor?.dispose();
  editor = null;
  replace(byId("editor"));
  byId("editor").hidden = true;
  document.body.classList.remove("editing");
  if (opener?.isConnected) opener.focus();
}

function done() {
  close();
  say(t("repair.done"));
}

/** Whatever was being edited was looked at in a match that is another one now. */
async function lookAgain() {
  await match.reload();
  close();
  say(t("repair.stale"));
}

function say(sentence) {
  replace(byId("said"), sentence);
}
