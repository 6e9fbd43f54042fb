/** The editor of who sat where. */

import { ask, attempt } from "../../api.js";
import { h, replace, sending } from "../../dom.js";
import { seatName, seatSign } from "../../seats.js";
import { t } from "../../texts.js";

/**
 * @param {import("../store.js").Store} match @param {HTMLElement} host
 * @param {{close: () => void, done: () => void}} ways @returns {{dispose: () => void}}
 */
export function createPeopleEditor(match, host, { close, done }) {
  const { players } = match.document;
  const problem = h("div", { class: "refusal", role: "alert" });
  const known = h("datalist", { id: "known-players" });
  const inputs = players.map(({ seat, name }) =>
    h("input", {
      id: `seat-${seat}`,
      value: name,
      required: true,
      maxlength: 80,
      list: "known-players",
      autocomplete: "off",
    }),
  );
  replace(
    host,
    h("h2", { tabindex: "-1" }, t("history.people")),
    h(
      "form",
      { class: "edit-people", onsubmit: sending(send) },
      players.map(({ seat }, at) =>
        h(
          "div",
          { class: "edit-person" },
          h("label", { for: `seat-${seat}` }, seatSign(match.game, seat), seatName(seat)),
          inputs[at],
        ),
      ),
      players.length > 1 &&
        h("button", { type: "button", onclick: shift }, t(players.length === 2 ? "history.swap" : "history.shift")),
      known,
      problem,
      h(
        "div",
        { class: "edit-acts" },
        h("button", { type: "button", onclick: close }, t("history.leave")),
        h("button", { class: ["primary", "confirm"] }, t("history.confirm")),
      ),
    ),
  );
  suggest();

  /** Everybody moves on to the next seat; two exchange theirs. */
  function shift() {
    const names = inputs.map((input) => input.value);
    inputs.forEach((input, at) => {
      input.value = names[(at + names.length - 1) % names.length];
    });
  }

  async function suggest() {
    await attempt(async () => {
      const { data } = await ask("/players?limit=200");
      replace(
        known,
        data.items.map((player) => h("option", { value: player.name })),
      );
    });
  }

  async function send() {
    const seated = players.map(({ seat }, at) => ({ seat, ...person(inputs[at].value.trim()) }));
    const outcome = await match.write("players", { players: seated }, "PUT");
    if (outcome.accepted) done();
    else if (outcome.problem.status !== 412) replace(problem, h("p", {}, outcome.problem.detail));
  }

  /** A player who sat here already is meant by their name, even if others have the same one. */
  function person(name) {
    const same = players.find((player) => player.name === name);
    return same ? { player_id: same.player_id } : { name };
  }

  return { dispose() {} };
}
