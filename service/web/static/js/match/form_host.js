/** The host of a game's form: board, sheet and the buttons below it, whatever the moves are entered for. */

/** @import { Entry, Judged, LastMove, Outcome } from "./store.js" */
/** @import { Game } from "../game.js" */

import { controls, find, h, renew, replace, sending, shake } from "../dom.js";
import { ruleLink } from "../rules.js";
import { withPlayers } from "../seats.js";
import { t } from "../texts.js";

const STALE = 412;

/**
 * What moves are entered for: the match itself, a line that is tried, or a correction.
 * @typedef {object} Source
 * @property {any} state the position that the next move follows
 * @property {string | null} seat whose move is entered
 * @property {LastMove | null} lastMove
 * @property {object[]} [ghosts] what lies on the board beside what is chosen
 * @property {{seat: string, name: string}[]} players
 * @property {(seat: string) => string} nameOf
 * @property {() => Promise<any[] | null>} legalMoves
 * @property {() => Promise<any[] | null>} [gains] what each of them would give
 * @property {(entry: Entry) => Promise<Judged>} check
 * @property {(entry: Entry) => Promise<Outcome>} submit
 * @property {boolean} canRule whether what a rule forbids can be recorded as it happened
 * @property {() => boolean} canUndo whether there is a move to take back
 * @property {() => any} undo
 * @property {string} [confirm] what is on the confirming button
 * @property {() => import("../dom.js").Child} [head] what stands above the form
 * @property {() => any} [left] what is done when nothing more is to be entered
 */

export class FormHost {
  /** @type {Source | null} */
  #source = null;
  /** @type {((parts: any) => import("../game.js").Form) | null} */
  #createForm = null;
  /** @type {import("../game.js").Form | null} */
  #form = null;
  /** What the buttons do. @type {import("../game.js").Action | null} */
  #action = null;
  #reports = 0;

