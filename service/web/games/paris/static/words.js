/** What places and moves of Paris are called, without asking the service. */

/** @import { ParisState } from "../../../types/api.js" */
/** @import { AnyParisMove } from "../../../types/moves.js" */

import { t } from "../../js/texts.js";
import { districtOf, isLandmark, valueOf } from "./position.js";

/** The name of a place. @param {string} place @param {ParisState} state @returns {string} */
export function nameOf(place, state) {
  if (place === "arc") return t("paris.arc");
  if (isLandmark(place)) return t("paris.landmark_name", { value: valueOf(place) });
  const district = t(`paris.district_${districtOf(state, place)}`);
  return place.startsWith("bank:")
    ? t("paris.bank_name", { district })
    : t("paris.space_name", { district, value: valueOf(place) });
}

/** A move in a few words, by its own fields alone. @param {AnyParisMove} move @param {ParisState} state @returns {string} */
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
