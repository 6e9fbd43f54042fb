/** The city on the table of Paris: the Arc, and round it the six districts with all that stands in them. */

import { h, svg } from "../../js/dom.js";
import { withSign } from "../../js/minus.js";
import { t, tn } from "../../js/texts.js";
import { extraOf, keysAt, landmarksIn, RESOURCES, sums, VALUES, valueOf } from "./position.js";
import { put, sign } from "./signs.js";
import { drawKeys, drawRow, groundOf, seatsOr, thing } from "./things.js";

/** @import { Table } from "./things.js" */

const nameOfDistrict = (district) => t(`paris.district_${district}`);

/** The avenues that run towards the Arc, where the whole table is in sight. */
export function drawStar() {
  const rays = Array.from({ length: 12 }, (_, at) => (at * Math.PI) / 6).map(
    (angle) => `M700 366L${Math.round(700 + 680 * Math.cos(angle))} ${Math.round(366 + 300 * Math.sin(angle))}`,
  );
  return svg(
    "svg",
    { class: "paris-star", viewBox: "0 0 1400 732", "aria-hidden": "true" },
    svg("path", { d: rays.join("") }),
    svg("circle", { cx: 700, cy: 366, r: 107 }),
  );
}

/** @param {Table} table */
export function drawArc(table) {
  const { state, pieces, nameOf } = table;
  const label = state.arc.length
    ? t("paris.arc_keys", { seats: state.arc.map(nameOf).join(", ") })
    : t("paris.arc_empty");
  return thing(
    table,
    "arc",
    "paris-arc",
    label,
    svg(
      "svg",
      { class: "paris-arc-small", viewBox: "0 0 116 40", "aria-hidden": "true" },
      put("arc", 22, 20, 41, 38),
      drawKeys(state.arc, [46, 0, 68, 40], pieces.arc),
    ),
    svg(
      "svg",
      { class: "paris-arc-whole", viewBox: "0 0 220 200", "aria-hidden": "true" },
      put("arc", 110, 84, 180, 168),
      svg("rect", { x: 42, y: 152, width: 136, height: 44, rx: 8, class: "paris-plinth" }),
      drawKeys(state.arc, [46, 154, 128, 40], pieces.arc),
    ),
  );
}

/**
 * A district: a strip that opens it where there is little room, and the card with its places.
 * @param {Table} table @param {string} district @param {boolean} isOpen
 */
export function drawDistrict(table, district, isOpen) {
  const landmarks = [...landmarksIn(table.state, district), ...landmarksToCome(table, district)];
  return h(
    "section",
    {
      class: ["paris-district", `paris-in-${district}`],
      "aria-label": nameOfDistrict(district),
      dataset: { district, ...(isOpen && { open: "" }) },
    },
    drawStrip(table, district, isOpen),
    h(
      "div",
      { class: "paris-card" },
      h("div", { class: "paris-head" }, h("h2", {}, nameOfDistrict(district)), drawSums(table, district)),
      h(
        "div",
        { class: "paris-spaces" },
        drawBank(table, district),
        VALUES.map((value) => drawSpace(table, `${district}-${value}`)),
      ),
      h(
        "div",
        { class: "paris-park" },
        landmarks.map((value) => drawLandmark(table, value)),
        drawScoring(table, district),
        svg(
          "svg",
          { class: "paris-tower", viewBox: "-12 -12 24 24", "aria-hidden": "true" },
          put("landmark", 0, 0, 24),
        ),
      ),
    ),
  );
}

/** What each seat owns in a district, added up. */
function drawSums({ state, nameOf }, district) {
  return h(
    "span",
    { class: "paris-sums" },
    Object.entries(sums(state, district)).map(([seat, value]) =>
      h("span", {}, sign(`badge-${seat}`, 18), h("span", { class: "unseen" }, `${nameOf(seat)} `), h("b", {}, value)),
    ),
  );
}

