/** The position before the first move, for a match that is begun without network. Pure. */

/** @import { ParisState } from "../../../types/api.js" */

import { bare, DISTRICTS, PRESTIGE, RESOURCES, VALUES } from "./position.js";

const STACKS = 3;

/**
 * @param {{advanced?: boolean, variant?: string | null, tokens?: Record<string, string>, track?: Record<string, number>}} setup
 * @param {string[]} seats in turn order @param {any} edition
 * @returns {ParisState}
 */
export function beginning({ variant = null, tokens, track }, seats, edition) {
  const sheet = bare(edition);
  const spaces = DISTRICTS.flatMap((district) => VALUES.map((value) => `${district}-${value}`));
  const stacked = spaces.length - (variant === null ? sheet.tiles_set_aside : 0);
  const copies = Object.entries(sheet.bonus_copies).flatMap(([players, numbers]) =>
    Number(players) <= seats.length ? numbers : [],
  );
  const each = (names, value) => /** @type {any} */ (Object.fromEntries(names.map((name) => [name, value(name)])));
  const nothing = (kinds) => each(kinds, () => 0);
  return {
    game: "paris",
    ply: 0,
    phase: "main",
    to_move: /** @type {any} */ (seats[0]),
    turn: { revealed: false, acted: false, may_advance: false, advance_fee: 0, may_score_tile: false },
    stacks: Array.from({ length: STACKS }, (_, at) => Math.floor((stacked + STACKS - 1 - at) / STACKS)),
    buildings: {},
    discarded: [],
    tokens: each(spaces, (space) => tokens?.[space] ?? sheet.space_tokens[space.slice(space.lastIndexOf("-") + 1)]),
    banks: each(DISTRICTS, () => []),
    arc: [],
    landmarks: { available: /** @type {any} */ (Object.keys(sheet.landmarks).map(Number).sort(byNumber)), placed: {} },
    track: each(Object.keys(sheet.bonus), (space) => {
      const number = track?.[space] ?? Number(space);
      return copies.includes(number) ? [number, number] : [number];
    }),
    scoring_tiles: { available: /** @type {any} */ (Object.keys(sheet.scoring_tiles).sort()), placed: {} },
    end_tiles: /** @type {any} */ (Object.keys(sheet.end_tiles).sort()),
    market: nothing(RESOURCES),
    seats: each(seats, () => ({
      francs: sheet.start_francs,
      keys: sheet.keys_in_hand[seats.length],
      reserve: sheet.keys_in_reserve,
      resources: nothing(RESOURCES),
      prestige: nothing(PRESTIGE),
      bonus: [],
      used_bonus: [],
      end_tiles: [],
      half_used: {},
      track: 0,
      points: 0,
    })),
    score: each(seats, () => ({ points: 0, francs_tile: 0, districts: {}, total: 0 })),
    result: null,
  };
}

function byNumber(one, other) {
  return one - other;
}
