/** Spaces, squares, turned tiles and outlines of La Cité de la Lumière: numbers only, nothing is drawn here. */

/** The length of the side of a space in the drawing. */
export const SPACE = 48;

const COLUMNS = "abcdefgh";

/** The names of all spaces, row by row. @type {string[]} */
export const CELLS = Array.from({ length: 64 }, (_, index) => nameOf([index % 8, Math.floor(index / 8)]));

/** The top left spaces of the sixteen squares. @type {string[]} */
export const SQUARES = CELLS.filter((cell) => squareOf(cell) === cell);

/** The steps to the four neighbours, by the letter of the compass. */
export const STEPS = { n: [0, -1], e: [1, 0], s: [0, 1], w: [-1, 0] };

/** @param {string} cell @returns {[number, number]} column and row from 0 */
export function pointOf(cell) {
  return [COLUMNS.indexOf(cell[0]), Number(cell[1]) - 1];
}

/** @param {[number, number]} point @returns {string} */
export function nameOf([column, row]) {
  return `${COLUMNS[column]}${row + 1}`;
}

/** The middle of a space in the drawing. @param {string} cell @returns {[number, number]} */
export function middleOf(cell) {
  const [column, row] = pointOf(cell);
  return [SPACE * column + SPACE / 2, SPACE * row + SPACE / 2];
}

/** The square that a space lies in. @param {string} cell @returns {string} */
export function squareOf(cell) {
  const [column, row] = pointOf(cell);
  return nameOf([column - (column % 2), row - (row % 2)]);
}

/** The four spaces of a square, clockwise from the top left one. @param {string} square @returns {string[]} */
export function cellsOfSquare(square) {
  const [column, row] = pointOf(square);
  return [nameOf([column, row]), nameOf([column + 1, row]), nameOf([column + 1, row + 1]), nameOf([column, row + 1])];
}

/** The space beside another, if the board has one. @param {string} cell @param {number[]} step @returns {?string} */
export function beside(cell, [across, down]) {
  const [column, row] = pointOf(cell);
  const point = /** @type {[number, number]} */ ([column + across, row + down]);
  return isOnBoard(point) ? nameOf(point) : null;
}

/** Whether two sets of spaces share an edge. @param {string[]} some @param {string[]} others @returns {boolean} */
export function touch(some, others) {
  return some.some((cell) => Object.values(STEPS).some((step) => others.includes(beside(cell, step) ?? "")));
}

/**
 * What is printed on a tile, clockwise from the top left space, in the letters of a board: o, b, x, l.
 * @param {string} face as an edition writes it @param {string} seat whose tile it is @param {number} rotation
 * @returns {string[]}
 */
export function turnedFace(face, seat, rotation) {
  const [own, rival] = seat === "orange" ? ["o", "b"] : ["b", "o"];
  const letters = [...face].map((letter) => ({ s: own, r: rival })[letter] ?? letter);
  const turns = rotation / 90;
  return letters.map((_, at) => letters[(at - turns + 4) % 4]);
}

/** The corner of a face by which one tells how a tile lies: its lamp, else its mixed space, else the rival's. */
export function markedCorner(face) {
  return ["l", "x", "r"].map((letter) => face.indexOf(letter)).find((at) => at >= 0) ?? 0;
}

/** The rotation that brings the marked corner of a face to a space of its square. @returns {number} */
export function rotationTo(face, cell) {
  const at = cellsOfSquare(squareOf(cell)).indexOf(cell);
  return ((at - markedCorner(face) + 4) % 4) * 90;
}

/** The points of a shape written in rows of `#` and `.`. @param {string[]} rows @returns {[number, number][]} */
export function pointsOf(rows) {
  return rows.flatMap((row, y) =>
    [...row].flatMap((mark, x) => (mark === "#" ? [/** @type {[number, number]} */ ([x, y])] : [])),
  );
}

/** A shape in each way it may lie, without doubles. @param {number[][]} points @param {boolean} flips */
export function orientations(points, flips = false) {
  const found = new Map();
  for (const form of flips ? [points, points.map(([x, y]) => [-x, y])] : [points]) {
    let turned = form;
    for (let turn = 0; turn < 4; turn += 1) {
      const shifted = toOrigin(turned);
      found.set(shifted.join(), found.get(shifted.join()) ?? shifted);
      turned = turned.map(([x, y]) => [-y, x]);
    }
  }
  return [...found.values()];
}

