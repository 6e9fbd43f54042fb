/** A move of La Cité de la Lumière in a few words, by its own fields alone: so it is told without network. */
/** @import { AnyCiteMove } from "../../../types/moves.js" */

import { t } from "../../js/texts.js";
import { nameOfCard } from "./sheet.js";

/** @param {AnyCiteMove} move @returns {string} */
export function say(move) {
  switch (move.type) {
    case "pave":
      return `${t("cite-lumiere.tile", { tile: move.tile })} → ${move.at}`;
    case "take":
      return t("cite-lumiere.take_building", { building: move.building });
    case "build":
      return `${t("cite-lumiere.build_building", { building: move.building })} → ${move.cells.join(" ")}`;
    case "postcard":
      return [nameOfCard(move.card), ...(move.cells ?? [move.cell ?? []].flat())].join(" ");
    default:
      return t("cite-lumiere.pass");
  }
}
