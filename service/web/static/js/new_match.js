/** The page on which a match begins: who plays on which seat, who begins, the set-up of the game, and the details. */

import { Offline, all, ask, attempt, problemOf } from "./api.js";
import { addressOfBegun, beginHere, begunHere, canBeginHere, settleBegun } from "./begun.js";
import { byId, controls, find, h, onSubmit, replace, settled } from "./dom.js";
import { day, localDate } from "./format.js";
import { loadGame } from "./game.js";
import { newKey } from "./keys.js";
import { allSeen, lastSeen } from "./outbox.js";
import { keepPlayers, playersMet, playersOf } from "./players_met.js";
import { seatName, seatSign } from "./seats.js";
import { page, t } from "./texts.js";
import { createTie } from "./tie.js";

const RECENT = 50;
const SUGGESTED = 8;
const MOST_TAGS = 5;
const form = byId("new", HTMLFormElement);
const fields = controls(form);
const problemLine = byId("problem");

/**
 * @typedef {{seat: string, name: string, id: string | null, points: string}} Person
 * @type {{game: string, people: Person[], first: Person | null, isFirstChosen: boolean, setup: any, edition: string | null,
 *   initial: any, focused: Person | null, sent: {body: string, key: string} | null, isSending: boolean,
 *   begun: import("./begun.js").Begun | undefined}}
 */
const draft = {
  game: "",
  people: [],
  first: null,
  isFirstChosen: false,
  setup: null,
  edition: null,
  initial: undefined,
  focused: null,
  sent: null,
  isSending: false,
  /** The match that was begun here without network and is put right now. */
  begun: undefined,
};

/** Whom the asker knows: those of the last matches first. @type {{id: string, name: string, created_at?: string}[]} */
let known = [];

const parts = () => page.games[draft.game];
const tie = createTie(byId("tie"));

// People and seats

function setGame(game) {
  draft.game = game;
  draft.edition = null;
  draft.initial = undefined;
  fields.game.value = game;
  const { seats, min_players: least, max_players: most } = parts();
  const kept = draft.people.slice(0, most);
  while (kept.length < least) kept.push({ seat: "", name: "", id: null, points: "" });
  draft.people = kept;
  seatAnew(seats);
}

/** Give everybody a seat of the game, their own if it is one. */
function seatAnew(seats) {
  const taken = new Set();
  for (const person of draft.people) {
    if (!seats.includes(person.seat) || taken.has(person.seat)) person.seat = "";
    taken.add(person.seat);
  }
  for (const person of draft.people) {
    if (person.seat) continue;
    person.seat = seats.find((seat) => !taken.has(seat));
    taken.add(person.seat);
  }
}

function take(person, seat) {
  const other = draft.people.find((one) => one.seat === seat);
  if (other) other.seat = person.seat;
  person.seat = seat;
  drawPeople();
  drawSetup();
}

function drawPeople() {
  const { seats, min_players: least, max_players: most } = parts();
  replace(
    byId("rows"),
    draft.people.map((person, index) => personRow(person, index, seats, least)),
  );
  byId("add").hidden = draft.people.length >= most;
  drawBeginners();
  drawKnown();
  askTie();
}

/** Ask how equal points were decided, as soon as all are written down. */
function askTie() {
  const people = draft.people.map(({ seat, name, points }, at) => ({
    seat,
    name: name.trim() || t("new.player", { number: at + 1 }),
    points: isPoints(points) ? Number(points) : NaN,
  }));
  tie.ask(draft.game, parts().tie_breaks, people);
}

function isPoints(text) {
  return /^-?\d{1,4}$/.test(text.trim());
}

function personRow(person, index, seats, least) {
  const label = t("new.player", { number: index + 1 });
  const name = h("input", {
    value: person.name,
    maxlength: 80,
    autocomplete: "off",
    autocapitalize: "words",
    enterkeyhint: "next",
    placeholder: label,
    "aria-label": label,
    "aria-controls": "known",
    id: `person-${index}`,
    onfocus: () => {
      draft.focused = person;
      drawKnown();
    },
    oninput: () => {
      person.name = name.value;
      person.id = null;
      drawKnown();
      drawBeginners();
    },
    onchange: () => {
      proposeFirst();
      askTie();
    },
  });
  return h(
    "div",
    { class: "person", dataset: { seat: person.seat } },
    h(
      "span",
      { class: "seat" },
      h(
        "select",
        {
          "aria-label": t("new.seat_of", { number: index + 1 }),
          onchange: (event) => take(person, event.target.value),
        },
        seats.map((seat) => h("option", { value: seat, selected: seat === person.seat }, seatName(seat))),
      ),
      seatSign(draft.game, person.seat),
    ),
    name,
    h(
      "span",
      { class: "end" },
      page.result_only &&
        h("input", {
          class: "given-points",
          value: person.points,
          inputmode: "numeric",
          "aria-label": t("new.points_of", { number: index + 1 }),
          placeholder: t("new.points"),
          oninput: (event) => {
            person.points = event.target.value;
            askTie();
          },
        }),
      draft.people.length > least &&
        h(
          "button",
          {
            type: "button",
            class: "plain away",
            "aria-label": t("new.remove", { number: index + 1 }),
            onclick: () => remove(person),
          },
          "✕",
        ),
    ),
  );
}

