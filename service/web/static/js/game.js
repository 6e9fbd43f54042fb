/**
 * What the pages know of a game. Each has one module, `games/<id>/index.js`, that exports a `Game`: all of its functions
 * are there, whatever page asks. What takes the match is at hand at once; what only some pages need is loaded when it is
 * asked for.
 */

/** @import { Edition } from "../../types/api.js" */

import { files } from "./texts.js";

/**
 * A move and who makes it.
 * @typedef {{seat: string, move: any}} Entry
 *
 * What is not on the board but shown there: places that can be chosen, what waits for the network, what cannot be, and a
 * move before it is confirmed. The kinds are the game's own, but for `waiting`. `points` is what it would give.
 * @typedef {{kind: string, cells?: string[], points?: number, [member: string]: any}} Ghost
 *
 * What a board shows besides a position. `lastMove` is outlined; `marks` are those of a note; `light` is where points come
 * from. With `isTappable` places can be tapped, which they can by default if the board has an `onTap`. `hands` are the seats
 * whose screens are open; without it there is nothing to see of what is behind screens, as for those who watch a match that
 * goes on. `gains` are the points that a tap on a place would give.
 * @typedef {{lastMove?: any, ghosts?: Ghost[], marks?: {cell: string, kind: string}[], isTappable?: boolean, view?: string,
 *   light?: {cells: string[], sources: string[]} | null, hands?: string[] | null, gains?: Record<string, number>}} Shown
 *
 * A tap on a place, on what opens a part of a board that has not all in sight, or on the screen of a seat.
 * @typedef {{place?: string, view?: string, hand?: string}} Tap
 *
 * Points and where they come from, as the API tells them.
 * @typedef {{points: number, cells: string[], sources: string[]}} ScoreItem
 *
 * A board. It is as wide as its host, and no higher than the property `--board-height` says; what moved since the last
 * drawing moves on it, unless motion is reduced. `celebrate` shows once what gave the points of a match that is over, the
 * fewest first, and goes on while the same position is drawn anew; without motion it shows nothing. Nothing listens any
 * more after `dispose`.
 * @typedef {object} Board
 * @property {(state: any, shown?: Shown) => void} draw
 * @property {(place?: string) => void} focus
 * @property {(items: ScoreItem[]) => Promise<void>} celebrate
 * @property {() => void} dispose
 *
 * @typedef {object} BoardOptions
 * @property {Edition | any} edition
 * @property {(seat: string) => string} [nameOf] whose seat it is
 * @property {((tap: Tap) => void) | null} [onTap]
 *
 * The match as a form sees it. `seat` is whose move is entered; `legalMoves` are null while nobody knows them.
 * @typedef {object} Source
 * @property {any} state
 * @property {string | null} seat
 * @property {(seat: string) => string} nameOf
 * @property {() => Promise<any[] | null>} legalMoves
 * @property {() => Promise<import("./gains.js").Gain[] | null>} [gains] what each of the legal moves would give; null where
 *   that is not known or not to be shown
 * @property {(entry: Entry) => Promise<any>} check
 * @property {(entry: any) => Promise<any>} submit
 *
 * What the confirming button does, and what is on it; what the one beside it does; and how undo takes back what is chosen
 * and not confirmed.
 * @typedef {{act?: (() => any) | null | false, label?: string, turn?: {act: () => void, label: string} | null,
 *   clear?: () => void}} Action
 *
 * What a form is given. `report` says why something is refused, and with null takes that back; `offer` says what can be
 * done now, with null nothing. Without a `hand` nobody sees what is behind the screens.
 * @typedef {object} FormParts
 * @property {Source} match
 * @property {Pick<Board, "draw" | "focus">} board
 * @property {HTMLElement} sheet
 * @property {HTMLElement | null} [hand]
 * @property {Edition | any} edition
 * @property {(problem: any, entry?: any) => void} report
 * @property {(action: Action | null) => void} offer
 *
 * How a move is entered.
 * @typedef {{update: () => any, tap: (tap: Tap) => any, dispose: () => void}} Form
 *
 * @typedef {object} SetupOptions
 * @property {Edition | any} edition
 * @property {string[]} seats
 * @property {any} [initial]
 * @property {boolean} [asksFirst] false if who begins is asked elsewhere
 * @property {() => void} [onChange]
 *
 * What is decided before the first move.
 * @typedef {{value: () => any, isComplete: () => boolean}} Setup
 *
 * Features in groups that are compared with each other, a first move in words, and what the board shows after some.
 * @typedef {object} Statistics
 * @property {(features: string[]) => {title: string, features: {feature: string, name: string}[]}[]} featureGroups
 * @property {(move: any, start: any) => string} nameOfMove
 * @property {(start: any, steps: Entry[], edition: any) => {state: any, shown: Shown}} openingShown
 *
 * What the values of an edition are called, and the field of a value that its form alone does not say.
 * @typedef {object} PrintedValues
 * @property {(path: string[]) => string} nameOf
 * @property {(path: string[], value?: any) => any} fieldOf
 *
 * @typedef {object} Game
 * @property {string} id
 * @property {(host: HTMLElement, options: BoardOptions) => Board} createBoard
 * @property {(move: any, state: any) => string} say a move in a few words, by its own fields alone
 * @property {(state: any, seat: string) => {category: string, points: number}[]} scoreParts the points of a seat
 * @property {string[]} categories what points are for, in the words of the API; each has a text `result_<category>`
 * @property {(frames: any[]) => number[]} turnOf the number of the turn of each frame; the set-up is turn 0
 * @property {(move: any) => boolean} isSilent whether a move says nothing of its own, so that lists leave it to its turn
 * @property {(move: any, seat?: string) => string[]} cellsOf the places that a move touches
 * @property {(state: any, entry: Entry, edition: any) => any} predict
 *   the position after a move that waits to be sent, as far as the move itself tells
 * @property {boolean} hidesHands whether seats have something behind screens, which those who watch do not see
 * @property {() => Promise<(parts: FormParts) => Form>} loadForm
 * @property {() => Promise<(setup: any, seats: string[], edition: any) => any>} loadBeginning
 *   what gives the position before the first move, for matches that are begun without network
 * @property {() => Promise<(host: HTMLElement, options: SetupOptions) => Setup>} loadSetup
 * @property {() => Promise<Statistics>} loadStatistics
 * @property {() => Promise<PrintedValues>} loadPrintedValues
 */

/** The game with an id. @param {string} id @returns {Promise<Game>} */
export async function loadGame(id) {
  const { game } = await import(`${files}games/${id}/index.js`);
  return game;
}
