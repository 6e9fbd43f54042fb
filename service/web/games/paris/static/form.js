/**
 * Recording Paris: what a tap means now, the move that takes shape, and the sheet in which it is looked at and
 * confirmed.
 */

/** @import { AnyParisMove } from "../../../types/moves.js" */

import { focusedIn, h, replace } from "../../js/dom.js";
import { isEqual } from "../../js/equal.js";
import { bestOn, tellGain } from "../../js/gains.js";
import { seatSign } from "../../js/seats.js";
import { t, tn } from "../../js/texts.js";
import {
  amended,
  fullPrestige,
  ghostsOf,
  guessMove,
  isActivated,
  isSource,
  looksFree,
  mostPairs,
  tilesFor,
  waysTo,
} from "./drafts.js";
import { drawHand } from "./hands.js";
import { eye } from "./signs.js";
import { drawOptions, drawPanel, drawPreview } from "./panels.js";
import {
  bare,
  DISTRICTS,
  districtOf,
  isBank,
  isLandmark,
  PAIRED,
  piecesOf,
  STEP_BACK,
  TAKE_ANY,
  cellsOf,
} from "./position.js";

/**
 * @param {import("../../js/game.js").FormParts} parts @returns {import("../../js/game.js").Form}
 */
export function createForm({ match, board, sheet, hand = null, edition, report, offer }) {
  const form = new Form(match, board, sheet, hand, bare(edition), report, offer);
  return { update: () => form.update(), tap: (tapped) => form.tap(tapped), dispose: () => form.dispose() };
}

class Form {
  #asked = 0;
  /** @type {string | null} */
  #position = null;
  /** @type {string | null} */
  #view = null;
  /** @type {string | null} */
  #shownHand = null;
  #isLearning = false;

  constructor(match, board, sheet, hand, edition, report, offer) {
    this.match = match;
    this.board = board;
    this.sheet = sheet;
    this.hand = hand;
    this.edition = edition;
    this.report = report;
    this.offer = offer;
    this.legal = null;
    /** What each of the legal moves would give, if that is to be shown. @type {import("../../js/gains.js").Gain[] | null} */
    this.gains = null;
    this.stack = null;
    /** The district that is looked at, as far as the form knows. */
    this.view = "montmartre";
    this.forget();
  }

  /** The seat whose move is recorded. */
  get seat() {
    return this.match.seat;
  }

  get state() {
    return this.match.state;
  }

  /** What that seat has. */
  get side() {
    return this.state.seats[this.seat];
  }

  get players() {
    return Object.keys(this.state.seats).length;
  }

  get isFree() {
    if (this.legal === null) return looksFree(this.state, this.edition);
    return this.legal.some((move) => move.type === "reveal" && (move.district || move.discard));
  }

  get mustReveal() {
    return !this.state.turn.revealed && this.state.stacks.some((left) => left > 0);
  }