function remove(person) {
  draft.people = draft.people.filter((one) => one !== person);
  if (draft.first === person) draft.first = null;
  seatAnew(parts().seats);
  drawPeople();
  drawSetup();
  proposeFirst();
}

function add() {
  const person = { seat: "", name: "", id: null, points: "" };
  draft.people.push(person);
  seatAnew(parts().seats);
  drawPeople();
  drawSetup();
  byId(`person-${draft.people.length - 1}`).focus();
}

// Suggestions

async function learn() {
  try {
    const { data } = await ask(`/matches?limit=${RECENT}`);
    suggest(data.items, []);
    const others = await all("/players?limit=200");
    others.sort((one, other) => (one.created_at < other.created_at ? 1 : -1));
    suggest(data.items, others);
    await keepPlayers(known);
    return data.items;
  } catch (error) {
    if (!(error instanceof Offline)) throw error;
    return recall();
  }
}

/** Matches and players as this device has met them. */
async function recall() {
  const [seen, met] = await Promise.all([allSeen(), playersMet()]);
  const matches = seen
    .map(({ document: match }) => match)
    .sort((one, other) => (one.played_at < other.played_at ? 1 : -1));
  suggest(matches, met);
  return matches;
}

/** Offer the players of matches before others, and what these matches say of venues and tags. */
function suggest(matches, others) {
  known = [...new Map([...playersOf(matches), ...others].map((player) => [player.id, player])).values()];
  suggestDetails(matches);
  drawKnown();
}

/** Offer those whose names go on as what is typed, as long as there is a place for them. */
function drawKnown() {
  const isOffered = draft.focused !== null || draft.people.some((person) => !person.name.trim());
  const typed = fold(draft.focused?.name ?? "");
  const seated = new Set(
    draft.people.filter((person) => person !== draft.focused).map((person) => person.id ?? fold(person.name)),
  );
  const fitting = known.filter(
    (player) =>
      isOffered &&
      fold(player.name).startsWith(typed) &&
      !seated.has(player.id) &&
      !seated.has(fold(player.name)) &&
      player.id !== draft.focused?.id,
  );
  replace(
    byId("known"),
    fitting
      .slice(0, SUGGESTED)
      .map((player) => h("button", { type: "button", onclick: () => choose(player) }, player.name)),
  );
}

function choose(player) {
  const person = draft.focused ?? draft.people.find((one) => !one.name.trim()) ?? draft.people[0];
  person.name = player.name;
  person.id = player.id;
  const next = draft.people.findIndex((one) => !one.name.trim());
  draft.focused = next < 0 ? null : draft.people[next];
  drawPeople();
  proposeFirst();
}

function suggestDetails(matches) {
  const venues = [...new Set(matches.map((match) => match.venue).filter(Boolean))];
  replace(
    byId("venues"),
    venues.map((venue) => h("option", { value: venue })),
  );
  const tags = [...new Set(matches.flatMap((match) => match.tags))].slice(0, MOST_TAGS);
  replace(
    byId("tags"),
    tags.map((tag) => h("button", { type: "button", onclick: () => toggleTag(tag) }, tag)),
  );
  byId("tags").parentElement?.removeAttribute("hidden");
}

function toggleTag(tag) {
  const tags = tagsTyped();
  fields.tags.value = (tags.includes(tag) ? tags.filter((one) => one !== tag) : [...tags, tag]).join(", ");
}

function tagsTyped() {
  return [
    ...new Set(
      fields.tags.value
        .split(",")
        .map((tag) => tag.trim())
        .filter(Boolean),
    ),
  ];
}

/** A name as the service compares names: without case and doubled spaces. */
function fold(name) {
  return name.trim().replace(/\s+/g, " ").toLowerCase();
}

