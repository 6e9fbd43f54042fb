/**
 * The page of a match, the same for all games. It owns the header, the scores, the list of moves, undo and the button
 * that confirms; what can be done on the board is the form of the game, as `game.js` describes it.
 */

import { ask, attempt } from "./api.js";
import { keepAwake } from "./awake.js";
import { byId, find, h, replace, settled, shake } from "./dom.js";
import { minus } from "./format.js";
import { areGainsShown, gainsSwitch } from "./gains.js";
import { loadGame } from "./game.js";
import { openMatch } from "./match.js";
import { createMoves } from "./moves.js";
import { ruleLink } from "./rules.js";
import { createScores } from "./scores.js";
import { playerName, seatSign, withPlayers } from "./seats.js";
import { nameOf, rulingForm, showSync } from "./sync.js";
import { toast } from "./toast.js";
import { hasText, lang, page, t } from "./texts.js";

const [match, game] = await Promise.all([openMatch(page.match), loadGame(page.game)]);
const createForm = await game.loadForm();
const { edition } = match;

let form = null;
let deed = null;
/** Who is said to have moved, if not whose turn it is. */
let outOfTurn = null;
let explained = null;
/** How many acts of this page are under way: what they change goes without saying. */
let acting = 0;
/** Takes away the offer to bring back what was undone. */
let withdrawOffer = () => {};

const board = game.createBoard(byId("board"), { edition, nameOf: playerOf, onTap: (tapped) => form?.tap(tapped) });
const scores = createScores(byId("scores"), match, game.scoreParts, explain);
const moves = createMoves(byId("moves"), match);

/** The match as a form sees it: with the moves that wait already on the board. */
const source = {
  get state() {
    return position();
  },
  get seat() {
    return outOfTurn ?? position()?.to_move ?? null;
  },
  nameOf: playerOf,
  legalMoves: async () => (outOfTurn || match.waiting.length ? null : match.legalMoves()),
  gains: async () => (areGainsShown() && !outOfTurn && match.waiting.length === 0 ? match.gains() : null),
  check: (entry) => match.check(entry),
  submit,
};

const view = {
  draw: (state, shown = {}) =>
    board.draw(state, {
      lastMove: match.lastMove,
      ...shown,
      ghosts: [...waitingGhosts(), ...(shown.ghosts ?? [])],
    }),
  focus: board.focus,
};

byId("confirm").addEventListener("click", () => deed?.act());
byId("turning").addEventListener("click", () => deed?.turn.act());
document.addEventListener("keydown", turnByKey);
byId("undo").addEventListener("click", undo);
match.addEventListener("change", update);
showSync(match, byId("notices"));
match.addEventListener(
  "change",
  keepAwake(() => match.document.status === "in_progress" && !match.isGone),
);
update();
settled();

function update() {
  const now = match.document;
  const isGoingOn = now.status === "in_progress" && match.state !== null && !now.rules_conflict;
  const isOpen = isGoingOn && match.may("record");
  find(document, ".table").dataset.ply = String(now.ply);
  find(document, ".table").classList.toggle("result-only", match.state === null);
  const isAwaited = now.status === "in_progress" || !match.isLive;
  replace(byId("live"), isAwaited && t(match.isLive ? "recording.live" : "recording.away"));
  byId("confirm").hidden = !isOpen;
  find(document, ".deeds").hidden = !match.may("record") || match.state === null;
  byId("board").hidden = match.state === null;
  byId("live").classList.toggle("on", match.isLive);
  scores.update(position());
  moves.update();
  tellTurn(isGoingOn);
  replace(byId("acts"), acts());
  byId("withdrawn").hidden = !now.withdrawn;
  if (explained && explained.version !== match.version) tellPoints(explained.seat);
  const wasChoosing = Boolean(deed?.clear);
  if (isOpen) showForm();
  else showOutcome();
  if (isOpen && wasChoosing && !deed?.clear && acting === 0) toast(t("recording.choice_dropped"));
}

/** R turns what is laid, where no text is being written. */
function turnByKey(event) {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (isPlain && event.key.toLowerCase() === "r" && !event.target.closest("input, textarea, select")) deed?.turn?.act();
}

/** Do something that changes the match; meanwhile a choice may go without a word. */
async function doing(act) {
  acting += 1;
  withdrawOffer();
  try {
    return await act();
  } finally {
    acting -= 1;
  }
}

function position() {
  return match.waiting.reduce((state, entry) => game.predict(state, entry, edition), match.state);
}

function waitingGhosts() {
  const ghosts = match.waiting.map(({ move }) => ({ kind: "waiting", cells: game.cellsOf(move) }));
  return ghosts.filter(({ cells }) => cells.length);
}

function showForm() {
  form ??= createForm({
    match: source,
    board: view,
    sheet: byId("form"),
    hand: byId("hand"),
    edition,
    report,
    offer,
  });
  form.update();
}

