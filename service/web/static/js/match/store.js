/**
 * A match as all parts of its page see it: the document, where it stands, its frames, and the moves that this device adds.
 *
 * The page comes with the first frame. Frames are loaded once, when somebody looks for them, and then only those that are
 * new; one request follows the other, so that no older answer comes last.
 *
 * Every move gets its idempotency key before it is first sent and is kept on the device until it is answered, so that
 * it is recorded once whatever breaks. It names the version that it follows, so that two phones do not record one move
 * twice. A page with a match needs the texts of the area `sync`.
 */

/** @import { Edition, Frame, LogLine, Match, MatchResult, Move, Seat, State } from "../../../types/api.js" */

import { ApiProblem, Offline, ask, attempt, problemOf } from "../api.js";
import { isEqual } from "../equal.js";
import { newKey } from "../keys.js";
import { askToPersist, forgetSeen, forgetWaiting, keepSeen, keepWaiting, lastSeen, waitingOf } from "../outbox.js";
import { lang, page, t } from "../texts.js";
import { Stream } from "./changes.js";

const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 20000;
const UNKNOWN = 401;
const NOT_ALLOWED = 403;
const STALE = 412;
const TOO_MANY = 429;
/** The statuses that say that the match may not be read, or no longer. */
const REFUSED = [401, 403, 404, 410];
const KEY_REUSED = "key-reused";

/**
 * @typedef {{seat: Seat, move: Move, ruling?: {reason: string}, entered_at?: string}} Entry
 * @typedef {import("../api.js").Problem} Problem
 * @typedef {import("../outbox.js").Waiting} Waiting
 * @typedef {{accepted: true, waiting?: undefined, problem?: undefined}
 *   | {accepted: false, waiting?: undefined, problem: Problem}
 *   | {waiting: true, accepted?: undefined, problem?: undefined}} Outcome
 * @typedef {{entry: Entry|null, problem: Problem, lines: LogLine[], judgement: Judged | null, isRecorded: boolean}} Stale
 * @typedef {{ply: number, seat: Seat, move: Move | null, text?: string | null}} LastMove
 * @typedef {{legal: boolean, state?: State | null, problem?: Problem, text?: string | null}} Judged
 * `Stale` is what came in between: lines of the log in sentences, and whether the entry still fits or is among them.
 */

/**
 * Events: `change` for whatever is to be drawn again, `annotations` when notes may have changed, `stale` with what came
 * in between, and `gone` when the right to read was lost.
 */
export class Store extends EventTarget {
  /** @type {Waiting[]} */
  #queue = [];
  /** What resolves the submission of a move, by its key. @type {Map<string, (outcome: Outcome) => void>} */
  #awaited = new Map();
  /** @type {Waiting | null} */
  #mended = null;
  /** @type {Promise<void> | null} */
  #flushing = null;
  /** @type {Promise<void> | null} */
  #reloading = null;
  #heard = 0;
  /** @type {Stream | null} */
  #stream = null;
  #pause = FIRST_PAUSE;
  /** @type {number | undefined} */
  #retry;
  /** @type {{version: number, moves: Promise<Move[]>} | null} */
  #legal = null;
  /** @type {{version: number, points: Promise<import("../gains.js").Gain[] | null>} | null} */
  #gains = null;
  /** @type {{version: number, answer: Promise<MatchResult>} | null} */
  #result = null;
  #wantsLegal = false;
  #isQueueRead = false;
  /** Whether somebody looks at frames, and the first one that may be out of date. */
  #wantsFrames = false;
  #staleFrom = Infinity;
  #areNotesStale = false;
  /** Whether what is shown was compared with the service since the page was made. */
  #isConfirmed = false;
  /** Has the service begin a match that was begun on this device. @type {(() => Promise<Match>) | null} */
  #beginThere = null;
  #isBeginning = false;

