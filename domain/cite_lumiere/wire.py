"""The JSON form of a state of La Cité de la Lumière, and the JSON Schemas of all that goes over the wire."""

from collections.abc import Mapping, Sequence

from domain.cite_lumiere.board import FACINGS, NAMES, names
from domain.cite_lumiere.edition import CARDS_IN_PLAY, LAYERS
from domain.cite_lumiere.moves import (
    BUILDINGS,
    CARDS,
    EFFECT_MEMBERS,
    OWNABLE,
    PIECE_OF_CARD,
    ROTATIONS,
    SEATS,
    TILES,
)
from domain.cite_lumiere.scoring import SeatScore, result, score
from domain.cite_lumiere.state import BUILDING_BIT, CARD_BIT, SEAT_INDEX, TILE_BIT, Piece, State, words
from domain.game import JsonObject, Result, Seat

LETTERS = dict(zip(LAYERS, "obxl", strict=True))
UNPAVED = "."
TILE_OF_SEAT = {seat: {tile: bit for tile, bit in TILE_BIT.items() if tile[0] == seat[0].upper()} for seat in SEATS}
SUPPLY_BIT = {building: BUILDING_BIT[building] for building in BUILDINGS}


def dump(state: State) -> JsonObject:
    """The state with its score and result."""
    return {
        "game": "cite-lumiere",
        "ply": state.ply,
        "phase": state.phase,
        "to_move": state.to_move,
        "board": _dump_board(state),
        "pieces": [_dump_piece(piece) for piece in sorted(state.pieces, key=lambda piece: piece.name)],
        "supply": words(state.supply, SUPPLY_BIT),
        "postcards": [_dump_card(state, card) for card in words(state.in_play, CARD_BIT)],
        "seats": {seat: _dump_seat(state, seat) for seat in SEATS},
        "score": {seat: _dump_score(seat_score) for seat, seat_score in score(state).items()},
        "result": _dump_result(result(state)),
    }


def _dump_board(state: State) -> list[str]:
    layers = list(zip(state.ground, LETTERS.values(), strict=True))
    spaces = "".join(
        next((letter for layer, letter in layers if layer >> index & 1), UNPAVED) for index in range(len(NAMES))
    )
    return [spaces[row : row + 8] for row in range(0, 64, 8)]


def _dump_piece(piece: Piece) -> JsonObject:
    json: JsonObject = {"piece": piece.name, "owner": piece.owner, "cells": names(piece.cells)}
    if piece.joins is not None:
        json["joins"] = piece.joins
    if piece.facing is not None:
        json["facing"] = piece.facing
    return json


def _dump_card(state: State, card: str) -> JsonObject:
    bit = CARD_BIT[card]
    for seat, side in zip(SEATS, state.sides, strict=True):
        if side.cards & bit:
            return {"card": card, "state": "armed" if side.armed & bit else "taken", "owner": seat}
    return {"card": card, "state": "open", "owner": None}


def _dump_seat(state: State, seat: Seat) -> JsonObject:
    me = SEAT_INDEX[seat]
    side = state.sides[me]
    return {
        "tiles": words(side.tiles, TILE_OF_SEAT[seat]),
        "reserve": words(side.reserve, SUPPLY_BIT),
        "tokens": state.tokens(me),
        "chimneys": state.chimneys(me),
        "passed": side.passed,
    }


def _dump_score(seat_score: SeatScore) -> JsonObject:
    return {
        "lit": seat_score.lit,
        "group": seat_score.group,
        "unbuilt": seat_score.unbuilt,
        "postcards": seat_score.postcards,
        "total": seat_score.total,
        "free_spaces": seat_score.free_spaces,
        "buildings": [
            {
                "piece": building.piece,
                "size": building.size,
                "lamps": building.lamps.bit_count(),
                "points": building.points,
            }
            for building in seat_score.buildings
        ],
    }


def _dump_result(ended: Result | None) -> JsonObject | None:
    if ended is None:
        return None
    return {
        "winners": list(ended.winners),
        "ranking": [{"seat": rank.seat, "place": rank.place, "points": rank.points} for rank in ended.ranking],
        "decided_by": ended.decided_by,
    }


def schemas() -> Mapping[str, JsonObject]:
    """JSON Schemas of set-up, move and state."""
    return {"setup": _SETUP, "move": _MOVE, "state": _STATE}


def _one_of(words: Sequence[str | int | None]) -> JsonObject:
    return {"enum": list(words)}


def _members(required: Mapping[str, JsonObject], optional: Mapping[str, JsonObject] | None = None) -> JsonObject:
    optional = optional or {}
    return {
        "type": "object",
        "properties": {**required, **optional},
        "required": list(required),
        "additionalProperties": False,
    }


