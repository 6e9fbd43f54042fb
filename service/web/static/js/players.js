/** The page of all players: what they won, in the order that one chooses, and how they are rated. */

import { h, replace } from "./dom.js";
import {
  caveat,
  counted,
  csvButton,
  dataTable,
  figure,
  figures,
  formOf,
  nothing,
  personLink,
  ratedAt,
  showPage,
  statistics,
  withElements,
} from "./figures.js";
import { areFew, number, percent, percents, plain, rated, signed, surely } from "./numbers.js";
import { dots, legend, rateBar, rateBars, ratings } from "./plots.js";
import { withErrors } from "./problem_line.js";
import { hint, term } from "./terms.js";
import { page, t, tn } from "./texts.js";

const SORTS = {
  name: "ascending",
  matches: "descending",
  win_rate: "descending",
  wins_above_expectation: "descending",
};
const AT_ONCE = 50;
/** Ratings in sight, and as many as one asks for. */
const [RATED, ALL_RATED] = [10, 200];

let sort = page.sort in SORTS ? page.sort : "matches";
const source = (more) => statistics("/players", { sort, limit: AT_ONCE, ...more });

async function draw() {
  const document = await figures(source());
  if (document.items.length === 0) return [nothing(document)];
  const host = h("section", { class: "figure" });
  const rating = h("section", { class: "figure", id: "ratings" });
  fill(host, document);
  await fillRatings(rating, RATED);
  return [host, rating, counted(document)];
}

/** The table in a host; choosing an order draws it anew and keeps the focus where it was. */
function fill(host, document) {
  const body = h("tbody", {}, document.items.map(row));
  let { next } = document;
  const more = h(
    "button",
    {
      hidden: next === null,
      onclick: () =>
        withErrors(async () => {
          const { items, next: following } = await figures(source({ cursor: next }));
          const rows = items.map(row);
          body.append(...rows);
          next = following;
          more.hidden = next === null;
          rows[0]?.querySelector("a").focus();
        }),
    },
    t("stats.more"),
  );
  const order = async (name) => {
    sort = name;
    const asked = new URL(location.href);
    asked.searchParams.set("sort", name);
    history.replaceState(null, "", asked);
    await withErrors(async () => {
      const ordered = await figures(source());
      if (sort === name) fill(host, ordered);
    });
    host.querySelector(`[data-sort="${name}"]`).focus();
  };
  replace(
    host,
    h(
      "table",
      { class: ["players", page.game !== null && "scored"] },
      h("caption", { class: "unseen" }, t("stats.players")),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          heads().map(([key, name, known]) =>
            h(
              "th",
              {
                scope: "col",
                class: name === "win_rate" && "win-rate",
                "aria-sort": name && (name === sort ? SORTS[name] : "none"),
              },
              name
                ? h("button", { "data-sort": name, onclick: () => order(name) }, t(`stats.${key}`))
                : !known && t(`stats.${key}`),
              known && (name ? hint(known, t(`stats.${key}`)) : term(known)),
            ),
          ),
        ),
      ),
      body,
    ),
    legend(document.items.some(({ matches }) => !areFew(matches)) && term("expected_wins")),
    caveat(document.items.map(({ matches }) => matches)),
    h("div", { class: "data" }, more, csvButton(source({}), t("stats.players"))),
  );
}

/** The columns in their order: the key of the text, the order that they can be sorted in, if any, and the term that it is. */
function heads() {
  return [
    ["player", "name"],
    ["matches", "matches"],
    ["win_rate", "win_rate", "win_rate"],
    ["wins"],
    ["wins_above_expectation", "wins_above_expectation", "wins_above_expectation"],
    ...(page.game === null ? [] : [["points"], ["median"]]),
    ["form", undefined, "form"],
  ];
}