  /** Draw what can be done now; what was chosen stays as long as the position is the same. */
  async update() {
    const position = `${this.seat} ${this.state.ply}`;
    if (position !== this.#position) {
      if (!this.#position?.startsWith(`${this.seat} `)) this.#shownHand = null;
      this.#position = position;
      this.legal = null;
      this.gains = null;
      this.forget();
      this.offer(null);
      await this.#learn(++this.#asked);
    } else if (this.legal === null && !this.#isLearning) {
      await this.#learn(++this.#asked, false); // what waited is recorded, or the service answers again
    } else {
      this.draw();
      this.#learnGains(this.#asked);
    }
  }

  async #learnGains(asked) {
    const gains = (await this.match.gains?.()) ?? null;
    if (asked !== this.#asked || (this.gains === null && gains === null)) return;
    this.gains = gains?.length === this.legal?.length ? gains : null;
    this.draw();
  }

  /** What the move that took shape would give, in words. */
  get told() {
    const at = this.draft === null ? -1 : (this.legal ?? []).findIndex((move) => isEqual(move, this.draft));
    return tellGain(this.gains?.[at]);
  }

  async #learn(asked, isNewPosition = true) {
    this.#isLearning = true;
    // Mostly it is known already; what has to be asked for is not waited for with an old board.
    const waiting = setTimeout(() => asked === this.#asked && this.draw());
    const legal = this.seat === null ? [] : await this.match.legalMoves();
    clearTimeout(waiting);
    if (asked !== this.#asked) return;
    this.#isLearning = false;
    this.legal = legal;
    if (isNewPosition || legal !== null) this.#lead();
    this.draw();
    if (legal !== null && this.seat !== null) this.#learnGains(asked);
    if (this.draft !== null && !this.#isKnown(this.draft)) this.#tellIfRefused(this.draft);
  }

  dispose() {
    this.#asked += 1;
    this.offer(null);
    replace(this.sheet);
    if (this.hand) replace(this.hand);
  }

  /** Give up what was chosen. */
  forget() {
    this.draft = null;
    this.ways = [];
    this.from = null;
    this.panel = null;
    this.wrong = [];
  }

  can(type) {
    return this.legal === null || this.legal.some((move) => move.type === type);
  }

  /** Show where the next thing is to be done, and open what is offered once only. */
  #lead() {
    const { may_advance: mayAdvance, may_score_tile: mayScore } = this.state.turn;
    if (this.draft !== null || this.panel !== null) return;
    if (mayScore && this.can("score_tile")) this.panel = { name: "score" };
    else if (mayAdvance && this.can("advance")) this.#view = "track";
    else if (!this.state.turn.acted) this.#view = this.view;
  }

  // Taps

  /** What a tap on the board means. @param {import("../../js/game.js").Tap} tapped */
  tap({ place, view, hand }) {
    if (hand) {
      this.#showHand(hand);
      return;
    }
    this.report(null);
    this.wrong = [];
    if (this.seat === null) return;
    if (view) this.#tapView(view);
    else this.#tapPlace(place);
  }

  #tapView(view) {
    if (!DISTRICTS.includes(view)) return;
    this.view = view;
    this.chooseScoring({ district: view });
  }

  #tapPlace(place) {
    const [part, rest] = place.split(":");
    if (part === "track") this.#tapTrack(Number(rest));
    else if (part === "stack") this.chooseStack(Number(rest));
    else if (part === "market") this.propose({ type: "trade", buy: rest });
    else if (part === "end_tiles") this.#tapEndTiles();
    else if (part === "scoring-tile") this.chooseScoring({ tile: rest });
    else if (part === "scoring") this.chooseScoring({});
    else if (isBank(place)) this.#tapBank(place);
    else this.#tapProperty(place);
  }

