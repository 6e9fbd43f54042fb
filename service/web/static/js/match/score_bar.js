/** The bar of scores: for each seat its sign, whose it is, whose turn it is, the points and what they are made of. */

/** @import { Match, State } from "../../../types/api.js" */
/** @import { Game } from "../game.js" */

import { h, renew } from "../dom.js";
import { minus, withSign } from "../minus.js";
import { seatName, seatSign } from "../seats.js";
import { t } from "../texts.js";

/**
 * @param {HTMLElement} host @param {Game} game
 * @param {{match: Match, state: State | null, isEnd: boolean, open: string | null,
 *   onOpen: ((seat: string) => any) | null}} shown `isEnd` is whether nothing follows that state, `open` the seat whose
 *   points are explained, if they can be
 */
export function showScores(host, game, { match, state, isEnd, open, onOpen }) {
  host.dataset.seats = String(match.players.length);
  renew(
    host,
    match.players.map(({ seat, name }) => {
      const ranked = match.result?.ranking.find((one) => one.seat === seat);
      const total = minus(state?.score[seat].total ?? ranked?.points ?? "");
      const isTurn = state?.to_move === seat && match.status === "in_progress";
      const key = onOpen ? "match.score_of" : "match.score_is";
      const label = t(key, { player: name, seat: seatName(seat), points: total });
      return h(
        "button",
        {
          key: seat,
          type: "button",
          class: ["score", seat, isTurn && "turn-of", isEnd && ranked?.place === 1 && "has-won"],
          "aria-expanded": String(open === seat),
          "aria-label": isTurn ? `${label} (${t("match.to_move")})` : label,
          disabled: state === null || onOpen === null,
          onclick: () => onOpen?.(seat),
        },
        seatSign(match.game, seat),
        h("span", { class: "who" }, name),
        h("span", { class: "total" }, total),
        h("span", { class: "parts" }, state && parts(game, state, seat)),
      );
    }),
  );
}

/** The parts of a score: on a phone a sum, on a desk with their names. */
function parts(game, state, seat) {
  return game.scoreParts(state, seat).map(({ category, points }, at) => {
    const sign = points < 0 || at > 0 ? `${withSign(points)[0]}\u2009` : "";
    const name = h("span", { class: "long" }, ` ${t(`${game.id}.score_${category}`)}`);
    return [at > 0 ? "\u2009" : "", sign, Math.abs(points), name];
  });
}
