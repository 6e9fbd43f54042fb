/** Codes to scan with a phone. */

import { h } from "./dom.js";

/**
 * A QR code of an address, black on white in every theme.
 * @param {string} text @param {string} label what the code is, for those who do not see it @returns {Promise<HTMLElement>}
 */
export async function qrCode(text, label) {
  const response = await fetch("/qr", { method: "POST", body: new URLSearchParams({ text }) });
  if (!response.ok) throw new Error(`no code: ${response.status}`);
  const drawn = new DOMParser().parseFromString(await response.text(), "image/svg+xml").documentElement;
  return h("div", { class: "code", role: "img", "aria-label": label }, document.importNode(drawn, true));
}
