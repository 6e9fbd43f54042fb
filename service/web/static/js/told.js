/** What was recorded, in sentences. A page that tells it needs the texts of the area `history`. */

import { h } from "./dom.js";
import { seatName, withPlayers } from "./seats.js";
import { t } from "./texts.js";

const CORRECTED = { replace: "history.replaced", insert: "history.inserted", remove: "history.removed" };

/**
 * The sentence of a move, and why it stands if it was ruled at the table.
 * @param {any} move @param {{seat: string, name: string}[]} players @returns {Node[]}
 */
export function tellMove(move, players) {
  const reason = move.ruling?.reason;
  return [
    h("span", { class: "told-ply" }, `${move.ply}.`),
    h(
      "span",
      {},
      move.text ? withPlayers(move.text, players) : t("history.unknown_move"),
      reason && h("span", { class: "ruling" }, t("history.ruling", { reason })),
    ),
  ];
}

/**
 * A line of the log: what came and what is gone since, and who sat where if that is what it is about.
 * @param {any} line @param {{seat: string, name: string}[]} players who plays
 * @param {{nameOf: (path: string[]) => string}} [described] what the game calls its printed values
 * @returns {Node[]}
 */
export function tellLine(line, players, described) {
  if (line.kind === "move_made") return moves(line.came, null, players);
  return [
    h("p", { class: "told-head" }, headline(line)),
    line.players &&
      h(
        "ul",
        { class: "told-moves" },
        line.players.map((player) =>
          h("li", {}, t("history.seated", { seat: seatName(player.seat), name: player.name ?? "?" })),
        ),
      ),
    described &&
      line.printed?.length > 0 &&
      h(
        "ul",
        { class: "told-moves" },
        line.printed.map((value) => h("li", {}, tellValue(value, described))),
        line.printed_count > line.printed.length && h("li", {}, "…"),
      ),
    ...moves(line.gone, "gone", players),
    ...moves(line.came, "came", players),
  ].filter(Boolean);
}

/** A printed value that was corrected; what is no number or word is only named. */
function tellValue({ pointer, before, after }, { nameOf }) {
  const name = nameOf(pointer.slice(1).split("/"));
  const isPlain = [before, after].every((value) => ["number", "string"].includes(typeof value));
  return isPlain ? `${name}: ${before} → ${after}` : name;
}

function moves(told, kind, players) {
  if (told.length === 0) return [];
  return [
    kind && h("p", { class: ["told-kind", kind] }, t(`history.${kind}`)),
    h(
      "ul",
      { class: ["told-moves", kind] },
      told.map((move) => h("li", {}, tellMove(move, players))),
    ),
  ];
}

/** What an event did, in one line. @param {any} line @param {{seat: string, name: string}[]} players @returns {Node[]} */
export function tellHeadline(line, players) {
  if (line.kind === "move_made") return moves(line.came, null, players);
  return [h("p", { class: "told-head" }, headline(line))];
}

/** What an event did, in one sentence; that of a move is the move's own. */
function headline(line) {
  switch (line.kind) {
    case "moves_undone":
      return line.ply === 0 ? t("history.all_undone") : t("history.moves_undone", { ply: line.ply });
    case "move_corrected":
      return t(CORRECTED[line.action], { ply: (line.action === "remove" ? line.gone : line.came)[0].ply });
    case "timeline_restored":
      return t("history.timeline_restored", { version: line.version });
    default:
      return t(`history.${line.kind}`);
  }
}
