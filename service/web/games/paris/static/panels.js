/** The parts of the sheet: what a move costs and gives, its options, and what is chosen apart from the board. */

import { h } from "../../js/dom.js";
import { t, tn } from "../../js/texts.js";
import { gainsOf, isActivated, landmarksAlong, priceOf, spendable, tradesOf } from "./drafts.js";
import { DISTRICTS, districtOf, PAIRED, prestigeWanted, STEP_BACK, TAKE_ANY, tokensOf, valueOf } from "./position.js";
import { amount, row, sign, signsOf, wordsOf } from "./signs.js";
import { nameOf } from "./words.js";

// What the move is

/** The move that took shape, in words, with what it costs and brings. @param {any} form @returns {HTMLElement} */
export function drawPreview(form) {
  const { draft, state, edition, told } = form;
  const parts = (...children) =>
    h(
      "div",
      { class: "paris-form-preview", "aria-live": "polite" },
      children,
      told && h("span", { class: "paris-form-told" }, told),
    );
  switch (draft.type) {
    case "reveal":
      return parts(
        h(
          "b",
          {},
          t(draft.discard ? "paris.move_discard" : "paris.move_reveal", {
            type: t(`paris.type_${edition.buildings[draft.tile].type}`),
            place: nameOf(draft.district ? `${draft.district}-${valueOf(draft.tile)}` : draft.tile, state),
          }),
        ),
        sign(edition.buildings[draft.tile].type, 24),
      );
    case "place_key": {
      const district = districtOf(state, draft.at);
      return parts(
        h("b", {}, t("paris.move_place", { place: nameOf(draft.at, state) })),
        district && h("span", { class: "paris-form-gain" }, "+", amount(edition.banks[district], "coin")),
      );
    }
    case "move_key":
      return drawPrice(form, parts);
    case "advance": {
      const number = state.track[draft.to].at(-1);
      return parts(
        h("b", {}, t("paris.move_advance", { space: draft.to })),
        tileInWords(form, number),
        state.turn.advance_fee > 0 &&
          h("span", { class: "paris-form-price" }, "−", amount(state.turn.advance_fee, "coin")),
      );
    }
    case "score_tile":
      return parts(
        h(
          "b",
          {},
          t("paris.move_score", {
            points: edition.scoring_tiles[draft.tile].join(" · "),
            district: t(`paris.district_${draft.district}`),
          }),
        ),
      );
    case "trade":
      return parts(h("b", {}, tradeInWords(form, draft)));
    case "take_end_tile":
      return parts(h("b", {}, t("paris.move_end_tile")), tileInWords(form, draft.tile));
    case "activate":
      return parts(
        h("b", {}, t("paris.move_activate", { tile: draft.tile })),
        tileInWords(form, draft.take ?? (draft.to ? state.track[draft.to].at(-1) : draft.tile)),
      );
    default:
      return parts();
  }
}

function tileInWords({ edition, players }, tile) {
  const does = edition.bonus[tile] ?? edition.end_tiles[tile];
  return does ? h("span", { class: "paris-form-does" }, row(signsOf(does, players), 16), wordsOf(does, players)) : null;
}

/** Francs and tokens of a move of a key, what is left of them, and what it brings. */
function drawPrice({ draft, state, edition, seat }, parts) {
  const price = priceOf(state, edition, seat, draft);
  const gains = gainsOf(state, edition, draft);
  const costs = [{ kind: "coin", count: price.francs, tiles: 0, left: price.left }, ...price.tokens];
  return parts(
    h("b", {}, t("paris.move_key", { from: nameOf(draft.from, state), to: nameOf(draft.to, state) })),
    h(
      "ul",
      { class: "paris-form-costs", "aria-label": t("paris.price") },
      costs.map(({ kind, count, tiles, left }) =>
        h(
          "li",
          {},
          "−",
          amount(count, kind),
          tiles > 0 && h("span", { class: "quiet" }, tn("paris.by_tiles", tiles)),
          h("span", { class: ["paris-form-left-over", left < 0 && "problem"] }, t("paris.left", { n: left })),
        ),
      ),
    ),
    h(
      "ul",
      { class: "paris-form-gains", "aria-label": t("paris.gains") },
      gains.token && h("li", {}, "+", amount(1, gains.token)),
      gains.points > 0 && h("li", {}, "+", amount(gains.points, "point")),
      gains.advance &&
        h(
          "li",
          {},
          sign("pawn", 20),
          gains.fee ? t("paris.gain_advance_fee", { francs: tn("paris.francs", gains.fee) }) : t("paris.gain_advance"),
        ),
      draft.landmark &&
        `landmark-${draft.landmark.tile}` !== draft.to &&
        h(
          "li",
          {},
          sign("landmark", 20),
          t("paris.gain_landmark", {
            value: draft.landmark.tile,
            district: t(`paris.district_${draft.landmark.district}`),
          }),
        ),
    ),
  );
}

