/** A move of Paris in a few words, by its own fields alone: so it is told without network. */

/** @import { ParisState } from "../../../types/api.js" */
/** @import { AnyParisMove } from "../../../types/moves.js" */

import { t } from "../../js/texts.js";
import { nameOf } from "./panels.js";
import { valueOf } from "./position.js";

/** @param {AnyParisMove} move @param {ParisState} state @returns {string} */
export function say(move, state) {
  switch (move.type) {
    case "reveal":
      return nameOf(move.district ? `${move.district}-${valueOf(move.tile)}` : move.tile, state);
    case "place_key":
      return t("paris.move_place", { place: nameOf(move.at, state) });
    case "move_key":
      return t("paris.move_key", { from: nameOf(move.from, state), to: nameOf(move.to, state) });
    case "advance":
      return t("paris.move_advance", { space: move.to });
    case "score_tile": {
      const district = t(`paris.district_${move.district}`);
      return t("paris.move_score", { points: move.tile.split("-").join(" · "), district });
    }
    case "trade":
      return `${t(move.buy ? "paris.buy" : "paris.sell")}: ${t(`paris.kind_${move.buy ?? move.sell}`)}`;
    case "take_end_tile":
      return t("paris.move_end_tile");
    case "activate":
      return t("paris.move_activate", { tile: move.tile });
    default:
      return t("paris.end_turn");
  }
}
