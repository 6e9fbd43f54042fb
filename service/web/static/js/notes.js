/** The notes on the move that is shown: glyph, text, marks on spaces and a line of what if; one's own can be changed. */

/** @import { Annotation, Frame, LineMove, Mark } from "../../types/api.js" */

import { ApiProblem, Offline, all, ask } from "./api.js";
import { find, h, replace } from "./dom.js";
import { dayAndTime } from "./format.js";
import { t, tn } from "./texts.js";
import { toast } from "./toast.js";

const GLYPHS = {
  "!!": "brilliant",
  "!": "good",
  "!?": "interesting",
  "?!": "dubious",
  "?": "mistake",
  "??": "blunder",
};
const MARK = "highlight";

/**
 * @typedef {{id?: string, ply: number, glyph: Annotation["glyph"], text: string, marks: Mark[], line: LineMove[]}} Draft
 */

/** Events: `marks` when other spaces are to be marked, `changed` when a note was kept, `line` and `go` for what was chosen. */
export class Notes extends EventTarget {
  /** @type {Frame | null} */
  #frame = null;
  #lost = [];
  /** What is being written. @type {Draft|null} */
  #draft = null;

  /** @param {HTMLElement} host @param {{match: string, reader: string|null, may_annotate: boolean, may_manage: boolean, writes_all: boolean}} about */
  constructor(host, about) {
    super();
    this.host = host;
    this.about = about;
  }

  /** Whether taps on the board mark spaces. */
  get isMarking() {
    return this.#draft !== null && this.#draft.ply === this.#frame?.ply;
  }