// What can be chosen about it

/** The options of the move that took shape. @param {any} form @returns {HTMLElement} */
export function drawOptions(form) {
  const { draft } = form;
  const options = { reveal: revealOptions, move_key: keyOptions, activate: pairOptions }[draft.type]?.(form) ?? [];
  return h("div", { class: "paris-form-options" }, options);
}

function pick(label, isChosen, act, name) {
  return h(
    "button",
    {
      type: "button",
      class: "paris-form-pick",
      "aria-pressed": String(isChosen),
      dataset: { act: name },
      onclick: act,
    },
    label,
  );
}

function group(label, ...children) {
  return h(
    "div",
    { class: "paris-form-option", role: "group", "aria-label": label },
    h("span", { class: "quiet" }, label),
    ...children,
  );
}

function ways(label, children) {
  return h(
    "div",
    { class: "paris-form-option paris-form-ways", role: "group", "aria-label": label, tabindex: 0 },
    h("span", { class: "quiet" }, label),
    children,
  );
}

function revealOptions(form) {
  const { draft, ways: found, state, edition } = form;
  const stacks = state.stacks.map((left, at) => [at + 1, left]).filter(([, left]) => left > 0);
  return [
    found.length > 1 &&
      ways(
        t("paris.which_tile"),
        found.map((way) =>
          pick(
            [sign(edition.buildings[way.tile].type, 20), t(`paris.district_${districtOf(state, way.tile)}`)],
            way.tile === draft.tile,
            () => form.choose({ ...way, stack: draft.stack }),
            `tile-${way.tile}`,
          ),
        ),
      ),
    stacks.length > 1 &&
      group(
        t("paris.from_stack"),
        stacks.map(([stack]) => pick(stack, stack === draft.stack, () => form.chooseStack(stack), `stack-${stack}`)),
      ),
  ];
}

function keyOptions(form) {
  const { draft, ways: found, state, edition, seat } = form;
  const isWay = (way) =>
    way.from === draft.from && (way.landmark?.district ?? null) === (entered(draft)?.district ?? null);
  const along = landmarksAlong(state, draft);
  const swaps = spendable(state, edition, seat, draft);
  return [
    ...prestigeWanted(edition, draft.to).map(([kind]) => prestigeOption(form, kind)),
    (swaps.length > 0 || draft.spend) &&
      group(
        t("paris.pay_with"),
        (draft.spend ?? []).map(({ tile, as }, at) =>
          pick(
            [t("paris.tile", { tile }), sign(as, 18)],
            true,
            () => form.amend({ spend: draft.spend.filter((_, index) => index !== at) }),
            `spent-${at}`,
          ),
        ),
        swaps.map(({ tile, as }) =>
          pick(
            [t("paris.tile", { tile }), sign(as, 18)],
            false,
            () => form.amend({ spend: [...(draft.spend ?? []), { tile, as }] }),
            `spend-${tile}-${as}`,
          ),
        ),
      ),
    found.length > 1 &&
      ways(
        t("paris.from_where"),
        found.map((way) =>
          pick(
            drawWay(way, state),
            isWay(way),
            () => form.choose(way),
            ["way", way.from, way.landmark?.district].filter(Boolean).join("-"),
          ),
        ),
      ),
    along.length > 0 && entered(draft) === null && landmarkOption(form, along),
  ];
}

