"""Positions for the tests: reached by moves written in words, or drawn space by space.

A move in words is `pave O1 a1 90`, `take L4`, `pass`, `build V3 b1 a2 b2`, `chartier`, `lampadaire b2`,
`bouquinistes f6 U6`, `le_penseur b2 n` or `levitation L4 X5 b1 a2 b2 c2 b3`; a seat may stand before it.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

import pytest

from domain.catalogue import GAMES
from domain.game import Game, JsonObject, Refusal, Seat
from domain.games.cite_lumiere.board import NAMES
from domain.games.cite_lumiere.edition import Edition
from domain.games.cite_lumiere.moves import Move, Postcard
from domain.games.cite_lumiere.parts import CARDS
from domain.games.cite_lumiere.setup import Setup
from domain.games.cite_lumiere.state import State
from tests.domain.cases import enter
from tests.domain.documents import with_values

GAME: Game[Edition, Setup, State, Move] = GAMES["cite-lumiere"]
EDITION = GAME.editions["devir-2019"]
SEATS = ("orange", "blue")
RIVAL = {"orange": "blue", "blue": "orange"}

FIRST_GAME = (
    *("levitation", "metropolitain", "jardin_des_plantes", "sacre_coeur"),
    *("le_peintre", "chartier", "bouquinistes", "lampadaire"),
)
"""The cards that the rulebook puts in play for a first match."""
OTHERS = (
    *("moulin_rouge", "fontaine_des_mers", "le_penseur", "la_grande_lumiere"),
    *("levitation", "metropolitain", "chartier", "lampadaire"),
)
"""The four additional cards and those that they interplay with."""

PAVEMENT = (
    *("O1 g5 180", "O2 a7 180", "O3 c1 90", "O4 g7 270", "O5 e1 0", "O6 e7 270", "O7 e5 0", "O8 g3 180"),
    *("B1 e3 180", "B2 g1 270", "B3 c5 90", "B4 a1 0", "B5 a5 270", "B6 a3 90", "B7 c7 270", "B8 c3 90"),
)
"""Where the tiles lie in `paved`: the pavement of the rulebook's example of scoring."""

HALVES = """
    oooobbbb
    oooobbbb
    ooxxxxbb
    oolooblb
    oooobbbb
    oooobbbb
    oolxxlbb
    oooobbbb
"""
"""A drawing with room for both: orange on the left, blue on the right, lamps at c4, g4, c7 and f7."""


def begin(first: Seat = "orange", cards: Sequence[str] = FIRST_GAME, edition: Edition = EDITION) -> State:
    """A match before its first move."""
    return GAME.rules.start(GAME.setup.parse({"first": first, "postcards": list(cards)}), SEATS, edition)


def document_with(changes: Mapping[str, object]) -> JsonObject:
    """The document of the built-in edition with other values: `{"chimneys": 2, "faces/1": "ssss"}`."""
    return with_values(EDITION.document, changes)


def edition_with(changes: Mapping[str, object]) -> Edition:
    """The built-in edition with other values."""
    return GAME.editions.load(document_with(changes))


def written(line: str) -> JsonObject:
    """The JSON form of a move in words."""
    word, *rest = line.split()
    match word, rest:
        case "pave", [tile, square, rotation]:
            return {"type": "pave", "tile": tile, "at": square, "rotation": int(rotation)}
        case "take", [building]:
            return {"type": "take", "building": building}
        case "pass", []:
            return {"type": "pass"}
        case "build", [building, *cells]:
            return {"type": "build", "building": building, "cells": cells}
        case card, []:
            return {"type": "postcard", "card": card}
        case "levitation", [give, take, *cells]:
            return {"type": "postcard", "card": word, "give": give, "take": take, "cells": cells}
        case "jardin_des_plantes" | "fontaine_des_mers", cells:
            return {"type": "postcard", "card": word, "cells": cells}
        case "le_penseur", [cell, facing]:
            return {"type": "postcard", "card": word, "cell": cell, "facing": facing}
        case "bouquinistes", [cell, building]:
            return {"type": "postcard", "card": word, "cell": cell, "building": building}
        case card, [cell]:
            return {"type": "postcard", "card": card, "cell": cell}
    raise ValueError(line)


def move(line: str) -> Move:
    """A move in words, without a seat."""
    return GAME.move.parse(written(line))


