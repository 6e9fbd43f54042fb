/** What lists and statistics are searched by: the form of the page, and what goes on to the API. */

import { ApiProblem, all } from "./api.js";
import { h } from "./dom.js";
import { day } from "./format.js";

/**
 * What was asked for as the API takes it: days are those of the reader.
 * @param {URLSearchParams} asked @returns {URLSearchParams}
 */
export function spanned(asked) {
  const members = new URLSearchParams(asked);
  if (members.has("from") || members.has("to")) members.set("tz", Intl.DateTimeFormat().resolvedOptions().timeZone);
  return members;
}

/** Let an address hold what was filled in and nothing else. @param {HTMLFormElement} form */
export function leaveOutEmpty(form) {
  form.addEventListener("formdata", (event) => {
    for (const [name, value] of [...event.formData]) if (value === "") event.formData.delete(name);
  });
}

/**
 * The players one knows as choices; who has no account is not asked.
 * @param {HTMLSelectElement} select @param {string | null} chosen @param {string[]} [leftOut] the ids of those not to choose
 */
export async function offerPlayers(select, chosen, leftOut = []) {
  try {
    const players = await all("/players?limit=200");
    select.append(...playerOptions(players, chosen).filter(({ value }) => !leftOut.includes(value)));
  } catch (problem) {
    if (!(problem instanceof ApiProblem)) throw problem;
    select.parentElement?.setAttribute("hidden", "");
  }
}

/**
 * Players as choices; where several bear one name the day tells them apart.
 * @param {{id: string, name: string, created_at: string}[]} players @param {string | null} [chosen]
 * @returns {HTMLOptionElement[]}
 */
export function playerOptions(players, chosen = null) {
  const named = (name) => players.filter((player) => player.name === name).length;
  return players.map((player) =>
    h(
      "option",
      { value: player.id, selected: player.id === chosen },
      named(player.name) > 1 ? `${player.name} (${day(player.created_at)})` : player.name,
    ),
  );
}