def _list(items: JsonObject, **limits: int | bool) -> JsonObject:
    return {"type": "array", "items": items, **limits}


_SEAT = _one_of(SEATS)
_NOBODY_OR_SEAT = _one_of([*SEATS, None])
_SPACE = _one_of(NAMES)
_SPACES = _list(_SPACE, minItems=1, maxItems=64, uniqueItems=True)
_BUILDING = _one_of(BUILDINGS)
_COUNT: JsonObject = {"type": "integer", "minimum": 0}
_POINTS: JsonObject = {"type": "integer"}

_SETUP = _members(
    {
        "first": _SEAT,
        "postcards": _list(_one_of(CARDS), minItems=CARDS_IN_PLAY, maxItems=CARDS_IN_PLAY, uniqueItems=True),
    }
)

_EFFECT_SCHEMAS = {
    "cell": _SPACE,
    "cells": _SPACES,
    "facing": _one_of(list(FACINGS)),
    "building": _one_of(OWNABLE),
    "give": _BUILDING,
    "take": _BUILDING,
}


def _effect_schema(card: str) -> JsonObject:
    effect = {member: _EFFECT_SCHEMAS[member] for member in EFFECT_MEMBERS[card]}
    optional = {"building": effect.pop("building")} if "building" in effect else {}
    return _members({"type": {"const": "postcard"}, "card": {"const": card}, **effect}, optional)


_MOVE: JsonObject = {
    "oneOf": [
        _members(
            {
                "type": {"const": "pave"},
                "tile": _one_of(TILES),
                "at": _SPACE,
                "rotation": {"type": "integer", **_one_of(ROTATIONS)},
            }
        ),
        _members({"type": {"const": "take"}, "building": _BUILDING}),
        _members({"type": {"const": "pass"}}),
        _members({"type": {"const": "build"}, "building": _BUILDING, "cells": _SPACES}),
        _members({"type": {"const": "postcard"}, "card": _one_of(CARDS)}),
        *(_effect_schema(card) for card in EFFECT_MEMBERS),
    ]
}

_STATE = _members(
    {
        "game": {"const": "cite-lumiere"},
        "ply": _COUNT,
        "phase": _one_of(["paving", "building", "over"]),
        "to_move": _NOBODY_OR_SEAT,
        "board": _list({"type": "string", "pattern": "^[obxl.]{8}$"}, minItems=8, maxItems=8),
        "pieces": _list(
            _members(
                {"piece": _one_of(sorted([*BUILDINGS, *PIECE_OF_CARD.values()])), "owner": _SEAT, "cells": _SPACES},
                {"joins": _one_of(OWNABLE), "facing": _one_of(list(FACINGS))},
            )
        ),
        "supply": _list(_BUILDING, uniqueItems=True),
        "postcards": _list(
            _members({"card": _one_of(CARDS), "state": _one_of(["open", "taken", "armed"]), "owner": _NOBODY_OR_SEAT}),
            minItems=CARDS_IN_PLAY,
            maxItems=CARDS_IN_PLAY,
        ),
        "seats": _members(
            {
                seat: _members(
                    {
                        "tiles": _list(_one_of(list(TILE_OF_SEAT[seat])), uniqueItems=True),
                        "reserve": _list(_BUILDING, uniqueItems=True),
                        "tokens": _COUNT,
                        "chimneys": _COUNT,
                        "passed": {"type": "boolean"},
                    }
                )
                for seat in SEATS
            }
        ),
        "score": _members(
            {
                seat: _members(
                    {
                        "lit": _COUNT,
                        "group": _COUNT,
                        "unbuilt": {"type": "integer", "maximum": 0},
                        "postcards": _COUNT,
                        "total": _POINTS,
                        "free_spaces": _COUNT,
                        "buildings": _list(
                            _members({"piece": _one_of(OWNABLE), "size": _COUNT, "lamps": _COUNT, "points": _COUNT})
                        ),
                    }
                )
                for seat in SEATS
            }
        ),
        "result": {
            "oneOf": [
                {"type": "null"},
                _members(
                    {
                        "winners": _list(_SEAT, minItems=1, maxItems=2, uniqueItems=True),
                        "ranking": _list(
                            _members({"seat": _SEAT, "place": _one_of([1, 2]), "points": _POINTS}),
                            minItems=2,
                            maxItems=2,
                        ),
                        "decided_by": _one_of(["points", "free_spaces", "shared"]),
                    }
                ),
            ]
        },
    }
)
