/** What statistics say of Paris: the names of features and first moves, and the board with these. */

/** @import { ParisState } from "../../../types/api.js" */
/** @import { AnyParisMove } from "../../../types/moves.js" */

import { t } from "../../js/texts.js";
import { districtOf, piecesOf } from "./position.js";
import { say } from "./words.js";

/**
 * Features in groups that are compared with each other, each with its name.
 * @param {string[]} features @returns {{title: string, features: {feature: string, name: string}[]}[]}
 */
export function featureGroups(features) {
  const groups = new Map();
  for (const feature of features) {
    const [kind, thing] = feature.split(":");
    const group = thing ? kind : "amounts";
    groups.set(group, [...(groups.get(group) ?? []), { feature, name: nameOfFeature(kind, thing) }]);
  }
  return [...groups].map(([group, found]) => ({ title: t(`paris.features_${group}`), features: found }));
}

function nameOfFeature(kind, thing) {
  if (thing === undefined) return t(`paris.feature_${kind}`);
  return kind === "district" ? t(`paris.district_${thing}`) : t(`paris.feature_${kind}`, { thing });
}

/** A first move in words. @param {AnyParisMove} move @param {ParisState} state @returns {string} */
export function nameOfMove(move, state) {
  if (move.type !== "trade") return say(move, state);
  return t(move.buy ? "paris.opening_buy" : "paris.opening_sell", { kind: t(`paris.kind_${move.buy ?? move.sell}`) });
}

/**
 * What the board shows of some first moves: keys and pawns where they went, since the buildings of each match are others.
 * @param {ParisState} start @param {{seat: string, move: any}[]} steps
 */
export function openingShown(start, steps) {
  const last = steps.at(-1) ?? null;
  const place = last && (last.move.to ?? last.move.at);
  const isTrack = last?.move.type === "advance";
  return {
    state: start,
    shown: {
      lastMove: last,
      ghosts: steps.map(({ seat, move }) => piecesOf(move, seat)).flat(),
      ...(last && { view: isTrack ? "track" : ((place && districtOf(start, place)) ?? "montmartre") }),
    },
  };
}
