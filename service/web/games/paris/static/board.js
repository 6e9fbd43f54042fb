/** The table of Paris: a map of the districts round the Arc, and large what is chosen on it. Drawing and taps only. */

/** @import { ParisState } from "../../../types/api.js" */

import { focusedIn, h, on, renew, replace, svg } from "../../js/dom.js";
import { seatName } from "../../js/seats.js";
import { t, tn } from "../../js/texts.js";
import {
  bare,
  DISTRICTS,
  extraOf,
  keysAt,
  landmarksIn,
  RESOURCES,
  sums,
  topOf,
  cellsOf,
  VALUES,
  valueOf,
  viewOf,
} from "./position.js";
import { amount, put, row, sign, signsOf, wordsOf } from "./signs.js";

const SPACES = Array.from({ length: 30 }, (_, index) => index + 1);

/**
 * The board in an element. A tap tells the place; one on the map tells the view that was chosen, and is no place. Ghosts
 * are `places` to tap, where something comes `from` or is `chosen`, `waiting` or `wrong`, and a `piece`: a key or tile to
 * come. `view` is what is shown large where there is no room for everything: a district, `track` or `supply`.
 * @param {HTMLElement} host @param {import("../../js/game.js").BoardOptions} options
 * @returns {import("../../js/game.js").Board}
 */
export function createBoard(host, { edition, nameOf = seatName, onTap = null }) {
  const board = new Table(host, bare(edition), nameOf, onTap);
  return {
    draw: (state, shown) => board.draw(state, shown),
    focus: (place) => place && board.find(place)?.focus(),
    celebrate: (items) => board.celebrate(items),
    dispose: () => board.dispose(),
  };
}

/** Milliseconds for each thing that gave points, and for all of them. */
const [STEP, CELEBRATION] = [260, 4000];

const GLOW = [{ filter: "brightness(1.5) drop-shadow(0 0 8px #f5c451)" }, { filter: "none" }];

class Table {
  /** @type {ParisState | null} */
  #state = null;
  #lastPly = null;
  #view = "montmartre";

