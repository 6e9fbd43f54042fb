/** What the values of an edition of Paris are called, and in which fields they are corrected. */

import { h } from "../../js/dom.js";
import { choiceField, countsField, fixedField, membersField } from "../../js/fields.js";
import { t } from "../../js/texts.js";
import { PRESTIGE, RESOURCES } from "./position.js";
import { wordsOf } from "./signs.js";

const TYPES = ["cafe", "bakery", "residence", "restaurant", "hotel", "theatre"];
const KINDS = [...RESOURCES, ...PRESTIGE];
const named = (prefix, words) => words.map((word) => [word, t(`paris.${prefix}_${word}`)]);

/** What a value, or a group of them, is called. @param {string[]} path @returns {string} */
export function nameOf([group, name, member]) {
  if (name === undefined) return t(`paris.sheet_${group}`);
  switch (group) {
    case "banks":
      return t(`paris.district_${name}`);
    case "buildings":
      return `${t(
        `paris.district_${name.slice(0, name.lastIndexOf("-"))}`,
      )} ${name.slice(name.lastIndexOf("-") + 1)}: ${t(`paris.sheet_${member}`)}`;
    case "landmarks":
      return `${t("paris.landmark_name", { value: name })}: ${t(`paris.sheet_${member}`)}`;
    case "bonus":
      return t("paris.move_activate", { tile: name });
    case "end_tiles":
      return t("paris.move_activate", { tile: name });
    case "keys_in_hand":
    case "bonus_copies":
      return t("paris.sheet_players", { players: name });
    case "zones":
      return t("paris.setup_zone", { zone: name });
    case "space_tokens":
      return t("paris.sheet_value", { value: name });
    case "prices":
      return `${t(`paris.${name}`)}: ${t(`paris.kind_${member}`)}`;
    default:
      return name;
  }
}

/** The field of a value that its form alone does not say. @param {string[]} path @param {any} value */
export function fieldOf([group, , member], value) {
  if (member === "type") return choiceField(named("type", TYPES));
  if (member === "extra") return countsField(named("kind", RESOURCES));
  if (member === "prestige") return countsField(named("kind", PRESTIGE));
  if (group === "space_tokens") return choiceField(named("kind", KINDS));
  if (group === "bonus" || group === "end_tiles") return effectField(value);
  return null;
}

/**
 * Francs, points and tokens can be told apart by hand; other effects keep their form, and only their figures change.
 */
function effectField(does) {
  if (does.rule && does.most === undefined) return fixedField(wordsOf(does, 2));
  const [[name, figure]] = Object.entries(does).filter(([member]) => member !== "rule");
  if (["francs", "points", "stands_for"].includes(name)) return gainField;
  if (typeof figure === "number") return beside(does, membersField([[name, t(`paris.sheet_${name}`)]]));
  return within(name, membersField(Object.keys(figure).map((key) => [key, nameOfFigure(name, key)])));
}

/** What a figure of an effect counts for: a number of players or of kinds, or a member of its own. */
function nameOfFigure(name, key) {
  if (name === "per_building") return t(`paris.sheet_building_${key}`);
  return t(
    name === "kinds" ? "paris.sheet_kinds" : "paris.sheet_players",
    name === "kinds" ? { kinds: key } : { players: key },
  );
}

function beside(does, fields) {
  return (value, id, changed) => {
    const { element, read } = fields(value, id, changed);
    return { element, read: () => (read() === undefined ? undefined : { ...does, ...read() }) };
  };
}

function within(name, fields) {
  return (value, id, changed) => {
    const { element, read } = fields(value[name], id, changed);
    return { element, read: () => (read() === undefined ? undefined : { [name]: read() }) };
  };
}

/** Francs and points, or one or two tokens that a tile stands for. */
function gainField(value, id, changed) {
  const number = (member, at) =>
    h("input", {
      id: at,
      type: "number",
      inputmode: "numeric",
      min: 0,
      max: 99,
      value: value[member] ?? 0,
      oninput: changed,
    });
  const francs = number("francs", id);
  const points = number("points", `${id}-points`);
  const chosen = value.stands_for?.join(" ") ?? "";
  const words = [...KINDS, "resource", "prestige"];
  const options = words.flatMap((word) => [
    [word, wordsOf({ stands_for: [word] }, 2)],
    [`${word} ${word}`, wordsOf({ stands_for: [word, word] }, 2)],
  ]);
  const stands = h(
    "select",
    { id: `${id}-stands`, "aria-label": t("paris.sheet_stands_for"), onchange: changed },
    [["", "–"], ...options].map(([word, name]) => h("option", { value: word, selected: word === chosen }, name)),
  );
  const read = () => {
    if (stands.value) return { stands_for: stands.value.split(" ") };
    if (![francs, points].every((input) => /^\d{1,2}$/.test(input.value))) return undefined;
    const gains = { francs: Number(francs.value), points: Number(points.value) };
    const named = Object.fromEntries(Object.entries(gains).filter(([member, count]) => count > 0 || member in value));
    return Object.keys(named).length > 0 ? named : undefined;
  };
  return {
    element: h(
      "span",
      { class: "value-counts" },
      h("label", {}, francs, t("paris.sheet_francs")),
      h("label", {}, points, t("paris.sheet_points")),
      stands,
    ),
    read,
  };
}
