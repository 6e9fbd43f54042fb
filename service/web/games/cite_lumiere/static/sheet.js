/** The bottom sheet of La Cité de la Lumière: the tiles, buildings and postcards that can be chosen now. */
import { focusedIn, h, replace } from "../../js/dom.js";
import { seatSign } from "../../js/seats.js";
import { t, tn } from "../../js/texts.js";
import { RIGHTS, mayPass, rightsUsed } from "./choices.js";
import { faceOf, rivalOf, shapeOf } from "./parts.js";
import { pictureOfBuilding, pictureOfCard, pictureOfTile } from "./pieces.js";
import { nameOfBuilding, nameOfCard } from "./words.js";

/** By the way a statue looks. */
const ARROW = { n: "↑", e: "→", s: "↓", w: "←" };

/**
 * @param {HTMLElement} host
 * @param {object} edition
 * @param {{choose: (choice: object) => void, pick: (at: number) => void, clear: () => void, widen: () => void}} acts
 */
export function createSheet(host, edition, { choose, pick, clear, widen }) {
  let shown = null;

  /** Draw the sheet if it is not as it was; who is there with the keys stays there. */
  function show(now) {
    const { choice, options, index, draft, gain, state, seat, isPossible, widening, legal } = now;
    const { ply, supply, seats } = state;
    const told = [choice, options, index, draft, gain, ply, supply, seats, seat, isPossible, widening, legal !== null];
    const key = JSON.stringify(told);
    if (key === shown) {
      return;
    }
    shown = key;
    const focused = focusedIn(host)?.dataset.choice;
    replace(host, content(now));
    /** @type {HTMLElement | null} */ (host.querySelector(`[data-choice="${focused}"]`))?.focus();
  }

  function content(now) {
    if (now.choice?.kind === "card") {
      return cardSheet(now);
    }
    return now.state.phase === "paving" ? pavingSheet(now) : buildingSheet(now);
  }

  function pavingSheet(now) {
    const { choice, state, seat } = now;
    const { tiles } = state.seats[seat];
    const tileButton = (tile) => {
      const label = t("cite-lumiere.tile", { tile });
      const attributes = { class: "cite-tile", "aria-label": label };
      const picture = pictureOfTile(faceOf(edition, tile), seat);
      return button(tile, attributes, choice?.tile === tile, { kind: "pave", tile }, picture);
    };
    return [
      row("cite-tiles", t("cite-lumiere.pave"), tiles.map(tileButton)),
      row(
        "cite-supply",
        t("cite-lumiere.take"),
        state.supply.map((one) => buildingButton("take", one, null, isChosen("take", one, choice))),
      ),
      tiles.length ? null : passButton(choice),
      reserves(now, ["orange", "blue"]),
    ];
  }

  function buildingSheet(now) {
    const { choice, draft, gain, state, seat, isPossible, widening, legal } = now;
    const { reserve, tokens } = state.seats[seat];
    const open = tokens ? state.postcards.filter((card) => card.state === "open") : [];
    const left = `${t("cite-lumiere.postcards")} · ${tn("cite-lumiere.tokens", tokens)}`;
    return [
      gainLine(gain),
      usedRights(draft, state, seat),
      isPossible ? null : hint(t("cite-lumiere.no_place")),
      widenButton(widening),
      row(
        "cite-supply",
        t("cite-lumiere.build"),
        reserve.map((one) => buildingButton("build", one, seat, isChosen("build", one, choice))),
      ),
      row(
        "cite-cards",
        left,
        open.map(({ card }) => cardButton(card)),
      ),
      passButton(choice, mayPass(legal)),
      armed(state, seat),
      reserves(now, [rivalOf(seat)]),
    ];
  }

  function cardSheet(now) {
    const { choice, isPossible, draft, gain, state, seat, widening } = now;
    const { card } = choice;
    const isExchange = card === "levitation" && !choice.isDeclined;
    const hasHint = isPossible || RIGHTS.has(card) || choice.isDeclined === false;
    const wanted = () => t(hasHint ? `cite-lumiere.hint_${card}` : "cite-lumiere.no_effect");
    return [
      h(
        "div",
        { class: "cite-card-head" },
        h("button", { type: "button", class: "plain", "aria-label": t("cite-lumiere.back"), onclick: clear }, "‹"),
        pictureOfCard(card),
        h("h2", {}, nameOfCard(card)),
        RIGHTS.has(card) ? null : declineButton(choice),
      ),
      isExchange ? exchange(now) : hint(wanted()),
      isExchange && choice.take && !isPossible ? hint(t("cite-lumiere.no_place")) : null,
      gainLine(gain),
      widenButton(widening),
      ways(now),
      usedRights(draft, state, seat),
    ];
  }

  /** Which building goes and which one comes. */
  function exchange({ choice, state, seat }) {
    const { give, take } = choice;
    const gives = state.seats[seat].reserve.map((one) =>
      buildingButton("give", one, seat, one === give, { ...choice, give: one }),
    );
    const takes = state.supply.map((one) =>
      buildingButton("receive", one, null, one === take, { ...choice, take: one }),
    );
    return [row("cite-supply", t("cite-lumiere.give"), gives), row("cite-supply", t("cite-lumiere.receive"), takes)];
  }

  /** Buttons for what a tap left open: where the statue looks, which building the annex joins. */
  function ways({ options, index }) {
    const isOpen = options.length > 1 && options.every((move) => move.facing || move.card === "bouquinistes");
    const way = (move, at) => {
      const label = move.facing
        ? t(`cite-lumiere.facing_${move.facing}`)
        : t("cite-lumiere.joins", { building: nameOfBuilding(move.building) });
      const attributes = { type: "button", "aria-pressed": String(at === index), "aria-label": label };
      const act = { "data-choice": `way-${at}`, onclick: () => pick(at) };
      return h("button", { ...attributes, ...act }, ARROW[move.facing] ?? nameOfBuilding(move.building));
    };
    return isOpen ? h("div", { class: "cite-ways" }, options.map(way)) : null;
  }

  function buildingButton(kind, building, seat, isOn, next = { kind, building }) {
    const attributes = { class: "cite-piece", "aria-label": t(`cite-lumiere.${kind}_building`, { building }) };
    const picture = pictureOfBuilding(shapeOf(edition, building), seat);
    return button(`${kind}-${building}`, attributes, isOn, next, picture, h("span", {}, building));
  }

  function cardButton(card) {
    const attributes = { type: "button", class: "cite-card", "data-choice": card };
    return h(
      "button",
      { ...attributes, onclick: () => choose({ kind: "card", card }) },
      pictureOfCard(card),
      h("span", {}, t(`cite-lumiere.short_${card}`)),
    );
  }

  function declineButton({ card, isDeclined = false }) {
    const next = { kind: "card", card, isDeclined: !isDeclined };
    return button("declined", {}, isDeclined, next, t("cite-lumiere.decline"));
  }

  /** Offers the placements that a rule refuses, beside those that it allows. */
  function widenButton(widening) {
    const attributes = { type: "button", class: "cite-widen plain", "data-choice": "widen", onclick: widen };
    return widening === null
      ? null
      : h("button", { ...attributes, "aria-pressed": String(widening) }, t("cite-lumiere.widen"));
  }

  function passButton(choice, isAllowed = true) {
    const attributes = { class: isAllowed ? null : "plain" };
    return button("pass", attributes, choice?.kind === "pass", { kind: "pass" }, t("cite-lumiere.pass"));
  }

  /** A button that makes a choice. */
  function button(name, attributes, isOn, next, ...children) {
    const told = { type: "button", "data-choice": name, "aria-pressed": String(isOn) };
    return h("button", { ...told, ...attributes, onclick: () => choose(next) }, ...children);
  }

  /** What seats hold, small. */
  function reserves({ state, nameOf }, seats) {
    const held = seats.filter((seat) => state.seats[seat].reserve.length);
    const small = (seat) => {
      const { reserve } = state.seats[seat];
      const label = t("cite-lumiere.holds", { seat: nameOf(seat), buildings: reserve.join(", ") });
      return h(
        "span",
        { role: "img", "aria-label": label },
        seatSign("cite-lumiere", seat),
        reserve.map((one) => pictureOfBuilding(shapeOf(edition, one), seat)),
      );
    };
    return held.length ? h("p", { class: "cite-held" }, held.map(small)) : null;
  }

  return { show };
}

function isChosen(kind, building, choice) {
  return choice?.kind === kind && choice.building === building;
}

function armed(state, seat) {
  const held = state.postcards.filter((card) => card.state === "armed" && card.owner === seat);
  const cards = held.map(({ card }) => nameOfCard(card)).join(", ");
  return cards ? hint(t("cite-lumiere.armed", { cards })) : null;
}

function usedRights(draft, state, seat) {
  const cards = rightsUsed(draft, { state, seat }).map(nameOfCard).join(", ");
  return cards ? hint(t("cite-lumiere.uses", { cards })) : null;
}

/** What the move that is laid would give. */
function gainLine(text) {
  return text ? h("p", { class: "cite-gain", "aria-live": "polite" }, text) : null;
}

function hint(text) {
  return h("p", { class: "cite-hint" }, text);
}

/** A row of buttons under its label; nothing without buttons. */
function row(kind, label, buttons) {
  return buttons.length
    ? h(
        "div",
        { class: "cite-row", role: "group", "aria-label": label },
        h("h2", { class: "cite-label" }, label),
        h("div", { class: kind }, buttons),
      )
    : null;
}
