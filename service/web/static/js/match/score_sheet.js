/**
 * The score sheet of a match, one page of paper: who played, when and where, the points by category, the curve, and lines
 * to sign on. It is made when the page is printed, and takes the place of all else then.
 */

/** @import { Game } from "../game.js" */

import { h, renew } from "../dom.js";
import { dayAndTime } from "../format.js";
import { minus } from "../minus.js";
import { seatName, seatSign } from "../seats.js";
import { page, t, tn } from "../texts.js";

/**
 * @typedef {object} Shown what is known of the match when it is printed
 * @property {any} match @property {any} state @property {any[]} breakdown the points of a finished match by their kinds
 * @property {string} edition @property {Game} game @property {string | null} address
 */

/** Put the sheet on paper instead of the page. @param {() => Shown} read */
export function bindScoreSheet(read) {
  const sheet = h("section", { class: "score-sheet", "aria-hidden": "true" });
  document.body.append(sheet);
  addEventListener("beforeprint", () => renew(sheet, drawSheet(read())));
  addEventListener("afterprint", () => renew(sheet));
}

/** @param {Shown} shown */
function drawSheet({ match, state, breakdown, edition, game, address }) {
  const { players, result } = match;
  const ranked = new Map((result?.ranking ?? []).map((entry) => [entry.seat, entry]));
  const total = (seat) => state?.score[seat].total ?? ranked.get(seat)?.points ?? "";
  const seats = players.map(({ seat }) => seat);
  const row = (name, said, cells) =>
    h(
      "tr",
      { class: name },
      h("th", { scope: "row" }, said),
      cells.map((cell) => h("td", {}, minus(cell))),
    );
  return [
    h("h1", {}, page.title),
    h(
      "p",
      {},
      [dayAndTime(match.played_at), match.venue, edition, match.ply > 0 && tn("match.n_moves", match.ply)]
        .filter(Boolean)
        .join(" · "),
    ),
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("td"),
          players.map(({ seat, name }) =>
            h("th", { scope: "col" }, seatSign(game.id, seat), h("b", {}, name), h("small", {}, seatName(seat))),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        lines(game, state, breakdown, seats).map(({ said, points }) => row("", said, points)),
        row("total", t("match.total"), seats.map(total)),
        ranked.size > 0 &&
          row(
            "place",
            t("match.rank"),
            seats.map((seat) => `${ranked.get(seat)?.place}.`),
          ),
      ),
    ),
    drawCurve(),
    h(
      "div",
      { class: "signatures" },
      players.map(({ name }) => h("p", {}, h("span"), name)),
    ),
    address && h("p", { class: "address" }, address),
  ];
}

/** The points of each seat by what they are for: in full once a match is over, else as the bar of scores has them. */
function lines(game, state, breakdown, seats) {
  if (breakdown.length)
    return breakdown.map(({ category, part, points }) => ({
      said: t(`${game.id}.result_${part ?? category}`),
      points: seats.map((seat) => points[seat]),
    }));
  if (state === null) return [];
  const parts = seats.map((seat) => new Map(game.scoreParts(state, seat).map((each) => [each.category, each.points])));
  return [...new Set(parts.flatMap((of) => [...of.keys()]))].map((category) => ({
    said: t(`${game.id}.score_${category}`),
    points: parts.map((of) => of.get(category) ?? 0),
  }));
}

/** The curve as it stands on the page, without its cursor; it has one once there are moves. */
function drawCurve() {
  const drawn = document.querySelector(".curve svg");
  if (!drawn?.querySelector(".line-of")) return null;
  const copy = /** @type {Element} */ (drawn.cloneNode(true));
  copy.querySelector(".cursor")?.remove();
  return h("div", { class: "curve" }, copy);
}