/** Where a key comes from, or with one of the Arc where the landmark goes. */
function drawWay({ from, landmark }, state) {
  if (from === "arc" && landmark) return t(`paris.district_${landmark.district}`);
  if (from === "arc") return [sign("arc", 26, 0.93), h("span", { class: "unseen" }, nameOf(from, state))];
  if (!from.startsWith("bank:")) return nameOf(from, state);
  return [
    sign("coin", 18),
    t(`paris.district_${districtOf(state, from)}`),
    h("span", { class: "unseen" }, nameOf(from, state)),
  ];
}

/** The landmark that a move places and enters. */
function entered(move) {
  return move.landmark && `landmark-${move.landmark.tile}` === move.to ? move.landmark : null;
}

function prestigeOption(form, kind) {
  const { draft } = form;
  const most = form.fullPrestige[kind] ?? 0;
  const count = draft.prestige?.[kind] ?? 0;
  const set = (to) => form.amend({ prestige: { ...draft.prestige, [kind]: to } });
  if (most === 0) return null;
  return group(t(`paris.discard_${kind}`), stepper(count, most, set, `prestige-${kind}`), sign(kind, 20));
}

function stepper(count, most, set, name) {
  const step = (by, label) =>
    h(
      "button",
      {
        type: "button",
        dataset: { act: `${name}${by > 0 ? "-more" : "-less"}` },
        "aria-label": label,
        disabled: count + by < 0 || count + by > most,
        onclick: () => set(count + by),
      },
      by > 0 ? "+" : "−",
    );
  return h(
    "span",
    { class: "paris-form-stepper" },
    step(-1, t("paris.less")),
    h("b", {}, count),
    step(1, t("paris.more")),
  );
}

/** A landmark that the key does not enter: which, and for a key of the Arc in which district. */
function landmarkOption(form, along) {
  const { draft, state, view } = form;
  const own = districtOf(state, draft.from);
  const chosen = draft.landmark?.tile;
  const where = own ?? draft.landmark?.district ?? districtOf(state, draft.to) ?? view;
  const set = (landmark) => form.amend({ landmark });
  return h(
    "details",
    { class: "paris-form-option", open: chosen !== undefined },
    h("summary", { dataset: { act: "along" } }, t("paris.place_landmark")),
    h(
      "div",
      { class: "paris-form-chips" },
      along.map((value) =>
        pick(
          value,
          value === chosen,
          () => set(value === chosen ? undefined : { tile: value, district: where }),
          `landmark-${value}`,
        ),
      ),
    ),
    own === null &&
      chosen !== undefined &&
      h(
        "div",
        { class: "paris-form-chips" },
        DISTRICTS.map((district) =>
          pick(
            t(`paris.district_${district}`),
            district === where,
            () => set({ tile: chosen, district }),
            `landmark-in-${district}`,
          ),
        ),
      ),
  );
}

function pairOptions(form) {
  const { draft, side } = form;
  if (!draft.pairs) return [];
  return PAIRED[draft.tile]
    .map((kind) => [kind, Math.floor(tokensOf(side)[kind] / 2)])
    .filter(([, most]) => most > 0)
    .map(([kind, most]) =>
      group(
        t(`paris.kind_${kind}`),
        stepper(
          draft.pairs[kind] ?? 0,
          most,
          (to) => {
            const pairs = Object.fromEntries(
              Object.entries({ ...draft.pairs, [kind]: to }).filter(([, count]) => count > 0),
            );
            if (Object.keys(pairs).length > 0) form.choose({ ...draft, pairs });
          },
          `pairs-${kind}`,
        ),
        sign(kind, 20),
      ),
    );
}

// What is chosen apart from the board

/** The open part of the sheet. @param {any} form @returns {HTMLElement|null} */
export function drawPanel(form) {
  return (
    { score: scorePanel, tiles: tilesPanel, trade: tradePanel, end_tiles: endTilesPanel, discard: discardPanel }[
      form.panel.name
    ]?.(form) ?? null
  );
}

function scorePanel(form) {
  const { state, edition, panel } = form;
  return h(
    "div",
    { class: "paris-form-chosen-from" },
    h(
      "div",
      { class: "paris-form-chips" },
      state.scoring_tiles.available
        .toReversed()
        .map((tile) =>
          pick(
            edition.scoring_tiles[tile].join(" · "),
            panel.tile === tile,
            () => form.chooseScoring({ tile }),
            `scoring-${tile}`,
          ),
        ),
    ),
    panel.tile &&
      h(
        "div",
        { class: "paris-form-chips" },
        DISTRICTS.filter((district) => !(district in state.scoring_tiles.placed)).map((district) =>
          pick(
            t(`paris.district_${district}`),
            form.draft?.district === district,
            () => form.chooseScoring({ district }),
            `in-${district}`,
          ),
        ),
      ),
  );
}

