/** Paris, as the pages know it. */

import { createBoard } from "./board.js";
import { cellsOf, isSilent, scoreParts, turnOf } from "./position.js";
import { predict } from "./predicted.js";
import { say } from "./words.js";

/** @type {import("../../js/game.js").Game} */
export const game = {
  id: "paris",
  createBoard,
  say,
  scoreParts,
  turnOf,
  isSilent,
  cellsOf,
  predict,
  categories: ["building", "landmark", "bonus", "end_tile", "district", "francs_tile"],
  hidesHands: true,
  loadForm: async () => (await import("./form.js")).createForm,
  loadBeginning: async () => (await import("./beginning.js")).beginning,
  loadSetup: async () => (await import("./setup.js")).createSetup,
  loadStatistics: () => import("./statistics.js"),
  loadPrintedValues: () => import("./edition.js"),
};
