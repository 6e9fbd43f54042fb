/** The tool *Points*: where the points of a seat come from at the ply that is shown, and what it has behind its screen. */

/** @import { Store } from "../store.js" */
/** @import { MatchPage } from "../page.js" */

import { ask, attempt } from "../../api.js";
import { h, renew } from "../../dom.js";
import { minus } from "../../minus.js";
import { seatSign } from "../../seats.js";
import { lang, t } from "../../texts.js";
import { areHandsShown, showHands } from "../hands.js";
import { createThinkTimes } from "../think_times.js";

/** @param {HTMLElement} host @param {Store} store @param {MatchPage} page @returns {import("../tool_rail.js").Tool} */
export function tool(host, store, page) {
  /** The explanation, and of which ply and version it is. @type {{ply: number, version: number, seats: any} | null} */
  let known = null;
  /** The item that is shown on the board. */
  /** @type {string | null} */
  let lit = null;
  const times = createThinkTimes(store, page, () => draw());

  async function update() {
    draw();
    const { ply } = page;
    const { version } = store;
    if (known?.ply === ply && known.version === version) return;
    if (lit !== null) light(null);
    await attempt(
      async () => {
        const { data } = await ask(`/matches/${store.id}/replay/${ply}/score?version=${version}&lang=${lang}`);
        if (page.ply !== ply || store.version !== version) return;
        known = { ply, version, seats: data.seats };
        draw();
      },
      (problem) => page.report(problem),
    );
  }

  function draw() {
    const seats = store.document.players.map(({ seat }) => seat);
    const seat = page.seat ?? seats[0];
    renew(
      host,
      h(
        "div",
        { class: "seat-choice", role: "group", "aria-label": t("match.scores") },
        seats.map((each) =>
          h(
            "button",
            { key: each, type: "button", "aria-pressed": String(each === seat), onclick: () => choose(each) },
            seatSign(page.game.id, each),
            page.nameOf(each),
          ),
        ),
      ),
      known && items(known.seats[seat], seat),
      hands(),
      times(),
      h(
        "p",
        { class: "links" },
        h("button", { type: "button", onclick: () => page.open("paper") }, t("match.compare_paper")),
      ),
    );
  }

  function choose(seat) {
    lit = null;
    page.seat = seat;
    page.light(null);
    page.draw();
    draw();
  }

  function items({ items: all, total }, seat) {
    return [
      h(
        "h2",
        { id: "panel" },
        seatSign(page.game.id, seat),
        t("match.where_from", { player: page.nameOf(seat), points: minus(total) }),
      ),
      all.length === 0
        ? h("p", { class: "quiet" }, t("match.no_points"))
        : h(
            "ul",
            { class: "items" },
            all.map((item, at) => {
              const name = `${seat} ${at}`;
              const attributes = {
                type: "button",
                "aria-pressed": String(lit === name),
                onclick: () => light(item, name),
              };
              return h(
                "li",
                { key: name },
                h("button", attributes, h("span", {}, item.text), h("b", {}, minus(item.points))),
              );
            }),
          ),
    ];
  }

  /** Show the spaces of an item on the board, or hide them again. */
  function light(item, /** @type {string | null} */ name = null) {
    const isOn = item !== null && lit !== name;
    lit = isOn ? name : null;
    page.light(isOn ? { cells: item.cells, sources: item.sources } : null);
    draw();
  }

  /** The switch that opens the screens of all seats on the board. */
  function hands() {
    if (!page.areHandsOpen || page.isOpen) return null;
    const toggle = () => {
      showHands(!areHandsShown());
      page.draw();
      draw();
    };
    const attributes = { id: "hands", type: "button", "aria-pressed": String(areHandsShown()), onclick: toggle };
    return h("button", attributes, t(`${page.game.id}.hands`));
  }

  return {
    update,
    dispose() {
      if (lit !== null) page.light(null);
    },
  };
}
