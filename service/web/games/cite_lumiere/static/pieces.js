/** Drawings of single things: spaces, tiles and pieces on the board, and their pictures in the sheet. */
import { svg } from "../../js/dom.js";
import { SIGN, use } from "./symbols.js";
import {
  SPACE,
  cellsOfSquare,
  endOf,
  heartOf,
  markedCorner,
  middleOf,
  orientations,
  outline,
  pointOf,
  pointsOf,
  touch,
  turnedFace,
} from "./geometry.js";
import { CARD_SYMBOL } from "./parts.js";

/** The pieces that are a symbol on a plate. */
const SYMBOLS = new Set(["dancer", "fountain", "grand_lamp", "lamp", "painter", "statue"]);
const QUARTERS = { n: 0, e: 90, s: 180, w: 270 };

/** The ground of a space, with its print where nothing lies on it. */
export function drawGround(letter, cell, isCovered) {
  const [x, y] = middleOf(cell);
  return [use(letter, x, y), isCovered ? null : use(`print-${letter}`, x, y)];
}

/**
 * A piece as it lies on the board.
 * @param {{piece: string, owner: string, cells: string[], joins?: string, facing?: string}} piece
 * @param {string[]} home the spaces of the building that an annex joins
 */
export function drawPiece(piece, home = []) {
  const { piece: name, owner, cells } = piece;
  const drawing =
    name === "garden"
      ? drawGarden(cells, owner)
      : name === "annex"
        ? drawAnnex(cells[0], home, owner)
        : SYMBOLS.has(name)
          ? drawSymbol(name, cells, owner, piece.facing)
          : drawBuilding(name, cells.map(pointOf), owner);
  const told = { "data-piece": name, "data-owner": owner, "data-cells": cells.join(" ") };
  return svg("g", { ...told, "data-joins": piece.joins, "data-facing": piece.facing }, ...drawing);
}

/** The spaces of a tile where it would lie. */
export function drawTile(face, seat, square, rotation) {
  const letters = turnedFace(face, seat, rotation);
  const spaces = cellsOfSquare(square).flatMap((cell, at) => drawGround(letters[at], cell, false));
  return svg("g", { "data-tile": square }, ...spaces);
}

/** The picture of a tile, its marked corner pointed out. */
export function pictureOfTile(face, seat) {
  const corner = cellsOfSquare("a1")[markedCorner(face)];
  const [column, row] = pointOf(corner);
  const [x, y] = [column * 2 * SPACE, row * 2 * SPACE];
  const [across, down] = [column ? -22 : 22, row ? -22 : 22];
  const cross = { stroke: "var(--cite-line)", "stroke-opacity": 0.3 };
  const mark = { fill: "var(--cite-lamp)", stroke: "var(--cite-night)", "stroke-width": 2 };
  return picture(
    [0, 0, 2 * SPACE, 2 * SPACE],
    drawTile(face, seat, "a1", 0),
    svg("path", { d: `M${SPACE} 0V${2 * SPACE}M0 ${SPACE}H${2 * SPACE}`, ...cross }),
    svg("path", { d: `M${x} ${y}h${across}L${x} ${y + down}z`, ...mark }),
  );
}

/** The picture of a building, lying broad; the space that a tap on the board places is the one with the sign. */
export function pictureOfBuilding(rows, seat) {
  const points = orientations(pointsOf(rows)).reduce((best, one) => (heightOf(one) < heightOf(best) ? one : best));
  const [width, height] = [Math.max(...points.map(([x]) => x)) + 1, heightOf(points)];
  const [x, y] = heartOf(points);
  const tall = Math.max(2, height); // so that a row of three is not drawn larger than the others
  const stroke = seat ? "var(--cite-on-roof)" : "var(--cite-line)";
  return picture(
    [-3, -3 - ((tall - height) * SPACE) / 2, width * SPACE + 6, tall * SPACE + 8],
    ...block("path", { d: outline(points, 2, 8) }, seat ? `url(#cite-roof-${seat})` : "var(--cite-stone)"),
    svg("path", { d: inner(points), stroke, "stroke-opacity": 0.35, "stroke-width": 2 }),
    seat
      ? use(SIGN[seat], x * SPACE + 24, y * SPACE + 24, 34, "on-roof")
      : svg("circle", { cx: x * SPACE + 24, cy: y * SPACE + 24, r: 7, fill: "var(--cite-line)" }),
  );
}

/** The picture of a postcard. */
export function pictureOfCard(card) {
  return picture([-24, -24, 48, 48], use(CARD_SYMBOL[card], 0, 0, 44));
}