function row({
  player,
  matches,
  wins,
  win_rate: rate,
  expected_wins: expected,
  wins_above_expectation: above,
  mean_points: points,
  median_points: median,
  form,
}) {
  const cell = (key, ...content) => h("td", { "data-label": t(`stats.${key}`) }, content);
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, personLink(player)),
    cell("matches", number(matches)),
    h("td", { class: "win-rate" }, areFew(matches) ? dots(rate) : rateBar(rate, expected / matches), surely(rate)),
    cell("wins", number(wins, 1)),
    cell("wins_above_expectation", signed(above)),
    page.game !== null && [cell("points", number(points, 1)), cell("median", number(median, 1))],
    h("td", { class: "recent" }, formOf(form)),
  );
}

/** The ratings in a host: first some, then all. */
async function fillRatings(host, limit) {
  const document = await figures(statistics("/ratings", { limit }));
  const { items, next } = document;
  const title = t(page.game === null ? "stats.rating_all" : "stats.ratings");
  const heads = ["player", "place", "matches", "rating", "low", "high"].map((key) => t(`stats.${key}`));
  replace(
    host,
    items.length === 0
      ? h("h2", {}, title)
      : figure({
          title,
          sentence: [
            page.game === null && t("stats.rating_all_sentence"),
            " ",
            withElements(t("stats.ratings_sentence", { name: "{name}", rating: rated(items[0].points) }), {
              name: personLink(items[0].player),
            }),
          ],
          picture: [
            ratings(items.map(({ place, player, ...item }) => ({ name: [`${place}. `, personLink(player)], ...item }))),
            legend(
              null,
              term("points", t("stats.rating")),
              items.some(({ provisional }) => provisional) && term("provisional"),
            ),
          ],
          table: dataTable(
            heads,
            items.map(({ player, place, matches, points }) => [
              personLink(player),
              number(place),
              number(matches),
              rated(points),
              plain(points.low),
              plain(points.high),
            ]),
            title,
          ),
          source: statistics("/ratings"),
          name: title,
        }),
    next !== null &&
      limit < ALL_RATED &&
      h(
        "button",
        {
          onclick: () =>
            withErrors(async () => {
              await fillRatings(host, ALL_RATED);
              host.querySelectorAll(".bars a")[items.length]?.focus();
            }),
        },
        t("stats.more"),
      ),
    ratedAt(document),
    calibration(),
  );
}

/** What ratings predicted beside what came of it, fetched for those who ask. */
function calibration() {
  const place = h("div", {});
  const ask = async () => {
    const { items } = await figures(
      `/stats/ratings/calibration?${new URLSearchParams(page.game === null ? {} : { game: page.game })}`,
    );
    replace(place, items.map(drawCalibration));
  };
  return h(
    "details",
    { class: "more", ontoggle: ({ target }) => target.open && !place.hasChildNodes() && withErrors(ask) },
    h("summary", {}, t("stats.calibration")),
    place,
  );
}

function drawCalibration({
  game,
  matches,
  log_loss: loss,
  log_loss_of_chance: chance,
  difference: { verdict },
  fifths,
}) {
  const title = page.games[game] ?? game;
  const values = matches > 0 ? { loss: number(loss, 3), chance: number(chance, 3) } : {};
  return figure({
    title,
    level: "h3",
    sentence: [tn(`stats.calibration_${verdict}`, matches, values), " ", matches > 0 && term("log_loss")],
    picture:
      fifths.length > 0 &&
      rateBars(
        fifths.map(({ from, to, predicted, won }) => ({
          name: t("stats.favourites", { chances: percents([from, to]) }),
          rate: won,
          expected: predicted,
        })),
        { mark: t("stats.predicted") },
      ),
    table:
      fifths.length > 0 &&
      dataTable(
        ["favourite", "predicted", "won_rate"].map((key) => t(`stats.${key}`)),
        fifths.map(({ from, to, predicted, won }) => [percents([from, to]), percent(predicted), surely(won)]),
        title,
      ),
    source: matches > 0 && `/stats/ratings/calibration?game=${game}`,
    name: `${t("stats.calibration")} – ${title}`,
  });
}

await showPage(draw);
