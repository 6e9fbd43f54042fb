/**
 * The page of a match that is looked at ply by ply. What is shown stands in the address. From any ply one can try what
 * might have happened, with the form that records moves too (see recording.js), and keep that as a note.
 */

/** @import { Edition, Frame, Match } from "../../types/api.js" */

import { all, ask, attempt } from "./api.js";
import { byId, find, h, replace, settled, shake, usable } from "./dom.js";
import { loadGame } from "./game.js";
import { Stream } from "./match_stream.js";
import { Notes } from "./notes.js";
import { Player } from "./player.js";
import { Times, createPlies } from "./plies.js";
import { ruleLink } from "./rules.js";
import { createScores } from "./scores.js";
import { playerName, seatSign, withPlayers } from "./seats.js";
import { lang, page, t } from "./texts.js";
import { Variation } from "./variation.js";

const HANDS = "hands";
/** Milliseconds after which a ply that is shown stands in the address. */
const REST = 300;

/** @type {Match} */
let match;
/** @type {Frame[]} */
let frames = [];
/** @type {Edition} */
let edition;
/** @type {any} */
/** What is tried instead of the match. @type {Variation|null} */
let line = null;
/** The note that a line was taken from. */
let lineNote = null;
let form = null;
let deed = null;
let light = null;
let board = null;
let boardKind = null;
/** What was recorded and when. @type {{seq: number, kind: string, recorded_at: string}[]} */
const events = [];
/** What is out of date: frames from a ply on, the notes of all frames. */
let stale = { from: Infinity, notes: false };
let refreshing = null;
let addressing = null;
let areHandsShown = localStorage.getItem(HANDS) !== "hidden";

const [{ data }, game] = await Promise.all([ask(`/matches/${page.match}/replay`), loadGame(page.game)]);
edition = (await ask(`/matches/${page.match}/edition`)).data;

const shown = {
  id: page.match,
  game: data.match.game,
  get document() {
    return match;
  },
};
match = data.match;
const scores = createScores(byId("scores"), shown, game.scoreParts, explain);
const player = new Player(byId("player"), game.turnOf, show);
const plies = createPlies(byId("plies"), match.game, (ply) => player.pick(ply));
const notes = new Notes(byId("notes"), /** @type {any} */ (page));

if (match.result !== null && data.frames[0].state === null) showResult();
else await begin();
settled();

async function begin() {
  byId("sheet").hidden = false;
  take(data, page.ply ?? Infinity);
  notes.addEventListener("marks", draw);
  notes.addEventListener("changed", () => refresh({ notes: true }));
  notes.addEventListener("go", (event) => player.pick(detailOf(event)));
  notes.addEventListener("line", (event) => tryLine(detailOf(event)));
  notes.addEventListener("problem", (event) => report(detailOf(event)));
  player.heedKeys(() => line === null && !document.querySelector(":popover-open"));
  player.heedSwipes(find(document, ".place"), () => line === null && !notes.isMarking);
  byId("undo").addEventListener("click", () => (deed ? deed.clear() : line?.undo()));
  byId("confirm").addEventListener("click", () => deed?.act());
  byId("turning").addEventListener("click", () => deed?.turn.act());
  byId("leave").addEventListener("click", leaveLine);
  if (areHandsOpen()) offerHands();
  byId("keep").addEventListener("click", keepLine);
  if (match.status === "in_progress") follow();
  usable();
  await attempt(() => tellMore({ notes: true }), report);
}

/** Take in a match as it is now. */
function take(replay, ply) {
  ({ match, frames } = replay);
  plies.update(frames, new Times(frames, events), match.players);
  player.update(
    frames,
    match.players.map(({ seat }) => seat),
    ply,
  );
  replace(
    byId("banner"),
    match.rules_conflict &&
      h(
        "p",
        { class: "banner" },
        t("replay.conflict", { ply: match.rules_conflict.ply }),
        " ",
        h("a", { href: `/matches/${page.match}/repair${location.search}` }, t("recording.repair")),
      ),
  );
}

/** What takes a second look at the match: when it was recorded, and notes whose moves are gone. */
async function tellMore({ notes: areNotesStale }) {
  const since = events.length;
  if (since < match.version) {
    events.push(...(await all(`/matches/${page.match}/${since ? `log?after=${since}&` : "events?"}limit=200`)));
    plies.update(frames, new Times(frames, events), match.players);
    plies.show(player.ply);
  }
  if (!areNotesStale) return;
  const noted = await all(`/matches/${page.match}/annotations?limit=200`);
  notes.tellLost(noted.filter(({ detached }) => detached));
}

/** Fetch what is out of date. One request follows the other, so that no older answer comes last. */
function refresh({ from = Infinity, notes: areNotesStale = false }) {
  stale = { from: Math.min(stale.from, from), notes: stale.notes || areNotesStale };
  refreshing ??= attempt(fetchStale, report).finally(() => (refreshing = null));
  return refreshing;
}

