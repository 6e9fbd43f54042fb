/** Which ply of a match is shown: a slider under the score curve, buttons, keys, swipes, and playing on by itself. */

/** @import { Frame } from "../../types/api.js" */

import { createCurve } from "./curve.js";
import { h, replace, svg } from "./dom.js";
import { t, tn } from "./texts.js";

/** Milliseconds that a ply is shown, by speed. */
const PACE = { 1: 1600, 2: 800, 4: 400 };
const SPEEDS = Object.keys(PACE);
const SWIPE = 45;
const KEYS = {
  ArrowLeft: (player, { shiftKey }) => player.step(-1, shiftKey ? "turn" : "ply"),
  ArrowRight: (player, { shiftKey }) => player.step(1, shiftKey ? "turn" : "ply"),
  PageUp: (player) => player.step(-1, "phase"),
  PageDown: (player) => player.step(1, "phase"),
  Home: (player) => player.go(0),
  End: (player) => player.go(player.last),
  " ": (player) => player.toggle(),
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
      "aria-label": t("replay.slider"),
      oninput: () => this.pick(Number(this.slider.value)),
    });
    this.back = button("back", t("replay.back"), () => this.step(-1));
    this.forth = button("forth", t("replay.forth"), () => this.step(1));
    this.play = button("play", t("replay.play"), () => this.toggle());
    this.speed = h("button", { type: "button", class: "deed", onclick: () => this.#faster() });
    this.units = h("select", { "aria-label": t("replay.unit"), onchange: () => (this.#unit = this.units.value) });
    this.#tellSpeed();
    replace(
      host,
      curve,
      this.slider,
      h("div", { class: "deeds" }, this.units, this.back, this.play, this.forth, this.speed),
    );
  }

  get last() {
    return this.#stops.ply.length - 1;
  }

  get isPlaying() {
    return this.#timer !== undefined;
  }

  /** Learn of a match, or of what has become of it. @param {Frame[]} frames @param {string[]} seats @param {number} ply to show */
  update(frames, seats, ply) {
    this.#stops = stopsOf(frames, this.turnOf);
    if (!(this.#unit in this.#stops)) this.#unit = "ply";
    replace(
      this.units,
      Object.keys(this.#stops).map((unit) => h("option", { value: unit }, t(`replay.unit_${unit}`))),
    );
    this.units.value = this.#unit;
    this.slider.max = String(this.last);
    this.curve.update(frames, seats);
    this.go(Math.min(ply, this.last));
  }

  /** Show a ply. @param {number} ply */
  go(ply) {
    this.ply = ply;
    this.slider.value = String(ply);
    this.slider.setAttribute("aria-valuetext", t("replay.ply_of", { ply, last: this.last }));
    this.back.disabled = ply === 0;
    this.forth.disabled = ply === this.last;
    this.curve.show(ply);
    this.onShow(ply);
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

  /** Let keys move through the match as long as nothing else wants them. @param {() => boolean} isHeeded */
  heedKeys(isHeeded) {
    document.addEventListener("keydown", (event) => {
      const { target, key } = event;
      const isTaken = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !isHeeded();
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
  heedSwipes(element, isHeeded) {
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

  #playOn() {
    this.#timer = setTimeout(() => {
      this.go(this.ply + 1);
      if (this.ply < this.last) this.#playOn();
      else this.pause();
    }, PACE[this.#speed]);
  }

  #faster() {
    this.#speed = SPEEDS[(SPEEDS.indexOf(this.#speed) + 1) % SPEEDS.length];
    this.#tellSpeed();
  }

  #tellSpeed() {
    this.speed.textContent = `${this.#speed}×`;
    this.speed.setAttribute("aria-label", tn("replay.speed", Number(this.#speed)));
  }

  #tellPlaying() {
    replace(this.play, sign(this.isPlaying ? "pause" : "play"));
    this.play.setAttribute("aria-label", t(this.isPlaying ? "replay.pause" : "replay.play"));
    this.play.disabled = this.last === 0;
  }
}

function scrollsSideways(inner, outer) {
  for (let element = inner; element !== outer; element = element.parentElement) {
    if (element.scrollWidth > element.clientWidth && getComputedStyle(element).overflowX !== "visible") return true;
  }
  return false;
}

const SIGNS = { back: "M15 5l-7 7 7 7", forth: "M9 5l7 7-7 7", play: "M8 5l11 7-11 7z", pause: "M8 5v14M16 5v14" };

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