// Who begins

function drawBeginners() {
  const host = document.getElementById("beginner");
  if (!host) return;
  if (draft.first === null || !draft.people.includes(draft.first)) draft.first = draft.people[0];
  replace(
    host,
    draft.people.map((person, index) =>
      h(
        "label",
        { class: "choice" },
        h("input", {
          type: "radio",
          name: "first",
          value: person.seat,
          checked: person === draft.first,
          onchange: () => {
            draft.first = person;
            draft.isFirstChosen = true;
            replace(byId("why"));
          },
        }),
        h("span", {}, seatSign(draft.game, person.seat), person.name.trim() || t("new.player", { number: index + 1 })),
      ),
    ),
  );
}

/** The loser of the last match of these people begins, unless somebody was chosen by hand. */
async function proposeFirst() {
  const ids = draft.people.map(idOf);
  if (page.result_only || draft.isFirstChosen || ids.includes(null)) return;
  const query = new URLSearchParams([
    ["game", draft.game],
    ["status", "finished"],
    ["limit", "1"],
    ...ids.map((id) => ["player", id]),
  ]);
  const last = await ask(`/matches?${query}`)
    .then(({ data }) => data.items[0])
    .catch(() => null);
  if (draft.isFirstChosen || String(ids) !== String(draft.people.map(idOf))) return;
  const loser = last ? loserOf(last, ids) : null;
  draft.first = draft.people.find((person) => idOf(person) === loser) ?? draft.people[0];
  drawBeginners();
  replace(byId("why"), loser !== null && t("new.lost_last", { name: draft.first.name }));
}

function idOf(person) {
  if (person.id) return person.id;
  const named = known.filter((player) => fold(player.name) === fold(person.name));
  return named.length === 1 ? named[0].id : null;
}

/** Who of these came last in a match; nobody where the last place is shared. */
function loserOf(match, ids) {
  const places = match.result.ranking
    .map(({ seat, place }) => ({ place, id: match.players.find((player) => player.seat === seat).player_id }))
    .filter(({ id }) => ids.includes(id));
  const worst = Math.max(...places.map(({ place }) => place));
  const last = places.filter(({ place }) => place === worst);
  return last.length === 1 ? last[0].id : null;
}

// The set-up

const editions = new Map();

function editionOf(id) {
  const given = page.editions[draft.game];
  if (given.id === id) return Promise.resolve(given);
  const path = `/games/${draft.game}/editions/${id}`;
  if (!editions.has(path))
    editions.set(
      path,
      ask(path).then(({ data }) => data),
    );
  return editions.get(path);
}

let drawing = 0;
/** Until the set-up of the chosen game can be entered. @type {Promise<void>} */
let settingUp = Promise.resolve();

function drawSetup() {
  settingUp = createSetup();
  return settingUp;
}

async function createSetup() {
  const host = document.getElementById("setup");
  if (!host) return;
  const turn = ++drawing;
  const initial = draft.setup?.value() ?? draft.initial;
  const [create, edition] = await Promise.all([
    loadGame(draft.game).then((game) => game.loadSetup()),
    editionOf(draft.edition ?? parts().default_edition),
  ]);
  if (turn !== drawing) return;
  replace(host);
  const seats = draft.people.map((person) => person.seat);
  draft.setup = create(host, { edition, seats, initial, asksFirst: false, onChange: () => {} });
}

let listing = 0;

async function drawEditions() {
  const label = byId("edition");
  const turn = ++listing;
  const chosen = draft.edition ?? parts().default_edition;
  const [offered, edition] = [await editionsOffered(chosen), await editionOf(chosen)];
  if (turn !== listing) return;
  label.hidden = offered.length < 2;
  const link = byId("check-edition", HTMLAnchorElement);
  link.href = `/games/${draft.game}/editions/${chosen}`;
  const sources = sourcesOf(edition);
  const n = sources.filter((source) => source === "assumed").length;
  replace(link, n > 0 ? t("new.assumed", { n, all: sources.length }) : t("new.check_edition"));
  replace(
    find(label, "select"),
    offered.map((edition) => h("option", { value: edition.id, selected: edition.id === chosen }, edition.title)),
  );
}

/** The editions to choose from; without network there is the one that came with the page. */
async function editionsOffered(chosen) {
  try {
    const { data } = await ask(`/games/${draft.game}/editions?limit=200`);
    return data.items.filter(({ id, own, based_on }) => own || !based_on || id === chosen);
  } catch (error) {
    if (!(error instanceof Offline)) throw error;
    return [await editionOf(chosen)];
  }
}

