/** Asks how equal points were decided where only the result is known: that they share the win, or who won and by what. */

import { h, replace } from "./dom.js";
import { t } from "./texts.js";

/**
 * @typedef {{winner: string, decided_by: string}} Tie
 * @param {HTMLElement} host that is empty and hidden unless there is something to ask
 * @param {?Tie} initial
 * @returns {{ask: (game: string, tieBreaks: string[], people: {seat: string, name: string, points: number}[]) => void,
 *   value: () => ?Tie}}
 */
export function createTie(host, initial = null) {
  let chosen = JSON.stringify(initial);
  const select = h("select", {
    onchange: () => {
      chosen = select.value;
    },
  });

  return {
    ask(game, tieBreaks, people) {
      const most = Math.max(...people.map(({ points }) => points));
      const leaders = people.filter(({ points }) => points === most);
      const ways = leaders.flatMap(({ seat, name }) =>
        tieBreaks.map((tieBreak) => ({
          value: JSON.stringify({ winner: seat, decided_by: tieBreak }),
          text: t("tie.won", { player: name, tie_break: t(`${game}.tie_${tieBreak}`) }),
        })),
      );
      host.hidden = leaders.length < 2;
      if (host.hidden || !ways.some(({ value }) => value === chosen)) chosen = "null";
      replace(
        select,
        [{ value: "null", text: t("tie.shared") }, ...ways].map(({ value, text }) =>
          h("option", { value, selected: value === chosen }, text),
        ),
      );
      replace(host, host.hidden ? null : h("label", {}, t("tie.question"), select));
    },
    value: () => JSON.parse(chosen),
  };
}
