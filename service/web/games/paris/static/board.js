/**
 * The table of Paris: whole where there is room for it, else the districts as strips that open in place. Drawing and taps
 * only.
 */

/** @import { ParisState } from "../../../types/api.js" */
/** @import { Board, BoardOptions, Shown } from "../../js/game.js" */

import { focusedIn, h, on, renew, replace } from "../../js/dom.js";
import { seatName } from "../../js/seats.js";
import { t } from "../../js/texts.js";
import { drawSupply, drawTrack } from "./beside.js";
import { drawArc, drawDistrict, drawStar } from "./city.js";
import { drawCards } from "./hands.js";
import { moveWhatMoved } from "./motion.js";
import { bare, cellsOf, topOf, viewOf } from "./position.js";
import { sign } from "./signs.js";
import { litBy, piecesBy } from "./things.js";

/** The districts as they stand in strips, two in a row: the west to the left. */
const IN_ROWS = ["batignolles", "montmartre", "chaillot", "la_villette", "saint_germain", "belleville"];
/** Pixels from which the whole table is in sight. */
const WHOLE = 640;
/** Milliseconds for each thing that gave points, and for all of them. */
const [STEP, CELEBRATION] = [260, 4000];
const GLOW = [{ filter: "brightness(1.5) drop-shadow(0 0 8px #f5c451)" }, { filter: "none" }];

/**
 * The board in an element. A tap tells the place; one on a strip tells the view that was chosen, and one on a screen whose
 * hand. Ghosts are `places` to tap, where something comes `from` or is `chosen`, `waiting` or `wrong`, and a `piece`: a key
 * or tile to come. `view` is what is open where there is no room for everything: a district, `track` or `supply`.
 * @param {HTMLElement} host @param {BoardOptions} options @returns {Board}
 */
export function createBoard(host, { edition, nameOf = seatName, onTap = null }) {
  const board = new TableOfParis(host, bare(edition), nameOf, onTap);
  return {
    draw: (state, shown) => board.draw(state, shown),
    focus: (place) => place && board.find(place)?.focus(),
    celebrate: (items) => board.celebrate(items),
    dispose: () => board.dispose(),
  };
}

class TableOfParis {
  /** @type {ParisState | null} */
  #state = null;
  /** @type {any} */
  #lastMove = null;
  #view = "montmartre";

