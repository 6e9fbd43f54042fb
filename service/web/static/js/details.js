/** Date, venue and tags of a match, to be changed; every earlier version of them is kept. */

import { ApiProblem, ask, attempt } from "./api.js";
import { h, onSubmit, replace } from "./dom.js";
import { isEqual } from "./equal.js";
import { day, localDate } from "./format.js";
import { t } from "./texts.js";

/** How often a change is sent again after a move was recorded between reading the match and sending it. */
const MAX_ATTEMPTS = 3;

/** @param {string} path of the match @param {any} match @returns {HTMLFormElement} */
export function createDetails(path, match) {
  let known = detailsOf(match);
  const date = h("input", { type: "date", name: "date", required: true, value: localDate(known.played_at) });
  const venue = h("input", { name: "venue", maxlength: 80, autocomplete: "off", value: known.venue ?? "" });
  const tags = h("input", { name: "tags", autocomplete: "off", value: known.tags.join(", ") });
  const said = h("p", { role: "status" });
  const problem = h("p", { class: "problem", role: "alert" });

  async function save() {
    replace(said);
    replace(problem);
    const typed = {
      played_at: date.value === localDate(known.played_at) ? known.played_at : onDate(known.played_at, date.value),
      venue: venue.value.trim() || null,
      tags: [
        ...new Set(
          tags.value
            .split(",")
            .map((tag) => tag.trim())
            .filter(Boolean),
        ),
      ],
    };
    await attempt(
      () => send(typed),
      ({ detail, title, errors }) =>
        replace(problem, errors?.length ? errors.map((error) => error.detail).join(" ") : (detail ?? title)),
    );
  }

  /** Replace the details that are known, and no others, whatever else happens to the match meanwhile. */
  async function send(typed) {
    for (let attempts = 1; ; attempts += 1) {
      const { data: now, etag } = await ask(path);
      if (!isEqual(detailsOf(now), known)) {
        known = detailsOf(now);
        const details = [day(known.played_at), known.venue, ...known.tags].filter(Boolean).join(" · ");
        replace(problem, t("share.details_changed", { details }));
        return;
      }
      try {
        known = detailsOf((await ask(path, { method: "PATCH", body: typed, ifMatch: etag ?? undefined })).data);
        replace(said, t("share.details_saved"));
        return;
      } catch (error) {
        if (!(error instanceof ApiProblem && error.isStale && attempts < MAX_ATTEMPTS)) throw error;
      }
    }
  }

  const form = h(
    "form",
    { class: "card details" },
    h("h2", {}, t("share.details")),
    h("label", {}, t("new.date"), date),
    h("label", {}, t("new.venue"), venue),
    h("label", {}, t("new.tags"), tags),
    h("p", { class: "quiet" }, t("new.tags_hint")),
    h("button", { type: "submit" }, t("share.save_details")),
    said,
    problem,
  );
  onSubmit(form, save);
  return form;
}

function detailsOf({ played_at, venue, tags }) {
  return { played_at, venue, tags };
}

/** A moment at the same time of another day. */
function onDate(moment, date) {
  const [year, month, dayOfMonth] = date.split("-").map(Number);
  const then = new Date(moment);
  then.setFullYear(year, month - 1, dayOfMonth);
  return then.toISOString();
}
