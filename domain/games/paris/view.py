"""The JSON form of a state of Paris, with its schema."""

from collections.abc import Iterable, Mapping, Sequence

from domain.game import JsonObject, dump_result
from domain.games.paris.parts import (
    ALL_NUMBERS,
    ARC,
    DISTRICTS,
    END_TILES,
    FIRST_BANK,
    FIRST_END_TILE,
    FIRST_LANDMARK,
    KINDS,
    LANDMARKS,
    PRESTIGE,
    RESOURCES,
    SCORING_TILES,
    SEATS,
    SPACES,
    STACKS,
    TILE_NAMES,
    TRACK,
    TYPES,
    District,
)
from domain.games.paris.scoring import TIE_BREAKS, SeatScore, result, score, scored_districts
from domain.games.paris.state import NOTHING, Board, Keys, Phase, Side, State, bits
from domain.json_schema import array, integer, members, one_of


def dump(state: State) -> JsonObject:
    """The state with its score and result."""
    table, board = state.table, state.board
    scoring = {DISTRICTS[d]: SCORING_TILES[tile] for d, tile in enumerate(board.scoring) if tile != NOTHING}
    return {
        "game": "paris",
        "ply": state.ply,
        "phase": state.phase.value,
        "to_move": state.to_move,
        "turn": state.turn._asdict(),
        "stacks": list(board.stacks),
        "buildings": _dump_buildings(state),
        "discarded": sorted(SPACES[tile] for tile in bits(board.discarded)),
        "tokens": {SPACES[space]: KINDS[table.token_on[space]] for space in bits(board.tokens)},
        "banks": {
            district: _dump_keys(state, board.keys[FIRST_BANK + index]) for index, district in enumerate(DISTRICTS)
        },
        "arc": _dump_keys(state, board.keys[ARC]),
        "landmarks": _dump_landmarks(state),
        "track": {str(space): _dump_bonus(board, table.number_on[space]) for space in TRACK},
        "scoring_tiles": {
            "available": [tile for tile in SCORING_TILES if tile not in scoring.values()],
            "placed": scoring,
        },
        "end_tiles": _dump_end_tiles(board.end_tiles),
        "market": {KINDS[kind]: board.market[kind] for kind in RESOURCES},
        "seats": {seat: _dump_side(side) for seat, side in zip(table.seats, state.sides, strict=True)},
        "score": {seat: _dump_score(seat_score, scored_districts(state)) for seat, seat_score in score(state).items()},
        "result": dump_result(result(state)),
    }


def _dump_keys(state: State, keys: Keys) -> list[str]:
    return [state.table.seats[owner] for owner in keys]


def _dump_buildings(state: State) -> JsonObject:
    return {
        SPACES[space]: {
            "tile": SPACES[tile],
            "type": state.edition.types[tile],
            "keys": _dump_keys(state, state.board.keys[space]),
        }
        for space, tile in enumerate(state.board.buildings)
        if tile != NOTHING
    }


def _dump_landmarks(state: State) -> JsonObject:
    available, placed = [], {}
    for index, (value, district) in enumerate(zip(LANDMARKS, state.board.landmarks, strict=True)):
        if district == NOTHING:
            available.append(value)
        else:
            keys = _dump_keys(state, state.board.keys[FIRST_LANDMARK + index])
            placed[str(value)] = {"district": DISTRICTS[district], "keys": keys}
    return {"available": available, "placed": placed}


def _dump_bonus(board: Board, number: int) -> list[int]:
    return [number] * ((board.bonus >> number & 1) + (board.second_bonus >> number & 1))


def _dump_end_tiles(tiles: int) -> list[str]:
    return [TILE_NAMES[tile] for tile in bits(tiles) if tile >= FIRST_END_TILE]


def _dump_tokens(side: Side, kinds: Iterable[int]) -> Mapping[str, int]:
    return {KINDS[kind]: side.tokens[kind] for kind in kinds}


def _dump_side(side: Side) -> JsonObject:
    return {
        "francs": side.francs,
        "keys": side.keys,
        "reserve": side.reserve,
        "resources": _dump_tokens(side, RESOURCES),
        "prestige": _dump_tokens(side, PRESTIGE),
        "bonus": list(bits(side.held & ALL_NUMBERS)),
        "used_bonus": list(bits(side.used & ALL_NUMBERS)),
        "end_tiles": _dump_end_tiles(side.held),
        "half_used": {TILE_NAMES[tile]: 1 for tile in bits(side.half)},
        "track": side.track,
        "points": side.points,
    }


