/** Lets the page of a match open without network, where browsers allow that: over HTTPS and on the machine itself. */

import { files } from "./texts.js";

/**
 * Keep this page and all files that it has loaded.
 * @param {string[]} [ahead] addresses of other pages that are kept with their files, for when the network is away
 * @returns {Promise<boolean>} whether they are kept: never over plain HTTP, nor if the network goes meanwhile
 */
export async function stayAvailable(ahead = []) {
  if (!navigator.serviceWorker) return false;
  try {
    await navigator.serviceWorker.register(`/service-worker.js?files=${encodeURIComponent(files)}`);
  } catch {
    return false;
  }
  const { active } = await navigator.serviceWorker.ready;
  const loaded = performance.getEntriesByType("resource").map((entry) => entry.name);
  const needed = loaded.filter((address) => new URL(address).pathname.startsWith(files));
  const answered = new Promise((resolve) => {
    navigator.serviceWorker.addEventListener("message", ({ data }) => resolve(data.kept), { once: true });
  });
  active?.postMessage({ page: location.href.split("#")[0], files: [...new Set(needed)], ahead });
  return answered;
}
