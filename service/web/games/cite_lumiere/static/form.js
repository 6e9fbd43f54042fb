/**
 * How a move of La Cité de la Lumière is entered: choose a piece, tap a space, turn it by tapping it again, confirm.
 * What cannot be is said at once, with its reason, before anything is sent. What is against a rule can be laid and turned
 * all the same, marked as not allowed: OK then leads to a table ruling on exactly these spaces.
 */
import { isEqual } from "../../js/equal.js";
import { bestOn, tellGain } from "../../js/gains.js";
import { t } from "../../js/texts.js";
import {
  RIGHTS,
  bareMove,
  forbiddenOver,
  guessOver,
  keyOf,
  legalOf,
  mayPass,
  openSquares,
  optionsOver,
  placesOf,
  wantsSpace,
} from "./choices.js";
import { cellsOfSquare } from "./geometry.js";
import { cellsOf } from "./position.js";
import { ghostOf } from "./predicted.js";
import { createSheet } from "./sheet.js";

/**
 * @param {import("../../js/game.js").FormParts} parts @returns {import("../../js/game.js").Form}
 */
export function createForm({ match, board, sheet: host, edition, report, offer }) {
  /** @type {import("./choices.js").Choice|null} */
  let choice = null;
  let options = [];
  let index = 0;
  /** The options that a rule refuses stand after those that it allows; they are shown when none is allowed, or on demand. */
  let allowed = 0;
  let forbidden = [];
  let isWidened = false;
  let tapped = null;
  let wrong = null;
  let legal = null;
  /** What each of the legal moves would give, if that is to be shown. @type {import("../../js/gains.js").Gain[]|null} */
  let gains = null;
  let position = null;
  let learning = null;
  const sheet = createSheet(host, edition, { choose, pick, clear, widen });

  const nameOf = (seat) => match.nameOf(seat);
  /** Whose move it is; the match is not over as long as there is a form. */
  const seat = () => /** @type {string} */ (match.seat);
  const table = () => ({ state: match.state, seat: seat(), nameOf, edition, legal });
  const move = () => options[index] ?? bareMove(choice);
  const isForbidden = () => index >= allowed && index < options.length;

  function update() {
    const now = `${match.seat} ${match.state.ply} ${JSON.stringify(match.state.board)} ${match.state.pieces.length}`;
    if (now !== position) {
      position = now;
      legal = null;
      gains = null;
      take(null);
      learn(now);
    } else if (legal === null && learning !== now) {
      learn(now); // what waited is recorded, or the service answers again
    } else {
      learnGains(now);
    }
    show();
  }

  /** Ask what the legal moves would give; paving gives nothing. */
  async function learnGains(asked) {
    const known = legal === null ? null : ((await match.gains?.()) ?? null);
    if (asked === position && known !== gains) {
      gains = known?.length === legal?.length ? known : null;
      show();
    }
  }

  /** What a move would give, in words. */
  function told(draft) {
    const at = draft === null || gains === null ? -1 : (legal ?? []).findIndex((one) => isEqual(one, draft));
    return tellGain(gains?.[at]);
  }

  /** Ask what is legal now; in the phase of paving the board tells it. */
  async function learn(asked) {
    if (match.state.phase === "building") {
      learning = asked;
      const known = await match.legalMoves();
      learning = null;
      if (asked === position) {
        legal = known;
        choice &&= completed(choice);
        await lookAgain();
        show();
        await learnGains(asked);
      }
    }
  }

  /** Of what a tap offered before it was known what is legal, offer what is; say why if that is nothing. */
  async function lookAgain() {
    if (legal === null || options.length === 0) {
      return;
    }
    const laid = keyOf(move());
    [options, index] = [[], 0];
    if (wantsSpace(choice)) {
      lay();
      index = Math.max(
        0,
        options.findIndex((option) => keyOf(option) === laid),
      );
      await explain();
    }
  }

  /** Offer what can lie on the tapped space. */
  function lay() {
    if (choice === null) return;
    const legalOnes = optionsOver(choice, tapped, table());
    forbidden = forbiddenOver(choice, tapped, table());
    allowed = legalOnes.length;
    options = isWidened || allowed === 0 ? [...legalOnes, ...forbidden] : legalOnes;
    index = 0;
  }

  /** Offer the placements that a rule refuses too, the first of them at once; or only the allowed ones again. */
  function widen() {
    isWidened = !isWidened;
    lay();
    pick(isWidened ? allowed : 0);
  }

  function choose(next) {
    isWidened = false;
    report(null);
    take(next && completed(next));
    show();
    if (isEarlyPass()) {
      explainPass();
    }
  }

  function isEarlyPass() {
    return choice?.kind === "pass" && !mayPass(legal);
  }

  /** Say why nobody may pass yet; if it happened, it can be recorded as a ruling. */
  async function explainPass() {
    const asked = choice;
    const entry = { seat: seat(), move: bareMove(asked) };
    const { problem } = await match.check(entry);
    if (choice === asked && problem) {
      report(problem, entry);
    }
  }

  /** A choice with what goes without saying: the only building to give, and no effect where none is possible. */
  function completed(next) {
    const isUndecided = next.isDeclined === undefined;
    const effects = next.kind === "card" && !RIGHTS.has(next.card) ? legalOf(next, table()) : null;
    if (effects?.length === 0 && isUndecided && !next.take) {
      return { ...next, isDeclined: true };
    }
    const gives = new Set(effects?.map((effect) => effect.give));
    return next.card === "levitation" && gives.size === 1 ? { ...next, give: [...gives][0] } : next;
  }

  function take(next) {
    choice = next;
    [options, index, allowed, forbidden, tapped, wrong] = [[], 0, 0, [], null, null];
  }

  function clear() {
    choose(null);
  }

  /** One of the ways that a tap left open, such as where a statue looks. */
  function pick(at) {
    index = at;
    show();
    report(null);
    explain();
  }

  function turn() {
    pick((index + 1) % options.length);
  }

  async function tap(/** @type {import("../../js/game.js").Tap} */ { place: cell }) {
    if (cell === undefined || !wantsSpace(choice)) {
      return;
    }
    report(null);
    wrong = null;
    if (isTappedAgain(cell)) {
      turn();
      return;
    }
    tapped = cell;
    lay();
    show();
    await explain();
  }

  /** Say why what is laid is not allowed, or why nothing can lie on the tapped space. */
  async function explain() {
    if (options.length === 0) {
      await refuse(tapped);
    } else if (isForbidden()) {
      const laid = move();
      const entry = { seat: seat(), move: laid };
      const { problem } = await match.check(entry);
      if (options[index] === laid) {
        report(problem ?? null, entry);
      }
    }
  }

  /** Whether a tap is meant to turn what lies there; on a tile, each space has a meaning of its own. */
  function isTappedAgain(cell) {
    return options.length > 0 && (choice?.kind === "pave" ? cell === tapped : cellsOf(options[index]).includes(cell));
  }

  /** Say why nothing can be done with a space. */
  async function refuse(cell) {
    const asked = choice;
    const meant = guessOver(choice, cell, table());
    const entry = meant && { seat: seat(), move: meant };
    const nowhere = { legal: false, problem: { detail: t("cite-lumiere.no_room") } };
    const { legal: isLegal, problem } = entry ? await match.check(entry) : nowhere;
    if (choice !== asked || tapped !== cell) {
      return;
    }
    if (isLegal) {
      options = [meant];
    } else {
      wrong = meant ? cellsOf(meant) : [cell];
      report(problem, entry);
    }
    show();
  }

  function show() {
    const draft = move();
    const gain = told(draft);
    sheet.show({ choice, options, index, draft, gain, isPossible: isPossible(), widening: widening(), ...table() });
    board.draw(match.state, { ghosts: ghosts(draft) });
    const isTurnable = options.length > 1;
    offer(
      choice && {
        act: draft && !isEarlyPass() && (() => match.submit({ seat: seat(), move: draft })),
        turn: isTurnable ? { act: turn, label: t("cite-lumiere.turn") } : null,
        clear,
      },
    );
  }

  /** Whether placements that are not allowed can be asked for, and are; null where there is nothing to ask. */
  function widening() {
    return allowed > 0 && forbidden.length > 0 ? isWidened : null;
  }

  function ghosts(draft) {
    if (wrong) {
      return [{ kind: "wrong", cells: wrong }];
    }
    const ghost = draft && ghostOf(seat(), draft);
    if (ghost) {
      return [isForbidden() ? { ...ghost, isForbidden: true } : ghost];
    }
    if (choice?.kind === "pave") {
      return openSquares(match.state).map((square) => ({ kind: "square", cells: cellsOfSquare(square) }));
    }
    return choice ? [{ kind: "places", cells: placesOf(choice, table()), best: bestOnPlaces() }] : [];
  }

  /** What the chosen piece would give on each space at best. */
  function bestOnPlaces() {
    const mine = new Set(choice === null ? [] : legalOf(choice, table()));
    return bestOn(legal ?? [], gains, (one) => (mine.has(one) ? cellsOf(one) : []));
  }

  /** Whether the engine knows a place for the choice. */
  function isPossible() {
    const isLaid = choice !== null && ["build", "card"].includes(choice.kind);
    return legal === null || !isLaid || legalOf(choice, table()).length > 0;
  }

  return {
    update,
    tap,
    dispose() {
      take(null);
      position = null;
      offer(null);
      host.replaceChildren();
    },
  };
}
