/** What seats have behind their screens. */

/** @import { ParisState } from "../../../types/api.js" */

import { h } from "../../js/dom.js";
import { seatName, seatSign } from "../../js/seats.js";
import { t, tn } from "../../js/texts.js";
import { bare, PRESTIGE, RESOURCES, tokensOf } from "./position.js";
import { amount, row, signsOf, wordsOf } from "./signs.js";

/**
 * Francs, keys, tokens and tiles of a seat.
 * @param {ParisState} state @param {any} sheet @param {string} seat @param {string} name of who sits there
 * @returns {HTMLElement}
 */
export function drawHand(state, sheet, seat, name) {
  const side = state.seats[seat];
  const players = Object.keys(state.seats).length;
  const tokens = tokensOf(side);
  const tiles = [
    ...side.bonus.map((tile) => [tile, sheet.bonus[tile]]),
    ...side.end_tiles.map((tile) => [tile, sheet.end_tiles[tile]]),
  ];
  return h(
    "section",
    { class: "hand", "aria-label": t("paris.hand_of", { name }), dataset: { hand: seat } },
    h("h2", {}, seatSign("paris", seat), name),
    h(
      "p",
      { class: "goods" },
      amount(side.francs, "coin"),
      amount(side.keys, "key"),
      h("span", { class: "quiet" }, tn("paris.in_reserve", side.reserve)),
      [...RESOURCES, ...PRESTIGE].filter((kind) => tokens[kind] > 0).map((kind) => amount(tokens[kind], kind)),
    ),
    tiles.length > 0 &&
      h(
        "ul",
        { class: "held" },
        tiles.map(([tile, does]) =>
          h(
            "li",
            {},
            h("b", {}, tile),
            row(signsOf(does, players), 15),
            h(
              "span",
              { class: "words" },
              wordsOf(does, players),
              side.half_used[tile] ? ` (${t("paris.half_used")})` : "",
            ),
          ),
        ),
      ),
    side.used_bonus.length > 0 &&
      h("p", { class: "quiet used" }, t("paris.used", { tiles: side.used_bonus.join(", ") })),
  );
}

/**
 * What all seats have.
 * @param {ParisState} state @param {import("../../js/game.js").BoardOptions} options @returns {HTMLElement}
 */
export function drawHands(state, { edition, nameOf = seatName }) {
  const sheet = bare(edition);
  return h(
    "div",
    { class: "paris" },
    h(
      "div",
      { class: "hands" },
      Object.keys(state.seats).map((seat) => drawHand(state, sheet, seat, nameOf(seat))),
    ),
  );
}
