/** The one board of a page. It can be tapped or only looked at, and celebrates a match that ends. */

/** @import { Game, ScoreItem } from "../game.js" */

import { isEqual } from "../equal.js";

export class MatchBoard {
  #isTappable = false;
  /** What was drawn last. @type {any} */
  #drawn = null;

  /**
   * @param {HTMLElement} host @param {Game} game
   * @param {{edition: any, nameOf: (seat: string) => string, onTap: ((tapped: any) => void) | null}} options
   */
  constructor(host, game, options) {
    this.host = host;
    this.game = game;
    this.options = options;
    this.board = game.createBoard(host, options);
  }

  /** Draw with the printed values of another edition. @param {any} edition */
  use(edition) {
    this.board.dispose();
    this.options = { ...this.options, edition };
    this.board = this.game.createBoard(this.host, this.options);
    this.#drawn = null;
  }

  /** Whether taps are heard. @param {boolean} isTappable */
  tappable(isTappable) {
    this.#isTappable = isTappable;
  }

  /** Draw, unless that is drawn: a page draws whenever something of the match has changed, and a board is most of it. */
  draw(state, shown = {}) {
    const drawing = {
      state,
      shown,
      isTappable: this.#isTappable,
      names: Object.keys(state.score).map(this.options.nameOf),
    };
    // The reader may have opened another view meanwhile.
    if (!shown.view && isEqual(drawing, this.#drawn)) return;
    this.#drawn = drawing;
    this.board.draw(state, { ...shown, isTappable: this.#isTappable });
  }

  focus(place) {
    this.board.focus(place);
  }

  /** Light up once what gave points. @param {ScoreItem[]} items @returns {Promise<void>} */
  celebrate(items) {
    return this.board.celebrate(items);
  }
}
