/** The page of all players: what they won, in the order that one chooses, and how they are rated. */

import { h, replace } from "./dom.js";
import { counted, csvButton, dataTable, figure, figures, formOf, guarded, nothing, pageAt, ratedAt, showPage, statistics } from "./figures.js";
import { areFew, between, number, percent, percents, signed, surely } from "./numbers.js";
import { intervals, rateBar } from "./plots.js";
import { page, t, tn } from "./texts.js";

const SORTS = { name: "ascending", matches: "descending", win_rate: "descending", wins_above_expectation: "descending" };
const AT_ONCE = 50;
const RATED = 15;

let sort = page.sort in SORTS ? page.sort : "matches";
const source = (more) => statistics("/players", { sort, limit: AT_ONCE, ...more });

async function draw() {
  const document = await figures(source());
  if (document.items.length === 0) return [nothing(document)];
  const rated = await figures(statistics("/ratings", { limit: RATED }));
  const host = h("section", { class: "figure" });
  fill(host, document);
  return [host, drawRatings(rated), counted(document)];
}

/** The table in a host; choosing an order draws it anew and keeps the focus where it was. */
function fill(host, document) {
  const body = h("tbody", {}, document.items.map(row));
  let { next } = document;
  const more = h("button", { hidden: next === null, onclick: () => guarded(async () => {
    const { items, next: following } = await figures(source({ cursor: next }));
    const rows = items.map(row);
    body.append(...rows);
    next = following;
    more.hidden = next === null;
    rows[0]?.querySelector("a").focus();
  }) }, t("stats.more"));
  const order = async (name) => {
    sort = name;
    const asked = new URL(location.href);
    asked.searchParams.set("sort", name);
    history.replaceState(null, "", asked);
    await guarded(async () => fill(host, await figures(source())));
    host.querySelector(`[data-sort="${name}"]`).focus();
  };
  replace(host,
    h("p", { class: "sentence" }, sentenceOf(document.items, next === null)),
    h("table", { class: ["players", page.game !== null && "scored"] },
      h("caption", { class: "unseen" }, t("stats.players")),
      h("thead", {}, h("tr", {}, heads().map(([key, name]) => name === null
        ? h("th", { scope: "col" }, t(`stats.${key}`))
        : h("th", { scope: "col", class: name === "win_rate" && "win-rate", "aria-sort": name === sort ? SORTS[name] : "none" },
          h("button", { "data-sort": name, onclick: () => order(name) }, t(`stats.${key}`)))))),
      body),
    h("div", { class: "data" }, more, csvButton(source({}), t("stats.players"))));
}

/** The columns in their order: the key of the text, and the order that they can be sorted in, if any. */
function heads() {
  return [["player", "name"], ["matches", "matches"], ["win_rate", "win_rate"], ["wins", null], ["expected_wins", null],
    ["above", "wins_above_expectation"], ...(page.game === null ? [] : [["points", null], ["median", null]]), ["form", null]];
}

function row({ player, matches, wins, win_rate: rate, expected_wins: expected, wins_above_expectation: above, mean_points: points, median_points: median, form }) {
  const cell = (key, ...content) => h("td", { "data-label": t(`stats.${key}`) }, content);
  return h("tr", { class: areFew(matches) && "few" },
    h("th", { scope: "row" }, h("a", { href: pageAt(`/players/${player.id}`) }, player.name)),
    cell("matches", number(matches)),
    h("td", { class: "win-rate" }, rateBar(rate, expected / matches), surely(rate), areFew(matches) && h("span", { class: "quiet" }, ` – ${t("stats.too_few")}`)),
    cell("wins", number(wins, 1)), cell("expected_wins", number(expected, 1)), cell("above", signed(above)),
    page.game !== null && [cell("points", number(points, 1)), cell("median", number(median, 1))],
    h("td", { class: "form" }, formOf(form)));
}

/** Who stands out, if anybody was met often enough. */
function sentenceOf(items, areAll) {
  const known = items.filter(({ matches }) => !areFew(matches));
  if (!areAll && sort !== "win_rate") return t("stats.players_sentence");
  if (known.length === 0) return tn("stats.players_few", page.fewest);
  const best = known.reduce((one, other) => (other.win_rate.interval[0] > one.win_rate.interval[0] ? other : one));
  return tn("stats.best_sentence", best.matches,
    { name: best.player.name, rate: percent(best.win_rate.rate), interval: percents(best.win_rate.interval) });
}

function drawRatings(document) {
  const { items } = document;
  if (items.length === 0) return h("section", { class: "figure" }, h("h2", {}, t("stats.ratings")), ratedAt(document));
  const link = ({ player }) => h("a", { href: pageAt(`/players/${player.id}`) }, player.name);
  return h("div", { class: "figure" },
    figure({
      title: t("stats.ratings"),
      sentence: t("stats.ratings_sentence", { name: items[0].player.name, rating: number(items[0].rating, 1), interval: between(items[0].interval) }),
      picture: intervals(items.map((item) => ({ name: link(item), value: item.rating, interval: item.interval, n: item.matches }))),
      table: dataTable(["player", "place", "matches", "rating", "interval"].map((key) => t(`stats.${key}`)),
        items.map((item) => [item.player.name, number(item.place), number(item.matches), number(item.rating, 1), between(item.interval)]), t("stats.ratings")),
      source: statistics("/ratings"), name: t("stats.ratings"),
    }),
    ratedAt(document));
}

await showPage(draw);
