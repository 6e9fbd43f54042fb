/** The keys that lead through a match, told by `?`. */

import { h } from "../dom.js";
import { t } from "../texts.js";

const KEYS = [
  ["← →", "keys_step"],
  ["⇧ ← →", "keys_turn"],
  ["PgUp PgDn", "keys_phase"],
  ["Home End", "keys_ends"],
  ["␣", "keys_play"],
  ["+", "keys_speed"],
  ["N ⇧ N", "keys_note"],
  ["R", "keys_turning"],
  ["?", "keys_help"],
];

/** What is of no use where nothing is entered. */
const ENTERING = ["keys_turning"];

/** Open a list of the keys with `?`, where no text is being written. */
export function bindHelp({ isReplay = false } = {}) {
  const keys = KEYS.filter(([, name]) => !(isReplay && ENTERING.includes(name)));
  const help = h(
    "div",
    { id: "keys", class: "keys card", popover: "auto", role: "dialog", "aria-label": t("match.keys") },
    h("h2", {}, t("match.keys")),
    h(
      "dl",
      {},
      keys.map(([keys, name]) =>
        h(
          "div",
          {},
          h(
            "dt",
            {},
            keys.split(" ").map((key) => h("kbd", {}, key)),
          ),
          h("dd", {}, t(`match.${name}`)),
        ),
      ),
    ),
  );
  document.body.append(help);
  document.addEventListener("keydown", (event) => {
    const isTyped =
      event.target instanceof Element && event.target.matches("input:not([type=range]), textarea, select");
    if (event.key === "?" && !isTyped) help.togglePopover();
  });
}
