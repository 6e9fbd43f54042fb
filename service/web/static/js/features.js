/** What goes with winning: the features of a game, each with the difference that it makes and how sure that is. */

import { h } from "./dom.js";
import { dataTable, figure } from "./figures.js";
import { loadGame } from "./game.js";
import { amount, number, percent, points, surely } from "./numbers.js";
import { differences } from "./plots.js";
import { explained } from "./terms.js";
import { page, t, tn } from "./texts.js";

/**
 * The features in the groups of their game, the first one open.
 * @param {string} game @param {any[]} features as the API tells them
 * @param {{source: string, name: string, subject: string}} about where the data are, and of whom or what they tell
 * @returns {Promise<?HTMLElement>}
 */
export async function differencesOf(game, features, { source, name, subject }) {
  const told = features.filter(({ difference }) => difference.difference !== null);
  if (told.length === 0) return null;
  const { featureGroups } = await (await loadGame(game)).loadStatistics();
  const groups = featureGroups(told.map(({ feature }) => feature));
  /** @type {Map<string, any>} */
  const byName = new Map(told.map((figures) => [figures.feature, figures]));
  const drawn = groups.map((group) => ({
    title: group.title,
    rows: group.features.map((one) => ({ ...one, ...byName.get(one.feature) })).sort(byDifference),
  }));
  return h(
    "section",
    { class: "figure" },
    h("h2", {}, t("stats.features")),
    h("p", { class: "quiet" }, t("stats.features_about")),
    drawn.map(({ title, rows }, at) =>
      h(
        "details",
        { class: "more", open: at === 0 },
        h("summary", {}, h("h3", {}, title)),
        figure({
          title,
          level: null,
          sentence: sentenceOf(rows, subject),
          picture: rows.some(isKnown) && differences(rows.filter(isKnown).map(withSentence)),
          table: dataTable(
            ["feature", "frequency", "with", "without", "difference", "gives"].map((key) => t(`stats.${key}`)),
            rows.map((row) => [
              row.name,
              percent(row.frequency.rate),
              surely(row.with),
              surely(row.without),
              points(row.difference.difference),
              amountOf(row),
            ]),
            title,
          ),
          source,
          name: `${name} – ${title}`,
        }),
      ),
    ),
  );
}

/** A feature whose name says on tap what it is, and that it is points by itself if that is so. */
function withSentence(/** @type {any} */ { name, about, part_of_score: isScore, ...row }) {
  const sentence = isScore ? `${about} ${page.terms.part_of_score}` : about;
  return { ...row, name: explained(name, sentence), note: isScore && t("stats.part_of_score") };
}

function byDifference(one, other) {
  return Number(isKnown(other)) - Number(isKnown(one)) || other.difference.difference - one.difference.difference;
}

function isKnown({ difference }) {
  return difference.interval !== null;
}

/** What stands out beyond doubt, else that nothing does. */
function sentenceOf(rows, subject) {
  const sure = rows.filter(({ difference }) => ["higher", "lower"].includes(difference.verdict));
  if (!rows.some(isKnown)) return t("stats.features_few");
  if (sure.length === 0) return t("stats.features_unclear", { subject });
  const most = sure.reduce((one, other) =>
    Math.abs(other.difference.difference) > Math.abs(one.difference.difference) ? other : one,
  );
  const { n, difference } = most.difference;
  return tn(difference > 0 ? "stats.feature_higher" : "stats.feature_lower", n, {
    subject,
    feature: most.name,
    difference: amount("stats.n_percentage_points", Math.abs(difference) * 100, 0),
  });
}

/** The points that a deed gives on average, or how much of a thing a seat has. */
function amountOf({ mean_points: given = null, mean_amount: had = null }) {
  if (given !== null) return amount("stats.n_points", given);
  return had === null ? "–" : number(had, 1);
}
