/**
 * A correction of one earlier move, entered on the board of the page: it is replaced, taken out, or another one is put in
 * before it. What that means for all later moves is shown before it is done.
 */

/** @import { Frame } from "../../../../types/api.js" */
/** @import { Entry, Store } from "../store.js" */
/** @import { MatchPage } from "../page.js" */

import { Offline, ask, problemOf } from "../../api.js";
import { h, renew, replace } from "../../dom.js";
import { areGainsShown } from "../../gains.js";
import { playerName, seatName, seatSign } from "../../seats.js";
import { lang, t } from "../../texts.js";
import { tellMove } from "../../told.js";
import { conflictPolicy, showTrial, tryCorrection } from "../verdicts.js";

const STALE = 412;

/**
 * @param {{store: Store, page: MatchPage, frames: Frame[], ply: number, action: string}} what
 * @param {HTMLElement} host @param {{close: () => void, done: () => void, lookAgain: () => void}} how
 * @returns {{dispose: () => void}}
 */
export function createMoveEditor({ store, page, frames, ply, action }, host, { close, done, lookAgain }) {
  const old = frames[ply];
  const before = frames[ply - 1];
  const { players } = store.document;
  const trialHost = h("div", { class: "edit-trial" });
  /** @type {Entry | null} */
  let entered = null;
  /** @type {Promise<any> | null} */
  let known = null;
  let seat = action === "replace" ? old.seat : (before.state?.to_move ?? old.seat);

  replace(
    host,
    h("h2", { tabindex: "-1" }, t(`history.${action}_move`, { ply })),
    h("p", { class: "edit-old" }, old.seat && seatSign(store.game, old.seat), tellMove(old, players)),
    trialHost,
  );
  let isLeft = false;

  /** Enter the move for a seat. */
  function begin() {
    page.enter({
      state: before.state,
      seat,
      lastMove: before.seat === null ? null : { ply: ply - 1, seat: before.seat, move: before.move },
      players,
      nameOf: (one) => playerName(players, one),
      legalMoves: async () => (seat === before.state?.to_move ? (await legal()).moves : null),
      gains: async () => (seat === before.state?.to_move && areGainsShown() ? ((await legal()).points ?? null) : null),
      check: judge,
      submit: preview,
      canRule: true,
      canUndo: () => false,
      undo() {},
      confirm: t("history.check"),
      head: () => [h("h2", {}, t(`history.${action}_move`, { ply })), h("div", { class: "edit-seats" }, seats())],
      left() {
        if (!isLeft) close();
      },
    });
  }

  function seats() {
    return players.map(({ seat: one, name }) =>
      h(
        "button",
        { type: "button", "aria-pressed": String(one === seat), onclick: () => choose(one) },
        seatSign(store.game, one),
        name,
        h("span", { class: "unseen" }, ` (${seatName(one)})`),
      ),
    );
  }

  function choose(one) {
    seat = one;
    back();
    begin();
  }

  /** Show what the correction means. A form takes the answer as that to a move it has submitted. */
  async function preview(/** @type {Entry | null} */ entry) {
    entered = entry;
    const { trial, problem } = await tryCorrection(store, correction());
    if (problem) {
      if (problem.status === STALE) lookAgain();
      else if (entry === null) page.report(problem);
      return { accepted: /** @type {const} */ (false), problem };
    }
    const how = { confirm: () => make(trial), back: action === "remove" ? close : back };
    renew(trialHost, showTrial(frames, players, trial, how));
    host.classList.add("trying");
    page.rail.raise();
    /** @type {HTMLElement | null} */ (trialHost.querySelector(".confirm"))?.focus();
    return { accepted: /** @type {const} */ (true) };
  }

  function back() {
    host.classList.remove("trying");
    renew(trialHost);
    page.rail.lower();
  }

  async function make(trial) {
    const outcome = await store.write("corrections", { ...correction(), on_conflict: conflictPolicy(trial) });
    if (outcome.accepted) done();
    else if (outcome.problem.status !== STALE) page.report(outcome.problem);
  }

  function correction() {
    return action === "remove" ? { ply, action } : { ply, action, ...entered };
  }

  /** What could be done there, and what it would give. */
  function legal() {
    known ??= ask(`/matches/${store.id}/legal-moves?ply=${ply - 1}&include=points&lang=${lang}`).then(
      ({ data }) => data,
    );
    known.catch(() => (known = null));
    return known;
  }

  async function judge(entry) {
    try {
      const { data } = await ask(`/matches/${store.id}/moves/check?ply=${ply - 1}`, { method: "POST", body: entry });
      return data;
    } catch (error) {
      if (error instanceof Offline) return { legal: true };
      return { legal: false, problem: problemOf(error) };
    }
  }

  if (action === "remove") {
    page.go(ply);
    preview(null);
  } else {
    begin();
  }

  return {
    dispose() {
      isLeft = true;
      page.leave();
    },
  };
}