/** The name of a district, its six spaces and landmarks with their owners, or what they own, and who stands in its bank. */
function drawStrip(table, district, isOpen) {
  const { state, sheet } = table;
  const scoring = state.scoring_tiles.placed[district];
  const best = isOpen ? null : bestWithin(table, district);
  return h(
    "button",
    {
      type: "button",
      class: ["paris-strip", ...marksWithin(table, district)],
      dataset: { show: district },
      "aria-pressed": String(isOpen),
    },
    h("span", { class: "paris-name" }, nameOfDistrict(district)),
    h(
      "span",
      { class: "paris-in-bank", "aria-hidden": "true" },
      state.banks[district].map((seat) => sign(`badge-${seat}`, 14)),
      sign("coin", 13),
      sheet.banks[district],
    ),
    h(
      "span",
      { class: "paris-owners" },
      drawSquares(state, district),
      drawSums(table, district),
      best !== null && h("span", { class: "paris-gain", "aria-hidden": "true" }, withSign(best)),
      scoring && h("span", { class: "paris-pays", "aria-hidden": "true" }, sheet.scoring_tiles[scoring][0]),
    ),
  );
}

const SQUARE = 18;

function drawSquares(state, district) {
  const spaces = VALUES.map((value) => `${district}-${value}`);
  const landmarks = landmarksIn(state, district).map((value) => `landmark-${value}`);
  const squares = [...spaces, ...landmarks].map((place, at) => {
    const x = SQUARE * at + SQUARE / 2 + (at >= spaces.length ? 4 : 0);
    const owners = keysAt(state, place);
    const isThere = at >= spaces.length || state.buildings[place] !== undefined;
    if (owners.length === 0) {
      const name = isThere ? "paris-there" : "paris-open";
      if (at >= spaces.length) return svg("path", { d: `M${x - 6} 15V6l6-5 6 5v9z`, class: name });
      return svg("rect", { x: x - 6, y: 3, width: 12, height: 12, rx: 2, class: name });
    }
    const [size, step] = owners.length > 1 ? [11, 5] : [16, 0];
    return owners.map((seat, index) => put(`badge-${seat}`, x + step * (2 * index - owners.length + 1) * 0.5, 9, size));
  });
  const width = SQUARE * squares.length + (landmarks.length ? 4 : 0);
  return svg(
    "svg",
    { viewBox: `0 0 ${width} 18`, width, height: 18, class: "paris-squares", "aria-hidden": "true" },
    squares,
  );
}

/** A strip tells that something can be tapped in its district, where that is news, and what was changed there last. */
function marksWithin(table, district) {
  const lights = lightsOf(table, district);
  const isNews = Object.keys(table.state.banks).some((other) => !lightsOf(table, other).includes("ghost"));
  return [
    isNews && lights.includes("ghost") && "paris-has-ghost",
    (lights.includes("last") || lights.includes("waits")) && "paris-has-last",
  ];
}

function lightsOf({ lit, state }, district) {
  return Object.keys(lit)
    .filter((place) => isWithin(state, place, district))
    .flatMap((place) => lit[place]);
}

/** What a tap within a district would give at best. */
function bestWithin({ gains, state }, district) {
  const found = Object.keys(gains).filter((place) => isWithin(state, place, district));
  return found.length > 0 ? Math.max(...found.map((place) => gains[place])) : null;
}

function isWithin(state, place, district) {
  if (place.startsWith("landmark-")) return state.landmarks.placed[valueOf(place)]?.district === district;
  return place.startsWith(`${district}-`) || place.endsWith(`:${district}`);
}

/** Landmarks that a move not made yet would put into this district. */
function landmarksToCome({ pieces, state }, district) {
  const coming = Object.entries(pieces).filter(([, there]) => there.some((piece) => piece.district === district));
  return coming.map(([place]) => valueOf(place)).filter((value) => !(value in state.landmarks.placed));
}

