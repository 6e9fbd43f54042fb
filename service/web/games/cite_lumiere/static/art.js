/**
 * The symbols and textures of which everything of La Cité de la Lumière is drawn. Each colour has a sign and a texture
 * besides its hue: orange a sun and hatching, blue a moon and dots. The paints are in game.css.
 */
import { svg } from "../../js/dom.js";
import { SPACE } from "./geometry.js";

/** By seat. */
export const SIGN = { orange: "sun", blue: "moon" };

const HATCH = "M-3 3l6-6M-3 15L15-3M9 15l6-6";
const ROUND = 'stroke-linecap="round" stroke-linejoin="round"';

const DEFINITIONS = `<svg xmlns="http://www.w3.org/2000/svg"><defs>
  ${pattern("hatch-o", "hatch", "ground-o", "texture-o")}
  ${pattern("dots-b", "dots", "ground-b", "texture-b")}
  ${pattern("hatch-x", "hatch", "ground-x", "texture-x")}
  ${pattern("dots-x", "dots", "ground-x", "texture-x")}
  ${pattern("roof-orange", "hatch", "roof-orange", "tiles-orange")}
  ${pattern("roof-blue", "dots", "roof-blue", "tiles-blue")}
  <radialGradient id="cite-glow">
    <stop offset=".3" stop-color="var(--cite-lamp)" stop-opacity=".8"/>
    <stop offset="1" stop-color="var(--cite-lamp)" stop-opacity="0"/>
  </radialGradient>
  ${symbol(
    "sun",
    `<circle r="9.5" stroke="none"/>
    <path d="M0-16V-21M0 16V21M16 0H21M-16 0H-21M11-11L15-15M11 11L15 15M-11 11L-15 15M-11-11L-15-15"
      stroke-width="5" ${ROUND}/>`,
  )}
  ${symbol("moon", '<path d="M4-19A19 19 0 1 0 19 9 17 17 0 0 1 4-19z" stroke="none"/>')}
  ${symbol("o", '<path d="M-24-24H24V24H-24z" fill="url(#cite-hatch-o)"/>')}
  ${symbol("b", '<path d="M-24-24H24V24H-24z" fill="url(#cite-dots-b)"/>')}
  ${symbol(
    "x",
    `<path d="M-24-24H24L-24 24z" fill="url(#cite-hatch-x)"/>
    <path d="M24-24V24H-24z" fill="url(#cite-dots-x)"/>`,
  )}
  ${symbol("l", '<path d="M-24-24H24V24H-24z" fill="var(--cite-night)"/>')}
  ${symbol("print-o", placed("sun", 0, 0, 25, "print-o"))}
  ${symbol("print-b", placed("moon", 0, 0, 23, "print-b"))}
  ${symbol("print-x", placed("sun", -9, -9, 21, "print-x") + placed("moon", 10, 10, 18, "print-x"))}
  ${symbol(
    "print-l",
    `<circle r="24" fill="url(#cite-glow)"/><circle r="9" fill="var(--cite-lamp)"/>
    <circle r="5" fill="var(--cite-plate)"/>`,
  )}
  ${chimney("orange")}
  ${chimney("blue")}
  ${badge("orange")}
  ${badge("blue")}
  ${symbol("plus", `<path d="M-8 0H8M0-8V8" stroke="var(--cite-on-roof)" stroke-width="4" ${ROUND}/>`)}
  ${symbol(
    "tree",
    `<path d="M0 4V17" stroke="var(--cite-plate)" stroke-width="3" ${ROUND}/>
    <path d="M0-17c4 0 6.5 2.5 6.5 5.5 4 0 6.5 3 6.5 6.5 0 4-3.5 7-7.5 7-2 0-4-.5-5.5-2-1.5 1.5-3.5 2-5.5 2
      -4 0-7.5-3-7.5-7 0-3.5 2.5-6.5 6.5-6.5 0-3 2.5-5.5 6.5-5.5z"/>`,
  )}
  ${symbol(
    "painter",
    `
    <path d="M-1-13C-10-13-16-7-16 0S-10 13-3 13c3 0 3.5-2 2.5-4s0-4 3-4h5c4 0 6-2 6-5C13.5-8 7-13-1-13z"/>
    <path d="M-9.5 3.5h0M-8.5-4.5h0M-1.5-8h0M6-4.5h0" stroke="var(--cite-plate)" stroke-width="4.6" ${ROUND}/>`,
    "ink",
  )}
  ${symbol(
    "dancer",
    `<circle cx="-1" cy="-12" r="3.4"/><path d="M-3-3H1L11 7C5 9.5-7 9.5-13 7z"/>
    <path d="M-1-7V-2M-1-5C-5-5-7.5-8-8.5-13.5M-1-5C3-5 5.5-8 6.5-13.5M-2.5 8V15M1 8L7 13" fill="none"
      stroke="var(--cite-ink)" stroke-width="2.6" ${ROUND}/>`,
    "ink",
  )}
  ${symbol(
    "lamp",
    `<circle cy="-5" r="12" fill="var(--cite-lamp)"/>
    <path d="M-4-8H4L2.5 0H-2.5zM-6-8L0-13.5 6-8zM0 0V13M-5 14H5" fill="var(--cite-lamp)"
      stroke="var(--cite-ink)" stroke-width="2.4" ${ROUND}/>`,
  )}
  ${symbol(
    "grand_lamp",
    `<circle r="24" fill="url(#cite-glow)"/><circle r="24" fill="url(#cite-glow)"/>
    <path d="M-8-6H8L5 9H-5zM-11-6L0-16 11-6zM-6 14H6M0 9V14" fill="var(--cite-lamp)" stroke="var(--cite-night)"
      stroke-width="2.6" ${ROUND}/>
    <path d="M0-2V3" stroke="var(--cite-plate)" stroke-width="6" ${ROUND}/>`,
  )}
  ${symbol(
    "statue",
    `<circle cx="1" cy="-10" r="4.4"/>
    <path d="M-8 7V2C-8-4-5-5.5-1-5.5 3-5.5 6-4 6-1L2 0 7 1.5V7z"/>
    <path d="M-10 9H9M-7 13H6" stroke="var(--cite-ink)" stroke-width="3"/>`,
    "ink",
  )}
  ${symbol(
    "fountain",
    `
    <path d="M0-15V6M0-11C-2-15-8-15-8.5-8M0-11C2-15 8-15 8.5-8M0-4C-2-8-12-7-13 1M0-4C2-8 12-7 13 1"
      fill="none" stroke="var(--cite-ink)" stroke-width="2.2" ${ROUND}/>
    <path d="M-16 5H16C16 10 12 13 7 13H-7C-12 13-16 10-16 5z"/>`,
    "ink",
  )}
  ${symbol("garden", placed("tree", -9, -3, 36, "lawn") + placed("tree", 9, 3, 36, "lawn"))}
  ${symbol(
    "annex",
    `<path d="M-15 14V-4L-6-12 3-4V14z" fill="none" stroke="var(--cite-ink)" stroke-width="3" ${ROUND}/>
    <path d="M4-9H18M11-16V-2" stroke="var(--cite-ink)" stroke-width="4" ${ROUND}/>`,
  )}
  ${symbol(
    "metro",
    `
    <path d="M-15 15V2A15 15 0 0 1 15 2V15M-15 15H15" fill="none" stroke="var(--cite-ink)" stroke-width="3" ${ROUND}/>
    <path d="M-8 9V-5L0 4 8-5V9" fill="none" stroke="var(--cite-ink)" stroke-width="3.6" ${ROUND}/>`,
  )}
  ${symbol(
    "table",
    `<path d="M-16-4H16M0-4V13M-8 14H8" stroke="var(--cite-ink)" stroke-width="3" ${ROUND}/>
    <path d="M-11-4C-11-9-8-12-3-12S5-9 5-4zM10-5V-15M7-15H13" fill="none" stroke="var(--cite-ink)"
      stroke-width="2.6" ${ROUND}/>`,
  )}
  ${symbol(
    "church",
    `
    <path d="M0-19V-14M-8 2C-8-8-4-14 0-14S8-8 8 2M-16 15V5C-16-1-13-4-12-4S-8-1-8 5M16 15V5C16-1 13-4 12-4S8-1 8 5
      M-16 15H16M-3 15V9A3 3 0 0 1 3 9V15" fill="none" stroke="var(--cite-ink)" stroke-width="2.8" ${ROUND}/>`,
  )}
  ${symbol(
    "exchange",
    `<path d="M-14-6H12M6-13L13-6 6 1M14 8H-12M-6 1L-13 8-6 15" fill="none" stroke="var(--cite-ink)"
      stroke-width="3.2" ${ROUND}/>`,
  )}