  /**
   * A match as it came with its page.
   * @param {string} id @param {Match} document as the API answers it @param {Edition} edition @param {Frame} head its last frame
   */
  constructor(id, document, edition, head) {
    super();
    this.id = id;
    this.document = document;
    this.edition = edition;
    /** @type {State | null} */
    this.state = head.state;
    /** The last recorded move; its sentence if the service told it. @type {LastMove | null} */
    this.lastMove = lastMoveOf(head);
    /** All frames, by ply; null until somebody has looked for them. @type {Frame[] | null} */
    this.frames = null;
    this.isLive = false;
    /** Whether the network was found to be away; a page that has only just begun to follow is neither. */
    this.isLost = false;
    this.isGone = false;
    /** Whether what is shown was kept on this device and could not be asked for anew. */
    this.isRemembered = false;
    /** What the reader may do, as `GET /matches/{id}/rights` answers it. @type {string[]} */
    this.rights = page.rights;
    /** Why the service did not begin a match that was begun on this device. @type {Problem | null} */
    this.unbegun = null;
    /** Whether the device stores what waits; else it is lost with the page. */
    this.isStored = true;
  }

  get game() {
    return this.document.game;
  }

  /** The last ply; where the rules have changed, the last one that they take. */
  get ply() {
    return this.lastMove?.ply ?? 0;
  }

  /** Whether the reader has a right on the match. @param {"record"|"annotate"|"manage"} right */
  may(right) {
    return this.rights.includes(right);
  }

  get version() {
    return this.document.version;
  }

