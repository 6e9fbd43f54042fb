/**
 * An edition, value by value, to be checked against one's box; what was checked or corrected makes an edition of one's
 * own.
 */

import { ask, problemOf } from "./api.js";
import { byId, find, h, onSubmit, replace, settled, shake } from "./dom.js";
import { correctMatch, matchToCorrect } from "./edition_of_match.js";
import { isEqual } from "./equal.js";
import { fieldFor, mark } from "./fields.js";
import { loadGame } from "./game.js";
import { page, t, tn } from "./texts.js";

const HEADER = ["id", "game", "edition", "title", "note", "bgg_id", "digest"];
const path = `/games/${page.game}/editions/`;
const kept = `edition ${page.game} ${page.edition}`;

/**
 * A printed value: its pointer, what it is called, its source, its field, and whether it was found right in the box.
 * @typedef {{path: string[], value: any, source: string, note?: string, field: import("./fields.js").Field, isRight:
 *   boolean, element: HTMLElement, tick: HTMLInputElement}} Value
 */

const [{ data: edition }, described, match] = await Promise.all([
  ask(path + page.edition),
  loadGame(page.game).then((game) => game.loadPrintedValues()),
  matchToCorrect(new URLSearchParams(location.search).get("match"), page.edition),
]);

/** @type {Value[]} */
const values = [];
let filter = null;

replace(byId("note"), edition.note ?? "");
replace(byId("values"), sections());
byId("title", HTMLInputElement).value = t("edition.own", { title: edition.title }).slice(0, 80);
const bggId = byId("bgg-id", HTMLInputElement);
bggId.value = edition.bgg_id ?? "";
bggId.addEventListener("input", update);
recall();
filter = values.some(({ source }) => source === "assumed") ? "assumed" : null;
update();
onSubmit(byId("save", HTMLFormElement), save);
byId("for-match").hidden = match === null;
byId("for-match").addEventListener("click", correct);
byId("values").addEventListener("submit", (event) => event.preventDefault());
await listEditions();
settled();

// The values

function sections() {
  const members = Object.entries(edition).filter(([name]) => !HEADER.includes(name));
  const single = Object.fromEntries(members.filter(([, member]) => "value" in member));
  const groups = members.filter(([, member]) => !("value" in member));
  return [["", single], ...groups].map(([name, group]) => section(name, leavesOf(name ? [name] : [], group)));
}

function leavesOf(parents, group) {
  return Object.entries(group).flatMap(([name, member]) =>
    "value" in member ? [{ path: [...parents, name], ...member }] : leavesOf([...parents, name], member),
  );
}

function section(name, leaves) {
  // What is said of several values in a row is said once.
  const rows = leaves.map((leaf, at) =>
    row({ ...leaf, note: leaf.note === leaves[at - 1]?.note ? undefined : leaf.note }),
  );
  const all = h("button", { type: "button", onclick: () => tickAll(rows) }, t("edition.all_right"));
  return h(
    "fieldset",
    { class: "group" },
    h("legend", {}, name ? described.nameOf([name]) : t("edition.general")),
    rows.map(({ element }) => element),
    all,
  );
}

function row({ path: pointer, value, source, note }) {
  const id = `value-${pointer.join("-")}`;
  const entry = /** @type {Value} */ ({ path: pointer, value, source, note, isRight: false });
  const changed = () => change(entry);
  entry.field = (described.fieldOf(pointer, value) ?? fieldFor(value))(value, id, changed);
  entry.tick = h("input", {
    type: "checkbox",
    onchange: () => {
      entry.isRight = entry.tick.checked;
      update();
    },
    "aria-label": t("edition.is_right", { name: described.nameOf(pointer) }),
  });
  entry.element = h(
    "div",
    { class: "value", dataset: { source, path: pointer.join("/") } },
    h("label", { class: "name", for: id }, described.nameOf(pointer)),
    h("div", { class: "value-field" }, entry.field.element),
    h(
      "span",
      { class: ["source", `from-${source.replace(" ", "-")}`] },
      t(`edition.source_${source.replace(" ", "_")}`),
    ),
    h("label", { class: "right" }, entry.tick, t("edition.right")),
    note && h("p", { class: "quiet", lang: "en" }, note),
  );
  values.push(entry);
  return entry;
}

function tickAll(rows) {
  const shown = rows.filter(({ element }) => !element.hidden);
  const isOn = shown.some(({ isRight }) => !isRight);
  for (const entry of shown) setRight(entry, isOn);
  update();
}

function setRight(entry, isRight) {
  entry.isRight = isRight;
  entry.tick.checked = isRight;
}

/** A corrected value is right by that. */
function change(entry) {
  const read = entry.field.read();
  mark(entry.field.element, read === undefined);
  setRight(entry, read !== undefined && isChanged(entry));
  update();
}

function isChanged({ field, value }) {
  return !isEqual(field.read(), value);
}

// What is shown, and how far one has come

function update() {
  for (const entry of values) {
    entry.element.hidden = filter !== null && entry.source !== filter && !entry.isRight;
    entry.element.classList.toggle("corrected", entry.field.read() !== undefined && isChanged(entry));
    entry.element.classList.toggle("checked", entry.isRight);
  }
  for (const group of byId("values").children) {
    const isHidden = [...group.querySelectorAll(".value")].every((value) => value.hasAttribute("hidden"));
    group.toggleAttribute("hidden", isHidden);
  }
  replace(byId("filters"), filters());
  const right = values.filter(({ isRight }) => isRight);
  const assumed = values.filter(({ source }) => source === "assumed").length;
  const corrected = values.filter((entry) => entry.isRight && isChanged(entry)).length;
  replace(
    byId("progress"),
    `${tn("edition.checked", right.length)} · ${tn("edition.corrected", corrected)} · ${tn(
      "edition.assumed_left",
      assumed - right.filter(({ source }) => source === "assumed").length,
    )}`,
  );
  find(byId("save"), ".primary", HTMLButtonElement).disabled = right.length === 0 && !isRenumbered();
  byId("for-match", HTMLButtonElement).disabled = corrected === 0;
  keep();
}

