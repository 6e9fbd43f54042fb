/** The tool *Result*: how a finished match ended, with what, when it was decided and what was new. */

/** @import { MatchResult } from "../../../../types/api.js" */
/** @import { Store } from "../store.js" */
/** @import { MatchPage } from "../page.js" */

import { attempt } from "../../api.js";
import { h, renew } from "../../dom.js";
import { minus } from "../../minus.js";
import { seatSign } from "../../seats.js";
import { locale, t, tn } from "../../texts.js";
import { play, turningPoint, winner } from "../outcome.js";
import { sharePicture } from "../picture.js";
import { createPlayLink } from "../play_link.js";
import { createThinkTimes } from "../think_times.js";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Ratings follow some seconds after the end. */
const RATED_AFTER = 8000;
const signed = new Intl.NumberFormat(locale, { signDisplay: "exceptZero", maximumFractionDigits: 0 });
const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0, useGrouping: false });

/** @param {HTMLElement} host @param {Store} store @param {MatchPage} page @returns {import("../tool_rail.js").Tool} */
export function tool(host, store, page) {
  /** @type {MatchResult | null} */
  let result = null;
  let version = 0;
  let timer = 0;
  const times = createThinkTimes(store, page, () => draw());
  const playLink = createPlayLink(store, page, () => draw());

  async function load(anew = false) {
    version = store.version;
    await attempt(
      async () => {
        result = await store.loadResult({ anew });
        draw();
        if (result?.ratings.length === 0 && isFresh()) timer = window.setTimeout(() => load(true), RATED_AFTER);
      },
      (problem) => page.report(problem),
    );
  }

  /** Whether the match ended a moment ago. */
  function isFresh() {
    return timer === 0 && Date.now() - Date.parse(store.document.changed_at) < RATED_AFTER * 4;
  }

  function draw() {
    const isPlayed = store.state !== null;
    renew(
      host,
      result && [
        ranking(result),
        turningPoint(page),
        result.breakdown.length > 0 && breakdown(result),
        result.firsts.length > 0 &&
          h(
            "ul",
            { class: "firsts" },
            result.firsts.map((first) => h("li", { key: `${first.kind} ${first.seat} ${first.against}` }, told(first))),
          ),
        h("p", { class: "quiet" }, about(result)),
        times(),
        playLink(),
      ],
      h(
        "p",
        { class: "links" },
        isPlayed && h("button", { type: "button", class: "primary", onclick: () => play(page) }, t("match.replay")),
        store.may("record") &&
          h("a", { class: "button", href: `/matches/new?rematch=${store.id}` }, t("match.rematch")),
        isPlayed && h("button", { type: "button", onclick: share }, t("match.share_picture")),
        h("button", { type: "button", onclick: () => print() }, t("match.print")),
        isPlayed && h("button", { type: "button", onclick: () => page.open("paper") }, t("match.compare_paper")),
      ),
    );
  }

  function ranking({ ranking: ranks }) {
    return [
      winner(store, page.game),
      h(
        "ol",
        { class: "ranking" },
        ranks.map((rank) =>
          h(
            "li",
            { key: rank.seat, class: rank.place === 1 && "first" },
            h("span", { class: "rank-place" }, `${rank.place}.`),
            seatSign(page.game.id, rank.seat),
            h("span", { class: "rank-name" }, page.nameOf(rank.seat), change(rank.seat)),
            h("span", { class: "rank-behind" }, rank.behind > 0 && minus(-rank.behind)),
            h("b", {}, minus(rank.points)),
          ),
        ),
      ),
    ];
  }

  /** How the rating of a seat changed. */
  function change(seat) {
    const found = result?.ratings.find((rating) => rating.seat === seat);
    if (!found) return null;
    const values = {
      before: whole.format(found.before),
      rating: whole.format(found.after),
      change: minus(signed.format(found.after - found.before)),
    };
    return h("small", { class: "quiet" }, t("match.rating", values));
  }

  function breakdown({ breakdown: rows, ranking: ranks }) {
    const seats = ranks.map(({ seat }) => seat);
    const cell = (row, seat) => {
      const isBest = row.best.includes(seat);
      return h("td", { key: seat }, isBest ? h("b", {}, minus(row.points[seat])) : minus(row.points[seat]));
    };
    return h(
      "table",
      { class: "breakdown" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("td"),
          seats.map((seat) =>
            h(
              "th",
              { key: seat, scope: "col" },
              seatSign(page.game.id, seat),
              h("span", { class: "unseen" }, page.nameOf(seat)),
            ),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((row) =>
          h(
            "tr",
            { key: `${row.category} ${row.part}` },
            h("th", { scope: "row" }, t(`${page.game.id}.result_${row.part ?? row.category}`)),
            seats.map((seat) => cell(row, seat)),
          ),
        ),
      ),
    );
  }

  function told({ kind, seat, against }) {
    const other = against === null ? "" : page.nameOf(against);
    return [seatSign(page.game.id, seat), t(`match.${kind}`, { player: page.nameOf(seat), other })];
  }

  function about({ seconds }) {
    const { ply } = store.document;
    return [ply > 0 && tn("match.n_moves", ply), seconds !== null && seconds >= MINUTE && lasted(seconds)]
      .filter(Boolean)
      .join(" · ");
  }

  function lasted(seconds) {
    const unit = (value, name) =>
      new Intl.NumberFormat(locale, { style: "unit", unit: name, unitDisplay: "short" }).format(value);
    const hours = Math.floor(seconds / HOUR);
    const minutes = Math.round((seconds % HOUR) / MINUTE);
    return [hours > 0 && unit(hours, "hour"), unit(minutes, "minute")].filter(Boolean).join(" ");
  }

  function share({ currentTarget: button }) {
    button.disabled = true;
    sharePicture(store, result, page)
      .catch(() => page.report({ detail: t("shared.failed") }))
      .finally(() => (button.disabled = false));
  }

  return {
    update() {
      if (version !== store.version) return load();
      return draw();
    },
    dispose() {
      clearTimeout(timer);
    },
  };
}
