/** The tool *Notes*: on the move that is shown, glyph, text, marks on spaces and a line of what if; one's own can be changed. */

/** @import { Annotation, LineMove, Mark } from "../../../../types/api.js" */
/** @import { Store } from "../store.js" */
/** @import { MatchPage } from "../page.js" */

import { all, ask, attempt } from "../../api.js";
import { h, renew, sending } from "../../dom.js";
import { dayAndTime } from "../../format.js";
import { page as about, t, tn } from "../../texts.js";
import { toast } from "../../toast.js";

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

/** @param {HTMLElement} host @param {Store} store @param {MatchPage} page @returns {Promise<Notes>} */
export async function tool(host, store, page) {
  await store.loadFrames();
  return new Notes(host, store, page);
}

class Notes {
  /** Notes whose moves were taken back. @type {Annotation[]} */
  #lost = [];
  /** What is being written, and why it was not kept. @type {Draft | null} */
  #draft = null;
  #problem = null;
  /** The earlier wordings that are read, by the id of their note. @type {Map<string, any[]>} */
  #wordings = new Map();
  #loadLost = () => this.#fetchLost();

  constructor(host, store, page) {
    this.host = host;
    this.store = store;
    this.page = page;
    store.addEventListener("annotations", this.#loadLost);
    this.#fetchLost();
  }

  dispose() {
    this.store.removeEventListener("annotations", this.#loadLost);
  }

  /** Whether taps on the board mark spaces. */
  get #isMarking() {
    return this.#draft !== null && this.#draft.ply === this.page.ply;
  }

  /** The spaces that are marked by taps; null where those of all notes are shown. */
  get marks() {
    return this.#draft && this.#isMarking ? this.#draft.marks : null;
  }

  /** Mark a space or no longer. @returns {boolean} whether the tap was meant for a note */
  tap({ place }) {
    if (!this.#draft || !this.#isMarking || !place) return false;
    const { marks } = this.#draft;
    const others = marks.filter((mark) => mark.cell !== place);
    this.#draft.marks = others.length < marks.length ? others : [...marks, { cell: place, kind: MARK }];
    this.#draw();
    this.page.marks();
    return true;
  }

  update() {
    const { kept } = this.page;
    if (kept) {
      this.page.kept = null;
      const isOwn = kept.note !== null && this.#isOwn(kept.note);
      this.#write({ ...(isOwn ? kept.note : {}), ply: kept.ply, line: kept.entries });
    }
    this.#draw();
  }

  /** Begin a note, or go on with one. @param {Partial<Draft>} [of] */
  #write(of = {}) {
    const { id, ply = this.page.ply, glyph = null, text = "", marks = [], line = [] } = of;
    this.#draft = { id, ply, glyph, text, marks, line };
    this.#problem = null;
    if (this.page.isLive) this.page.go(ply);
    this.#draw();
    this.page.draw();
    this.host.querySelector("textarea")?.focus();
  }

  #draw() {
    const { ply } = this.page;
    const annotations = this.store.frames?.[ply]?.annotations ?? [];
    const elsewhere = this.#draft !== null && this.#draft.ply !== ply && this.#draft;
    renew(
      this.host,
      annotations.filter(({ id }) => id !== this.#draft?.id).map((note) => this.#note(note)),
      this.#isMarking && this.#editor(),
      h(
        "div",
        { key: "acts", class: "notes-acts" },
        elsewhere &&
          h(
            "button",
            { type: "button", onclick: () => this.page.go(elsewhere.ply) },
            t("match.unsaved", { ply: elsewhere.ply }),
          ),
        about.may_annotate &&
          !this.#draft &&
          h("button", { type: "button", onclick: () => this.#write() }, t("match.write")),
        h("button", { type: "button", onclick: () => this.#try({}) }, t("match.what_if")),
      ),
      this.#list(),
      this.#lost.length > 0 &&
        h(
          "details",
          { key: "lost" },
          h("summary", {}, tn("match.lost", this.#lost.length)),
          this.#lost.map((note) => this.#note(note)),
        ),
    );
  }

  /** All notes of the match, each of which leads to its move. */
  #list() {
    const noted = (this.store.frames ?? []).filter(
      ({ annotations, ply }) => annotations.length > 0 && ply !== this.page.ply,
    );
    return (
      noted.length > 0 &&
      h(
        "ol",
        { key: "list", class: "note-list" },
        noted.map(({ ply, annotations: [{ glyph, text }] }) =>
          h(
            "li",
            { key: ply },
            h(
              "button",
              { type: "button", class: "plain", onclick: () => this.page.go(ply) },
              h("span", { class: "ply" }, ply),
              h("span", {}, glyphSign(glyph), text || t("match.noted")),
            ),
          ),
        ),
      )
    );
  }

  #try(how) {
    return attempt(
      () => this.page.tryLine(how),
      (problem) => this.page.report(problem),
    );
  }

  #note(note) {
    const { glyph, text, line, by, outdated, hidden, line_problem: problem } = note;
    const wordings = this.#wordings.get(note.id);
    return h(
      "article",
      { key: note.id, class: ["note", hidden && "hidden"] },
      by && h("p", { class: "quiet by" }, t("match.by", { name: by })),
      (glyph || text) && h("p", {}, glyphSign(glyph), text),
      outdated && h("p", { class: "quiet" }, t("match.outdated")),
      hidden && h("p", { class: "quiet" }, t("match.hidden")),
      problem && h("p", { class: "problem" }, t("match.line_problem", { detail: problem.detail })),
      h(
        "div",
        { class: "notes-acts" },
        line.length > 0 &&
          note.ply !== null &&
          h(
            "button",
            { type: "button", onclick: () => this.#try({ entries: line, note }) },
            tn("match.line", line.length),
          ),
        this.#isOwn(note) &&
          note.ply !== null &&
          h("button", { type: "button", class: "plain", onclick: () => this.#write(note) }, t("match.edit")),
        this.#isOwn(note) &&
          h("button", { type: "button", class: "plain", onclick: () => this.#delete(note) }, t("match.delete")),
        about.may_manage &&
          !this.#isOwn(note) &&
          h(
            "button",
            {
              type: "button",
              class: "plain",
              onclick: () => this.#act(`/annotations/${note.id}/hide`, hidden ? "DELETE" : "POST"),
            },
            t(hidden ? "match.unhide" : "match.hide"),
          ),
        note.revision > 0 &&
          h("button", { type: "button", class: "plain", onclick: () => this.#readWordings(note) }, t("match.history")),
      ),
      wordings &&
        h(
          "ol",
          { class: "wordings" },
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
    return h(
      "form",
      { key: "editor", class: "editor card", onsubmit: sending(() => this.#keep()), "aria-label": t("match.note") },
      h(
        "fieldset",
        { class: "glyphs" },
        h("legend", {}, t("match.glyph")),
        choice(null, t("match.glyph_none")),
        Object.entries(GLYPHS).map(([value, name]) => choice(value, t(`match.glyph_${name}`))),
      ),
      h("label", { for: "note-text" }, t("match.text")),
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
          tn("match.with_line", line.length),
          " ",
          h("button", { type: "button", class: "plain", onclick: () => this.#dropLine() }, t("match.without_line")),
        ),
      h("p", { class: "problem", role: "alert" }, this.#problem),
      h(
        "div",
        { class: "notes-acts" },
        h("button", { class: "primary" }, t("match.save")),
        h("button", { type: "button", onclick: () => this.#close() }, t("match.cancel")),
      ),
    );
  }

  #markedText() {
    const { marks } = /** @type {Draft} */ (this.#draft);
    return marks.length ? t("match.marked", { cells: marks.map(({ cell }) => cell).join(", ") }) : t("match.mark");
  }

  #dropLine() {
    /** @type {Draft} */ (this.#draft).line = [];
    this.#draw();
  }

  #close() {
    this.#draft = null;
    this.#draw();
    this.page.draw();
  }

  async #keep() {
    const { id, ply, glyph, text, marks, line } = /** @type {Draft} */ (this.#draft);
    if (!glyph && !text.trim() && !marks.length && !line.length) {
      this.#report({ detail: t("match.empty") });
      return;
    }
    const content = { glyph, text: text.trim(), marks, line };
    const isKept =
      id === undefined
        ? await this.#act(`/matches/${this.store.id}/annotations`, "POST", { ply, ...content })
        : await this.#act(`/annotations/${id}`, "PATCH", content);
    if (isKept) this.#close();
  }

  async #delete({ id }) {
    if (!(await this.#act(`/annotations/${id}`, "DELETE"))) return;
    toast(t("match.deleted"), {
      label: t("match.restore"),
      act: () => this.#act(`/annotations/${id}/restore`, "POST"),
    });
  }

  /** Do something with a note; whether it was done. */
  async #act(path, method, body) {
    this.#problem = null;
    const done = await attempt(
      () => ask(path, { method, body }),
      (problem) => this.#report(problem),
    );
    if (done === undefined) return false;
    await this.store.reloadNotes();
    return true;
  }

  #report(problem) {
    if (this.#isMarking) {
      this.#problem = problem.detail ?? problem.title;
      this.#draw();
    } else this.page.report(problem);
  }

  async #readWordings({ id }) {
    if (this.#wordings.delete(id)) {
      this.#draw();
      return;
    }
    this.#wordings.set(id, await all(`/annotations/${id}/history`));
    this.#draw();
  }

  /** Learn of notes whose moves were taken back. */
  async #fetchLost() {
    await attempt(
      async () => {
        const notes = await all(`/matches/${this.store.id}/annotations?limit=200`);
        this.#lost = notes.filter(({ detached }) => detached);
        this.#draw();
      },
      (problem) => this.page.report(problem),
    );
  }

  #isOwn({ author }) {
    return about.may_annotate && (about.writes_all || (author !== null && author === about.reader));
  }
}

function glyphSign(glyph) {
  return (
    glyph && [
      h("b", { class: "glyph" }, glyph, h("span", { class: "unseen" }, ` ${t(`match.glyph_${GLYPHS[glyph]}`)}`)),
      " ",
    ]
  );
}
