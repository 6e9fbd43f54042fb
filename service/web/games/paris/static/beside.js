/** What lies beside the city on the table of Paris: the bonus track, stacks, market, landmarks, end and scoring tiles. */

import { h } from "../../js/dom.js";
import { t, tn } from "../../js/texts.js";
import { drawLandmark } from "./city.js";
import { RESOURCES, topOf } from "./position.js";
import { amount, row, sign, signsOf, wordsOf } from "./signs.js";
import { thing } from "./things.js";

/** @import { Table } from "./things.js" */

const SPACES = Array.from({ length: 30 }, (_, index) => index + 1);

/** @param {Table} table */
export function drawTrack(table) {
  const { state, sheet, nameOf } = table;
  const players = Object.keys(state.seats).length;
  const drawOne = (space) => {
    const number = topOf(state, space);
    const pawns = Object.keys(state.seats).filter((seat) => state.seats[seat].track === space);
    const words = number === undefined ? t("paris.no_tile") : wordsOf(sheet.bonus[number], players);
    const label = [t("paris.track_space", { space, words }), ...pawns.map(nameOf)].join(", ");
    return thing(
      table,
      `track:${space}`,
      ["paris-bonus", `paris-zone-${zoneOf(sheet, space)}`, number === undefined && "paris-gone"],
      number !== undefined && number !== space ? `${label} (${number})` : label,
      h(
        "span",
        { class: "paris-bonus-head" },
        h("b", {}, number ?? space),
        state.track[space].length > 1 && h("span", { class: "paris-twice" }, "×2"),
        drawPawns(table, space),
      ),
      number !== undefined && row(signsOf(sheet.bonus[number], players), 15),
      h("span", { class: "paris-words" }, words),
    );
  };
  return h(
    "section",
    { class: "paris-track-panel", "aria-label": t("paris.track") },
    h(
      "div",
      { class: "paris-track", tabindex: table.isTapped ? null : 0, role: "group", "aria-label": t("paris.track") },
      h("div", { class: "paris-start" }, drawPawns(table, 0)),
      SPACES.map(drawOne),
    ),
  );
}

function zoneOf(sheet, space) {
  const zone = Object.keys(sheet.zones).find((name) => space <= sheet.zones[name][1]);
  return zone?.toLowerCase();
}

function drawPawns({ state, pieces }, space) {
  const seats = Object.keys(state.seats).filter((seat) => state.seats[seat].track === space);
  return h(
    "span",
    { class: "paris-pawns" },
    seats.map((seat) => h("span", { "data-pawn": seat }, sign(`pawn-${seat}`, 18, 1.4))),
    (pieces[`track:${space}`] ?? []).map(({ seat }) =>
      h("span", { class: "paris-coming" }, sign(`pawn-${seat}`, 18, 1.4)),
    ),
  );
}

/** @param {Table} table */
export function drawSupply(table) {
  const { state } = table;
  return h(
    "section",
    { class: "paris-supply", "aria-label": t("paris.supply") },
    h(
      "div",
      { class: "paris-corner paris-to-come" },
      group(
        "paris-stacks",
        t("paris.stacks"),
        state.stacks.map((left, at) => drawStack(table, left, at)),
      ),
      group(
        "paris-market",
        t("paris.market"),
        RESOURCES.map((kind) => drawWare(table, kind)),
      ),
    ),
    h(
      "div",
      { class: "paris-corner paris-landmarks" },
      state.landmarks.available.length > 0 &&
        group(
          "",
          t("paris.landmarks"),
          state.landmarks.available.map((value) => drawLandmark(table, value)),
        ),
    ),
    h("div", { class: "paris-corner paris-ends" }, group("", t("paris.end_tiles"), [drawEndTiles(table)])),
    h(
      "div",
      { class: "paris-corner paris-scorings" },
      state.scoring_tiles.available.length > 0 &&
        group(
          "",
          t("paris.scoring_tiles"),
          state.scoring_tiles.available.map((tile) => drawScoringTile(table, tile)),
        ),
    ),
  );
}

function group(name, title, things) {
  return h("div", { class: ["paris-group", name] }, h("h2", {}, title), h("div", { class: "paris-things" }, things));
}

function drawStack(table, left, at) {
  return thing(
    table,
    `stack:${at + 1}`,
    ["paris-stack", left === 0 && "paris-gone"],
    t("paris.stack", { stack: at + 1, tiles: tn("paris.tiles", left) }),
    h("b", {}, left),
  );
}

function drawWare(table, kind) {
  const { state, sheet } = table;
  return thing(
    table,
    `market:${kind}`,
    ["paris-ware", state.market[kind] === 0 && "paris-gone"],
    t("paris.ware", {
      tokens: tn(`paris.count_${kind}`, state.market[kind]),
      buy: tn("paris.francs", sheet.prices.buy[kind]),
    }),
    h("span", {}, sign(kind, 22), h("b", {}, state.market[kind])),
    amount(sheet.prices.buy[kind], "coin"),
  );
}

/** The end tiles that are left lie side by side; taking one is asked for in the sheet. */
function drawEndTiles(table) {
  const { state, sheet } = table;
  const players = Object.keys(state.seats).length;
  return thing(
    table,
    "end_tiles",
    ["paris-end-tiles", state.end_tiles.length === 0 && "paris-gone"],
    tn("paris.end_tiles_left", state.end_tiles.length),
    state.end_tiles.length === 0 && h("b", {}, 0),
    state.end_tiles.map((tile) =>
      h("span", { class: "paris-end-tile", "aria-hidden": "true" }, row(signsOf(sheet.end_tiles[tile], players), 15)),
    ),
  );
}

function drawScoringTile(table, tile) {
  const [first, ...others] = table.sheet.scoring_tiles[tile];
  return thing(
    table,
    `scoring-tile:${tile}`,
    "paris-scoring-tile",
    t("paris.scoring_of", { points: [first, ...others].join(", ") }),
    h("b", {}, first),
    h("span", {}, others.join(" · ")),
  );
}
