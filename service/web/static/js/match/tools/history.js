/**
 * The tool *History*: everything that was ever recorded, the latest first, a row for each action: what one request wrote
 * together can be opened. A row shows the match as it was then, and what stands can be corrected from there: replaced,
 * taken out, or another move put in before it.
 */

/** @import { LogLine } from "../../../../types/api.js" */
/** @import { Store } from "../store.js" */
/** @import { MatchPage } from "../page.js" */

import { all, ask, attempt } from "../../api.js";
import { confirm } from "../../confirm.js";
import { h, renew, replace } from "../../dom.js";
import { when } from "../../format.js";
import { seatSign, withPlayers } from "../../seats.js";
import { lang, page as about, t, tn } from "../../texts.js";
import { toast } from "../../toast.js";
import { tellHeadline, tellLine } from "../../told.js";
import { createMoveEditor } from "./correct.js";
import { createPeopleEditor } from "./people.js";
import { createSetupEditor } from "./setup.js";

const STALE = 412;
const UNDONE = ["moves_undone", "timeline_restored"];
const PLAIN = ["match_created", "move_made"];
const FILTERS = {
  all: () => true,
  corrections: ({ kind }) => !PLAIN.includes(kind) && !UNDONE.includes(kind),
  undone: ({ kind }) => UNDONE.includes(kind),
  rulings: ({ came }) => came.some(({ ruling }) => ruling),
};

/** @param {HTMLElement} host @param {Store} store @param {MatchPage} page */
export async function tool(host, store, page) {
  const [described] = await Promise.all([page.game.loadPrintedValues(), store.loadFrames()]);
  const history = new History(host, store, page, described);
  await history.read();
  history.openAsked();
  return history;
}

class History {
  /** @type {LogLine[]} the latest first */
  #lines = [];
  #read = 0;
  #filter = "all";
  /** The row that is shown. @type {LogLine | null} */
  #shown = null;
  /** What is being edited. @type {{dispose: () => void} | null} */
  #editor = null;
  #said = "";
  /** The match before what is being edited. @type {{version: number, players: {seat: string, player_id: string}[]}} */
  #before = { version: 0, players: [] };
  /** The actions of several lines that are open, by the first of their lines. @type {Set<number>} */
  #opened = new Set();
  #stale = () => this.#lookAgain();

