/** What lies on the table of Paris and can be pointed at: a button where it can be tapped, else a picture with a name. */

/** @import { ParisState } from "../../../types/api.js" */

import { h, svg } from "../../js/dom.js";
import { t } from "../../js/texts.js";
import { withSign } from "../../js/minus.js";
import { cellsOf } from "./position.js";
import { put } from "./signs.js";

/**
 * What all parts of the table are drawn from.
 * @typedef {{state: ParisState, sheet: any, nameOf: (seat: string) => string, isTapped: boolean, hands: string[] | null,
 *   lit: Record<string, string[]>, pieces: Record<string, any[]>, gains: Record<string, number>}} Table
 */

/** What is said aloud of a place, besides what it is. */
const TOLD = new Set(["last", "left", "ghost", "from", "chosen", "lit"]);
const GHOSTS = { places: "ghost", waiting: "waits" };

/** @typedef {import("../../js/game.js").Shown} Shown */

/** How places are lit: by the last move, by ghosts, by marks of a note, and where points come from. @param {Shown} shown */
export function litBy({ lastMove, ghosts = [], marks = [], light: points }) {
  /** @type {Record<string, string[]>} */
  const lit = {};
  const light = (place, ...names) => (lit[place] = [...(lit[place] ?? []), ...names]);
  if (lastMove) {
    const { move, seat } = lastMove;
    cellsOf(move, seat).forEach((place, at) => light(place, move.type === "move_key" && at === 0 ? "left" : "last"));
  }
  for (const { kind, cells = [] } of ghosts)
    if (kind !== "piece") for (const place of cells) light(place, GHOSTS[kind] ?? kind);
  for (const { cell, kind } of marks) light(cell, "mark", `mark-${kind}`);
  for (const place of points?.cells ?? []) light(place, "lit");
  return lit;
}

/** What moves that are not made yet would put where, drawn pale. @param {Shown} shown */
export function piecesBy({ ghosts = [] }) {
  /** @type {Record<string, any[]>} */
  const found = {};
  for (const { kind, cells = [], ...piece } of ghosts)
    if (kind === "piece") for (const place of cells) (found[place] ??= []).push(piece);
  return found;
}

/**
 * A place of the table.
 * @param {Table} table @param {string} place @param {any} className @param {string} label
 * @param {...import("../../js/dom.js").Child} children
 */
export function thing({ isTapped, lit, gains }, place, className, label, ...children) {
  const lights = lit[place] ?? [];
  const gain = gains[place];
  const attributes = {
    class: className,
    title: label,
    dataset: { place, ...(lights.length > 0 && { lit: lights.join(" ") }) },
  };
  const told = lights.filter((light) => TOLD.has(light)).map((light) => t(`paris.is_${light}`));
  const badge = gain !== undefined && h("span", { class: "paris-gain", "aria-hidden": "true" }, withSign(gain));
  if (gain !== undefined) told.push(t("paris.gives", { points: withSign(gain) }));
  const whole = [label, ...told].join(", ");
  if (isTapped) return h("button", { ...attributes, type: "button", "aria-label": whole }, ...children, badge);
  return h("div", { ...attributes, role: "img", "aria-label": whole }, ...children, badge);
}

/** Keys in a box, side by side, in two rows where they are many; those to come are pale. */
export function drawKeys(seats, [x, y, width, height], pieces = []) {
  const keys = [
    ...seats.map((seat) => ({ seat })),
    ...pieces.filter(({ seat }) => seat).map(({ seat }) => ({ seat, isComing: true })),
  ];
  const isTall = height >= 56 && keys.length > 2;
  const half = Math.ceil(keys.length / 2);
  const rows = isTall ? [keys.slice(0, half), keys.slice(half)] : [keys];
  return rows.flatMap((line, at) => {
    const step = Math.min(25, (width - 24) / Math.max(1, line.length - 1));
    return line.map(({ seat, isComing }, index) =>
      svg(
        "g",
        { class: isComing && "paris-coming", "data-key": seat },
        put(
          `key-${seat}`,
          x + width / 2 + step * (index - (line.length - 1) / 2),
          y + (height * (2 * at + 1)) / (2 * rows.length),
          23,
          35,
        ),
      ),
    );
  });
}

/** Symbols side by side around a point, made smaller if there is too little room. */
export function drawRow(kinds, x, y, room, size) {
  const step = Math.min(size + 1, room / Math.max(1, kinds.length));
  return kinds.map((kind, at) => put(kind, x + step * (at - (kinds.length - 1) / 2), y, Math.min(size, step)));
}

/** Whose ground a tile has: that of its owner, if it is one. */
export function groundOf(keys) {
  return new Set(keys).size === 1 ? `paris-of-${keys[0]}` : "paris-of-nobody";
}

/** Who has a key somewhere, in words. */
export function seatsOr(nameOf, keys) {
  return keys.length ? keys.map(nameOf).join(", ") : t("paris.nobody");
}