  #tapTrack(space) {
    const { tile } = this.panel ?? {};
    if (tile === STEP_BACK) this.propose({ type: "activate", tile, to: space });
    else if (tile === TAKE_ANY) this.propose({ type: "activate", tile, take: this.state.track[space].at(-1) ?? space });
    else this.propose({ type: "advance", to: space });
  }

  /** The stack that a tile is drawn from. @param {number} stack */
  chooseStack(stack) {
    this.stack = stack;
    if (this.draft?.type === "reveal") this.propose({ ...this.draft, stack });
    else this.draw();
  }

  /** A scoring tile, or the district where it goes. @param {{tile?: string, district?: string}} choice */
  chooseScoring(choice) {
    if (!this.state.turn.may_score_tile) {
      if (choice.tile) this.propose({ type: "score_tile", tile: choice.tile, district: this.view });
      return;
    }
    this.panel = { ...this.panel, name: "score", ...choice };
    const { tile, district } = this.panel;
    const open = DISTRICTS.filter((name) => !(name in this.state.scoring_tiles.placed));
    const where = district ?? (open.includes(this.view) ? this.view : undefined);
    if (tile && where) this.propose({ type: "score_tile", tile, district: where });
    else this.draw();
  }

  /** They stay face down until one may be taken. */
  #tapEndTiles() {
    const [first] = this.state.end_tiles;
    if (this.can("take_end_tile")) this.open("end_tiles");
    else if (first) this.propose({ type: "take_end_tile", tile: first });
  }

  #tapBank(place) {
    if (isSource(this.state, this.seat, place)) this.#take(place);
    else this.propose({ type: "place_key", at: place });
  }

  #tapProperty(place) {
    const isThere = isLandmark(place) || place in this.state.buildings;
    if (this.mustReveal && !isThere) this.#reveal(place);
    else if (this.from !== place && isSource(this.state, this.seat, place) && this.#waysTo(place).length === 0)
      this.#take(place);
    else if (this.from === place) this.#take(null);
    else this.#moveTo(place);
  }

  /** Take up a key, or put it down again. */
  #take(place) {
    this.draft = null;
    this.ways = [];
    this.from = this.from === place ? null : place;
    this.draw();
  }

  #waysTo(place) {
    return waysTo(this.legal ?? [], place, this.from, this.view);
  }

  #reveal(space) {
    const tiles = tilesFor(this.legal, this.state, space, this.isFree);
    const moves = tiles.map((tile) =>
      this.#revealed(tile, this.isFree ? { district: districtOf(this.state, space) } : {}),
    );
    this.propose(moves[0] ?? this.#revealed(space, { district: districtOf(this.state, space) }), moves);
  }

  #revealed(tile, where) {
    return { type: "reveal", stack: this.#stackToDraw(), tile, ...where };
  }

  /** The stack that was named last as long as it has tiles, else the highest. */
  #stackToDraw() {
    const { stacks } = this.state;
    if (this.stack !== null && stacks[this.stack - 1] > 0) return this.stack;
    return stacks.indexOf(Math.max(...stacks)) + 1;
  }

  /** The building tile that fits nowhere. @param {string} tile */
  discard(tile) {
    this.propose(this.#revealed(tile, { discard: true }));
  }

  #moveTo(place) {
    const ways = this.#waysTo(place);
    const guess = ways[0] ?? guessMove(this.state, this.seat, place, this.from, this.view);
    // Without any key to move, the refusal of a key from the hand says best what is wrong.
    this.propose(guess ?? { type: "place_key", at: place }, ways);
  }

  // What takes shape

  /** Open a part of the sheet. @param {string|null} name @param {any} [rest] */
  open(name, rest = {}) {
    this.draft = null;
    this.ways = [];
    this.panel = name === null || (this.panel?.name === name && !rest.tile) ? null : { name, ...rest };
    this.draw();
  }

  /** Use a bonus tile, or ask for what has to be said of it. @param {number} tile */
  activate(tile) {
    this.report(null);
    if (tile in PAIRED) this.#activateWith(tile, { pairs: mostPairs(this.side, tile) });
    else if (tile === STEP_BACK || tile === TAKE_ANY) {
      this.open("tiles", { tile });
      this.look("track");
    } else this.propose({ type: "activate", tile });
  }

  #activateWith(tile, said) {
    this.panel = { name: "tiles", tile };
    if (Object.keys(said.pairs).length > 0) this.propose({ type: "activate", tile, ...said });
    else this.#refuse({ type: "activate", tile, pairs: { [PAIRED[tile][0]]: 1 } });
  }

  /**
   * Let a move be what OK would record; one that the rules refuse is told at once.
   * @param {AnyParisMove} move
   * @param {AnyParisMove[]} [ways]
   */
  propose(move, ways = []) {
    if (!this.#isKnown(move)) {
      this.#refuse(move);
      return;
    }
    this.draft = move;
    this.ways = ways;
    if (move.landmark) this.#view = move.landmark.district;
    this.report(null);
    this.draw();
  }

  /** Change what a move of a key pays with, discards or places. @param {any} choice */
  amend(choice) {
    const prestige = choice.prestige ?? this.draft.prestige;
    this.draft = amended(this.state, this.edition, this.seat, this.draft, { ...choice, prestige });
    this.draw();
    this.#tellIfRefused(this.draft);
  }

  /** Choose another way to the same place. @param {AnyParisMove} way */
  choose(way) {
    this.draft = way;
    if (way.landmark) this.#view = way.landmark.district;
    this.report(null);
    this.draw();
  }

  get fullPrestige() {
    return fullPrestige(this.state, this.edition, this.seat, this.draft);
  }

  /** Show a part of the board large. @param {string} view */
  look(view) {
    this.#view = view;
    this.draw();
  }

  #isKnown(move) {
    return this.legal === null || this.legal.some((legal) => isEqual(legal, move));
  }

  async #refuse(move) {
    const entry = { seat: this.seat, move };
    const verdict = await this.match.check(entry);
    if (verdict.legal) {
      this.draft = move;
      this.draw();
      return;
    }
    this.draft = null;
    this.wrong = cellsOf(move).slice(-1);
    this.draw();
    this.report(verdict.problem, entry);
  }

  async #tellIfRefused(move) {
    const entry = { seat: this.seat, move };
    const verdict = await this.match.check(entry);
    if (this.draft === move) this.report(verdict.legal ? null : verdict.problem, entry);
  }

  /** Record the move that took shape, or the end of the turn. */
  confirm() {
    return this.match.submit({ seat: this.seat, move: this.draft ?? { type: "end_turn" } });
  }

  // Drawing

  draw() {
    this.#drawBoard();
    this.#drawSheet();
    this.#drawHand();
    this.#offer();
  }

  #drawBoard() {
    const view = this.#view;
    this.#view = null;
    const hands = this.hand === null ? null : [this.#shownHand].filter((seat) => seat !== null);
    this.board.draw(this.state, {
      ghosts: this.#ghosts(),
      gains: this.#gainsOn(),
      hands,
      ...(view === null ? {} : { view }),
    });
  }

  /** What a tap on a place would give at best, where a move is still to be chosen. */
  #gainsOn() {
    if (this.draft !== null) return {};
    return bestOn(this.legal ?? [], this.gains, (move) => {
      if (move.type === "move_key") return this.from === null || move.from === this.from ? [move.to] : [];
      return ["place_key", "advance"].includes(move.type) && this.from === null ? cellsOf(move) : [];
    });
  }

  #ghosts() {
    const { draft, from, seat } = this;
    if (draft === null) {
      const places = this.panel?.tile ? this.#ghostsOfTile(this.panel.tile) : ghostsOf(this.legal ?? [], from);
      return [
        { kind: "places", cells: places },
        { kind: "from", cells: [from].filter(Boolean) },
        { kind: "wrong", cells: this.wrong },
      ];
    }
    const along = draft.landmark && {
      kind: "piece",
      cells: [`landmark-${draft.landmark.tile}`],
      district: draft.landmark.district,
    };
    const cells = cellsOf(draft).filter((place) => place !== draft.from);
    return [
      ...piecesOf(draft, seat),
      along,
      { kind: "chosen", cells },
      { kind: "from", cells: [draft.from].filter(Boolean) },
    ].filter(Boolean);
  }

  #ghostsOfTile(tile) {
    const moves = (this.legal ?? []).filter((move) => move.type === "activate" && move.tile === tile);
    const spaces = Object.keys(this.state.track);
    return moves
      .flatMap(({ to, take }) => (to ? [to] : spaces.filter((space) => this.state.track[space].at(-1) === take)))
      .map((space) => `track:${space}`);
  }

  #drawSheet() {
    const focused = focusedIn(this.sheet)?.dataset.act;
    replace(
      this.sheet,
      h(
        "div",
        { class: "paris-form", "aria-busy": this.#isLearning ? "true" : null },
        h("p", { class: "paris-form-ask", "aria-live": "polite" }, this.#prompt()),
        this.draft !== null && drawPreview(this),
        this.draft !== null && drawOptions(this),
        this.panel !== null && drawPanel(this),
        h("div", { class: "paris-form-acts" }, this.#acts()),
      ),
    );
    if (focused) this.sheet.querySelector(`[data-act="${focused}"]`)?.focus({ preventScroll: true });
  }

  /** The one sentence that says what can be done. */
  #prompt() {
    const { turn, phase } = this.state;
    if (this.seat === null) return t("paris.ask_over");
    if (this.draft !== null) return "";
    if (this.panel?.tile === STEP_BACK || this.panel?.tile === TAKE_ANY) return t(`paris.ask_${this.panel.tile}`);
    if (this.from !== null) return t("paris.ask_to");
    if (this.mustReveal) return t(this.isFree ? "paris.ask_reveal_free" : "paris.ask_reveal");
    if (turn.may_score_tile && this.panel?.name === "score") return t("paris.ask_score");
    if (turn.may_advance && this.can("advance"))
      return turn.advance_fee
        ? t("paris.ask_advance_fee", { francs: tn("paris.francs", turn.advance_fee) })
        : t("paris.ask_advance");
    if (turn.acted) return t("paris.ask_end");
    return t(phase === "final_turns" ? "paris.ask_final" : "paris.ask_act");
  }

  /** What else is possible now, besides tapping the board. */
  #acts() {
    if (this.seat === null) return [];
    const { turn } = this.state;
    const chip = (name, label) =>
      h(
        "button",
        {
          type: "button",
          dataset: { act: name },
          "aria-pressed": String(this.panel?.name === name),
          onclick: () => this.open(name),
        },
        label,
      );
    const held = this.side.bonus.filter((tile) => isActivated(this.edition.bonus[tile]));
    const isDiscard = (this.legal ?? []).some((move) => move.discard);
    return [
      turn.may_score_tile && this.can("score_tile") && chip("score", t("paris.act_score")),
      isDiscard && chip("discard", t("paris.act_discard")),
      this.legal !== null && this.can("take_end_tile") && chip("end_tiles", t("paris.act_end_tile")),
      held.length > 0 && chip("tiles", tn("paris.act_tiles", held.length)),
      this.legal !== null && this.can("trade") && chip("trade", t("paris.act_trade")),
      this.#isEndUnsure &&
        h(
          "button",
          { type: "button", dataset: { act: "end_turn" }, onclick: () => this.confirm() },
          t("paris.end_turn"),
        ),
    ];
  }

  /** Whether a turn without a main action may have to end: without the service nobody knows whether one is possible. */
  get #isEndUnsure() {
    const isUnknown = this.legal === null && !this.#isLearning;
    return isUnknown && this.draft === null && !this.state.turn.acted && !this.mustReveal;
  }

  #drop() {
    this.forget();
    this.report(null);
    this.draw();
  }

  #offer() {
    const act = () => this.confirm();
    const canEnd = this.legal?.some((move) => move.type === "end_turn") ?? this.state.turn.acted;
    const clear = () => this.#drop();
    if (this.seat === null) this.offer(null);
    else if (this.draft !== null) this.offer({ act, clear });
    else if (this.from !== null || this.panel?.tile) this.offer({ clear });
    else this.offer(canEnd ? { act, label: t("paris.end_turn") } : null);
  }

  /** Hands stay hidden until somebody asks, and are hidden again when the turn passes on. */
  #drawHand() {
    if (this.hand === null) return;
    const isShown = this.#shownHand;
    replace(
      this.hand,
      h(
        "div",
        { class: "paris-hand-tabs", role: "group", "aria-label": t("paris.hands") },
        Object.keys(this.state.seats).map((seat) =>
          h(
            "button",
            {
              type: "button",
              dataset: { hand: seat },
              "aria-expanded": String(isShown === seat),
              onclick: () => this.#showHand(seat),
              "aria-label": t(isShown === seat ? "paris.hide_hand" : "paris.show_hand", {
                name: this.match.nameOf(seat),
              }),
            },
            seatSign("paris", seat),
            h("span", { class: "paris-who" }, this.match.nameOf(seat)),
            eye(isShown === seat),
          ),
        ),
      ),
      isShown !== null && drawHand(this.state, this.edition, isShown, this.match.nameOf(isShown)),
    );
  }

  #showHand(seat) {
    const isInSheet = this.hand.contains(document.activeElement);
    this.#shownHand = this.#shownHand === seat ? null : seat;
    this.#drawHand();
    this.#drawBoard();
    if (isInSheet) this.hand.querySelector(`button[data-hand="${seat}"]`).focus({ preventScroll: true });
  }
}
