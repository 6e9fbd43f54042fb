/** The match as it is recorded: a `Source` of moves for its form, with those that wait already on the board. */

/** @import { Entry, Store } from "./store.js" */
/** @import { Game } from "../game.js" */

import { areGainsShown } from "../gains.js";
import { playerName } from "../seats.js";
import { t } from "../texts.js";
import { toast } from "../toast.js";
import { nameEntry } from "./notices.js";

const STALE = 412;
/** What is said of an act of the menu, and the act that takes it back. */
const TAKEN_BACK = {
  "POST abandon": ["abandoned", "reopen", "reopen", "POST"],
  "POST withdraw": ["withdrawn", "unwithdraw", "withdraw", "DELETE"],
};

/** Event: `change` when it is about another seat. */
export class Recorder extends EventTarget {
  /** Who is said to have moved, if not whose turn it is. @type {string | null} */
  outOfTurn = null;
  /** How many acts of this page are under way: what they change goes without saying. */
  acting = 0;
  /** Takes away the offer to bring back what was undone. */
  #withdrawOffer = () => {};

  /** @param {Store} store @param {Game} game @param {(problem: any) => any} report */
  constructor(store, game, report) {
    super();
    this.store = store;
    this.report = report;
    this.rules = game;
  }

  /** The position after what waits. */
  get state() {
    const { state, waiting, edition } = this.store;
    return waiting.reduce((known, entry) => this.rules.predict(known, entry, edition), state);
  }

  get seat() {
    return this.outOfTurn ?? this.state?.to_move ?? null;
  }

  get lastMove() {
    return this.store.lastMove;
  }

  get players() {
    return this.store.document.players;
  }

  get ghosts() {
    const ghosts = this.store.waiting.map(({ move }) => ({ kind: "waiting", cells: this.rules.cellsOf(move) }));
    return ghosts.filter(({ cells }) => cells.length);
  }

  nameOf(seat) {
    return playerName(this.players, seat);
  }

  async legalMoves() {
    return this.outOfTurn || this.store.waiting.length ? null : this.store.legalMoves();
  }

  /** What each of the legal moves would give, unless nobody wants to know. */
  async gains() {
    return areGainsShown() && !this.outOfTurn && this.store.waiting.length === 0 ? this.store.gains() : null;
  }

  /** @param {Entry} entry */
  check(entry) {
    return this.store.check(entry);
  }

  /** @param {Entry} entry */
  async submit(entry) {
    const outcome = await this.#doing(() => this.store.submit(entry));
    if (outcome.accepted !== false) this.moveOutOfTurn(null);
    return outcome;
  }

  get canRule() {
    return true;
  }

  canUndo() {
    const { document: now, state, unsent } = this.store;
    return state !== null && now.status !== "abandoned" && (now.ply > 0 || unsent.length > 0);
  }

  /** Take back the last move, and offer to bring it back. */
  async undo() {
    const outcome = await this.#doing(() => this.store.undo());
    if (outcome.accepted === false) {
      this.#tell(outcome.problem);
      return;
    }
    const { undone, redo } = outcome;
    const said =
      undone === null ? t("match.undone_move") : t("match.undone", { move: nameEntry(this.store, this.rules, undone) });
    this.#offer(said, t("match.redo"), () => this.#bringBack(redo));
  }

  /** Enter a move of a seat that is not its turn; null for whose turn it is. @param {string | null} seat */
  moveOutOfTurn(seat) {
    const next = seat === this.state?.to_move ? null : seat;
    if (next === this.outOfTurn) return;
    this.outOfTurn = next;
    this.dispatchEvent(new Event("change"));
  }

  /** Do an act of the menu, and offer to take it back. */
  async change(path, method) {
    const outcome = await this.#doing(() => this.store.write(path, undefined, method));
    if (outcome.accepted === false) {
      this.#tell(outcome.problem);
      return;
    }
    const back = TAKEN_BACK[`${method} ${path}`];
    if (!back) return;
    const [said, label, ...act] = back;
    this.#offer(t(`match.${said}`), t(`match.${label}`), () => this.change(...act));
  }

  /** Do something that changes the match; meanwhile a choice may go without a word. */
  async #doing(act) {
    this.acting += 1;
    this.#withdrawOffer();
    try {
      return await act();
    } finally {
      this.acting -= 1;
    }
  }

  async #bringBack(redo) {
    const outcome = await this.#doing(redo);
    if (outcome?.problem) this.#tell(outcome.problem);
  }

  #offer(said, label, act) {
    this.#withdrawOffer = toast(said, { label, act });
  }

  /** What came in between is told among the notices. */
  #tell(problem) {
    if (problem.status !== STALE) this.report(problem);
  }
}