  /**
   * @param {Game} game @param {any} edition @param {import("./board.js").MatchBoard} board
   * @param {Record<"sheet"|"hand"|"problem"|"confirm"|"undo"|"turning", HTMLElement>} slots
   */
  constructor(game, edition, board, slots) {
    this.game = game;
    this.edition = edition;
    this.board = board;
    this.slots = slots;
    slots.confirm.addEventListener("click", () => this.#action?.act && this.#action.act());
    slots.turning.addEventListener("click", () => this.#action?.turn?.act());
    slots.undo.addEventListener("click", () => this.#undo());
    document.addEventListener("keydown", (event) => this.#turnByKey(event));
  }

  /** Load the form of the game, which only those need who enter moves. */
  async load() {
    this.#createForm ??= await this.game.loadForm();
  }

  /** Whether something is chosen and not confirmed. */
  get isChoosing() {
    return Boolean(this.#action?.clear);
  }

  /** Enter moves for a source; for the same one as before what is chosen stays while its position does. @param {Source} source */
  enter(source) {
    if (source !== this.#source) this.leave();
    this.#source = source;
    if (this.#createForm === null) {
      this.load().then(() => this.#source === source && this.enter(source));
      return;
    }
    this.#form ??= this.#createForm({
      match: this.#wrapped(source),
      board: {
        draw: (state, shown = {}) => this.#draw(state, shown),
        focus: (place) => this.board.focus(place),
      },
      sheet: this.slots.sheet,
      hand: this.slots.hand,
      edition: this.edition,
      report: (problem, entry) => this.report(problem, entry),
      offer: (action) => this.#offer(action),
    });
    this.#form.update();
    this.#offer(this.#action);
  }

  /** Show what can be chosen anew. */
  update() {
    this.#form?.update();
  }

  /** Enter nothing any more. */
  leave() {
    this.#form?.dispose();
    this.#form = null;
    this.#source = null;
    this.#offer(null);
    replace(this.slots.hand);
    replace(this.slots.sheet);
  }

  /** What was tapped on the board. */
  tap(tapped) {
    this.#form?.tap(tapped);
  }

  /** One line above the buttons: why not, where that is written, and a way to say that it happened all the same. */
  report(problem, /** @type {Entry | null} */ entry = null) {
    const { problem: host } = this.slots;
    if (!problem) {
      replace(host);
      return;
    }
    const canRule = this.#source?.canRule && entry && problem.kind === "rule" && !entry.ruling;
    this.#reports += 1;
    // A reason that is being typed stays if the same move is refused again; what is said is said anew.
    renew(
      host,
      h("p", { key: this.#reports }, withPlayers(problem.detail ?? problem.title, this.#source?.players ?? [])),
      ruleLink(this.game.id, problem),
      canRule && rulingForm((reason) => this.#submit({ ...entry, ruling: { reason } }), JSON.stringify(entry)),
    );
    shake(host);
  }

  /** The source as a form sees it: what it submits is locked and reported here. */
  #wrapped(source) {
    const submit = (entry) => this.#submit(entry);
    return new Proxy(source, {
      get: (target, name) => {
        if (name === "submit") return submit;
        const value = target[name];
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }

  /** @param {Entry} entry */
  async #submit(entry) {
    const source = /** @type {Source} */ (this.#source);
    this.#lock(true);
    const outcome = await source.submit(entry).finally(() => this.#lock(false));
    if (outcome.accepted === false) {
      // What came in between is told elsewhere.
      if (outcome.problem.status !== STALE) this.report(outcome.problem, entry);
    } else this.report(null);
    return outcome;
  }

  /** Let nothing be chosen while a move is on its way: it would be for a position that is gone when the answer comes. */
  #lock(isSending) {
    const { sheet, hand, confirm } = this.slots;
    for (const part of [this.board.host, sheet, hand]) part.inert = isSending;
    /** @type {HTMLButtonElement} */ (confirm).disabled = isSending || !this.#action?.act;
  }

  #draw(state, shown) {
    const { lastMove = null, ghosts = [] } = this.#source ?? {};
    this.board.draw(state, { lastMove, ...shown, ghosts: [...ghosts, ...(shown.ghosts ?? [])] });
  }

  #offer(action) {
    this.#action = action;
    const { confirm, undo, turning } = this.slots;
    /** @type {HTMLButtonElement} */ (confirm).disabled = !action?.act;
    renew(confirm, action?.label ?? this.#source?.confirm ?? t("match.confirm"));
    /** @type {HTMLButtonElement} */ (undo).disabled = !action?.clear && !this.#source?.canUndo();
    turning.hidden = !action?.turn;
    find(turning, "span").textContent = action?.turn?.label ?? "";
  }

  #undo() {
    this.report(null);
    if (this.#action?.clear) {
      this.#action.clear();
      this.onCleared?.();
    } else this.#source?.undo();
  }

  /** What is done when a choice was cleared, where nothing recorded was undone. @type {(() => any) | null} */
  onCleared = null;

  /** R turns what is laid, where no text is being written. */
  #turnByKey(event) {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (isPlain && event.key.toLowerCase() === "r" && !event.target.closest("input, textarea, select"))
      this.#action?.turn?.act();
  }
}

/**
 * A form that asks why a move against the rules stands.
 * @param {(reason: string) => any} rule @param {string} [key] tells it from others where it is drawn anew @returns {HTMLElement}
 */
export function rulingForm(rule, key) {
  const send = (form) => {
    const reason = controls(form).reason.value.trim();
    return reason !== "" && rule(reason);
  };
  return h(
    "details",
    { key, class: "ruling-form" },
    h("summary", {}, t("sync.rule")),
    h(
      "form",
      { onsubmit: sending(send) },
      h(
        "label",
        {},
        t("sync.reason"),
        h("input", { name: "reason", required: true, maxlength: 4000, autocomplete: "off" }),
      ),
      h("button", {}, t("sync.record_ruling")),
    ),
  );
}
