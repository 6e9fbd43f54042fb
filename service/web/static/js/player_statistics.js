/** The page of one player: how often they win and against whom, how they are rated, what goes with it, and their name. */

import { ask } from "./api.js";
import { confirm } from "./confirm.js";
import { byId, controls, h, onSubmit, replace } from "./dom.js";
import { differencesOf } from "./features.js";
import {
  caveat,
  counted,
  csvButton,
  dataTable,
  figure,
  figures,
  folded,
  formOf,
  latestMatches,
  nothing,
  numbers,
  pageAt,
  personLink,
  ratedAt,
  showPage,
  statistics,
  withElements,
} from "./figures.js";
import { offerPlayers } from "./filters.js";
import { day } from "./format.js";
import { minus } from "./minus.js";
import { amount, areFew, number, percent, percents, plain, rated, signed, surely } from "./numbers.js";
import { distribution, legend, lineWithBand, rateBar, rateBars, scale } from "./plots.js";
import { withErrors } from "./problem_line.js";
import { seatName, seatSign } from "./seats.js";
import { term } from "./terms.js";
import { page, t, tn } from "./texts.js";

const { id, name } = page.player;
const players = [id];
/** Matches and opponents in sight; the others are one tap away. */

async function draw() {
  const source = statistics(`/players/${id}`, { players });
  const document = await figures(source);
  if (document.matches === 0) return [nothing(document)];
  const ratings = await figures(statistics(`/players/${id}/ratings`, { players }));
  const splits = page.game === null ? ["game", "players", "mover"] : ["players", "mover", "seat"];
  return [
    drawLead(document, ratings, source),
    drawLatest(document),
    drawOpponents(document, source),
    h(
      "div",
      { class: "pair" },
      splits.map((part) => drawSplit(document, part, source)),
    ),
    drawRating(ratings),
    document.points?.n > 0 && drawPoints(document, source),
    await drawFeatures(document, source),
    counted(document),
  ].filter(Boolean);
}

function drawLead(document, { present: rating }, source) {
  const {
    matches,
    win_rate: rate,
    wins,
    expected_wins: expected,
    wins_above_expectation: above,
    form,
    streaks,
    latest,
  } = document;
  const isFew = areFew(matches);
  const values = {
    name,
    wins: number(wins, 1),
    expected: number(expected, 1),
    above: number(Math.abs(above), 1),
    rate: percent(rate.rate),
    interval: percents(rate.interval),
  };
  const { current, longest_winning: won, longest_losing: lost } = streaks;
  const now = current?.length > 1 && t("stats.streak", { what: tn(`stats.streak_${current.outcome}`, current.length) });
  const longest = t("stats.streaks", { won: tn("stats.streak_won", won), lost: tn("stats.streak_lost", lost) });
  return h(
    "section",
    { class: "figure lead" },
    numbers(
      [
        [t("stats.matches"), number(matches)],
        [t("stats.wins"), number(wins, 1)],
        [term("win_rate"), percent(rate.rate)],
        rating && [
          page.game === null ? term("all_games", t("stats.rating_all")) : term("points", t("stats.rating")),
          ratingOf(rating),
        ],
      ].filter(Boolean),
    ),
    h(
      "p",
      { class: "sentence" },
      tn(isFew ? "stats.few_sentence" : above < 0 ? "stats.below_sentence" : "stats.above_sentence", matches, values),
    ),
    !isFew &&
      h(
        "div",
        { class: "plot" },
        rateBar(rate, expected / matches),
        scale([0, 0.5, 1].map(percent)),
        legend([term("expected_wins"), ` ${percent(expected / matches)}`]),
      ),
    h(
      "p",
      { class: "recent" },
      h("b", {}, isFew ? t("stats.all_matches") : term("form")),
      formOf(isFew ? latest.map(({ outcome }) => outcome) : form),
      h("span", { class: "quiet" }, [now, longest].filter(Boolean).join(" ")),
    ),
    caveat([matches, ...document.opponents.map((one) => one.matches)]),
    h("div", { class: "data" }, csvButton(source, name)),
  );
}

