/** The signs of Paris: symbols of tokens, buildings and seats, and what a tile does, in signs and in words. */

import { h, svg } from "../../js/dom.js";
import { symbol, t, tn } from "../../js/texts.js";
import EFFECTS from "./effects.json" with { type: "json" };

/** Members of a tile in signs, `{}` being its figure, and those of its rules; pictures of the server read the same. */
const { signs: SIGNS, rules: RULES } = EFFECTS;

const FILE = "games/paris/signs.svg";

/** Letters from which a row is drawn smaller where there is little room. */
const LONG = 21;
const NAMES = new Set([
  ..."cafe bakery residence restaurant hotel theatre wood marble gold resource bronze silver gilt prestige".split(" "),
  ..."coin point key pawn building tile landmark".split(" "),
]);

/**
 * A symbol in a drawing, around a point.
 * @param {string} name @param {number} x @param {number} y @param {number} [width] @param {number} [height]
 * @returns {SVGElement}
 */
export function put(name, x, y, width = 24, height = width) {
  return svg("use", { href: symbol(FILE, `paris-${name}`), x: x - width / 2, y: y - height / 2, width, height });
}

/**
 * A symbol in a line of text.
 * @param {string} name
 * @param {number} [size]
 * @param {number} [ratio]
 * @returns {SVGElement}
 */
export function sign(name, size = 20, ratio = 1) {
  const used = svg("use", { href: symbol(FILE, `paris-${name}`), width: size, height: size * ratio });
  const box = { viewBox: `0 0 ${size} ${size * ratio}`, width: size, height: size * ratio };
  return svg("svg", { class: "paris-sign", ...box, "aria-hidden": "true" }, used);
}

/** Signs and figures side by side, for instance `5 point / 4 building`. @param {string} parts @param {number} [size] */
export function row(parts, size = 18) {
  const children = parts
    .split(" ")
    .filter(Boolean)
    .map((part) => (NAMES.has(part) ? sign(part, size) : h("b", {}, part)));
  return h("span", { class: ["paris-signs", parts.length > LONG && "paris-long"], "aria-hidden": "true" }, children);
}

/** An amount of francs or tokens with its sign. @param {number} count @param {string} kind @returns {HTMLElement} */
export function amount(count, kind) {
  const name = kind === "coin" ? tn("paris.francs", count) : tn(`paris.count_${kind}`, count);
  return h(
    "span",
    { class: "paris-amount" },
    h("b", { "aria-hidden": "true" }, count),
    sign(kind),
    h("span", { class: "unseen" }, name),
  );
}

/**
 * What a bonus or end tile does, in signs.
 * @param {Record<string, any>} tile
 * @param {number} players
 * @returns {string}
 */
export function signsOf(tile, players) {
  return Object.entries(tile)
    .map(([name, value]) => signsOfMember(name, value, players))
    .filter(Boolean)
    .join(" ");
}

function signsOfMember(name, value, players) {
  if (name === "stands_for") return value.join(" ");
  if (name === "rule") return RULES[value] ?? "";
  const figures = typeof value === "object" ? Object.values(value) : [value];
  if (name === "kinds") return `${Math.min(...figures)}–${Math.max(...figures)} point / building`;
  const values = typeof value === "object" ? { "": value[players], ...value } : { "": value };
  return SIGNS[name].replace(/\{(\w*)\}/g, (_, member) => values[member]);
}

/**
 * What a bonus or end tile does, in words.
 * @param {Record<string, any>} tile
 * @param {number} players
 * @returns {string}
 */
export function wordsOf(tile, players) {
  return Object.entries(tile)
    .map(([name, value]) => wordsOfMember(name, value, players))
    .filter(Boolean)
    .join(" · ");
}

function wordsOfMember(name, value, players) {
  switch (name) {
    case "francs":
      return tn("paris.francs", value);
    case "points":
      return tn("paris.points", value);
    case "stands_for":
      return tn(`paris.count_${value[0]}`, value.length);
    case "rule":
      return t(`paris.does_${value}`);
    case "most":
      return "";
    case "per_building":
      return t("paris.does_per_building", { points: tn("paris.points", value.points), value: value.value });
    case "kinds":
      return t("paris.does_kinds", { points: Object.values(value).join("/"), kinds: Object.keys(value).join("/") });
    case "key_price":
      return t("paris.does_key_price", { francs: tn("paris.francs", value) });
    default:
      return t(`paris.does_${name}`, {
        points: tn("paris.points", typeof value === "object" ? value[players] : value),
      });
  }
}

/** An eye that is open or shut, for what is hidden. @param {boolean} isOpen @returns {SVGElement} */
export function eye(isOpen) {
  const lid = isOpen
    ? "M3 12q9 9 18 0M6 16l-2 2M18 16l2 2M12 17v3"
    : "M2 12q10-11 20 0-10 11-20 0zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z";
  return svg("svg", { class: "paris-eye", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: lid }));
}