function picture(box, ...drawing) {
  return svg("svg", { viewBox: box.join(" "), class: "cite-picture", "aria-hidden": "true" }, ...drawing);
}

function drawBuilding(name, points, seat) {
  const [x, y] = heartOf(points);
  const [column, row] = endOf(points);
  return [
    ...block("path", { d: outline(points, 3, 8) }, `url(#cite-roof-${seat})`),
    svg("text", { x: x * SPACE + 24, y: y * SPACE + 30, class: "cite-name" }, name),
    use(`chimney-${seat}`, column * SPACE + 24, row * SPACE + 24, 32),
  ];
}

function drawGarden(cells, seat) {
  const [x, y] = between(cells);
  // Trees give way to the chimney between them.
  const trees = cells.map(middleOf).map(([a, b]) => use("tree", a + (a - x) / 4, b + (b - y) / 4, 36, "leaves"));
  return [
    ...block("path", { d: outline(cells.map(pointOf), 3, 14) }, "var(--cite-lawn)"),
    ...trees,
    use(`chimney-${seat}`, x, y, 28),
  ];
}

/** A wing that reaches over the border of its space into the building, or is tied to one that it does not touch. */
function drawAnnex(cell, home, seat) {
  const [x, y] = middleOf(cell);
  const [column, row] = pointOf(cell);
  const homes = home.map((other) => String(pointOf(other)));
  const reach = (across, down) => (homes.includes(String([column + across, row + down])) ? 28 : 17);
  const [left, top, right, bottom] = [reach(-1, 0), reach(0, -1), reach(1, 0), reach(0, 1)];
  const wing = { x: x - left, y: y - top, width: left + right, height: top + bottom, rx: 5 };
  return [
    ...(home.length && !touch([cell], home) ? [tie(cell, home, seat)] : []),
    ...block("rect", wing, `url(#cite-roof-${seat})`),
    use("plus", x - 4, y - 4),
    use(`badge-${seat}`, x + 10, y + 10, 21),
  ];
}

function tie(cell, home, seat) {
  const here = middleOf(cell);
  const distance = (other) => Math.hypot(other[0] - here[0], other[1] - here[1]);
  const far = home.map(middleOf).reduce((near, other) => (distance(other) < distance(near) ? other : near));
  const d = `M${here}L${far}`;
  return svg("path", { d, stroke: `var(--cite-roof-${seat})`, "stroke-width": 5, "stroke-dasharray": "7 4" });
}

/** A symbol on a plate with the owner's badge; the large lamp shines on its printed one instead. */
function drawSymbol(name, cells, seat, facing) {
  const [x, y] = between(cells);
  const plate = { d: outline(cells.map(pointOf), 4, 18) };
  const [lastX, lastY] = middleOf(cells.at(-1));
  return [
    ...(name === "grand_lamp" ? [] : block("path", plate, "var(--cite-plate)", `var(--cite-roof-${seat})`)),
    cells.length === 1 ? use(name, x - 2, y - 2) : use(name, x, y, 60),
    use(`badge-${seat}`, lastX + 12, lastY + 12, 20),
    facing
      ? svg("path", {
          d: "M0-29L8-17H-8z",
          transform: `translate(${x} ${y}) rotate(${QUARTERS[facing]})`,
          fill: "var(--cite-ink)",
          stroke: "var(--cite-plate)",
          "stroke-width": 1.5,
          "stroke-linejoin": "round",
        })
      : null,
  ];
}

/** A solid form with a shadow. */
function block(tag, form, fill, stroke = "var(--cite-night)") {
  return [
    svg(tag, { ...form, transform: "translate(1 3)", fill: "var(--cite-shadow)" }),
    svg(tag, { ...form, fill, stroke, "stroke-width": 2 }),
  ];
}

/** The lines between the spaces of a shape. */
function inner(points) {
  const has = (x, y) => points.some(([a, b]) => a === x && b === y);
  return (
    points
      .flatMap(([x, y]) => [
        has(x + 1, y) ? `M${(x + 1) * SPACE} ${y * SPACE + 6}v${SPACE - 12}` : "",
        has(x, y + 1) ? `M${x * SPACE + 6} ${(y + 1) * SPACE}h${SPACE - 12}` : "",
      ])
      .join("") || "M0 0"
  );
}

function between(cells) {
  const [[left, top], [right, bottom]] = [middleOf(cells[0]), middleOf(cells.at(-1))];
  return [(left + right) / 2, (top + bottom) / 2];
}

function heightOf(points) {
  return Math.max(...points.map(([, y]) => y)) + 1;
}
