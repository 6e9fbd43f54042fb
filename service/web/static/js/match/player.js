/** Which ply of a match is shown: a slider under the score curve, buttons, keys, swipes, and playing on by itself. */

/** @import { Frame } from "../../../types/api.js" */

import { h, renew, replace, svg } from "../dom.js";
import { t, tn } from "../texts.js";
import { createCurve } from "./curve.js";
import { timesOf } from "./line.js";

/** Milliseconds that a ply is shown, by speed. */
const PACE = { 1: 1600, 2: 800, 4: 400 };
/** Plays at the pace at which the moves were recorded. */
const RECORDED = "recorded";
const SPEEDS = [...Object.keys(PACE), RECORDED];
/** Milliseconds that a ply is shown at most at the recorded pace: nobody looks on while tea is made. */
const MAX_PAUSE = 60_000;
/** Milliseconds after which a button that is held runs, and between its steps then. */
const [HOLD, RUN] = [400, 90];
const SWIPE = 45;
/** The way of a wheel that makes one step. */
const NOTCH = 60;
const KEYS = {
  ArrowLeft: (player, { shiftKey }) => player.step(-1, shiftKey ? "turn" : "ply"),
  ArrowRight: (player, { shiftKey }) => player.step(1, shiftKey ? "turn" : "ply"),
  PageUp: (player) => player.step(-1, "phase"),
  PageDown: (player) => player.step(1, "phase"),
  Home: (player) => player.go(0),
  End: (player) => player.go(player.last),
  " ": (player) => player.toggle(),
  "+": (player) => player.faster(),
  n: (player) => player.step(1, "note"),
  N: (player) => player.step(-1, "note"),
};

/** The plies at which one stops, by what one jumps by; units that say no more than others are left out. */
function stopsOf(frames, turnOf) {
  const turns = turnOf(frames);
  const plies = frames.map(({ ply }) => ply);
  const found = {
    ply: plies,
    turn: plies.filter((ply) => turns[ply] !== turns[ply + 1]),
    phase: plies.filter((ply) => ply === plies.length - 1 || frames[ply].state.phase !== frames[ply - 1]?.state.phase),
    note: plies.filter((ply) => frames[ply].annotations.length > 0),
  };
  if (found.turn.length === plies.length) delete found.turn;
  if (found.note.length === 0) delete found.note;
  return found;
}

export class Player {
  /** Runs while the match plays. @type {number | undefined} */
  #timer;
  #speed = SPEEDS[0];
  #stops = { ply: [0] };
  /** How long the move of each ply took. @type {number[]} */
  #times = [];
  #unit = "ply";

