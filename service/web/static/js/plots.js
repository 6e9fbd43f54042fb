/**
 * Plots that can be read on a phone: bars with whiskers, differences about zero, a distribution, a line with its band.
 * What bars and differences show stands beside them in words; pictures alone have a text of their own.
 */

import { h, svg } from "./dom.js";
import { day } from "./matches.js";
import { areFew, between, number, percent, percents, points, signed } from "./numbers.js";
import { t, tn } from "./texts.js";

const MOST_BINS = 26;
const [WIDTH, HEIGHT] = [1000, 300];
const TICKS = 4;

/**
 * Rates as bars from zero, the interval of each as its whisker and what chance would give as a mark.
 * @param {{name: import("./dom.js").Child, rate: import("./numbers.js").Rate, expected?: number}[]} rows
 * @param {string} [mark] what the mark means @returns {HTMLElement}
 */
export function rateBars(rows, mark = t("stats.mark_chance")) {
  return h("div", { class: "plot rates" },
    h("ul", { class: "bars" }, rows.filter(({ rate }) => rate.n > 0).map(({ name, rate, expected }) => {
      const isFew = areFew(rate.n);
      return bar({ name, isFew, picture: rateBar(rate, expected), value: percent(rate.rate), about: told(percents(rate.interval), rate.n, isFew) });
    })),
    scale([percent(0), percent(0.5), percent(1)]),
    rows.some(({ expected }) => expected !== undefined) && legend(mark));
}

/** What the mark in bars means. @param {string} mark @returns {HTMLElement} */
export function legend(mark) {
  return h("p", { class: "legend" }, h("span", { class: "key", "aria-hidden": "true" }), mark);
}

/** A rate alone as a bar. @param {import("./numbers.js").Rate} rate @param {number} [expected] @returns {HTMLElement} */
export function rateBar({ rate, interval }, expected) {
  return h("span", { class: "rail", "aria-hidden": "true" },
    h("span", { class: "fill", style: { width: part(rate) } }),
    expected !== undefined && h("span", { class: "expected", style: { left: part(expected) } }),
    whisker(interval));
}

/**
 * Differences of rates about zero, each with its interval; grey where the sample is small.
 * @param {{name: import("./dom.js").Child, difference: {n: number, difference: ?number, interval: ?[number, number],
 *   verdict: string}}[]} rows
 * @returns {HTMLElement}
 */
export function differences(rows) {
  const known = rows.filter(({ difference }) => difference.difference !== null);
  return about(known.map(({ name, difference: { n, difference, interval, verdict } }) => ({
    name, value: difference, interval, n, kind: verdict,
  })), points, 1, (value) => signed(value * 100, 0));
}

/**
 * Means of points about zero, each with its interval.
 * @param {{name: import("./dom.js").Child, mean: {n: number, mean: ?number, interval: ?[number, number]}}[]} rows @returns {HTMLElement}
 */
export function means(rows) {
  return about(rows.filter(({ mean }) => mean.n > 0).map(({ name, mean: { n, mean, interval } }) => ({
    name, value: mean, interval, n, kind: interval === null ? "too_few_to_say" : "mean",
  })), signed, Infinity);
}

function about(rows, write, most, writeEnd = write) {
  const reach = rounded([1, 2, 3, 4, 5, 6, 8, 10], Math.min(most, Math.max(...rows.flatMap(({ value, interval }) => [value, ...(interval ?? [])]).map(Math.abs))));
  const at = (value) => (Math.max(-reach, Math.min(reach, value)) + reach) / (2 * reach);
  return h("div", { class: "plot" },
    h("ul", { class: "bars" }, rows.map(({ name, value, interval, n, kind }) => {
      const isFew = kind === "too_few_to_say";
      const picture = h("span", { class: "rail zero", "aria-hidden": "true" },
        whisker(interval?.map(at)),
        h("span", { class: ["dot", kind], style: { left: part(at(value)) } }));
      return bar({ name, isFew, picture, value: write(value), about: told(interval && between(interval, writeEnd), n, isFew) });
    })),
    scale([write(-reach), write(0), write(reach)]));
}

/**
 * Values with their intervals on a scale from zero.
 * @param {{name: import("./dom.js").Child, value: number, interval: [number, number], n: number}[]} rows @returns {HTMLElement}
 */
export function intervals(rows) {
  const most = ticks(0, Math.max(...rows.map(({ interval }) => interval[1]))).at(-1);
  const at = (value) => Math.max(0, value) / most;
  return h("div", { class: "plot" },
    h("ul", { class: "bars" }, rows.map(({ name, value, interval, n }) => {
      const picture = h("span", { class: "rail", "aria-hidden": "true" },
        whisker(interval.map(at)), h("span", { class: "dot", style: { left: part(at(value)) } }));
      return bar({ name, isFew: areFew(n), picture, value: number(value, 1), about: told(between(interval), n, areFew(n)) });
    })),
    scale([0, most / 2, most].map((value) => number(value))));
}

