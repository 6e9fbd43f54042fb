/** Asking the API, as any program would. */

/** @import { components } from "../../types/api.js" */

import { csrf, hasText, lang, t } from "./texts.js";

/**
 * A problem as the API answers it, or one of the page's own, which has words alone.
 * @typedef {components["schemas"]} Schemas
 * @typedef {Schemas[Extract<keyof Schemas, `${string}Problem`>]} AnyProblem
 * @typedef {{type?: AnyProblem["type"], title?: string, status?: number, detail?: string, version?: number,
 *   code?: Schemas["IllegalMoveProblem"]["code"], kind?: Schemas["IllegalMoveProblem"]["kind"], rule?: string,
 *   errors?: Schemas["FieldError"][],
 *   candidates?: string[]}} Problem
 */

const API = "/api/v1";
const SAFE = ["GET", "HEAD"];
/** Where the API knows a link of a match. */
const WITH_KEY = /^\/(matches|annotations)\/./;

/** The API has said no, or could not do it; `problem` is its document. */
export class ApiProblem extends Error {
  /** @param {number} status @param {Problem} problem */
  constructor(status, problem) {
    const text = `problem.${slugOf(problem)}`;
    const told = hasText(text) ? { ...problem, detail: t(text) } : problem;
    super(told.detail ?? told.title ?? String(status));
    this.name = "ApiProblem";
    this.status = status;
    /** As the API gave it, its detail in the reader's language where the page has a text for it. @type {Problem} */
    this.problem = told;
  }

  /** The last part of the type of the problem, such as `illegal-move`. @returns {string} */
  get slug() {
    return slugOf(this.problem);
  }

  /** Whether somebody else changed it first: a precondition that failed. @returns {boolean} */
  get isStale() {
    return this.status === 412;
  }
}

/** There was no answer. */
export class Offline extends Error {
  constructor(cause) {
    super("no answer", { cause });
    this.name = "Offline";
  }
}

/**
 * Ask the API; raise `ApiProblem` or `Offline`, or what `signal` was aborted with.
 * @param {string} path such as `/matches`
 * @param {{method?: string, body?: any, ifMatch?: string | number, idempotencyKey?: string, signal?: AbortSignal,
 *   headers?: Record<string, string>}} [how] `ifMatch` is a version or an ETag
 * @returns {Promise<{status: number, data: any, etag: string | null, headers: Headers}>}
 */
export async function ask(path, { method = "GET", body, ifMatch, idempotencyKey, signal, headers = {} } = {}) {
  const sent = { Accept: "application/json", "Accept-Language": lang, ...headers };
  if (body !== undefined) sent["Content-Type"] = "application/json";
  if (ifMatch !== undefined) sent["If-Match"] = String(ifMatch).startsWith('"') ? String(ifMatch) : `"${ifMatch}"`;
  if (idempotencyKey) sent["Idempotency-Key"] = idempotencyKey;
  if (csrf && !SAFE.includes(method)) sent["X-CSRF-Token"] = csrf;
  const response = await answered(
    address(path),
    {
      method,
      headers: sent,
      signal,
      credentials: "same-origin",
      body: body === undefined ? undefined : JSON.stringify(body),
    },
    signal,
  );
  return {
    status: response.status,
    data: await read(response),
    etag: response.headers.get("ETag"),
    headers: response.headers,
  };
}

/**
 * Send a file, and take the lines of the answer as they come; raise `ApiProblem` or `Offline`.
 * @param {string} path @param {Blob} file @param {(line: any) => void} take
 */
export async function upload(path, file, take) {
  /** @type {Record<string, string>} */
  const headers = {
    Accept: "application/x-ndjson",
    "Accept-Language": lang,
    "Content-Type": "application/octet-stream",
  };
  if (csrf) headers["X-CSRF-Token"] = csrf;
  const how = { method: "POST", headers, credentials: /** @type {const} */ ("same-origin"), body: file };
  const response = await answered(address(path), how);
  if (!response.ok || response.body === null) {
    await read(response);
    return;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch((failure) => Promise.reject(new Offline(failure)));
    const lines = (rest + (value ?? "")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(JSON.parse(line));
    if (done) return;
  }
}

/**
 * What to say of an error that a request may end with; raise any other, which is a mistake of ours.
 * @param {unknown} error @returns {Problem}
 */
export function problemOf(error) {
  if (error instanceof Offline) return { detail: t("shared.offline") };
  if (error instanceof ApiProblem) return error.problem;
  throw error;
}

/**
 * Do something that the API may refuse, and say why if it does and somebody is to know.
 * @template T @param {() => Promise<T>} act @param {(problem: any) => void} [report] @returns {Promise<T | undefined>}
 */
export async function attempt(act, report) {
  try {
    return await act();
  } catch (error) {
    const problem = problemOf(error);
    report?.(problem);
    return undefined;
  }
}

/** Everything in a list of the API, page by page. @param {string} path @returns {Promise<any[]>} */
export async function all(path) {
  const items = [];
  for (let cursor = null; ;) {
    const next =
      cursor === null ? path : `${path}${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}`;
    const { data } = await ask(next);
    items.push(...data.items);
    if (data.next === null) return items;
    cursor = data.next;
  }
}

/**
 * The whole address of a path of the API, within matches with the link by which this page was opened.
 * @param {string} path @returns {string}
 */
export function address(path) {
  const key = new URLSearchParams(location.search).get("key");
  if (key === null || !WITH_KEY.test(path)) return API + path;
  return `${API}${path}${path.includes("?") ? "&" : "?"}key=${encodeURIComponent(key)}`;
}

/** @param {string} to @param {RequestInit} how @param {AbortSignal} [signal] */
async function answered(to, how, signal) {
  try {
    return await fetch(to, how);
  } catch (failure) {
    if (signal?.aborted) throw failure;
    throw new Offline(failure);
  }
}

async function read(response) {
  const isJson = /\bjson\b/.test(response.headers.get("Content-Type") ?? "");
  const data = await text(response).then((said) => (isJson && said ? JSON.parse(said) : said || null));
  if (!response.ok) throw new ApiProblem(response.status, data !== null && typeof data === "object" ? data : {});
  return data;
}

/** The last part of the type of a problem. @param {{type?: string}} problem @returns {string} */
function slugOf({ type = "" }) {
  return type.slice(type.lastIndexOf("/") + 1);
}

async function text(response) {
  try {
    return await response.text();
  } catch (failure) {
    throw new Offline(failure);
  }
}
