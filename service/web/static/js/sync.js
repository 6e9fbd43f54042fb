/**
 * What a page says about the network and about moves that are not recorded yet: that they wait, that one was refused,
 * or that the match has changed meanwhile. The page needs the texts of the areas `sync` and `log`.
 */

import { h, replace } from "./dom.js";
import { loadGame } from "./game.js";
import { stayAvailable } from "./installing.js";
import { ruleLink } from "./rules.js";
import { playerName, seatSign, withPlayers } from "./seats.js";
import { t, tn } from "./texts.js";
import { toast } from "./toast.js";
import { tellLine } from "./told.js";

const STALE = 412;

/** What the game calls a move: without network there is nobody to put it into a sentence. */
let say = null;

/**
 * Show in an element what is to be said about a match, and keep it true.
 * @param {import("./match.js").Match} match @param {HTMLElement} host
 */
export async function showSync(match, host) {
  ({ say } = await loadGame(match.game));
  let stale = null;
  let asked = null;
  let isKept = false;
  host.setAttribute("role", "region");
  host.setAttribute("aria-label", t("sync.label"));
  host.setAttribute("aria-live", "polite");

  let shown = null;
  const draw = () => {
    const { isGone, isLost, isRemembered, isStored, mended, unsent } = match;
    const said = JSON.stringify([isGone, isLost, isRemembered, isStored, isKept, mended, unsent, stale]);
    if (said === shown) return; // a reason that is being written stays
    shown = said;
    replace(host, notices(match, stale, settle, isKept));
    host.scrollTop = 0;
    host.tabIndex = host.childElementCount ? 0 : -1; // it may scroll
  };
  const settle = () => {
    stale = null;
    asked = null;
    draw();
  };

  const find = async () => {
    const [first] = match.unsent;
    if (!first?.problem) asked = null;
    if (first?.problem?.status !== STALE || asked === first.key || match.mended !== null) return;
    asked = first.key;
    stale = await match.difference();
    draw();
  };

  match.addEventListener("change", () => {
    if (stale?.entry?.key !== undefined && !match.unsent[0]?.problem) stale = null;
    draw();
    find();
  });
  match.addEventListener("stale", (event) => {
    stale = /** @type {CustomEvent} */ (event).detail;
    draw();
  });
  draw();
  find();
  isKept = await stayAvailable();
  host.dataset.kept = String(isKept);
  draw();
}

function notices(match, stale, settle, isKept) {
  if (match.isGone) return [h("p", { class: "notice bad" }, t("sync.gone"))];
  const [first] = match.unsent;
  return [
    match.mended !== null && mendNotice(match),
    stale !== null && staleNotice(match, stale, settle),
    match.mended === null && first?.problem && first.problem.status !== STALE && refusedNotice(match, first),
    !match.isStored && !match.isLost && first !== undefined && h("p", { class: "notice bad" }, t("sync.unstored")),
    match.isLost && awayNotice(match, isKept),
    !match.isLost && first?.problem === null && waitingNotice(match),
  ].filter(Boolean);
}

function awayNotice(match, isKept) {
  const advice = t(!match.isStored ? "sync.unstored" : isKept ? "sync.may_close" : "sync.stay_open");
  const source = match.isRemembered ? t("sync.remembered") : "";
  return h(
    "div",
    { class: "notice" },
    h("p", {}, [t("sync.away"), advice, source].join(" ")),
    match.unsent.length > 0 && waitingMoves(match),
  );
}

function waitingNotice(match) {
  return h("div", { class: "notice" }, waitingMoves(match));
}

/** They lie on the board too, so that their list is folded up. */
function waitingMoves(match) {
  return h("details", {}, h("summary", {}, tn("sync.waiting", match.unsent.length)), entries(match, match.unsent));
}