/**
 * Every way in which a shape can cover a space of the board. Those that put the heart of the shape there come first, in
 * the order in which it turns.
 * @param {number[][]} points @param {string} cell @param {boolean} flips @returns {string[][]}
 */
export function placementsOver(points, cell, flips = false) {
  const [column, row] = pointOf(cell);
  const ways = orientations(points, flips).flatMap((shape) => {
    const heart = heartOf(shape);
    return shape.map(([x, y]) => ({
      isHeart: x === heart[0] && y === heart[1],
      points: shape.map(([across, down]) => [column + across - x, row + down - y]),
    }));
  });
  return ways
    .filter((way) => way.points.every(isOnBoard))
    .sort((one, other) => other.isHeart - one.isHeart)
    .map((way) => way.points.map(nameOf));
}

/** The space of a shape where most of it meets; the name of a building stands there. */
export function heartOf(points) {
  const neighbours = ([x, y]) => points.filter(([a, b]) => Math.abs(a - x) + Math.abs(b - y) === 1).length;
  return points.reduce((best, point) => (neighbours(point) > neighbours(best) ? point : best));
}

/** The end of a shape that is farthest from the rest, where the chimney stands. */
export function endOf(points) {
  const neighbours = ([x, y]) => points.filter(([a, b]) => Math.abs(a - x) + Math.abs(b - y) === 1).length;
  return points.reduce((best, point) => (neighbours(point) <= neighbours(best) ? point : best));
}

/**
 * The border of a set of points as an SVG path, so far inside of it and with rounded corners.
 * @param {number[][]} points @param {number} inset @param {number} radius @param {number} size of a space
 * @returns {string}
 */
export function outline(points, inset, radius, size = SPACE) {
  return borders(points)
    .map((loop) => {
      const bends = loop.flatMap(([[column, row], [across, down]], index) => {
        const [, [back, up]] = loop[(index || loop.length) - 1];
        if (back === across && up === down) {
          return [];
        }
        const x = size * column - inset * (up + down);
        const y = size * row + inset * (back + across);
        return [`${x - radius * back} ${y - radius * up}Q${x} ${y} ${x + radius * across} ${y + radius * down}`];
      });
      return `M${bends.join("L")}z`;
    })
    .join("");
}

/** By the step to a neighbour: where the border to it begins, and the step along it. */
const SIDES = [
  [
    [0, -1],
    [0, 0],
    [1, 0],
  ],
  [
    [1, 0],
    [1, 0],
    [0, 1],
  ],
  [
    [0, 1],
    [1, 1],
    [-1, 0],
  ],
  [
    [-1, 0],
    [0, 1],
    [0, -1],
  ],
];

/** The closed lines around a set of points: each corner with the step to the next, the points on the right hand. */
function borders(points) {
  const inside = new Set(points.map(String));
  const edges = new Map();
  for (const [column, row] of points) {
    for (const [[beyond, below], [across, down], step] of SIDES) {
      if (!inside.has(String([column + beyond, row + below]))) {
        const corner = [column + across, row + down];
        edges.set(String([corner, step]), [corner, step]);
      }
    }
  }
  const loops = [];
  while (edges.size) {
    let [corner, step] = edges.values().next().value;
    const loop = [];
    while (edges.delete(String([corner, step]))) {
      loop.push([corner, step]);
      corner = [corner[0] + step[0], corner[1] + step[1]];
      const [across, down] = step;
      // Where two spaces meet at a corner only, a turn to the right keeps to the one along which the line came.
      const turns = [[-down, across], step, [down, -across]];
      step = turns.find((turn) => edges.has(String([corner, turn]))) ?? step;
    }
    loops.push(loop);
  }
  return loops;
}

function toOrigin(points) {
  const [left, top] = [Math.min(...points.map(([x]) => x)), Math.min(...points.map(([, y]) => y))];
  return points.map(([x, y]) => [x - left, y - top]).sort(([a, b], [c, d]) => b - d || a - c);
}

function isOnBoard([column, row]) {
  return column >= 0 && column < 8 && row >= 0 && row < 8;
}
