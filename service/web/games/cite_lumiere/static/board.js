/** The board of La Cité de la Lumière in a page: drawn from a state, tapped, and walked over with the arrow keys. */
/** @import { CiteLumiereState } from "../../../types/api.js" */
/** @import { Board, BoardOptions } from "../../js/game.js" */

import { h, replace, svg } from "../../js/dom.js";
import { seatName } from "../../js/seats.js";
import { t } from "../../js/texts.js";
import { provideSymbols } from "./symbols.js";
import { CELLS, SPACE, STEPS, beside, cellsOfSquare, middleOf, outline, pointOf } from "./geometry.js";
import { faceOf, seatOfTile } from "./parts.js";
import { drawGround, drawPiece, drawTile } from "./pieces.js";
import { withSign } from "../../js/minus.js";
import { cellsOf } from "./position.js";

const BOARD = 8 * SPACE;
/** Left and above, where the coordinates stand, and right and below. */
const [MARGIN, EDGE] = [15, 3];
const SIZE = MARGIN + BOARD + EDGE;
const ARROWS = { ArrowUp: STEPS.n, ArrowRight: STEPS.e, ArrowDown: STEPS.s, ArrowLeft: STEPS.w };
const GROUND_WORD = { o: "orange", b: "blue", x: "mixed", l: "lamp", ".": "unpaved" };

/** What a space is called: marks of notes from before they were checked may name anything. */
const SPACE_NAME = /^[a-h][1-8]$/;

/**
 * A board whose ghosts are `places` or a `square` one can choose, what is `wrong` or `waiting` on its cells, a `tile` with
 * where it lies and its rotation, and a `piece`, which may be `isForbidden`.
 * @param {HTMLElement} host whose content the board becomes @param {BoardOptions} options @returns {Board}
 */
