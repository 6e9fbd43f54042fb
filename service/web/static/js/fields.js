/**
 * Fields for the values of an edition: each shows a value, says when it changes and reads it back. A game describes its
 * values with these; what it does not describe gets the field that goes with its form.
 */

import { h } from "./dom.js";

/** @typedef {{element: HTMLElement, read: () => any}} Field `read` answers with undefined for what cannot be read. */
/** @typedef {(value: any, id: string, changed: () => void) => Field} Fields makes the field of a value */

/** A whole number. @type {Fields} */
function numberField(value, id, changed) {
  const input = h("input", {
    id,
    type: "number",
    inputmode: "numeric",
    min: 0,
    max: 99,
    step: 1,
    required: true,
    value,
    oninput: changed,
  });
  return { element: input, read: () => (/^\d{1,3}$/.test(input.value) ? Number(input.value) : undefined) };
}

/** Yes or no. @type {Fields} */
function flagField(value, id, changed) {
  const input = h("input", { id, type: "checkbox", checked: value, onchange: changed });
  return { element: input, read: () => input.checked };
}

/** A word or a line. @type {Fields} */
function textField(value, id, changed) {
  const input = h("input", { id, value, spellcheck: "false", autocapitalize: "none", oninput: changed });
  return { element: input, read: () => input.value };
}

/** One of several words. @param {[string, string][]} options words with their names @returns {Fields} */
export function choiceField(options) {
  return (value, id, changed) => {
    const select = h(
      "select",
      { id, onchange: changed },
      options.map(([word, name]) => h("option", { value: word, selected: word === value }, name)),
    );
    return { element: select, read: () => select.value };
  };
}

/**
 * How many there are of each kind; a kind of which there are none is left out.
 * @param {[string, string][]} kinds
 * @returns {Fields}
 */
export function countsField(kinds) {
  return (value, id, changed) => {
    const inputs = kinds.map(([kind, name], at) => {
      const input = h("input", {
        id: at === 0 ? id : `${id}-${kind}`,
        type: "number",
        inputmode: "numeric",
        min: 0,
        max: 99,
        value: value[kind] ?? 0,
        oninput: changed,
      });
      return { kind, name, input };
    });
    const read = () => {
      if (inputs.some(({ input }) => !/^\d{1,2}$/.test(input.value))) return undefined;
      return Object.fromEntries(
        inputs.map(({ kind, input }) => [kind, Number(input.value)]).filter(([, count]) => Number(count) > 0),
      );
    };
    return {
      element: h(
        "span",
        { class: "value-counts" },
        inputs.map(({ name, input }) => h("label", {}, input, name)),
      ),
      read,
    };
  };
}

/** Numbers in a row. @type {Fields} */
function numbersField(value, id, changed) {
  const input = h("input", { id, value: value.join(", "), inputmode: "text", oninput: changed });
  return {
    element: input,
    read: () =>
      /^\s*\d+(\s*[,;\s]\s*\d+)*\s*$/.test(input.value) ? (input.value.match(/\d+/g) ?? []).map(Number) : undefined,
  };
}

/** Lines of signs, such as a drawing of a shape. @type {Fields} */
function linesField(value, id, changed) {
  const area = h("textarea", { id, rows: value.length, spellcheck: "false", oninput: changed }, value.join("\n"));
  return {
    element: area,
    read: () =>
      area.value
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean),
  };
}

/** Numbers with names, all of which are there. @param {[string, string][]} members @returns {Fields} */
export function membersField(members) {
  return (value, id, changed) => {
    const fields = members.map(([member, name], at) => ({
      member,
      name,
      field: numberField(value[member], at === 0 ? id : `${id}-${member}`, changed),
    }));
    const read = () => {
      const found = fields.map(({ member, field }) => [member, field.read()]);
      return found.some(([, number]) => number === undefined) ? undefined : Object.fromEntries(found);
    };
    return {
      element: h(
        "span",
        { class: "value-counts" },
        fields.map(({ name, field }) => h("label", {}, field.element, name)),
      ),
      read,
    };
  };
}

/** Any value, as JSON. @type {Fields} */
function jsonField(value, id, changed) {
  const area = h("textarea", { id, rows: 3, spellcheck: "false", oninput: changed }, JSON.stringify(value));
  const read = () => {
    try {
      return JSON.parse(area.value);
    } catch {
      return undefined;
    }
  };
  return { element: area, read };
}

/** A value that stays as it is. @param {string} words what it says @returns {Fields} */
export function fixedField(words) {
  return (value, id) => ({ element: h("span", { id, class: "fixed" }, words), read: () => value });
}

/** The field that goes with the form of a value. @param {any} value @returns {Fields} */
export function fieldFor(value) {
  if (typeof value === "number") return numberField;
  if (typeof value === "boolean") return flagField;
  if (typeof value === "string") return textField;
  if (Array.isArray(value) && value.every((entry) => typeof entry === "number")) return numbersField;
  if (Array.isArray(value) && value.every((entry) => typeof entry === "string")) return linesField;
  return jsonField;
}

/** Words that say that a field cannot be read. @param {HTMLElement} element @param {boolean} isWrong */
export function mark(element, isWrong) {
  for (const input of element.matches("input, select, textarea")
    ? [element]
    : element.querySelectorAll("input, select, textarea")) {
    if (isWrong) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  }
}
