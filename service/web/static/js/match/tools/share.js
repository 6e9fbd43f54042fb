/** The tool *Share*: who sees a match, and what is handed on: its address, links for those without an account, the code to embed it. */

import { all, ask, attempt } from "../../api.js";
import { confirm } from "../../confirm.js";
import { copyField } from "../../copying.js";
import { createDetails } from "../../details.js";
import { h, renew, replace } from "../../dom.js";
import { dayAndTime, localDate } from "../../format.js";
import { qrCode } from "../../qr.js";
import { save } from "../../saving.js";
import { lang, page, t } from "../../texts.js";

const path = `/matches/${page.match}`;

let match = null;
let links = [];
/** The names of the accounts that the reader knows, by their ids. @type {Map<string, string>} */
let names = new Map();
/** It is made once, so that what is typed stays while other things change. */
let details = null;
/** The secrets of links that were just made; they are shown this once. @type {Map<string, string>} by the id of the link */
const secrets = new Map();

/** Where the tool stands, and where it says what went wrong. */
const [cards, problemLine] = [h("div", { class: "share" }), h("p", { class: "problem", role: "alert" })];

/** @param {HTMLElement} host @returns {Promise<import("../tool_rail.js").Tool>} */
export async function tool(host) {
  replace(host, problemLine, cards);
  renew(problemLine);
  await fetchAndDraw();
  return { update() {} };
}

async function load() {
  await attempt(fetchAndDraw, complain);
}

async function fetchAndDraw() {
  match = (await ask(path)).data;
  links = [];
  if (page.may_manage) links = await all(`${path}/links?limit=200`);
  if (names.size === 0 && links.some((link) => link.created_by)) names = await namesOfAccounts();
  if (page.may_edit) details ??= createDetails(path, match);
  const parts = [
    visibilities(),
    whole(),
    linked("read"),
    linked("record"),
    embedding(),
    details,
    rulings(),
    files(),
    data(),
  ];
  replace(cards, await Promise.all(parts));
}

async function namesOfAccounts() {
  return new Map((await all("/accounts?limit=200")).map(({ id, name }) => [id, name]));
}

function visibilities() {
  return choices("visibility", t("share.who"), page.visibilities, (value) => [
    t(`share.${value}`),
    t(`share.${value}_means`),
  ]);
}

/** Where the match counts if its table has allowed what the rules forbid. */
function rulings() {
  if (!page.may_manage || match.setup.result_only) return null;
  const explained = (value) => [t(`share.rulings_${value}`), t(`share.rulings_${value}_means`)];
  return choices("rulings_in_statistics", t("share.rulings"), page.rulings, explained);
}

/** Values of a detail of the match, each with a word and a sentence; the chosen one is saved at once. */
function choices(name, legend, values, explained) {
  const choice = (value) => {
    const [word, sentence] = explained(value);
    return h(
      "label",
      { class: "seen-by" },
      h("input", {
        type: "radio",
        name,
        value,
        checked: value === match[name],
        disabled: !page.may_manage,
        onchange: () => set(name, value),
      }),
      h("span", {}, h("b", {}, word), h("span", { class: "quiet" }, sentence)),
    );
  };
  return h("fieldset", { class: "card" }, h("legend", {}, legend), values.map(choice));
}

/** The address for those who may see the match anyway. */
async function whole() {
  const opens = t(`share.opens_${page.is_open ? "local" : match.visibility}`);
  return h(
    "section",
    { class: "card", "data-part": "address" },
    h("h2", {}, t("share.address")),
    h("p", {}, opens),
    navigator.share !== undefined && h("button", { type: "button", onclick: offerToApps }, t("share.send")),
    await handed(address(path)),
  );
}

/** Hand the address to another app of the device. */
async function offerToApps() {
  const title = match.players.map(({ name }) => name).join(" – ");
  try {
    await navigator.share({ title, url: address(path, pageKey()) });
  } catch (refused) {
    if (!(refused instanceof DOMException)) throw refused; // nothing was chosen
  }
}

/** Links for people without an account, to read or to record. */
async function linked(allows) {
  if (!page.may_manage) return null;
  const mine = links.filter((link) => link.allows === allows);
  const isUseless = allows === "read" && !page.is_open && ["private", "club"].includes(match.visibility);
  const makes = isUseless
    ? h("button", { type: "button", onclick: () => make(allows, "unlisted") }, t("share.make_read_open"))
    : h("button", { type: "button", onclick: () => make(allows) }, t(`share.make_${allows}`));
  return h(
    "section",
    { class: "card", "data-allows": allows },
    h("h2", {}, t(`share.${allows}`)),
    h("p", { class: "quiet" }, t(`share.${allows}_means`)),
    isUseless && h("p", {}, t(`share.read_useless_${match.visibility}`)),
    await Promise.all(mine.map(link)),
    makes,
  );
}