/**
 * How often each value occurs, as columns from zero.
 * @param {{value: number, n: number}[]} histogram @param {string} told what the picture shows, in words @param {number} mean
 * @returns {HTMLElement}
 */
export function distribution(histogram, told, mean) {
  const [least, last] = [histogram[0].value, histogram.at(-1).value];
  const step = stepFor(last - least + 1);
  const begin = Math.floor(least / step) * step;
  const bins = Array.from({ length: Math.floor((last - begin) / step) + 1 }, () => 0);
  for (const { value, n } of histogram) bins[Math.floor((value - begin) / step)] += n;
  const highest = Math.max(...bins);
  const wide = bins.length;
  const labelled = Math.ceil(wide / 7);
  return h("div", { class: "plot distribution" },
    h("span", { class: "highest" }, number(highest)),
    svg("svg", { viewBox: `0 0 ${wide} 100`, preserveAspectRatio: "none", role: "img", "aria-label": told },
      bins.map((n, at) => svg("rect", { x: at + 0.06, width: 0.88, y: 100 - (100 * n) / highest, height: (100 * n) / highest })),
      svg("path", { class: "mean", d: `M${(mean - begin) / step + 0.5 / step} 0V100` })),
    h("span", { class: "values", "aria-hidden": "true" }, bins.map((_, at) => at % labelled === 0 &&
      h("span", { style: { left: part((at + (step === 1 ? 0.5 : 0)) / wide) } }, number(begin + at * step)))),
    legend(t("stats.mean")));
}

/**
 * A value over time as a line in the band of its interval.
 * @param {{at: string, value: number, interval: [number, number]}[]} row in the order of time
 * @param {string} told what the picture shows, in words @returns {HTMLElement}
 */
export function lineWithBand(row, told) {
  const times = row.map(({ at }) => Date.parse(at));
  const [first, last] = [times[0], times.at(-1)];
  const lows = row.map(({ interval }) => interval[0]);
  const highs = row.map(({ interval }) => interval[1]);
  const marks = ticks(Math.min(...lows), Math.max(...highs));
  const [least, most] = [marks[0], marks.at(-1)];
  const x = (at) => (last > first ? (WIDTH * (times[at] - first)) / (last - first) : WIDTH / 2);
  const y = (value) => HEIGHT - (HEIGHT * (value - least)) / (most - least);
  const path = (values) => values.map((value, at) => `${x(at).toFixed(1)} ${y(value).toFixed(1)}`);
  const band = `M${[...path(highs), ...path(lows).reverse()].join("L")}Z`;
  return h("div", { class: "plot over-time" },
    h("div", { class: "field" },
      svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": told },
        marks.map((value) => svg("path", { class: "grid", d: `M0 ${y(value)}H${WIDTH}` })),
        svg("path", { class: "band", d: band }),
        svg("path", { class: "line", d: `M${path(row.map(({ value }) => value)).join("L")}` })),
      marks.map((value) => h("span", { class: "tick", "aria-hidden": "true", style: { top: `${(100 * y(value)) / HEIGHT}%` } }, number(value)))),
    h("div", { class: "scale", "aria-hidden": "true" }, h("span", {}, day(row[0].at)), h("span", {}, day(row.at(-1).at))));
}

/** A line of a plot: its name, picture and value, and how sure that is. */
function bar({ name, isFew, picture, value, about }) {
  return h("li", { class: ["bar", isFew && "few"] },
    h("span", { class: "bar-name" }, name), picture, h("b", { class: "bar-value" }, value), h("span", { class: "bar-about" }, about));
}

/** How sure a value is: its interval, on how many matches it rests, and whether these are too few. */
function told(interval, n, isFew) {
  return [interval && `(${interval})`, tn("stats.n_matches", n), isFew && t("stats.too_few")].filter(Boolean).join(" · ");
}

function whisker(interval) {
  return interval && h("span", { class: "whisker", style: { left: part(interval[0]), width: part(interval[1] - interval[0]) } });
}

/** What an axis says at its ends and between. @param {string[]} labels @returns {HTMLElement} */
export function scale(labels) {
  return h("div", { class: "scale", "aria-hidden": "true" }, labels.map((label) => h("span", {}, label)));
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
  return [1, 2, 5, 10, 20, 50, 100, 200, 500].find((step) => span / step <= MOST_BINS) ?? 1000;
}

/** Round values that hold a span, its ends among them. */
function ticks(low, high) {
  const step = rounded([1, 2, 5, 10], (high - low) / TICKS);
  const begin = Math.floor(low / step);
  return Array.from({ length: Math.ceil(high / step) - begin + 1 }, (_, at) => (begin + at) * step);
}
