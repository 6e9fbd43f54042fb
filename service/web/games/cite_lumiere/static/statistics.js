/** What statistics say of La Cité de la Lumière: the names of features and first moves, and the board after these. */
/** @import { CiteLumiereState } from "../../../types/api.js" */
/** @import { AnyCiteMove } from "../../../types/moves.js" */

import { t } from "../../js/texts.js";
import { seatOfTile } from "./parts.js";
import { predict } from "./predicted.js";
import { nameOfCard } from "./words.js";

/**
 * Features in groups that are compared with each other, each with its name.
 * @param {string[]} features @returns {{title: string, features: {feature: string, name: string}[]}[]}
 */
export function featureGroups(features) {
  const groups = new Map();
  for (const feature of features) {
    const [kind, thing, deed] = feature.split(":");
    const group = deed ? `${kind}_${deed}` : "amounts";
    const name = kind === "postcard" ? nameOfCard(thing) : (thing ?? t(`cite-lumiere.feature_${feature}`));
    groups.set(group, [...(groups.get(group) ?? []), { feature, name }]);
  }
  return [...groups].map(([group, found]) => ({ title: t(`cite-lumiere.features_${group}`), features: found }));
}

/** A first move in words. @param {AnyCiteMove} move @returns {string} */
export function nameOfMove(move) {
  if (move.type === "take") {
    return t("cite-lumiere.take_building", { building: move.building });
  }
  return t("cite-lumiere.opening_pave", { tile: move.tile, at: move.at, rotation: move.rotation });
}

/**
 * What the board shows after some first moves. A tile tells whose it is, whoever began.
 * @param {CiteLumiereState} start @param {{seat: string, move: AnyCiteMove}[]} steps @param {object} edition
 */
export function openingShown(start, steps, edition) {
  const placed = steps.map(({ seat, move }) => ({ seat: move.tile ? seatOfTile(move.tile) : seat, move }));
  const state = placed.reduce((position, step) => predict(position, step, edition), start);
  return { state, shown: { lastMove: placed.at(-1) ?? null } };
}
