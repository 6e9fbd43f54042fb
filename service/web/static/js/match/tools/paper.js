/**
 * The tool *Paper*: points as they were written down at the table, at the end or after any move, against those of the moves.
 * The first difference is named, with the moves that may be wrong and the way to correct them.
 */

/** @import { Store } from "../store.js" */
/** @import { MatchPage } from "../page.js" */

import { ask, attempt } from "../../api.js";
import { h, onSubmit, renew, replace } from "../../dom.js";
import { minus, withSign } from "../../minus.js";
import { seatSign, withPlayers } from "../../seats.js";
import { t } from "../../texts.js";

/** @typedef {{ply: number, category?: string, points: Record<string, number>}} Note */

/** @param {HTMLElement} host @param {Store} store @param {MatchPage} page @returns {Promise<import("../tool_rail.js").Tool>} */
export async function tool(host, store, page) {
  await store.loadFrames();
  const seats = store.document.players.map(({ seat }) => seat);
  /** What was noted of other moves. @type {Note[]} */
  let kept = [];
  const [keptList, outcome] = [h("ul", { class: "paper-kept" }), h("div", { class: "paper-outcome", role: "status" })];
  const ply = h("input", { type: "number", name: "ply", min: 0, required: true, value: String(page.ply) });
  const inputs = new Map([null, ...page.game.categories].map((category) => [category, rowOf(category)]));
  const form = h(
    "form",
    { class: "paper-form" },
    h("h2", { id: "panel" }, t("paper.title")),
    h("p", { class: "quiet" }, t("paper.about")),
    h("label", { class: "paper-ply" }, t("paper.after"), ply),
    table([null], true),
    h("details", {}, h("summary", {}, t("paper.by_category")), table(page.game.categories, false)),
    keptList,
    h(
      "p",
      { class: "links" },
      h("button", { class: "primary" }, t("paper.compare")),
      h("button", { type: "button", onclick: keep }, t("paper.another")),
    ),
  );
  onSubmit(form, compare);
  replace(host, form, outcome);

  /** The fields of a category, by seat. */
  function rowOf(category) {
    return new Map(
      seats.map((seat) => {
        const label = `${category === null ? t("paper.total") : nameOf(category)}, ${page.nameOf(seat)}`;
        return [seat, h("input", { type: "number", step: 1, min: -999, max: 9999, "aria-label": label })];
      }),
    );
  }

  function table(categories, hasHead) {
    const head = h(
      "tr",
      {},
      h("td"),
      seats.map((seat) =>
        h("th", { scope: "col" }, seatSign(page.game.id, seat), h("span", { class: "unseen" }, page.nameOf(seat))),
      ),
    );
    const rows = categories.map((category) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, category === null ? t("paper.total") : nameOf(category)),
        [...fieldsOf(category).values()].map((input) => h("td", {}, input)),
      ),
    );
    return h("table", { class: "paper-points" }, hasHead && h("thead", {}, head), h("tbody", {}, rows));
  }

  function fieldsOf(category) {
    return /** @type {Map<string, HTMLInputElement>} */ (inputs.get(category));
  }

  function nameOf(category) {
    return t(`${page.game.id}.result_${category}`);
  }

  /** What stands in the fields. @returns {Note[]} */
  function written() {
    return [...inputs.keys()].flatMap((category) => {
      const filled = [...fieldsOf(category)].filter(([, { value }]) => value !== "");
      const points = Object.fromEntries(filled.map(([seat, { value }]) => [seat, Number(value)]));
      const of = category === null ? {} : { category };
      return filled.length ? [{ ply: Number(ply.value), ...of, points }] : [];
    });
  }

  /** Keep what stands in the fields, which are free for another move then. */
  function keep() {
    kept = [...kept, ...written()];
    for (const category of inputs.keys()) for (const input of fieldsOf(category).values()) input.value = "";
    drawKept();
    ply.focus();
    ply.select();
  }

  function drop(note) {
    kept = kept.filter((each) => each !== note);
    drawKept();
  }

  function drawKept() {
    renew(
      keptList,
      kept.map((note) =>
        h(
          "li",
          {},
          h(
            "span",
            {},
            [t("paper.noted", { ply: note.ply }), note.category && nameOf(note.category)].filter(Boolean).join(", "),
          ),
          Object.entries(note.points).map(([seat, points]) =>
            h("span", {}, seatSign(page.game.id, seat), minus(points)),
          ),
          h(
            "button",
            { type: "button", class: "plain", "aria-label": t("paper.drop"), onclick: () => drop(note) },
            "×",
          ),
        ),
      ),
    );
  }

  async function compare() {
    const notes = [...kept, ...written()];
    if (notes.length === 0) {
      renew(outcome, h("p", { class: "problem" }, t("paper.empty")));
      return;
    }
    await attempt(
      async () => {
        const { data } = await ask(`/matches/${store.id}/paper/check`, { method: "POST", body: { notes } });
        renew(outcome, data.agrees ? h("p", { class: "said" }, t("paper.agrees")) : difference(data.first));
      },
      ({ detail, title }) => renew(outcome, h("p", { class: "problem" }, detail ?? title)),
    );
    outcome.scrollIntoView({ block: "nearest" });
  }

  /** @param {import("../../../../types/api.js").Disagreement} first */
  function difference({ ply: at, seat, category, written: said, computed, agreed_at: agreed, suspects }) {
    const values = { player: page.nameOf(seat), written: minus(said), computed: minus(computed), ply: at };
    const text =
      category === null ? t("paper.differs", values) : t("paper.differs_in", { ...values, category: nameOf(category) });
    return [
      h("p", { class: "paper-differs" }, seatSign(page.game.id, seat), h("b", {}, text)),
      h("p", { class: "quiet" }, t(agreed > 0 ? "paper.agreed_at" : "paper.never_agreed", { ply: agreed })),
      suspects.length === 0
        ? h("p", {}, t("paper.no_suspects"))
        : [h("p", {}, t("paper.suspects")), h("ol", { class: "suspects" }, suspects.map(suspect))],
    ];
  }

  function suspect({ ply: at, seat, change, explains }) {
    const text = store.frames?.[at]?.text ?? "";
    return h(
      "li",
      { key: at },
      h(
        "button",
        { type: "button", class: "plain suspect", onclick: () => page.go(at) },
        h("span", { class: "ply" }, at),
        seatSign(page.game.id, seat),
        h("span", {}, withPlayers(text, store.document.players), explains && h("small", {}, t("paper.explains"))),
        h("b", {}, withSign(change)),
      ),
      store.may("record") &&
        h("button", { type: "button", onclick: () => correct(at) }, t("paper.correct", { ply: at })),
    );
  }

  function correct(at) {
    page.go(at);
    page.open("history");
  }

  return {
    update() {
      ply.max = String(store.ply);
    },
  };
}