/** Where each value of an edition is from; what is no value is a group of them, or says what the edition is. */
function sourcesOf(group) {
  if (group === null || typeof group !== "object") return [];
  return "value" in group ? [group.source] : Object.values(group).flatMap(sourcesOf);
}

async function changeGame(game) {
  draft.setup = null;
  setGame(game);
  drawPeople();
  replace(fields.edition); // those of the other game
  await Promise.all([drawSetup(), drawEditions()]);
  proposeFirst();
}

// Sending

async function send() {
  if (draft.isSending) return;
  draft.isSending = true;
  await settingUp.catch(() => {}); // reported where it failed
  draft.isSending = false;
  say();
  const body = written();
  if (body === null) return;
  const text = JSON.stringify(body);
  if (draft.sent?.body !== text) draft.sent = { body: text, key: newKey() };
  draft.isSending = true;
  byId("begin").setAttribute("aria-disabled", "true");
  try {
    const { data } = await ask("/matches", { method: "POST", body, idempotencyKey: draft.sent.key });
    if (draft.begun !== undefined) await settleBegun(draft.begun.id, draft.begun.seen, data);
    location.replace(`/matches/${data.id}`);
  } catch (problem) {
    if (problem instanceof Offline && !page.result_only && (await isBegunHere(body))) return;
    draft.isSending = false;
    byId("begin").removeAttribute("aria-disabled");
    await explain(problem, body);
  }
}

/**
 * Begin the match on this device, where it waits for the network under the key of the request: that may have arrived.
 * @returns {Promise<boolean>} whether that can be done
 */
async function isBegunHere(body) {
  if (!(await canBeginHere())) return false;
  const { key } = /** @type {{key: string}} */ (draft.sent);
  const id = draft.begun?.id ?? key;
  const names = body.players.map(({ seat }) => personOn(seat).name.trim());
  try {
    await beginHere({
      id,
      key,
      body,
      names,
      edition: await editionOf(fields.edition.value || parts().default_edition),
    });
  } catch {
    return false;
  }
  location.replace(addressOfBegun(id));
  return true;
}

function personOn(seat) {
  return /** @type {Person} */ (draft.people.find((person) => person.seat === seat));
}

/** The match as it goes to the API, or null after saying what is missing. */
function written() {
  const nameless = draft.people.findIndex((person) => !person.name.trim());
  if (nameless >= 0) return missing(t("new.name_missing", { number: nameless + 1 }), `person-${nameless}`);
  if (page.result_only && draft.people.some((person) => !isPoints(person.points)))
    return missing(t("new.points_missing"));
  if (!page.result_only && !draft.setup) return missing(t("shared.failed"));
  if (!page.result_only && !draft.setup.isComplete()) return missing(t(`${draft.game}.setup_incomplete`));
  const start = page.result_only ? 0 : draft.people.findIndex((person) => person === draft.first);
  const inTurn = [...draft.people.slice(start), ...draft.people.slice(0, start)];
  return {
    game: draft.game,
    players: inTurn.map((person) => ({
      seat: person.seat,
      ...(person.id ? { player_id: person.id } : { name: person.name.trim() }),
    })),
    setup: page.result_only ? resultTyped() : setupChosen(),
    ...(fields.edition.value && { edition: fields.edition.value }),
    ...(fields.date.value &&
      fields.date.value !== today() && { played_at: new Date(`${fields.date.value}T12:00`).toISOString() }),
    ...(fields.venue.value.trim() && { venue: fields.venue.value.trim() }),
    ...(tagsTyped().length > 0 && { tags: tagsTyped() }),
    ...(fields.visibility && { visibility: fields.visibility.value }),
  };
}

function missing(text, id) {
  say(text);
  if (id) byId(id).focus();
  return null;
}

function resultTyped() {
  const points = Object.fromEntries(draft.people.map((person) => [person.seat, Number(person.points)]));
  return { result_only: true, points, ...(tie.value() && { tie: tie.value() }) };
}

/** Games in which the beginner is part of the set-up have a member for it; in others the order of players says it. */
function setupChosen() {
  const setup = draft.setup.value();
  return "first" in setup ? { ...setup, first: draft.first?.seat } : setup;
}

function today() {
  return localDate(new Date());
}

function say(text) {
  replace(problemLine, text);
  byId("candidates").hidden = true;
}

