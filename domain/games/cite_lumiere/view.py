"""The JSON form of a state of La Cité de la Lumière and its schema."""

from functools import lru_cache

from domain.game import JsonObject, Seat, dump_result
from domain.games.cite_lumiere.board import FACINGS, NAMES, bits, names
from domain.games.cite_lumiere.parts import (
    BUILDING_BIT,
    BUILDINGS,
    CARD_BIT,
    CARDS,
    CARDS_IN_PLAY,
    LAYERS,
    OWNABLE,
    PIECE_OF_CARD,
    SEATS,
    TILE_BIT,
    words,
)
from domain.games.cite_lumiere.scoring import TIE_BREAKS, SeatScore, result, score
from domain.games.cite_lumiere.state import Ground, Piece, Side, State
from domain.json_schema import array, members, one_of

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
        "board": _dump_board(state.ground),
        "pieces": [_dump_piece(piece) for piece in sorted(state.pieces, key=lambda piece: piece.name)],
        "supply": words(state.supply, SUPPLY_BIT),
        "postcards": _dump_cards(state.in_play, *[(side.cards, side.armed) for side in state.sides]),
        "seats": {
            seat: _dump_seat(seat, side, state.tokens(me), state.chimneys(me))
            for me, (seat, side) in enumerate(zip(SEATS, state.sides, strict=True))
        },
        "score": {seat: _dump_score(seat_score) for seat, seat_score in score(state).items()},
        "result": dump_result(result(state)),
    }


def _dump_board(ground: Ground) -> list[str]:
    return [_row(*(layer >> row & 255 for layer in ground)) for row in range(0, 64, 8)]


# 10 µs of 44 per state (one pass over the states of 40 random matches, 2026-11): most rows stay as they were.
@lru_cache(maxsize=2**12)
def _row(*layers: int) -> str:
    """One row of the board by what is paved in it."""
    spaces = [UNPAVED] * 8
    for layer, letter in zip(layers, LETTERS.values(), strict=True):
        for space in bits(layer):
            spaces[space.bit_length() - 1] = letter
    return "".join(spaces)


def _dump_piece(piece: Piece) -> JsonObject:
    json: JsonObject = {"piece": piece.name, "owner": piece.owner, "cells": names(piece.cells)}
    if piece.joins is not None:
        json["joins"] = piece.joins
    if piece.facing is not None:
        json["facing"] = piece.facing
    return json


def _dump_cards(in_play: int, *held: tuple[int, int]) -> list[JsonObject]:
    """The postcards of the match, by those that each seat has taken and armed."""
    return [_dump_card(card, CARD_BIT[card], held) for card in words(in_play, CARD_BIT)]


def _dump_card(card: str, bit: int, held: tuple[tuple[int, int], ...]) -> JsonObject:
    for seat, (taken, armed) in zip(SEATS, held, strict=True):
        if taken & bit:
            return {"card": card, "state": "armed" if armed & bit else "taken", "owner": seat}
    return {"card": card, "state": "open", "owner": None}


def _dump_seat(seat: Seat, side: Side, tokens: int, chimneys: int) -> JsonObject:
    return {
        "tiles": words(side.tiles, TILE_OF_SEAT[seat]),
        "reserve": words(side.reserve, SUPPLY_BIT),
        "tokens": tokens,
        "chimneys": chimneys,
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


_SEAT = one_of(SEATS)
_NOBODY_OR_SEAT = one_of([*SEATS, None])
_SPACE = one_of(NAMES)
_SPACES = array(_SPACE, minItems=1, maxItems=64, uniqueItems=True)
_BUILDING = one_of(BUILDINGS)
_COUNT: JsonObject = {"type": "integer", "minimum": 0}
_POINTS: JsonObject = {"type": "integer"}

SCHEMA = members(
    {
        "game": {"const": "cite-lumiere"},
        "ply": _COUNT,
        "phase": one_of(["paving", "building", "over"]),
        "to_move": _NOBODY_OR_SEAT,
        "board": array({"type": "string", "pattern": "^[obxl.]{8}$"}, minItems=8, maxItems=8),
        "pieces": array(
            members(
                {"piece": one_of(sorted([*BUILDINGS, *PIECE_OF_CARD.values()])), "owner": _SEAT, "cells": _SPACES},
                {"joins": one_of(OWNABLE), "facing": one_of(list(FACINGS))},
            )
        ),
        "supply": array(_BUILDING, uniqueItems=True),
        "postcards": array(
            members({"card": one_of(CARDS), "state": one_of(["open", "taken", "armed"]), "owner": _NOBODY_OR_SEAT}),
            minItems=CARDS_IN_PLAY,
            maxItems=CARDS_IN_PLAY,
        ),
        "seats": members(
            {
                seat: members(
                    {
                        "tiles": array(one_of(list(TILE_OF_SEAT[seat])), uniqueItems=True),
                        "reserve": array(_BUILDING, uniqueItems=True),
                        "tokens": _COUNT,
                        "chimneys": _COUNT,
                        "passed": {"type": "boolean"},
                    }
                )
                for seat in SEATS
            }
        ),
        "score": members(
            {
                seat: members(
                    {
                        "lit": _COUNT,
                        "group": _COUNT,
                        "unbuilt": {"type": "integer", "maximum": 0},
                        "postcards": _COUNT,
                        "total": _POINTS,
                        "free_spaces": _COUNT,
                        "buildings": array(
                            members({"piece": one_of(OWNABLE), "size": _COUNT, "lamps": _COUNT, "points": _COUNT})
                        ),
                    }
                )
                for seat in SEATS
            }
        ),
        "result": {
            "oneOf": [
                {"type": "null"},
                members(
                    {
                        "winners": array(_SEAT, minItems=1, maxItems=2, uniqueItems=True),
                        "ranking": array(
                            members({"seat": _SEAT, "place": one_of([1, 2]), "points": _POINTS}),
                            minItems=2,
                            maxItems=2,
                        ),
                        "decided_by": one_of(["points", *TIE_BREAKS, "shared"]),
                    }
                ),
            ]
        },
    }
)
