/** The start page: what is going on, what was played last, and what fits the filters in the address. */

import { Offline, ask, attempt } from "./api.js";
import { byId, find, h, reloadOnceOnline, replace, settled } from "./dom.js";
import { leaveOutEmpty, offerPlayers, spanned } from "./filters.js";
import { stayAvailable } from "./installing.js";
import { matchRow } from "./matches.js";
import { allSeen } from "./outbox.js";
import { page, t } from "./texts.js";

const AT_ONCE = 20;
const GOING_ON = 5;
const asked = new URLSearchParams(page.asked);
const isFiltered = [...asked].length > 0;
const lists = byId("matches");
const seen = { venue: new Set(), tag: new Set() };

function query(more) {
  return `/matches?${new URLSearchParams([...spanned(asked), ...Object.entries(more)])}`;
}

/** Show what there is; without network the matches that this device has seen. */
async function showMatches() {
  try {
    await showAll();
  } catch (error) {
    if (!(error instanceof Offline) || isFiltered) throw error;
    showSeen(await allSeen());
    reloadOnceOnline();
  }
}

function showSeen(seen) {
  const matches = seen
    .map(({ document: match }) => match)
    .sort((one, other) => (one.played_at < other.played_at ? 1 : -1));
  byId("search").hidden = true;
  replace(
    lists,
    h("p", { role: "status" }, t(matches.length > 0 ? "start.offline" : "shared.offline")),
    matches.length > 0 && section(t("start.on_device"), h("ul", { class: "rows" }, matches.map(row))),
  );
}

async function showAll() {
  const goingOn = asked.has("status")
    ? null
    : (await ask(query({ status: "in_progress", sort: "activity", limit: GOING_ON }))).data;
  const before = {
    title: t(isFiltered ? "start.all" : "start.before"),
    cursor: null,
    list: h("ul", { class: "rows" }),
  };
  const hasMore = await fill(before, !asked.has("status"));
  const hasNone = !goingOn?.items.length && !before.list.childElementCount && !hasMore;
  byId("empty").hidden = !hasNone || isFiltered;
  byId("search").hidden = hasNone && !isFiltered;
  replace(
    lists,
    goingOn?.items.length > 0 &&
      section(
        t("start.going_on"),
        h("ul", { class: "rows" }, goingOn.items.map(row)),
        goingOn.next !== null &&
          h(
            "a",
            { class: "button", href: `/?${new URLSearchParams([...asked, ["status", "in_progress"]])}` },
            t("start.all_going_on"),
          ),
      ),
    before.list.childElementCount > 0 && section(before.title, before.list, hasMore && moreButton(before)),
    hasNone && isFiltered && h("p", { role: "status" }, t("start.nothing")),
  );
  suggest();
}

/** Add to a list what follows in it; those going on stand in a list of their own. */
async function fill(target, leavesOutGoingOn) {
  let added = 0;
  do {
    const { data } = await ask(query({ limit: AT_ONCE, ...(target.cursor && { cursor: target.cursor }) }));
    const shown = data.items.filter((match) => !leavesOutGoingOn || match.status !== "in_progress");
    target.list.append(...shown.map(row));
    added += shown.length;
    target.cursor = data.next;
  } while (added === 0 && target.cursor !== null);
  return target.cursor !== null;
}

function moreButton(target) {
  const button = h("button", { onclick: () => guarded(more) }, t("start.more"));
  const more = async () => {
    const next = target.list.childElementCount;
    button.disabled = true;
    try {
      if (!(await fill(target, !asked.has("status")))) button.remove();
    } finally {
      button.disabled = false;
    }
    target.list.children[next]?.querySelector("a").focus();
    suggest();
  };
  return button;
}

function section(title, ...content) {
  return h("section", {}, h("h2", {}, title), content);
}

function row(match) {
  if (match.venue) seen.venue.add(match.venue);
  for (const tag of match.tags) seen.tag.add(tag);
  return matchRow(match, page.games);
}

function suggest() {
  for (const [name, words] of Object.entries(seen))
    replace(
      byId(`${name}s`),
      [...words].sort().map((word) => h("option", { value: word })),
    );
}

async function guarded(act) {
  const line = byId("problem");
  replace(line);
  await attempt(act, ({ detail, title }) => replace(line, detail ?? title));
}

leaveOutEmpty(find(document, "#search form", HTMLFormElement));
await Promise.all([
  guarded(showMatches),
  guarded(() => offerPlayers(find(document, 'select[name="player"]', HTMLSelectElement), asked.get("player"))),
]);
settled();
if (!isFiltered) find(document, "main").dataset.kept = String(await stayAvailable());
