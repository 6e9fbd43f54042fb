/**
 * Plots that can be read on a phone: bars with whiskers, a dot per match where there are few, differences about zero, a
 * distribution, a line with its band. What bars show stands beside them in words; pictures alone have a text of their own.
 */

import { h, svg } from "./dom.js";
import { day } from "./format.js";
import { areFew, between, number, outOf, percent, percents, plain, points, rated, signed } from "./numbers.js";
import { term } from "./terms.js";
import { t, tn } from "./texts.js";

const MAX_BINS = 26;
/** Values below which each is a dot. */
const MIN_FOR_COLUMNS = 40;
/** Pixels of a dot, and of the highest pile of them. */
const [DOT, PILE] = [12, 160];
const [WIDTH, HEIGHT] = [1000, 300];
const TICKS = 4;

/**
 * Rates as bars from zero, the interval of each as its whisker and what chance would give as a mark; few matches as dots.
 * @param {{name: import("./dom.js").Child, rate: import("./numbers.js").Rate, expected?: number}[]} rows
 * @param {{isCompared?: boolean, mark?: import("./dom.js").Child}} [how] `isCompared` if the chances of the rows are
 *   unlike, so that each is told against what is expected; `mark` is what the mark means
 * @returns {HTMLElement}
 */
export function rateBars(rows, { isCompared = false, mark = term("expected_wins") } = {}) {
  const known = rows.filter(({ rate }) => rate.n > 0);
  const hasBars = known.some(({ rate }) => !areFew(rate.n));
  const hasMarks = hasBars && known.some(({ expected }) => expected !== undefined);
  return h(
    "div",
    { class: "plot rates" },
    h(
      "ul",
      { class: "bars" },
      known.map(({ name, rate, expected }) => {
        const isFew = areFew(rate.n);
        const share = rate.rate ?? 0;
        return bar({
          name,
          picture: isFew ? dots(rate) : rateBar(rate, expected),
          value: isCompared ? signed((share - (expected ?? 0)) * rate.n) : isFew ? outOf(rate) : percent(share),
          about: [
            isFew
              ? isCompared && outOf(rate)
              : `${isCompared ? `${percent(share)} ` : ""}${rate.interval ? `(${percents(rate.interval)})` : ""}`,
            isCompared && t("stats.n_expected", { n: number((expected ?? 0) * rate.n, 1) }),
            !isFew && tn("stats.n_matches", rate.n),
          ],
        });
      }),
    ),
    hasBars && scale([0, 0.5, 1].map(percent)),
    legend(hasMarks && mark, isCompared && ["±\u00a0", term("wins_above_expectation")]),
  );
}

/** What the mark in bars means, if there is one, and what else needs words. @param {...import("./dom.js").Child} parts @returns {HTMLElement | false} */
export function legend(mark, ...parts) {
  const said = [mark && [h("span", { class: "key", "aria-hidden": "true" }), mark], ...parts].filter(Boolean);
  return (
    said.length > 0 &&
    h(
      "p",
      { class: "legend" },
      said.map((part) => h("span", {}, part)),
    )
  );
}

/** A rate alone as a bar. @param {import("./numbers.js").Rate} rate @param {number} [expected] @returns {HTMLElement} */
export function rateBar({ rate, interval }, expected) {
  return h(
    "span",
    { class: "rail", "aria-hidden": "true" },
    h("span", { class: "fill", style: { width: part(rate) } }),
    expected !== undefined && h("span", { class: "expected", style: { left: part(expected) } }),
    whisker(interval),
  );
}

/** A dot per match, filled as far as it was won. @param {import("./numbers.js").Rate} rate @returns {HTMLElement} */
export function dots({ n, rate }) {
  return dotRow(Array.from({ length: n }, (_, at) => Math.max(0, Math.min(1, (rate ?? 0) * n - at))));
}

/** @param {number[]} shares how far each dot is filled @returns {HTMLElement} */
export function dotRow(shares) {
  return h(
    "span",
    { class: "dots", "aria-hidden": "true" },
    shares.map((share) => h("i", { style: { "--filled": part(share) } })),
  );
}

/**
 * Differences of rates about zero, each with its interval.
 * @param {{name: import("./dom.js").Child, difference: {n: number, difference: number, interval: [number, number],
 *   verdict: string}, note?: string | false}[]} rows `note` is what else is to be said of a row
 * @returns {HTMLElement}
 */