/** What is to be said of a match that nobody can move in. */
function showOutcome() {
  form?.dispose();
  form = null;
  offer(null);
  replace(byId("hand"));
  if (match.state) view.draw(match.state);
  const isWatched = match.document.status === "in_progress" && !match.document.rules_conflict;
  replace(byId("form"), h("div", { class: "outcome" }, isWatched ? watching() : outcome()));
}

/** What is said to those who may look at a match that goes on, and may not record it. */
function watching() {
  return [
    match.lastMove?.text && h("p", { role: "status" }, withPlayers(match.lastMove.text, match.document.players)),
    h("p", { class: "quiet" }, t("recording.watching")),
    h("p", { class: "links" }, h("a", { class: "button", href: address("replay") }, t("recording.replay"))),
  ];
}

function outcome() {
  const now = match.document;
  if (now.rules_conflict) {
    return h(
      "p",
      {},
      t("recording.conflict"),
      " ",
      match.may("record") && h("a", { href: address("repair") }, t("recording.repair")),
    );
  }
  const said = now.status === "abandoned" ? h("p", {}, t("recording.abandoned")) : now.result && winner(now.result);
  return [
    said,
    match.state === null ? h("p", {}, t("recording.result_only")) : null,
    h(
      "p",
      { class: "links" },
      match.state && h("a", { class: "button primary", href: address("replay") }, t("recording.replay")),
      now.status === "finished" &&
        match.may("record") &&
        h("a", { class: "button", href: `/matches/new?rematch=${match.id}` }, t("recording.rematch")),
    ),
  ];
}

function winner({ winners, decided_by: decidedBy }) {
  const names = winners.map(playerOf);
  const said =
    names.length > 1 ? t("recording.shared", { players: names.join(", ") }) : t("recording.won", { player: names[0] });
  // That equal points of an old note were not decided does not say that all tie-breaks were equal too.
  const isKnown = match.state !== null || decidedBy !== "shared";
  const key = decidedBy === "points" ? "recording.decided_points" : `${match.game}.decided_${decidedBy}`;
  return [
    h(
      "p",
      { class: "winner" },
      winners.map((seat) => seatSign(match.game, seat)),
      said,
    ),
    hasText(key) && isKnown ? h("p", { class: "quiet" }, t(key)) : null,
  ];
}

function tellTurn(isOpen) {
  const seat = source.state && isOpen ? source.seat : null;
  byId("turn").hidden = explained !== null;
  if (byId("turn").dataset.said === String([seat, outOfTurn])) return;
  byId("turn").dataset.said = String([seat, outOfTurn]);
  const key = outOfTurn ? "recording.out_of_turn" : "recording.turn";
  replace(byId("turn"), seat && [seatSign(match.game, seat), h("span", {}, t(key, { player: playerOf(seat) }))]);
}

/** What else can be done with the match, in the menu. */
function acts() {
  const now = match.document;
  if (!match.may("record")) return [];
  const act = (key, path, method = "POST") =>
    h("button", { type: "button", onclick: chosen(() => change(path, method)) }, t(`recording.${key}`));
  const others =
    now.status === "in_progress" && match.state
      ? now.players.map(({ seat }) => seat).filter((seat) => seat !== source.seat)
      : [];
  return [
    others.map((seat) =>
      h(
        "button",
        { type: "button", onclick: chosen(() => moveOutOfTurn(seat)) },
        seatSign(match.game, seat),
        t("recording.moved_too", { player: playerOf(seat) }),
      ),
    ),
    now.status === "in_progress" && match.state && gainsSwitch(() => form?.update()),
    page.may_edit && now.status === "in_progress" && act("abandon", "abandon"),
    page.may_edit && now.status === "abandoned" && act("reopen", "reopen"),
    match.may("manage") && (now.withdrawn ? act("unwithdraw", "withdraw", "DELETE") : act("withdraw", "withdraw")),
  ];
}

/** Do what was chosen in the menu, and close it. */
function chosen(action) {
  return () => {
    byId("menu").hidePopover();
    action();
  };
}

function moveOutOfTurn(seat) {
  outOfTurn = seat === position()?.to_move ? null : seat;
  update();
}

/** What is said of an act of the menu, and the act that takes it back. */
const TAKEN_BACK = {
  "POST abandon": ["abandoned", "reopen", "reopen", "POST"],
  "POST withdraw": ["withdrawn", "unwithdraw", "withdraw", "DELETE"],
};

async function change(path, method) {
  const outcome = await doing(() => match.write(path, undefined, method));
  if (outcome.accepted === false) {
    if (outcome.problem.status !== 412) report(outcome.problem);
    return;
  }
  const back = TAKEN_BACK[`${method} ${path}`];
  if (!back) return;
  const [said, label, ...act] = back;
  withdrawOffer = toast(t(`recording.${said}`), { label: t(`recording.${label}`), act: () => change(...act) });
}

