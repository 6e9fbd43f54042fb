/** What a correction would mean, before it is made: a dry run with a verdict for every later move. */

import { ask, problemOf } from "../api.js";
import { h } from "../dom.js";
import { withPlayers } from "../seats.js";
import { t, tn } from "../texts.js";

const MARKS = { ok: "✓", refused: "✗", not_reached: "–" };

/**
 * Try a correction without making it.
 * @param {{id: string, version: number}} match @param {object} correction
 * @returns {Promise<{trial: any, problem?: undefined} | {problem: any, trial?: undefined}>}
 */
export async function tryCorrection(match, correction) {
  const body = { ...correction, on_conflict: "truncate", dry_run: true };
  try {
    const { data } = await ask(`/matches/${match.id}/corrections`, { method: "POST", body, ifMatch: match.version });
    return { trial: data };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

/**
 * The verdicts of a trial, and the buttons with which it is made or left.
 * @param {any[]} frames the moves as they stand @param {{seat: string, name: string}[]} players @param {any} trial
 * @param {{confirm: () => any, back: () => any}} ways @returns {Node[]}
 */
export function showTrial(frames, players, trial, { confirm, back }) {
  const { verdicts, dropped } = trial;
  const refused = verdicts.find((verdict) => verdict.status === "refused");
  return [
    h(
      "p",
      { class: ["verdict-sum", dropped > 0 ? "some-fall" : "all-hold"], role: "status" },
      summary(verdicts, dropped),
    ),
    verdicts.length > 0 &&
      h(
        "ol",
        { class: "verdicts" },
        verdicts.map((verdict) => drawVerdict(frames, players, verdict)),
      ),
    refused && h("p", { class: "quiet" }, t("history.cut_hint")),
    h(
      "div",
      { class: "edit-acts" },
      h("button", { type: "button", onclick: back }, t("history.back")),
      h(
        "button",
        { type: "button", class: ["primary", "confirm"], onclick: confirm },
        dropped > 0 ? tn("history.cut", dropped) : t("history.confirm"),
      ),
    ),
  ];
}

/**
 * How a trial is to be made: with what no longer fits cut off, if that was shown.
 * @param {any} trial @returns {string}
 */
export function conflictPolicy(trial) {
  return trial.dropped > 0 ? "truncate" : "refuse";
}

function summary(verdicts, dropped) {
  if (verdicts.length === 0) return t("history.nothing_later");
  return dropped > 0 ? tn("history.dropped", dropped) : tn("history.all_fit", verdicts.length);
}

function drawVerdict(frames, players, verdict) {
  const frame = frames[verdict.old_ply];
  return h(
    "li",
    { class: ["verdict", verdict.status] },
    h("span", { class: "mark", "aria-hidden": "true" }, MARKS[verdict.status]),
    h(
      "span",
      {},
      h("span", { class: "unseen" }, `${t(`history.${verdict.status}`)}: `),
      `${verdict.old_ply}. ${withPlayers(frame.text, players)}`,
      verdict.problem && h("span", { class: "why" }, withPlayers(verdict.problem.detail, players)),
      verdict.status === "not_reached" && h("span", { class: "why" }, t("history.not_reached_why")),
    ),
  );
}
