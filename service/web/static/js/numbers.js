/** Figures as the reader's language writes them. */

import { minus } from "./minus.js";
import { locale, page, t, tn } from "./texts.js";

/**
 * Without a match there is neither a rate nor an interval.
 * @typedef {{n: number, rate: number, interval: [number, number]} | {n: number, rate: null, interval: null}} Rate
 */

const formats = new Map();
const shares = new Intl.NumberFormat(locale, { style: "percent" });

/** A number with so many places at most; a dash where there is none. @param {?number} value @param {number} [places] @returns {string} */
export function number(value, places = 0) {
  if (value === null) return "–";
  if (!formats.has(places)) formats.set(places, new Intl.NumberFormat(locale, { maximumFractionDigits: places }));
  return minus(formats.get(places).format(round(value, places)));
}

/** A number with its sign. @param {number} value @param {number} [places] @returns {string} */
export function signed(value, places = 1) {
  return (round(value, places) > 0 ? "+" : "") + number(value, places);
}

/** So many of something: a text that counts, in the form that goes with the number. @param {string} key @param {number} value @param {number} [places] @returns {string} */
export function amount(key, value, places = 1) {
  return tn(key, round(value, places));
}

/** So many of something at least and at most. @param {string} key @param {[number, number]} ends @returns {string} */
export function range(key, [low, high]) {
  return tn(key, round(high, 1), { low: number(low, 1), high: number(high, 1) });
}

/** A rating with what it may be off by. @param {{rating: number, plus_minus: number}} points @returns {string} */
export function rated({ rating, plus_minus: margin }) {
  return `${plain(rating)}\u00a0±\u00a0${plain(margin)}`;
}

/** A whole number without marks between its digits, as on the scale of ratings. @param {number} value @returns {string} */
export function plain(value) {
  return minus(round(value, 0));
}

/** A share in hundredths. @param {number} share @returns {string} */
export function percent(share) {
  return shares.format(share);
}

/** A difference of shares in hundredths, with its sign. @param {number} share @returns {string} */
export function points(share) {
  return t("stats.percentage_points", { n: signed(share * 100, 0) });
}

/** From one end of an interval of shares to the other. @param {[number, number]} interval @returns {string} */
export function percents([low, high]) {
  return `${number(low * 100)}–${percent(high)}`;
}

/** From one end of an interval to the other. @param {[number, number]} interval @param {(value: number) => string} [write] @returns {string} */
export function between([low, high], write = (value) => number(value, 1)) {
  return t("stats.between", { low: write(low), high: write(high) });
}

/** How often of how many times. @param {{n: number, rate: ?number}} rate @returns {string} */
export function outOf({ n, rate }) {
  return tn("stats.out_of", n, { times: number((rate ?? 0) * n, 1) });
}

/** A rate with how sure it is; of few matches how often. @param {Rate} rate @returns {string} */
export function surely({ n, rate, interval }) {
  if (rate === null) return "–";
  return areFew(n) ? outOf({ n, rate }) : t("stats.surely", { rate: percent(rate), interval: percents(interval) });
}

/** Whether matches are so few that each is shown by itself. @param {number} matches @returns {boolean} */
export function areFew(matches) {
  return matches < page.fewest;
}

function round(value, places) {
  const rounded = Math.round(value * 10 ** places) / 10 ** places;
  return rounded === 0 ? 0 : rounded;
}
