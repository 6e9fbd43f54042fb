/** A replay that is one file: the board, the moves with their notes, and the points of a match, without a network. */

/** @import { Game } from "../game.js" */

import { byId, find, h, renew, settled } from "../dom.js";
import { day } from "../format.js";
import { MatchBoard } from "../match/board.js";
import { bindHelp } from "../match/keys.js";
import { seekMove, sentence, showMoves } from "../match/move_list.js";
import { showOutcome } from "../match/outcome.js";
import { Player } from "../match/player.js";
import { showScores } from "../match/score_bar.js";
import { bindScoreSheet } from "../match/score_sheet.js";
import { playerName, seatSign } from "../seats.js";
import { lang, page, t } from "../texts.js";
import { unpack } from "./unpacking.js";

/** @param {Game} game */
export function show(game) {
  const { match, edition } = page;
  const { players } = match;
  const frames = unpack(page.plies, page.sentences).map((frame) => tellLines(game, players, frame));
  const { last, at } = asked(frames);
  const turning = page.turning_point?.ply;
  const nameOf = (seat) => playerName(players, seat);
  const board = new MatchBoard(byId("board"), game, { edition, nameOf, onTap: null });
  const player = new Player(byId("player"), game.turnOf, draw);
  const isOver = match.status !== "in_progress";
  const hands = game.hidesHands && isOver ? players.map(({ seat }) => seat) : null;

  function draw(ply) {
    const frame = frames[ply];
    const { seat, move, state } = frame;
    find(document, ".table").dataset.ply = String(ply);
    board.tappable(false);
    board.draw(state, {
      lastMove: seat && { ply, seat, move },
      marks: frame.annotations.flatMap((note) => note.marks),
      hands,
    });
    showScores(byId("scores"), game, { match, state, isEnd: ply === last, open: null, onOpen: null });
    renew(
      byId("now"),
      seat && seatSign(game.id, seat),
      h(
        "span",
        {},
        h("b", {}, ply ? t("match.ply_of_all", { ply, plies: last }) : t("match.start"), " "),
        sentence(game, match, frame),
      ),
      frame.ruling && h("span", { class: "ruled" }, frame.ruling.reason ?? t("match.ruling")),
    );
    showOutcome(
      byId("outcome"),
      /** @type {any} */ ({ isLive: ply === last, game, store: { document: match, state } }),
    );
    renew(byId("notes"), frame.annotations.map(drawNote));
    showMoves(byId("moves"), game, { match, frames, ply, turning, onPick: (picked) => player.pick(picked) });
    seekMove(byId("list"));
    keepPlace(ply);
  }

  /** Another language begins the page anew, at the same ply. */
  function tellIn(other) {
    keepPlace(player.ply, other);
    location.reload();
  }

  const languages = byId("languages", HTMLSelectElement);
  languages.value = lang;
  languages.setAttribute("aria-label", t("shared.language"));
  languages.addEventListener("change", () => tellIn(languages.value));
  const about = [page.title, day(match.played_at), match.venue].filter(Boolean).join(" · ");
  renew(byId("about"), about);
  document.title = `${players.map(({ name }) => name).join(" – ")} – ${about}`;
  byId("player").hidden = false;
  player.update(
    frames,
    players.map(({ seat }) => seat),
    at,
    { isCut: Boolean(match.rules_conflict), turning },
  );
  draw(at);
  player.bindKeys(() => !document.querySelector(":popover-open"));
  player.bindSwipes(find(document, ".place"), () => true);
  player.bindWheel(find(document, ".place"), () => true);
  bindHelp({ isReplay: true });
  bindScoreSheet(() => ({
    match,
    state: frames[last].state,
    breakdown: page.breakdown,
    edition: edition.title,
    game,
    address: null,
  }));
  settled();
}

/** The ply that the address names, or the first one; and the last ply of all. @param {any[]} frames */
function asked(frames) {
  const ply = Number(new URLSearchParams(location.hash.slice(1)).get("ply") ?? 0);
  const last = frames.length - 1;
  return { last, at: Number.isInteger(ply) && ply >= 0 ? Math.min(ply, last) : 0 };
}

/** Let the address name the ply, and the language if one was chosen. */
function keepPlace(ply, /** @type {string | null} */ other = null) {
  const query = new URLSearchParams(location.hash.slice(1));
  query.set("ply", String(ply));
  if (other) query.set("lang", other);
  history.replaceState(null, "", `#${query}`);
}

function drawNote({ glyph, text, by }) {
  return h(
    "p",
    { class: "note" },
    glyph && h("b", { class: "glyph" }, `${glyph} `),
    by && h("span", { class: "quiet" }, `${by}: `),
    text,
  );
}

/** The notes of a frame with what might have happened in words. @param {Game} game @param {any[]} players @param {any} frame @returns {any} */
function tellLines(game, players, frame) {
  const told = ({ seat, move }) => `${playerName(players, seat)}: ${game.say(move, frame.state)}`;
  const annotations = frame.annotations.map((note) => ({
    ...note,
    text: [note.text, ...note.line.map((entry, at) => `${frame.ply + at + 1}. ${told(entry)}`)]
      .filter(Boolean)
      .join("\n"),
  }));
  return { ...frame, annotations };
}
