/** The editor of the set-up: the game's own, or the points where only the result is known. */

/** @import { ResultOnlySetup } from "../../../../types/api.js" */

import { ask } from "../../api.js";
import { find, h, replace } from "../../dom.js";
import { loadGame } from "../../game.js";
import { conflictPolicy, showTrial, tryCorrection } from "../verdicts.js";
import { seatName, seatSign, withPlayers } from "../../seats.js";
import { lang, page, t } from "../../texts.js";
import { createTie } from "../../tie.js";

/**
 * @param {import("../store.js").Store} match @param {HTMLElement} host
 * @param {{close: () => void, done: () => void, lookAgain: () => void}} ways @returns {{dispose: () => void}}
 */
export function createSetupEditor(match, host, { close, done, lookAgain }) {
  const fields = h("div", { class: "edit-setup" });
  const problem = h("div", { class: "refusal", role: "alert" });
  const trialPlace = h("div", { class: "edit-trial" });
  const leave = h("button", { type: "button", onclick: close }, t("history.leave"));
  const check = h("button", { type: "button", class: "primary check", onclick: preview }, t("history.check"));
  let setup = null;
  replace(
    host,
    h("h2", { tabindex: "-1" }, t("history.setup")),
    fields,
    trialPlace,
    problem,
    h("div", { class: "edit-acts" }, leave, check),
  );
  const opened = open();

  async function open() {
    const { setup: initial, players } = match.document;
    if ("result_only" in initial) return createPoints(fields, match, initial);
    const createSetup = await (await loadGame(match.game)).loadSetup();
    const seats = players.map(({ seat }) => seat);
    return createSetup(fields, { edition: match.edition, seats, initial });
  }

  async function preview() {
    const form = await opened;
    if (!form.isComplete()) {
      replace(problem, h("p", {}, t("history.incomplete")));
      return;
    }
    setup = form.value();
    const tried = await tryCorrection(match, { ply: 0, setup });
    if (tried.problem) {
      if (tried.problem.status === 412) lookAgain();
      else replace(problem, h("p", {}, withPlayers(tried.problem.detail, match.document.players)));
      return;
    }
    replace(problem);
    const { data } = await ask(`/matches/${match.id}/replay?fields=ply,text&lang=${lang}`);
    const ways = { confirm: () => make(tried.trial), back };
    replace(trialPlace, showTrial(data.frames, match.document.players, tried.trial, ways));
    host.classList.add("trying");
    find(trialPlace, ".confirm").focus();
  }

  function back() {
    host.classList.remove("trying");
    replace(trialPlace);
  }

  async function make(trial) {
    const outcome = await match.write("corrections", { ply: 0, setup, on_conflict: conflictPolicy(trial) });
    if (outcome.accepted) done();
    else if (outcome.problem.status !== 412) replace(problem, h("p", {}, outcome.problem.detail));
  }

  return { dispose() {} };
}

/** The points of every seat, from a paper note. */
function createPoints(host, match, /** @type {ResultOnlySetup} */ { points, tie: decided }) {
  const { players } = match.document;
  const inputs = players.map(({ seat }) => pointsInput(seat, points[seat]));
  const question = h("div", { class: "tie", "aria-live": "polite" });
  const tie = createTie(question, decided);
  const askTie = () =>
    tie.ask(
      match.game,
      page.tie_breaks,
      players.map(({ seat, name }, at) => ({ seat, name, points: inputs[at].valueAsNumber })),
    );
  replace(
    host,
    players.map(({ seat, name }, at) =>
      h("label", { class: "edit-person" }, h("span", {}, seatSign(match.game, seat), name), inputs[at]),
    ),
    question,
  );
  for (const input of inputs) input.addEventListener("input", askTie);
  askTie();
  const noted = () => Object.fromEntries(inputs.map((input) => [input.name, input.valueAsNumber]));
  return {
    value: () => ({ result_only: true, points: noted(), ...(tie.value() && { tie: tie.value() }) }),
    isComplete: () => inputs.every((input) => input.checkValidity()),
  };
}

function pointsInput(seat, value) {
  return h("input", {
    name: seat,
    type: "number",
    min: -999,
    max: 9999,
    required: true,
    value: String(value),
    inputmode: "numeric",
    "aria-label": t("history.points", { seat: seatName(seat) }),
  });
}
