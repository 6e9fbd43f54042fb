/** What all pages of statistics share: asking with the filters, a figure with its sentence and data, what was counted. */

import { ask } from "./api.js";
import { byId, find, h, replace, settled } from "./dom.js";
import { leaveOutEmpty, offerPlayers, spanned } from "./filters.js";
import { dayAndTime } from "./format.js";
import { areFew, number } from "./numbers.js";
import { dotRow } from "./plots.js";
import { withErrors } from "./problem_line.js";
import { save } from "./saving.js";
import { page, t, tn } from "./texts.js";

const asked = new URLSearchParams(page.asked);

/** How many rows of a list are in sight at first. */
const IN_SIGHT = 5;

/**
 * The address of statistics with what the page was asked for.
 * @param {string} path below `/stats` @param {Record<string, any>} [more] players are added to those asked for @returns {string}
 */
export function statistics(path, { players = [], ...more } = {}) {
  const members = spanned(asked);
  if (page.game !== null) members.set("game", page.game);
  for (const id of players) if (!members.getAll("player").includes(id)) members.append("player", id);
  for (const [name, value] of Object.entries(more)) members.set(name, value);
  return `/stats${path}?${members}`;
}

/** The address of another page of statistics with the same filters. @param {string} path @param {Record<string, string>} [more] @returns {string} */
export function pageAt(path, more = {}) {
  const members = new URLSearchParams({ ...page.asked, ...(page.game !== null && { game: page.game }), ...more });
  return members.size ? `${path}?${members}` : path;
}

/** @param {string} path @returns {Promise<any>} */
export async function figures(path) {
  return (await ask(path)).data;
}

/**
 * A figure: its heading and sentence, then the picture, then the data.
 * @param {{title: string, sentence?: import("./dom.js").Child, picture?: import("./dom.js").Child, table?: HTMLElement | false | null,
 *   source?: string | false, name?: string, level?: "h2" | "h3" | null}} parts without a `level` the
 *   heading stands elsewhere; `source` is the address of the data, `name` that of their file
 * @returns {HTMLElement}
 */
export function figure({ title, sentence, picture, table = null, source, name, level = "h2" }) {
  return h(
    "section",
    { class: "figure" },
    level && h(level, {}, title),
    sentence && h("p", { class: "sentence" }, sentence),
    picture,
    (table || source) &&
      h(
        "div",
        { class: "data" },
        table &&
          h(
            "details",
            {},
            h("summary", {}, t("stats.table")),
            h("div", { class: "scrolling", tabindex: 0, role: "group", "aria-label": title }, table),
          ),
        source && csvButton(source, name),
      ),
  );
}

/** @param {string[]} heads @param {import("./dom.js").Child[][]} rows the first cell of each heads it @param {string} caption @returns {HTMLElement} */
export function dataTable(heads, rows, caption) {
  return h(
    "table",
    {},
    h("caption", { class: "unseen" }, caption),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        heads.map((head) => (head ? h("th", { scope: "col" }, head) : h("td", {}))),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map(([head, ...cells]) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, head),
          cells.map((cell) => h("td", {}, cell)),
        ),
      ),
    ),
  );
}

/** A button that saves the data behind a figure. @param {string} source @param {string} [name] of the file @returns {HTMLElement} */
export function csvButton(source, name) {
  return h(
    "button",
    { class: "plain csv", onclick: () => withErrors(() => save(source, "text/csv", `${name}.csv`)) },
    t("stats.csv"),
    h("span", { class: "unseen" }, ` ${name}`),
  );
}

/** How many matches were counted, which not and why, and when. @param {any} document @returns {HTMLElement} */
export function counted({ population, as_of: moment }) {
  const excluded = Object.entries(population.excluded).map(([reason, n]) => tn(`stats.excluded_${reason}`, n));
  const partly = Object.entries(population.outcome_only).map(([reason, n]) => tn(`stats.excluded_${reason}`, n));
  return h(
    "p",
    { class: "counted quiet" },
    t(`stats.population_${population.name}`, {
      counted: tn("stats.counted", population.included, { number: number(population.included) }),
    }),
    " ",
    partly.length > 0 && `${t("stats.outcome_only", { reasons: partly.join(", ") })} `,
    excluded.length > 0 && `${t("stats.not_counted", { reasons: excluded.join(", ") })} `,
    moment && t("stats.as_of", { moment: dayAndTime(moment) }),
  );
}

