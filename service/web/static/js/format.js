/** Numbers, days and times as the reader's language writes them. */

import { h } from "./dom.js";
import { locale } from "./texts.js";

const days = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
const times = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
const shortTimes = new Intl.DateTimeFormat(locale, { dateStyle: "short", timeStyle: "short" });

/** A day as one writes it, in the reader's time zone. @param {string} moment @returns {string} */
export function day(moment) {
  return days.format(new Date(moment));
}

/** A day and the time to the minute, in the reader's time zone. @param {string} moment @returns {string} */
export function dayAndTime(moment) {
  return times.format(new Date(moment));
}

/** A moment to the minute as a short element. @param {string} moment @returns {HTMLElement} */
export function when(moment) {
  return h("time", { datetime: moment }, shortTimes.format(new Date(moment)));
}

/** The day of a moment in the reader's time zone, as an input of a date has it. @param {string | Date} moment @returns {string} */
export function localDate(moment) {
  const then = new Date(moment);
  return [then.getFullYear(), then.getMonth() + 1, then.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
}

/** A span of time in its two largest units. @param {number} milliseconds @returns {string} */
export function formatDuration(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes >= 10 ? `${minutes} min` : minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
