/** Lets the page of a match open without network, where browsers allow that: over HTTPS and on the machine itself. */

import { files } from "./texts.js";

/** Keep this page and all files that it has loaded; resolves when they are kept, and never over plain HTTP. */
export async function stayAvailable() {
  if (!navigator.serviceWorker) return new Promise(() => {});
  await navigator.serviceWorker.register(`/service-worker.js?files=${encodeURIComponent(files)}`);
  const { active } = await navigator.serviceWorker.ready;
  const loaded = performance.getEntriesByType("resource").map((entry) => entry.name);
  const keep = [location.href, ...loaded.filter((address) => new URL(address).pathname.startsWith(files))];
  return new Promise((resolve) => {
    navigator.serviceWorker.addEventListener("message", resolve, { once: true });
    active.postMessage({ keep: [...new Set(keep.map((address) => address.split("#")[0]))] });
  });
}
