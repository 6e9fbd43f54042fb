/** The set-up of La Cité de la Lumière: who starts, and which eight of the twelve postcards are in play. */
import { h, replace } from "../../js/dom.js";
import { seatName, seatSign } from "../../js/seats.js";
import { t } from "../../js/texts.js";
import { provideSymbols } from "./symbols.js";
import { CARD_SYMBOL } from "./parts.js";
import { pictureOfCard } from "./pieces.js";
import { nameOfCard } from "./words.js";

const IN_PLAY = 8;
const CARDS = Object.keys(CARD_SYMBOL);

/**
 * @param {HTMLElement} host whose content it becomes
 * @param {{edition: object, seats: string[], initial?: ?object, asksFirst?: boolean, onChange?: () => void}} options
 *   without `asksFirst` who starts is asked elsewhere
 * @returns {{value: () => {first: string, postcards: string[]}, isComplete: () => boolean}}
 */
export function createSetup(host, { edition, seats, initial = null, asksFirst = true, onChange = () => {} }) {
  provideSymbols();
  let first = seats.includes(initial?.first) ? initial.first : seats[0];
  let chosen = new Set(initial?.postcards ?? edition.first_game_set.value);
  const count = h("p", { class: "quiet", role: "status" });
  const cards = CARDS.map((card) => {
    const attributes = { type: "button", class: "cite-card", "data-choice": card, onclick: () => toggle(card) };
    return h("button", attributes, pictureOfCard(card), h("span", {}, nameOfCard(card)));
  });
  const setButton = (name, act) =>
    h("button", { type: "button", "data-set": name, onclick: act }, t(`cite-lumiere.cards_${name}`));
  replace(
    host,
    asksFirst ? firstField() : null,
    h(
      "fieldset",
      { class: "cite-setup" },
      h("legend", {}, t("cite-lumiere.cards")),
      h(
        "div",
        { class: "cite-sets" },
        setButton("first", () => choose(edition.first_game_set.value)),
        setButton("random", () => choose(drawn())),
        count,
      ),
      h("div", { class: "cite-cards" }, cards),
    ),
  );
  show();

  function firstField() {
    return h(
      "fieldset",
      { class: "cite-setup" },
      h("legend", {}, t("cite-lumiere.first")),
      h(
        "div",
        { class: "cite-sets" },
        seats.map((seat) =>
          h(
            "label",
            { class: "choice" },
            h("input", { type: "radio", name: "cite-first", value: seat, checked: seat === first, onchange: begin }),
            h("span", {}, seatSign("cite-lumiere", seat), seatName(seat)),
          ),
        ),
      ),
    );
  }

  function begin({ target }) {
    first = target.value;
    onChange();
  }

  function toggle(card) {
    const next = new Set(chosen);
    if (!next.delete(card)) {
      next.add(card);
    }
    choose(next);
  }

  function choose(next) {
    chosen = new Set(next);
    show();
    onChange();
  }

  function show() {
    for (const card of cards) {
      card.setAttribute("aria-pressed", String(chosen.has(card.dataset.choice)));
    }
    replace(count, t("cite-lumiere.cards_chosen", { n: chosen.size }));
  }

  return {
    value: () => ({ first, postcards: CARDS.filter((card) => chosen.has(card)) }),
    isComplete: () => chosen.size === IN_PLAY,
  };
}

/** Eight postcards by chance. */
function drawn() {
  const rest = [...CARDS];
  return Array.from({ length: IN_PLAY }, () => rest.splice(Math.floor(Math.random() * rest.length), 1)[0]);
}