export function differences(rows) {
  return about(
    rows.map(({ name, note, difference: { n, difference, interval, verdict } }) => ({
      name,
      note,
      value: difference,
      interval,
      n,
      kind: verdict,
    })),
    points,
    1,
    (value) => signed(value * 100, 0),
  );
}

/**
 * Means of points about zero, each with its interval if that is known.
 * @param {{name: import("./dom.js").Child, mean: {n: number, mean: ?number, interval: ?[number, number]}}[]} rows @returns {HTMLElement}
 */
export function means(rows) {
  return about(
    rows
      .filter(({ mean }) => mean.n > 0)
      .map(({ name, mean: { n, mean, interval } }) => ({
        name,
        value: mean,
        interval,
        n,
        kind: interval === null ? "single" : "mean",
      })),
    signed,
    Infinity,
  );
}

function about(rows, write, most, writeEnd = write) {
  const reach = rounded(
    [1, 2, 3, 4, 5, 6, 8, 10],
    Math.min(most, Math.max(...rows.flatMap(({ value, interval }) => [value, ...(interval ?? [])]).map(Math.abs))),
  );
  const at = (value) => (Math.max(-reach, Math.min(reach, value)) + reach) / (2 * reach);
  return h(
    "div",
    { class: "plot" },
    h(
      "ul",
      { class: "bars" },
      rows.map(({ name, note, value, interval, n, kind }) =>
        bar({
          name,
          value: write(value),
          about: [interval && `(${between(interval, writeEnd)})`, tn("stats.n_matches", n), note],
          picture: h(
            "span",
            { class: "rail zero", "aria-hidden": "true" },
            whisker(interval?.map(at)),
            h("span", { class: ["dot", kind], style: { left: part(at(value)) } }),
          ),
        }),
      ),
    ),
    scale([write(-reach), write(0), write(reach)]),
  );
}

/**
 * Ratings with what they may be off by, on a scale that holds them.
 * @param {{name: import("./dom.js").Child, points: {rating: number, plus_minus: number, low: number, high: number},
 *   matches: number, provisional: boolean}[]} rows
 * @returns {HTMLElement}
 */
export function ratings(rows) {
  const marks = ticks(
    Math.min(...rows.map(({ points: { low } }) => low)),
    Math.max(...rows.map(({ points: { high } }) => high)),
  );
  const at = (value) => (value - marks[0]) / (marks[marks.length - 1] - marks[0]);
  return h(
    "div",
    { class: "plot" },
    h(
      "ul",
      { class: "bars" },
      rows.map(({ name, points: given, matches, provisional }) =>
        bar({
          name,
          value: rated(given),
          about: [tn("stats.n_matches", matches), provisional && t("stats.provisional")],
          picture: h(
            "span",
            { class: ["rail", "open", provisional && "provisional"], "aria-hidden": "true" },
            whisker([at(given.low), at(given.high)]),
            h("span", { class: "dot", style: { left: part(at(given.rating)) } }),
          ),
        }),
      ),
    ),
    scale(marks.map(plain)),
  );
}

/**
 * How often each value occurs: as columns from zero, of few values as a dot for each.
 * @param {{value: number, n: number}[]} histogram @param {string} told what the picture shows, in words @param {number} mean
 * @returns {HTMLElement}
 */
export function distribution(histogram, told, mean) {
  const [least, last] = [histogram[0].value, histogram[histogram.length - 1].value];
  const step = stepFor(last - least + 1);
  const begin = Math.floor(least / step) * step;
  const bins = Array.from({ length: Math.floor((last - begin) / step) + 1 }, () => 0);
  for (const { value, n } of histogram) bins[Math.floor((value - begin) / step)] += n;
  const highest = Math.max(...bins);
  const wide = bins.length;
  const labelled = Math.ceil(wide / 7);
  const dot = `${Math.min(DOT, PILE / highest)}px`;
  const hasLabel = (at) => at === wide - 1 || (at % labelled === 0 && at + labelled / 2 < wide - 1);
  const areDots = histogram.reduce((sum, { n }) => sum + n, 0) < MIN_FOR_COLUMNS;
  const meanAt = ((mean - begin) / step + 0.5 / step) / wide;
  return h(
    "div",
    { class: ["plot", "distribution", areDots && "strip"] },
    h(
      "div",
      { class: "plot-field", role: "img", "aria-label": told },
      areDots
        ? bins.map((n) =>
            h(
              "span",
              { class: "pile" },
              Array.from({ length: n }, () => h("i", { style: { width: dot } })),
            ),
          )
        : svg(
            "svg",
            { viewBox: `0 0 ${wide} 100`, preserveAspectRatio: "none" },
            bins.map((n, at) =>
              svg("rect", { x: at + 0.06, width: 0.88, y: 100 - (100 * n) / highest, height: (100 * n) / highest }),
            ),
          ),
      h("span", { class: "mean", style: { left: part(meanAt) } }),
      !areDots &&
        [
          [highest, 0],
          [0, 1],
        ].map(([n, top]) => tick(number(n), part(top))),
    ),
    h(
      "span",
      { class: "values", "aria-hidden": "true" },
      bins.map(
        (_, at) =>
          hasLabel(at) &&
          h("span", { style: { left: part((at + (step === 1 ? 0.5 : 0)) / wide) } }, number(begin + at * step)),
      ),
    ),
    legend(t("stats.mean")),
  );
}