function tilesPanel(form) {
  const { side, edition, players, panel } = form;
  const held = side.bonus.filter((tile) => isActivated(edition.bonus[tile]));
  const chosen = form.draft?.type === "activate" ? form.draft.tile : panel.tile;
  return h(
    "div",
    { class: "paris-form-tiles" },
    held.map((tile) =>
      pick(
        [
          h("b", {}, tile),
          row(signsOf(edition.bonus[tile], players), 15),
          h("span", { class: "paris-form-words" }, wordsOf(edition.bonus[tile], players)),
        ],
        chosen === tile,
        () => form.activate(tile),
        `use-${tile}`,
      ),
    ),
    (chosen === STEP_BACK || chosen === TAKE_ANY) && takeable(form, chosen),
  );
}

/** The bonus tiles that 17 can take or 25 can step back to. */
function takeable(form, tile) {
  const moves = (form.legal ?? []).filter((move) => move.type === "activate" && move.tile === tile);
  if (moves.length === 0) return h("p", { class: "quiet" }, t("paris.nothing_to_take"));
  return h(
    "div",
    { class: "paris-form-chips" },
    moves.map((move) =>
      pick(
        move.take ?? t("paris.space_of_track", { space: move.to }),
        form.draft?.take === move.take && form.draft?.to === move.to,
        () => form.propose(move),
        `take-${move.take ?? move.to}`,
      ),
    ),
  );
}

function tradePanel(form) {
  const trades = tradesOf(form.legal, form.state, form.edition, form.seat);
  const draft = form.draft?.type === "trade" ? form.draft : {};
  return h(
    "div",
    { class: "paris-form-chips" },
    trades.map((move) => {
      const kind = move.buy ?? move.sell;
      const isChosen = draft.buy === move.buy && draft.sell === move.sell && draft.tile === move.tile;
      const price = form.edition.prices[move.buy ? "buy" : "sell"][kind];
      return pick(
        [
          move.buy
            ? t("paris.buy")
            : move.tile === undefined
              ? t("paris.sell")
              : t("paris.sell_tile", { tile: move.tile }),
          sign(kind, 20),
          h("span", { class: "unseen" }, t(`paris.kind_${kind}`)),
          h("span", { class: "quiet" }, move.buy ? "−" : "+"),
          amount(price, "coin"),
        ],
        isChosen,
        () => form.propose(move),
        `${move.buy ? "buy" : "sell"}-${kind}${move.tile ? `-${move.tile}` : ""}`,
      );
    }),
  );
}

function tradeInWords({ edition }, move) {
  const kind = move.buy ?? move.sell;
  const price = tn("paris.francs", edition.prices[move.buy ? "buy" : "sell"][kind]);
  const tokens = tn(`paris.count_${kind}`, 1);
  return t(move.buy ? "paris.move_buy" : "paris.move_sell", { tokens, price });
}

function endTilesPanel(form) {
  const { state, edition, players } = form;
  return h(
    "div",
    { class: "paris-form-tiles" },
    state.end_tiles.map((tile) =>
      pick(
        [
          row(signsOf(edition.end_tiles[tile], players), 18),
          h("span", { class: "unseen" }, wordsOf(edition.end_tiles[tile], players)),
        ],
        form.draft?.tile === tile,
        () => form.propose({ type: "take_end_tile", tile }),
        `end-${tile}`,
      ),
    ),
  );
}

function discardPanel(form) {
  const tiles = [...new Set((form.legal ?? []).filter((move) => move.discard).map(({ tile }) => tile))];
  return h(
    "div",
    { class: "paris-form-chips" },
    tiles.map((tile) =>
      pick(
        [sign(form.edition.buildings[tile].type, 20), nameOf(tile, form.state)],
        form.draft?.tile === tile,
        () => form.discard(tile),
        `discard-${tile}`,
      ),
    ),
  );
}
