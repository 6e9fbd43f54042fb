/**
 * The entry of every page: begins the page's own module, if it has one, and says what went wrong where nothing else says it. A page
 * that cannot begin offers to try again instead of staying blank.
 */

import "./device.js";
import { ApiProblem, Offline } from "./api.js";
import { byId, find, h, reloadOnceOnline, settled, shake } from "./dom.js";
import { t } from "./texts.js";
import { toast } from "./toast.js";

const { entry } = byId("boot").dataset;

addEventListener("unhandledrejection", ({ reason }) => toast(said(reason)));
addEventListener("error", ({ error }) => error && toast(said(error)));

if (entry !== undefined) begin(entry);

/**
 * Begin the module of the page, and wait for what it exports as `begun`. Nothing waits for this here, because that module
 * may need what is served in one file with this one.
 */
async function begin(module) {
  try {
    const { begun } = await import(module);
    await begun;
  } catch (error) {
    if (!isExpected(error)) console.error(error);
    showFailure(error);
  }
}

/** Say in the place of the content why the page could not begin; content that the server has filled stays. */
function showFailure(error) {
  const main = find(document, "main");
  if (main.hasAttribute("aria-busy")) for (const part of main.children) part.setAttribute("hidden", "");
  const heading = document.querySelector("header h1") ? "h2" : "h1";
  const card = h(
    "section",
    { class: "card failure", role: "alert" },
    h(heading, {}, t("shared.not_loaded")),
    h("p", {}, said(error)),
    h(
      "button",
      { type: "button", class: "primary", onclick: ({ currentTarget }) => tryAgain(currentTarget, card) },
      t("shared.try_again"),
    ),
  );
  main.prepend(card);
  reloadOnceOnline();
  settled();
}

/** Load the page again if the service answers; without it there would be no page any more. */
async function tryAgain(button, card) {
  button.disabled = true;
  try {
    await fetch(location.href, { method: "HEAD" });
    location.reload();
  } catch {
    button.disabled = false;
    shake(card);
  }
}

function said(error) {
  if (error instanceof Offline) return t("shared.offline");
  return (error instanceof ApiProblem && (error.problem.detail ?? error.problem.title)) || t("shared.failed");
}

function isExpected(error) {
  return error instanceof Offline || error instanceof ApiProblem;
}
