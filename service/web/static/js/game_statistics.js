/** The page of a game: how many points it gives, whether beginning helps, what goes with winning, how it is opened. */

import { h } from "./dom.js";
import { differencesOf } from "./features.js";
import {
  caveat,
  counted,
  csvButton,
  dataTable,
  figure,
  figures,
  nothing,
  numbers,
  showPage,
  statistics,
} from "./figures.js";
import { amount, between, number, percent, percents, points, range, signed, surely } from "./numbers.js";
import { drawOpenings } from "./openings.js";
import { differences, distribution, legend, rateBars } from "./plots.js";
import { seatName, seatSign } from "./seats.js";
import { term } from "./terms.js";
import { page, t, tn } from "./texts.js";

const { game } = page;
const title = page.games[game];
const QUANTILES = ["0.05", "0.25", "0.5", "0.75", "0.95"];
/** What the mean of a figure counts, where a sentence says so. */
const MEANS = { points: "stats.n_points", lead_changes: "stats.times" };

async function draw() {
  const source = statistics(`/games/${game}`);
  const document = await figures(source);
  const matches = document.by_players.reduce((sum, part) => sum + part.matches, 0);
  if (matches === 0) return [nothing(document)];
  const among = statistics(`/games/${game}/features`);
  const { items } = await figures(among);
  return [
    h(
      "section",
      { class: "figure lead" },
      numbers([
        [t("stats.matches"), number(matches)],
        ...["points", "winning_points", "margin"]
          .filter((key) => document[key].n > 0)
          .map((key) => [key === "points" ? t("stats.mean_points") : term(key), number(document[key].mean, 1)]),
      ]),
      caveat([
        document.points.n,
        document.margin.n,
        document.plies.n,
        ...document.by_players.map((part) => part.matches),
      ]),
    ),
    drawNumbers(document, source),
    drawSpread(document.points, "points", source),
    drawFirst(document, source),
    ...document.by_players.map((part) => drawSeats(part, source)),
    await differencesOf(game, items, { source: among, name: title, subject: t("stats.a_seat") }),
    await drawOpenings(),
    h(
      "div",
      { class: "pair" },
      drawSpread(document.margin, "margin", source),
      drawSpread(document.winning_points, "winning_points", source),
    ),
    h(
      "div",
      { class: "pair" },
      drawSpread(document.plies, "plies", source),
      drawSpread(document.lead_changes, "lead_changes", source),
    ),
    drawDraws(document.draws, source),
    counted(document),
  ].filter(Boolean);
}

/** How a number is spread over the matches: half of them lie between its quartiles. */
function drawSpread(spread, key, source) {
  if (spread.n === 0) return null;
  const sentence = tn(`stats.${key}_sentence`, spread.n, {
    middle: number(spread.quantiles["0.5"], 1),
    mean: key in MEANS ? amount(MEANS[key], spread.mean) : number(spread.mean, 1),
    half: range(key === "plies" ? "stats.range_moves" : "stats.range_points", [
      spread.quantiles["0.25"],
      spread.quantiles["0.75"],
    ]),
  });
  const name = t(`stats.${key}`);
  return figure({
    title: name,
    sentence,
    picture: distribution(spread.histogram, sentence, spread.mean),
    table: dataTable(
      [t("stats.figure"), t("stats.value")],
      [
        [
          t("stats.mean"),
          spread.interval
            ? t("stats.surely", { rate: number(spread.mean, 1), interval: between(spread.interval) })
            : number(spread.mean, 1),
        ],
        ...QUANTILES.map((share) => [
          t("stats.quantile", { share: percent(Number(share)) }),
          number(spread.quantiles[share], 1),
        ]),
        ...spread.histogram.map(({ value, n }) => [t("stats.exactly", { value: number(value) }), number(n)]),
      ],
      name,
    ),
    source,
    name: `${title} – ${name}`,
  });
}