/**
 * Ratings over time as a line in the band of what they may be off by, with a point for each match.
 * @param {{played_at: string, points: {rating: number, low: number, high: number}}[]} row in the order of time
 * @param {string} told what the picture shows, in words @returns {HTMLElement}
 */
export function lineWithBand(row, told) {
  const times = row.map(({ played_at: at }) => Date.parse(at));
  const [first, last] = [times[0], times[times.length - 1]];
  const lows = row.map(({ points: { low } }) => low);
  const highs = row.map(({ points: { high } }) => high);
  const marks = ticks(Math.min(...lows), Math.max(...highs));
  const [least, most] = [marks[0], marks[marks.length - 1]];
  const x = (at) => (last > first ? (WIDTH * (times[at] - first)) / (last - first) : WIDTH / 2);
  const y = (value) => HEIGHT - (HEIGHT * (value - least)) / (most - least);
  const path = (values) => values.map((value, at) => `${x(at).toFixed(1)} ${y(value).toFixed(1)}`);
  const band = `M${[...path(highs), ...path(lows).reverse()].join("L")}Z`;
  const line = path(row.map(({ points: { rating } }) => rating));
  return h(
    "div",
    { class: "plot over-time" },
    h(
      "div",
      { class: "plot-field" },
      svg(
        "svg",
        { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": told },
        marks.map((value) => svg("path", { class: "grid", d: `M0 ${y(value)}H${WIDTH}` })),
        svg("path", { class: "band", d: band }),
        svg("path", { class: "plot-line", d: `M${line.join("L")}` }),
        svg("path", { class: "plot-points", d: line.map((point) => `M${point}h0`).join("") }),
      ),
      marks.map((value) => tick(plain(value), part(y(value) / HEIGHT))),
    ),
    h(
      "div",
      { class: "scale", "aria-hidden": "true" },
      h("span", {}, day(row[0].played_at)),
      h("span", {}, day(row[row.length - 1].played_at)),
    ),
  );
}

/** A line of a plot: its name, picture and value, and what else is known of it. */
function bar({ name, picture, value, about: parts }) {
  return h(
    "li",
    { class: "bar" },
    h("span", { class: "bar-name" }, name),
    picture,
    h("b", { class: "bar-value" }, value),
    h("span", { class: "bar-about" }, parts.filter(Boolean).join(" · ")),
  );
}

function tick(label, top) {
  return h("span", { class: "plot-tick", "aria-hidden": "true", style: { top } }, label);
}

function whisker(interval) {
  return (
    interval &&
    h("span", { class: "whisker", style: { left: part(interval[0]), width: part(interval[1] - interval[0]) } })
  );
}

/** What an axis says at its ends and between. @param {string[]} labels @returns {HTMLElement} */
export function scale(labels) {
  return h(
    "div",
    { class: "scale", "aria-hidden": "true" },
    labels.map((label) => h("span", {}, label)),
  );
}

function part(share) {
  return `${(100 * share).toFixed(2)}%`;
}

/** The least of these steps, at any power of ten, that is not less than a value. */
function rounded(steps, value) {
  const power = 10 ** Math.floor(Math.log10(value || 1));
  return steps.map((times) => times * power).find((round) => round >= value - 1e-9);
}

function stepFor(span) {
  return [1, 2, 5, 10, 20, 50, 100, 200, 500].find((step) => span / step <= MAX_BINS) ?? 1000;
}

/** Round values that hold a span, its ends among them. */
function ticks(low, high) {
  const step = rounded([1, 2, 5, 10], (high - low) / TICKS);
  const begin = Math.floor(low / step);
  return Array.from({ length: Math.ceil(high / step) - begin + 1 }, (_, at) => (begin + at) * step);
}
