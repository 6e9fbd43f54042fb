"""The JSON of a state of La Cité de la Lumière, with its schema."""

from functools import lru_cache

from domain.chance import bits
from domain.fields import Record, Shown, maybe, name, schema_of, show
from domain.game import JsonObject, dump_result
from domain.games.cite_lumiere import parts
from domain.games.cite_lumiere.moves import CELLS
from domain.games.cite_lumiere.parts import SeatIndex, words
from domain.games.cite_lumiere.scoring import TIE_BREAKS, BuildingScore, SeatScore, result, score
from domain.games.cite_lumiere.state import Phase, Piece, State
from domain.json_schema import array, members, one_of, result_of

LETTERS = "obxl"
"""What is paved, by layer of the ground."""
UNPAVED = "."

_PIECE = Record(
    Piece,
    {
        "piece": name(sorted([*parts.BUILDINGS, *parts.PIECE_OF_CARD.values()])),
        "owner": name(parts.SEATS),
        "cells": CELLS,
        "joins": maybe(name(parts.OWNABLE)),
        "facing": maybe(name(parts.FACINGS)),
    },
)


def dump(state: State) -> JsonObject:
    return show(_STATE, state)


def _dump_board(state: State) -> list[str]:
    orange, blue, mixed, lamps = state.ground
    return [
        _row(orange >> row & 255, blue >> row & 255, mixed >> row & 255, lamps >> row & 255) for row in range(0, 64, 8)
    ]


# 10 µs of 44 per state (one pass over the states of 40 random matches, 2026-11): most rows stay as they were.
@lru_cache(maxsize=2**12)
def _row(*layers: int) -> str:
    spaces = [UNPAVED] * 8
    for layer, letter in zip(layers, LETTERS, strict=True):
        for space in bits(layer):
            spaces[space] = letter
    return "".join(spaces)


def _dump_cards(state: State) -> list[JsonObject]:
    cards = {card: {"card": card, "state": "open", "owner": None} for card in words(state.in_play, parts.CARD_BIT)}
    for seat, side in zip(parts.SEATS, state.sides, strict=True):
        for card in words(side.cards, parts.CARD_BIT):
            is_armed = side.armed & parts.CARD_BIT[card]
            cards[card] = {"card": card, "state": "armed" if is_armed else "taken", "owner": seat}
    return list(cards.values())


_COUNT: JsonObject = {"type": "integer", "minimum": 0}
_POINTS: JsonObject = {"type": "integer"}
_BUILDINGS = array(one_of(parts.BUILDINGS), uniqueItems=True)
_NOBODY_OR_SEAT = one_of([*parts.SEATS, None])
_CARD = members({"card": one_of(parts.CARDS), "state": one_of(["open", "taken", "armed"]), "owner": _NOBODY_OR_SEAT})


def _seat(me: SeatIndex) -> Shown[State]:
    tiles = parts.TILES_OF[me]
    return {
        "tiles": (array(one_of(list(tiles)), uniqueItems=True), lambda state: words(state.sides[me].tiles, tiles)),
        "reserve": (_BUILDINGS, lambda state: words(state.sides[me].reserve, parts.SUPPLY_BIT)),
        "tokens": (_COUNT, lambda state: state.tokens(me)),
        "chimneys": (_COUNT, lambda state: state.chimneys(me)),
        "passed": ({"type": "boolean"}, lambda state: state.sides[me].passed),
    }


_SEATS = {seat: _seat(me) for me, seat in enumerate(parts.SEATS)}
_BUILDING_SCORE: Shown[BuildingScore] = {
    "piece": (one_of(parts.OWNABLE), lambda building: building.piece),
    "size": (_COUNT, lambda building: building.size),
    "lamps": (_COUNT, lambda building: building.lamps.bit_count()),
    "points": (_COUNT, lambda building: building.points),
}
_SCORE: Shown[SeatScore] = {
    "lit": (_COUNT, lambda mine: mine.lit),
    "group": (_COUNT, lambda mine: mine.group),
    "unbuilt": ({"type": "integer", "maximum": 0}, lambda mine: mine.unbuilt),
    "postcards": (_COUNT, lambda mine: mine.postcards),
    "total": (_POINTS, lambda mine: mine.total),
    "free_spaces": (_COUNT, lambda mine: mine.free_spaces),
    "buildings": (
        array(schema_of(_BUILDING_SCORE)),
        lambda mine: [show(_BUILDING_SCORE, building) for building in mine.buildings],
    ),
}
_STATE: Shown[State] = {
    "game": ({"const": "cite-lumiere"}, lambda state: "cite-lumiere"),
    "ply": (_COUNT, lambda state: state.ply),
    "phase": (one_of([phase.value for phase in Phase]), lambda state: state.phase.value),
    "to_move": (_NOBODY_OR_SEAT, lambda state: state.to_move),
    "board": (array({"type": "string", "pattern": "^[obxl.]{8}$"}, minItems=8, maxItems=8), _dump_board),
    "pieces": (array(_PIECE.schema), lambda state: [_PIECE.dump(piece) for piece in sorted(state.pieces)]),
    "supply": (_BUILDINGS, lambda state: words(state.supply, parts.SUPPLY_BIT)),
    "postcards": (array(_CARD, minItems=parts.CARDS_IN_PLAY, maxItems=parts.CARDS_IN_PLAY), _dump_cards),
    "seats": (
        members({seat: schema_of(shown) for seat, shown in _SEATS.items()}),
        lambda state: {seat: show(shown, state) for seat, shown in _SEATS.items()},
    ),
    "score": (
        members(dict.fromkeys(parts.SEATS, schema_of(_SCORE))),
        lambda state: {seat: show(_SCORE, mine) for seat, mine in score(state).items()},
    ),
    "result": (result_of(parts.SEATS, TIE_BREAKS, one_of([1, 2]), _POINTS), lambda state: dump_result(result(state))),
}

SCHEMA = schema_of(_STATE)
