"""The JSON Schemas of what goes over the wire for Paris: set-ups, moves and states."""

from collections.abc import Mapping, Sequence

from domain.game import JsonObject
from domain.games.paris.board import (
    DISTRICTS,
    END_TILES,
    GOLD,
    KINDS,
    LANDMARKS,
    PLACE_VALUE,
    PLACES,
    PRESTIGE,
    RESOURCES,
    SCORING_TILES,
    SEATS,
    SPACES,
    STACKS,
    STEP_BACK,
    TAKE_ANY,
    TOKENS_OF_A_KIND,
    TRACK,
    TYPES,
)
from domain.games.paris.moves import MOST_SPENT, OCCUPYING, PAIRED_KINDS, PAIRS_OF_A_KIND
from domain.games.paris.scoring import TIE_BREAKS
from domain.games.paris.setup import FREE_PLACEMENT
from domain.games.paris.state import PHASES
from domain.json_schema import array, integer, members, one_of


def schemas() -> Mapping[str, JsonObject]:
    """JSON Schemas of set-up, move and state."""
    return {"setup": _SETUP, "move": _MOVE, "state": _STATE}


def _move(
    name: str, required: Mapping[str, JsonObject], optional: Mapping[str, JsonObject] | None = None
) -> JsonObject:
    return members({"type": {"const": name}, **required}, optional)


def _counts(kinds: range, allowed: range) -> JsonObject:
    """Tokens of some kinds, at least one of them named."""
    return {**members({}, {KINDS[kind]: integer(allowed) for kind in kinds}), "minProperties": 1}


_SEAT = one_of(SEATS)
_COUNT: JsonObject = {"type": "integer", "minimum": 0}
_FLAG: JsonObject = {"type": "boolean"}
_SPACE = one_of(SPACES)
_PLACE = one_of(PLACES)
_DISTRICT = one_of(DISTRICTS)
_KIND = one_of(KINDS)
_RESOURCE = one_of([KINDS[kind] for kind in RESOURCES])
_NUMBER = integer(TRACK)
_END_TILE = one_of(END_TILES)
_TILE: JsonObject = {"oneOf": [_NUMBER, _END_TILE]}
_SCORING_TILE = one_of(SCORING_TILES)

_VARIANT: JsonObject = {"variant": one_of([None, FREE_PLACEMENT])}
_SETUP: JsonObject = {
    "oneOf": [
        members({}, {"advanced": {"const": False}, **_VARIANT}),
        members(
            {
                "advanced": {"const": True},
                "tokens": members(
                    {
                        space: {"const": KINDS[GOLD]}
                        if value == 8
                        else one_of([kind for kind in KINDS if kind != KINDS[GOLD]])
                        for space, value in zip(SPACES, PLACE_VALUE, strict=False)
                    }
                ),
                "track": members({str(space): _NUMBER for space in TRACK}),
            },
            _VARIANT,
        ),
    ]
}

_REVEAL = {"stack": integer(range(1, STACKS + 1)), "tile": _SPACE}
_ACTIVATED = {
    TAKE_ANY: {"take": _NUMBER},
    STEP_BACK: {"to": _NUMBER},
    **{tile: {"pairs": _counts(kinds, PAIRS_OF_A_KIND)} for tile, kinds in PAIRED_KINDS.items()},
}
"""What the activation of certain bonus tiles names."""

_MOVE: JsonObject = {
    "oneOf": [
        _move("reveal", _REVEAL),
        _move("reveal", {**_REVEAL, "district": _DISTRICT}),
        _move("reveal", {**_REVEAL, "discard": {"const": True}}),
        _move("place_key", {"at": _PLACE}),
        {
            **_move(
                "move_key",
                {"from": _PLACE, "to": _PLACE},
                {
                    "landmark": members({"tile": integer(LANDMARKS), "district": _DISTRICT}),
                    "spend": array(members({"tile": _TILE, "as": _KIND}), minItems=1, maxItems=MOST_SPENT),
                    "prestige": _counts(PRESTIGE, range(1, TOKENS_OF_A_KIND + 1)),
                    "using": {"type": "integer", **one_of(OCCUPYING)},
                },
            ),
            "not": {"anyOf": [{"properties": {"from": {"const": place}, "to": {"const": place}}} for place in PLACES]},
        },
        _move("take_end_tile", {"tile": _END_TILE}),
        _move("advance", {"to": _NUMBER}),
        _move("score_tile", {"tile": _SCORING_TILE, "district": _DISTRICT}),
        _move("trade", {"buy": _RESOURCE}),
        _move("trade", {"sell": _KIND}, {"tile": _TILE}),
        _move(
            "activate",
            {"tile": {"type": "integer", **one_of([number for number in TRACK if number not in _ACTIVATED])}},
        ),
        *(
            _move("activate", {"tile": {"type": "integer", "const": tile}, **named})
            for tile, named in _ACTIVATED.items()
        ),
        _move("end_turn", {}),
    ]
}

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

_STATE = members(
    {
        "game": {"const": "paris"},
        "ply": _COUNT,
        "phase": one_of(PHASES),
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