async function link({ id, created_at: createdAt, created_by: createdBy }) {
  const time = dayAndTime(createdAt);
  const secret = secrets.get(id);
  return h(
    "div",
    { class: "link" },
    secret && [await handed(address(path, secret)), h("p", { class: "quiet" }, t("share.once"))],
    h(
      "p",
      {},
      names.has(createdBy) ? t("share.made_by", { time, name: names.get(createdBy) }) : t("share.made", { time }),
    ),
    h("button", { type: "button", class: "danger", onclick: () => withdraw(id) }, t("share.withdraw")),
  );
}

function embedding() {
  const key =
    links
      .filter(({ allows }) => allows === "read")
      .map(({ id }) => secrets.get(id))
      .find(Boolean) ?? pageKey();
  const isOpen = match.visibility === "public" || (match.visibility === "unlisted" && key);
  const source = address(`/embed${path}`, match.visibility === "public" ? undefined : key);
  const frame = h("iframe", {
    src: source,
    title: t("share.frame_title"),
    width: "100%",
    height: "720",
    loading: "lazy",
  }).outerHTML;
  return h(
    "section",
    { class: "card" },
    h("h2", {}, t("share.embed")),
    h("p", { class: "quiet" }, t(isOpen ? "share.embed_means" : "share.embed_closed")),
    isOpen && copyField(frame.replace("<iframe", '<iframe style="border:0"'), t("share.code"), true),
  );
}

/** A file that the API answers. */
function file(end, name, said, onclick) {
  return h("li", {}, h("a", { href: address(`/api/v1${path}${end}`, pageKey()), download: name, onclick }, said));
}

/** The match as a file to keep and to hand on. */
function files() {
  const name = `${match.players.map((player) => player.name).join(" – ")} ${localDate(match.played_at)}`;
  return h(
    "section",
    { class: "card" },
    h("h2", {}, t("share.files")),
    h(
      "ul",
      {},
      !match.setup.result_only && file(`/export?format=html&lang=${lang}`, `${name}.html`, t("share.file_html")),
      file("/export?format=text", `${name}.carnet`, t("share.file_text")),
      file("/export", `${name}.json`, t("share.file_json")),
      match.status === "finished" && file("/export?format=bgsplay", `${name}.bgsplay`, t("share.file_bgsplay")),
    ),
  );
}

/** What programs read, as files; a link alone cannot ask the API for lines. */
function data() {
  const lines = (end, name, said) =>
    file(end, name, said, (event) => {
      event.preventDefault();
      attempt(() => save(path + end, "application/x-ndjson", name), complain);
    });
  const isPlayed = !match.setup.result_only;
  return h(
    "section",
    { class: "card" },
    h("h2", {}, t("share.data")),
    h(
      "ul",
      {},
      isPlayed && file("/replay", "replay.json", t("share.data_replay")),
      isPlayed && lines("/replay", "replay.ndjson", t("share.data_lines")),
      lines("/events", "log.ndjson", t("share.data_log")),
      isPlayed && file(`/replay/${match.ply}/board.svg`, "board.svg", t("share.data_board")),
    ),
  );
}

/** An address as text to copy and as a code to scan. */
async function handed(text) {
  return h("div", { class: "handed" }, copyField(text, t("share.address")), await qrCode(text, t("share.scan")));
}

function set(name, value) {
  return change(() => ask(path, { method: "PATCH", body: { [name]: value } }));
}

/** Make a link, and let the match be seen as it must be for the link to open it. */
function make(allows, visibility) {
  return change(async () => {
    const { data: made } = await ask(`${path}/links`, { method: "POST", body: { allows } });
    secrets.set(made.id, made.secret);
    if (visibility) await ask(path, { method: "PATCH", body: { visibility } });
  });
}

async function withdraw(id) {
  if (!(await confirm({ text: t("share.withdraw_asks"), yes: t("share.withdraw") }))) return;
  await change(() => ask(`${path}/links/${id}`, { method: "DELETE" }));
}

async function change(act) {
  renew(problemLine);
  await attempt(act, complain);
  await load();
}

function address(to, key) {
  const whole = new URL(to, location.origin);
  if (key) whole.searchParams.set("key", key);
  return whole.href;
}

function pageKey() {
  return new URLSearchParams(location.search).get("key") ?? undefined;
}

function complain({ detail, title }) {
  renew(problemLine, detail ?? title);
}
