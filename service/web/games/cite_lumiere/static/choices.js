/**
 * What a choice in the sheet may become on the board: which moves a tap on a space could mean.
 *
 * A choice is a tile, a building of the supply or of the reserve, a postcard, or to pass. What is legal is for the
 * engine to say; without its list, as when the network is away, everything that a shape can cover is offered.
 *
 * @typedef {{kind: "pave", tile: string} | {kind: "take", building: string} | {kind: "build", building: string} |
 *   {kind: "card", card: string, give?: string, take?: string, isDeclined?: boolean} | {kind: "pass"}} Choice
 * @typedef {{state: CiteLumiereState, seat: string, edition: object, legal: ?AnyCiteMove[]}} Table
 */
/** @import { CiteLumiereState } from "../../../types/api.js" */
/** @import { AnyCiteMove } from "../../../types/moves.js" */

import { SQUARES, placementsOver, pointOf, pointsOf, rotationTo, squareOf, touch } from "./geometry.js";
import { faceOf, rivalOf, shapeOf } from "./parts.js";
import { cellsOf } from "./position.js";

/** The postcards that are a right: taking them is all. */
export const RIGHTS = new Set(["chartier", "metropolitain", "sacre_coeur"]);
const FACINGS = ["n", "e", "s", "w"];
const LETTER = { orange: "o", blue: "b" };

/** The move that a choice is without any space, if it is one. @param {?Choice} choice @returns {?AnyCiteMove} */
export function bareMove(choice) {
  switch (choice?.kind) {
    case "take":
      return { type: "take", building: choice.building };
    case "pass":
      return { type: "pass" };
    case "card":
      return RIGHTS.has(choice.card) || choice.isDeclined ? { type: "postcard", card: choice.card } : null;
    default:
      return null;
  }
}

/** Whether one may pass, as far as it is known what is legal. @param {AnyCiteMove[]|null} legal @returns {boolean} */
export function mayPass(legal) {
  return legal?.some((move) => move.type === "pass") ?? true;
}

/** Whether a tap on the board would tell more of a choice. @param {?Choice} choice @returns {choice is Choice} */
export function wantsSpace(choice) {
  const isWhole = choice?.kind !== "card" || choice.card !== "levitation" || Boolean(choice.give && choice.take);
  return choice !== null && bareMove(choice) === null && isWhole;
}

/**
 * The moves that a tap on a space could mean, the likeliest first; an annex always says which building it joins.
 * @param {Choice} choice @param {string} cell @param {Table} table
 */
export function optionsOver(choice, cell, table) {
  const candidates = candidatesOver(choice, cell, table);
  if (choice.kind === "pave") {
    return isPaved(table.state, cell) ? [] : candidates;
  }
  const legal = legalOf(choice, table);
  if (legal === null) {
    return candidates;
  }
  const order = candidates.map(keyOf);
  return legal
    .filter((move) => cellsOf(move).includes(cell) && (move.card !== "bouquinistes" || move.building))
    .sort((one, other) => order.indexOf(keyOf(one)) - order.indexOf(keyOf(other)));
}

/**
 * What could lie on a space of a table although a rule refuses it, in the order in which it turns. Nothing is known to be
 * refused as long as it is not known what is legal; and no tile can lie on a square against a rule.
 */
export function forbiddenOver(choice, cell, table) {
  if (choice.kind === "pave" || table.legal === null) {
    return [];
  }
  const allowed = new Set(legalOf(choice, table).map(keyOf));
  return candidatesOver(choice, cell, table).filter((move) => !allowed.has(keyOf(move)) && canLie(move, table));
}

/** What a tap that cannot be was probably meant to be, to be told why not. @returns {?AnyCiteMove} */
export function guessOver(choice, cell, table) {
  const wrong = (move) => cellsOf(move).reduce((sum, one) => sum + wrongness(one, table), 0);
  const candidates = candidatesOver(choice, cell, table).map((move) => [wrong(move), move]);
  candidates.sort(([one], [other]) => one - other);
  return candidates[0]?.[1] ?? null;
}