def _dump_score(seat_score: SeatScore, scored: Sequence[District]) -> JsonObject:
    return {
        "points": sum(award.points for award in seat_score.awards),
        "francs_tile": sum(seat_score.francs.values()),
        "districts": {
            DISTRICTS[district]: seat_score.districts[district].points if district in seat_score.districts else 0
            for district in scored
        },
        "total": seat_score.total,
    }


_SEAT = one_of(SEATS)
_COUNT: JsonObject = {"type": "integer", "minimum": 0}
_FLAG: JsonObject = {"type": "boolean"}
_SPACE = one_of(SPACES)
_DISTRICT = one_of(DISTRICTS)
_KIND = one_of(KINDS)
_NUMBER = integer(TRACK)
_END_TILE = one_of(END_TILES)
_SCORING_TILE = one_of(SCORING_TILES)

_KEYS = array(_SEAT)


def _some(keys: Sequence[object], values: JsonObject) -> JsonObject:
    """Whatever of these members there is, each with a value of one form."""
    return members({}, {str(key): values for key in keys})


def _each(keys: Sequence[object], values: JsonObject) -> JsonObject:
    """All of these members, each with a value of one form."""
    return members({str(key): values for key in keys})


_RESOURCE_COUNTS = _each([KINDS[kind] for kind in RESOURCES], _COUNT)
_PRESTIGE_COUNTS = _each([KINDS[kind] for kind in PRESTIGE], _COUNT)
_NUMBERS = array(_NUMBER, uniqueItems=True)

_SIDE = members(
    {
        "francs": _COUNT,
        "keys": _COUNT,
        "reserve": _COUNT,
        "resources": _RESOURCE_COUNTS,
        "prestige": _PRESTIGE_COUNTS,
        "bonus": _NUMBERS,
        "used_bonus": _NUMBERS,
        "end_tiles": array(_END_TILE, uniqueItems=True),
        "half_used": _some([*TRACK, *END_TILES], {"const": 1}),
        "track": integer(range(TRACK.stop)),
        "points": _COUNT,
    }
)
_SCORE = members({"points": _COUNT, "francs_tile": _COUNT, "districts": _some(DISTRICTS, _COUNT), "total": _COUNT})
_RESULT = members(
    {
        "winners": array(_SEAT, minItems=1, maxItems=4, uniqueItems=True),
        "ranking": array(
            members({"seat": _SEAT, "place": integer(range(1, 5)), "points": _COUNT}), minItems=2, maxItems=4
        ),
        "decided_by": one_of(["points", *TIE_BREAKS, "shared"]),
    }
)

SCHEMA: JsonObject = members(
    {
        "game": {"const": "paris"},
        "ply": _COUNT,
        "phase": one_of([phase.value for phase in Phase]),
        "to_move": one_of([*SEATS, None]),
        "turn": members(
            {
                "revealed": _FLAG,
                "acted": _FLAG,
                "may_advance": _FLAG,
                "advance_fee": _COUNT,
                "may_score_tile": _FLAG,
            }
        ),
        "stacks": array(_COUNT, minItems=STACKS, maxItems=STACKS),
        "buildings": _some(SPACES, members({"tile": _SPACE, "type": one_of(TYPES), "keys": _KEYS})),
        "discarded": array(_SPACE, uniqueItems=True),
        "tokens": _some(SPACES, _KIND),
        "banks": _each(DISTRICTS, _KEYS),
        "arc": _KEYS,
        "landmarks": members(
            {
                "available": array(integer(LANDMARKS), uniqueItems=True),
                "placed": _some(LANDMARKS, members({"district": _DISTRICT, "keys": _KEYS})),
            }
        ),
        "track": _each(TRACK, array(_NUMBER, maxItems=2)),
        "scoring_tiles": members(
            {"available": array(_SCORING_TILE, uniqueItems=True), "placed": _some(DISTRICTS, _SCORING_TILE)}
        ),
        "end_tiles": array(_END_TILE, uniqueItems=True),
        "market": _RESOURCE_COUNTS,
        "seats": _some(SEATS, _SIDE),
        "score": _some(SEATS, _SCORE),
        "result": {"oneOf": [{"type": "null"}, _RESULT]},
    }
)