</defs></svg>`;

/** Puts the symbols into the page, once. */
export function provideSymbols() {
  if (document.getElementById("cite-symbols")) {
    return;
  }
  const parsed = new DOMParser().parseFromString(DEFINITIONS, "image/svg+xml").documentElement;
  const host = svg("svg", { id: "cite-symbols", class: "cite-symbols", width: 0, height: 0, "aria-hidden": "true" });
  host.append(...document.importNode(parsed, true).children);
  document.body.append(host);
}

/** A symbol around a point. @returns {SVGElement} */
export function use(name, x, y, size = SPACE, paint = "") {
  const colour = paint ? { fill: `var(--cite-${paint})`, stroke: `var(--cite-${paint})` } : {};
  return svg("use", { href: `#cite-${name}`, x: x - size / 2, y: y - size / 2, width: size, height: size, ...colour });
}

function pattern(name, texture, back, front) {
  // The period divides a space, so that the texture runs on from one space to the next.
  const drawing = {
    hatch: `<path d="${HATCH}" stroke="var(--cite-${front})" stroke-width="2.2"/>`,
    dots: `<path d="M3 3h0M9 9h0" stroke="var(--cite-${front})" stroke-width="3.6" stroke-linecap="round"/>`,
  }[texture];
  return `<pattern id="cite-${name}" width="12" height="12" patternUnits="userSpaceOnUse">
    <path d="M0 0H12V12H0z" fill="var(--cite-${back})"/>${drawing}</pattern>`;
}

