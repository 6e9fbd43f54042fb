/** The bottom sheet of La Cité de la Lumière: the tiles, buildings and postcards that can be chosen now. */
import {h, replace} from "../../js/dom.js";
import {seatSign} from "../../js/seats.js";
import {t, tn} from "../../js/texts.js";
import {RIGHTS, rightsUsed} from "./choices.js";
import {faceOf, rivalOf, shapeOf} from "./parts.js";
import {pictureOfBuilding, pictureOfCard, pictureOfTile} from "./pieces.js";

/** By the way a statue looks. */
const ARROW = {n: "↑", e: "→", s: "↓", w: "←"};

/**
 * @param {HTMLElement} host
 * @param {object} edition
 * @param {{choose: (choice: object) => void, pick: (at: number) => void, clear: () => void}} acts
 */
export function createSheet(host, edition, {choose, pick, clear}) {
  let shown = null;

  function show(now) {
    const {choice, options, index, draft, state, seat, isPossible, legal} = now;
    const key = JSON.stringify([choice, options, index, draft, state.ply, seat, isPossible, legal !== null, state.supply, state.seats]);
    if (key !== shown) {
      shown = key;
      const focused = host.contains(document.activeElement) ? document.activeElement.dataset.choice : null;
      replace(host, content(now));
      host.querySelector(`[data-choice="${focused}"]`)?.focus();
    }
  }

  function content(now) {
    if (now.choice?.kind === "card") {
      return cardSheet(now);
    }
    return now.state.phase === "paving" ? pavingSheet(now) : buildingSheet(now);
  }

  function pavingSheet({choice, state, seat}) {
    const {tiles} = state.seats[seat];
    return [
      tiles.length ? row("cite-tiles", t("cite-lumiere.pave"), tiles.map((tile) => tileButton(tile, seat, choice))) : null,
      state.supply.length
        ? row("cite-supply", t("cite-lumiere.take"), state.supply.map((building) => buildingButton("take", building, null, choice)))
        : null,
      tiles.length ? null : passButton(choice),
      reserves(state),
    ];
  }

  function buildingSheet({choice, draft, state, seat, isPossible, legal}) {
    const {reserve, tokens} = state.seats[seat];
    const open = state.postcards.filter((card) => card.state === "open");
    const rights = rightsUsed(draft, {state, seat});
    return [
      rights.length ? h("p", {class: "cite-hint"}, t("cite-lumiere.uses", {cards: rights.map(nameOfCard).join(", ")})) : null,
      isPossible ? null : h("p", {class: "cite-hint"}, t("cite-lumiere.no_place")),
      reserve.length ? row("cite-supply", t("cite-lumiere.build"), reserve.map((building) => buildingButton("build", building, seat, choice))) : null,
      tokens && open.length
        ? row("cite-cards", `${t("cite-lumiere.postcards")} · ${tn("cite-lumiere.tokens", tokens)}`, open.map(({card}) => cardButton(card)))
        : null,
      legal?.some((move) => move.type === "pass") ? passButton(choice) : null,
      armed(state, seat),
      reserves(state, rivalOf(seat)),
    ];
  }

  function cardSheet(now) {
    const {choice, isPossible, draft, state, seat} = now;
    const {card} = choice;
    const rights = rightsUsed(draft, {state, seat});
    const isExchange = card === "levitation" && isPossible;
    const hint = () => t(isPossible || RIGHTS.has(card) ? `cite-lumiere.hint_${card}` : "cite-lumiere.no_effect");
    return [
      h("div", {class: "cite-card-head"},
        h("button", {type: "button", class: "plain", "aria-label": t("cite-lumiere.back"), onclick: clear}, "‹"),
        pictureOfCard(card), h("h2", {}, nameOfCard(card)), RIGHTS.has(card) ? null : declineButton(choice)),
      isExchange ? exchange(now) : h("p", {class: "cite-hint"}, hint()),
      ways(now),
      rights.length ? h("p", {class: "cite-hint"}, t("cite-lumiere.uses", {cards: rights.map(nameOfCard).join(", ")})) : null,
    ];
  }

  function declineButton({card, isDeclined = false}) {
    const act = () => choose({kind: "card", card, isDeclined: !isDeclined});
    return h("button", {type: "button", "data-choice": "declined", "aria-pressed": String(isDeclined), onclick: act}, t("cite-lumiere.decline"));
  }

  /** Which building goes and which one comes. */
  function exchange({choice, state, seat, legal}) {
    const {give, take} = choice;
    const exchanges = legal?.filter((move) => move.card === "levitation" && move.give) ?? null;
    const gives = state.seats[seat].reserve.filter((one) => !exchanges || exchanges.some((move) => move.give === one));
    const takes = state.supply.filter((one) => !exchanges || exchanges.some((move) => move.take === one && (!give || move.give === give)));
    const set = (members) => choose({...choice, isDeclined: false, ...members});
    const button = (kind, building, owner, isOn, act) => h("button", {
      type: "button", class: "cite-piece", "data-choice": `${kind}-${building}`, "aria-pressed": String(isOn),
      "aria-label": t(`cite-lumiere.${kind}_building`, {building}), onclick: act,
    }, pictureOfBuilding(shapeOf(edition, building), owner), h("span", {}, building));
    return [
      row("cite-supply", t("cite-lumiere.give"), gives.map((one) => button("give", one, seat, one === give, () => set({give: one})))),
      row("cite-supply", t("cite-lumiere.receive"), takes.map((one) => button("receive", one, null, one === take, () => set({take: one})))),
    ];
  }

  /** Buttons for what a tap left open: where the statue looks, which building the annex joins. */
  function ways({options, index}) {
    const label = (move) => (move.facing ? t(`cite-lumiere.facing_${move.facing}`) : t("cite-lumiere.joins", {building: move.building}));
    const isOpen = options.length > 1 && options.every((move) => move.facing || (move.card === "bouquinistes" && move.building));
    return isOpen
      ? h("div", {class: "cite-ways"}, options.map((move, at) => h("button", {
        type: "button", "aria-pressed": String(at === index), "data-choice": `way-${at}`, "aria-label": label(move), onclick: () => pick(at),
      }, ARROW[move.facing] ?? move.building)))
      : null;
  }

  function tileButton(tile, seat, choice) {
    return h("button", {
      type: "button", class: "cite-tile", "data-choice": tile, "aria-pressed": String(choice?.tile === tile),
      "aria-label": t("cite-lumiere.tile", {tile}), onclick: () => choose({kind: "pave", tile}),
    }, pictureOfTile(faceOf(edition, tile), seat));
  }

  function buildingButton(kind, building, seat, choice) {
    const isOn = choice?.kind === kind && choice.building === building;
    return h("button", {
      type: "button", class: "cite-piece", "data-choice": `${kind}-${building}`, "aria-pressed": String(isOn),
      "aria-label": t(`cite-lumiere.${kind}_building`, {building}), onclick: () => choose({kind, building}),
    }, pictureOfBuilding(shapeOf(edition, building), seat), h("span", {}, building));
  }

  function cardButton(card) {
    return h("button", {type: "button", class: "cite-card", "data-choice": card, onclick: () => choose({kind: "card", card})},
      pictureOfCard(card), h("span", {}, t(`cite-lumiere.short_${card}`)));
  }

  function passButton(choice) {
    const isOn = choice?.kind === "pass";
    return h("button", {type: "button", "data-choice": "pass", "aria-pressed": String(isOn), onclick: () => choose({kind: "pass"})}, t("cite-lumiere.pass"));
  }

  /** What the seats hold, small. */
  function reserves(state, only = null) {
    const held = Object.entries(state.seats).filter(([seat, {reserve}]) => reserve.length && (only === null || only === seat));
    return held.length
      ? h("p", {class: "cite-held"}, held.map(([seat, {reserve}]) => h("span", {"aria-label": t("cite-lumiere.holds", {seat: t(`cite-lumiere.seat_${seat}`), buildings: reserve.join(", ")}), role: "img"},
        seatSign("cite-lumiere", seat), reserve.map((building) => pictureOfBuilding(shapeOf(edition, building), seat)))))
      : null;
  }

  function armed(state, seat) {
    const cards = state.postcards.filter((card) => card.state === "armed" && card.owner === seat).map(({card}) => nameOfCard(card));
    return cards.length ? h("p", {class: "cite-hint"}, t("cite-lumiere.armed", {cards: cards.join(", ")})) : null;
  }

  return {show};
}

/** The whole name of a postcard. @param {string} card @returns {string} */
export function nameOfCard(card) {
  return t(`cite-lumiere.card_${card}`);
}

function row(kind, label, buttons) {
  return h("div", {class: "cite-row", role: "group", "aria-label": label},
    h("h2", {class: "cite-label"}, label), h("div", {class: kind}, buttons));
}