/** Whether it helps to begin: within pairs of players where enough is known, since weaker players begin more often. */
function drawFirst({ by_players: parts }, source) {
  const known = parts.filter((part) => part.first_mover.win_rate.n > 0);
  if (known.length === 0) return null;
  const tested = known
    .map(({ players, first_mover: first }) => ({
      name: tn("stats.n_players", players),
      difference: first.within_pairs,
    }))
    .filter(({ difference }) => difference.interval !== null);
  const sum = (count) => known.reduce((total, part) => total + count(part, part.first_mover.win_rate), 0);
  const values = {
    wins: number(
      sum((_, { n, rate }) => n * rate),
      1,
    ),
    expected: number(
      sum(({ expected_rate: chance }, { n }) => n * chance),
      1,
    ),
  };
  return figure({
    title: t("stats.first_mover"),
    sentence:
      tested.length > 0
        ? tellBeginning(tested)
        : [
            tn(
              "stats.first_sentence",
              sum((_, { n }) => n),
              values,
            ),
            " ",
            t("stats.first_weaker"),
          ],
    picture:
      tested.length > 0
        ? [differences(tested), legend(null, term("within_pairs"))]
        : rateBars(
            known.map(({ players, expected_rate: expected, first_mover: { win_rate: rate } }) => ({
              name: tn("stats.n_players", players),
              rate,
              expected,
            })),
            { isCompared: true },
          ),
    table: dataTable(
      ["players", "matches", "win_rate", "chance", "points_ahead", "within_pairs"].map((key) => t(`stats.${key}`)),
      known.map(
        ({
          players,
          expected_rate: chance,
          first_mover: { win_rate: rate, points_ahead: ahead, within_pairs: within },
        }) => [
          number(players),
          number(rate.n),
          percent(rate.rate),
          percent(chance),
          ahead.n > 0 ? signed(ahead.mean) : "–",
          within.difference === null ? "–" : points(within.difference),
        ],
      ),
      t("stats.first_mover"),
    ),
    source,
    name: `${title} – ${t("stats.first_mover")}`,
  });
}

function tellBeginning(tested) {
  const clear = tested.filter(({ difference: { verdict } }) => verdict !== "no_clear_difference");
  if (clear.length === 0) return t("stats.begin_unclear");
  return clear
    .map(({ name, difference: { difference, interval, verdict } }) =>
      t(`stats.begin_${verdict}`, {
        players: name,
        difference: amount("stats.n_percentage_points", Math.abs(difference) * 100, 0),
        interval: between(interval, (value) => signed(value * 100, 0)),
      }),
    )
    .join(" ");
}

/** How matches of each number of players end: their points are not alike. */
function drawNumbers({ by_players: parts }, source) {
  const name = t("stats.by_players");
  const spreads = ["points", "winning_points", "margin", "plies", "lead_changes"];
  return (
    parts.length > 1 &&
    h(
      "section",
      { class: "figure" },
      h("h2", {}, name),
      h(
        "div",
        { class: "scrolling", tabindex: 0, role: "group", "aria-label": name },
        dataTable(
          ["", t("stats.matches"), ...spreads.map((key) => t(key === "points" ? "stats.mean_points" : `stats.${key}`))],
          parts.map((part) => [
            tn("stats.n_players", part.players),
            number(part.matches),
            ...spreads.map((key) => number(part[key].mean, 1)),
          ]),
          name,
        ),
      ),
      h("div", { class: "data" }, csvButton(source, `${title} – ${name}`)),
    )
  );
}

function drawSeats({ players, expected_rate: expected, seats }, source) {
  const name = `${t("stats.seats")}, ${tn("stats.n_players", players)}`;
  return figure({
    title: name,
    sentence: seats
      .filter(({ difference }) => ["higher", "lower"].includes(difference.verdict))
      .map(({ seat, difference: { difference, verdict } }) =>
        t(`stats.seats_${verdict}`, {
          seat: seatName(seat),
          difference: amount("stats.n_percentage_points", Math.abs(difference) * 100, 0),
        }),
      )
      .join(" "),
    picture: rateBars(
      seats.map(({ seat, win_rate: rate }) => ({
        name: h("span", {}, seatSign(game, seat), " ", seatName(seat)),
        rate,
        expected,
      })),
      { isCompared: true },
    ),
    table: dataTable(
      ["seat", "matches", "win_rate", "interval"].map((key) => t(`stats.${key}`)),
      seats.map(({ seat, win_rate: rate }) => [
        seatName(seat),
        number(rate.n),
        percent(rate.rate),
        percents(rate.interval),
      ]),
      name,
    ),
    source,
    name: `${title} – ${name}`,
  });
}

function drawDraws(rate, source) {
  return figure({
    title: t("stats.draws"),
    sentence: t("stats.draws_sentence", { rate: surely(rate) }),
    picture: rateBars([{ name: t("stats.draws"), rate }]),
    source,
    name: `${title} – ${t("stats.draws")}`,
  });
}

await showPage(draw);
