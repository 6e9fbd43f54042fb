/** What lists and statistics are searched by: the form of the page, and what goes on to the API. */

import { ApiProblem, every } from "./api.js";
import { h } from "./dom.js";
import { day } from "./matches.js";

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
    const players = [];
    for await (const player of every("/players?limit=200")) players.push(player);
    const named = (name) => players.filter((player) => player.name === name).length;
    select.append(
      ...players
        .filter(({ id }) => !leftOut.includes(id))
        .map((player) =>
          h(
            "option",
            { value: player.id, selected: player.id === chosen },
            named(player.name) > 1 ? `${player.name} (${day(player.created_at)})` : player.name,
          ),
        ),
    );
  } catch (problem) {
    if (!(problem instanceof ApiProblem)) throw problem;
    select.parentElement?.setAttribute("hidden", "");
  }
}
