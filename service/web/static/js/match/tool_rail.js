/**
 * The tools beside the board: tabs, and the panel of the one that is open. On a desk they stand in the rail, on a phone in
 * a sheet over the board with three heights.
 *
 * A tool is a module `tools/<name>.js` that exports `tool(host, store, page)`; see `MatchPage` for what `page` offers. It
 * fills `host`, which is empty, and answers with `{update(), dispose?(), marks?}`. `update` is called whenever the match
 * or what is shown of it has changed; `dispose` when another tool is opened; `marks`, if there are any, are marked on the
 * board.
 */

/** @typedef {{update: () => any, dispose?: () => any, marks?: {cell: string, kind: string}[] | null, tap?: (tapped: any) => boolean}} Tool */

import { attempt } from "../api.js";
import { find, h, renew, replace } from "../dom.js";
import { t } from "../texts.js";

/** All tools by the names that addresses have for them. */
const TOOLS = {
  result: () => import("./tools/result.js"),
  moves: () => import("./tools/moves.js"),
  notes: () => import("./tools/notes.js"),
  points: () => import("./tools/points.js"),
  paper: () => import("./tools/paper.js"),
  history: () => import("./tools/history.js"),
  share: () => import("./tools/share.js"),
};
const HEIGHTS = ["low", "half", "full"];
/** The height of a sheet that gives way to what is entered. */
const AWAY = "away";
/** Pixels that a finger moves the sheet to its next height. */
const PULL = 40;

export class ToolRail {
  /** The name of the tool that is open. @type {string | null} */
  open = null;
  /** @type {Tool | null} */
  tool = null;
  /** The tool that was open last. */
  last = "moves";
  #height = "half";
  #isPulled = false;

  /**
   * @param {HTMLElement} rail @param {any} store @param {any} page handed on to tools
   * @param {{onOpen: (name: string | null) => any, isHidden: (name: string) => boolean}} how
   */
  constructor(rail, store, page, { onOpen, isHidden }) {
    this.rail = rail;
    this.store = store;
    this.page = page;
    this.onOpen = onOpen;
    this.isHidden = isHidden;
    this.tabs = h("div", { class: "tabs", role: "tablist", "aria-label": t("match.tools") });
    this.panel = h("section", { class: "tool", role: "tabpanel", id: "tool", tabindex: 0 });
    const handle = h(
      "button",
      { type: "button", class: "handle plain", "aria-label": t("match.height"), onclick: () => this.#resize() },
      h("span", { "aria-hidden": "true" }),
    );
    this.#pull(handle);
    replace(
      rail,
      h(
        "div",
        { class: "rail-head" },
        handle,
        h(
          "button",
          { type: "button", class: "plain close", "aria-label": t("match.close"), onclick: () => onOpen(null) },
          "×",
        ),
      ),
      this.tabs,
      this.panel,
    );
    this.#setHeight("half");
  }

  /** The tools that there are for this match and reader. */
  get names() {
    return Object.keys(TOOLS).filter((name) => !this.isHidden(name));
  }

  /** Show a tool, or none. @param {string | null} name */
  async show(name) {
    const wanted = name === null ? null : this.names.includes(name) ? name : this.names[0];
    if (wanted === this.open) {
      this.update();
      return;
    }
    this.tool?.dispose?.();
    this.tool = null;
    this.open = wanted;
    this.last = wanted ?? this.last;
    this.rail.dataset.tool = wanted ?? "";
    if (this.#height !== "full") this.#setHeight("half");
    const { bottom } = find(document, ".place").getBoundingClientRect();
    this.rail.style.setProperty("--board-bottom", `${bottom}px`);
    this.#drawTabs();
    const host = h("div", { class: `tool-${wanted}` });
    replace(this.panel, host);
    if (wanted === null) return;
    this.panel.setAttribute("aria-label", t(`match.tool_${wanted}`));
    const { tool } = await TOOLS[wanted]();
    if (this.open !== wanted) return;
    await attempt(
      async () => {
        const opened = await tool(host, this.store, this.page);
        if (this.open === wanted && host.isConnected) this.tool = opened;
        else opened.dispose?.();
      },
      (problem) => this.#showProblem(host, problem),
    );
    this.update();
  }

  /** Say why a tool could not begin, and offer to try again. */
  #showProblem(host, { detail, title }) {
    const again = () => {
      this.open = null;
      return this.show(this.last);
    };
    replace(
      host,
      h("p", { class: "problem", role: "alert" }, detail ?? title),
      h("button", { type: "button", onclick: again }, t("shared.try_again")),
    );
  }

  /** Let the tool show the match as it is now. */
  update() {
    this.#drawTabs();
    this.tool?.update();
  }

  /** On a phone, let the whole of the tool be read. */
  raise() {
    this.#setHeight("half");
  }

  /** On a phone, leave the board and what lies below it free. */
  lower() {
    this.#setHeight(AWAY);
  }

  #drawTabs() {
    renew(
      this.tabs,
      this.names.map((name) =>
        h(
          "button",
          {
            key: name,
            type: "button",
            role: "tab",
            id: `tab-${name}`,
            "aria-controls": "tool",
            "aria-selected": String(name === this.open),
            tabindex: name === (this.open ?? this.names[0]) ? 0 : -1,
            onclick: () => this.onOpen(name),
            onkeydown: (event) => this.#walk(event, name),
          },
          t(`match.tool_${name}`),
        ),
      ),
    );
  }

  /** Arrow keys lead from tab to tab. */
  #walk(event, name) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const { names } = this;
    const next = names[(names.indexOf(name) + step + names.length) % names.length];
    this.onOpen(next);
    document.getElementById(`tab-${next}`)?.focus();
  }

  #setHeight(height) {
    this.#height = height;
    this.rail.dataset.height = height;
  }

  /** The next height up, and from the highest the lowest; a handle that was pulled has its height already. */
  #resize() {
    if (!this.#isPulled) this.#setHeight(HEIGHTS[(HEIGHTS.indexOf(this.#height) + 1) % HEIGHTS.length]);
  }

  #pull(handle) {
    let from = null;
    handle.addEventListener("pointerdown", (event) => {
      from = event.clientY;
      this.#isPulled = false;
      handle.setPointerCapture(event.pointerId);
    });
    handle.addEventListener("pointermove", (event) => {
      if (from === null || Math.abs(event.clientY - from) < PULL) return;
      const at = HEIGHTS.indexOf(this.#height) + (event.clientY < from ? 1 : -1);
      from = event.clientY;
      this.#isPulled = true;
      if (at < 0) this.onOpen(null);
      else if (at < HEIGHTS.length) this.#setHeight(HEIGHTS[at]);
    });
    for (const type of ["pointerup", "pointercancel"]) handle.addEventListener(type, () => (from = null));
  }
}
