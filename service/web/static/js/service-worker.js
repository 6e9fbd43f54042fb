/**
 * Keeps the start page, the pages of matches and the one that begins a match with all their files, so that they open without
 * network too. What is in a match the page keeps itself, and the API is never answered from here.
 *
 * Pages are kept for the account that they were made for, in a cache of its own. As soon as a page of another account
 * comes, those of the others are deleted, and so is the page of a match that may no longer be read.
 */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const FILES = String(new URL(worker.location.href).searchParams.get("files"));
const PAGE = /^\/(matches\/([0-9a-f-]{36}|new|kept))?$/;
const MATCH = /^\/matches\/[0-9a-f-]{36}$/;
/** The page that shows any match that the device has kept. */
const KEPT = "/matches/kept";
/** Milliseconds for which a page that was kept ahead is new enough. */
const LASTS = 24 * 60 * 60 * 1000;
/** Whose page an answer is. */
const ACCOUNT = "Carnet-Account";
/** What stands in the names of caches between the files of the pages and their account; `outbox.js` knows it too. */
const OF = "#";
const REFUSED = [401, 403, 404, 410];

worker.addEventListener("install", () => worker.skipWaiting());

worker.addEventListener("activate", (event) => {
  event.waitUntil(forget((name) => name.split(OF)[0] !== FILES).then(() => worker.clients.claim()));
});

worker.addEventListener("message", (event) => {
  const answer = (kept) => event.source?.postMessage({ kept });
  const { page, files, ahead = [] } = event.data;
  const others = () => Promise.all(ahead.map(keepAhead)).catch(() => {}); // they are kept another time
  event.waitUntil(
    keep(page, files)
      .then(answer, () => answer(false))
      .then(others),
  );
});

worker.addEventListener("fetch", (event) => {
  const { pathname, origin, searchParams } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== worker.location.origin) return;
  if (pathname.startsWith(FILES)) event.respondWith(fromCache(event.request));
  else if (event.request.mode === "navigate" && PAGE.test(pathname) && !searchParams.has("result_only"))
    event.respondWith(fromNetwork(event.request));
});

/** A file never changes at its address. */
async function fromCache(request) {
  const known = await caches.match(request, { ignoreVary: true });
  if (known !== undefined) return known;
  const response = await fetch(request);
  if (response.ok) await put(FILES, request, response).catch(() => {}); // it is shown although the device is full
  return response;
}

/** A page is as the service has it now, or as it was last seen. */
async function fromNetwork(request) {
  let response;
  try {
    response = await fetch(request);
  } catch (failure) {
    // The page of a match is the same with any tool. Without its own page there is the one for all that the device keeps.
    const known =
      (await caches.match(request, { ignoreVary: true })) ??
      (await caches.match(request, { ignoreVary: true, ignoreSearch: true })) ??
      (MATCH.test(new URL(request.url).pathname) ? await caches.match(KEPT, { ignoreVary: true }) : undefined);
    if (known === undefined) throw failure;
    return marked(known);
  }
  await keepPage(request, response).catch(() => {});
  return response;
}

/** A page that was kept, which says of itself that it is not as the service has it now. */
async function marked(known) {
  const page = await known.text();
  return new Response(page.replace("<html ", "<html data-kept "), known);
}

async function keepPage(request, response) {
  const account = response.headers.get(ACCOUNT);
  if (account !== null) await forget((name) => name.includes(OF) && name !== FILES + OF + account);
  if (REFUSED.includes(response.status)) await forgetPage(request);
  if (response.ok && !response.redirected && account !== null) await put(FILES + OF + account, request, response);
}

async function put(name, request, response) {
  const cache = await caches.open(name);
  await cache.put(request, response.clone());
}

/** Delete a page, by whichever link it was opened. */
async function forgetPage(request) {
  for (const name of await caches.keys())
    await (await caches.open(name)).delete(request, { ignoreSearch: true, ignoreVary: true });
}

async function forget(isOther) {
  for (const name of await caches.keys()) if (isOther(name)) await caches.delete(name);
}

/** Keep a page with its files; whether that was done. */
async function keep(page, files) {
  const cache = await caches.open(FILES);
  const known = new Set((await cache.keys()).map((request) => request.url));
  await cache.addAll(files.filter((address) => !known.has(address)));
  if ((await caches.match(page, { ignoreVary: true })) === undefined) await keepPage(page, await fetch(page));
  return (await caches.match(page, { ignoreVary: true })) !== undefined;
}

/** Keep a page that nobody has opened yet, with all files that it names; unless that was done not long ago. */
async function keepAhead(address) {
  const known = await caches.match(address, { ignoreVary: true });
  if (known !== undefined && Date.now() - Date.parse(known.headers.get("Date") ?? "") < LASTS) return;
  const response = await fetch(address);
  if (!response.ok || response.redirected) return;
  const page = await response.clone().text();
  const files = new Set(page.match(new RegExp(`${FILES}[\\w./-]+`, "g")));
  const cache = await caches.open(FILES);
  const there = new Set((await cache.keys()).map((request) => new URL(request.url).pathname));
  await cache.addAll([...files].filter((file) => !there.has(file)));
  await keepPage(new Request(address), response);
}