function drawBank(table, district) {
  const { state, sheet, pieces } = table;
  const place = `bank:${district}`;
  const keys = state.banks[district];
  const label = t("paris.bank", {
    francs: tn("paris.francs", sheet.banks[district]),
    seats: seatsOr(table.nameOf, keys),
  });
  return thing(
    table,
    place,
    "paris-bank",
    label,
    svg(
      "svg",
      { viewBox: "0 0 57 118", "aria-hidden": "true" },
      svg("path", { d: "M1 28L28.500 12 56 28z", class: "paris-roof" }),
      svg("rect", { x: 3, y: 28, width: 51, height: 88, rx: 3, class: "paris-walls" }),
      put("coin", 39, 45, 22),
      svg("text", { x: 18, y: 52, class: "paris-value" }, sheet.banks[district]),
      drawKeys(keys, [3, 58, 51, 58], pieces[place]),
    ),
  );
}

function drawSpace(table, place) {
  const { state, sheet, pieces } = table;
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
          svg("rect", { x: 1, y: 27, width: 55, height: 90, rx: 6, class: "paris-empty" }),
          svg("text", { x: 28.5, y: 82, class: "paris-number" }, value),
        ]
      : drawTile(sheet.buildings[tile], value, keysAt(state, place), pieces[place], building === undefined),
  );
  return thing(table, place, "paris-space", labelOfSpace(table, place, value, building, token), picture);
}

function drawTile(printed, value, keys, pieces, isComing) {
  const extra = RESOURCES.flatMap((kind) => Array(printed.extra[kind] ?? 0).fill(kind));
  return svg(
    "g",
    { class: isComing && "paris-coming" },
    svg("rect", { x: 1, y: 27, width: 55, height: 90, rx: 6, class: ["paris-tile", groundOf(keys)] }),
    svg("text", { x: 15, y: 50, class: "paris-value" }, value),
    put(printed.type, 40, 43, 25),
    drawRow(extra, 28.5, 67, 51, 16),
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

/** A landmark: what it asks for, what it gives, and who has it. @param {Table} table @param {number} value */
export function drawLandmark(table, value) {
  const { state, sheet, pieces } = table;
  const place = `landmark-${value}`;
  const keys = keysAt(state, place);
  const printed = sheet.landmarks[value];
  const extra = RESOURCES.flatMap((kind) => Array(printed.extra[kind] ?? 0).fill(kind));
  const gains = Object.entries(printed.prestige);
  const isPlaced = value in state.landmarks.placed;
  const told = [
    t("paris.landmark", { value, seats: isPlaced ? seatsOr(table.nameOf, keys) : t("paris.beside") }),
    t("paris.costs", {
      what: Object.entries(printed.extra)
        .map(([kind, count]) => tn(`paris.count_${kind}`, count))
        .join(", "),
    }),
    ...gains.map(([kind, points]) =>
      t("paris.landmark_gives", { kind: t(`paris.kind_${kind}`), points: tn("paris.points", points) }),
    ),
  ];
  const step = 45 / Math.max(1, gains.length);
  return thing(
    table,
    place,
    ["paris-landmark", !isPlaced && pieces[place] && "paris-coming"],
    told.join(", "),
    svg(
      "svg",
      { viewBox: "0 0 50 80", "aria-hidden": "true" },
      svg("rect", { x: 1, y: 1, width: 48, height: 78, rx: 5, class: ["paris-stone", groundOf(keys)] }),
      svg("text", { x: 15, y: 20, class: "paris-name-of" }, value),
      put("landmark", 38, 14, 23),
      drawRow(extra, 25, 34, 46, 15),
      keys.length || pieces[place]?.some(({ seat }) => seat)
        ? drawKeys(keys, [2, 43, 46, 36], pieces[place])
        : gains.map(([kind, points], at) => [
            put(kind, 25 + step * (at - (gains.length - 1) / 2) - 8, 62, gains.length > 1 ? 14 : 18),
            svg(
              "text",
              { x: 25 + step * (at - (gains.length - 1) / 2) + 8, y: 67, class: "paris-points" },
              `${points}`,
            ),
          ]),
    ),
  );
}

function drawScoring(table, district) {
  const scoring = table.state.scoring_tiles.placed[district];
  const points = scoring && table.sheet.scoring_tiles[scoring];
  if (!points) return null;
  return thing(
    table,
    `scoring:${district}`,
    "paris-scoring",
    t("paris.scoring_of", { points: points.join(", ") }),
    points.join(" · "),
  );
}
