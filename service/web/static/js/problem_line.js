/** The line in which a page says what did not work. */

import { attempt } from "./api.js";
import { byId, replace } from "./dom.js";

/**
 * Do something that the API may refuse; if it does, say why in the problem line of the page.
 * @template T @param {() => Promise<T>} act @param {HTMLElement} [line] @returns {Promise<T | undefined>}
 */
export function withErrors(act, line = byId("problem")) {
  replace(line);
  return attempt(act, (problem) => showProblem(problem, line));
}

/** @param {import("./api.js").Problem} problem @param {HTMLElement} [line] */
export function showProblem({ detail, title }, line = byId("problem")) {
  replace(line, detail ?? title);
  line.scrollIntoView({ block: "nearest" });
}