async function fetchStale() {
  while (stale.from < Infinity || stale.notes) {
    const { from, notes: areNotesStale } = stale;
    stale = { from: Infinity, notes: false };
    const isAtEnd = player.ply === player.last;
    const next = from < Infinity ? await fetchFrames(from) : { match, frames };
    if (areNotesStale) next.frames = await withNotes(next.frames);
    if (next.frames !== frames) take(next, isAtEnd && player.ply === player.last ? Infinity : player.ply);
    await tellMore({ notes: areNotesStale || from < next.frames.length - 1 });
  }
}

/** The match and its frames; those before a ply are known. */
async function fetchFrames(from) {
  const {
    data: { match: now, frames: changed },
  } = await ask(`/matches/${page.match}/replay?from=${from}`);
  if (now.edition !== edition.id) {
    edition = (await ask(`/matches/${page.match}/edition`)).data;
    boardKind = null; // so that the board is made again
  }
  return { match: now, frames: [...frames.slice(0, Math.min(from, now.ply + 1)), ...changed] };
}

/** Frames with the notes on them as they are now; the same frames if no note has changed. */
async function withNotes(known) {
  const { data } = await ask(`/matches/${page.match}/replay?fields=ply,annotations`);
  const found = new Map(data.frames.map(({ ply, annotations }) => [ply, annotations]));
  const noted = known.map((frame) => ({ ...frame, annotations: found.get(frame.ply) ?? [] }));
  const isAsBefore = noted.every(
    ({ annotations }, at) => JSON.stringify(annotations) === JSON.stringify(known[at].annotations),
  );
  return isAsBefore ? known : noted;
}

/** Look for what was recorded before the stream was there, which it does not tell. */
async function catchUp() {
  await attempt(async () => {
    const { data: now } = await ask(`/matches/${page.match}`);
    if (now.version !== match.version) await refresh({ from: 0 });
  }, report);
}

/** Go along with a match that is still going on. A stream that goes on where it broke sends all but the notes. */
function follow() {
  const refreshNotes = () => refresh({ notes: true });
  const stream = new Stream(`/matches/${page.match}/stream`);
  stream.addEventListener("open", catchUp);
  stream.addEventListener("open", () => stream.addEventListener("open", refreshNotes), { once: true });
  stream.addEventListener("reopen", refreshNotes);
  stream.addEventListener("changed", (event) => {
    refresh({ from: JSON.parse(/** @type {MessageEvent} */ (event).data).from_ply });
  });
  stream.addEventListener("annotations", refreshNotes);
  stream.addEventListener("gone", () => stream.end());
}

/** Let the address name the ply that is shown, once it stays: browsers refuse too many changes within a short time. */
function tellAddress() {
  clearTimeout(addressing);
  addressing = setTimeout(() => {
    try {
      history.replaceState(null, "", `/matches/${page.match}/replay/${player.ply}${location.search}`);
    } catch (refused) {
      if (!(refused instanceof DOMException) || refused.name !== "SecurityError") throw refused;
    }
  }, REST);
}

function show(ply) {
  const frame = frames[ply];
  light = null;
  closePanel();
  tellAddress();
  replace(
    byId("now"),
    frame.seat && seatSign(match.game, frame.seat),
    h("span", {}, withPlayers(frame.text, match.players)),
    frame.ruling && h("span", { class: "ruled" }, frame.ruling.reason ?? t("replay.ruling")),
  );
  notes.show(frame);
  plies.show(ply);
  draw();
}

function draw() {
  const isTapped = line !== null || notes.isMarking;
  if (boardKind !== isTapped) {
    boardKind = isTapped;
    board?.dispose();
    board = game.createBoard(byId("board"), { edition, nameOf, onTap: isTapped ? tap : undefined });
  }
  if (line !== null) {
    scores.update(line.state);
    if (form === null) board.draw(line.state, { lastMove: line.lastMove, hands: handsShown() });
    return;
  }
  const { state, ply, seat, move } = frames[player.ply];
  scores.update(state);
  board.draw(state, {
    lastMove: light || seat === null ? null : { ply, seat, move },
    marks: notes.marks,
    hands: handsShown(),
    ...(light && { light }),
  });
}

/** While a match goes on, those who only watch it do not see what seats have behind their screens. */
function areHandsOpen() {
  return game.hidesHands && (match.status !== "in_progress" || page.rights.includes("record"));
}

/** What seats have behind their screens is shown unless somebody hides it, which this device remembers. */
function offerHands() {
  const button = byId("hands");
  replace(button, t(`${match.game}.hands`));
  button.setAttribute("aria-pressed", String(areHandsShown));
  button.hidden = false;
  button.addEventListener("click", () => {
    areHandsShown = !areHandsShown;
    localStorage.setItem(HANDS, areHandsShown ? "shown" : "hidden");
    button.setAttribute("aria-pressed", String(areHandsShown));
    draw();
  });
}

/** The seats whose screens are open on the board. */
function handsShown() {
  return areHandsOpen() && areHandsShown ? match.players.map(({ seat }) => seat) : null;
}

function nameOf(seat) {
  return playerName(match.players, seat);
}

