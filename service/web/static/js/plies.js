/** The list of the plies of a match: phase by phase, with the glyphs of their notes and how long each move took. */

/** @import { Frame, Match } from "../../types/api.js" */

import { h, replace } from "./dom.js";
import { seatSign, withPlayers } from "./seats.js";
import { hasText, t } from "./texts.js";

/**
 * @param {HTMLElement} host
 * @param {string} game
 * @param {(ply: number) => void} onPick
 * @returns {{update: (frames: Frame[], times: Times, players: Match["players"]) => void, show: (ply: number) => void}}
 */
export function createPlies(host, game, onPick) {
  let buttons = [];
  let current = null;

  function line(frame, times, players) {
    const { ply, seat, text, ruling, annotations } = frame;
    const glyphs = annotations
      .map(({ glyph }) => glyph)
      .filter(Boolean)
      .join(" ");
    const isNoted = annotations.length > 0 && !glyphs;
    const button = h(
      "button",
      { type: "button", class: "ply-line", onclick: () => onPick(ply) },
      h("span", { class: "ply" }, ply || ""),
      seat && seatSign(game, seat),
      h(
        "span",
        { class: "text" },
        withPlayers(text, players),
        glyphs && h("b", { class: "glyph" }, ` ${glyphs}`),
        isNoted && h("span", { class: "dot" }, h("span", { class: "unseen" }, ` ${t("replay.noted")}`)),
        ruling && h("span", { class: "ruled" }, ruling.reason ?? t("replay.ruling")),
      ),
      h("span", { class: "quiet" }, times.took(ply)),
    );
    buttons[ply] = button;
    return h("li", {}, button);
  }

  return {
    update(frames, times, players) {
      buttons = [];
      const groups = Map.groupBy(frames, ({ ply }) => frames[Math.max(0, ply - 1)].state?.phase);
      replace(
        host,
        times.whole && h("p", { class: "quiet whole" }, t("replay.recorded_in", { time: times.whole })),
        [...groups].map(([phase, group]) => [
          phaseName(game, phase),
          h(
            "ol",
            {},
            group.map((frame) => line(frame, times, players)),
          ),
        ]),
      );
      this.show(current ?? 0);
    },
    show(ply) {
      buttons[current]?.removeAttribute("aria-current");
      current = ply;
      const button = buttons[ply];
      button?.setAttribute("aria-current", "step");
      if (button && host.scrollHeight > host.clientHeight) host.scrollTop = button.offsetTop - host.clientHeight / 2;
    },
  };
}

function phaseName(game, phase) {
  const key = `${game}.phase_${phase}`;
  return hasText(key) ? h("h2", {}, t(key)) : null;
}

/**
 * How long a match and its moves took, by when they were recorded. Moves that were entered together, or corrected
 * later, tell nothing.
 */
export class Times {
  /** @param {Frame[]} frames @param {{seq: number, kind: string, recorded_at: string}[]} events */
  constructor(frames, events) {
    const at = new Map(events.map(({ seq, recorded_at: recordedAt }) => [seq, Date.parse(recordedAt)]));
    const made = new Set(events.filter(({ kind }) => kind === "move_made").map(({ seq }) => seq));
    this.plies = frames.map((frame, ply) => {
      const before = frames[ply - 1];
      const isMove = before && made.has(frame.seq) && (made.has(before.seq) || ply === 1);
      return isMove ? (at.get(frame.seq) ?? NaN) - (at.get(before.seq) ?? NaN) : 0;
    });
    const taken = this.plies.reduce((sum, took) => sum + Math.max(0, took), 0);
    this.whole = taken >= 60_000 ? told(taken) : null;
  }

  /** How long the move of a ply took; nothing below a second. @param {number} ply @returns {string|null} */
  took(ply) {
    return this.plies[ply] >= 1000 ? told(this.plies[ply]) : null;
  }
}

function told(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes >= 10 ? `${minutes} min` : minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
