/** The page of two players against each other: who finished before the other, by how much, and their last meetings. */

import { h } from "./dom.js";
import { counted, csvButton, dataTable, figure, figures, nothing, pageAt, showPage, statistics } from "./figures.js";
import { day } from "./matches.js";
import { amount, areFew, between, number, percent, percents, signed } from "./numbers.js";
import { means, rateBars } from "./plots.js";
import { seatName, seatSign } from "./seats.js";
import { page, t, tn } from "./texts.js";
import { minus } from "./told.js";

const { a, b } = page;
const players = [a.id, b.id];
const both = `${a.name} – ${b.name}`;

async function draw() {
  const source = statistics("/head-to-head", { a: a.id, b: b.id, players });
  const document = await figures(source);
  const links = h("p", { class: "leads" }, [a, b].map(({ id, name }) => h("a", { href: pageAt(`/players/${id}`) }, name)));
  if (document.matches === 0) return [links, nothing(document)];
  return [links, drawLead(document, source), drawDifference(document, source), drawCrosstable(document, source), drawLatest(document), counted(document)];
}

function drawLead({ matches, a_ahead: ahead, level, b_ahead: behind }, source) {
  const sides = { a: [a, b, ahead], b: [b, a, behind] };
  const [first, second, rate] = behind.rate > ahead.rate ? sides.b : sides.a;
  const values = { name: first.name, other: second.name, n: matches, times: number(rate.rate * matches), rate: percent(rate.rate), interval: percents(rate.interval) };
  return h("section", { class: "figure lead" },
    h("p", { class: "sentence" }, tn(areFew(matches) ? "stats.meetings_few" : "stats.meetings_sentence", matches, values)),
    rateBars([{ name: t("stats.is_ahead", { name: a.name }), rate: ahead }, { name: t("stats.level"), rate: level }, { name: t("stats.is_ahead", { name: b.name }), rate: behind }]
      .filter(({ rate: one }, at) => at !== 1 || one.rate > 0)),
    h("div", { class: "data" }, csvButton(source, both)));
}

/** The difference in points of each game by itself, since points of different games are not alike. */
function drawDifference(document, source) {
  const rows = document.by_game.map(({ game, score_difference: mean }) => ({ name: page.games[game] ?? game, mean }));
  const [{ name: game, mean }] = [...rows].sort((one, other) => other.mean.n - one.mean.n);
  const ahead = mean.mean < 0 ? [b, a] : [a, b];
  const interval = mean.interval && (mean.mean < 0 ? mean.interval.map((end) => -end).reverse() : mean.interval);
  const values = { name: ahead[0].name, other: ahead[1].name, game, difference: amount("stats.n_points", Math.abs(mean.mean)) };
  return figure({
    title: t("stats.score_difference"),
    sentence: interval ? t("stats.difference_sentence", { ...values, interval: between(interval, signed) }) : t("stats.difference_few", values),
    picture: [means(rows), h("p", { class: "legend" }, t("stats.difference_legend", { name: a.name, other: b.name }))],
    table: dataTable(["game", "matches", "mean", "interval"].map((key) => t(`stats.${key}`)),
      rows.map((row) => [row.name, number(row.mean.n), signed(row.mean.mean), row.mean.interval ? between(row.mean.interval, signed) : "–"]), t("stats.score_difference")),
    source, name: both,
  });
}

function drawCrosstable({ by_game: games, by_mover: movers, by_players: numbers, ...all }, source) {
  const named = { a: a.name, b: b.name, neither: t("stats.neither"), unknown: t("stats.mover_unknown") };
  const times = (rate, matches) => number((rate.rate ?? 0) * matches);
  const line = (head, { matches, a_ahead: ahead, level, b_ahead: behind, a_wins: won, b_wins: others }) =>
    [head, number(matches), times(ahead, matches), times(level, matches), times(behind, matches), percent(won.rate), percent(others.rate)];
  const rows = [
    line(t("stats.together"), all),
    ...games.map((one) => line(page.games[one.game] ?? one.game, one)),
    ...movers.map((one) => line(t("stats.begins", { name: named[one.first] }), one)),
    ...numbers.map((one) => line(tn("stats.n_players", one.players), one)),
  ];
  const heads = ["", t("stats.matches"), t("stats.is_ahead", { name: a.name }), t("stats.level"), t("stats.is_ahead", { name: b.name }), t("stats.wins_of", { name: a.name }), t("stats.wins_of", { name: b.name })];
  return h("section", { class: "figure" },
    h("h2", {}, t("stats.crosstable")),
    h("p", { class: "sentence" }, tn("stats.crosstable_sentence", all.matches, { name: a.name, other: b.name })),
    h("div", { class: "scrolling", tabindex: 0, role: "group", "aria-label": t("stats.crosstable") }, dataTable(heads, rows, t("stats.crosstable"))),
    h("div", { class: "data" }, csvButton(source, both)));
}

function drawLatest({ latest }) {
  return figure({
    title: t("stats.last_meetings"),
    picture: h("ol", { class: "meetings" }, latest.map((match) => h("li", {}, h("a", { href: `/matches/${match.match_id}` },
      h("b", {}, page.games[match.game] ?? match.game),
      h("span", { class: "quiet" }, day(match.played_at)),
      h("span", { class: "score" }, side(match, a, match.a), " : ", side(match, b, match.b)))))),
  });
}

function side(match, player, { seat, points }) {
  return [seatSign(match.game, seat), h("span", { class: "unseen" }, `${player.name} (${seatName(seat)}) `), h("b", {}, ` ${minus(points)}`)];
}

await showPage(draw, players);
