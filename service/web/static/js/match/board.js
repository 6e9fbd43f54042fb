/** The one board of a page. It can be tapped or only looked at, and shows by a short motion what was moved last. */

/** @import { Game } from "../game.js" */

const MOTION = 180;
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

export class MatchBoard {
  #isTappable = false;
  #ply = null;

  /**
   * @param {HTMLElement} host @param {Game} game
   * @param {{edition: any, nameOf: (seat: string) => string, onTap: (tapped: any) => void}} options
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
    const { lastMove } = shown;
    if (lastMove && this.#ply !== null && lastMove.ply - this.#ply === 1) this.#move();
    this.#ply = lastMove?.ply ?? 0;
  }

  focus(place) {
    this.board.focus(place);
  }

  /** Let what was moved last come into its place. */
  #move() {
    if (STILL.matches) return;
    for (const element of this.host.querySelectorAll(".last, .cite-lastmove > *"))
      element.animate(
        { opacity: [0, 1], scale: ["1.25", "1"], transformOrigin: ["center", "center"] },
        { duration: MOTION, easing: "ease-out" },
      );
  }
}