export function createBoard(host, { edition, nameOf = seatName, onTap = null }) {
  provideSymbols();
  const layers = {};
  const drawn = {};
  let celebrated = null;
  let ply = null;
  const surface = svg("g", { transform: `translate(${MARGIN} ${MARGIN})` });
  for (const name of ["ground", "pieces", "lastMove", "light", "ghosts", "marks"]) {
    layers[name] = svg("g", { class: `cite-${name.toLowerCase()}` });
    surface.append(layers[name], ...(name === "ground" ? [lines()] : []));
  }
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${SIZE} ${SIZE}`, class: "cite-board-picture" },
    frame(),
    surface,
    coordinates(),
  );
  const telling = h("p", { class: "unseen" });
  const keys = onTap ? createKeys(onTap) : null;
  let isTapped = null;
  host.classList.add("cite-board");
  const table = h("div", { class: "cite-table" }, picture, telling);
  replace(host, table);

  /** Spaces are buttons where they can be tapped; else the board is a picture. */
  function letTap(isTappable) {
    if (isTapped === isTappable) {
      return;
    }
    isTapped = isTappable;
    if (keys && isTappable) {
      table.append(keys.element);
      picture.setAttribute("aria-hidden", "true");
      picture.removeAttribute("role");
    } else {
      keys?.element.remove();
      picture.removeAttribute("aria-hidden");
      picture.setAttribute("role", "img");
      picture.setAttribute("aria-label", t("cite-lumiere.board"));
    }
  }

  /** Let what was laid last come down on the board. */
  function land(move) {
    if (!move || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      return;
    }
    const isTile = move.type === "pave";
    const laid = isTile
      ? drawTile(faceOf(edition, move.tile), seatOfTile(move.tile), move.at, move.rotation)
      : layers.pieces.querySelector(`[data-cells="${cellsOf(move).join(" ")}"]`);
    if (!laid) {
      return;
    }
    laid.classList.add("cite-lands");
    if (isTile) {
      layers.lastMove.prepend(laid);
    }
    const motion = laid.animate([{ transform: "scale(1.3)", opacity: 0.3 }, {}], {
      duration: MOTION,
      easing: "ease-out",
    });
    if (isTile) {
      motion.finished.finally(() => laid.remove()).catch(() => {});
    }
  }

  /** Draws a layer anew if what it shows is not what it showed. */
  function layer(name, value, draw) {
    const key = JSON.stringify(value);
    if (drawn[name] !== key) {
      drawn[name] = key;
      replace(layers[name], draw());
    }
  }

  return {
    draw(/** @type {CiteLumiereState} */ state, { isTappable = true, lastMove, ghosts = [], marks = [], light } = {}) {
      const { board, pieces } = state;
      letTap(keys !== null && isTappable);
      if (light || state.ply !== ply) {
        celebrated = null;
      }
      const covered = new Set(pieces.flatMap((piece) => piece.cells));
      layer("ground", [board, [...covered]], () => drawBoard(board, covered));
      layer("pieces", pieces, () => pieces.map((piece) => drawPiece(piece, homeOf(piece, pieces))));
      layer("lastMove", lastMove?.move, () => drawLastMove(lastMove?.move));
      if (celebrated === null) {
        layer("light", light ?? null, () => drawLight(light));
      }
      layer("ghosts", [ghosts, pieces], () => ghosts.map((ghost) => drawGhost(ghost, edition, pieces)));
      layer("marks", marks, () => marks.filter(({ cell }) => SPACE_NAME.test(cell)).map(drawMark));
      if (ply !== null && state.ply === ply + 1) {
        land(lastMove?.move);
      }
      ply = state.ply;
      telling.textContent = tellPosition(state, nameOf);
      keys?.label((cell) => tellCell(state, cell, nameOf));
    },
    focus: (cell) => keys?.focus(cell),
    async celebrate(items) {
      const steps = celebration(items);
      celebrated = steps;
      for (const light of steps) {
        layer("light", light, () => drawLight(light));
        await new Promise((resolve) => setTimeout(resolve, Math.min(STEP, CELEBRATION / steps.length)));
        if (celebrated !== steps) {
          return;
        }
      }
      celebrated = null;
      layer("light", null, () => []);
    },
    dispose: () => {
      celebrated = null;
      replace(host);
    },
  };
}

/** Milliseconds in which what is laid comes down. */
const MOTION = 180;
/** Milliseconds for each lamp, and for all of them. */
const [STEP, CELEBRATION] = [260, 4000];

/** The lamps that gave points, the fewest points first; each stays lit. Nothing where motion is reduced. */
function celebration(items) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    return [];
  }
  const lit = items.filter(({ points, sources }) => points > 0 && sources.length > 0);
  const inOrder = lit.sort((one, other) => one.points - other.points);
  return inOrder.map(({ cells }, at) => ({
    cells,
    sources: inOrder.slice(0, at + 1).flatMap(({ sources }) => sources),
  }));
}

/** One button for each space; one of them at a time is in the order of the tab key. */
function createKeys(onTap) {
  let current = "a1";
  const buttons = new Map(
    CELLS.map((cell) => {
      const tabindex = cell === current ? 0 : -1;
      return [cell, h("button", { type: "button", class: "cite-key", tabindex, "data-cell": cell })];
    }),
  );
  const buttonOf = (cell) => /** @type {HTMLButtonElement} */ (buttons.get(cell));
  const label = t("cite-lumiere.board");
  const element = h("div", { class: "cite-keys", role: "group", "aria-label": label }, ...buttons.values());
  const moveTo = (cell) => {
    buttonOf(current).tabIndex = -1;
    current = cell;
    buttonOf(cell).tabIndex = 0;
  };
  element.addEventListener("click", (event) => {
    const { cell } = /** @type {HTMLElement} */ (event.target).dataset;
    if (cell) {
      moveTo(cell);
      onTap({ place: cell });
    }
  });
  element.addEventListener("keydown", (event) => {
    const next = ARROWS[event.key] && beside(current, ARROWS[event.key]);
    if (next) {
      event.preventDefault();
      moveTo(next);
      buttonOf(next).focus();
    }
  });
  return {
    element,
    focus: (cell) => buttonOf(cell ?? current).focus(),
    label(tell) {
      for (const [cell, button] of buttons) {
        const label = tell(cell);
        if (button.getAttribute("aria-label") !== label) {
          button.setAttribute("aria-label", label);
        }
      }
    },
  };
}

function frame() {
  return svg("rect", { width: SIZE, height: SIZE, rx: 6, fill: "var(--cite-frame)" });
}

/** They stand in the margin, or on a narrow phone, which has no room for it, on the spaces. */
function coordinates() {
  const letters = [..."abcdefgh"].map((letter, at) =>
    svg("text", { x: MARGIN + SPACE * at + SPACE / 2, y: 11 }, letter),
  );
  const numbers = [..."12345678"].map((number, at) =>
    svg("text", { x: 7, y: MARGIN + SPACE * at + SPACE / 2 + 4 }, number),
  );
  return svg(
    "g",
    { class: "cite-coordinates" },
    svg("g", { class: "cite-letters" }, letters),
    svg("g", { class: "cite-numbers" }, numbers),
  );
}

function lines() {
  const grid = (steps) => steps.map((at) => `M${SPACE * at} 0V${BOARD}M0 ${SPACE * at}H${BOARD}`).join("");
  const edge = { stroke: "var(--cite-frame)", "stroke-width": 3, "stroke-linecap": "square" };
  return svg(
    "g",
    {},
    svg("path", { d: grid([1, 3, 5, 7]), stroke: "var(--cite-line)", "stroke-opacity": 0.22 }),
    svg("path", { d: grid([0, 2, 4, 6, 8]), ...edge }),
  );
}

function drawBoard(board, covered) {
  const paved = CELLS.map((cell) => {
    const [column, row] = pointOf(cell);
    const letter = board[row][column];
    return letter === "." ? null : drawGround(letter, cell, covered.has(cell));
  });
  return [svg("rect", { width: BOARD, height: BOARD, fill: "var(--cite-unpaved)" }), ...paved];
}

function drawLastMove(move) {
  const cells = move ? cellsOf(move) : [];
  if (cells.length === 0) {
    return [];
  }
  const d = outline(cells.map(pointOf), 0, 6);
  return [svg("path", { d, class: "cite-last-edge" }), svg("path", { d, class: "cite-last-line" })];
}

function drawLight(light) {
  if (!light) {
    return [];
  }
  const cells = light.cells.map(pointOf);
  return [
    cells.length ? svg("path", { d: outline(cells, 1, 8), class: "cite-lit" }) : null,
    ...light.sources.map((cell) => {
      const [x, y] = middleOf(cell);
      return edged("circle", { cx: x, cy: y, r: 18 }, "cite-source-edge", "cite-source");
    }),
  ];
}

function drawGhost(ghost, edition, pieces) {
  if (ghost.kind === "places") {
    return ghost.cells.map((cell) => {
      const [x, y] = middleOf(cell);
      const box = { x: x - 19, y: y - 19, width: 38, height: 38, rx: 8 };
      const points = ghost.best?.[cell];
      return [
        edged("rect", box, "cite-place-edge", "cite-place"),
        points === undefined ? null : svg("text", { x, y: y + 5, class: "cite-best" }, withSign(points)),
      ];
    });
  }
  const cells = ghost.kind === "tile" ? cellsOfSquare(ghost.at) : ghost.cells;
  const d = outline(cells.map(pointOf), 1, 8);
  const drawing =
    ghost.kind === "tile"
      ? drawTile(faceOf(edition, ghost.tile), seatOfTile(ghost.tile), ghost.at, ghost.rotation)
      : ghost.kind === "piece"
        ? svg("g", { class: "cite-ghost-piece" }, drawPiece(ghost, homeOf(ghost, pieces)))
        : null;
  const kind = ghost.isForbidden ? "wrong" : ghost.kind;
  return svg(
    "g",
    { "data-ghost": kind, "data-cells": cells.join(" "), "data-rotation": ghost.rotation },
    drawing,
    svg("path", { d, class: `cite-${kind}-edge` }),
    svg("path", { d, class: `cite-${kind}-line` }),
    ghost.isForbidden ? cells.map(drawCross) : null,
  );
}

/** Says of a space, whatever its colours, that it may not be covered so. */
function drawCross(cell) {
  const [x, y] = middleOf(cell);
  return edged("path", { d: `M${x - 9} ${y - 9}l18 18m0 -18l-18 18` }, "cite-wrong-edge", "cite-cross");
}

/** A line with an edge, so that it is seen on every ground. */
function edged(tag, form, edge, line) {
  return svg("g", {}, svg(tag, { ...form, class: edge }), svg(tag, { ...form, class: line }));
}

function drawMark({ cell, kind }) {
  const [x, y] = middleOf(cell);
  return svg(
    "g",
    { "data-mark": kind },
    svg("circle", { cx: x, cy: y, r: 17, class: "cite-mark-edge" }),
    svg("circle", { cx: x, cy: y, r: 17, class: `cite-mark cite-mark-${kind}` }),
  );
}

function homeOf(piece, pieces) {
  return pieces.find((other) => other.piece === piece.joins)?.cells ?? [];
}

function pieceOn(state, cell) {
  return state.pieces.find((piece) => piece.cells.includes(cell)) ?? null;
}

function tellCell(state, cell, nameOf) {
  const [column, row] = pointOf(cell);
  const ground = t(`cite-lumiere.ground_${GROUND_WORD[state.board[row][column]]}`);
  const piece = pieceOn(state, cell);
  return piece ? `${cell}, ${ground}, ${tellPiece(piece, nameOf)}` : `${cell}, ${ground}`;
}

function tellPiece(piece, nameOf) {
  const name = nameOfPiece(piece.piece);
  return t("cite-lumiere.piece_of", { piece: name, seat: nameOf(piece.owner) });
}

/** The whole position in words, for who does not see it. */
function tellPosition(state, nameOf) {
  const lines = state.pieces.map((piece) => `${tellPiece(piece, nameOf)}: ${piece.cells.join(" ")}.`);
  const rows = state.board.map(
    (row, at) => `${at + 1}: ${[...row].map((letter) => t(`cite-lumiere.ground_${GROUND_WORD[letter]}`)).join(", ")}.`,
  );
  return [...lines, ...rows].join(" ");
}

/** A building by its letters and size, any other piece by its name. @param {string} piece @returns {string} */
function nameOfPiece(piece) {
  return /^[A-Z]\d$/.test(piece) ? piece : t(`cite-lumiere.piece_${piece}`);
}
