/** What seats have behind their screens: as a list in the sheet, and as a card of each seat on the table. */

/** @import { ParisState } from "../../../types/api.js" */

import { h } from "../../js/dom.js";
import { seatSign } from "../../js/seats.js";
import { t, tn } from "../../js/texts.js";
import { PRESTIGE, RESOURCES, tokensOf } from "./position.js";
import { amount, eye, row, sign, signsOf, wordsOf } from "./signs.js";

/** @import { Table } from "./things.js" */

const KINDS = [...RESOURCES, ...PRESTIGE];

/**
 * Francs, keys, tokens and tiles of a seat.
 * @param {ParisState} state @param {any} sheet @param {string} seat @param {string} name of who sits there
 * @returns {HTMLElement}
 */
export function drawHand(state, sheet, seat, name) {
  const side = state.seats[seat];
  const players = Object.keys(state.seats).length;
  const tokens = tokensOf(side);
  return h(
    "section",
    { class: "paris-hand", "aria-label": t("paris.hand_of", { name }), dataset: { hand: seat } },
    h("h2", {}, seatSign("paris", seat), name),
    h(
      "p",
      { class: "paris-goods" },
      amount(side.francs, "coin"),
      amount(side.keys, "key"),
      h("span", { class: "quiet" }, tn("paris.in_reserve", side.reserve)),
      KINDS.filter((kind) => tokens[kind] > 0).map((kind) => amount(tokens[kind], kind)),
    ),
    tilesOf(side, sheet).length > 0 &&
      h(
        "ul",
        { class: "paris-held" },
        tilesOf(side, sheet).map(([tile, does]) =>
          h(
            "li",
            {},
            h("b", {}, tile),
            row(signsOf(does, players), 15),
            h(
              "span",
              { class: "paris-words" },
              wordsOf(does, players),
              side.half_used[tile] ? ` (${t("paris.half_used")})` : "",
            ),
          ),
        ),
      ),
    side.used_bonus.length > 0 &&
      h("p", { class: "quiet paris-used" }, t("paris.used", { tiles: side.used_bonus.join(", ") })),
  );
}

/**
 * A card for each seat, open or with the screen before it; none where nobody may see what is behind the screens.
 * @param {Table} table @returns {HTMLElement | null}
 */
export function drawCards(table) {
  const { state, hands } = table;
  if (hands === null) return null;
  return h(
    "div",
    { class: "paris-cards", dataset: { seats: String(Object.keys(state.seats).length) } },
    Object.keys(state.seats).map((seat) => drawCard(table, seat, hands.includes(seat))),
  );
}

function drawCard({ state, sheet, nameOf, isTapped }, seat, isOpen) {
  const side = state.seats[seat];
  const players = Object.keys(state.seats).length;
  const tokens = tokensOf(side);
  const name = nameOf(seat);
  const counted = (kind, count) => h("span", { class: count === 0 && "paris-none" }, amount(count, kind));
  return h(
    "section",
    {
      class: ["paris-seat", `paris-of-${seat}`, !isOpen && "paris-shut", state.to_move === seat && "paris-moves"],
      "aria-label": t(isOpen ? "paris.hand_of" : "paris.hand_closed", { name }),
      dataset: { hand: seat },
    },
    h(
      "h2",
      {},
      sign(`badge-${seat}`, 24),
      h("span", { class: "paris-who" }, name),
      h("b", {}, state.score[seat].total, sign("point", 20)),
    ),
    isTapped &&
      h(
        "button",
        {
          type: "button",
          class: "paris-screen",
          dataset: { hand: seat },
          "aria-expanded": String(isOpen),
          "aria-label": t(isOpen ? "paris.hide_hand" : "paris.show_hand", { name }),
        },
        eye(isOpen),
      ),
    isOpen &&
      h(
        "p",
        { class: "paris-goods" },
        amount(side.francs, "coin"),
        h(
          "span",
          {},
          amount(side.keys, "key"),
          side.reserve > 0 &&
            h("span", { class: "paris-reserve", title: tn("paris.in_reserve", side.reserve) }, `+${side.reserve}`),
        ),
      ),
    isOpen &&
      h(
        "p",
        { class: "paris-goods" },
        KINDS.map((kind) => counted(kind, tokens[kind])),
      ),
    isOpen &&
      tilesOf(side, sheet).length > 0 &&
      h(
        "ul",
        { class: "paris-held" },
        tilesOf(side, sheet).map(([tile, does]) =>
          h(
            "li",
            {},
            h("b", {}, tile, side.half_used[tile] && "½"),
            row(signsOf(does, players), 15),
            h("span", { class: "paris-words" }, wordsOf(does, players)),
          ),
        ),
      ),
    isOpen &&
      side.used_bonus.length > 0 &&
      h("p", { class: "paris-used" }, t("paris.used", { tiles: side.used_bonus.join(", ") })),
  );
}

/** The tiles that a seat can still use. @returns {[number | string, any][]} */
function tilesOf(side, sheet) {
  return [
    ...side.bonus.map((tile) => [tile, sheet.bonus[tile]]),
    ...side.end_tiles.map((tile) => [tile, sheet.end_tiles[tile]]),
  ];
}
