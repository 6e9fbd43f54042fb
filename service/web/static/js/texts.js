/** What the page says: the texts that came with it, its language and its data. */

import { minus } from "./minus.js";

const embedded = JSON.parse(document.getElementById("page")?.textContent ?? "{}");

/** The language of the page. @type {string} */
export const lang = embedded.lang ?? document.documentElement.lang;

/** The language with the region that the reader's browser asks for, for dates and numbers. @type {string} */
export const locale = navigator.languages.find((asked) => asked.split("-")[0] === lang) ?? lang;

/** What the server tells the module of this page. @type {Record<string, any>} */
export const page = embedded.page ?? {};

/** The proof that a request is sent by a page of ours; null without a session. @type {string | null} */
export const csrf = embedded.csrf ?? null;

/** Whose page this is: the id of an account, `nobody`, or `local` without sign-in; null on pages that are for all. @type {string | null} */
export const account = document.documentElement.dataset.account ?? null;

/** The address of the folder of all files that pages load. @type {string} */
export const files = embedded.static ?? "";

/**
 * The address of a symbol in one of these files; a page that is a file of its own has the symbols within.
 * @param {string} file @param {string} id @returns {string}
 */
export function symbol(file, id) {
  return `${files && files + file}#${id}`;
}

const texts = embedded.texts ?? {};

/** Numbers in texts have one decimal at most. */
const DIGITS = { maximumFractionDigits: 1 };
const numbers = new Intl.NumberFormat(locale, DIGITS);
/** Portuguese is that of Portugal, which has 0 and 1.5 in the plural. */
const rules = new Intl.PluralRules(lang === "pt" ? "pt-PT" : lang, DIGITS);
/** The plural categories of the language in the order in which texts give their forms. @type {string[]} */
const categories = embedded.plurals ?? [];

/**
 * A text with its placeholders filled in; a key that is not there is a mistake of ours.
 * @param {string} key @param {Record<string, unknown>} [values] @returns {string}
 */
export function t(key, values = {}) {
  return fill(found(key), values);
}

/**
 * A text in the form that goes with a number, which is also the placeholder {n}.
 * @param {string} key @param {number} n @param {Record<string, unknown>} [values] @returns {string}
 */
export function tn(key, n, values = {}) {
  const forms = found(key).split("|");
  return fill(forms.at(categories.indexOf(rules.select(n))) ?? forms.at(-1), {
    n: minus(numbers.format(n)),
    ...values,
  });
}

/** Whether there is a text of this key. @param {string} key @returns {boolean} */
export function hasText(key) {
  return key in texts;
}

function found(key) {
  if (!(key in texts)) throw new Error(`no text ${key}`);
  return texts[key];
}

function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => {
    if (!(name in values)) throw new Error(`no value for {${name}} in “${text}”`);
    return String(values[name]);
  });
}
