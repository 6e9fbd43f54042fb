"""Every move that the vocabulary of the wire has room for, and matches turned, mirrored or with colours changed."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

from domain.game import JsonObject, Refusal
from domain.games.cite_lumiere.moves import Move
from domain.games.cite_lumiere.state import State
from tests.domain.games.cite_lumiere.positions import EDITION, GAME

SPACES = tuple(f"{column}{row}" for row in range(1, 9) for column in "abcdefgh")
TILES = tuple(f"{colour}{number}" for colour in "OB" for number in range(1, 9))
SHAPES: dict[str, Sequence[str]] = {
    **{building: leaf["value"] for building, leaf in EDITION.document["buildings"].items()},
    "garden": ["##"],
}
ON_ONE_SPACE = ("lampadaire", "le_peintre", "moulin_rouge", "la_grande_lumiere")


def lying(shape: Sequence[str], mirrored: bool) -> Iterator[tuple[str, ...]]:
    """The spaces of a shape wherever it fits on the board, turned all ways and turned over if that is asked for."""
    drawing = [line[::-1] for line in shape] if mirrored else list(shape)
    found = set()
    for _ in range(4):
        drawing = ["".join(line[column] for line in drawing[::-1]) for column in range(len(drawing[0]))]
        for top, left in product(range(9 - len(drawing)), range(9 - len(drawing[0]))):
            marks = product(range(len(drawing)), range(len(drawing[0])))
            cells = tuple(
                SPACES[(top + row) * 8 + left + column] for row, column in marks if drawing[row][column] == "#"
            )
            found.add(tuple(sorted(cells)))
    yield from sorted(found)


@cache
def placements(building: str) -> tuple[tuple[str, ...], ...]:
    """Where a shape lies, where it would lie turned over, and some sets of spaces of no shape."""
    shape = SHAPES[building]
    wrong = (("a1",), ("a1", "h8"), ("a1", "b2", "c3", "d4"), ("d4", "d5", "d6", "d7", "d8"))
    return tuple(dict.fromkeys((*lying(shape, mirrored=False), *lying(shape, mirrored=True), *wrong)))


@cache
def moves() -> tuple[Move, ...]:
    """Every move: all tiles, squares and not, turns, buildings, cards and effects."""
    return tuple(GAME.move.parse(move) for move in (*_simple(), *_builds(), *_effects()))


def _simple() -> Iterator[JsonObject]:
    for tile, space, rotation in product(TILES, SPACES, (0, 90, 180, 270)):
        yield {"type": "pave", "tile": tile, "at": space, "rotation": rotation}
    yield from ({"type": "take", "building": building} for building in SHAPES if building != "garden")
    yield {"type": "pass"}


def _builds() -> Iterator[JsonObject]:
    for building in SHAPES:
        if building != "garden":
            for cells in placements(building):
                yield {"type": "build", "building": building, "cells": list(cells)}


def _effects() -> Iterator[JsonObject]:
    for card in sorted(card for card in GAME.schemas["setup"]["properties"]["postcards"]["items"]["enum"]):
        yield {"type": "postcard", "card": card}
    for card, space in product(ON_ONE_SPACE, SPACES):
        yield {"type": "postcard", "card": card, "cell": space}
    for space in SPACES:
        yield {"type": "postcard", "card": "bouquinistes", "cell": space}
        for building in SHAPES:
            yield {"type": "postcard", "card": "bouquinistes", "cell": space, "building": building}
        for facing in "nesw":
            yield {"type": "postcard", "card": "le_penseur", "cell": space, "facing": facing}
    for card, cells in product(("jardin_des_plantes", "fontaine_des_mers"), placements("garden")):
        yield {"type": "postcard", "card": card, "cells": list(cells)}
    buildings = [building for building in SHAPES if building != "garden"]
    for give, take in product(buildings, buildings):
        for cells in placements(take):
            yield {"type": "postcard", "card": "levitation", "give": give, "take": take, "cells": list(cells)}


def accepted(state: State) -> list[Move]:
    """The conceivable moves that the seat to move may make, found by trying them all."""
    assert state.to_move is not None
    found = []
    for move in moves():
        try:
            GAME.rules.check(state, state.to_move, move)
        except Refusal:
            continue
        found.append(move)
    return found
