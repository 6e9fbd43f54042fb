/** What things and moves of La Cité de la Lumière are called, without asking the service. */
/** @import { AnyCiteMove } from "../../../types/moves.js" */

import { t } from "../../js/texts.js";

/** The whole name of a postcard. @param {string} card @returns {string} */
export function nameOfCard(card) {
  return t(`cite-lumiere.card_${card}`);
}

/** A building by its letters, or the garden. @param {string} building @returns {string} */
export function nameOfBuilding(building) {
  return building === "garden" ? t("cite-lumiere.piece_garden") : building;
}

/** A move in a few words, by its own fields alone. @param {AnyCiteMove} move @returns {string} */
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
