/**
 * The page of a match: one board, and around it what changes: the sheet in which moves are entered or looked through, and
 * the tools. It is live, looks at a ply, or enters moves for something else than the match (a line, a correction).
 */

/** @import { Edition, Frame, MatchResult } from "../../../types/api.js" */
/** @import { Game } from "../game.js" */
/** @import { Source } from "./form_host.js" */

import { ask } from "../api.js";
import { keepAwake } from "../awake.js";
import { byId, find, h, on, renew, settled, shake } from "../dom.js";
import { loadGame } from "../game.js";
import { playerName, seatSign, withPlayers } from "../seats.js";
import { page, t } from "../texts.js";
import { toast } from "../toast.js";
import { showActs } from "./acts.js";
import { MatchBoard } from "./board.js";
import { FormHost } from "./form_host.js";
import { areHandsShown } from "./hands.js";
import { bindHelp } from "./keys.js";
import { sentence } from "./move_list.js";
import { nameEntry, showNotices } from "./notices.js";
import { showOutcome } from "./outcome.js";
import { Player } from "./player.js";
import { Recorder } from "./recorder.js";
import { onReturn, readRoute, writeRoute } from "./route.js";
import { showScores } from "./score_bar.js";
import { bindScoreSheet } from "./score_sheet.js";
import { Store } from "./store.js";
import { ToolRail } from "./tool_rail.js";
import { Variation } from "./variation.js";

/** Where tools stand beside the board; else they lie in a sheet over it. */
const ROOM = matchMedia("(min-width: 820px) and (min-height: 561px) and (orientation: landscape)");
/** The views in which moves are entered: the page itself, and a match that is shown as the device has kept it. */
const ENTERED = ["page", "kept"];
const SLOTS = { sheet: "form", hand: "hand", problem: "problem", confirm: "confirm", undo: "undo", turning: "turning" };

/**
 * What tools know of the page, and can do with it.
 *
 * - `game`, `edition`, `ply`, `frame`: the ply that is shown and its frame; `isLive`, whether the match is followed.
 * - `go(ply)`, `live()`, `open(tool)`: look at a ply, follow the match, open a tool.
 * - `light({cells, sources} | null)`: show on the board where points come from. `marks()`: draw the tool's marks anew.
 * - `enter(source)`, `leave()`: let moves be entered on the board for something else than the match.
 * - `show({frame, edition} | null)`: a position that is none of the line, such as that of an earlier version.
 * - `report(problem)`: say above the buttons what went wrong.
 */
export class MatchPage {
  #route;
  /** The version that the page came with. */
  #first;
  /** What moves are entered for, if not for the match. @type {Source | null} */
  #source = null;
  /** A position that is none of the line. @type {{frame: Frame, edition: Edition} | null} */
  #then = null;
  #light = null;
  /** The seat whose points are explained. @type {string | null} */
  seat = null;
  /** The line that is tried, and the note that it was taken from. @type {Variation | null} */
  variation = null;
  /** The frames that the player knows. @type {Frame[] | null} */
  #known = null;
  /** What the match was when it last changed. */
  #status;
  /** How the match ended, once that is known. @type {MatchResult | null} */
  ending = null;

  #follow;

  /** @param {Store} store @param {Game} game @param {(store: Store) => Promise<void>} follow what begins to follow the match */
  constructor(store, game, follow) {
    this.#follow = follow;
    const { ply, tool } = readRoute();
    this.#route = { ply: ply === null || store.state === null ? null : Math.min(ply, store.ply), tool };
    this.#first = store.version;
    this.#status = store.document.status;
    this.store = store;
    this.game = game;
    this.edition = store.edition;
    this.table = find(document, ".table");
    this.board = new MatchBoard(byId("board"), game, {
      edition: store.edition,
      nameOf: (seat) => this.nameOf(seat),
      onTap: (tapped) => (this.rail.tool?.tap?.(tapped) ? null : this.host.tap(tapped)),
    });
    const slots = /** @type {any} */ (Object.fromEntries(Object.entries(SLOTS).map(([name, id]) => [name, byId(id)])));
    this.host = new FormHost(game, store.edition, this.board, slots);
    this.host.onCleared = () => toast(t("match.cleared"));
    this.recorder = new Recorder(store, game, (problem) => this.report(problem));
    this.player = new Player(byId("player"), game.turnOf, (ply) => this.go(ply));
    this.rail = new ToolRail(byId("rail"), store, this, {
      onOpen: (name) => this.open(name),
      isHidden: (name) => this.#isHidden(name),
    });
  }

