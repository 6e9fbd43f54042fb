/**
 * What a page says about the network and about moves that are not recorded yet: that they wait, that one was refused,
 * or that the match has changed meanwhile. The page needs the texts of the areas `sync` and `history`.
 */

/** @import { Game } from "../game.js" */
/** @import { Stale, Store } from "./store.js" */

import { h, renew } from "../dom.js";
import { stayAvailable } from "../installing.js";
import { ruleLink } from "../rules.js";
import { saveText } from "../saving.js";
import { playerName, seatSign, withPlayers } from "../seats.js";
import { t, tn } from "../texts.js";
import { toast } from "../toast.js";
import { tellLine } from "../told.js";
import { rulingForm } from "./form_host.js";

const STALE = 412;

/**
 * Show in an element what is to be said about a match, and keep it true.
 * @param {Store} store @param {Game} game @param {HTMLElement} host
 */
export async function showNotices(store, game, host) {
  /** @type {Stale | null} */
  let stale = null;
  let asked = null;
  let isKept = false;
  host.setAttribute("role", "region");
  host.setAttribute("aria-label", t("sync.label"));

  const draw = () => {
    renew(host, notices({ store, game, stale, settle, isKept }));
    host.tabIndex = host.childElementCount ? 0 : -1; // it may scroll
  };
  const settle = () => {
    stale = null;
    asked = null;
    draw();
  };
  const find = async () => {
    const [first] = store.unsent;
    if (!first?.problem) asked = null;
    if (first?.problem?.status !== STALE || asked === first.key || store.mended !== null) return;
    asked = first.key;
    stale = await store.difference();
    draw();
  };

  store.addEventListener("change", () => {
    if (keyOf(stale) !== undefined && !store.unsent[0]?.problem) stale = null;
    draw();
    find();
  });
  store.addEventListener("stale", (event) => {
    stale = /** @type {CustomEvent} */ (event).detail;
    draw();
  });
  draw();
  find();
  isKept = await stayAvailable();
  host.dataset.kept = String(isKept);
  draw();
}

/** The key of the waiting move that came too late, if it is one that waits. @param {any} stale */
function keyOf(stale) {
  return stale?.entry?.key;
}

/** Each notice stands or falls as a whole. */
function notices(shown) {
  const { store, stale } = shown;
  if (store.isGone) return h("p", { key: "gone", class: "notice bad" }, t("sync.gone"));
  const [first] = store.unsent;
  const isRefused = store.mended === null && first?.problem && first.problem.status !== STALE;
  return [
    store.mended !== null && mendNotice(shown),
    stale !== null && staleNotice(shown),
    isRefused && refusedNotice(shown, first),
    !store.isStored &&
      !store.isLost &&
      first !== undefined &&
      h("p", { key: "unstored", class: "notice bad" }, t("sync.unstored")),
    store.isLost && awayNotice(shown),
    !store.isLost && first?.problem === null && h("div", { key: "waiting", class: "notice" }, waitingMoves(shown)),
  ];
}

function awayNotice(shown) {
  const { store, isKept } = shown;
  const advice = t(!store.isStored ? "sync.unstored" : isKept ? "sync.may_close" : "sync.stay_open");
  const source = store.isRemembered ? t("sync.remembered") : "";
  return h(
    "div",
    { key: "away", class: "notice" },
    h("p", {}, [t("sync.away"), advice, source].join(" ")),
    store.unsent.length > 0 && waitingMoves(shown),
  );
}

/** They lie on the board too, so that their list is folded up. */
function waitingMoves(shown) {
  const { unsent } = shown.store;
  return h(
    "details",
    {},
    h("summary", {}, tn("sync.waiting", unsent.length)),
    entries(shown, unsent),
    h("button", { type: "button", onclick: () => saveWaiting(shown.store) }, t("sync.save")),
  );
}

/** Save the moves that wait as a file of lines, so that they outlive the device's storage. */
function saveWaiting(store) {
  saveText(store.unsentAsText, "application/x-ndjson", `waiting-${store.id}.ndjson`);
}

