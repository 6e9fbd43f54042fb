/** The start page: what is in progress, what was played last, and what fits the filters in the address. */

import { ask, attempt } from "./api.js";
import { addressOfBegun, allBegun, sendBegun } from "./begun.js";
import { takeDroppedFiles } from "./dropped.js";
import { byId, find, h, reloadOnceOnline, replace, settled } from "./dom.js";
import { leaveOutEmpty, offerPlayers, spanned } from "./filters.js";
import { findPlayers } from "./finding.js";
import { stayAvailable } from "./installing.js";
import { matchRow } from "./matches.js";
import { allSeen } from "./outbox.js";
import { keepPlayers, playersOf } from "./players_met.js";
import { withErrors } from "./problem_line.js";
import { createSample } from "./sample.js";
import { page, t } from "./texts.js";

const AT_ONCE = 20;
const asked = new URLSearchParams(page.asked);
const isFiltered = page.lists === null;
/** Whether the page is a copy that the device has kept, since there is no network. */
const isKept = "kept" in document.documentElement.dataset;
const lists = byId("matches");
const seen = { venue: new Set(), tag: new Set() };

function query(more) {
  return `/matches?${new URLSearchParams([...spanned(asked), ...Object.entries(more)])}`;
}

async function showMatches() {
  if (isKept) {
    showSeen(await allSeen());
    reloadOnceOnline();
  } else if (isFiltered) await showFound();
  else showLists(page.lists);
  await showBegun();
}

/** The matches that were begun here without network, which are sent now if it is there. */
async function showBegun() {
  const begun = await allBegun();
  if (begun.length === 0) return;
  const waiting = rows(begun.map(({ id, seen }) => ({ ...seen.document, address: addressOfBegun(id) })));
  lists.prepend(section(t("start.begun"), waiting));
  if (isKept) return;
  for (const [at, match] of begun.entries()) {
    // Its own page says why it is refused.
    await attempt(async () => waiting.children[at].replaceWith(row(await sendBegun(match))));
  }
}

/** The matches that this device has seen. */
function showSeen(matches) {
  const documents = matches
    .map(({ document: match }) => match)
    .sort((one, other) => (one.played_at < other.played_at ? 1 : -1));
  for (const part of document.querySelectorAll(".find, #search, .intro")) part.setAttribute("hidden", "");
  replace(
    lists,
    h("p", { role: "status" }, t(documents.length > 0 ? "start.offline" : "shared.offline")),
    documents.length > 0 && section(t("start.on_device"), rows(documents)),
  );
}

function showLists({ going_on: goingOn, has_more: hasMore, before }) {
  replace(
    lists,
    goingOn.length > 0 &&
      section(
        t("start.going_on"),
        rows(goingOn, "live"),
        hasMore && h("a", { class: "button", href: "/?status=in_progress" }, t("start.all_going_on")),
      ),
    section(t("start.before"), listOf(before, true)),
  );
  if (lists.lastElementChild?.querySelector(".row") === null) lists.lastElementChild.remove();
  suggest();
}

async function showFound() {
  const first = (await ask(query({ limit: AT_ONCE, include: "board" }))).data;
  replace(
    lists,
    first.items.length > 0
      ? section(t("start.all"), listOf(first, false))
      : h("p", { role: "status" }, t("start.nothing")),
  );
  suggest();
}

/** A list with a button that adds what follows, while there is more; those in progress stand in a list of their own. */
function listOf({ items, next }, leavesOutGoingOn) {
  const fitting = (matches) => matches.filter((match) => !leavesOutGoingOn || match.status !== "in_progress");
  const list = rows(fitting(items));
  let cursor = next;
  const button = h("button", { onclick: () => withErrors(more), hidden: cursor === null }, t("start.more"));

  async function more() {
    const before = list.childElementCount;
    button.disabled = true;
    try {
      do {
        const { data } = await ask(query({ limit: AT_ONCE, cursor, ...(!leavesOutGoingOn && { include: "board" }) }));
        list.append(...fitting(data.items).map(row));
        cursor = data.next;
      } while (list.childElementCount === before && cursor !== null);
    } finally {
      button.disabled = false;
    }
    button.hidden = cursor === null;
    list.children[before]?.querySelector("a")?.focus();
    suggest();
  }

  return [list, button];
}

function section(title, ...content) {
  return h("section", { class: "matches" }, h("h2", {}, title), content);
}

function rows(matches, kind) {
  return h("ul", { class: ["rows", kind] }, matches.map(row));
}

function row(match) {
  if (match.venue) seen.venue.add(match.venue);
  for (const tag of match.tags) seen.tag.add(tag);
  return matchRow(match, page.games);
}

function suggest() {
  for (const [name, words] of Object.entries(seen)) {
    const list = document.getElementById(`${name}s`);
    if (list !== null)
      replace(
        list,
        [...words].sort().map((word) => h("option", { value: word })),
      );
  }
}

/** The players are fetched once somebody looks at the filters. */
function prepareSearch(search) {
  leaveOutEmpty(find(search, "form", HTMLFormElement));
  const player = find(search, 'select[name="player"]', HTMLSelectElement);
  const offer = () => withErrors(() => offerPlayers(player, asked.get("player")));
  if (isFiltered) return offer();
  search.addEventListener("toggle", offer, { once: true });
  return undefined;
}

const search = document.getElementById("search");
await Promise.all([withErrors(showMatches), search && !isKept && prepareSearch(search)]);
const field = document.getElementById("find");
if (field instanceof HTMLInputElement) findPlayers(field, byId("found"));
if (page.sample !== null && !isKept) {
  const sample = createSample(page.sample);
  byId("see").addEventListener("click", () => {
    byId("sample").scrollIntoView({ block: "nearest" });
    sample.play();
  });
}
takeDroppedFiles();
settled();
if (page.lists !== null) keepPlayers(playersOf([...page.lists.going_on, ...page.lists.before.items]));
if (!isFiltered) find(document, "main").dataset.kept = String(await stayAvailable(page.ahead));
