/**
 * Keeps the page of a match with all its files, so that it opens without network too. What is in the match the page
 * keeps itself, and the API is never answered from here.
 */

const FILES = new URL(self.location.href).searchParams.get("files");
const MATCH = /^\/matches\/[0-9a-f-]{36}$/;

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  event.waitUntil(forgetOthers().then(() => self.clients.claim()));
});

self.addEventListener("message", (event) => {
  const answer = (kept) => event.source.postMessage({ kept });
  event.waitUntil(keep(event.data.keep).then(() => answer(true), () => answer(false)));
});

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== self.location.origin) return;
  if (pathname.startsWith(FILES)) event.respondWith(fromCache(event.request));
  else if (event.request.mode === "navigate" && MATCH.test(pathname)) event.respondWith(fromNetwork(event.request));
});

/** A file never changes at its address. */
async function fromCache(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? kept(request, await fetch(request));
}

/** A page is as the service has it now, or as it was last seen. */
async function fromNetwork(request) {
  try {
    return await kept(request, await fetch(request));
  } catch (failure) {
    const known = await caches.match(request, { ignoreVary: true });
    if (known === undefined) throw failure;
    return known;
  }
}

async function kept(request, response) {
  if (response.ok && !response.redirected) {
    const cache = await caches.open(FILES);
    await cache.put(request, response.clone());
  }
  return response;
}

async function keep(addresses) {
  const cache = await caches.open(FILES);
  const known = new Set((await cache.keys()).map((request) => request.url));
  await cache.addAll(addresses.filter((address) => !known.has(address)));
}

async function forgetOthers() {
  for (const name of await caches.keys()) if (name !== FILES) await caches.delete(name);
}
