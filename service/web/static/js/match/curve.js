/** The scores along a match: a line for each seat, told apart by its dashes and shapes too, to be tapped or dragged. */

/** @import { Frame } from "../../../types/api.js" */

import { h, renew, replace, svg } from "../dom.js";
import { minus } from "../minus.js";
import { correctedPlies, leadChanges } from "./line.js";

const [WIDTH, HEIGHT] = [1000, 160];
/** Room at the sides, so that the thumb of the slider below stands under the ply that it means. */
const SIDE = 20;
const [TOP, FLOOR] = [16, 138];
const DASHES = [null, "14 7", "3 7", "20 6 3 6"];
const MARKERS = 8;
/** Pixels between two values at the end, so that none covers another. */
const LINE = 12;

/**
 * What is marked of a match as a whole: whether moves follow that the rules no longer take, and the move that decided it.
 * @typedef {{isCut?: boolean, turning?: number | null}} Marked
 */

/**
 * @param {HTMLElement} host
 * @param {(ply: number) => void} onPick
 * @returns {{expect: (last: number) => void, update: (frames: Frame[], seats: string[], marked: Marked) => void,
 *   show: (ply: number) => void}} `expect` says how long the match is before its frames are known
 */
export function createCurve(host, onPick) {
  let frames = [];
  let last = 0;
  let shown = null;
  let totals = [];
  let isDragged = false;
  let isSeen = false;
  /** @type {Marked} */
  let marked = {};
  const lines = svg("g", {});
  const cursor = svg("g", { class: "cursor" });
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    lines,
    cursor,
  );
  const scale = h("div", { class: "curve-scale", "aria-hidden": "true" });
  replace(host, picture, scale);
  host.addEventListener("pointerdown", (event) => {
    isDragged = true;
    host.setPointerCapture(event.pointerId);
    pick(event);
  });
  host.addEventListener("pointermove", (event) => isDragged && pick(event));
  for (const type of ["pointerup", "pointercancel"]) host.addEventListener(type, () => (isDragged = false));

  /** Draw all, once there is a size to draw it for. */
  function drawAll() {
    if (!isSeen || frames.length === 0 || picture.getBoundingClientRect().width === 0) return;
    drawLines();
    drawScale();
    if (shown !== null && shown < frames.length) drawCursor();
  }

  const across = (ply) => SIDE + ((WIDTH - 2 * SIDE) * ply) / Math.max(1, last);

  function pick({ clientX }) {
    const { left, width } = picture.getBoundingClientRect();
    const part = (((clientX - left) / width) * WIDTH - SIDE) / (WIDTH - 2 * SIDE);
    onPick(Math.round(Math.min(1, Math.max(0, part)) * last));
  }

  let [least, most] = [0, 1];
  const up = (points) => FLOOR - ((FLOOR - TOP) * (points - least)) / (most - least);

  function drawLines() {
    replace(
      lines,
      svg("path", { class: "curve-zero", d: `M${SIDE} ${up(0)}H${WIDTH - SIDE}` }),
      begun(frames).map((ply) => svg("path", { class: "phase", d: `M${across(ply)} 6V${FLOOR}` })),
      leadChanges(
        frames,
        totals.map(({ seat }) => seat),
      ).map(({ ply, seat }) =>
        svg("path", { class: ["turning", seat], d: `M${across(ply)} ${TOP}V${FLOOR}`, "data-ply": ply }),
      ),
      totals.map(({ seat, points }, at) =>
        svg(
          "g",
          { class: ["line-of", seat] },
          svg("path", {
            d: points.map((value, ply) => `${ply ? "L" : "M"}${across(ply)} ${up(value)}`).join(""),
            "stroke-dasharray": DASHES[at],
          }),
          markedPlies(last, at).map((ply) => shape(seat, across(ply), up(points[ply]), picture)),
        ),
      ),
      frames.filter((frame) => frame.ruling).map(({ ply }) => flag("ruled", across(ply), 0, 1, picture)),
      [...correctedPlies(frames)].map((ply) => svg("path", { class: "mended", d: `M${across(ply) - 6} 4h12` })),
      marked.isCut && svg("path", { class: "cut", d: `M${across(last) + SIDE / 2} 0V${FLOOR}` }),
      marked.turning && svg("path", { class: "decisive", d: `M${across(marked.turning)} ${TOP}V${FLOOR}` }),
      frames
        .filter((frame) => frame.annotations.length)
        .map(({ ply }) => flag("noted", across(ply), HEIGHT, -1, picture)),
    );
  }

  /** The axis at the left and the last values at the right; those of equal points stand once, others one below the other. */
  function drawScale() {
    const { height } = picture.getBoundingClientRect();
    const label = (name, points, top) => h("span", { class: name, style: { top: `${top}px` } }, minus(points));
    const at = (points) => (height * up(points)) / HEIGHT;
    const ends = [...new Set(totals.map(({ points }) => points[last]))].sort((one, other) => other - one);
    renew(
      scale,
      [least, most].map((points) => label("curve-tick", points, at(points))),
      apart(ends.map(at), LINE, height - LINE / 2).map((top, index) => label("curve-end", ends[index], top)),
    );
  }

  function drawCursor() {
    replace(
      cursor,
      svg("path", { d: `M${across(shown)} 0V${HEIGHT}` }),
      totals.map(({ seat, points }) =>
        svg("g", { class: ["line-of", seat] }, shape(seat, across(shown), up(points[shown]), picture, 1.7)),
      ),
    );
  }

  // Markers keep their form only in the size of the picture for which they were drawn; where it is hidden it has none.
  new ResizeObserver(
    ([
      {
        contentRect: { width },
      },
    ]) => {
      isSeen = width > 0;
      drawAll();
    },
  ).observe(picture);

  return {
    expect(ply) {
      last = ply;
    },
    update(now, seats, marks) {
      [frames, marked] = [now, marks];
      last = frames.length - 1;
      totals = seats.map((seat) => ({ seat, points: frames.map((frame) => frame.state.score[seat].total) }));
      const values = totals.flatMap(({ points }) => points);
      [least, most] = [Math.min(0, ...values), Math.max(1, ...values)];
      drawAll();
    },
    show(ply) {
      shown = ply;
      if (isSeen && ply < frames.length && picture.getBoundingClientRect().width > 0) drawCursor();
    },
  };
}

