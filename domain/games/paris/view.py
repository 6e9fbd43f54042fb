"""The JSON form of a state of Paris, with its schema."""

from collections.abc import Iterable

from domain.chance import bits
from domain.fields import Shown, schema_of, show
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
    Place,
)
from domain.games.paris.scoring import TIE_BREAKS, SeatScore, result, score, scored_districts
from domain.games.paris.state import NOTHING, Board, Phase, Side, State, Turn
from domain.json_schema import array, integer, members, one_of, result_of


def dump(state: State) -> JsonObject:
    return show(_STATE, state)


def _some(names: Iterable[object], values: JsonObject) -> JsonObject:
    return members({}, {str(name): values for name in names})


def _each(names: Iterable[object], values: JsonObject) -> JsonObject:
    return members({str(name): values for name in names})


def _keys(state: State, place: Place) -> list[str]:
    return [state.table.seats[owner] for owner in state.board.keys[place]]


def _buildings(state: State) -> JsonObject:
    return {
        SPACES[space]: {"tile": SPACES[tile], "type": state.edition.types[tile], "keys": _keys(state, space)}
        for space, tile in enumerate(state.board.buildings)
        if tile != NOTHING
    }


def _tokens(state: State) -> JsonObject:
    token_on = state.table.token_on
    return {SPACES[space]: KINDS[token_on[space]] for space in bits(state.board.tokens)}


def _landmarks(state: State) -> JsonObject:
    available, placed = [], {}
    for place, (value, district) in enumerate(zip(LANDMARKS, state.board.landmarks, strict=True), FIRST_LANDMARK):
        if district == NOTHING:
            available.append(value)
        else:
            placed[str(value)] = {"district": DISTRICTS[district], "keys": _keys(state, place)}
    return {"available": available, "placed": placed}


def _scoring_tiles(state: State) -> JsonObject:
    placed = {DISTRICTS[district]: SCORING_TILES[state.board.scoring[district]] for district in scored_districts(state)}
    return {"available": [tile for tile in SCORING_TILES if tile not in placed.values()], "placed": placed}


def _bonus_tiles(board: Board, number: int) -> list[int]:
    return [number] * ((board.bonus >> number & 1) + (board.second_bonus >> number & 1))


def _end_tiles(tiles: int) -> list[str]:
    return [TILE_NAMES[tile] for tile in bits(tiles) if tile >= FIRST_END_TILE]


def _scores(state: State) -> JsonObject:
    unscored = {DISTRICTS[district]: 0 for district in scored_districts(state)}
    return {seat: _score(seat_score, unscored) for seat, seat_score in score(state).items()}


def _score(seat_score: SeatScore, unscored: dict[str, int]) -> JsonObject:
    return {
        "points": seat_score.given,
        "francs_tile": sum(seat_score.francs.values()),
        "districts": unscored
        | {DISTRICTS[district]: standing.points for district, standing in seat_score.districts.items()},
        "total": seat_score.total,
    }


_COUNT: JsonObject = {"type": "integer", "minimum": 0}
_FLAG: JsonObject = {"type": "boolean"}
_SPACE = one_of(SPACES)
_DISTRICT = one_of(DISTRICTS)
_KIND = one_of(KINDS)
_NUMBER = integer(TRACK)
_SCORING_TILE = one_of(SCORING_TILES)
_KEYS = array(one_of(SEATS))
_NUMBERS = array(_NUMBER, uniqueItems=True)
_END_TILES = array(one_of(END_TILES), uniqueItems=True)
_RESOURCES = _each([KINDS[kind] for kind in RESOURCES], _COUNT)
_PRESTIGE = _each([KINDS[kind] for kind in PRESTIGE], _COUNT)

_SIDE: Shown[Side] = {
    "francs": (_COUNT, lambda side: side.francs),
    "keys": (_COUNT, lambda side: side.keys),
    "reserve": (_COUNT, lambda side: side.reserve),
    "resources": (_RESOURCES, lambda side: {KINDS[kind]: side.tokens[kind] for kind in RESOURCES}),
    "prestige": (_PRESTIGE, lambda side: {KINDS[kind]: side.tokens[kind] for kind in PRESTIGE}),
    "bonus": (_NUMBERS, lambda side: list(bits(side.held & ALL_NUMBERS))),
    "used_bonus": (_NUMBERS, lambda side: list(bits(side.used & ALL_NUMBERS))),
    "end_tiles": (_END_TILES, lambda side: _end_tiles(side.held)),
    "half_used": (
        _some([*TRACK, *END_TILES], {"const": 1}),
        lambda side: {TILE_NAMES[tile]: 1 for tile in bits(side.half)},
    ),
    "track": (integer(range(TRACK.stop)), lambda side: side.track),
    "points": (_COUNT, lambda side: side.points),
}
_SCORE = members({"points": _COUNT, "francs_tile": _COUNT, "districts": _some(DISTRICTS, _COUNT), "total": _COUNT})
_STATE: Shown[State] = {
    "game": ({"const": "paris"}, lambda state: "paris"),
    "ply": (_COUNT, lambda state: state.ply),
    "phase": (one_of([phase.value for phase in Phase]), lambda state: state.phase.value),
    "to_move": (one_of([*SEATS, None]), lambda state: state.to_move),
    "turn": (
        members({name: _FLAG if default is False else _COUNT for name, default in Turn()._asdict().items()}),
        lambda state: state.turn._asdict(),
    ),
    "stacks": (array(_COUNT, minItems=STACKS, maxItems=STACKS), lambda state: list(state.board.stacks)),
    "buildings": (_some(SPACES, members({"tile": _SPACE, "type": one_of(TYPES), "keys": _KEYS})), _buildings),
    "discarded": (
        array(_SPACE, uniqueItems=True),
        lambda state: sorted(SPACES[tile] for tile in bits(state.board.discarded)),
    ),
    "tokens": (_some(SPACES, _KIND), _tokens),
    "banks": (
        _each(DISTRICTS, _KEYS),
        lambda state: {district: _keys(state, place) for place, district in enumerate(DISTRICTS, FIRST_BANK)},
    ),
    "arc": (_KEYS, lambda state: _keys(state, ARC)),
    "landmarks": (
        members(
            {
                "available": array(integer(LANDMARKS), uniqueItems=True),
                "placed": _some(LANDMARKS, members({"district": _DISTRICT, "keys": _KEYS})),
            }
        ),
        _landmarks,
    ),
    "track": (
        _each(TRACK, array(_NUMBER, maxItems=2)),
        lambda state: {str(space): _bonus_tiles(state.board, state.table.number_on[space]) for space in TRACK},
    ),
    "scoring_tiles": (
        members({"available": array(_SCORING_TILE, uniqueItems=True), "placed": _some(DISTRICTS, _SCORING_TILE)}),
        _scoring_tiles,
    ),
    "end_tiles": (_END_TILES, lambda state: _end_tiles(state.board.end_tiles)),
    "market": (_RESOURCES, lambda state: {KINDS[kind]: state.board.market[kind] for kind in RESOURCES}),
    "seats": (
        _some(SEATS, schema_of(_SIDE)),
        lambda state: {seat: show(_SIDE, side) for seat, side in zip(state.table.seats, state.sides, strict=True)},
    ),
    "score": (_some(SEATS, _SCORE), _scores),
    "result": (
        result_of(SEATS, TIE_BREAKS, places=integer(range(1, 5)), points=_COUNT),
        lambda state: dump_result(result(state)),
    ),
}

SCHEMA: JsonObject = schema_of(_STATE)