function ratingOf({ points, provisional }) {
  return [
    plain(points.rating),
    h("small", {}, ` ± ${plain(points.plus_minus)}`),
    provisional && h("small", { class: "provisional" }, term("provisional")),
  ];
}

function drawLatest({ latest }) {
  return latestMatches(t("stats.latest"), latest, (match) => [
    h(
      "span",
      {},
      seatSign(match.game, match.seat),
      h("span", { class: "unseen" }, seatName(match.seat)),
      " ",
      h("b", {}, page.games[match.game] ?? match.game),
    ),
    h("span", { class: "quiet meeting-about" }, `${day(match.played_at)} · ${tn("stats.n_players", match.players)}`),
    h(
      "span",
      { class: "meeting-score" },
      h("b", {}, minus(match.points)),
      " ",
      h("span", { class: "quiet" }, t(`stats.${match.outcome}`)),
    ),
  ]);
}

function drawOpponents({ opponents, nemesis, favourite_opponent: favourite }, source) {
  if (opponents.length === 0) return null;
  const link = ({ player }) => h("a", { href: pageAt(`/players/${id}/against/${player.id}`) }, player.name);
  const rival = (one, key) =>
    one &&
    h(
      "p",
      {},
      term(key),
      h("br"),
      h("span", { class: "rival" }, personLink(one.player)),
      h("br"),
      tn("stats.ahead_of", one.matches, {
        name,
        ahead: areFew(one.matches) ? number(one.ahead.rate * one.matches, 1) : surely(one.ahead),
      }),
    );
  return figure({
    title: t("stats.opponents"),
    sentence: withElements(tn("stats.opponents_sentence", opponents[0].matches, { name, other: "{other}" }), {
      other: personLink(opponents[0].player),
    }),
    picture: [
      (nemesis || favourite) &&
        h("div", { class: "card rivals" }, rival(nemesis, "nemesis"), rival(favourite, "favourite_opponent")),
      folded(opponents, (rows) =>
        rateBars(
          rows.map((one) => ({ name: link(one), rate: one.ahead, expected: 0.5 })),
          { mark: t("stats.mark_half", { name }) },
        ),
      ),
    ],
    table: dataTable(
      ["player", "matches", "ahead"].map((key) => t(`stats.${key}`)),
      opponents.map((one) => [personLink(one.player), number(one.matches), surely(one.ahead)]),
      t("stats.opponents"),
    ),
    source,
    name,
  });
}

/** Parts of the matches beside each other, against what chance alone would give, since that is unlike in each. */
function drawSplit(document, part, source) {
  const rows = document[`by_${part}`];
  const named = {
    game: (game) => page.games[game] ?? game,
    seat: seatOf,
    mover: (mover) => t(`stats.mover_${mover}`),
    players: (n) => tn("stats.n_players", n),
  }[part];
  const title = t(`stats.by_${part}`);
  const hasPoints = page.game !== null;
  return figure({
    title,
    sentence: rows
      .filter(({ difference }) => ["higher", "lower"].includes(difference?.verdict))
      .map(({ difference: { difference, verdict }, ...row }) =>
        t(`stats.stands_out_${verdict}`, {
          name,
          what: part === "seat" ? seatName(row.seat) : named(row[part]),
          difference: amount("stats.n_percentage_points", Math.abs(difference) * 100, 0),
        }),
      )
      .join(" "),
    picture: rateBars(
      rows.map((row) => ({ name: named(row[part]), rate: row.win_rate, expected: row.expected_wins / row.matches })),
      { isCompared: true },
    ),
    table: dataTable(
      [
        title,
        ...["matches", "wins", "expected_wins", "wins_above_expectation", ...(hasPoints ? ["mean_points"] : [])].map(
          (key) => t(`stats.${key}`),
        ),
      ],
      rows.map((row) => [
        named(row[part]),
        number(row.matches),
        number(row.wins, 1),
        number(row.expected_wins, 1),
        signed(row.wins_above_expectation),
        ...(hasPoints ? [number(row.points.mean, 1)] : []),
      ]),
      title,
    ),
    source,
    name,
  });
}

