/**
 * The list of moves, turn by turn: who moved what, with notes under their move, rulings, corrections, and how long each
 * move took.
 */

/** @import { Frame, Match } from "../../../types/api.js" */
/** @import { Game } from "../game.js" */

import { h, renew } from "../dom.js";
import { formatDuration } from "../format.js";
import { playerName, seatSign, withPlayers } from "../seats.js";
import { hasText, t } from "../texts.js";
import { correctedPlies, timesOf, turnsOf } from "./line.js";

/**
 * @param {HTMLElement} host @param {Game} game
 * @param {{match: Match, frames: Frame[], ply: number, turning?: number | null, onPick: (ply: number) => any}} shown
 *   `turning` is the move that decided the match
 */
export function showMoves(host, game, { match, frames, ply, turning = null, onPick }) {
  const times = timesOf(frames);
  const corrected = correctedPlies(frames);
  const whole = times.reduce((sum, took) => sum + took, 0);
  let phase = null;
  const row = (frame, silent) => {
    const took = [frame, ...silent].reduce((sum, each) => sum + times[each.ply], 0);
    const isShown = [frame, ...silent].some((each) => each.ply === ply);
    const isCorrected = corrected.has(frame.ply);
    const isTurning = [frame, ...silent].some((each) => each.ply === turning);
    const shown = { took: took >= 1000 && formatDuration(took), isCorrected, isTurning, isShown, onPick };
    return drawMove(game, match, frame, shown);
  };
  renew(
    host,
    whole >= 60_000 &&
      h("p", { key: "whole", class: "quiet whole" }, t("match.recorded_in", { time: formatDuration(whole) })),
    h(
      "ol",
      { key: "moves", class: "moves" },
      turnsOf(game, frames).map((turn) => {
        const now = frames[Math.max(0, turn[0].ply - 1)].state?.phase;
        const isNew = now !== phase;
        phase = now;
        const name = `${game.id}.phase_${now}`;
        const said = withSilent(game, turn, corrected);
        return [
          isNew && hasText(name) && h("li", { key: `phase ${now}`, class: "phase" }, h("h2", {}, t(name))),
          h(
            "li",
            { key: turn[0].ply, class: ["turn-moves", said.length > 1 && "long-turn", turn[0].seat] },
            said.map(([frame, ...silent]) => row(frame, silent)),
          ),
        ];
      }),
    ),
    match.rules_conflict && h("p", { class: "unplayable" }, t("match.conflict_at", { ply: match.rules_conflict.ply })),
  );
}

/** The moves of a turn, each followed by those of which there is nothing to say. @returns {Frame[][]} */
function withSilent(game, turn, corrected) {
  /** @type {Frame[][]} */
  const rows = [];
  for (const frame of turn) {
    const isQuiet = !frame.ruling && frame.annotations.length === 0 && !corrected.has(frame.ply);
    if (rows.length > 0 && isQuiet && game.isSilent(frame.move)) rows[rows.length - 1].push(frame);
    else rows.push([frame]);
  }
  return rows;
}

/** Bring the move that is shown into sight. @param {HTMLElement} scroller */
export function seekMove(scroller) {
  const current = /** @type {HTMLElement | null} */ (scroller.querySelector("[aria-current=step]"));
  if (current === null || scroller.scrollHeight <= scroller.clientHeight) return;
  const { top, bottom } = current.getBoundingClientRect();
  const frame = scroller.getBoundingClientRect();
  if (top < frame.top || bottom > frame.bottom)
    scroller.scrollTop += (top + bottom) / 2 - (frame.top + frame.bottom) / 2;
}

function drawMove(game, match, frame, { took, isCorrected, isTurning, isShown, onPick }) {
  const glyphs = frame.annotations
    .map(({ glyph }) => glyph)
    .filter(Boolean)
    .join(" ");
  return [
    h(
      "button",
      {
        key: frame.ply,
        type: "button",
        class: "ply-line",
        "aria-current": isShown && "step",
        onclick: () => onPick(frame.ply),
      },
      h("span", { class: "ply" }, frame.ply || ""),
      frame.seat && seatSign(game.id, frame.seat),
      h(
        "span",
        { class: "text" },
        sentence(game, match, frame),
        glyphs && h("b", { class: "glyph" }, ` ${glyphs}`),
        frame.ruling && h("span", { class: "ruled" }, frame.ruling.reason ?? t("match.ruling")),
        isCorrected && h("span", { class: "was-corrected" }, t("match.corrected")),
        isTurning && h("span", { class: "was-turning" }, t("match.turning_point", { ply: frame.ply })),
      ),
      took && h("span", { class: "quiet took" }, took),
    ),
    frame.annotations.map(
      ({ id, text, by }) =>
        text && h("p", { key: id, class: "under" }, by && h("span", { class: "quiet" }, `${by}: `), text),
    ),
  ];
}

/** A move in a sentence: the service's, or the page's own until that is there. @param {Game} game @param {any} match @param {any} frame @returns {string} */
export function sentence(game, match, { seat, move, text, state }) {
  if (text) return withPlayers(text, match.players);
  return seat === null ? "" : `${playerName(match.players, seat)}: ${game.say(move, state)}`;
}