/** How up to date ratings are. @param {any} document @returns {HTMLElement} */
export function ratedAt({ as_of: moment, pending }) {
  return h(
    "p",
    { class: "counted quiet" },
    moment === null ? t("stats.never_rated") : t("stats.rated_at", { moment: dayAndTime(moment) }),
    pending > 0 && ` ${tn("stats.pending", pending)}`,
  );
}

/** That nothing was found, and how to find something. @param {any} document @returns {HTMLElement} */
export function nothing(document) {
  const isSearched = Object.keys(page.asked).some((name) => name !== "game");
  return h(
    "div",
    { class: "card empty" },
    h("p", { role: "status" }, t(isSearched ? "stats.nothing" : "stats.nothing_yet")),
    counted(document),
  );
}

const SHARES = { won: 1, shared: 0.5, lost: 0 };

/** The latest results as dots, the last one on the right. @param {string[]} form the last one first @returns {HTMLElement} */
export function formOf(form) {
  const outcomes = [...form].reverse();
  return h(
    "span",
    { class: "form-row" },
    h("span", { class: "unseen" }, outcomes.map((outcome) => t(`stats.${outcome}`)).join(", ")),
    dotRow(outcomes.map((outcome) => SHARES[outcome])),
  );
}

/**
 * The numbers that a page begins with.
 * @param {import("./dom.js").Child[][]} known each after its name @returns {HTMLElement}
 */
export function numbers(known) {
  return h(
    "dl",
    { class: "numbers" },
    known.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
  );
}

/** Once on a page: how to take what rests on few matches. @param {number[]} counts the matches of all that is shown @returns {?HTMLElement} */
export function caveat(counts) {
  return counts.some((n) => n > 0 && areFew(n))
    ? h("p", { class: "caveat quiet" }, tn("stats.caveat", page.fewest))
    : null;
}

/** A person's name, which leads to their page. @param {{id: string, name: string}} player @returns {HTMLElement} */
export function personLink({ id, name }) {
  return h("a", { href: pageAt(`/players/${id}`) }, name);
}

/**
 * A text of which some placeholders are elements: they are given as themselves, such as `{ name: "{name}" }`.
 * @param {string} text @param {Record<string, import("./dom.js").Leaf>} elements @returns {import("./dom.js").Leaf[]}
 */
export function withElements(text, elements) {
  return text.split(/\{(\w+)\}/).map((part, at) => (at % 2 === 1 ? elements[part] : part));
}

/**
 * Rows of which the first few are in sight and the others one tap away.
 * @template T @param {T[]} rows @param {(rows: T[]) => HTMLElement} draw @returns {import("./dom.js").Leaf[]}
 */
export function folded(rows, draw) {
  return [
    draw(rows.slice(0, IN_SIGHT)),
    rows.length > IN_SIGHT &&
      h("details", { class: "more" }, h("summary", {}, t("stats.more")), draw(rows.slice(IN_SIGHT))),
  ];
}

/**
 * The latest matches, each leading to its page.
 * @param {string} title @param {any[]} latest
 * @param {(match: any) => import("./dom.js").Child[]} cells what is said of a match
 */
export function latestMatches(title, latest, cells) {
  const draw = (rows) =>
    h(
      "ol",
      { class: "meetings" },
      rows.map((match) => h("li", {}, h("a", { href: `/matches/${match.match_id}` }, ...cells(match)))),
    );
  return figure({ title, picture: folded(latest, draw) });
}

/**
 * Show a page of statistics: the filters and what `draw` gives.
 * @param {() => Promise<import("./dom.js").Child[]>} draw @param {string[]} [known] players that need not be chosen
 */
export async function showPage(draw, known = []) {
  const form = find(document, "#search form", HTMLFormElement);
  leaveOutEmpty(form);
  await Promise.all([
    withErrors(async () => replace(byId("figures"), ...(await draw()))),
    withErrors(() => offerPlayers(find(form, "[name=player]", HTMLSelectElement), asked.get("player"), known)),
  ]);
  settled();
}
