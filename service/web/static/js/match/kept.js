/**
 * A match that this device has kept, on a page that is the same for all of them: one that was begun here without network,
 * or one whose own page is not kept any more. The page gets the data that others come with.
 */

/** @import { Store } from "./store.js" */

import { begunHere, forgetBegun, keepBegun, sendBegun } from "../begun.js";
import { byId, find, h, renew, replace } from "../dom.js";
import { lastSeen } from "../outbox.js";
import { page, t } from "../texts.js";

const MATCH = /^\/matches\/([0-9a-f-]{36})/;

/**
 * Find the match that the address names, and fill the page with it. One that was sent meanwhile has a page of its own.
 * @returns {Promise<(store: Store) => Promise<void>>} what begins to follow it
 */
export async function findKept() {
  const id = MATCH.exec(location.pathname)?.[1] ?? location.hash.slice(1);
  const begun = await begunHere(id);
  if (begun?.sentAs !== undefined) location.replace(`/matches/${begun.sentAs}`);
  else if (begun !== undefined) {
    fill(id, begun.seen, ["record"]);
    return (store) => followBegun(store, begun);
  } else {
    const seen = await lastSeen(id);
    if (seen !== undefined) {
      fill(id, seen, seen.rights ?? []);
      return followSeen;
    }
    showNothing();
  }
  return async () => {};
}

/** @param {string} id @param {any} seen @param {string[]} rights */
function fill(id, { document: match, edition, state, lastMove = null }, rights) {
  const head = { ply: 0, seat: null, move: null, text: null, ruling: null, annotations: [], ...lastMove, state };
  const title = page.titles[match.game];
  Object.assign(page, { match: id, game: match.game, title, document: match, edition, head, shown: null, rights });
  const names = match.players.map(({ name }) => name).join(" – ");
  replace(byId("names"), names);
  document.title = `${names} – Carnet`;
}

/** There is no such match on this device. */
function showNothing() {
  replace(byId("names"), t("sync.kept"));
  replace(
    find(document, "main"),
    h("section", { class: "card failure" }, h("p", {}, t("sync.kept_nothing")), h("a", { href: "/" }, t("match.all"))),
  );
}

/** Let the moves of a match wait until the service has begun it; then its own page goes on. */
async function followBegun(store, begun) {
  byId("notices").before(h("div", { id: "begun", class: "notices", role: "region", "aria-label": t("sync.kept") }));
  store.addEventListener("begun", ({ detail: id }) => location.replace(`/matches/${id}`));
  const drop = async () => {
    isDropped = true;
    await forgetBegun(begun.id);
    location.replace("/");
  };
  let isDropped = false;
  store.addEventListener("change", () => {
    const problem = store.unbegun;
    // An answer that comes after it was dropped must not bring it back.
    if (problem !== null && begun.problem !== problem && !isDropped) keepBegun(Object.assign(begun, { problem }));
    drawUnbegun(store, begun.id, drop);
  });
  drawUnbegun(store, begun.id, drop);
  await store.beginHere(() => sendBegun(begun));
}

/** Say that the match waits, or why the service did not begin it and how that is put right. */
function drawUnbegun({ unbegun }, id, drop) {
  renew(
    byId("begun"),
    unbegun === null
      ? h("p", { key: "begun", class: "notice" }, t("sync.begun"))
      : h(
          "div",
          { key: "unbegun", class: "notice bad" },
          h("p", { role: "alert" }, t("sync.unbegun", { why: unbegun.detail ?? unbegun.title ?? "" })),
          h(
            "div",
            { class: "notice-acts" },
            h("a", { class: "button primary", href: `/matches/new?begun=${id}` }, t("sync.edit")),
            h("button", { type: "button", onclick: drop }, t("sync.drop")),
          ),
        ),
  );
}

/** Show a match as it was last seen, until its own page can be had again. */
async function followSeen(store) {
  store.addEventListener("change", () => store.isLive && store.unsent.length === 0 && location.reload());
  await store.begin();
}