async function explain(problem, body) {
  const { candidates, errors = [], detail, title } = problemOf(problem);
  if (candidates === undefined) return say(detail ?? title);
  const index = Number(errors[0].pointer.split("/")[2]);
  return askWhich(personOn(body.players[index].seat), candidates);
}

/** Several players bear a name: ask which of them is meant, by when they were first entered and whom they played last. */
async function askWhich(person, candidates) {
  const described = await Promise.all(
    candidates.map(async (id) => {
      const [{ data: player }, { data: matches }] = await Promise.all([
        ask(`/players/${id}`),
        ask(`/matches?player=${id}&limit=1`),
      ]);
      const last = matches.items[0];
      const others = last?.players
        .filter((other) => other.player_id !== id)
        .map((other) => other.name)
        .join(", ");
      const about = last
        ? t("new.last_with", { names: others, date: day(last.played_at) })
        : t("new.since", { date: day(player.created_at) });
      return { player, about };
    }),
  );
  say(t("new.which_of", { name: person.name.trim() }));
  const host = byId("candidates");
  host.hidden = false;
  replace(
    host,
    described.map(({ player, about }) =>
      h(
        "button",
        {
          type: "button",
          onclick: () => {
            person.id = player.id;
            person.name = player.name;
            drawPeople();
            send();
          },
        },
        `${player.name}, ${about}`,
      ),
    ),
  );
}

// The beginning

/** The same people again: seats change hands, and the loser begins. */
async function takeUp(matchId) {
  const match = await foundMatch(matchId);
  const seats = match.players.map((player) => player.seat);
  draft.people = match.players.map((player, index) => ({
    seat: seats[(index + 1) % seats.length],
    name: player.name,
    id: player.player_id,
    points: "",
  }));
  setGame(match.game);
  draft.edition = match.edition;
  if (!match.setup.result_only) draft.initial = match.setup;
  const loser = match.result
    ? loserOf(
        match,
        draft.people.map((person) => person.id),
      )
    : null;
  draft.first = draft.people.find((person) => person.id === loser) ?? draft.people[0];
  fields.venue.value = match.venue ?? "";
  fields.tags.value = match.tags.join(", ");
  if (fields.visibility) fields.visibility.value = match.visibility;
}

/** A match as the service has it, or as this device last saw it. */
async function foundMatch(id) {
  try {
    return (await ask(`/matches/${id}`)).data;
  } catch (error) {
    const seen = error instanceof Offline ? await lastSeen(id) : undefined;
    if (seen === undefined) throw error;
    return seen.document;
  }
}

/** A match that was begun here without network, as it was entered. */
function takeUpBegun({ body, seen }) {
  const { players } = seen.document;
  draft.people = players.map(({ seat, player_id: id, name }) => ({ seat, name, id, points: "" }));
  setGame(body.game);
  draft.edition = body.edition ?? null;
  draft.initial = body.setup;
  draft.first = draft.people.find(({ seat }) => seat === (body.setup.first ?? players[0].seat)) ?? null;
  draft.isFirstChosen = true;
  fields.date.value = localDate(seen.document.played_at);
  fields.venue.value = body.venue ?? "";
  fields.tags.value = (body.tags ?? []).join(", ");
  if (fields.visibility && body.visibility) fields.visibility.value = body.visibility;
}

/** The game and edition that the address asks for, else what was played last. */
async function proposeGame(learned) {
  const asked = new URLSearchParams(location.search);
  const game = asked.get("game") ?? "";
  const isKnown = game in page.games;
  setGame(isKnown ? game : ((await learned)[0]?.game ?? Object.keys(page.games)[0]));
  if (isKnown) draft.edition = asked.get("edition");
}

async function begin() {
  fields.date.value = today();
  byId("tags").parentElement?.setAttribute("hidden", "");
  const learned = learn();
  const asked = new URLSearchParams(location.search);
  const [rematch, begun] = [asked.get("rematch"), asked.get("begun")];
  draft.begun = begun === null ? undefined : await begunHere(begun);
  if (draft.begun) takeUpBegun(draft.begun);
  else if (rematch) await takeUp(rematch);
  else await proposeGame(learned);
  drawPeople();
  await Promise.all([drawSetup(), drawEditions(), learned]);
  proposeFirst();
}

onSubmit(form, send);
form.addEventListener("change", (event) => {
  const { name, value } = /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target);
  if (name === "game") changeGame(value);
  if (name === "edition") {
    draft.edition = value;
    drawSetup();
    drawEditions();
  }
});
byId("add").addEventListener("click", add);
await attempt(begin, ({ detail, title }) => say(detail ?? title));
settled();
