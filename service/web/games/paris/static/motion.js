/** What moved on the table of Paris from one position to the next moves before the eyes: keys, pawns, tiles. */

/** Milliseconds. */
const MOTION = 180;

/**
 * What is to be called when the next position is drawn: it moves what moved by the move between the two, forwards or back.
 * @param {{host: HTMLElement, find: (place: string) => HTMLElement | null}} table
 * @param {any} before the position that is drawn, if any @param {any} lastMove the move that led to it
 * @param {any} after the position that will be drawn @param {any} nextMove the move that leads to it
 * @returns {() => void}
 */
export function moveWhatMoved(table, before, lastMove, after, nextMove) {
  const nothing = () => {};
  if (before === null || matchMedia("(prefers-reduced-motion: reduce)").matches) return nothing;
  const isForwards = nextMove !== null && after.ply === before.ply + 1;
  const isBack = lastMove !== null && after.ply === before.ply - 1;
  if (!isForwards && !isBack) return nothing;
  const { seat, move } = isForwards ? nextMove : lastMove;
  const way = wayOf(move, seat, isForwards ? before : after);
  if (way === null) return nothing;
  const [from, to] = isForwards ? [way.from, way.to] : [way.to, way.from];
  const start = from && middleOf(table.find(from));
  return () => {
    const goal = to && table.find(to);
    if (!goal || goal.getClientRects().length === 0) return;
    const moved = [...goal.querySelectorAll(way.what)].filter((one) => one.getClientRects().length > 0).at(-1) ?? goal;
    const end = middleOf(moved);
    if (start && end) fly(table.host, moved, [start.x - end.x, start.y - end.y]);
    else moved.animate([{ opacity: 0.2 }, { opacity: 1 }], MOTION);
  };
}

/** From where to where something goes with a move, and what it is there. */
function wayOf(move, seat, before) {
  switch (move.type) {
    case "move_key":
      return { from: move.from, to: move.to, what: `[data-key="${seat}"]` };
    case "place_key":
      return { from: null, to: move.at, what: `[data-key="${seat}"]` };
    case "advance":
      return pawn(before.seats[seat].track, move.to);
    case "activate":
      return move.to ? pawn(before.seats[seat].track, move.to) : null;
    case "reveal":
      return move.discard ? null : { from: `stack:${move.stack}`, to: spaceOf(move), what: ".paris-tile" };
    case "score_tile":
      return { from: `scoring-tile:${move.tile}`, to: `scoring:${move.district}`, what: "none" };
    default:
      return null;
  }

  function pawn(from, to) {
    return { from: from ? `track:${from}` : null, to: `track:${to}`, what: `[data-pawn="${seat}"]` };
  }
}

function spaceOf({ tile, district }) {
  return district ? `${district}-${tile.slice(tile.lastIndexOf("-") + 1)}` : tile;
}

function middleOf(element) {
  const box = element?.getBoundingClientRect();
  return box && box.width > 0 ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null;
}

/** Let an element come from so many pixels away, above all others. */
function fly(host, element, [across, down]) {
  const scale = element instanceof SVGGraphicsElement ? (element.getScreenCTM()?.a ?? 1) : 1;
  const from = `translate(${across / scale}px, ${down / scale}px)`;
  const raised = [element.closest("[data-place]"), element.closest("[data-district]")];
  for (const one of raised) one?.classList.add("paris-raised");
  const motion = element.animate([{ transform: from }, { transform: "none" }], {
    duration: MOTION,
    easing: "ease-out",
  });
  const settle = () => {
    if (host.isConnected) for (const one of raised) one?.classList.remove("paris-raised");
  };
  motion.finished.then(settle, settle);
}
