/** Printed values that are corrected for one match, from the page of its edition: a preview first, then the change. */

import { ask, problemOf } from "./api.js";
import { find, h, replace } from "./dom.js";
import { conflictPolicy, showTrial, tryCorrection } from "./match/verdicts.js";
import { lang, t } from "./texts.js";

/**
 * The match from which the page was opened, if it is played with this edition and the reader may change it.
 * @param {string | null} id @param {string} edition @returns {Promise<any>}
 */
export async function matchToCorrect(id, edition) {
  if (id === null) return null;
  try {
    const [
      { data: match },
      {
        data: { rights },
      },
    ] = await Promise.all([ask(`/matches/${id}`), ask(`/matches/${id}/rights`)]);
    return match.edition === edition && rights.includes("record") ? match : null;
  } catch {
    return null; // the edition can be read all the same
  }
}

/**
 * Show what corrected values mean for the moves of a match, and make the correction if that is confirmed.
 * @param {HTMLElement} host @param {any} match @param {object} changes @param {string} title
 * @param {{refuse: (problem: object) => any, done: () => any}} ways
 */
export async function correctMatch(host, match, changes, title, { refuse, done }) {
  const correction = { ply: 0, edition_changes: changes, edition_title: title };
  const tried = await tryCorrection(match, correction);
  if (tried.problem) return refuse(tried.problem);
  const { data } = await ask(`/matches/${match.id}/replay?fields=ply,text&lang=${lang}`);
  const back = () => replace(host);
  replace(
    host,
    h("h2", { tabindex: "-1" }, t("edition.preview")),
    ...showTrial(data.frames, match.players, tried.trial, { confirm: () => make(tried.trial), back }),
  );
  find(host, "h2").focus();

  async function make(trial) {
    const body = { ...correction, on_conflict: conflictPolicy(trial) };
    try {
      await ask(`/matches/${match.id}/corrections`, { method: "POST", body, ifMatch: match.version });
    } catch (error) {
      back();
      return refuse(problemOf(error));
    }
    return done();
  }
}
