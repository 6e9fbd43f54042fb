/** The editor of one earlier move: it is replaced, taken out, or another one is put in before it. */

import { ApiProblem, Offline, ask } from "./api.js";
import { find, h, replace } from "./dom.js";
import { loadGame } from "./game.js";
import { conflictPolicy, showTrial, tryCorrection } from "./repair_verdicts.js";
import { ruleLink } from "./rules.js";
import { playerName, seatName, seatSign, withPlayers } from "./seats.js";
import { rulingForm } from "./sync.js";
import { lang, t } from "./texts.js";
import { tellMove } from "./told.js";

const ACTIONS = ["replace", "insert", "remove"];
const PARTS = ["actions", "seats", "board", "form", "hand", "problem", "trial", "deeds"];

/**
 * @param {import("./match.js").Match} match @param {any[]} frames the moves as they stand @param {number} ply
 * @param {HTMLElement} host @param {{close: () => void, done: () => void, lookAgain: () => void}} ways
 * @returns {{dispose: () => void}}
 */
export function createMoveEditor(match, frames, ply, host, { close, done, lookAgain }) {
  const old = frames[ply];
  const parts = Object.fromEntries(PARTS.map((name) => [name, h("div", { class: `edit-${name}` })]));
  const turning = h("button", { type: "button", class: "deed", hidden: true });
  const check = h("button", { type: "button", class: ["deed", "primary", "check"], disabled: true }, t("repair.check"));
  let before = null;
  let action = null;
  let seat = null;
  let form = null;
  let board = null;
  let deed = null;
  let entered = null;

  check.addEventListener("click", () => deed?.act());
  turning.addEventListener("click", () => deed?.turn.act());
  parts.problem.setAttribute("role", "alert");
  parts.problem.classList.add("refusal");
  parts.form.classList.add("form");
  parts.deeds.classList.add("deeds");
  const leave = h("button", { type: "button", class: "deed", onclick: close }, t("repair.leave"));
  replace(parts.deeds, leave, turning, check);
  replace(
    parts.actions,
    ACTIONS.map((name) =>
      h("button", { type: "button", dataset: { action: name }, onclick: () => choose(name) }, t(`repair.${name}`)),
    ),
  );
  replace(
    host,
    h("h2", { tabindex: "-1" }, t("repair.move", { ply })),
    h("p", { class: "edit-old" }, seatSign(match.game, old.seat), tellMove(old, match.document.players)),
    h("div", { class: "edit-choices" }, parts.actions, parts.seats),
    parts.trial,
    parts.board,
    parts.form,
    parts.hand,
    parts.problem,
    parts.deeds,
  );
  choose("replace");
  load();

  /** The match before this move, as a form sees it. */
  const source = {
    get state() {
      return before.state;
    },
    get seat() {
      return seat;
    },
    nameOf,
    legalMoves: () => (seat === before.state.to_move ? legalMoves() : Promise.resolve(null)),
    check: (entry) => judge(entry),
    submit: (entry) => preview(entry),
  };
  const view = {
    draw: (state, shown = {}) => board.draw(state, { lastMove: lastMove(), ...shown }),
    focus: (place) => board.focus(place),
  };

  async function load() {
    const [frame, game] = await Promise.all([
      ask(`/matches/${match.id}/replay/${ply - 1}?version=${match.version}&lang=${lang}`),
      loadGame(match.game),
    ]);
    before = { ...frame.data, createForm: await game.loadForm() };
    board = game.createBoard(parts.board, {
      edition: match.edition,
      nameOf,
      onTap: (tapped) => form?.tap(tapped),
    });
    begin();
  }

  function nameOf(one) {
    return playerName(match.document.players, one);
  }

  function lastMove() {
    return ply > 1 ? { ply: ply - 1, seat: frames[ply - 1].seat, move: frames[ply - 1].move } : null;
  }

  function choose(name) {
    action = name;
    for (const button of parts.actions.children) {
      button.setAttribute("aria-pressed", String(button.getAttribute("data-action") === name));
    }
    if (before !== null) begin();
  }

  function begin() {
    chooseSeat(action === "replace" ? old.seat : (before.state.to_move ?? old.seat));
  }

  function chooseSeat(next) {
    seat = next;
    form?.dispose();
    form = null;
    report(null);
    offer(null);
    hideTrial();
    if (action === "remove") {
      replace(parts.seats);
      board.draw(before.state, { lastMove: lastMove() });
      offer({ act: () => preview(null), label: t("repair.check") });
      return;
    }
    replace(
      parts.seats,
      match.document.players.map(({ seat: one, name }) =>
        h(
          "button",
          { type: "button", "aria-pressed": String(one === seat), onclick: () => chooseSeat(one) },
          seatSign(match.game, one),
          name,
          h("span", { class: "unseen" }, ` (${seatName(one)})`),
        ),
      ),
    );
    form = before.createForm({
      match: source,
      board: view,
      sheet: parts.form,
      hand: parts.hand,
      edition: match.edition,
      report,
      offer,
    });
    form.update();
  }

  function offer(next) {
    deed = next;
    check.disabled = !deed?.act;
    turning.hidden = !deed?.turn;
    replace(turning, deed?.turn?.label ?? "");
  }

  function report(problem, /** @type {any} */ entry = null) {
    if (!problem) {
      replace(parts.problem);
      return;
    }
    replace(
      parts.problem,
      h("p", {}, withPlayers(problem.detail ?? problem.title, match.document.players)),
      ruleLink(match.game, problem),
      entry &&
        problem.kind === "rule" &&
        entry.ruling === undefined &&
        rulingForm((reason) => preview({ ...entry, ruling: { reason } })),
    );
  }

  /** Show what the correction means. A form takes the answer as that to a move it has submitted. */
  async function preview(entry) {
    entered = entry;
    const { trial, problem } = await tryCorrection(match, correction());
    if (problem) {
      if (problem.status === 412) lookAgain();
      else report(problem, entry);
      return { accepted: false, problem };
    }
    report(null);
    const ways = { confirm: () => make(trial), back: hideTrial };
    replace(parts.trial, showTrial(frames, match.document.players, trial, ways));
    host.classList.add("trying");
    find(parts.trial, ".confirm").focus();
    return { accepted: true };
  }

  function hideTrial() {
    host.classList.remove("trying");
    replace(parts.trial);
  }

  async function make(trial) {
    const outcome = await match.write("corrections", { ...correction(), on_conflict: conflictPolicy(trial) });
    if (outcome.accepted) done();
    else if (outcome.problem.status !== 412) report(outcome.problem);
  }

  function correction() {
    return action === "remove" ? { ply, action } : { ply, action, ...entered };
  }

  async function legalMoves() {
    const { data } = await ask(`/matches/${match.id}/legal-moves?ply=${ply - 1}`);
    return data.moves;
  }

  async function judge(entry) {
    try {
      const { data } = await ask(`/matches/${match.id}/moves/check?ply=${ply - 1}`, { method: "POST", body: entry });
      return data;
    } catch (error) {
      if (error instanceof Offline) return { legal: true };
      if (error instanceof ApiProblem) return { legal: false, problem: error.problem };
      throw error;
    }
  }

  return { dispose: () => form?.dispose() };
}