/** Record a move; say why if it is refused. */
async function submit(entry) {
  lock(true);
  const outcome = await doing(() => match.submit(entry)).finally(() => lock(false));
  if (outcome.accepted === false) {
    if (outcome.problem.status !== 412) report(outcome.problem, entry); // what came in between stands above
    return outcome;
  }
  report(null);
  if (outOfTurn !== null) {
    outOfTurn = null;
    update();
  }
  return outcome;
}

/** Let nothing be chosen while a move is on its way: it would be for a position that is gone when the answer comes. */
function lock(isSending) {
  for (const part of ["board", "hand", "form"]) byId(part).inert = isSending;
  byId("confirm", HTMLButtonElement).disabled = isSending || !deed?.act;
}

/** Clear what is chosen, or take back the last move, and offer to bring it back. */
async function undo() {
  report(null);
  if (deed?.clear) {
    deed.clear();
    toast(t("recording.cleared"));
    return;
  }
  const outcome = await doing(() => match.undo());
  if (outcome.accepted === false) {
    if (outcome.problem.status !== 412) report(outcome.problem);
    return;
  }
  const { undone, redo } = outcome;
  const said = undone === null ? t("recording.undone_move") : t("recording.undone", { move: nameOf(match, undone) });
  withdrawOffer = toast(said, { label: t("recording.redo"), act: () => bringBack(redo) });
}

async function bringBack(redo) {
  const outcome = await doing(redo);
  if (outcome?.problem && outcome.problem.status !== 412) report(outcome.problem);
}

function offer(next) {
  deed = next;
  const { document: now, state } = match;
  const isNew = now.ply === 0 && match.unsent.length === 0;
  byId("confirm", HTMLButtonElement).disabled = !deed?.act;
  replace(byId("confirm"), deed?.label ?? t("recording.confirm"));
  byId("undo", HTMLButtonElement).disabled = !deed?.clear && (state === null || now.status === "abandoned" || isNew);
  byId("turning").hidden = !deed?.turn;
  find(byId("turning"), "span").textContent = deed?.turn?.label ?? "";
}

/** One line above the buttons: why not, where that is written, and a way to say that it happened all the same. */
function report(problem, /** @type {any} */ entry = null) {
  if (!problem) {
    replace(byId("problem"));
    return;
  }
  const canRule = entry && problem.kind === "rule" && !entry.ruling;
  replace(
    byId("problem"),
    h("p", {}, withPlayers(problem.detail ?? problem.title, match.document.players)),
    ruleLink(match.game, problem),
    canRule && rulingForm((reason) => submit({ ...entry, ruling: { reason } })),
  );
  shake(byId("problem"));
}

/** Show or hide where the points of a seat come from. */
function explain(seat) {
  if (explained?.seat === seat) closePanel();
  else tellPoints(seat);
}

/** The points of a seat, item by item; each item shows its spaces on the board. */
async function tellPoints(seat) {
  const { version } = match;
  explained = { seat, version };
  await attempt(async () => {
    const { ply } = match.document;
    const { data } = await ask(`/matches/${match.id}/replay/${ply}/score?version=${version}&lang=${lang}`);
    if (explained?.seat !== seat || explained.version !== version) return;
    const { items, total } = data.seats[seat];
    const points = t("recording.where_from", { player: playerOf(seat), points: minus(total) });
    openPanel(
      [seatSign(match.game, seat), points],
      items.length
        ? h(
            "ul",
            { class: "items" },
            items.map((item) => h("li", {}, itemButton(item))),
          )
        : h("p", { class: "quiet" }, t("recording.no_points")),
    );
    explained = { seat, version };
    byId("turn").hidden = true;
    scores.open(seat);
    view.draw(position());
  }, report);
}

function itemButton(item) {
  return h(
    "button",
    { type: "button", "aria-pressed": "false", onclick: light(item) },
    h("span", {}, item.text),
    h("b", {}, minus(item.points)),
  );
}

/** What shows the spaces of an item, and hides them again. */
function light(item) {
  return ({ currentTarget }) => {
    const isOn = currentTarget.getAttribute("aria-pressed") === "true";
    for (const button of byId("panel").querySelectorAll(".items button")) button.setAttribute("aria-pressed", "false");
    currentTarget.setAttribute("aria-pressed", String(!isOn));
    view.draw(position(), isOn ? {} : { light: { cells: item.cells, sources: item.sources }, lastMove: null });
  };
}

function openPanel(title, ...content) {
  explained = null;
  scores.open(null);
  const close = h("button", { type: "button", class: "plain", onclick: closePanel }, t("recording.close"));
  replace(byId("panel"), h("h2", {}, h("span", {}, title), close), content);
  byId("panel").hidden = false;
  byId("form").hidden = true;
}

function closePanel() {
  explained = null;
  scores.open(null);
  byId("panel").hidden = true;
  byId("form").hidden = false;
  byId("turn").hidden = false;
  if (form) form.update();
  else if (match.state) view.draw(match.state);
}

function address(part) {
  return `/matches/${match.id}/${part}${location.search}`;
}

function playerOf(seat) {
  return playerName(match.document.players, seat);
}