  /**
   * Moves of this device that are not recorded yet and lie on the board; none while one of them is mended. Once more is
   * recorded than they follow, the first of them may be among it: only those after it are known to lie there.
   */
  get waiting() {
    const { unsent } = this;
    if (this.#mended !== null) return [];
    if (unsent.length === 0 || unsent[0].problem !== null) return unsent;
    const recorded = this.version - unsent[0].expected;
    const last = unsent[recorded - 1];
    return recorded === 0 || (last && isEqual(last.move, this.lastMove?.move)) ? unsent.slice(recorded) : [];
  }

  /** All moves of this device that were not recorded yet. @returns {Waiting[]} */
  get unsent() {
    return this.#queue.filter((item) => !this.#awaited.has(item.key));
  }

  /** What waits as text, for who wants to save it elsewhere: one entry a line, with the moment of its tap. @returns {string} */
  get unsentAsText() {
    return this.unsent.map((item) => `${JSON.stringify(wired(item))}\n`).join("");
  }

  /** The waiting move that the next submitted one replaces. @returns {Waiting|null} */
  get mended() {
    return this.#mended;
  }

  /** Whether the service does not know the match yet. */
  get isBegunHere() {
    return this.#beginThere !== null;
  }

  /**
   * Show a match that was begun on this device and let its moves wait; `begun` tells its id once the service has begun it.
   * @param {() => Promise<Match>} beginThere
   */
  async beginHere(beginThere) {
    this.#beginThere = beginThere;
    await this.#readQueue();
    askToPersist();
    addEventListener("online", () => this.#wake());
    await this.#begin();
  }

  /** Have the service begin the match, by one request after the other; moves that are entered meanwhile follow it. */
  async #begin() {
    if (this.#isBeginning) {
      this.#pause = FIRST_PAUSE; // what is under way may fail because it was sent before the network came back
      return;
    }
    this.#isBeginning = true;
    const begin = /** @type {() => Promise<Match>} */ (this.#beginThere);
    try {
      const { id } = await begin();
      this.#beginThere = null;
      this.id = id;
      for (const item of this.#queue) await this.#keep(Object.assign(item, { matchId: id }));
      this.dispatchEvent(new CustomEvent("begun", { detail: id }));
    } catch (error) {
      if (isAway(error)) {
        this.#lose();
        this.#tryLater();
      } else if (error instanceof ApiProblem) {
        this.unbegun = error.problem;
        this.#changed();
      } else throw error;
    } finally {
      this.#isBeginning = false;
    }
  }

  /** Follow the match. Without network it is as this device last saw it. */
  async begin() {
    const [seen] = await Promise.all([lastSeen(this.id), this.#readQueue()]);
    if (seen !== undefined && seen.document.version >= this.version) this.#recall(seen);
    this.#remember();
    this.#follow();
    addEventListener("online", () => this.#wake());
    addEventListener("offline", () => this.#lose());
    document.addEventListener("visibilitychange", () =>
      document.visibilityState === "visible" ? this.#sendWaiting() : this.#rest(),
    );
    this.flush();
  }

  /** All frames, loaded if they are not yet; raise `ApiProblem` or `Offline`. @returns {Promise<Frame[]>} */
  async loadFrames() {
    this.#wantsFrames = true;
    if (this.frames === null) await this.#loading();
    return /** @type {Frame[]} */ (/** @type {unknown} */ (this.frames));
  }

  /**
   * How a finished match ended, asked once for each version unless it is asked anew; raise `ApiProblem` or `Offline`.
   * @returns {Promise<MatchResult>}
   */
  loadResult({ anew = false } = {}) {
    const { id, version } = this;
    if (anew || this.#result?.version !== version) {
      const answer = ask(`/matches/${id}/result`).then(({ data }) => data);
      this.#result = { version, answer };
      answer.catch(() => this.#result?.answer === answer && (this.#result = null));
    }
    return /** @type {{answer: Promise<MatchResult>}} */ (this.#result).answer;
  }

  /** Fetch the notes on the frames anew. */
  async reloadNotes() {
    this.#areNotesStale = true;
    if (this.frames === null) return;
    // What is under way comes to the notes at its end.
    this.#reloading ??= this.#loadNotes().finally(() => (this.#reloading = null));
    await this.#reloading.catch((error) => this.#failed(error));
    if (this.#heard > this.version) await this.reload();
    this.#changed();
  }

  /** Take up the moves that wait on the device. They are read again later if that does not work now. */
  async #readQueue() {
    try {
      const known = new Set(this.#queue.map(({ key }) => key));
      const stored = (await waitingOf(this.id)).filter(({ key }) => !known.has(key));
      this.#queue = [...stored, ...this.#queue];
      this.#isQueueRead = true;
      this.isStored = true;
    } catch {
      this.isStored = false;
    }
  }

  /** Keep a move on the device, and note whether it could be. */
  async #keep(item) {
    this.isStored = await keepWaiting(item);
  }

  /**
   * Record a move. Without network it waits; while a waiting move is mended, it takes that one's place.
   * @param {Entry} entry
   * @returns {Promise<Outcome>}
   */
  async submit(entry) {
    if (this.#mended !== null) return this.#replace(this.#mended, entry);
    const last = this.#queue.at(-1);
    const item = {
      ...wired(entry),
      entered_at: new Date().toISOString(),
      key: newKey(),
      matchId: this.id,
      order: (last?.order ?? 0) + 1,
      expected: last === undefined ? this.version : last.expected + 1,
      problem: null,
    };
    this.#queue.push(item);
    /** @type {Promise<Outcome>} */
    const outcome = new Promise((resolve) => this.#awaited.set(item.key, resolve));
    await this.#keep(item);
    this.flush();
    return outcome;
  }

  /**
   * Take back the last move: a waiting one if there is any, else the last one recorded. `redo` brings it back.
   * @returns {Promise<{accepted: true, undone: Pick<Entry, "seat"> & {move: Move | null} | null, redo: () => Promise<any>} | {accepted: false, problem: Problem}>}
   */
  async undo() {
    const last = this.unsent.at(-1);
    if (last !== undefined) {
      const dropped = await this.drop(last.key);
      return { accepted: true, undone: last, redo: () => this.bringBack(dropped) };
    }
    const { version, lastMove } = this;
    const outcome = await this.write("undo", { to_ply: this.document.ply - 1 });
    if (!outcome.accepted) return outcome;
    const since = outcome.data.version;
    return { accepted: true, undone: lastMove, redo: () => this.write("restore", { version }, "POST", since) };
  }

  /**
   * Change what was recorded: undo, restore, correct, seat people. What comes in between is told by `stale`.
   * @param {string} act the last part of the address, such as `restore` @param {object} body @param {string} [method]
   * @param {number} [since] the version that is to be changed
   * @returns {Promise<{accepted: true, data: any} | {accepted: false, problem: Problem}>}
   */
  async write(act, body, method = "POST", since = this.version) {
    const idempotencyKey = method === "POST" ? newKey() : undefined;
    try {
      const path = `/matches/${this.id}/${act}`;
      // Hiding stands outside the log, and goes whatever else of the match was changed meanwhile.
      const ifMatch = act === "withdraw" ? undefined : since;
      const { data } = await ask(path, { method, body, ifMatch, idempotencyKey });
      this.#heard = data.version;
      this.#staleFrom = Math.min(this.#staleFrom, firstChanged(act, body, this.document));
      await this.reload();
      return { accepted: true, data };
    } catch (error) {
      if (isAway(error)) return { accepted: false, problem: { detail: t("sync.undo_away") } };
      if (!(error instanceof ApiProblem)) throw error;
      if (error.status === STALE) await this.#tellStale(null, error.problem, since);
      if (error.status === UNKNOWN || error.status === NOT_ALLOWED) this.#learnRights();
      return { accepted: false, problem: error.problem };
    }
  }

  /**
   * Whether a move would be recorded now. Without network everything is believed.
   * @param {Entry} entry
   * @returns {Promise<Judged>}
   */
  async check(entry) {
    return this.#judge(wired(entry));
  }

  /** What each of the legal moves would give. @returns {Promise<import("../gains.js").Gain[] | null>} */
  async gains() {
    const { version } = this;
    if (this.isBegunHere) return null;
    if (this.#gains?.version !== version) {
      const points = ask(`/matches/${this.id}/legal-moves?include=points&lang=${lang}`).then(
        ({ data }) => data.points,
        () => null,
      );
      this.#gains = { version, points };
    }
    const { points } = this.#gains;
    return (await points) && this.version === version ? points : null;
  }

  /**
   * What may be done now; null when it is not known.
   * @returns {Promise<Move[]|null>}
   */
  async legalMoves() {
    this.#wantsLegal = true;
    if (this.isBegunHere) return null;
    let legal = this.#legal;
    if (legal === null || legal.version !== this.version) {
      const moves = ask(`/matches/${this.id}/legal-moves`).then(({ data }) => data.moves);
      legal = { version: this.version, moves };
      this.#legal = legal;
      moves.then(
        () => this.#remember(),
        () => this.#legal?.moves === moves && (this.#legal = null),
      );
    }
    try {
      return await legal.moves;
    } catch (error) {
      if (isAway(error)) return null;
      throw error;
    }
  }

  /** Fetch what is out of date; what cannot be fetched now is fetched later. */
  reload() {
    return this.#loading().catch((error) => this.#failed(error));
  }

  /** One request for the match follows the other. */
  #loading() {
    this.#reloading ??= this.#loadAll().finally(() => (this.#reloading = null));
    return this.#reloading;
  }

  /** Let the next submitted move replace a waiting one; null to leave it as it is. @param {string|null} key */
  mend(key) {
    this.#mended = this.#queue.find((item) => item.key === key) ?? null;
    this.#changed();
  }

  /**
   * Give up waiting moves: one, or all of them.
   * @param {string} [key] @returns {Promise<Waiting[]>} what was given up, for `bringBack`
   */
  async drop(key) {
    const dropped = this.unsent.filter((item) => key === undefined || item.key === key);
    if (this.#mended !== null && dropped.includes(this.#mended)) this.#mended = null;
    this.#queue = this.#queue.filter((item) => !dropped.includes(item));
    for (const item of dropped) await forgetWaiting(item.key);
    await this.goOn();
    return dropped;
  }

  /** Let moves wait again that were given up. @param {Waiting[]} dropped */
  async bringBack(dropped) {
    this.#queue = [...this.#queue, ...dropped].sort((one, other) => one.order - other.order);
    await this.goOn();
  }

  /** Record a waiting move that was refused as a table ruling. @param {string} key @param {string} reason */
  rule(key, reason) {
    const item = this.#queue.find((waiting) => waiting.key === key);
    return item && this.#replace(item, { seat: item.seat, move: item.move, ruling: { reason } });
  }

  /** Send what waits, after what is recorded now. */
  async goOn() {
    for (const [index, item] of this.#queue.entries()) {
      item.expected = this.version + index;
      item.problem = null;
      await this.#keep(item);
    }
    this.#changed();
    await this.flush();
  }

  /**
   * What came in between for moves that wait since an earlier version.
   * @returns {Promise<Stale|null>}
   */
  async difference() {
    const [first] = this.#queue;
    if (first?.problem?.status !== STALE) return null;
    const [lines, judgement] = await Promise.all([this.#linesSince(first.expected), this.#judge(first)]);
    return { entry: first, problem: first.problem, lines, judgement, isRecorded: isAmong(first, lines) };
  }

  /** Send what waits, in order; the first one that is refused holds up the rest. */
  flush() {
    this.#flushing ??= this.#sendAll().finally(() => {
      this.#flushing = null;
      if (this.#awaited.size > 0) this.flush(); // submitted after the last one was sent
    });
    return this.#flushing;
  }

  async #sendAll() {
    while (!this.isBegunHere && this.#queue.length > 0 && this.#queue[0].problem === null) {
      const [item] = this.#queue;
      try {
        await this.#send(item);
      } catch (error) {
        if (isAway(error)) {
          this.#lose();
          this.#tryLater();
          break;
        }
        if (!(error instanceof ApiProblem)) throw error;
        await this.#refused(item, error.problem);
      }
    }
    this.#letWait();
    if (this.#heard > this.version || (this.frames !== null && this.#staleFrom < Infinity)) await this.reload();
  }

  async #send(item) {
    try {
      const { data } = await this.#post(item);
      this.#pause = FIRST_PAUSE;
      await this.#settle(item, { accepted: true }, () => this.#advance(data, item));
      await this.#follows(data.version);
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.slug !== KEY_REUSED) throw error;
      await this.#resolveReusedKey(item);
    }
  }

  /** Let the next waiting move follow the one just sent, even if the page has seen that one recorded before. */
  async #follows(version) {
    const [next] = this.#queue;
    if (next === undefined || next.expected === version) return;
    next.expected = version;
    await this.#keep(next);
  }

  /**
   * The service has recorded something under this key, but does not take this request for the same. If the log has the
   * move where it was to be, it is done; else it is sent under another key, and `If-Match` keeps it from being doubled.
   */
  async #resolveReusedKey(item) {
    const { data } = await ask(`/matches/${this.id}/log?after=${item.expected}&limit=1`);
    if (isAmong(item, data.items)) {
      this.#staleFrom = 0;
      await this.#loading();
      await this.#settle(item, { accepted: true });
      await this.#follows(item.expected + 1);
      return;
    }
    await forgetWaiting(item.key);
    const outcome = this.#awaited.get(item.key);
    this.#awaited.delete(item.key);
    item.key = newKey();
    if (outcome !== undefined) this.#awaited.set(item.key, outcome);
    await this.#keep(item);
  }

  async #settle(item, outcome, act) {
    await forgetWaiting(item.key);
    this.#queue = this.#queue.filter((waiting) => waiting.key !== item.key);
    act?.();
    this.#awaited.get(item.key)?.(outcome);
    this.#awaited.delete(item.key);
    this.#changed();
  }

  async #refused(item, problem) {
    if (item.entered_at !== undefined && problem.errors?.some(({ pointer }) => pointer === "/entered_at")) {
      delete item.entered_at; // the clock of this device is wrong; nothing is stored under the key of a refused move
      await this.#keep(item);
      return;
    }
    if (problem.status === STALE) await this.#catchUp(problem);
    if (problem.status === UNKNOWN || problem.status === NOT_ALLOWED) this.#learnRights();
    if (this.#awaited.has(item.key)) {
      if (problem.status === STALE) await this.#tellStale(item, problem, item.expected);
      await this.#settle(item, { accepted: false, problem });
      return;
    }
    item.problem = problem;
    await this.#keep(item);
    this.#changed();
  }

  /** Tell those who have submitted what could not be sent that it waits. */
  #letWait() {
    if (this.#awaited.size === 0) return;
    askToPersist();
    for (const resolve of this.#awaited.values()) resolve({ waiting: true });
    this.#awaited.clear();
    this.#changed();
  }

  /** @param {Waiting} item @param {Entry} entry @returns {Promise<Outcome>} */
  async #replace(item, entry) {
    const at = this.#queue.indexOf(item);
    const { matchId, order, expected, entered_at } = item;
    const next = { ...wired({ ...entry, entered_at }), key: newKey(), matchId, order, expected, problem: null };
    this.#mended = null;
    this.#queue[at] = next;
    await forgetWaiting(item.key);
    await this.goOn();
    const refused = this.#queue.find((waiting) => waiting.key === next.key);
    if (refused === undefined) return { accepted: true };
    return refused.problem === null ? { waiting: true } : { accepted: false, problem: refused.problem };
  }

  async #catchUp({ version }) {
    this.#heard = Math.max(this.#heard, version);
    await this.reload();
  }

  async #tellStale(entry, problem, since) {
    await this.#catchUp(problem);
    const [lines, judgement] = await Promise.all([this.#linesSince(since), entry && this.#judge(wired(entry))]);
    const isRecorded = entry !== null && isAmong(entry, lines);
    const detail = { entry: entry && wired(entry), problem, lines, judgement, isRecorded };
    this.dispatchEvent(new CustomEvent("stale", { detail }));
  }

  async #linesSince(version) {
    try {
      const { data } = await ask(`/matches/${this.id}/log?after=${version}&limit=200`);
      return data.items;
    } catch (error) {
      if (isAway(error)) return [];
      throw error;
    }
  }

  async #judge(entry) {
    if (this.isBegunHere) return { legal: true };
    try {
      const { data } = await ask(`/matches/${this.id}/moves/check`, { method: "POST", body: wired(entry) });
      return data;
    } catch (error) {
      if (isAway(error)) return { legal: true };
      return { legal: false, problem: problemOf(error) };
    }
  }

  /** Ask what the reader may do; it may have changed since the page was made. */
  async #learnRights() {
    await attempt(async () => {
      const { data } = await ask(`/matches/${this.id}/rights`);
      this.rights = data.rights;
      this.#changed();
    });
  }

  #post(item) {
    const path = `/matches/${this.id}/moves${this.#wantsLegal ? "?include=legal_moves" : ""}`;
    return ask(path, { method: "POST", body: wired(item), ifMatch: item.expected, idempotencyKey: item.key });
  }

  async #loadAll() {
    do await this.#load();
    while (this.#heard > this.version || (this.#wantsFrames && this.frames === null));
    if (this.#areNotesStale) await this.#loadNotes();
    this.#changed();
  }

  async #load() {
    const isOther = this.#wantsFrames ? await this.#loadFrames() : await this.#loadHead();
    this.#isConfirmed = true;
    this.isRemembered = false;
    if (isOther && this.#wantsLegal) await this.legalMoves();
    this.#remember();
  }

  /** The match and its last frame, both of one version; whether they are other ones than before. */
  async #loadHead() {
    for (;;) {
      const { data: match } = await ask(`/matches/${this.id}`);
      if (match.version === this.version) {
        this.document = match;
        return false;
      }
      const { data: frame, etag } = await ask(`/matches/${this.id}/state`);
      if (!etag?.startsWith(`"${match.version}-`)) continue;
      this.#take(match, frame);
      return true;
    }
  }

  /** The match and those of its frames that may be out of date; whether they are other ones than before. */
  async #loadFrames() {
    let from = this.frames === null ? 0 : this.#staleFrom;
    if (from === Infinity) {
      const { data: match } = await ask(`/matches/${this.id}`);
      if (match.version === this.version) {
        this.document = match;
        return false;
      }
      from = 0;
    }
    this.#staleFrom = Infinity;
    try {
      const { data } = await ask(`/matches/${this.id}/replay${from ? `?from=${from}` : ""}`);
      const known = this.frames?.slice(0, Math.min(from, data.match.ply + 1)) ?? [];
      const isOther = data.match.version !== this.version;
      this.frames = [...known, ...data.frames];
      this.#take(data.match, this.frames[this.frames.length - 1]);
      if (this.#heard < this.version) this.#heard = this.version;
      return isOther;
    } catch (error) {
      this.#staleFrom = Math.min(this.#staleFrom, from);
      throw error;
    }
  }

  async #loadNotes() {
    this.#areNotesStale = false;
    if (this.frames === null) return;
    const { data } = await ask(`/matches/${this.id}/replay?fields=ply,annotations`);
    const found = new Map(data.frames.map(({ ply, annotations }) => [ply, annotations]));
    this.frames = this.frames.map((frame) => ({ ...frame, annotations: found.get(frame.ply) ?? [] }));
  }

  #take(match, frame) {
    // Boards and forms of a page are made from the edition, so with another one the page begins anew.
    if (this.edition.id !== match.edition) location.reload();
    this.document = match;
    this.state = frame.state;
    this.lastMove = lastMoveOf(frame);
  }