function refusedNotice(shown, item) {
  const { store, game } = shown;
  const later = store.unsent.length - 1;
  return h(
    "div",
    { key: `refused ${item.key}`, class: "notice bad" },
    h("h2", {}, t("sync.refused")),
    entries(shown, [item]),
    h(
      "p",
      { class: "problem" },
      withPlayers(item.problem.detail, store.document.players),
      " ",
      ruleLink(game.id, item.problem),
    ),
    later > 0 && h("p", {}, tn("sync.after_it", later)),
    h(
      "div",
      { class: "notice-acts" },
      h("button", { type: "button", class: "primary", onclick: () => store.mend(item.key) }, t("sync.edit")),
      dropButton(store, item.key),
      dropAllButton(store),
      item.problem.kind === undefined &&
        h("button", { type: "button", onclick: () => store.goOn() }, t("sync.try_again")),
    ),
    item.problem.kind === "rule" && item.ruling === undefined && rulingForm((reason) => store.rule(item.key, reason)),
  );
}

function mendNotice(shown) {
  const { store } = shown;
  return h(
    "div",
    { key: "mended", class: "notice" },
    h("p", {}, t("sync.editing")),
    entries(shown, [store.mended]),
    h(
      "div",
      { class: "notice-acts" },
      h("button", { type: "button", onclick: () => store.mend(null) }, t("sync.stop_editing")),
    ),
  );
}

function staleNotice(shown) {
  const { store, stale, settle } = shown;
  const isWaiting = keyOf(stale) !== undefined;
  const drop = () => (isWaiting ? dropAndOffer(store, stale.entry.key) : null);
  const acknowledge = () => (isWaiting ? store.drop(stale.entry.key) : null);
  const mend = () => store.mend(stale.entry.key);
  const goOn = () => (isWaiting ? store.goOn() : store.submit(stale.entry));
  const after = (act) => () => {
    settle();
    return act();
  };
  return h(
    "div",
    { key: "stale", class: "notice bad" },
    h("h2", {}, t("sync.stale")),
    h(
      "ol",
      { class: "told" },
      stale.lines.map((line) => h("li", {}, tellLine(line, store.document.players))),
    ),
    h("p", {}, judged(store, stale)),
    stale.entry !== null && !stale.isRecorded && entries(shown, [stale.entry]),
    h(
      "div",
      { class: "notice-acts" },
      stale.entry === null || stale.isRecorded
        ? h("button", { type: "button", class: "primary", onclick: after(acknowledge) }, t("sync.all_right"))
        : [
            stale.judgement.legal &&
              h("button", { type: "button", class: "primary", onclick: after(goOn) }, t("sync.go_on")),
            isWaiting && h("button", { type: "button", onclick: after(mend) }, t("sync.edit")),
            h("button", { type: "button", onclick: after(drop) }, t("sync.drop")),
            isWaiting && dropAllButton(store, settle),
          ],
    ),
  );
}

function dropButton(store, key) {
  return h("button", { type: "button", onclick: () => dropAndOffer(store, key) }, t("sync.drop"));
}

/** What gives up all moves that wait, if there are several. */
function dropAllButton(store, settle = () => {}) {
  const drop = () => {
    settle();
    return dropAndOffer(store);
  };
  return (
    store.unsent.length > 1 && h("button", { type: "button", onclick: drop }, tn("sync.drop_all", store.unsent.length))
  );
}

/** Give up one waiting move, or all, and offer to bring them back. */
async function dropAndOffer(store, key) {
  const dropped = await store.drop(key);
  toast(tn("sync.dropped", dropped.length), { label: t("sync.bring_back"), act: () => store.bringBack(dropped) });
}

function judged(store, stale) {
  if (stale.entry === null) return null;
  if (stale.isRecorded) return t("sync.is_recorded");
  if (stale.judgement.legal) return t("sync.still_fits");
  const why = withPlayers(stale.judgement.problem.detail, store.document.players);
  return t("sync.fits_no_more", { why });
}

function entries({ store, game }, items) {
  return h(
    "ul",
    { class: "told-moves" },
    items.map((item) => h("li", {}, seatSign(game.id, item.seat), h("span", {}, nameEntry(store, game, item)))),
  );
}

/**
 * What a move is called that is not among those that the service has put into sentences.
 * @param {Store} store @param {Game} game @param {{seat: string, move: object | null}} entry @returns {string}
 */
export function nameEntry(store, game, { seat, move }) {
  return `${playerName(store.document.players, seat)}: ${game.say(move, store.state)}`;
}
