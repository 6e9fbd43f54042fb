"""The JSON form of a state of Paris, with its schema."""

from collections.abc import Iterable, Sequence

from domain.chance import bits
from domain.fields import Shown, schema_of, show
from domain.game import JsonObject, dump_result
from domain.games.paris import parts
from domain.games.paris.parts import Place
from domain.games.paris.scoring import TIE_BREAKS, SeatScore, result, score, scored_districts
from domain.games.paris.state import NOTHING, Phase, Side, State, Turn
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
    types = state.edition.types
    return {
        parts.SPACES[space]: {"tile": parts.SPACES[tile], "type": types[tile], "keys": _keys(state, space)}
        for space, tile in enumerate(state.board.buildings)
        if tile != NOTHING
    }


def _tokens(state: State) -> JsonObject:
    token_on = state.table.token_on
    return {parts.SPACES[space]: parts.KINDS[token_on[space]] for space in bits(state.board.tokens)}


def _banks(state: State) -> JsonObject:
    return {district: _keys(state, place) for place, district in enumerate(parts.DISTRICTS, parts.FIRST_BANK)}


def _landmarks(state: State) -> JsonObject:
    placed = {
        str(value): {"district": parts.DISTRICTS[district], "keys": _keys(state, place)}
        for place, value, district in zip(_LANDMARK_PLACES, parts.LANDMARKS, state.board.landmarks, strict=True)
        if district != NOTHING
    }
    return {"available": [value for value in parts.LANDMARKS if str(value) not in placed], "placed": placed}


def _scoring_tiles(state: State) -> JsonObject:
    placed = {
        parts.DISTRICTS[district]: parts.SCORING_TILES[state.board.scoring[district]]
        for district in scored_districts(state)
    }
    return {"available": [tile for tile in parts.SCORING_TILES if tile not in placed.values()], "placed": placed}


def _track(state: State) -> JsonObject:
    first, second = state.board.bonus, state.board.second_bonus
    return {
        str(space): [number] * ((first >> number & 1) + (second >> number & 1))
        for space, number in zip(parts.TRACK, state.table.number_on[1:], strict=True)
    }


def _end_tiles(tiles: int) -> list[str]:
    return [parts.TILE_NAMES[tile] for tile in bits(tiles) if tile >= parts.FIRST_END_TILE]


def _named(kinds: range, counts: Sequence[int]) -> dict[str, int]:
    return {parts.KINDS[kind]: counts[kind] for kind in kinds}


def _scores(state: State) -> JsonObject:
    unscored = {parts.DISTRICTS[district]: 0 for district in scored_districts(state)}
    return {seat: _score(seat_score, unscored) for seat, seat_score in score(state).items()}


def _score(seat_score: SeatScore, unscored: dict[str, int]) -> JsonObject:
    return {
        "points": seat_score.given,
        "francs_tile": sum(seat_score.francs.values()),
        "districts": unscored
        | {parts.DISTRICTS[district]: standing.points for district, standing in seat_score.districts.items()},
        "total": seat_score.total,
    }


_LANDMARK_PLACES = range(parts.FIRST_LANDMARK, parts.FIRST_BANK)
_COUNT: JsonObject = {"type": "integer", "minimum": 0}
_SPACE = one_of(parts.SPACES)
_DISTRICT = one_of(parts.DISTRICTS)
_NUMBER = integer(parts.TRACK)
_SCORING_TILE = one_of(parts.SCORING_TILES)
_KEYS = array(one_of(parts.SEATS))
_NUMBERS = array(_NUMBER, uniqueItems=True)
_END_TILES = array(one_of(parts.END_TILES), uniqueItems=True)
_RESOURCES = _each([parts.KINDS[kind] for kind in parts.RESOURCES], _COUNT)
_PRESTIGE = _each([parts.KINDS[kind] for kind in parts.PRESTIGE], _COUNT)

_SIDE: Shown[Side] = {
    "francs": (_COUNT, lambda side: side.francs),
    "keys": (_COUNT, lambda side: side.keys),
    "reserve": (_COUNT, lambda side: side.reserve),
    "resources": (_RESOURCES, lambda side: _named(parts.RESOURCES, side.tokens)),
    "prestige": (_PRESTIGE, lambda side: _named(parts.PRESTIGE, side.tokens)),
    "bonus": (_NUMBERS, lambda side: list(bits(side.held & parts.ALL_NUMBERS))),
    "used_bonus": (_NUMBERS, lambda side: list(bits(side.used & parts.ALL_NUMBERS))),
    "end_tiles": (_END_TILES, lambda side: _end_tiles(side.held)),
    "half_used": (
        _some([*parts.TRACK, *parts.END_TILES], {"const": 1}),
        lambda side: {parts.TILE_NAMES[tile]: 1 for tile in bits(side.half)},
    ),
    "track": (integer(range(parts.TRACK.stop)), lambda side: side.track),
    "points": (_COUNT, lambda side: side.points),
}
_SCORE = members(
    {"points": _COUNT, "francs_tile": _COUNT, "districts": _some(parts.DISTRICTS, _COUNT), "total": _COUNT}
)
_STATE: Shown[State] = {
    "game": ({"const": "paris"}, lambda state: "paris"),
    "ply": (_COUNT, lambda state: state.ply),
    "phase": (one_of([phase.value for phase in Phase]), lambda state: state.phase.value),
    "to_move": (one_of([*parts.SEATS, None]), lambda state: state.to_move),
    "turn": (
        members({name: _COUNT if name == "advance_fee" else {"type": "boolean"} for name in Turn._fields}),
        lambda state: state.turn._asdict(),
    ),
    "stacks": (array(_COUNT, minItems=parts.STACKS, maxItems=parts.STACKS), lambda state: list(state.board.stacks)),
    "buildings": (
        _some(parts.SPACES, members({"tile": _SPACE, "type": one_of(parts.TYPES), "keys": _KEYS})),
        _buildings,
    ),
    "discarded": (
        array(_SPACE, uniqueItems=True),
        lambda state: sorted(parts.SPACES[tile] for tile in bits(state.board.discarded)),
    ),
    "tokens": (_some(parts.SPACES, one_of(parts.KINDS)), _tokens),
    "banks": (_each(parts.DISTRICTS, _KEYS), _banks),
    "arc": (_KEYS, lambda state: _keys(state, parts.ARC)),
    "landmarks": (
        members(
            {
                "available": array(integer(parts.LANDMARKS), uniqueItems=True),
                "placed": _some(parts.LANDMARKS, members({"district": _DISTRICT, "keys": _KEYS})),
            }
        ),
        _landmarks,
    ),
    "track": (_each(parts.TRACK, array(_NUMBER, maxItems=2)), _track),
    "scoring_tiles": (
        members({"available": array(_SCORING_TILE, uniqueItems=True), "placed": _some(parts.DISTRICTS, _SCORING_TILE)}),
        _scoring_tiles,
    ),
    "end_tiles": (_END_TILES, lambda state: _end_tiles(state.board.end_tiles)),
    "market": (_RESOURCES, lambda state: _named(parts.RESOURCES, state.board.market)),
    "seats": (
        _some(parts.SEATS, schema_of(_SIDE)),
        lambda state: {seat: show(_SIDE, side) for seat, side in zip(state.table.seats, state.sides, strict=True)},
    ),
    "score": (_some(parts.SEATS, _SCORE), _scores),
    "result": (
        result_of(parts.SEATS, TIE_BREAKS, places=integer(range(1, 5)), points=_COUNT),
        lambda state: dump_result(result(state)),
    ),
}

SCHEMA: JsonObject = schema_of(_STATE)