def play(state: State, *lines: str, ruled: bool = False) -> State:
    """The state after moves; a move without a seat is made by the one who is to move."""
    for line in lines:
        first, _, rest = line.partition(" ")
        seat, words = (first, rest) if first in SEATS else (state.to_move or "nobody", line)
        state = enter(GAME, state, seat, move(words), ruled=ruled)
    return state


def refusal(state: State, line: str, *, ruled: bool = False) -> Refusal:
    """Why a move is refused; fail if it is not."""
    with pytest.raises(Refusal) as caught:
        play(state, line, ruled=ruled)
    return caught.value


def code(state: State, line: str, *, ruled: bool = False) -> str:
    """The code with which a move is refused; fail if it is not."""
    return refusal(state, line, ruled=ruled).code


def paved(
    turn: Seat = "orange",
    orange: str = "",
    blue: str = "",
    cards: Sequence[str] = FIRST_GAME,
    edition: Edition = EDITION,
) -> State:
    """The start of phase 2 with a known pavement and the buildings that each seat took."""
    first, second = (PAVEMENT[:8], PAVEMENT[8:]) if turn == "orange" else (PAVEMENT[8:], PAVEMENT[:8])
    takes = [
        f"{seat} take {building}" for seat, held in (("orange", orange), ("blue", blue)) for building in held.split()
    ]
    paves = [f"{'orange' if tile[0] == 'O' else 'blue'} pave {tile}" for tile in (*first, *second)]
    return play(begin(cards=cards, edition=edition), *takes, *paves, ruled=True)


def drawn(
    board: str,
    *pieces: str,
    turn: Seat = "orange",
    orange: str = "",
    blue: str = "",
    cards: Sequence[str] = FIRST_GAME,
    edition: Edition = EDITION,
) -> State:
    """A position of phase 2 on a drawn board, after moves that were made whoever was to move."""
    start = paved(turn, orange, blue, cards, edition)
    printed = "".join(board.split())
    assert len(printed) == len(NAMES)
    layers = [sum(1 << index for index, mark in enumerate(printed) if mark == letter) for letter in "obxl"]
    ground = (layers[0], layers[1], layers[2], layers[3])
    state = play(start._replace(ground=ground), *pieces, ruled=True)
    return state._replace(to_move=turn)


def seat_of(state: State, seat: Seat) -> JsonObject:
    """What a seat holds, as the wire says."""
    held: JsonObject = GAME.view.dump(state)["seats"][seat]
    return held


def score_of(state: State, seat: Seat) -> JsonObject:
    """What a seat would score, as the wire says."""
    points: JsonObject = GAME.view.dump(state)["score"][seat]
    return points


def card_of(state: State, card: str) -> tuple[str, Seat | None]:
    """The state of a postcard and its owner."""
    (entry,) = (entry for entry in GAME.view.dump(state)["postcards"] if entry["card"] == card)
    return entry["state"], entry["owner"]


def piece_of(state: State, name: str) -> JsonObject:
    """A piece on the board."""
    pieces: list[JsonObject] = [piece for piece in GAME.view.dump(state)["pieces"] if piece["piece"] == name]
    (piece,) = pieces
    return piece


def legal(state: State) -> list[JsonObject]:
    """The legal moves in their JSON form."""
    return [GAME.move.dump(choice) for choice in GAME.rules.legal_moves(state)]


def legal_cells(state: State, card: str) -> set[str]:
    """The spaces on which the effect of a card may be carried out, joined where there are several."""
    effects = (choice for choice in legal(state) if choice.get("card") == card)
    return {"".join(effect.get("cells") or [effect["cell"]]) for effect in effects if {"cell", "cells"} & set(effect)}


def random_match(chance: Random, cards: Sequence[str] = (), edition: Edition = EDITION) -> Iterator[State]:
    """Every state of a legal match in which all is chance; builds and effects come more often than declined cards."""
    state = begin(chance.choice(SEATS), cards or chance.sample(CARDS, 8), edition)
    yield state
    while state.to_move is not None:
        state = enter(GAME, state, state.to_move, choose(chance, list(GAME.rules.legal_moves(state))))
        yield state


def choose(chance: Random, moves: Sequence[Move]) -> Move:
    """One of the moves: first a kind of move by chance, then one of its kind."""
    kinds: dict[tuple[str, str, bool], list[Move]] = {}
    for choice in moves:
        bare = type(choice) is Postcard
        kind = (type(choice).__name__, choice.card if isinstance(choice, Postcard) else "", bare)
        kinds.setdefault(kind, []).append(choice)
    return chance.choice(chance.choice(list(kinds.values())))