function refusedNotice(match, item) {
  const later = match.unsent.length - 1;
  return h(
    "div",
    { class: "notice bad" },
    h("h2", {}, t("sync.refused")),
    entries(match, [item]),
    h(
      "p",
      { class: "problem" },
      withPlayers(item.problem.detail, match.document.players),
      " ",
      ruleLink(match.game, item.problem),
    ),
    later > 0 && h("p", {}, tn("sync.after_it", later)),
    h(
      "div",
      { class: "notice-acts" },
      h("button", { type: "button", class: "primary", onclick: () => match.mend(item.key) }, t("sync.edit")),
      dropButton(match, item.key),
      dropAllButton(match),
      item.problem.kind === undefined &&
        h("button", { type: "button", onclick: () => match.goOn() }, t("sync.try_again")),
    ),
    item.problem.kind === "rule" && item.ruling === undefined && rulingForm((reason) => match.rule(item.key, reason)),
  );
}

function mendNotice(match) {
  return h(
    "div",
    { class: "notice" },
    h("p", {}, t("sync.editing")),
    entries(match, [match.mended]),
    h(
      "div",
      { class: "notice-acts" },
      h("button", { type: "button", onclick: () => match.mend(null) }, t("sync.stop_editing")),
    ),
  );
}

function staleNotice(match, stale, settle) {
  const isWaiting = stale.entry?.key !== undefined;
  const drop = () => (isWaiting ? dropAndOffer(match, stale.entry.key) : null);
  const acknowledge = () => (isWaiting ? match.drop(stale.entry.key) : null);
  const mend = () => match.mend(stale.entry.key);
  const goOn = () => (isWaiting ? match.goOn() : match.submit(stale.entry));
  const after = (act) => () => {
    settle();
    return act();
  };
  return h(
    "div",
    { class: "notice bad" },
    h("h2", {}, t("sync.stale")),
    h(
      "ol",
      { class: "told" },
      stale.lines.map((line) => h("li", {}, tellLine(line, match.document.players))),
    ),
    h("p", {}, judged(match, stale)),
    stale.entry !== null && !stale.isRecorded && entries(match, [stale.entry]),
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
            isWaiting && dropAllButton(match, settle),
          ],
    ),
  );
}

function dropButton(match, key) {
  return h("button", { type: "button", onclick: () => dropAndOffer(match, key) }, t("sync.drop"));
}

/** What gives up all moves that wait, if there are several. */
function dropAllButton(match, settle = () => {}) {
  const drop = () => {
    settle();
    return dropAndOffer(match);
  };
  return (
    match.unsent.length > 1 && h("button", { type: "button", onclick: drop }, tn("sync.drop_all", match.unsent.length))
  );
}

/** Give up one waiting move, or all, and offer to bring them back. */
async function dropAndOffer(match, key) {
  const dropped = await match.drop(key);
  toast(tn("sync.dropped", dropped.length), { label: t("sync.bring_back"), act: () => match.bringBack(dropped) });
}

function judged(match, stale) {
  if (stale.entry === null) return null;
  if (stale.isRecorded) return t("sync.is_recorded");
  if (stale.judgement.legal) return t("sync.still_fits");
  const why = withPlayers(stale.judgement.problem.detail, match.document.players);
  return t("sync.fits_no_more", { why });
}

/**
 * A form that asks why a move against the rules stands.
 * @param {(reason: string) => any} rule @returns {HTMLElement}
 */
export function rulingForm(rule) {
  const reason = h("input", { name: "reason", required: true, maxlength: 4000, autocomplete: "off" });
  const send = (event) => {
    event.preventDefault();
    if (reason.value.trim() !== "") rule(reason.value.trim());
  };
  return h(
    "details",
    { class: "ruling-form" },
    h("summary", {}, t("sync.rule")),
    h("form", { onsubmit: send }, h("label", {}, t("sync.reason"), reason), h("button", {}, t("sync.record_ruling"))),
  );
}

function entries(match, items) {
  return h(
    "ul",
    { class: "told-moves" },
    items.map((item) => h("li", {}, seatSign(match.game, item.seat), h("span", {}, nameOf(match, item)))),
  );
}

/**
 * What a move is called that is not among those that the service has put into sentences.
 * @param {import("./match.js").Match} match @param {import("./match.js").Entry} entry @returns {string}
 */
export function nameOf(match, { seat, move }) {
  return `${playerName(match.document.players, seat)}: ${say(move, match.state)}`;
}
