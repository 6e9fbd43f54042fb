/** Making and changing elements. What is not an element becomes a text node, so data is never read as markup. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * What is no node becomes text; what is empty, and true, is left out.
 * @typedef {Node | string | number | boolean | null | undefined} Leaf
 * @typedef {Leaf | (Leaf | (Leaf | Leaf[])[])[]} Child
 */

/**
 * An HTML element. Attributes: `on…` are listeners, `class` may be an array, `style` and `dataset` are objects; null,
 * undefined and false leave an attribute out, true makes it empty; `value`, `checked` and `selected` are properties; `key`
 * is what `renew` knows the element by.
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

/**
 * Let an element have exactly these children, as they are: to fill it for the first time.
 * @param {Element} element @param {...Child} children
 */
export function replace(element, ...children) {
  element.replaceChildren(...nodes(children));
}

/**
 * Draw an element anew: it gets these children, but every node stays that only has to be changed, with its focus, its
 * place in what scrolls, and what was typed. Children with the same `key` are the same; others are by their order. The
 * nodes that are handed over may be used up, so none of them is to be kept by the caller.
 * @param {Element} element @param {...Child} children
 */
export function renew(element, ...children) {
  arrange(
    element,
    nodes(children).map((child) => (child instanceof Node ? child : document.createTextNode(String(child)))),
  );
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

/**
 * Do something in place of sending a form; what is sent while it is being done is left out.
 * @param {HTMLFormElement} form @param {(form: HTMLFormElement) => unknown} act
 */
export function onSubmit(form, act) {
  form.addEventListener("submit", sending(act));
}

/**
 * What `onSubmit` listens with, for a form that `h` makes.
 * @param {(form: HTMLFormElement) => unknown} act @returns {(event: Event) => Promise<void>}
 */
export function sending(act) {
  return async (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    if (form.ariaBusy) return;
    form.ariaBusy = "true";
    try {
      await act(form);
    } finally {
      form.ariaBusy = null;
    }
  };
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
function usable() {
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

/**
 * What `h` was given for an element beside its attributes, which no attribute holds.
 * @typedef {{key?: unknown, listeners: Record<string, (event: any) => any>, properties: Record<string, any>}} Extras
 * @type {WeakMap<Node, Extras>}
 */
const extras = new WeakMap();

/** The elements with such things in them, of which more must be compared than the document shows. @type {WeakSet<Node>} */
const lively = new WeakSet();

/** @param {Node} node @returns {Extras} */
function extrasOf(node) {
  const known = extras.get(node) ?? { listeners: {}, properties: {} };
  extras.set(node, known);
  return known;
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) set(element, name, value);
  const within = nodes(children);
  element.append(...within);
  if (extras.has(element) || within.some((child) => lively.has(child))) lively.add(element);
  return element;
}

function set(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (typeof value === "function") listen(element, name.slice(2).toLowerCase(), value);
  else if (name === "key") extrasOf(element).key = value;
  else if (name === "style") for (const [key, said] of Object.entries(value)) element.style.setProperty(key, said);
  else if (name === "dataset") Object.assign(element.dataset, value);
  else if (PROPERTIES.has(name)) extrasOf(element).properties[name] = element[name] = value;
  else element.setAttribute(name, value === true ? "" : Array.isArray(value) ? value.filter(Boolean).join(" ") : value);
}

/** Listen by one function for all elements, so that a listener can be changed without taking it away. */
function listen(element, type, listener) {
  const { listeners } = extrasOf(element);
  if (!(type in listeners)) element.addEventListener(type, hear);
  listeners[type] = listener;
}

/** @this {Node} @param {Event} event */
function hear(event) {
  return extras.get(this)?.listeners[event.type]?.call(this, event);
}

function nodes(children) {
  return children.flat(Infinity).filter((child) => child || child === 0 || child === "");
}

/** Let an element have these nodes as children, and keep of its own those that can become like them. */
function arrange(element, wanted) {
  const given = new Set(wanted);
  const before = [...element.childNodes].filter((child) => !given.has(child));
  const keyed = new Map(before.map((child) => [extras.get(child)?.key, child]));
  const unkeyed = before.filter((child) => extras.get(child)?.key === undefined);
  const now = wanted.map((child) => {
    if (child.parentNode === element) return child;
    const key = extras.get(child)?.key;
    const known = key === undefined ? unkeyed.shift() : keyed.get(key);
    return known === undefined ? child : become(known, child);
  });
  const staying = new Set(now);
  for (const child of before) if (!staying.has(child)) child.remove();
  if (now.some((child) => lively.has(child))) lively.add(element);
  let at = element.firstChild;
  for (const child of now) {
    if (child === at) at = at.nextSibling;
    else element.insertBefore(child, at);
  }
}

/** Let a node become like another one, or give way to it; answers with the one that is to stand there. */
function become(node, next) {
  if (node.nodeName !== next.nodeName) return next;
  // Half of the time that a board takes which has hardly changed.
  if (!lively.has(node) && !lively.has(next) && node.isEqualNode(next)) return node;
  if (!(node instanceof Element) || !(next instanceof Element)) {
    if (node.nodeValue !== next.nodeValue) node.nodeValue = next.nodeValue;
    return node;
  }
  for (const name of node.getAttributeNames()) {
    const isOpenedByReader = name === "open" && node.nodeName === "DETAILS";
    if (!next.hasAttribute(name) && !isOpenedByReader) node.removeAttribute(name);
  }
  for (const name of next.getAttributeNames()) {
    const value = /** @type {string} */ (next.getAttribute(name));
    if (node.getAttribute(name) === value) continue;
    // Of styles the policy of our pages allows properties alone.
    if (name === "style") /** @type {HTMLElement} */ (node).style.cssText = value;
    else node.setAttribute(name, value);
  }
  arrange(node, [...next.childNodes]);
  takeExtras(node, next);
  return node;
}

/** Take over listeners, and properties that are other ones than were given before: what was typed since stays. */
function takeExtras(node, next) {
  const after = extras.get(next);
  if (after === undefined && !extras.has(node)) return;
  const before = extrasOf(node);
  const { listeners = {}, properties = {} } = after ?? {};
  for (const type of Object.keys(before.listeners)) if (!(type in listeners)) delete before.listeners[type];
  for (const [type, listener] of Object.entries(listeners)) listen(node, type, listener);
  for (const [name, value] of Object.entries(properties)) if (before.properties[name] !== value) node[name] = value;
  before.properties = properties;
}