  constructor(host, sheet, nameOf, onTap) {
    this.host = host;
    this.sheet = sheet;
    this.nameOf = nameOf;
    this.onTap = onTap;
    host.classList.add("paris");
    this.#view = host.dataset.view ?? this.#view;
    this.stops = [
      on(host, "click", "[data-show]", (_, element) => this.#choose(element.dataset.show)),
      on(host, "click", "button[data-place]", (_, element) => this.onTap?.({ place: element.dataset.place })),
    ];
  }

  dispose() {
    for (const stop of this.stops) stop();
    this.#state = null;
    replace(this.host);
  }

  /** Light up what gave points, the fewest first. */
  async celebrate(items) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const state = this.#state;
    const given = items.filter(({ points }) => points > 0).sort((one, other) => one.points - other.points);
    for (const { cells } of given) {
      if (this.#state !== state) return;
      for (const place of cells) this.find(place)?.animate(GLOW, { duration: 900, easing: "ease-out" });
      await new Promise((resolve) => setTimeout(resolve, Math.min(STEP, CELEBRATION / given.length)));
    }
  }

  draw(state, /** @type {any} */ shown = {}) {
    const isFirst = this.#state === null;
    const view = shown.view ?? this.#viewOfNews(state, shown) ?? this.#view;
    const isOther = view !== this.#view;
    const { place, show } = focusedIn(this.host)?.dataset ?? {};
    this.#state = state;
    this.#view = view;
    Object.assign(this.host.dataset, { view: this.#view, ply: state.ply });
    renew(this.host, h("div", { class: "paris-table" }, this.#drawAll(state, shown)));
    if (isFirst || (isOther && this.#view === "track")) this.#seek();
    this.host.querySelector(".district .coming")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (place) this.find(place)?.focus({ preventScroll: true });
    else if (show) this.host.querySelector(`[data-show="${show}"]`)?.focus({ preventScroll: true });
  }

  /** @param {string} place @returns {HTMLElement | null} */
  find(place) {
    return this.host.querySelector(`[data-place="${CSS.escape(place)}"]`);
  }

  /** Where points come from, and for whoever only watches where the last move went. */
  #viewOfNews(state, { light, lastMove }) {
    if (light) return light.cells.map((place) => viewOf(state, place)).find(Boolean);
    if (this.onTap !== null || !lastMove || this.#lastPly === lastMove.ply) return null;
    this.#lastPly = lastMove.ply;
    return cellsOf(lastMove.move, lastMove.seat)
      .reverse()
      .map((place) => viewOf(state, place))
      .find(Boolean);
  }

  #choose(view) {
    this.#view = view;
    this.host.dataset.view = view;
    for (const button of this.host.querySelectorAll("[data-show]")) {
      button.setAttribute("aria-pressed", String(button.dataset.show === view));
    }
    if (view === "track") this.#seek();
    this.onTap?.({ view });
  }

  /** Let the strip of the track begin where the pawn of the seat to move stands. */
  #seek() {
    const { to_move: next, seats } = /** @type {ParisState} */ (this.#state);
    const strip = this.host.querySelector(".track");
    const { track } = seats[next ?? Object.keys(seats)[0]];
    const space = strip.querySelector(`[data-place="track:${Math.max(1, track)}"]`);
    strip.scrollLeft = space.offsetLeft - strip.offsetLeft - 8;
  }

  #drawAll(state, shown) {
    const context = {
      state,
      sheet: this.sheet,
      nameOf: this.nameOf,
      shown,
      taps: this.onTap !== null && (shown.isTappable ?? true),
      lit: litBy(shown),
      pieces: piecesBy(shown),
    };
    return [
      drawMap(context, this.#view),
      h(
        "div",
        { class: "city" },
        DISTRICTS.map((district) => drawDistrict(context, district)),
        drawArc(context, "arc wide"),
      ),
      drawTrack(context),
      drawSupply(context),
    ];
  }
}

/** Which classes places have: the last move, what ghosts say, marks of a note, where points come from. */
function litBy({ lastMove, ghosts = [], marks = [], light: points }) {
  const lit = {};
  const light = (place, name) => (lit[place] = [...(lit[place] ?? []), name]);
  if (lastMove) {
    const { move, seat } = lastMove;
    cellsOf(move, seat).forEach((place, at) => light(place, move.type === "move_key" && at === 0 ? "left" : "last"));
  }
  for (const { kind, cells } of ghosts)
    if (kind !== "piece") for (const place of cells) light(place, GHOSTS[kind] ?? kind);
  for (const { cell, kind } of marks) light(cell, `mark mark-${kind}`);
  for (const place of points?.cells ?? []) light(place, "lit");
  return lit;
}

const GHOSTS = { places: "ghost", waiting: "waits" };

/** What moves that are not made yet would put where, drawn pale. */
function piecesBy({ ghosts = [] }) {
  const found = {};
  for (const { kind, cells, ...piece } of ghosts)
    if (kind === "piece") for (const place of cells) (found[place] ??= []).push(piece);
  return found;
}

/** A thing on the table: a button where it can be tapped, else a picture with a name. */
function thing({ taps, lit }, place, name, label, ...children) {
  const attributes = { class: [name, ...(lit[place] ?? [])], dataset: { place } };
  const told = (lit[place] ?? [])
    .filter((light) => ["last", "left", "ghost", "from", "chosen", "lit"].includes(light))
    .map((light) => t(`paris.is_${light}`));
  const whole = [label, ...told].join(", ");
  if (taps) return h("button", { ...attributes, type: "button", "aria-label": whole }, ...children);
  return h("div", { ...attributes, role: "img", "aria-label": whole }, ...children);
}

const nameOfDistrict = (district) => t(`paris.district_${district}`);

// The map

function drawMap(context, view) {
  const shows = (name, className, ...children) =>
    h(
      "button",
      { type: "button", class: className, dataset: { show: name }, "aria-pressed": String(name === view) },
      ...children,
    );
  return h(
    "div",
    { class: "map", role: "group", "aria-label": t("paris.map") },
    avenues(),
    DISTRICTS.map((district) =>
      shows(
        district,
        ["small", `is-${district}`, ...marksWithin(context, district)],
        h("span", { class: "name" }, nameOfDistrict(district)),
        smallDistrict(context, district),
      ),
    ),
    drawArc(context, "arc"),
    h(
      "div",
      { class: "tabs" },
      shows("track", "tab", sign("pawn", 18), t("paris.track")),
      shows("supply", "tab", sign("tile", 18), t("paris.supply")),
    ),
  );
}

/** A small district tells that something can be tapped in it, where that is news, and what was changed there last. */
function marksWithin(context, district) {
  const lights = lightsOf(context, district);
  const isNews = DISTRICTS.some((other) => !lightsOf(context, other).includes("ghost"));
  return [
    isNews && lights.includes("ghost") && "has-ghost",
    (lights.includes("last") || lights.includes("waits")) && "has-last",
  ];
}

function lightsOf({ lit, state }, district) {
  const isWithin = (place) =>
    place.startsWith(`${district}-`) ||
    place.endsWith(`:${district}`) ||
    (place.startsWith("landmark-") && state.landmarks.placed[valueOf(place)]?.district === district);
  return Object.entries(lit)
    .filter(([place]) => isWithin(place))
    .flatMap(([, lights]) => lights);
}

function avenues() {
  const rays = Array.from({ length: 12 }, (_, at) => (at * Math.PI) / 6).map(
    (angle) => `M0 0L${Math.round(200 * Math.cos(angle))} ${Math.round(120 * Math.sin(angle))}`,
  );
  return svg(
    "svg",
    { class: "avenues", viewBox: "-195 -92 390 184", "aria-hidden": "true", preserveAspectRatio: "none" },
    svg("path", { d: rays.join("") }),
    svg("circle", { r: 46 }),
  );
}

/** Six marks for the spaces of a district, those of the landmarks behind, and who has a key in its bank. */
function smallDistrict({ state, sheet }, district) {
  const places = [
    ...VALUES.map((value) => `${district}-${value}`),
    ...landmarksIn(state, district).map((value) => `landmark-${value}`),
  ];
  const step = Math.min(16, 108 / places.length);
  const spots = places.map((place, at) => {
    const x = 8 + step * at;
    const [owner] = keysAt(state, place);
    if (owner) return put(`badge-${owner}`, x, 8, 15);
    const isThere = place.startsWith("landmark-") || state.buildings[place];
    return svg("rect", { x: x - 5, y: 3, width: 10, height: 10, rx: 2, class: isThere ? "there" : "open" });
  });
  const bank = state.banks[district];
  const scoring = state.scoring_tiles.placed[district];
  return svg(
    "svg",
    { viewBox: "0 0 112 32", class: "spots", "aria-hidden": "true" },
    spots,
    put("coin", 8, 25, 12),
    svg("text", { x: 17, y: 29, class: "figure start" }, sheet.banks[district]),
    bank.map((seat, at) => put(`badge-${seat}`, 34 + 13 * at, 25, 13)),
    scoring && svg("path", { d: "M84 18h26l-4 7 4 7h-26l4-7z", class: "ribbon" }),
    scoring && svg("text", { x: 97, y: 29, class: "figure on-ribbon" }, sheet.scoring_tiles[scoring][0]),
  );
}

function drawArc(context, name) {
  const { state, pieces, nameOf } = context;
  const label = state.arc.length
    ? t("paris.arc_keys", { seats: state.arc.map(nameOf).join(", ") })
    : t("paris.arc_empty");
  return thing(
    context,
    "arc",
    name,
    label,
    svg(
      "svg",
      { viewBox: "0 0 120 58", "aria-hidden": "true" },
      put("arc", 60, 25, 54, 50),
      drawKeys(state.arc, [6, 20, 108, 38], pieces.arc),
    ),
  );
}

// A district

function drawDistrict(context, district) {
  const { state, sheet, nameOf } = context;
  const scoring = state.scoring_tiles.placed[district];
  const landmarks = landmarksIn(state, district);
  return h(
    "section",
    { class: ["district", `is-${district}`], "aria-label": nameOfDistrict(district), dataset: { district } },
    h(
      "header",
      {},
      h("h2", {}, nameOfDistrict(district)),
      h(
        "span",
        { class: "sums" },
        Object.entries(sums(state, district)).map(([seat, value]) =>
          h(
            "span",
            {},
            sign(`badge-${seat}`, 18),
            h("span", { class: "unseen" }, `${nameOf(seat)} `),
            h("b", {}, value),
          ),
        ),
      ),
      scoring &&
        thing(
          context,
          `scoring:${district}`,
          "scoring",
          t("paris.scoring_of", { points: sheet.scoring_tiles[scoring].join(", ") }),
          sheet.scoring_tiles[scoring].join(" · "),
        ),
    ),
    h(
      "div",
      { class: "spaces" },
      drawBank(context, district),
      VALUES.map((value) => drawSpace(context, `${district}-${value}`)),
      [...landmarks, ...landmarkGhosts(context, district)].map((value) => drawLandmark(context, value)),
    ),
  );
}

/** Landmarks that a move not made yet would put into this district. */
function landmarkGhosts({ pieces, state }, district) {
  const coming = Object.entries(pieces).filter(([, there]) => there.some((piece) => piece.district === district));
  return coming.map(([place]) => valueOf(place)).filter((value) => !(value in state.landmarks.placed));
}

function drawBank(context, district) {
  const { state, sheet, pieces } = context;
  const place = `bank:${district}`;
  const keys = state.banks[district];
  const label = t("paris.bank", {
    francs: tn("paris.francs", sheet.banks[district]),
    seats: seatsOr(context.nameOf, keys),
  });
  return thing(
    context,
    place,
    "bank",
    label,
    svg(
      "svg",
      { viewBox: "0 0 57 118", "aria-hidden": "true" },
      svg("path", { d: "M1 28L28.500 12 56 28z", class: "roof" }),
      svg("rect", { x: 3, y: 28, width: 51, height: 88, rx: 3, class: "walls" }),
      put("coin", 39, 45, 22),
      svg("text", { x: 18, y: 52, class: "value" }, sheet.banks[district]),
      drawKeys(keys, [3, 58, 51, 58], pieces[place]),
    ),
  );
}

function drawSpace(context, place) {
  const { state, sheet, pieces } = context;
  const value = place.slice(place.lastIndexOf("-") + 1);
  const building = state.buildings[place];
  const coming = pieces[place]?.find((piece) => piece.tile);
  const token = state.tokens[place];
  const tile = building?.tile ?? coming?.tile;
  const picture = svg(
    "svg",
    { viewBox: "0 0 57 118", "aria-hidden": "true" },
    token && put(token, 28.5, 12, 24),
    tile === undefined
      ? [
          svg("rect", { x: 1, y: 27, width: 55, height: 90, rx: 6, class: "empty" }),
          svg("text", { x: 28.5, y: 82, class: "number" }, value),
        ]
      : drawTile(sheet.buildings[tile], value, keysAt(state, place), pieces[place], building === undefined),
  );
  return thing(context, place, "space", labelOfSpace(context, place, value, building, token), picture);
}

function drawTile(printed, value, keys, pieces, isComing) {
  const extra = RESOURCES.flatMap((kind) => Array(printed.extra[kind] ?? 0).fill(kind));
  const step = Math.min(17, 48 / Math.max(1, extra.length));
  return svg(
    "g",
    { class: isComing && "coming" },
    svg("rect", { x: 1, y: 27, width: 55, height: 90, rx: 6, class: ["tile", ground(keys)] }),
    svg("text", { x: 15, y: 50, class: "value" }, value),
    put(printed.type, 40, 43, 25),
    extra.map((kind, at) => put(kind, 28.5 + step * (at - (extra.length - 1) / 2), 67, 16)),
    drawKeys(keys, [2, 77, 53, 38], pieces),
  );
}

function labelOfSpace({ state, sheet, nameOf }, place, value, building, token) {
  if (!building)
    return [t("paris.space_empty", { value }), token && t(`paris.kind_${token}`)].filter(Boolean).join(", ");
  const extra = Object.entries(extraOf(state, sheet, place)).map(([kind, count]) => tn(`paris.count_${kind}`, count));
  const seats = seatsOr(nameOf, building.keys);
  const parts = [t("paris.space", { type: t(`paris.type_${building.type}`), value, seats })];
  if (extra.length) parts.push(t("paris.costs", { what: extra.join(", ") }));
  if (token) parts.push(t(`paris.kind_${token}`));
  return parts.join(", ");
}

function drawLandmark(context, value) {
  const { state, sheet, pieces } = context;
  const place = `landmark-${value}`;
  const keys = keysAt(state, place);
  const printed = sheet.landmarks[value];
  const extra = RESOURCES.flatMap((kind) => Array(printed.extra[kind] ?? 0).fill(kind));
  const gains = Object.entries(printed.prestige);
  const isPlaced = value in state.landmarks.placed;
  const told = [
    t("paris.landmark", { value, seats: isPlaced ? seatsOr(context.nameOf, keys) : t("paris.beside") }),
    t("paris.costs", {
      what: Object.entries(printed.extra)
        .map(([kind, count]) => tn(`paris.count_${kind}`, count))
        .join(", "),
    }),
    ...gains.map(([kind, points]) =>
      t("paris.landmark_gives", { kind: t(`paris.kind_${kind}`), points: tn("paris.points", points) }),
    ),
  ];
  const step = Math.min(16, 46 / Math.max(1, extra.length));
  return thing(
    context,
    place,
    ["landmark", !isPlaced && context.pieces[place] && "coming"].filter(Boolean).join(" "),
    told.join(", "),
    svg(
      "svg",
      { viewBox: "0 0 57 118", "aria-hidden": "true" },
      svg("path", { d: "M1 24Q28.500-20 56 24V112a5 5 0 0 1-5 5H6a5 5 0 0 1-5-5z", class: ["stone", ground(keys)] }),
      put("landmark", 28.5, 17, 24),
      svg("text", { x: 28.5, y: 46, class: "value" }, value),
      extra.map((kind, at) => put(kind, 28.5 + step * (at - (extra.length - 1) / 2), 59, 16)),
      keys.length || pieces[place]?.some(({ seat }) => seat)
        ? drawKeys(keys, [2, 74, 53, 40], pieces[place])
        : gains.map(([kind, points], at) => [
            put(kind, 18, 84 + 19 * at, 20),
            svg("text", { x: 40, y: 89 + 19 * at, class: "points" }, `+${points}`),
          ]),
    ),
  );
}

/** Keys in a box, side by side, in two rows where they are many; those to come are pale. */
function drawKeys(seats, [x, y, width, height], pieces = []) {
  const keys = [
    ...seats.map((seat) => ({ seat })),
    ...pieces.filter(({ seat }) => seat).map(({ seat }) => ({ seat, isComing: true })),
  ];
  const isTall = height >= 56 && keys.length > 2;
  const rows = isTall ? [keys.slice(0, Math.ceil(keys.length / 2)), keys.slice(Math.ceil(keys.length / 2))] : [keys];
  return rows.flatMap((line, at) => {
    const step = Math.min(25, (width - 24) / Math.max(1, line.length - 1));
    return line.map(({ seat, isComing }, index) =>
      svg(
        "g",
        { class: isComing && "coming" },
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

function ground(keys) {
  const owners = new Set(keys);
  return owners.size === 1 ? `of-${keys[0]}` : "of-nobody";
}

function seatsOr(nameOf, keys) {
  return keys.length ? keys.map(nameOf).join(", ") : t("paris.nobody");
}

// The track and what lies beside

function drawTrack(context) {
  const { state, sheet, nameOf, pieces } = context;
  const players = Object.keys(state.seats).length;
  return h(
    "section",
    { class: "beside track-section", "aria-label": t("paris.track") },
    h("h2", {}, t("paris.track")),
    h(
      "div",
      { class: "track", tabindex: context.taps ? null : 0, role: "group", "aria-label": t("paris.track") },
      h("div", { class: "start" }, drawPawns(context, 0)),
      SPACES.map((space) => {
        const number = topOf(state, space);
        const pawns = Object.keys(state.seats).filter((seat) => state.seats[seat].track === space);
        const words = number === undefined ? t("paris.no_tile") : wordsOf(sheet.bonus[number], players);
        const label = [t("paris.track_space", { space, words }), ...pawns.map(nameOf)].join(", ");
        const name = ["bonus", `zone-${zoneOf(sheet, space)}`, number === undefined && "gone"]
          .filter(Boolean)
          .join(" ");
        return thing(
          context,
          `track:${space}`,
          name,
          number !== undefined && number !== space ? `${label} (${number})` : label,
          h(
            "span",
            { class: "head" },
            h("b", {}, number ?? space),
            state.track[space].length > 1 && h("span", { class: "twice" }, "×2"),
            drawPawns(context, space, pieces[`track:${space}`]),
          ),
          number !== undefined && row(signsOf(sheet.bonus[number], players), 15),
          h("span", { class: "words" }, words),
        );
      }),
    ),
  );
}

function zoneOf(sheet, space) {
  const zone = Object.keys(sheet.zones).find((name) => space <= sheet.zones[name][1]);
  return zone?.toLowerCase();
}

function drawPawns({ state }, space, pieces = []) {
  const seats = Object.keys(state.seats).filter((seat) => state.seats[seat].track === space);
  return h(
    "span",
    { class: "pawns" },
    seats.map((seat) => sign(`pawn-${seat}`, 18, 1.4)),
    pieces.map(({ seat }) => h("span", { class: "coming" }, sign(`pawn-${seat}`, 18, 1.4))),
  );
}

function drawSupply(context) {
  const { state, sheet } = context;
  return h(
    "section",
    { class: "beside supply", "aria-label": t("paris.supply") },
    h(
      "div",
      { class: "group" },
      h("h2", {}, t("paris.stacks")),
      h(
        "div",
        { class: "things", tabindex: 0 },
        state.stacks.map((left, at) =>
          thing(
            context,
            `stack:${at + 1}`,
            ["stack", left === 0 && "gone"].filter(Boolean).join(" "),
            t("paris.stack", { stack: at + 1, tiles: tn("paris.tiles", left) }),
            h("b", {}, left),
          ),
        ),
      ),
    ),
    h(
      "div",
      { class: "group" },
      h("h2", {}, t("paris.market")),
      h(
        "div",
        { class: "things", tabindex: 0 },
        RESOURCES.map((kind) =>
          thing(
            context,
            `market:${kind}`,
            ["ware", state.market[kind] === 0 && "gone"].filter(Boolean).join(" "),
            t("paris.ware", {
              tokens: tn(`paris.count_${kind}`, state.market[kind]),
              buy: tn("paris.francs", sheet.prices.buy[kind]),
            }),
            h("span", {}, sign(kind, 22), h("b", {}, state.market[kind])),
            amount(sheet.prices.buy[kind], "coin"),
          ),
        ),
      ),
    ),
    state.landmarks.available.length > 0 &&
      h(
        "div",
        { class: "group" },
        h("h2", {}, t("paris.landmarks")),
        h(
          "div",
          { class: "things", tabindex: 0 },
          state.landmarks.available.map((value) => drawLandmark(context, value)),
        ),
      ),
    h(
      "div",
      { class: "group" },
      h("h2", {}, t("paris.end_tiles")),
      h(
        "div",
        { class: "things", tabindex: 0 },
        thing(
          context,
          "end_tiles",
          ["stack", state.end_tiles.length === 0 && "gone"].filter(Boolean).join(" "),
          tn("paris.end_tiles_left", state.end_tiles.length),
          h("b", {}, state.end_tiles.length),
        ),
      ),
    ),
    state.scoring_tiles.available.length > 0 &&
      h(
        "div",
        { class: "group wide-group" },
        h("h2", {}, t("paris.scoring_tiles")),
        h(
          "div",
          { class: "things", tabindex: 0 },
          state.scoring_tiles.available.map((tile) =>
            thing(
              context,
              `scoring-tile:${tile}`,
              "scoring",
              t("paris.scoring_of", { points: sheet.scoring_tiles[tile].join(", ") }),
              sheet.scoring_tiles[tile].join(" · "),
            ),
          ),
        ),
      ),
  );
}
