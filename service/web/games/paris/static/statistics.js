/** What statistics say of Paris: the names of features and first moves, and the board with these. */

import { t } from "../../js/texts.js";
import { nameOf } from "./panels.js";
import { districtOf, piecesOf } from "./position.js";

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

/** A first move in words. @param {any} move @param {any} state @returns {string} */
export function nameOfMove(move, state) {
  switch (move.type) {
    case "place_key":
      return t("paris.move_place", { place: nameOf(move.at, state) });
    case "move_key":
      return t("paris.move_key", { from: nameOf(move.from, state), to: nameOf(move.to, state) });
    case "advance":
      return t("paris.move_advance", { space: move.to });
    case "activate":
      return t("paris.move_activate", { tile: move.tile });
    case "trade":
      return t(move.buy ? "paris.opening_buy" : "paris.opening_sell", { kind: t(`paris.kind_${move.buy ?? move.sell}`) });
    case "score_tile":
      return t("paris.move_score", { points: move.tile, district: t(`paris.district_${move.district}`) });
    default:
      return t("paris.move_end_tile");
  }
}

/**
 * What the board shows of some first moves: keys and pawns where they went, since the buildings of each match are others.
 * @param {any} start @param {{seat: string, move: any}[]} steps
 */
export function openingShown(start, steps) {
  const last = steps.at(-1) ?? null;
  const place = last && (last.move.to ?? last.move.at);
  const isTrack = last?.move.type === "advance";
  return {
    state: start,
    shown: {
      lastMove: last,
      ghosts: steps.flatMap(({ seat, move }) => piecesOf(move, seat)),
      ...(last && { view: isTrack ? "track" : (place && districtOf(start, place)) ?? "montmartre" }),
    },
  };
}