  /** The spaces to be marked now. */
  get marks() {
    return this.#draft && this.isMarking
      ? this.#draft.marks
      : (this.#frame?.annotations?.flatMap(({ marks }) => marks) ?? []);
  }

  /** Show the notes of a frame. @param {Frame} frame */
  show(frame) {
    const wasMarking = this.isMarking;
    this.#frame = frame;
    if (this.isMarking && wasMarking) return;
    this.#draw();
  }

  /** Tell of notes whose moves were taken back. @param {Annotation[]} notes */
  tellLost(notes) {
    if (JSON.stringify(notes) === JSON.stringify(this.#lost)) return; // what is being read stays
    this.#lost = notes;
    if (!this.isMarking) this.#draw();
  }

  /** Begin a note, or go on with one. @param {Partial<Draft>} [of] */
  write(of = {}) {
    const { id, ply = this.#frame?.ply ?? 0, glyph = null, text = "", marks = [], line = [] } = of;
    this.#draft = { id, ply, glyph, text, marks, line };
    this.#draw();
    this.#say("marks");
    this.host.querySelector("textarea")?.focus();
  }

  /** Let a note that is being written take another line. @param {LineMove[]} line @param {number} ply @param {Annotation} [note] that it came from */
  writeLine(line, ply, note) {
    const isOwn = note !== undefined && this.#isOwn(note);
    this.write({ ...(isOwn ? note : {}), ply, line });
  }

  /** Mark a space or no longer. @param {string} cell */
  mark(cell) {
    const draft = /** @type {Draft} */ (this.#draft);
    const { marks } = draft;
    const others = marks.filter((mark) => mark.cell !== cell);
    draft.marks = others.length < marks.length ? others : [...marks, { cell, kind: MARK }];
    this.#tellMarks();
    this.#say("marks");
  }

  #draw() {
    const { annotations = [], ply } = this.#frame ?? {};
    const elsewhere = this.#draft !== null && this.#draft.ply !== ply && this.#draft;
    replace(
      this.host,
      annotations.filter(({ id }) => id !== this.#draft?.id).map((note) => this.#note(note)),
      this.isMarking ? this.#editor() : null,
      h(
        "div",
        { class: "notes-deeds" },
        elsewhere &&
          h(
            "button",
            { type: "button", onclick: () => this.#say("go", elsewhere.ply) },
            t("replay.unsaved", { ply: elsewhere.ply }),
          ),
        this.about.may_annotate &&
          !this.#draft &&
          h("button", { type: "button", onclick: () => this.write() }, t("replay.write")),
        h("button", { type: "button", onclick: () => this.#say("line", { entries: [] }) }, t("replay.what_if")),
      ),
      this.#lost.length > 0 &&
        h(
          "details",
          {},
          h("summary", {}, tn("replay.lost", this.#lost.length)),
          this.#lost.map((note) => this.#note(note)),
        ),
    );
  }

  #note(note) {
    const { glyph, text, line, by, outdated, hidden, line_problem: problem } = note;
    const told = h("div", { class: "wordings" });
    return h(
      "article",
      { class: ["note", hidden && "hidden"] },
      by && h("p", { class: "quiet by" }, t("replay.by", { name: by })),
      (glyph || text) && h("p", {}, glyphSign(glyph), text),
      outdated && h("p", { class: "quiet" }, t("replay.outdated")),
      hidden && h("p", { class: "quiet" }, t("replay.hidden")),
      problem && h("p", { class: "problem" }, t("replay.line_problem", { detail: problem.detail })),
      h(
        "div",
        { class: "notes-deeds" },
        line.length > 0 &&
          note.ply !== null &&
          h(
            "button",
            { type: "button", onclick: () => this.#say("line", { entries: line, note }) },
            tn("replay.line", line.length),
          ),
        this.#isOwn(note) &&
          note.ply !== null &&
          h("button", { type: "button", class: "plain", onclick: () => this.write(note) }, t("replay.edit")),
        this.#isOwn(note) &&
          h("button", { type: "button", class: "plain", onclick: () => this.#delete(note) }, t("replay.delete")),
        this.about.may_manage &&
          !this.#isOwn(note) &&
          h(
            "button",
            {
              type: "button",
              class: "plain",
              onclick: () => this.#act(`/annotations/${note.id}/hide`, hidden ? "DELETE" : "POST"),
            },
            t(hidden ? "replay.unhide" : "replay.hide"),
          ),
        note.revision > 0 &&
          h(
            "button",
            { type: "button", class: "plain", onclick: () => this.#tellHistory(note, told) },
            t("replay.history"),
          ),
      ),
      told,
    );
  }

  #editor() {
    const draft = /** @type {Draft} */ (this.#draft);
    const { glyph, text, line } = draft;
    const choice = (value, name) =>
      h(
        "label",
        { class: "glyph-choice", title: name },
        h("input", {
          type: "radio",
          name: "glyph",
          value: value ?? "",
          checked: value === glyph,
          "aria-label": name,
          onchange: () => (draft.glyph = value),
        }),
        h("span", { "aria-hidden": "true" }, value ?? "–"),
      );
    const keep = (event) => {
      event.preventDefault();
      this.#keep();
    };
    return h(
      "form",
      { class: "editor card", onsubmit: keep, "aria-label": t("replay.note") },
      h(
        "fieldset",
        { class: "glyphs" },
        h("legend", {}, t("replay.glyph")),
        choice(null, t("replay.glyph_none")),
        Object.entries(GLYPHS).map(([value, name]) => choice(value, t(`replay.glyph_${name}`))),
      ),
      h("label", { for: "note-text" }, t("replay.text")),
      h("textarea", {
        id: "note-text",
        maxlength: 4000,
        rows: 3,
        value: text,
        oninput: ({ target }) => (draft.text = target.value),
      }),
      h("p", { class: "quiet marked", role: "status" }, this.#markedText()),
      line.length > 0 &&
        h(
          "p",
          {},
          tn("replay.with_line", line.length),
          " ",
          h("button", { type: "button", class: "plain", onclick: () => this.#dropLine() }, t("replay.without_line")),
        ),
      h("p", { class: "problem", role: "alert" }),
      h(
        "div",
        { class: "notes-deeds" },
        h("button", { class: "primary" }, t("replay.save")),
        h("button", { type: "button", onclick: () => this.#close() }, t("replay.cancel")),
      ),
    );
  }

  #markedText() {
    const { marks } = /** @type {Draft} */ (this.#draft);
    return marks.length ? t("replay.marked", { cells: marks.map(({ cell }) => cell).join(", ") }) : t("replay.mark");
  }

  #tellMarks() {
    replace(find(this.host, ".marked"), this.#markedText());
  }

  #dropLine() {
    /** @type {Draft} */ (this.#draft).line = [];
    this.#draw();
  }

  #close() {
    this.#draft = null;
    this.#draw();
    this.#say("marks");
  }

  async #keep() {
    const { id, ply, glyph, text, marks, line } = /** @type {Draft} */ (this.#draft);
    if (!glyph && !text.trim() && !marks.length && !line.length) {
      this.#complain(t("replay.empty"));
      return;
    }
    const content = { glyph, text: text.trim(), marks, line };
    const isKept =
      id === undefined
        ? await this.#act(`/matches/${this.about.match}/annotations`, "POST", { ply, ...content })
        : await this.#act(`/annotations/${id}`, "PATCH", content);
    if (isKept) this.#close();
  }

  async #delete({ id }) {
    if (!(await this.#act(`/annotations/${id}`, "DELETE"))) return;
    toast(t("replay.deleted"), {
      label: t("replay.restore"),
      act: () => this.#act(`/annotations/${id}/restore`, "POST"),
    });
  }

  /** Do something with a note; whether it was done. */
  async #act(path, method, body) {
    try {
      await ask(path, { method, body });
    } catch (error) {
      if (!(error instanceof ApiProblem || error instanceof Offline)) throw error;
      this.#complain(error instanceof Offline ? t("shared.offline") : (error.problem.detail ?? error.problem.title));
      return false;
    }
    this.#say("changed");
    return true;
  }

  #complain(said) {
    const place = this.host.querySelector(".editor .problem");
    if (place) replace(place, said);
    else this.#say("problem", { detail: said });
  }

  async #tellHistory(note, host) {
    if (host.childNodes.length) {
      replace(host);
      return;
    }
    const wordings = await all(`/annotations/${note.id}/history`);
    replace(
      host,
      h(
        "ol",
        {},
        wordings.map((wording) =>
          h(
            "li",
            {},
            h("span", { class: "quiet" }, dayAndTime(wording.changed_at)),
            " ",
            glyphSign(wording.glyph),
            wording.text,
          ),
        ),
      ),
    );
  }

  #isOwn({ author }) {
    return this.about.may_annotate && (this.about.writes_all || (author !== null && author === this.about.reader));
  }

  #say(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

function glyphSign(glyph) {
  return (
    glyph && [
      h("b", { class: "glyph" }, glyph, h("span", { class: "unseen" }, ` ${t(`replay.glyph_${GLYPHS[glyph]}`)}`)),
      " ",
    ]
  );
}