/** Whether the box has another number at BoardGameGeek than the edition says. */
function isRenumbered() {
  return bggId.value !== String(edition.bgg_id ?? "");
}

function filters() {
  const sources = [...new Set(values.map(({ source }) => source))];
  return [null, ...sources].map((source) => {
    const n = values.filter((value) => source === null || value.source === source).length;
    const name = source === null ? t("edition.all") : t(`edition.source_${source.replace(" ", "_")}`);
    return h(
      "button",
      {
        type: "button",
        "aria-pressed": String(filter === source),
        onclick: () => {
          filter = source;
          update();
        },
      },
      `${name} ${n}`,
    );
  });
}

/** What was checked survives on this device until it is saved. */
function keep() {
  const right = values
    .filter(({ isRight }) => isRight)
    .map(({ path: pointer, field }) => [pointer.join("/"), field.read()]);
  if (right.length > 0) localStorage.setItem(kept, JSON.stringify(right));
  else localStorage.removeItem(kept);
}

function recall() {
  const found = new Map(JSON.parse(localStorage.getItem(kept) ?? "[]"));
  for (const entry of values) {
    const name = entry.path.join("/");
    if (!found.has(name)) continue;
    const id = entry.field.element.id || find(entry.field.element, "[id]").id;
    const field = (described.fieldOf(entry.path, found.get(name)) ?? fieldFor(found.get(name)))(
      found.get(name),
      id,
      () => change(entry),
    );
    entry.field.element.replaceWith(field.element);
    entry.field = field;
    setRight(entry, true);
  }
}

async function listEditions() {
  const {
    data: { items: titled },
  } = await ask(`/games/${page.game}/editions?limit=200`);
  replace(
    byId("editions"),
    titled.length > 1 && [
      h("h2", {}, t("edition.editions")),
      h(
        "ul",
        {},
        titled.map(({ id, title }) =>
          h(
            "li",
            {},
            h(
              "a",
              { href: `/games/${page.game}/editions/${id}`, "aria-current": id === edition.id ? "page" : null },
              title,
            ),
          ),
        ),
      ),
    ],
    h(
      "p",
      {},
      h("a", { class: "button", href: `/matches/new?game=${page.game}&edition=${edition.id}` }, t("edition.new_match")),
    ),
  );
}

// Saving

async function save() {
  const button = find(byId("save"), ".primary", HTMLButtonElement);
  const changes = readChanges();
  if (changes === null) return;
  button.disabled = true;
  try {
    const { data } = await ask(`/games/${page.game}/editions`, {
      method: "POST",
      body: { title: byId("title", HTMLInputElement).value.trim(), based_on: edition.id, changes },
    });
    localStorage.removeItem(kept);
    location.assign(`/games/${page.game}/editions/${data.id}`);
  } catch (problem) {
    button.disabled = false;
    tell(problemOf(problem));
  }
}

/** What was found right or corrected, as a merge patch; null if something cannot be read, which is then said. */
function readChanges() {
  const wrong = values.find(({ field }) => field.read() === undefined);
  if (wrong) {
    refuse(t("edition.unreadable", { name: described.nameOf(wrong.path) }), wrong);
    return null;
  }
  replace(byId("problem"));
  if (!bggId.reportValidity()) return null;
  const changes = {};
  if (isRenumbered()) changes.bgg_id = bggId.value === "" ? null : Number(bggId.value);
  for (const entry of values.filter(({ isRight }) => isRight))
    put(changes, entry.path, patchOf(entry.value, entry.field.read()));
  return changes;
}

/** Correct the match from which the page was opened. */
async function correct() {
  const changes = readChanges();
  if (changes === null) return;
  await correctMatch(byId("trial"), match, changes, byId("title", HTMLInputElement).value.trim(), {
    refuse: tell,
    done,
  });
}

function done() {
  localStorage.removeItem(kept);
  location.assign(`/matches/${match.id}`);
}

function put(changes, /** @type {string[]} */ [name, ...rest], change) {
  if (rest.length === 0) changes[name] = change;
  else put((changes[name] ??= {}), rest, change);
}

/** What makes one value of another as a merge patch; for a value that was found right it names nothing new. */
function patchOf(old, next) {
  if (!isMap(old) || !isMap(next)) return next;
  const removed = Object.keys(old)
    .filter((name) => !(name in next))
    .map((name) => [name, null]);
  const changed = Object.entries(next).filter(([name, member]) => !isEqual(member, old[name]));
  return Object.fromEntries([...removed, ...changed.map(([name, member]) => [name, patchOf(old[name], member)])]);
}

function isMap(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function tell(problem) {
  const [error] = problem.errors ?? [];
  const pointer = error?.pointer.split("/").slice(2).join("/");
  const entry = pointer && values.find(({ path: names }) => pointer.startsWith(names.join("/")));
  return refuse(entry ? `${described.nameOf(entry.path)}: ${error.detail}` : problem.detail, entry);
}

function refuse(text, /** @type {Value | null} */ entry = null) {
  replace(byId("problem"), text);
  shake(byId("problem"));
  if (!entry) return;
  filter = null;
  update();
  mark(entry.field.element, true);
  entry.element.scrollIntoView({ block: "center" });
}
