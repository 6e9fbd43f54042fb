/** Files for the reader: of texts, and of what the API answers in other forms than JSON, which a link cannot ask for. */

import { ask } from "./api.js";
import { h } from "./dom.js";

/** @param {string} path of the API @param {string} type such as `text/csv` @param {string} name of the file */
export async function save(path, type, name) {
  const { data } = await ask(path, { headers: { Accept: type } });
  saveText(data ?? "", type, name);
}

/** @param {string} text @param {string} type @param {string} name of the file */
export function saveText(text, type, name) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url));
}
