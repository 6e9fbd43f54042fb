/** The way from a refusal to the rule that it is about. */

import { h } from "./dom.js";
import { t } from "./texts.js";

/** Where the rule stands that a problem is about. @param {string} game @param {any} problem @returns {HTMLElement | null} */
export function ruleLink(game, { rule }) {
  return rule ? h("a", { href: `/games/${game}/rules#${rule}` }, t("shared.rule", { rule })) : null;
}