  constructor(host, store, page, described) {
    this.host = host;
    this.store = store;
    this.page = page;
    this.described = described;
    this.list = h("div", { class: "history" });
    this.editing = h("section", { class: "editor", id: "editor", hidden: true });
    replace(host, this.list, this.editing);
    store.addEventListener("stale", this.#stale);
  }

  dispose() {
    this.store.removeEventListener("stale", this.#stale);
    this.#editor?.dispose();
    this.page.show(null);
  }

  /** Open the move that the address names. */
  openAsked() {
    const { page } = this;
    if (page.isLive || !this.store.may("record")) return;
    const row = this.#lines.find((line) => this.#plyOf(line) === page.ply && page.ply > 0);
    if (row) {
      this.#shown = row;
      const action = actionsOf(this.#lines).find((lines) => lines.includes(row)) ?? [];
      this.#opened.add(firstOf(action));
    }
    this.#draw();
    this.host.querySelector("[aria-current=true]")?.scrollIntoView({ block: "center" });
  }

  /** Add what was recorded since; a log only grows. */
  async read() {
    const { version, id } = this.store;
    if (this.#read >= version) return;
    const since = this.#read;
    this.#read = version;
    try {
      const lines = await all(`/matches/${id}/log?after=${since}&limit=200&lang=${lang}`);
      this.#lines = [...lines.reverse(), ...this.#lines];
    } catch (error) {
      this.#read = since;
      throw error;
    }
    this.#draw();
  }

  update() {
    attempt(
      () => this.read(),
      (problem) => this.page.report(problem),
    );
    this.#draw();
  }

  /** The ply at which the move of a row stands now; 0 if it no longer does. @param {LogLine} line */
  #plyOf({ seq, kind, came }) {
    const { frames } = this.store;
    if (!["move_made", "move_corrected"].includes(kind) || came.length === 0) return 0;
    return frames?.find((frame) => frame.seq === seq)?.ply ?? 0;
  }

  #draw() {
    const { store } = this;
    const mayRecord = store.may("record");
    const rows = actionsOf(this.#lines.filter(FILTERS[this.#filter]));
    this.list.hidden = this.#editor !== null;
    renew(
      this.list,
      h("p", { key: "said", class: "said", role: "status", id: "said" }, this.#said),
      this.#conflict(),
      h(
        "div",
        { key: "filters", class: "filters", role: "group", "aria-label": t("history.filter") },
        Object.keys(FILTERS).map((name) =>
          h(
            "button",
            {
              type: "button",
              class: "chip",
              "aria-pressed": String(name === this.#filter),
              onclick: () => this.#choose(name),
            },
            t(`history.filter_${name}`),
          ),
        ),
      ),
      h(
        "ol",
        { key: "lines", id: "lines", class: "told timeline" },
        rows.map((lines) => (lines.length > 1 ? this.#action(lines) : this.#row(lines[0]))),
      ),
      rows.length === 0 && h("p", { key: "none", class: "quiet" }, t("history.none")),
      mayRecord &&
        h(
          "p",
          { key: "others", class: "history-others" },
          h("button", { type: "button", onclick: () => this.#edit(createSetupEditor) }, t("history.setup")),
          h("button", { type: "button", onclick: () => this.#edit(createPeopleEditor) }, t("history.people")),
        ),
      h("p", { key: "intro", class: "quiet" }, t("history.intro")),
    );
  }

  #conflict() {
    const { document: match } = this.store;
    const conflict = match.rules_conflict;
    if (!conflict) return null;
    const why = withPlayers(conflict.problem?.detail ?? "", match.players);
    return h(
      "div",
      { key: "conflict", class: "notice bad" },
      h("p", { id: "why" }, t("history.conflict", { ply: conflict.ply, why })),
      about.may_manage && h("button", { type: "button", onclick: () => this.#accept() }, t("history.accept")),
    );
  }

  /** An action that wrote several lines: what it was in one row, which opens them. @param {LogLine[]} lines the latest first */
  #action(lines) {
    const first = firstOf(lines);
    const isOpen = this.#opened.has(first);
    const [{ recorded_at: at, by }] = lines;
    return h(
      "li",
      { key: `action ${first}`, class: "entry action" },
      h(
        "button",
        {
          type: "button",
          class: "entry-line",
          "aria-expanded": String(isOpen),
          onclick: () => this.#toggle(first),
        },
        h("span", { class: "entry-said" }, this.#summary(lines)),
        aboutEntry(at, by),
      ),
      isOpen &&
        h(
          "ol",
          { class: "told entry-parts" },
          lines.map((line) => this.#row(line)),
        ),
    );
  }

  /** What an action did: what it was besides moves, and how many moves it recorded. */
  #summary(lines) {
    const { players } = this.store.document;
    const moves = lines.filter(({ kind }) => kind === "move_made").length;
    const others = lines.filter(({ kind }) => kind !== "move_made").toReversed();
    return [
      others.map((line) => tellHeadline(line, players)),
      moves > 0 && h("p", { class: "told-head" }, tn("history.moves_made", moves)),
    ];
  }

  #toggle(first) {
    if (!this.#opened.delete(first)) this.#opened.add(first);
    this.#draw();
  }

  #row(line) {
    const { store, page } = this;
    const isShown = this.#shown?.seq === line.seq;
    const [move] = line.kind === "move_made" ? line.came : [];
    return h(
      "li",
      { key: line.seq, id: `entry-${line.seq}`, class: ["entry", line.kind] },
      h(
        "button",
        {
          type: "button",
          class: "entry-line",
          "aria-current": isShown && "true",
          onclick: () => this.#look(isShown ? null : line),
        },
        move && seatSign(page.game.id, move.seat),
        h("span", { class: "entry-said" }, tellLine(line, store.document.players, this.described)),
        aboutEntry(line.recorded_at, line.by),
      ),
      isShown && this.#actions(line),
    );
  }

  #actions(line) {
    const { store } = this;
    if (!store.may("record") || store.state === null) return null;
    const ply = this.#plyOf(line);
    const edit = (action) =>
      h("button", { type: "button", onclick: () => this.#correct(ply, action) }, t(`history.${action}`));
    const restore = (version, key) =>
      h("button", { type: "button", class: "restore", onclick: () => this.#restore(version) }, t(`history.${key}`));
    return h(
      "div",
      { class: "entry-acts" },
      ply > 0 && ["replace", "insert", "remove"].map(edit),
      line.kind === "moves_undone" && restore(line.seq - 1, "redo"),
      line.seq !== store.version && restore(line.seq, "restore"),
    );
  }

  #choose(filter) {
    this.#filter = filter;
    this.#draw();
  }

  /** Show the match as it was after a row, or as it stands. @param {LogLine | null} line */
  async #look(line) {
    this.#shown = line;
    this.#draw();
    if (line === null || this.store.state === null) {
      this.page.show(null);
      return;
    }
    await attempt(
      async () => {
        const { id, edition: known } = this.store;
        const [{ data: frame }, edition] = await Promise.all([
          ask(`/matches/${id}/replay/${line.ply}?version=${line.seq}&lang=${lang}`),
          this.#editionOf(line, known),
        ]);
        if (this.#shown === line) this.page.show({ frame: { annotations: [], ...frame }, edition });
      },
      (problem) => this.page.report(problem),
    );
  }

  /** The edition that the match was played with after a row: the present one unless it was changed since. */
  async #editionOf(line, known) {
    const isOther = this.#lines.some(
      ({ kind, seq }) => seq > line.seq && ["edition_changed", "timeline_restored"].includes(kind),
    );
    return isOther ? (await ask(`/matches/${this.store.id}/edition?version=${line.seq}`)).data : known;
  }

  async #restore(version) {
    const before = this.store.version;
    const outcome = await this.store.write("restore", { version });
    if (outcome.accepted) {
      this.page.show(null);
      this.#shown = null;
      this.#say(t("history.restored", { n: version }), () => this.#restore(before));
    } else if (outcome.problem.type === "/problems/no-change") this.#say(t("history.is_present"));
    else if (outcome.problem.status !== STALE) this.#say(outcome.problem.detail);
  }

  async #accept() {
    const { ply } = /** @type {{ply: number}} */ (this.store.document.rules_conflict);
    const lost = this.store.document.ply - ply + 1;
    if (!(await confirm({ text: tn("history.accept_asks", lost, { ply }), yes: t("history.accept_yes") }))) return;
    const outcome = await this.store.write("rules-conflict/accept", undefined);
    if (!outcome.accepted && outcome.problem.status !== STALE) this.#say(outcome.problem.detail);
  }

  async #correct(ply, action) {
    const frames = await this.store.loadFrames();
    this.#edit((store, host, how) => createMoveEditor({ store, page: this.page, frames, ply, action }, host, how));
  }

  #edit(create) {
    this.page.show(null);
    this.#said = "";
    this.editing.hidden = false;
    const how = { close: () => this.#close(), done: () => this.#done(), lookAgain: () => this.#lookAgain() };
    this.#before = { version: this.store.version, players: this.store.document.players };
    this.#editor = create(this.store, this.editing, how);
    this.#draw();
    this.editing.querySelector("h2")?.focus();
  }

  #close() {
    const editor = this.#editor;
    this.#editor = null;
    editor?.dispose();
    replace(this.editing);
    this.editing.hidden = true;
    this.#draw();
    /** @type {HTMLElement | null} */ (this.host.querySelector("[aria-current=true]"))?.focus();
  }

  #done() {
    const { version, players } = this.#before;
    const seats = players.map(({ seat, player_id }) => ({ seat, player_id }));
    const isSeated = this.store.document.players.some(({ player_id }, at) => player_id !== players[at].player_id);
    this.#shown = null;
    this.#close();
    // Going back to an earlier version leaves people where they sit.
    this.#say(t("history.done"), () => (isSeated ? this.#seat(seats) : this.#restore(version)));
    this.update();
  }

  async #seat(players) {
    const outcome = await this.store.write("players", { players }, "PUT");
    if (!outcome.accepted && outcome.problem.status !== STALE) this.#say(outcome.problem.detail);
  }

  /** Whatever was being edited was looked at in a match that is another one now. */
  async #lookAgain() {
    if (this.#editor === null) return;
    await this.store.reload();
    this.#close();
    this.#say(t("history.stale"));
  }

  /** @param {string} sentence @param {() => any} [undo] what takes back what it tells of */
  #say(sentence, undo) {
    this.#said = sentence;
    this.#draw();
    toast(sentence, undo && { label: t("match.undo"), act: undo });
  }
}

/** Lines by the request that wrote them, which gave all of its lines one moment. @param {LogLine[]} lines @returns {LogLine[][]} */
function actionsOf(lines) {
  return [...Map.groupBy(lines, (line) => `${line.recorded_at} ${JSON.stringify(line.actor)}`).values()];
}

/** The number by which an action is known, however many of its lines are shown. @param {LogLine[]} lines the latest first */
function firstOf(lines) {
  return lines.at(-1)?.seq ?? 0;
}

function aboutEntry(at, by) {
  return h("span", { class: "entry-about quiet" }, when(at), by && ` ${t("history.by", { name: by })}`);
}