  #advance(position, entry) {
    const { state, legal_moves: legal, ...where } = position;
    if (where.version < this.version) return;
    Object.assign(this.document, where);
    this.state = state;
    this.lastMove = entry && { ply: where.ply, seat: entry.seat, move: entry.move };
    this.#legal = legal === undefined ? null : { version: where.version, moves: Promise.resolve(legal) };
    this.isRemembered = false;
    this.#addFrame(where.ply, entry, state);
    this.#remember();
  }

  /** A frame of a move just recorded, until the service tells all of it. */
  #addFrame(ply, { seat, move, ruling = null }, state) {
    if (this.frames === null) return;
    this.#staleFrom = Math.min(this.#staleFrom, ply);
    const frame = { ply, seq: null, recorded_at: null, seat, move, ruling, text: null, state, annotations: [] };
    this.frames = [...this.frames.slice(0, ply), /** @type {any} */ (frame)];
  }

  async #remember() {
    const { id, document: match, edition, state, lastMove } = this;
    const known = this.#legal?.version === match.version ? this.#legal : null;
    const legal = known && (await known.moves.catch(() => null));
    if (!this.isGone) await keepSeen({ id, document: match, edition, state, lastMove, legal, rights: this.rights });
  }

  /** Take a match as this device last saw it. */
  #recall({ document: match, edition, state, lastMove, legal }) {
    Object.assign(this, { document: match, edition, state, lastMove });
    if (legal !== null) this.#legal = { version: this.version, moves: Promise.resolve(legal) };
  }

  #follow() {
    const stream = new Stream(`/matches/${this.id}/stream`);
    this.#stream = stream;
    stream.addEventListener("open", () => this.#found());
    stream.addEventListener("reopen", () => {
      this.#areNotesStale = true;
      this.#found();
    });
    stream.addEventListener("open", () => stream.addEventListener("open", () => this.#learnRights()), { once: true });
    stream.addEventListener("changed", (event) => {
      this.#hear(JSON.parse(/** @type {MessageEvent} */ (event).data));
    });
    stream.addEventListener("details", () => {
      this.reload();
      this.#learnRights();
    });
    stream.addEventListener("annotations", () => {
      this.dispatchEvent(new Event("annotations"));
      if (this.frames !== null) this.reloadNotes();
    });
    stream.addEventListener("gone", () => this.#end());
    stream.addEventListener("error", () => {
      this.#lose();
      if (stream.isBroken) this.#tryLater();
    });
  }

  #hear({ version, from_ply: from }) {
    this.#heard = version;
    if (version !== this.version) this.#staleFrom = Math.min(this.#staleFrom, from);
    if (this.#flushing === null && version !== this.version) this.reload();
  }

  async #found() {
    this.#pause = FIRST_PAUSE;
    this.isLive = true;
    this.isLost = false;
    this.#changed();
    // What happened before the stream was there is not told by it.
    await this.reload();
    this.flush();
  }

  #lose() {
    if (this.isLost) return;
    this.isLive = false;
    this.isLost = true;
    this.isRemembered = !this.#isConfirmed;
    this.#changed();
  }

  /** Look for the network: by the stream, which sends what waits once it is open, or by sending that at once. */
  #wake() {
    if (this.isBegunHere) {
      this.#begin();
      return;
    }
    const { hasPlace = false, isOpen = false } = this.#stream ?? {};
    const isFollowed = isOpen && this.isLive;
    if (!isFollowed) this.#stream?.connect();
    if (!hasPlace || isFollowed || !this.#isQueueRead) this.#sendWaiting();
  }

  async #sendWaiting() {
    if (!this.#isQueueRead) await this.#readQueue();
    this.flush();
  }

  /** A hidden page is not told of changes. */
  #rest() {
    this.isLive = false;
    this.#changed();
  }

  #tryLater() {
    if (this.isGone) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#wake(), this.#pause);
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
  }

  /** The right to read was lost: nothing stays on the device, and only then the page says so and may be left. */
  async #end() {
    this.#stream?.end();
    clearTimeout(this.#retry);
    this.isGone = true;
    this.isLive = false;
    await forgetSeen(this.id);
    this.dispatchEvent(new Event("gone"));
    this.#changed();
  }

  async #failed(error) {
    if (error instanceof ApiProblem && REFUSED.includes(error.status)) {
      await this.#end();
      return;
    }
    if (!isAway(error)) throw error;
    this.#lose();
    this.#tryLater();
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}

/** Whether an error says that nobody answers now and that it is worth asking again. */
function isAway(error) {
  if (error instanceof ApiProblem) return error.status >= 500 || error.status === TOO_MANY;
  return error instanceof Offline;
}

/** An entry as it is sent. @param {Entry} entry @returns {Entry} */
function wired({ seat, move, ruling, entered_at }) {
  return {
    seat,
    move,
    ...(ruling === undefined ? {} : { ruling }),
    ...(entered_at === undefined ? {} : { entered_at }),
  };
}

function isAmong(entry, lines) {
  return lines.some((line) => line.came.some((came) => came.seat === entry.seat && isEqual(came.move, entry.move)));
}

function lastMoveOf({ ply, seat, move, text }) {
  return seat === null ? null : { ply, seat, move, text };
}

/** The first ply that an act changes, as far as it is known before the service tells. */
function firstChanged(act, body, { ply }) {
  if (act === "undo") return body.to_ply + 1;
  return ["abandon", "players", "reopen", "withdraw"].includes(act) ? ply : 0;
}
