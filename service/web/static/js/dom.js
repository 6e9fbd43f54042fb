/** Making and changing elements. What is not an element becomes a text node, so data is never read as markup. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * What is no node becomes text; what is empty, and true, is left out.
 * @typedef {Node | string | number | boolean | null | undefined} Leaf
 * @typedef {Leaf | (Leaf | (Leaf | Leaf[])[])[]} Child
 */

/**
 * An HTML element. Attributes: `on…` are listeners, `class` may be an array, `style` and `dataset` are objects; null,
 * undefined and false leave an attribute out, true makes it empty; `value`, `checked` and `selected` are properties.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {Record<string, any> | null} [attributes] @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/**
 * An SVG element, made like those of `h`.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag @param {Record<string, any> | null} [attributes] @param {...Child} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attributes, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * The element of the page with an id; raise if it is not there, or is none of `type`.
 * @template {HTMLElement} [Type=HTMLElement]
 * @param {string} id @param {new () => Type} [type] @returns {Type}
 */
export function byId(id, type) {
  return find(document, `#${CSS.escape(id)}`, type);
}

/**
 * The first element within another that a selector matches; raise if there is none, or it is none of `type`.
 * @template {HTMLElement} [Type=HTMLElement]
 * @param {ParentNode} within @param {string} selector @param {new () => Type} [type] @returns {Type}
 */
export function find(within, selector, type) {
  const element = within.querySelector(selector);
  if (element instanceof (type ?? HTMLElement)) return /** @type {Type} */ (element);
  throw new Error(`There is no ${selector}.`);
}

/** The controls of a form by their names. @param {HTMLFormElement} form @returns {Record<string, any>} */
export function controls(form) {
  return /** @type {any} */ (form.elements);
}

/** Let an element have these children and no others. @param {Element} element @param {...Child} children */
export function replace(element, ...children) {
  element.replaceChildren(...nodes(children));
}

/**
 * Let an element have these children and no others, but keep every node that is already as it should be: a drawing that
 * is made anew costs what is new in it. For what has neither listeners nor properties of its own.
 * @param {Element} element @param {...Child} children
 */
export function renew(element, ...children) {
  const next = /** @type {Element} */ (element.cloneNode(false));
  next.append(...nodes(children));
  become(element, next);
}

/**
 * Listen for an event on all matching elements within another, now and later; answers with what stops it.
 * @param {Element | Document} within @param {string} type @param {string} selector
 * @param {(event: Event, element: HTMLElement) => void} listener @returns {() => void}
 */
export function on(within, type, selector, listener) {
  const heard = (event) => {
    const element = event.target instanceof Element ? event.target.closest(selector) : null;
    if (element instanceof HTMLElement && within.contains(element)) listener(event, element);
  };
  within.addEventListener(type, heard);
  return () => within.removeEventListener(type, heard);
}

/** The element within another that has the focus. @param {Element} within @returns {HTMLElement | null} */
export function focusedIn(within) {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement && within.contains(activeElement) ? activeElement : null;
}

/** Load the page again when there is a network, unless it is being left by then: that would call off where one goes. */
export function reloadOnceOnline() {
  const reload = () => location.reload();
  addEventListener("online", reload, { once: true });
  addEventListener("beforeunload", () => removeEventListener("online", reload), { once: true });
}

/**
 * Say that the page can be used. Until then its content is inert, so that no tap is lost, and no form sent by the browser
 * itself, before anything listens.
 */
export function usable() {
  document.getElementById("body")?.removeAttribute("inert");
}

/** Say that the page shows what it is for, after what it had to fetch; called once by every entry module. */
export function settled() {
  usable();
  document.getElementById("content")?.removeAttribute("aria-busy");
}

/** Shake an element lightly: this cannot be. @param {Element} element */
export function shake(element) {
  element.classList.remove("shaking");
  void element.getBoundingClientRect();
  element.classList.add("shaking");
  element.addEventListener("animationend", () => element.classList.remove("shaking"), { once: true });
}

const PROPERTIES = new Set(["value", "checked", "selected", "indeterminate"]);

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) set(element, name, value);
  element.append(...nodes(children));
  return element;
}

function set(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (typeof value === "function") element.addEventListener(name.slice(2).toLowerCase(), value);
  else if (name === "style") for (const [key, said] of Object.entries(value)) element.style.setProperty(key, said);
  else if (name === "dataset") Object.assign(element.dataset, value);
  else if (PROPERTIES.has(name)) element[name] = value;
  else element.setAttribute(name, value === true ? "" : Array.isArray(value) ? value.filter(Boolean).join(" ") : value);
}

function nodes(children) {
  return children.flat(Infinity).filter((child) => child || child === 0 || child === "");
}

/**
 * Let a node become like another one, which may be used up.
 * @param {ChildNode | Element} node @param {ChildNode | Element} next
 */
function become(node, next) {
  if (node.isEqualNode(next)) return;
  if (!(node instanceof Element) || !(next instanceof Element) || node.nodeName !== next.nodeName) {
    node.replaceWith(next);
    return;
  }
  for (const { name } of [...node.attributes]) if (!next.hasAttribute(name)) node.removeAttribute(name);
  for (const { name, value } of next.attributes) if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  const before = [...node.childNodes];
  const after = [...next.childNodes];
  for (const child of before.splice(after.length)) child.remove();
  before.forEach((child, at) => become(child, after[at]));
  node.append(...after.slice(before.length));
}
