/**
 * The symbols and textures of which everything of La Cité de la Lumière is drawn, here and on the server: they stand in
 * symbols.svg. Each colour has a sign and a texture besides its hue: orange a sun and hatching, blue a moon and dots. The
 * paints are in game.css.
 */
import { svg } from "../../js/dom.js";
import { files } from "../../js/texts.js";
import { SPACE } from "./geometry.js";

/** By seat. */
export const SIGN = { orange: "sun", blue: "moon" };

/** What is in the file; null while it is not there. @type {Element | null} */
let read = null;

/** Read the file, so that it is there before anything is drawn, unless the network breaks off just then. */
export async function loadSymbols() {
  read ??= await readSymbols();
}

/** Put the symbols into the page, once: textures are found only there. A page that is a file of its own has them. */
export async function provideSymbols() {
  if (!files || document.getElementById("cite-symbols")) {
    return;
  }
  const host = svg("svg", { id: "cite-symbols", class: "cite-symbols", width: 0, height: 0, "aria-hidden": "true" });
  document.body.append(host);
  await loadSymbols();
  if (read) {
    host.append(...document.importNode(read, true).children);
  } else {
    host.remove();
  }
}

async function readSymbols() {
  if (!files) {
    return null;
  }
  try {
    const answer = await fetch(`${files}games/cite-lumiere/symbols.svg`);
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement : null;
  } catch {
    return null;
  }
}

/** A symbol around a point. @returns {SVGElement} */
export function use(name, x, y, size = SPACE, paint = "") {
  const colour = paint ? { fill: `var(--cite-${paint})`, stroke: `var(--cite-${paint})` } : {};
  return svg("use", { href: `#cite-${name}`, x: x - size / 2, y: y - size / 2, width: size, height: size, ...colour });
}