/** The spaces that some legal move of a choice would cover; none while that is not known. @returns {string[]} */
export function placesOf(choice, table) {
  const legal = wantsSpace(choice) && choice.kind !== "pave" ? (legalOf(choice, table) ?? []) : [];
  return [...new Set(legal.flatMap(cellsOf))];
}

/** The squares that are still to be paved. @returns {string[]} */
export function openSquares(state) {
  return SQUARES.filter((square) => !isPaved(state, square));
}

/** The armed postcards whose right a move uses. @returns {string[]} */
export function rightsUsed(move, { state, seat }) {
  if (!["build", "postcard"].includes(move?.type) || !move.cells?.length) {
    return [];
  }
  const letters = cellsOf(move).map((cell) => letterOn(state, cell));
  return [
    ["metropolitain", "l"],
    ["chartier", LETTER[rivalOf(seat)]],
  ]
    .filter(([, letter]) => letters.includes(letter))
    .map(([card]) => card);
}

/** The legal moves of a choice that name spaces; null if nobody knows. */
export function legalOf(choice, { legal }) {
  return (
    legal &&
    legal.filter((move) =>
      choice.kind === "build"
        ? move.type === "build" && move.building === choice.building
        : move.card === choice.card &&
          cellsOf(move).length > 0 &&
          (!choice.give || move.give === choice.give) &&
          (!choice.take || move.take === choice.take),
    )
  );
}

/** All that a tap on a space could mean, legal or not. */
function candidatesOver(choice, cell, { state, seat, edition }) {
  if (choice.kind === "pave") {
    const { tile } = choice;
    const at = squareOf(cell);
    const first = rotationTo(faceOf(edition, tile), cell);
    return [0, 90, 180, 270].map((more) => ({ type: "pave", tile, at, rotation: (first + more) % 360 }));
  }
  const laid = (building) => placementsOver(pointsOf(shapeOf(edition, building)), cell, edition.flip_buildings.value);
  if (choice.kind === "build") {
    const { building } = choice;
    return laid(building).map((cells) => ({ type: "build", building, cells }));
  }
  const { card, give, take } = choice;
  const effect = (members) => ({ type: "postcard", card, ...members });
  const rows = (count) => placementsOver(pointsOf(["#".repeat(count)]), cell);
  switch (card) {
    case "levitation":
      return laid(take).map((cells) => effect({ give, take, cells }));
    case "jardin_des_plantes":
      return rows(2).map((cells) => effect({ cells }));
    case "fontaine_des_mers":
      return rows(edition.fountain_cells.value).map((cells) => effect({ cells }));
    case "le_penseur":
      return FACINGS.map((facing) => effect({ cell, facing }));
    case "bouquinistes":
      return annexes(cell, state, seat).map((building) => effect({ cell, building }));
    default:
      return [effect({ cell })];
  }
}

/** The buildings that an annex on a space may join: those beside it, else any of the seat; undefined if it has none. */
function annexes(cell, { pieces }, seat) {
  const own = pieces.filter(({ piece, owner }) => owner === seat && (piece === "garden" || /^[A-Z]\d$/.test(piece)));
  const near = own.filter(({ cells }) => touch([cell], cells));
  return own.length ? (near.length ? near : own).map(({ piece }) => piece) : [undefined];
}

/** Whether nothing but a rule keeps a move from its spaces. */
function canLie(move, { state }) {
  const isFree = cellsOf(move).every((cell) => isPaved(state, cell) && !isCovered(state, cell));
  return isFree && (move.card !== "la_grande_lumiere" || letterOn(state, move.cell) === "l");
}

/** What tells the candidates of a choice apart. */
export function keyOf(move) {
  return [...cellsOf(move)].sort().join() + (move.facing ?? move.building ?? "");
}

function wrongness(cell, { state, seat }) {
  const letter = letterOn(state, cell);
  if (letter === "." || isCovered(state, cell)) {
    return 3;
  }
  return letter === "x" || letter === LETTER[seat] ? 0 : 1;
}

function isPaved(state, cell) {
  return letterOn(state, cell) !== ".";
}

function isCovered(state, cell) {
  return state.pieces.some((piece) => piece.cells.includes(cell));
}

function letterOn(state, cell) {
  const [column, row] = pointOf(cell);
  return state.board[row][column];
}
