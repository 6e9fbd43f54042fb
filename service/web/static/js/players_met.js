/** The players that were met on this device, who can be seated in matches that are begun without network. */

import { run } from "./outbox.js";
import { account } from "./texts.js";

/** @typedef {{id: string, name: string}} Player */

/** Remember players, if the device lets us. @param {Player[]} players */
export async function keepPlayers(players) {
  await run("players", "readwrite", (store) => {
    for (const { id, name } of players) store.put({ id, name, account });
  }).catch(() => {});
}

/** The players that this account has met here, by name. @returns {Promise<Player[]>} */
export async function playersMet() {
  const met = await run("players", "readonly", (store) => store.getAll()).catch(() => []);
  return met.filter((one) => one.account === account).sort((one, other) => one.name.localeCompare(other.name));
}

/** The players of matches as lists have them. @param {any[]} matches @returns {Player[]} */
export function playersOf(matches) {
  return matches.flatMap(({ players }) => players.map(({ player_id: id, name }) => ({ id, name })));
}