/** Numbers in ascending order, moved so that they are so far apart and none is greater than the last one may be. */
function apart(tops, distance, most) {
  const lower = [];
  for (const top of tops) lower.push(Math.max(top, (lower.at(-1) ?? -Infinity) + distance));
  let limit = most;
  return lower
    .toReversed()
    .map((top) => {
      const place = Math.min(top, limit);
      limit = place - distance;
      return place;
    })
    .toReversed();
}

/** The plies in which a phase begins, after the set-up. */
function begun(frames) {
  return frames.filter((frame, at) => at > 0 && frame.state.phase !== frames[at - 1].state.phase).map(({ ply }) => ply);
}

/** Where a line bears its shape; those of different seats stand apart. */
function markedPlies(last, at) {
  const step = Math.max(2, last / MARKERS);
  return Array.from({ length: MARKERS }, (_, number) => Math.round(step * (number + 0.3 + 0.22 * at))).filter(
    (ply) => ply <= last,
  );
}

/** The forms of markers, each drawn around a point with two radii. */
const FORMS = {
  circle: (x, y, rx, ry) => svg("ellipse", { cx: x, cy: y, rx, ry }),
  square: (x, y, rx, ry) => svg("rect", { x: x - rx, y: y - ry, width: 2 * rx, height: 2 * ry }),
  triangle: (x, y, rx, ry) =>
    svg("path", { class: "shape", d: `M${x} ${y - 1.2 * ry}L${x + 1.2 * rx} ${y + ry}H${x - 1.2 * rx}z` }),
  diamond: (x, y, rx, ry) =>
    svg("path", {
      class: "shape",
      d: `M${x} ${y - 1.4 * ry}L${x + 1.4 * rx} ${y}L${x} ${y + 1.4 * ry}L${x - 1.4 * rx} ${y}z`,
    }),
};
/** The form of each seat's sign. */
const FORM_OF = { blue: "circle", green: "triangle", orange: "square", red: "diamond", yellow: "square" };

/** A mark at the upper or the lower edge that points to the lines; it keeps its form as well. */
function flag(name, x, y, down, picture) {
  const { width, height } = picture.getBoundingClientRect();
  const half = (5 * WIDTH) / width;
  return svg("path", { class: name, d: `M${x - half} ${y}h${2 * half}l${-half} ${(down * 9 * HEIGHT) / height}z` });
}

/** The marker of a seat, which keeps its form however the picture is stretched. */
function shape(seat, x, y, picture, size = 1) {
  const { width, height } = picture.getBoundingClientRect();
  return FORMS[FORM_OF[seat]](x, y, (5 * size * WIDTH) / width, (5 * size * HEIGHT) / height);
}
