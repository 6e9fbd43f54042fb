/** The page of two players against each other: who finished before the other, their last meetings, by how much. */

import { byId, h, replace } from "./dom.js";
import {
  caveat,
  counted,
  csvButton,
  dataTable,
  figure,
  figures,
  latestMatches,
  nothing,
  showPage,
  statistics,
} from "./figures.js";
import { day } from "./format.js";
import { minus } from "./minus.js";
import { amount, areFew, between, number, percent, percents, signed } from "./numbers.js";
import { means, rateBars } from "./plots.js";
import { seatName, seatSign } from "./seats.js";
import { page, t, tn } from "./texts.js";

const { a, b } = page;
const both = `${a.name} – ${b.name}`;

async function draw() {
  const source = statistics("/head-to-head", { a: a.id, b: b.id, players: [a.id, b.id] });
  const document = await figures(source);
  if (document.matches === 0) return [nothing(document)];
  return [
    drawDuel(document, source),
    drawLatest(document),
    drawDifference(document, source),
    drawCrosstable(document, source),
    counted(document),
  ].filter(Boolean);
}

/** How often each finished before the other: in the heading as a score, below it as a picture. */
function drawDuel(told, source) {
  const { matches, a_ahead: ahead, level, b_ahead: behind, by_game: games } = told;
  replace(byId("score"), scoreOf(told));
  const [first, second, rate] = behind.rate > ahead.rate ? [b, a, behind] : [a, b, ahead];
  return h(
    "section",
    { class: "figure lead" },
    level.rate > 0 && h("p", { class: "level" }, tn("stats.level_times", level.rate * matches)),
    !areFew(matches) &&
      h(
        "p",
        { class: "sentence" },
        tn("stats.meetings_sentence", matches, {
          name: first.name,
          other: second.name,
          rate: percent(rate.rate),
          interval: percents(rate.interval),
        }),
      ),
    rateBars([
      { name: t("stats.is_ahead", { name: a.name }), rate: ahead },
      { name: t("stats.is_ahead", { name: b.name }), rate: behind },
    ]),
    caveat([matches, ...games.map((game) => game.matches)]),
    h("div", { class: "data" }, csvButton(source, both)),
  );
}

/** How often each finished before the other. */
function scoreOf({ matches, a_ahead: ahead, b_ahead: behind }) {
  return [ahead, behind].map(({ rate }) => number(rate * matches)).join("\u00a0:\u00a0");
}

function drawLatest({ latest }) {
  return latestMatches(t("stats.last_meetings"), latest, (match) => [
    h("b", {}, page.games[match.game] ?? match.game),
    h("span", { class: "quiet meeting-about" }, day(match.played_at)),
    h("span", { class: "meeting-score" }, side(match, a, match.a), " : ", side(match, b, match.b)),
  ]);
}

function side(match, player, { seat, points }) {
  return [
    seatSign(match.game, seat),
    h("span", { class: "unseen" }, `${player.name} (${seatName(seat)}) `),
    h("b", {}, ` ${minus(points)}`),
  ];
}

/** The difference in points of each game by itself, since points of different games are not alike. */
function drawDifference(document, source) {
  const rows = document.by_game
    .map(({ game, score_difference: mean }) => ({ name: page.games[game] ?? game, mean }))
    .filter(({ mean }) => mean.n > 0);
  if (rows.length === 0) return null;
  const [{ name: game, mean }] = [...rows].sort((one, other) => other.mean.n - one.mean.n);
  const ahead = mean.mean < 0 ? [b, a] : [a, b];
  const interval = mean.interval && (mean.mean < 0 ? mean.interval.map((end) => -end).reverse() : mean.interval);
  const values = {
    name: ahead[0].name,
    other: ahead[1].name,
    game,
    difference: amount("stats.n_points", Math.abs(mean.mean)),
  };
  return figure({
    title: t("stats.score_difference"),
    sentence: interval
      ? t("stats.difference_sentence", { ...values, interval: between(interval, signed) })
      : t("stats.difference_few", values),
    picture: [means(rows), h("p", { class: "legend" }, t("stats.difference_legend", { name: a.name, other: b.name }))],
    table: dataTable(
      ["game", "matches", "mean", "interval"].map((key) => t(`stats.${key}`)),
      rows.map((row) => [
        row.name,
        number(row.mean.n),
        signed(row.mean.mean),
        row.mean.interval ? between(row.mean.interval, signed) : "–",
      ]),
      t("stats.score_difference"),
    ),
    source,
    name: both,
  });
}

function drawCrosstable({ by_game: games, by_mover: movers, by_players: players, ...all }, source) {
  const named = { a: a.name, b: b.name, neither: t("stats.neither"), unknown: t("stats.mover_unknown") };
  const line = (head, one) => [head, number(one.matches), scoreOf(one), number(one.level.rate * one.matches)];
  const rows = [
    line(t("stats.together"), all),
    ...games.map((one) => line(page.games[one.game] ?? one.game, one)),
    ...movers.map((one) => line(t("stats.begins", { name: named[one.first] }), one)),
    ...players.map((one) => line(tn("stats.n_players", one.players), one)),
  ];
  const heads = ["", t("stats.matches"), `${a.name} : ${b.name}`, t("stats.level")];
  return h(
    "section",
    { class: "figure" },
    h("h2", {}, t("stats.crosstable")),
    h(
      "div",
      { class: "scrolling", tabindex: 0, role: "group", "aria-label": t("stats.crosstable") },
      dataTable(heads, rows, t("stats.crosstable")),
    ),
    h("div", { class: "data" }, csvButton(source, both)),
  );
}

await showPage(draw, [a.id, b.id]);