  /**
   * @param {HTMLElement} host for the controls
   * @param {(frames: Frame[]) => number[]} turnOf the number of the turn of each frame
   * @param {(ply: number) => void} onShow
   */
  constructor(host, turnOf, onShow) {
    this.ply = 0;
    this.turnOf = turnOf;
    this.onShow = onShow;
    const curve = h("div", { class: "curve" });
    this.curve = createCurve(curve, (ply) => this.pick(ply));
    this.slider = h("input", {
      type: "range",
      min: 0,
      "aria-label": t("match.slider"),
      oninput: () => this.pick(Number(this.slider.value)),
    });
    this.first = button("first", t("match.first"), () => this.pick(0));
    this.back = button("back", t("match.back"), () => this.step(-1));
    this.forth = button("forth", t("match.forth"), () => this.step(1));
    this.end = button("last", t("match.last"), () => this.pick(this.last));
    this.play = button("play", t("match.play"), () => this.toggle());
    this.speed = h("button", { type: "button", class: "deed speed", onclick: () => this.faster() });
    this.units = h("select", { "aria-label": t("match.unit"), onchange: () => (this.#unit = this.units.value) });
    this.#holdToRun(this.back, -1);
    this.#holdToRun(this.forth, 1);
    this.#tellSpeed();
    this.#tellPlaying();
    replace(
      host,
      curve,
      this.slider,
      h("div", { class: "deeds" }, this.units, this.first, this.back, this.play, this.forth, this.end, this.speed),
    );
  }

  get last() {
    return this.#stops.ply.length - 1;
  }

  get isPlaying() {
    return this.#timer !== undefined;
  }

  /** Be of use before the frames are known: every ply can be gone to. @param {number} last @param {number} ply to show */
  expect(last, ply) {
    this.#stops = { ply: Array.from({ length: last + 1 }, (_, at) => at) };
    this.slider.max = String(last);
    this.#tellPlaying();
    this.curve.expect(last);
    this.show(Math.min(ply, last));
  }

  /**
   * Learn of a match, or of what has become of it.
   * @param {Frame[]} frames @param {string[]} seats @param {number} ply to show
   * @param {import("./curve.js").Marked} marked
   */
  update(frames, seats, ply, marked) {
    this.#stops = stopsOf(frames, this.turnOf);
    this.#times = timesOf(frames);
    if (!(this.#unit in this.#stops)) this.#unit = "ply";
    renew(
      this.units,
      Object.keys(this.#stops).map((unit) => h("option", { value: unit }, t(`match.unit_${unit}`))),
    );
    this.units.value = this.#unit;
    this.slider.max = String(this.last);
    this.#tellPlaying();
    this.curve.update(frames, seats, marked);
    this.show(Math.min(ply, this.last));
  }

  /** Show a ply, and tell who listens. @param {number} ply */
  go(ply) {
    this.show(ply);
    this.onShow(ply);
  }

  /** Let the controls stand at a ply. @param {number} ply */
  show(ply) {
    this.ply = ply;
    this.slider.value = String(ply);
    this.slider.setAttribute("aria-valuetext", t("match.ply_of", { ply, last: this.last }));
    for (const each of [this.first, this.back]) each.disabled = ply === 0;
    for (const each of [this.forth, this.end]) each.disabled = ply === this.last;
    this.curve.show(ply);
  }

  /** Show a ply that somebody has chosen. @param {number} ply */
  pick(ply) {
    this.pause();
    if (ply !== this.ply) this.go(ply);
  }

  /** Go on or back by one of the units. @param {1|-1} direction @param {string} [unit] */
  step(direction, unit = this.#unit) {
    const stops = this.#stops[unit] ?? this.#stops.ply;
    const next = direction > 0 ? stops.find((ply) => ply > this.ply) : stops.findLast((ply) => ply < this.ply);
    if (next !== undefined) this.pick(next);
  }

  /** Play on by itself, from the beginning if the end is shown; or no longer. */
  toggle() {
    if (this.isPlaying) {
      this.pause();
      return;
    }
    if (this.ply === this.last) this.go(0);
    this.#playOn();
    this.#tellPlaying();
  }

  /** Play no longer. */
  pause() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#tellPlaying();
  }

  /** Let keys move through the match as long as nothing else wants them. @param {(key: string) => boolean} isHeeded */
  bindKeys(isHeeded) {
    document.addEventListener("keydown", (event) => {
      const { target, key } = event;
      const isTaken = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !isHeeded(key);
      const isTyped =
        target instanceof Element &&
        (target.matches("input:not([type=range]), textarea, select") ||
          (target.matches("button, a, summary") && key === " "));
      if (isTaken || isTyped || (target === this.slider && key !== " " && key.length > 1) || !(key in KEYS)) return;
      event.preventDefault();
      KEYS[key](this, event);
    });
  }

  /** Let swipes over an element, but for what scrolls sideways in it, move through the match. @param {HTMLElement} element @param {() => boolean} isHeeded */
  bindSwipes(element, isHeeded) {
    let from = null;
    element.addEventListener(
      "touchstart",
      ({ touches, target }) => {
        from = touches.length === 1 && !scrollsSideways(target, element) ? touches[0] : null;
      },
      { passive: true },
    );
    element.addEventListener(
      "touchend",
      ({ changedTouches: [to] }) => {
        if (from === null || !isHeeded()) return;
        const [across, down] = [to.clientX - from.clientX, to.clientY - from.clientY];
        from = null;
        if (Math.abs(across) > SWIPE && Math.abs(across) > 1.5 * Math.abs(down)) this.step(across < 0 ? 1 : -1, "ply");
      },
      { passive: true },
    );
  }

  /** Let a wheel over an element move through the match. @param {HTMLElement} element @param {() => boolean} isHeeded */
  bindWheel(element, isHeeded) {
    let turned = 0;
    element.addEventListener(
      "wheel",
      (event) => {
        if (!isHeeded() || event.ctrlKey || event.deltaY === 0) return;
        event.preventDefault();
        turned += event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : Math.sign(event.deltaY) * NOTCH;
        if (Math.abs(turned) < NOTCH) return;
        this.step(turned > 0 ? 1 : -1, "ply");
        turned = 0;
      },
      { passive: false },
    );
  }

  /** A button that is held runs through the match. */
  #holdToRun(held, direction) {
    let timer;
    const stop = () => clearTimeout(timer);
    const run = () => {
      this.step(direction, "ply");
      timer = setTimeout(run, RUN);
    };
    held.addEventListener("pointerdown", () => (timer = setTimeout(run, HOLD)));
    for (const type of ["pointerup", "pointercancel", "pointerleave"]) held.addEventListener(type, stop);
    held.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  #playOn() {
    const next = this.ply + 1;
    const pace = PACE[this.#speed] ?? Math.min(MAX_PAUSE, Math.max(PACE[4], this.#times[next] ?? 0));
    this.#timer = setTimeout(() => {
      this.go(next);
      if (this.ply < this.last) this.#playOn();
      else this.pause();
    }, pace);
  }

  /** Play at the next of the speeds. */
  faster() {
    this.#speed = SPEEDS[(SPEEDS.indexOf(this.#speed) + 1) % SPEEDS.length];
    this.#tellSpeed();
  }

  #tellSpeed() {
    const isRecorded = this.#speed === RECORDED;
    renew(this.speed, isRecorded ? "⏱" : `${this.#speed}×`);
    this.speed.setAttribute(
      "aria-label",
      isRecorded ? t("match.speed_recorded") : tn("match.speed", Number(this.#speed)),
    );
  }

  #tellPlaying() {
    replace(this.play, sign(this.isPlaying ? "pause" : "play"));
    this.play.setAttribute("aria-label", t(this.isPlaying ? "match.pause" : "match.play"));
    this.play.disabled = this.last === 0;
  }
}

function scrollsSideways(inner, outer) {
  for (let element = inner; element !== outer; element = element.parentElement) {
    if (element.scrollWidth > element.clientWidth && getComputedStyle(element).overflowX !== "visible") return true;
  }
  return false;
}

const SIGNS = {
  first: "M18 5l-7 7 7 7M6 5v14",
  back: "M15 5l-7 7 7 7",
  forth: "M9 5l7 7-7 7",
  last: "M6 5l7 7-7 7M18 5v14",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
};

function sign(name) {
  const fill = name === "play" ? "currentColor" : "none";
  return svg(
    "svg",
    { viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", {
      d: SIGNS[name],
      fill,
      stroke: "currentColor",
      "stroke-width": 2.6,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
    }),
  );
}

function button(name, label, act) {
  return h("button", { type: "button", class: ["deed", name], "aria-label": label, onclick: act }, sign(name));
}