/** A drawing of the size of a space, with its middle at 0 0. */
function symbol(name, drawing, paint = "") {
  const colour = paint ? ` fill="var(--cite-${paint})"` : "";
  return `<symbol id="cite-${name}" viewBox="-24 -24 48 48"${colour}>${drawing}</symbol>`;
}

function placed(name, x, y, size, paint) {
  const colour = `fill="var(--cite-${paint})" stroke="var(--cite-${paint})"`;
  const corner = `x="${x - size / 2}" y="${y - size / 2}"`;
  return `<use href="#cite-${name}" ${corner} width="${size}" height="${size}" ${colour}/>`;
}

function chimney(seat) {
  return symbol(
    `chimney-${seat}`,
    `
    <path d="M-15-12H15V20H-15zM-19-21H19V-12H-19z" fill="var(--cite-chimney-${seat})" stroke="var(--cite-on-roof)"
      stroke-width="3" stroke-linejoin="round"/>${placed(SIGN[seat], 0, 4, 30, "on-chimney")}`,
  );
}

function badge(seat) {
  return symbol(
    `badge-${seat}`,
    `<circle r="22" fill="var(--cite-roof-${seat})" stroke="var(--cite-plate)"
    stroke-width="4"/>${placed(SIGN[seat], 0, 0, 38, "on-roof")}`,
  );
}