function seatOf(seat) {
  return h("span", {}, seatSign(page.game, seat), " ", seatName(seat));
}

function drawRating(document) {
  const { items } = document;
  if (items.length === 0) return null;
  const title = t(page.game === null ? "stats.rating_all" : "stats.rating");
  const sentence = tn("stats.rating_sentence", items.length, { name, rating: rated(items.at(-1).points) });
  return h(
    "div",
    { class: "figure" },
    figure({
      title,
      sentence,
      picture: lineWithBand(items, sentence),
      table: dataTable(
        ["date", "rating", "low", "high"].map((key) => t(`stats.${key}`)),
        [...items]
          .reverse()
          .map(({ played_at: at, points }) => [day(at), rated(points), plain(points.low), plain(points.high)]),
        title,
      ),
      source: statistics(`/players/${id}/ratings`, { players }),
      name: `${name} – ${t("stats.rating")}`,
    }),
    ratedAt(document),
  );
}

function drawPoints({ points, margin }, source) {
  const sentence = t("stats.player_points", {
    name,
    mean: amount("stats.n_points", points.mean),
    low: number(points.quantiles["0.25"], 1),
    high: number(points.quantiles["0.75"], 1),
    margin: signed(margin.mean),
  });
  return figure({
    title: t("stats.points"),
    sentence,
    picture: distribution(points.histogram, sentence, points.mean),
    table: dataTable(
      [t("stats.points"), t("stats.matches")],
      points.histogram.map(({ value, n }) => [number(value), number(n)]),
      t("stats.points"),
    ),
    source,
    name,
  });
}

async function drawFeatures({ features }, source) {
  if (features === null)
    return h(
      "section",
      { class: "figure" },
      h("h2", {}, t("stats.features")),
      h("p", {}, t("stats.choose_game")),
      h(
        "p",
        { class: "leads" },
        Object.entries(page.games).map(([game, title]) => h("a", { href: pageAt(`/players/${id}`, { game }) }, title)),
      ),
    );
  return differencesOf(page.game, features, { source, name, subject: name });
}

// The name

function manage() {
  const rename = document.getElementById("rename");
  if (rename instanceof HTMLFormElement) {
    const field = controls(rename).name;
    field.value = name;
    onSubmit(rename, () =>
      withErrors(async () => {
        await ask(`/players/${id}`, { method: "PATCH", body: { name: field.value } });
        location.reload();
      }),
    );
  }
  const merge = document.getElementById("merge");
  if (merge instanceof HTMLFormElement) {
    const { into } = controls(merge);
    withErrors(() => offerPlayers(into, null, players));
    onSubmit(merge, () => withErrors(() => mergeInto(into)));
  }
}

/** Merging is confirmed, since it changes the figures of two people, and can be taken back. */
async function mergeInto({ value: into, selectedOptions: [option] }) {
  const text = t("stats.merge_sure", { name, other: option.text });
  if (!(await confirm({ text, yes: t("stats.merge_yes") }))) return;
  const { data } = await ask(`/players/${id}/merge`, { method: "POST", body: { into } });
  const unmerge = async () => {
    await ask(`/players/${id}/merge`, { method: "DELETE" });
    replace(byId("merging"), h("p", {}, t("stats.unmerged")));
  };
  replace(
    byId("merging"),
    h("p", {}, t("stats.merged", { name, other: data.name })),
    h(
      "div",
      { class: "acts" },
      h("a", { class: "button", href: `/players/${data.id}` }, data.name),
      h("button", { type: "button", onclick: () => withErrors(unmerge) }, t("stats.unmerge")),
    ),
  );
}

manage();
await showPage(draw, players);