  /** Begin to show the match, and to follow it. */
  async begin() {
    if (this.isOpen) await this.host.load();
    this.draw();
    if (page.view === "embed") document.querySelectorAll("[rel=prev], [rel=next]").forEach((link) => link.remove());
    else await this.#follow(this.store);
    for (const each of [this.store, this.recorder]) each.addEventListener("change", () => this.#changed());
    if (page.view !== "embed") {
      const awake = keepAwake(() => this.store.document.status === "in_progress" && !this.store.isGone);
      this.store.addEventListener("change", awake);
      showNotices(this.store, this.game, byId("notices"));
    }
    onReturn((route) => this.#goTo(route));
    ROOM.addEventListener("change", () => this.#showTool());
    this.player.bindKeys((key) => this.#walks() && (!this.isOpen || ["ArrowLeft", "Home"].includes(key)));
    const place = find(document, ".place");
    this.player.bindSwipes(place, () => this.#walks() && !this.isOpen && !this.isTapped);
    this.player.bindWheel(place, () => this.#walks() && !this.isOpen);
    bindHelp();
    bindScoreSheet(() => this.#sheet);
    on(document, "click", "#menu [data-tool]", (event, link) => {
      event.preventDefault();
      byId("menu").hidePopover();
      this.open(link.dataset.tool ?? null);
    });
    byId("to-live").addEventListener("click", () => this.live());
    document
      .getElementById("open-tools")
      ?.addEventListener("click", () => this.open(this.rail.open ? null : this.rail.last));
    document
      .getElementById("full-screen")
      ?.addEventListener("click", () => document.documentElement.requestFullscreen());
    this.#changed();
    await this.#showTool();
    if (this.#route.ply !== null) writeRoute(this.#route);
  }

  get match() {
    return this.store.document;
  }

  /** Whether the match is followed as it goes on. */
  get isLive() {
    return this.#route.ply === null;
  }

  /** Whether moves of the match can be entered now. */
  get isOpen() {
    const { status, rules_conflict: conflict } = this.match;
    const isGoingOn = status === "in_progress" && this.store.state !== null && !conflict;
    return isGoingOn && this.isLive && this.#then === null && ENTERED.includes(page.view) && this.store.may("record");
  }

  /** Whether taps on the board go to a tool. */
  get isTapped() {
    return Boolean(this.rail.tool?.marks);
  }

  /** The ply that is shown. */
  get ply() {
    return Math.min(this.#route.ply ?? Infinity, this.store.ply);
  }

  /** The frame that is shown, as far as it is known. @returns {any} */
  get frame() {
    if (this.#then) return this.#then.frame;
    const known = this.store.frames?.[this.ply];
    if (known && (!this.isLive || known.text)) return known;
    if (!this.isLive && page.shown?.ply === this.ply) return page.shown;
    const { state, lastMove } = this.store;
    if (this.#first === this.match.version) return { ...page.head, state };
    return { ply: this.match.ply, seat: null, move: null, text: null, annotations: [], ...lastMove, state };
  }

  nameOf(seat) {
    return playerName(this.match.players, seat);
  }

  /** Look at a ply. @param {number} ply */
  go(ply) {
    this.#step({ ...this.#route, ply });
  }

  /** Follow the match as it goes on. */
  live() {
    this.#step({ ...this.#route, ply: null });
  }

  /** Open a tool, or close the one that is open. @param {string | null} tool */
  open(tool) {
    if (tool !== "points") this.seat = null;
    this.#step({ ...this.#route, tool: ROOM.matches && tool === this.#usual ? null : tool });
  }

  /** Show where the points of a seat come from, or no longer. @param {string} seat */
  explain(seat) {
    const isShown = this.seat === seat && this.rail.open === "points";
    this.seat = isShown ? null : seat;
    this.open(isShown ? null : "points");
  }

  light(light) {
    this.#light = light;
    this.#drawBoard();
  }

  marks() {
    this.#drawBoard();
  }

  /** @param {{frame: Frame, edition: Edition} | null} then */
  show(then) {
    if (then?.edition.id !== (this.#then ?? this).edition.id) this.board.use(then?.edition ?? this.edition);
    this.#then = then;
    this.draw();
  }

  /** Say above the buttons why something was not done; null to say nothing any more. @param {any} problem */
  report(problem) {
    renew(byId("problem"), problem && h("p", {}, withPlayers(problem.detail ?? problem.title, this.match.players)));
    if (problem) shake(byId("problem"));
  }

  /** Let moves be entered for something else than the match. @param {Source} source */
  enter(source) {
    this.player.pause();
    this.#source = source;
    this.rail.lower();
    this.draw();
  }

  /** Enter moves for the match again. */
  leave() {
    const source = this.#source;
    this.#source = null;
    this.variation = null;
    this.host.leave();
    this.report(null);
    this.rail.raise();
    source?.left?.();
    this.draw();
    this.rail.update();
  }

  /** Try what might have happened after the ply that is shown. */
  async tryLine({ entries = [], note = null } = {}) {
    const frames = await this.store.loadFrames();
    const line = await Variation.of(this.match, frames[this.ply], entries, this.store.may("record"));
    this.variation = line;
    this.lineNote = note;
    line.addEventListener("change", () => this.variation === line && this.draw());
    line.show(entries.length ? 1 : 0);
    this.enter(line);
  }

  draw() {
    const { store, match } = this;
    const mode = this.#source ? (this.variation ? "try" : "correct") : !this.isLive || this.#then ? "look" : "live";
    Object.assign(this.table.dataset, {
      ply: String(match.ply),
      mode,
      open: String(this.isOpen),
      status: match.status,
    });
    find(this.table, ".place").tabIndex = this.isOpen ? -1 : 0; // a board that is looked at may scroll
    this.table.classList.toggle("result-only", store.state === null);
    this.#drawLive();
    byId("withdrawn").hidden = !match.withdrawn;
    byId("board").hidden = store.state === null;
    showScores(byId("scores"), this.game, {
      match,
      state: this.#state,
      isEnd: !this.#source && !this.#then && this.ply === this.store.ply,
      open: this.rail.open === "points" ? this.seat : null,
      onOpen: (seat) => this.explain(seat),
    });
    if (page.view !== "embed") showActs(byId("acts"), this);
    this.#drawEntering();
    this.#drawSaid();
    if (this.#source?.seat === null || !(this.#source || this.isOpen)) this.host.leave();
    this.#drawBoard();
    byId("player").hidden = this.#source !== null || this.isOpen || store.state === null || page.view === "screen";
    byId("deeds").hidden = !this.#source && !this.isOpen;
    renew(byId("to-live"), t(match.status === "in_progress" ? "match.live" : "match.leave"));
    byId("to-live").hidden = this.isLive || page.view === "embed";
    if (!this.#source && !this.isOpen) showOutcome(byId("form"), this);
  }

  get #state() {
    if (this.#source) return this.#source.state;
    return this.isLive && !this.#then ? this.recorder.state : this.frame.state;
  }

  /** What stands on paper of the match. */
  get #sheet() {
    const { document: match, state } = this.store;
    const address = `${location.origin}/matches/${this.store.id}`;
    const { ending, game } = this;
    return { match, state, breakdown: ending?.breakdown ?? [], edition: this.store.edition.title, game, address };
  }

  #drawBoard() {
    const source = this.#source ?? (this.isOpen ? this.recorder : null);
    if (this.#state === null) return;
    this.board.tappable((source !== null && source.seat !== null) || this.isTapped);
    if (this.#light) this.board.draw(this.#state, { light: this.#light, lastMove: null, hands: this.#hands });
    else if (source !== null && source.seat !== null) this.host.enter(/** @type {Source} */ (source));
    else {
      const { ply, seat, move } = this.#source?.lastMove ?? this.frame;
      const marks = this.rail.tool?.marks ?? (this.frame.annotations ?? []).flatMap((note) => note.marks);
      this.board.draw(this.#state, {
        lastMove: seat === null || !seat ? null : { ply, seat, move },
        marks,
        hands: this.#hands,
      });
    }
  }

  /** While a match goes on, those who only watch it do not see what seats have behind their screens. */
  get areHandsOpen() {
    return this.game.hidesHands && (this.match.status !== "in_progress" || this.store.may("record"));
  }

  /** The seats whose screens are open on a board that is looked at. */
  get #hands() {
    const isShown = this.areHandsOpen && !this.isOpen && areHandsShown();
    return isShown ? this.match.players.map(({ seat }) => seat) : null;
  }

  /** One line: what happened, and whose turn it is. */
  #drawSaid() {
    const { frame, match } = this;
    const source = this.#source ?? this.recorder;
    const isGoingOn = match.status === "in_progress" && !match.rules_conflict && this.#state !== null;
    const seat = isGoingOn && (this.#source || (this.isLive && !this.#then)) ? source.seat : null;
    const key = this.recorder.outOfTurn && !this.#source ? "match.out_of_turn" : "match.turn";
    const said =
      this.isLive && frame.seat && !frame.text
        ? nameEntry(this.store, this.game, frame)
        : sentence(this.game, match, frame);
    renew(
      byId("now"),
      !this.#source && frame.seat && seatSign(this.game.id, frame.seat),
      !this.#source && h("span", {}, page.view === "embed" && h("b", {}, this.#placed), said),
      !this.#source && frame.ruling && h("span", { class: "ruled" }, frame.ruling.reason ?? t("match.ruling")),
    );
    renew(byId("turn"), seat && [seatSign(this.game.id, seat), h("span", {}, t(key, { player: this.nameOf(seat) }))]);
  }

  get #placed() {
    const { ply } = this.frame;
    return ply === 0 ? `${t("match.start")} ` : `${t("match.ply_of_all", { ply, plies: this.match.ply })} `;
  }

  #drawLive() {
    const { store, match } = this;
    const live = document.getElementById("live");
    const isAwaited = match.status === "in_progress" || store.isLost;
    if (live === null) return;
    renew(live, isAwaited && t(store.isLive ? "match.live" : "match.away"));
    live.classList.toggle("on", store.isLive);
  }

  /** What moves are entered for instead of the match, and how to end that. */
  #drawEntering() {
    const [source, line] = [this.#source, this.variation];
    const step = (at, text) =>
      h(
        "li",
        {},
        h(
          "button",
          { type: "button", "aria-current": at === line?.at && "step", onclick: () => line?.show(at) },
          withPlayers(text, this.match.players),
        ),
      );
    const button = (id, text, onclick, isOff = false) =>
      h("button", { id, type: "button", class: "deed", disabled: isOff, onclick }, text);
    renew(
      byId("entering"),
      line === null
        ? source?.head?.()
        : h(
            "ol",
            { id: "line", class: "tried" },
            step(0, t("match.from", { ply: line.ply })),
            line.texts.map((text, at) => step(at + 1, text)),
          ),
    );
    renew(
      byId("ends"),
      source && button("leave", t("match.leave"), () => this.leave()),
      line && page.may_annotate && button("keep", t("match.keep"), () => this.#keepLine(), line.texts.length === 0),
    );
  }

  #keepLine() {
    const { entries } = /** @type {Variation} */ (this.variation);
    this.kept = { entries, note: this.lineNote, ply: this.ply };
    this.leave();
    if (this.rail.open === "notes") this.rail.update();
    else this.open("notes");
  }

  /** The match, or what is known of it, has changed. */
  #changed() {
    const { frames, document: match } = this.store;
    const wasChoosing = this.host.isChoosing;
    if (frames !== null && frames !== this.#known && frames[0].state !== null) {
      const seats = match.players.map(({ seat }) => seat);
      const wasAtEnd = !this.isLive && this.#known !== null && this.#route.ply === this.#known.length - 1;
      this.#known = frames;
      if (wasAtEnd) this.#route = { ...this.#route, ply: frames.length - 1 };
      this.player.update(frames, seats, this.ply, this.#marked);
      if (wasAtEnd) writeRoute(this.#route);
    } else if (this.#known === null && this.store.state !== null) this.player.expect(this.store.ply, this.ply);
    this.draw();
    this.rail.update();
    if (this.#status === "in_progress" && match.status === "finished") this.#celebrate();
    if (page.view === "page") this.#loadEnding();
    this.#status = match.status;
    const isOver = wasChoosing && !this.host.isChoosing && this.recorder.acting === 0;
    if (isOver && this.isOpen && !this.#source) toast(t("match.choice_dropped"));
    if (!this.isOpen && this.store.state !== null && page.view !== "screen") this.#loadFrames();
  }

  /** Light up on the board what gave the points of a match that has ended before the eyes. */
  async #celebrate() {
    const { id, ply, version, state } = this.store;
    if (!this.isLive || this.#source || state === null) return;
    const answer = await ask(`/matches/${id}/replay/${ply}/score?version=${version}`).catch(() => null); // it can do without
    const seats = /** @type {any[]} */ (Object.values(answer?.data.seats ?? {}));
    if (this.isLive && this.store.version === version) await this.board.celebrate(seats.flatMap(({ items }) => items));
  }

  /** What the curve marks of the match. */
  get #marked() {
    return { isCut: this.match.rules_conflict !== null, turning: this.ending?.turning_point?.ply };
  }

  /** Learn how a finished match ended; the page can do without. */
  async #loadEnding() {
    const { store } = this;
    const { version } = store;
    const isOver = this.match.status === "finished" && store.state !== null && !store.isLost;
    const ending = isOver ? await store.loadResult().catch(() => null) : null;
    if (store.version !== version || ending === this.ending) return;
    this.ending = ending;
    const seats = this.match.players.map(({ seat }) => seat);
    if (this.#known) this.player.update(this.#known, seats, this.ply, this.#marked);
    this.draw();
    this.rail.update();
  }

  async #loadFrames() {
    if (this.store.frames === null && !this.store.isLost) await this.store.loadFrames().catch(() => {}); // told as lost
  }

  /** @param {import("./route.js").Route} route */
  #step(route) {
    const wasLive = this.isLive;
    const isStep =
      (wasLive && route.ply !== null) || (!ROOM.matches && this.#route.tool === null && route.tool !== null);
    this.#goTo(route);
    writeRoute(route, { isStep });
  }

  async #goTo(route) {
    const isOther = route.ply !== this.#route.ply;
    this.#route = route;
    if (isOther) {
      [this.#light, this.#then] = [null, null];
      if (this.#source) this.leave();
      if (route.ply !== null) await this.#loadFrames();
      if (!this.#isKnown) this.#stay();
      this.player.show(this.ply);
    }
    this.draw();
    await this.#showTool();
  }

  /** Whether the ply that is to be shown is known; the one that the page came with always is. */
  get #isKnown() {
    return this.isLive || this.store.frames !== null || page.shown?.ply === this.ply;
  }

  /** Without network there may be no other ply to look at than the one that the page came with. */
  #stay() {
    this.#route = { ...this.#route, ply: page.shown?.ply ?? null };
    writeRoute(this.#route);
  }

  /** The tool that stands beside the board on a desk if no other is asked for. */
  get #usual() {
    return this.rail.names.includes("result") && this.isLive ? "result" : "moves";
  }

  async #showTool() {
    if (page.view !== "page") return;
    const name = this.#route.tool ?? (ROOM.matches ? this.#usual : null);
    if (name !== this.rail.open) this.#light = null;
    await this.rail.show(name);
    this.draw();
  }

  #isHidden(name) {
    if (name === "result") return this.match.status !== "finished";
    if (name === "paper" && this.#route.tool !== name) return true; // it is opened from others
    return this.store.state === null && ["moves", "notes", "points", "paper"].includes(name);
  }

  /** Whether keys, swipes and wheels lead through the match. */
  #walks() {
    const isShown = this.#source === null && !this.#then && this.store.state !== null;
    return isShown && !document.querySelector(":popover-open");
  }
}

/** Nothing waits for this here, because tools need what is served in one file with this module. */
export const begun = begin();

async function begin() {
  const follow = page.view === "kept" ? await (await import("./kept.js")).findKept() : (store) => store.begin();
  if (page.match !== null) {
    const game = await loadGame(page.game);
    const store = new Store(page.match, page.document, page.edition, page.head);
    await new MatchPage(store, game, follow).begin();
  }
  settled();
}
