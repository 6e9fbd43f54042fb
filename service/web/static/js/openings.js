/** The tree of first moves, walked move by move with the board beside it. */

import { find, h, replace } from "./dom.js";
import { csvButton, figure, figures, statistics } from "./figures.js";
import { loadGame } from "./game.js";
import { areFew, outOf, percent, percents, surely } from "./numbers.js";
import { dots, rateBar, scale } from "./plots.js";
import { withErrors } from "./problem_line.js";
import { page, t, tn } from "./texts.js";

const { game, seats, start } = page;
const source = (path, more = {}) =>
  statistics(`/games/${game}/openings`, { depth: 1, ...(path.length > 0 && { under: path.at(-1).node }), ...more });

/** @returns {Promise<?HTMLElement>} */
export async function drawOpenings() {
  const root = await figures(source([]));
  if (root.n === 0) return null;
  if (root.children.length === 0) return figure({ title: t("stats.openings"), sentence: tell(root, []) });
  const [{ createBoard, loadStatistics }, edition] = await Promise.all([
    loadGame(game),
    figures(`/games/${game}/editions/${page.edition}`),
  ]);
  const { openingShown, nameOfMove } = await loadStatistics();
  const place = h("div", { class: "opening-board" });
  const board = createBoard(place, { edition });
  const walk = h("nav", { class: "walk", "aria-label": t("stats.walk") });
  const told = h("p", { class: "sentence", "aria-live": "polite" });
  const list = h("div", {});
  const named = ({ move }) => nameOfMove(move, start);
  const byWhom = ({ mover }) => t("stats.nth_player", { n: mover });

  async function go(path, isAsked = true) {
    const document = isAsked ? await figures(source(path)) : root;
    const { state, shown } = openingShown(
      start,
      path.map(({ mover, move }) => ({ seat: seats[mover - 1], move })),
      edition,
    );
    board.draw(state, shown);
    replace(
      walk,
      [[], ...path.map((_, at) => path.slice(0, at + 1))].map((part) =>
        h(
          "button",
          {
            class: "plain",
            "aria-current": part.length === path.length && "step",
            onclick: () => withErrors(() => go(part)),
          },
          part.length === 0 ? t("stats.beginning") : `${part.length}. ${named(part.at(-1))}`,
        ),
      ),
    );
    replace(told, tell(document, path));
    replace(
      list,
      document.children?.length > 0 && drawSteps(document, path),
      document.children?.some(({ n }) => !areFew(n)) && [
        scale([0, 0.5, 1].map(percent)),
        h("p", { class: "legend" }, t("stats.openings_legend")),
      ],
      document.pooled > 0 && h("p", { class: "quiet opening-about" }, tn("stats.pooled", document.pooled)),
      h("div", { class: "data" }, csvButton(source(path), `${page.games[game]} – ${t("stats.openings")}`)),
    );
    if (isAsked) find(walk, "[aria-current]").focus();
  }

  function tell({ children, n }, path) {
    const first = children?.[0];
    if (first === undefined) return tn(path.length > 0 ? "stats.no_further" : "stats.no_opening", n);
    return tn(path.length > 0 ? "stats.next_sentence" : "stats.opening_sentence", n, {
      move: named(first),
      rate: surely(first.frequency),
    });
  }

  /** The moves that follow, the most frequent ones first, and a button for further ones. */
  function drawSteps({ children, next }, path) {
    const steps = h(
      "ul",
      { class: "bars steps" },
      children.map((node) => drawStep(node, path)),
    );
    const more = h(
      "button",
      {
        onclick: () =>
          withErrors(async () => {
            const rest = await figures(source(path, { cursor: next }));
            const rows = rest.children.map((node) => drawStep(node, path));
            steps.append(...rows);
            next = rest.next;
            more.hidden = next === null;
            rows[0]?.querySelector("button").focus();
          }),
      },
      t("stats.more"),
    );
    return [steps, next !== null && more];
  }

  function drawStep(node, path) {
    const { n, win_rate: won } = node;
    return h(
      "li",
      { class: "bar step" },
      h(
        "span",
        { class: "bar-name" },
        h("button", { onclick: () => withErrors(() => go([...path, node])) }, named(node)),
      ),
      areFew(n) ? dots(won) : rateBar(won),
      h("b", { class: "bar-value" }, areFew(n) ? outOf(won) : percent(won.rate)),
      h(
        "span",
        { class: "bar-about" },
        [
          !areFew(n) && `(${percents(won.interval)})`,
          byWhom(node),
          `${tn("stats.times", n)}, ${t("stats.in_share", { rate: percent(node.frequency.rate) })}`,
        ]
          .filter(Boolean)
          .join(" · "),
      ),
    );
  }

  await go([], false);
  return h(
    "section",
    { class: "figure" },
    h("h2", {}, t("stats.openings")),
    told,
    walk,
    h("div", { class: "pair opening" }, place, h("div", { class: "plot" }, list)),
  );
}
