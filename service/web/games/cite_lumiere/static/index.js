/** La Cité de la Lumière, as the pages know it. */

import { createBoard } from "./board.js";
import { cellsOf, scoreParts, turnOf } from "./position.js";
import { predict } from "./predicted.js";
import { loadSymbols } from "./symbols.js";
import { say } from "./words.js";

/** @type {import("../../js/game.js").Game} */
export const game = {
  id: "cite-lumiere",
  createBoard,
  say,
  scoreParts,
  turnOf,
  isSilent: () => false,
  cellsOf,
  predict,
  categories: ["lit", "group", "unbuilt", "postcards"],
  hidesHands: false,
  loadForm: async () => (await import("./form.js")).createForm,
  loadBeginning: async () => (await import("./beginning.js")).beginning,
  loadSetup: async () => (await import("./setup.js")).createSetup,
  loadStatistics: () => import("./statistics.js"),
  loadPrintedValues: () => import("./edition.js"),
};

await loadSymbols();