  constructor(host, sheet, nameOf, onTap) {
    this.host = host;
    this.sheet = sheet;
    this.nameOf = nameOf;
    this.onTap = onTap;
    host.classList.add("paris");
    this.#view = host.dataset.view ?? this.#view;
    this.stops = [
      on(host, "click", "[data-show]", (_, element) => this.#choose(element.dataset.show)),
      on(host, "click", "button[data-place]", (_, element) => this.onTap?.({ place: element.dataset.place })),
      on(host, "click", "button[data-hand]", (_, element) => this.onTap?.({ hand: element.dataset.hand })),
    ];
    this.sizes = new ResizeObserver(() => this.#fit());
    this.sizes.observe(host);
    this.#fit();
  }

  draw(/** @type {ParisState} */ state, /** @type {Shown} */ shown = {}) {
    const before = this.#state;
    const view = shown.view ?? this.#viewOfNews(state, shown) ?? this.#view;
    const isOther = view !== this.#view;
    const { place, show, hand } = focusedIn(this.host)?.dataset ?? {};
    const whatMoved = moveWhatMoved(this, before, this.#lastMove, state, shown.lastMove ?? null);
    this.#state = state;
    this.#view = view;
    this.#lastMove = shown.lastMove ?? null;
    Object.assign(this.host.dataset, { view: this.#view, ply: state.ply });
    this.host.classList.toggle("paris-tapped", this.#isTapped(shown));
    renew(this.host, h("div", { class: "paris-table" }, this.#drawAll(state, shown)));
    if (before === null || (isOther && this.#view === "track")) this.#seek();
    if (place) this.find(place)?.focus({ preventScroll: true });
    else if (show) this.#focus(`[data-show="${show}"]`);
    else if (hand) this.#focus(`button[data-hand="${hand}"]`);
    whatMoved();
  }

  dispose() {
    for (const stop of this.stops) stop();
    this.sizes.disconnect();
    this.#state = null;
    replace(this.host);
  }

  /** Light up what gave points, the fewest first. */
  async celebrate(items) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const ply = this.#state?.ply;
    const given = items.filter(({ points }) => points > 0).sort((one, other) => one.points - other.points);
    for (const { cells } of given) {
      if (this.#state?.ply !== ply) return;
      for (const place of cells) this.find(place)?.animate(GLOW, { duration: 900, easing: "ease-out" });
      await new Promise((resolve) => setTimeout(resolve, Math.min(STEP, CELEBRATION / given.length)));
    }
  }

  /** @param {string} place @returns {HTMLElement | null} */
  find(place) {
    return this.host.querySelector(`[data-place="${CSS.escape(place)}"]`);
  }

  #focus(selector) {
    /** @type {HTMLElement | null} */ (this.host.querySelector(selector))?.focus({ preventScroll: true });
  }

  #isTapped({ isTappable = true }) {
    return this.onTap !== null && isTappable;
  }

  #fit() {
    this.host.classList.toggle("paris-whole", this.host.clientWidth >= WHOLE);
  }

  /** Where points come from, and for those who only watch where the last move went. */
  #viewOfNews(state, /** @type {Shown} */ { light, lastMove }) {
    if (light) return light.cells.map((place) => viewOf(state, place)).find(Boolean);
    if (this.onTap !== null || !lastMove || this.#lastMove?.ply === lastMove.ply) return null;
    return cellsOf(lastMove.move, lastMove.seat)
      .reverse()
      .map((place) => viewOf(state, place))
      .find(Boolean);
  }

  #choose(view) {
    this.#view = view;
    this.host.dataset.view = view;
    for (const button of this.host.querySelectorAll("[data-show]")) {
      const isOpen = button.dataset.show === view;
      button.setAttribute("aria-pressed", String(isOpen));
      button.closest("[data-district]")?.toggleAttribute("data-open", isOpen);
    }
    if (view === "track") this.#seek();
    this.onTap?.({ view });
  }

  /** Let the strip of the track begin with what is within reach: the first tile before the pawn of the seat to move. */
  #seek() {
    const state = /** @type {ParisState} */ (this.#state);
    const strip = this.host.querySelector(".paris-track");
    const { track } = state.seats[state.to_move ?? Object.keys(state.seats)[0]];
    const within = Array.from({ length: 30 - track }, (_, at) => track + 1 + at);
    const first = within.find((space) => topOf(state, space) !== undefined) ?? Math.max(1, track);
    const space = this.find(`track:${first}`);
    if (space) strip.scrollLeft = space.offsetLeft - strip.offsetLeft - 8;
  }

  #drawAll(state, /** @type {Shown} */ shown) {
    /** @type {import("./things.js").Table} */
    const table = {
      state,
      sheet: this.sheet,
      nameOf: this.nameOf,
      isTapped: this.#isTapped(shown),
      hands: shown.hands ?? null,
      lit: litBy(shown),
      pieces: piecesBy(shown),
      gains: shown.gains ?? {},
    };
    const tab = (name, symbol) =>
      h(
        "button",
        {
          type: "button",
          class: "paris-tab",
          dataset: { show: name },
          "aria-pressed": String(name === this.#view),
        },
        sign(symbol, 18),
        t(`paris.${name}`),
      );
    return [
      drawStar(),
      IN_ROWS.map((district) => drawDistrict(table, district, district === this.#view)),
      h("div", { class: "paris-tabs" }, drawArc(table), tab("track", "pawn"), tab("supply", "tile")),
      drawTrack(table),
      drawSupply(table),
      drawCards(table),
    ];
  }
}
