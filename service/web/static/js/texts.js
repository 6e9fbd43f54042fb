/** What the page says: the texts that came with it, its language and its data. */

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

const texts = embedded.texts ?? {};

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
  return fill(found(key).split("|")[formFor(lang, n)], { n, ...values });
}

/** Whether there is a text of this key. @param {string} key @returns {boolean} */
export function hasText(key) {
  return key in texts;
}

/** Which of the forms of a text goes with a number. @param {string} language @param {number} n @returns {number} */
export function formFor(language, n) {
  if (n === 1) return 0;
  if (language === "pl") return [2, 3, 4].includes(n % 10) && ![12, 13, 14].includes(n % 100) ? 1 : 2;
  if (language === "cs") return [2, 3, 4].includes(n) ? 1 : 2;
  return 1;
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
