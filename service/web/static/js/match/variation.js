/** What might have happened: moves tried from some ply on. Nothing of it is recorded; the API judges it and says where it leads. */

/** @import { Frame, Match, Move, State } from "../../../types/api.js" */

import { ask } from "../api.js";
import { areGainsShown } from "../gains.js";
import { playerName } from "../seats.js";
import { lang } from "../texts.js";

/**
 * @typedef {import("./store.js").Entry} Entry
 * @typedef {{moves: Move[], points?: import("../gains.js").Gain[]}} Legal
 */

/** A `source` for the form of a game. Event: `change`. */
export class Variation extends EventTarget {
  #match;
  #frame;
  /** The moves that were tried, each with its sentence and where it leads. @type {{entry: Entry, text: string, state: State | null}[]} */
  #steps = [];
  /** What is legal after how many of the moves, and what it would give. @type {{at: number, known: Promise<Legal>} | null} */
  #legal = null;
  #mayRecord;

  /** @param {Match} match its document @param {Frame} frame after which the moves are tried @param {boolean} mayRecord */
  constructor(match, frame, mayRecord) {
    super();
    this.#match = match;
    this.#frame = frame;
    this.#mayRecord = mayRecord;
    /** How many of its moves lie on the board. */
    this.at = 0;
  }

  /**
   * A line that was kept; raise `ApiProblem`.
   * @param {Match} match @param {Frame} frame @param {Entry[]} entries @param {boolean} mayRecord
   */
  static async of(match, frame, entries, mayRecord) {
    const line = new Variation(match, frame, mayRecord);
    const judged = await Promise.all(entries.map((_, at) => line.#judge(entries.slice(0, at + 1))));
    line.#steps = judged
      .filter(({ legal }) => legal)
      .map(({ text, state }, at) => ({ entry: entries[at], text, state }));
    return line;
  }

  get document() {
    return this.#match;
  }
  get ply() {
    return this.#frame.ply;
  }
  get state() {
    return this.at ? this.#steps[this.at - 1].state : this.#frame.state;
  }
  get seat() {
    return this.state?.to_move ?? null;
  }
  get players() {
    return this.#match.players;
  }
  get texts() {
    return this.#steps.map(({ text }) => text);
  }
  get entries() {
    return this.#steps.map(({ entry }) => entry);
  }

  get lastMove() {
    const { ply, seat, move } = this.at ? { ...this.#steps[this.at - 1].entry, ply: this.ply + this.at } : this.#frame;
    return seat === null ? null : { ply, seat, move };
  }

  nameOf(seat) {
    return playerName(this.#match.players, seat);
  }

  /** What is legal where the board stands. @returns {Promise<Move[]>} */
  async legalMoves() {
    return (await this.#legalNow()).moves;
  }

  /** What each of that would give, for those who record matches and want to know. */
  async gains() {
    return areGainsShown() ? ((await this.#legalNow()).points ?? null) : null;
  }

  #legalNow() {
    const { at } = this;
    if (this.#legal?.at !== at) this.#legal = { at, known: at ? this.#legalAfter(at) : this.#legalAtFirst() };
    return this.#legal.known;
  }

  /** @param {Entry} entry @returns {Promise<import("./store.js").Judged>} */
  check({ seat, move }) {
    return this.#judge([...this.entries.slice(0, this.at), { seat, move }]);
  }

  /** Go on with a move instead of what followed. @param {Entry} entry @returns {Promise<import("./store.js").Outcome>} */
  async submit({ seat, move }) {
    const { legal, text, state, problem } = await this.check({ seat, move });
    if (!legal || !state) return { accepted: false, problem: problem ?? {} };
    this.#steps = [...this.#steps.slice(0, this.at), { entry: { seat, move }, text: text ?? "", state }];
    this.show(this.#steps.length);
    return { accepted: true };
  }

  get canRule() {
    return false;
  }

  canUndo() {
    return this.at > 0;
  }

  /** Put back the last move on the board, and those after it. */
  undo() {
    this.#steps = this.#steps.slice(0, Math.max(0, this.at - 1));
    this.show(this.#steps.length);
  }

  /** Let the first moves lie on the board. @param {number} at how many */
  show(at) {
    this.at = Math.min(Math.max(0, at), this.#steps.length);
    this.#legal = null;
    this.dispatchEvent(new Event("change"));
  }

  async #legalAtFirst() {
    const points = this.#mayRecord ? `&include=points&lang=${lang}` : "";
    return (await ask(`/matches/${this.#match.id}/legal-moves?ply=${this.ply}${points}`)).data;
  }

  async #legalAfter(at) {
    const include = this.#mayRecord ? `points&lang=${lang}` : "legal_moves";
    const { legal_moves: moves, points } = await this.#judge(this.entries.slice(0, at), `&include=${include}`);
    return { moves, points };
  }

  async #judge(moves, more = "") {
    const path = `/matches/${this.#match.id}/moves/check?ply=${this.ply}${more}`;
    const { data } = await ask(path, { method: "POST", body: { moves } });
    return data;
  }
}
