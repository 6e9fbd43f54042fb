/** Importing a file: a dry run tells what is new and who is who; then it is taken over, and can be undone as a whole. */

/** @import { components } from "../../types/api.js" */

import { all, ask, attempt, upload } from "./api.js";
import { byId, controls, h, replace, settled } from "./dom.js";
import { droppedFile } from "./dropped.js";
import { page, t, tn } from "./texts.js";

/** @typedef {components["schemas"]["Import"]} Import */
/** @typedef {components["schemas"]["ImportItem"]} Item */
/** @typedef {components["schemas"]["FilePerson"]} Person */

const SYSTEMS = { text: "carnet", json: "carnet", bgstats: "bgstats", bgg: "bgg" };
/** Matches that are told one by one; beyond them the numbers do. */
const MAX_TOLD = 200;

const form = byId("choose", HTMLFormElement);
const fields = controls(form);
/** @type {File | null} */
let file = null;

function complain(problem) {
  replace(byId("problem"), problem?.detail ?? "");
  replace(byId("progress"));
}

/** Read the file, as a dry run or for good, and show how far that is. @param {boolean} isDry */
async function run(isDry) {
  if (file === null) return;
  complain(null);
  replace(byId("report"));
  const query = new URLSearchParams();
  if (isDry) query.set("dry_run", "1");
  if (fields.extend.checked) query.set("extend", "1");
  if (fields.tz.value.trim()) query.set("tz", fields.tz.value.trim());
  /** @type {Item[]} */
  const items = [];
  let number = 0;
  /** @type {Import | null} */
  let summary = null;
  const take = (line) => {
    if (line.summary !== undefined) summary = line.summary;
    if (line.problem !== undefined) complain(line.problem);
    if (line.item === undefined) return;
    number = line.item.number;
    if (items.length < MAX_TOLD) items.push(line.item);
    if (number % 25 === 1) replace(byId("progress"), tn("exchange.progress", number));
  };
  const chosen = file;
  await attempt(() => upload(`/matches/import?${query}`, chosen, take), complain);
  replace(byId("progress"));
  if (summary !== null) report(summary, items);
  if (!isDry) await showPast();
}

/** @param {Import} summary @param {Item[]} items */
function report(summary, items) {
  const { counts, dry_run: isDry, people = [] } = summary;
  const wanted = counts.new + counts.changed + counts.longer;
  replace(
    byId("report"),
    h("h2", {}, t(isDry ? "exchange.preview" : "exchange.done")),
    h("ul", { class: "counts" }, countList(counts)),
    isDry && people.length > 0 && whoIsWho(summary.format, people),
    isDry &&
      h(
        "div",
        { class: "acts" },
        h("button", { type: "button", class: "primary", disabled: wanted === 0, onclick: () => run(false) }, [
          t("exchange.take"),
        ]),
      ),
    !isDry && wanted > 0 && summary.id !== null && undoButton(summary.id),
    h("ul", {}, items.map(line)),
  );
}

function countList(counts) {
  return Object.entries(counts)
    .filter(([, number]) => number > 0)
    .map(([outcome, number]) => h("li", {}, h("strong", {}, String(number)), " ", t(`exchange.outcome_${outcome}`)));
}

/** @param {Item} item */
function line(item) {
  const day = item.played_at?.slice(0, 10);
  const about = [item.game && page.games[item.game], item.players.join(" – "), day].filter(Boolean).join(" · ");
  return h(
    "li",
    {},
    h("strong", {}, t(`exchange.outcome_${item.outcome}`)),
    " ",
    item.match_id !== null && item.outcome !== "refused"
      ? h("a", { href: `/matches/${item.match_id}` }, about || item.match_id)
      : about,
    item.line !== null && item.outcome === "refused" && ` ${t("exchange.line", { line: item.line })}`,
    item.detail && h("span", { class: "quiet" }, ` ${item.detail}`),
  );
}

/** Names of the file, each with the person who is meant. @param {string} format @param {Person[]} people */
function whoIsWho(format, people) {
  return h(
    "section",
    { "aria-label": t("exchange.people") },
    h("h3", {}, t("exchange.people")),
    h("p", { class: "quiet" }, t("exchange.people_about")),
    h(
      "ul",
      {},
      people.map((person) => personLine(format, person)),
    ),
  );
}

function personLine(format, person) {
  const select = h("select", { "aria-label": person.name, onchange: () => choose(format, person.name, select.value) });
  const options = [
    { value: "", text: t("exchange.as_named"), selected: person.status !== "mapped" },
    ...players.map(({ id, name }) => ({
      value: id,
      text: name,
      selected: person.status === "mapped" && person.player_id === id,
    })),
  ];
  replace(
    select,
    options.map(({ value, text, selected }) => h("option", { value, selected }, text)),
  );
  return h("li", { class: "matched" }, h("span", {}, person.name), t(`exchange.status_${person.status}`), select);
}

async function choose(format, name, playerId) {
  const body = { names: [{ system: SYSTEMS[format], name, player_id: playerId === "" ? null : playerId }] };
  await attempt(() => ask("/imports/names", { method: "PUT", body }), complain);
  await run(true);
}

function undoButton(id) {
  const undo = async () => {
    await attempt(async () => {
      const { data } = await ask(`/imports/${id}/undo`, { method: "POST" });
      replace(byId("report"), h("p", { role: "status" }, t("exchange.undone", data)));
    }, complain);
    await showPast();
  };
  return h("button", { type: "button", onclick: undo }, t("exchange.undo"));
}

async function showPast() {
  const past = await attempt(() => ask("/imports?limit=20"), complain);
  const rows = past?.data.items ?? [];
  byId("past").hidden = rows.length === 0;
  replace(byId("imports"), rows.map(pastLine));
}

/** @param {Import} row */
function pastLine(row) {
  const changed = row.counts.new + row.counts.changed + row.counts.longer;
  return h(
    "li",
    { class: "matched" },
    h("time", { dateTime: row.started_at }, row.started_at.slice(0, 16).replace("T", " ")),
    h("span", {}, tn("exchange.taken", changed)),
    row.undone_at !== null && h("span", { class: "quiet" }, t("exchange.was_undone")),
    row.undone_at === null && changed > 0 && row.id !== null && undoButton(row.id),
  );
}

/** @param {File | undefined} chosen */
function take(chosen) {
  if (chosen === undefined) return;
  file = chosen;
  run(true);
}

form.addEventListener("submit", (event) => event.preventDefault());
fields.file.addEventListener("change", () => take(fields.file.files[0]));
fields.extend.addEventListener("change", () => run(true));
fields.tz.addEventListener("change", () => run(true));
addEventListener("dragover", (event) => {
  event.preventDefault();
  byId("drop").classList.add("over");
});
addEventListener("dragleave", () => byId("drop").classList.remove("over"));
addEventListener("drop", (event) => {
  event.preventDefault();
  byId("drop").classList.remove("over");
  take(event.dataTransfer?.files[0]);
});

/** Whom the reader may mean. @type {{id: string, name: string}[]} */
const players = (await attempt(() => all("/players?limit=200"), complain)) ?? [];
await showPast();
take(await droppedFile());
settled();
