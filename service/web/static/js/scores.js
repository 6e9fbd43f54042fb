/** The bar of scores: for each seat its sign, whose it is, whose turn it is, the points and what they are made of. */

/** @import { Match, State } from "../../types/api.js" */

import { h, replace } from "./dom.js";
import { minus } from "./format.js";
import { seatName, seatSign } from "./seats.js";
import { t } from "./texts.js";

/**
 * @param {HTMLElement} host
 * @param {{game: string, document: Match}} match
 * @param {(state: State, seat: string) => {category: string, points: number}[]} partsOf
 * @param {(seat: string) => void} onOpen when somebody asks where points come from
 * @returns {{update: (state: ?State) => void, open: (seat: ?string) => void}}
 */
export function createScores(host, match, partsOf, onOpen) {
  const seats = match.document.players.map(({ seat }) => seat);
  const bars = new Map(seats.map((seat) => [seat, createBar(match.game, seat, () => onOpen(seat))]));
  host.dataset.seats = String(seats.length);
  replace(
    host,
    [...bars.values()].map((bar) => bar.element),
  );

  return {
    update(state) {
      for (const { seat, name } of match.document.players) {
        const bar = bars.get(seat);
        if (bar === undefined) continue;
        const { result } = match.document;
        const total = state?.score[seat].total ?? result?.ranking.find((one) => one.seat === seat)?.points ?? "";
        const isTurn = state?.to_move === seat && match.document.status === "in_progress";
        replace(bar.who, name);
        replace(bar.total, minus(total));
        replace(bar.parts, state && told(match.game, partsOf(state, seat)));
        bar.element.classList.toggle("turn-of", isTurn);
        bar.element.disabled = state === null;
        const label = t("recording.score_of", { player: name, seat: seatName(seat), points: minus(total) });
        bar.element.setAttribute("aria-label", isTurn ? `${label} (${t("recording.to_move")})` : label);
      }
    },
    open(seat) {
      for (const [one, { element }] of bars) element.setAttribute("aria-expanded", String(one === seat));
    },
  };
}

function createBar(game, seat, onOpen) {
  const [who, total, parts] = ["who", "total", "parts"].map((name) => h("span", { class: name }));
  const attributes = { type: "button", class: ["score", seat], "aria-expanded": "false", onclick: onOpen };
  return { who, total, parts, element: h("button", attributes, seatSign(game, seat), who, total, parts) };
}

/** The parts of a score: on a phone a sum, on a desk with their names. */
function told(game, parts) {
  return parts.map(({ category, points }, at) => {
    const sign = points < 0 ? "−\u2009" : at > 0 ? "+\u2009" : "";
    const name = h("span", { class: "long" }, ` ${t(`${game}.score_${category}`)}`);
    return [at > 0 ? "\u2009" : "", sign, Math.abs(points), name];
  });
}