function tap(tapped) {
  if (line !== null) form?.tap(tapped);
  else if (tapped.place) notes.mark(tapped.place);
}

// What if

async function tryLine({ entries, note = null }) {
  player.pause();
  report(null);
  const frame = frames[player.ply];
  await attempt(async () => {
    const [createForm, tried] = await Promise.all([game.loadForm(), Variation.of(match, frame, entries)]);
    line = tried;
    lineNote = note;
    line.addEventListener("change", () => showLine(createForm));
    line.show(entries.length ? 1 : 0);
  }, report);
}

function showLine(createForm) {
  const tried = /** @type {Variation} */ (line);
  byId("trying").hidden = false;
  byId("player").hidden = true;
  for (const part of ["said", "plies"]) byId(part).inert = true;
  document.body.classList.add("trying-on");
  report(null);
  replace(
    byId("line"),
    h("li", {}, lineStep(tried, 0, t("replay.from", { ply: tried.ply }))),
    tried.texts.map((text, at) => h("li", {}, lineStep(tried, at + 1, text))),
  );
  byId("keep").hidden = !page.may_annotate;
  byId("keep", HTMLButtonElement).disabled = tried.texts.length === 0;
  draw();
  if (tried.seat === null) {
    form?.dispose();
    form = null;
    offer(null);
    draw();
    return;
  }
  form ??= createForm({
    match: tried,
    board: view,
    sheet: byId("form"),
    hand: areHandsOpen() ? byId("hand") : null,
    edition,
    report,
    offer,
  });
  form.update();
  offer(deed);
}

/** What an event of the notes carries. @param {Event} event @returns {any} */
function detailOf(event) {
  return /** @type {CustomEvent} */ (event).detail;
}

function lineStep(tried, at, text) {
  return h(
    "button",
    { type: "button", "aria-current": at === tried.at ? "step" : null, onclick: () => tried.show(at) },
    withPlayers(text, match.players),
  );
}

const view = {
  draw: (state, said = {}) => board.draw(state, { lastMove: line?.lastMove ?? null, ...said }),
  focus: (place) => board.focus(place),
};

function leaveLine() {
  form?.dispose();
  [line, form, deed] = [null, null, null];
  replace(byId("hand"));
  byId("trying").hidden = true;
  byId("player").hidden = false;
  for (const part of ["said", "plies"]) byId(part).inert = false;
  document.body.classList.remove("trying-on");
  report(null);
  show(player.ply);
}

function keepLine() {
  const { entries, ply } = /** @type {Variation} */ (line);
  const note = lineNote;
  leaveLine();
  notes.writeLine(entries, ply, note ?? undefined);
}

function offer(next) {
  deed = next;
  byId("confirm", HTMLButtonElement).disabled = !deed?.act;
  byId("undo", HTMLButtonElement).disabled = !deed && !line?.at;
  byId("turning").hidden = !deed?.turn;
  byId("turning").textContent = deed?.turn?.label ?? "";
}

/** Say why not, with the way to the rule. */
function report(problem) {
  if (!problem) {
    replace(byId("problem"));
    return;
  }
  replace(
    byId("problem"),
    h("p", {}, withPlayers(problem.detail ?? problem.title, match.players)),
    ruleLink(match.game, problem),
  );
  shake(byId("problem"));
}

// Where points come from

async function explain(seat) {
  if (line !== null) return;
  if (byId("panel").dataset.seat === seat) {
    closePanel();
    return;
  }
  player.pause();
  await attempt(async () => {
    const { ply } = player;
    const { data: told } = await ask(`/matches/${page.match}/replay/${ply}/score?lang=${lang}`);
    const { items, total } = told.seats[seat];
    closePanel();
    replace(
      byId("panel"),
      h("h2", {}, seatSign(match.game, seat), t("recording.where_from", { player: nameOf(seat), points: total })),
      items.length
        ? h("ul", { class: "items" }, items.map(item))
        : h("p", { class: "quiet" }, t("recording.no_points")),
    );
    byId("panel").hidden = false;
    byId("panel").dataset.seat = seat;
    scores.open(seat);
  }, report);
}

function item({ text, points, cells, sources }) {
  const isLit = (on, button) => {
    for (const other of byId("panel").querySelectorAll("[aria-pressed]")) other.setAttribute("aria-pressed", "false");
    button.setAttribute("aria-pressed", String(on));
    light = on ? { cells, sources } : null;
    draw();
  };
  return h(
    "li",
    {},
    h(
      "button",
      {
        type: "button",
        "aria-pressed": "false",
        onclick: ({ currentTarget }) => isLit(currentTarget.getAttribute("aria-pressed") !== "true", currentTarget),
      },
      h("span", {}, text),
      h("b", {}, points),
    ),
  );
}

function closePanel() {
  byId("panel").hidden = true;
  delete byId("panel").dataset.seat;
  replace(byId("panel"));
  scores.open(null);
}

/** A match of which only the result is known has no plies. */
function showResult() {
  scores.update(null);
  byId("plies").hidden = true;
  replace(byId("now"), t("recording.result_only"));
}
