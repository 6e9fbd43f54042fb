"""The JSON of a state of La Cité de la Lumière and its schema."""

from collections.abc import Mapping
from functools import lru_cache

from domain.chance import bits
from domain.fields import Record, maybe, name
from domain.game import JsonObject, dump_result
from domain.games.cite_lumiere.moves import CELLS
from domain.games.cite_lumiere.parts import (
    BUILDINGS,
    CARD_BIT,
    CARDS,
    CARDS_IN_PLAY,
    FACINGS,
    OWNABLE,
    PIECE_OF_CARD,
    SEATS,
    SUPPLY_BIT,
    TILES_OF,
    SeatIndex,
    words,
)
from domain.games.cite_lumiere.scoring import TIE_BREAKS, SeatScore, result, score
from domain.games.cite_lumiere.state import Ground, Phase, Piece, State
from domain.json_schema import array, members, one_of, result_of

LETTERS = "obxl"
"""What is paved, by layer of the ground."""
UNPAVED = "."

_PIECE = Record(
    Piece,
    {
        "piece": name(sorted([*BUILDINGS, *PIECE_OF_CARD.values()])),
        "owner": name(SEATS),
        "cells": CELLS,
        "joins": maybe(name(OWNABLE)),
        "facing": maybe(name(list(FACINGS))),
    },
)


def dump(state: State) -> JsonObject:
    """The state with its score and result."""
    return {
        "game": "cite-lumiere",
        "ply": state.ply,
        "phase": state.phase.value,
        "to_move": state.to_move,
        "board": _dump_board(state.ground),
        "pieces": [_PIECE.dump(piece) for piece in sorted(state.pieces)],
        "supply": words(state.supply, SUPPLY_BIT),
        "postcards": [_dump_card(state, card) for card in words(state.in_play, CARD_BIT)],
        "seats": {seat: _dump_seat(state, me) for me, seat in enumerate(SEATS)},
        "score": {seat: _dump_score(mine) for seat, mine in score(state).items()},
        "result": dump_result(result(state)),
    }


def _dump_board(ground: Ground) -> list[str]:
    return [_row(*(layer >> row & 255 for layer in ground)) for row in range(0, 64, 8)]


# 10 µs of 44 per state (one pass over the states of 40 random matches, 2026-11): most rows stay as they were.
@lru_cache(maxsize=2**12)
def _row(*layers: int) -> str:
    """One row of the board by what is paved in it."""
    spaces = [UNPAVED] * 8
    for layer, letter in zip(layers, LETTERS, strict=True):
        for space in bits(layer):
            spaces[space] = letter
    return "".join(spaces)


def _dump_card(state: State, card: str) -> JsonObject:
    for seat, side in zip(SEATS, state.sides, strict=True):
        if side.cards & CARD_BIT[card]:
            return {"card": card, "state": "armed" if side.armed & CARD_BIT[card] else "taken", "owner": seat}
    return {"card": card, "state": "open", "owner": None}


def _dump_seat(state: State, me: SeatIndex) -> JsonObject:
    side = state.sides[me]
    return {
        "tiles": words(side.tiles, TILES_OF[me]),
        "reserve": words(side.reserve, SUPPLY_BIT),
        "tokens": state.tokens(me),
        "chimneys": state.chimneys(me),
        "passed": side.passed,
    }


def _dump_score(mine: SeatScore) -> JsonObject:
    return {member: getattr(mine, member) for member in _POINTS} | {
        "buildings": [
            {"piece": one.piece, "size": one.size, "lamps": one.lamps.bit_count(), "points": one.points}
            for one in mine.buildings
        ]
    }


_COUNT: JsonObject = {"type": "integer", "minimum": 0}
_BUILDINGS = array(one_of(BUILDINGS), uniqueItems=True)
_NOBODY_OR_SEAT = one_of([*SEATS, None])
_POINTS: Mapping[str, JsonObject] = {
    "lit": _COUNT,
    "group": _COUNT,
    "unbuilt": {"type": "integer", "maximum": 0},
    "postcards": _COUNT,
    "total": {"type": "integer"},
    "free_spaces": _COUNT,
}
SCHEMA = members(
    {
        "game": {"const": "cite-lumiere"},
        "ply": _COUNT,
        "phase": one_of([phase.value for phase in Phase]),
        "to_move": _NOBODY_OR_SEAT,
        "board": array({"type": "string", "pattern": "^[obxl.]{8}$"}, minItems=8, maxItems=8),
        "pieces": array(_PIECE.schema),
        "supply": _BUILDINGS,
        "postcards": array(
            members({"card": one_of(CARDS), "state": one_of(["open", "taken", "armed"]), "owner": _NOBODY_OR_SEAT}),
            minItems=CARDS_IN_PLAY,
            maxItems=CARDS_IN_PLAY,
        ),
        "seats": members(
            {
                seat: members(
                    {
                        "tiles": array(one_of(list(tiles)), uniqueItems=True),
                        "reserve": _BUILDINGS,
                        "tokens": _COUNT,
                        "chimneys": _COUNT,
                        "passed": {"type": "boolean"},
                    }
                )
                for seat, tiles in zip(SEATS, TILES_OF, strict=True)
            }
        ),
        "score": members(
            {
                seat: members(
                    {
                        **_POINTS,
                        "buildings": array(
                            members({"piece": one_of(OWNABLE), "size": _COUNT, "lamps": _COUNT, "points": _COUNT})
                        ),
                    }
                )
                for seat in SEATS
            }
        ),
        "result": result_of(SEATS, TIE_BREAKS, one_of([1, 2]), _POINTS["total"]),
    }
)
