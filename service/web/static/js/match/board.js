/** The one board of a page. It can be tapped or only looked at, and celebrates a match that ends. */

/** @import { Game, ScoreItem } from "../game.js" */

export class MatchBoard {
  #isTappable = false;

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
  }

  /** Whether taps are heard. @param {boolean} isTappable */
  tappable(isTappable) {
    this.#isTappable = isTappable;
  }

  draw(state, shown = {}) {
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
