"""The JSON of moves, set-ups, states and their schemas."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from domain.game import JsonObject
from domain.games.cite_lumiere.parts import CARDS
from tests.domain.documents import ANYTHING, accepts, mutated, pointers
from tests.domain.games.cite_lumiere.positions import (
    EDITION,
    FIRST_GAME,
    GAME,
    HALVES,
    OTHERS,
    begin,
    code,
    drawn,
    play,
)

SCHEMAS = {name: Draft202012Validator(schema) for name, schema in GAME.schemas.items()}

MOVES: tuple[JsonObject, ...] = (
    {"type": "pave", "tile": "B3", "at": "c5", "rotation": 90},
    {"type": "pave", "tile": "O8", "at": "b2", "rotation": 0},
    {"type": "take", "building": "L4"},
    {"type": "pass"},
    {"type": "build", "building": "L4", "cells": ["c3", "d3", "d4", "d5"]},
    *({"type": "postcard", "card": card} for card in CARDS),
    {"type": "postcard", "card": "lampadaire", "cell": "b2"},
    {"type": "postcard", "card": "le_peintre", "cell": "a1"},
    {"type": "postcard", "card": "moulin_rouge", "cell": "h8"},
    {"type": "postcard", "card": "la_grande_lumiere", "cell": "a8"},
    {"type": "postcard", "card": "bouquinistes", "cell": "b2", "building": "U6"},
    {"type": "postcard", "card": "bouquinistes", "cell": "b2", "building": "garden"},
    {"type": "postcard", "card": "bouquinistes", "cell": "b2"},
    *({"type": "postcard", "card": "le_penseur", "cell": "b2", "facing": facing} for facing in "nesw"),
    {"type": "postcard", "card": "jardin_des_plantes", "cells": ["b2", "b3"]},
    {"type": "postcard", "card": "fontaine_des_mers", "cells": ["b2", "c2"]},
    {"type": "postcard", "card": "levitation", "give": "L4", "take": "X5", "cells": ["a2", "b1", "b2", "b3", "c2"]},
)
SETUP: JsonObject = {"first": "orange", "postcards": sorted(FIRST_GAME)}


# Moves


@pytest.mark.parametrize("json_move", MOVES, ids=json.dumps)
def test_every_form_of_a_move_comes_back_as_it_went(json_move: JsonObject) -> None:
    parsed = GAME.move.parse(json_move)
    assert GAME.move.dump(parsed) == json_move
    assert GAME.move.parse(GAME.move.dump(parsed)) == parsed
    SCHEMAS["move"].validate(json_move)


def test_spaces_may_come_in_any_order_and_are_written_by_column_then_row() -> None:
    cells = ["d5", "c3", "d3", "d4"]
    assert GAME.move.dump(GAME.move.parse({"type": "build", "building": "L4", "cells": cells}))["cells"] == sorted(
        cells
    )
    mixed = ["b1", "a2", "a1"]
    assert GAME.move.dump(GAME.move.parse({"type": "build", "building": "V3", "cells": mixed}))["cells"] == [
        "a1",
        "a2",
        "b1",
    ]


PAVE, BUILD = MOVES[0], MOVES[4]
ANNEX = {"type": "postcard", "card": "bouquinistes"}
STATUE = {"type": "postcard", "card": "le_penseur"}
LEVITATION = {"type": "postcard", "card": "levitation"}
GARDEN = {"type": "postcard", "card": "jardin_des_plantes"}
LAMP = {"type": "postcard", "card": "lampadaire"}


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({**PAVE, "rotation": "90"}, ["/rotation"]),
        ({**PAVE, "rotation": 90.0}, ["/rotation"]),
        ({**PAVE, "rotation": True}, ["/rotation"]),
        ({**PAVE, "rotation": False}, ["/rotation"]),
        ({**PAVE, "rotation": 45}, ["/rotation"]),
        ({**PAVE, "rotation": -90}, ["/rotation"]),
        ({**PAVE, "rotation": 360}, ["/rotation"]),
        ({**PAVE, "rotation": None}, ["/rotation"]),
        ({**PAVE, "tile": "B9"}, ["/tile"]),
        ({**PAVE, "tile": "b3"}, ["/tile"]),
        ({**PAVE, "tile": 3}, ["/tile"]),
        ({**PAVE, "at": "z9"}, ["/at"]),
        ({**PAVE, "at": "C5"}, ["/at"]),
        ({**PAVE, "at": ["c5"]}, ["/at"]),
        ({**PAVE, "at": {"c5": 1}}, ["/at"]),
        ({**PAVE, "cells": ["a1"]}, ["/cells"]),
        ({**PAVE, "seat": "orange"}, ["/seat"]),
        ({"type": "pave"}, ["/tile", "/at", "/rotation"]),
        ({"type": "take"}, ["/building"]),
        ({"type": "take", "building": "garden"}, ["/building"]),
        ({"type": "take", "building": "L5"}, ["/building"]),
        ({"type": "take", "building": None}, ["/building"]),
        ({"type": "pass", "reason": "tired"}, ["/reason"]),
        ({"type": "pass", "a/b~c": 1}, ["/a~1b~0c"]),
        ({"type": "pass", "\ud800": 1}, ["/?"]),
        ({**BUILD, "cells": []}, ["/cells"]),
        ({**BUILD, "cells": "c3"}, ["/cells"]),
        ({**BUILD, "cells": None}, ["/cells"]),
        ({**BUILD, "cells": ["c3"] * 65}, ["/cells"]),
        ({**BUILD, "cells": ["c3", "d3", "c3"]}, ["/cells/2"]),
        ({**BUILD, "cells": ["c3", "z9", 4, None]}, ["/cells/1", "/cells/2", "/cells/3"]),
        ({**BUILD, "building": "garden"}, ["/building"]),
        ({"type": "build", "cells": ["c3"]}, ["/building"]),
        ({"type": "build", "building": "L4"}, ["/cells"]),
        ({"type": "postcard"}, ["/card"]),
        ({"type": "postcard", "card": "eiffel"}, ["/card"]),
        ({"type": "postcard", "card": None}, ["/card"]),
        ({**STATUE, "cell": "b2"}, ["/facing"]),
        ({**STATUE, "facing": "n"}, ["/cell"]),
        ({**STATUE, "cell": "b2", "facing": "N"}, ["/facing"]),
        ({**STATUE, "cell": "b2", "facing": None}, ["/facing"]),
        ({**STATUE, "cell": "b2", "facing": "n", "building": "U6"}, ["/building"]),
        ({**ANNEX, "building": "U6"}, ["/cell"]),
        ({**ANNEX, "cell": "b2", "building": None}, ["/building"]),
        ({**ANNEX, "cell": "b2", "building": "annex"}, ["/building"]),
        ({**LAMP, "cell": None}, ["/cell"]),
        ({**LAMP, "cell": "i1"}, ["/cell"]),
        ({**LAMP, "cells": ["b2"]}, ["/cells"]),
        ({**LAMP, "cell": "b2", "facing": "n"}, ["/facing"]),
        ({**GARDEN, "cell": "b2"}, ["/cell"]),
        ({**GARDEN, "cells": ["b2", "b2"]}, ["/cells/1"]),
        ({**LEVITATION, "give": "L4"}, ["/take", "/cells"]),
        ({**LEVITATION, "give": "L4", "take": "X5"}, ["/cells"]),
        ({**LEVITATION, "cells": ["b2"]}, ["/give", "/take"]),
        ({**LEVITATION, "give": "garden", "take": "garden", "cells": ["b2", "b3"]}, ["/give", "/take"]),
        ({"type": "postcard", "card": "metropolitain", "cell": "b2"}, ["/cell"]),
        ({"type": "postcard", "card": "sacre_coeur", "cells": []}, ["/cells"]),
    ],
    ids=repr,
)
def test_a_malformed_move_is_refused_where_it_is_wrong(document: object, expected: list[str]) -> None:
    assert pointers(GAME.move.parse, document) == expected


@pytest.mark.parametrize(
    "document", [{}, {"type": None}, {"type": "Pass"}, {"type": ["pass"]}, {"type": True}], ids=repr
)
def test_an_unknown_type_of_move_is_malformed(document: object) -> None:
    assert "/type" in pointers(GAME.move.parse, document)


def test_members_that_are_no_strings_are_malformed() -> None:
    assert pointers(GAME.move.parse, {"type": "pass", 7: 1}) == [""]


def test_all_errors_of_a_move_are_told_at_once() -> None:
    document = {"type": "pave", "tile": "Z1", "at": "z9", "rotation": "0", "why": 1}
    assert pointers(GAME.move.parse, document) == ["/tile", "/at", "/rotation", "/why"]


def test_a_known_thing_in_the_wrong_place_is_illegal_and_not_malformed() -> None:
    assert code(begin(), "pave O1 b2 0") == "not_a_square"
    assert code(drawn(HALVES), "moulin_rouge b2") == "card_not_in_play"
    assert code(drawn(HALVES, orange="I3"), "build I3 a1 h8 c4 d5") == "shape_mismatch"


# Set-ups


def test_a_set_up_comes_back_with_its_cards_sorted() -> None:
    setup = GAME.setup.parse({"first": "orange", "postcards": list(FIRST_GAME)})
    assert GAME.setup.dump(setup) == SETUP
    assert GAME.setup.parse(SETUP) == setup
    SCHEMAS["setup"].validate(SETUP)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({}, ["/first", "/postcards"]),
        ({**SETUP, "first": "red"}, ["/first"]),
        ({**SETUP, "first": None}, ["/first"]),
        ({**SETUP, "variant": None}, ["/variant"]),
        ({**SETUP, "postcards": None}, ["/postcards"]),
        ({**SETUP, "postcards": list(FIRST_GAME[:7])}, ["/postcards"]),
        ({**SETUP, "postcards": [*FIRST_GAME, "moulin_rouge"]}, ["/postcards"]),
        ({**SETUP, "postcards": [*FIRST_GAME[:7], FIRST_GAME[0]]}, ["/postcards/7"]),
        ({**SETUP, "postcards": [*FIRST_GAME[:6], "eiffel", 7]}, ["/postcards/6", "/postcards/7"]),
        ({**SETUP, "postcards": {"0": "levitation"}}, ["/postcards"]),
    ],
    ids=repr,
)
def test_a_malformed_set_up_is_refused_where_it_is_wrong(document: object, expected: list[str]) -> None:
    assert pointers(GAME.setup.parse, document) == expected


# States


def test_the_state_before_the_first_move_is_written_in_full() -> None:
    seat = {"reserve": [], "tokens": 4, "chimneys": 7, "passed": False}
    score = {"lit": 0, "group": 0, "unbuilt": 0, "postcards": 0, "total": 0, "free_spaces": 0, "buildings": []}
    assert GAME.view.dump(begin()) == {
        "game": "cite-lumiere",
        "ply": 0,
        "phase": "paving",
        "to_move": "orange",
        "board": ["........"] * 8,
        "pieces": [],
        "supply": ["I3", "L4", "L6", "O4", "P5", "S4", "T4", "T5", "U6", "V3", "W5", "X5"],
        "postcards": [{"card": card, "state": "open", "owner": None} for card in sorted(FIRST_GAME)],
        "seats": {
            "orange": {"tiles": [f"O{number}" for number in range(1, 9)], **seat},
            "blue": {"tiles": [f"B{number}" for number in range(1, 9)], **seat},
        },
        "score": {"orange": score, "blue": score},
        "result": None,
    }


@pytest.mark.parametrize(
    ("rotation", "rows"),
    [(0, ["bo", "xo"]), (90, ["xb", "oo"]), (180, ["ox", "ob"]), (270, ["oo", "bx"])],
)
def test_tiles_turn_clockwise(rotation: int, rows: list[str]) -> None:
    board = GAME.view.dump(play(begin(), f"pave O1 c5 {rotation}"))["board"]
    assert board == ["........"] * 4 + [f"..{row}...." for row in rows] + ["........"] * 2


def test_tiles_of_the_other_seat_show_the_colours_the_other_way_round() -> None:
    board = GAME.view.dump(play(begin(first="blue"), "pave B1 a1 0", "pave O4 g7 0"))["board"]
    assert (board[0], board[1], board[6], board[7]) == ("ob......", "xb......", "......lo", "......bx")


def test_lists_are_sorted_and_the_board_keeps_what_is_printed_under_pieces() -> None:
    cards = ("jardin_des_plantes", "bouquinistes", "le_penseur", *OTHERS[3:])
    state = drawn(
        HALVES,
        *("blue le_penseur h8 n", "orange build U6 a1 b1 c1 d1 a2 d2", "orange bouquinistes a3"),
        *("orange metropolitain", "orange jardin_des_plantes d4 c4", "blue chartier", "blue la_grande_lumiere g4"),
        orange="V3 U6 I3",
        blue="X5 O4",
        cards=cards,
    )
    dumped = GAME.view.dump(state)
    assert dumped["board"] == HALVES.split()
    assert dumped["pieces"] == [
        {"piece": "U6", "owner": "orange", "cells": ["a1", "a2", "b1", "c1", "d1", "d2"]},
        {"piece": "annex", "owner": "orange", "cells": ["a3"], "joins": "U6"},
        {"piece": "garden", "owner": "orange", "cells": ["c4", "d4"]},
        {"piece": "grand_lamp", "owner": "blue", "cells": ["g4"]},
        {"piece": "statue", "owner": "blue", "cells": ["h8"], "facing": "n"},
    ]
    assert dumped["supply"] == ["L4", "L6", "P5", "S4", "T4", "T5", "W5"]
    assert [card["card"] for card in dumped["postcards"]] == sorted(cards)
    assert {card["card"]: (card["state"], card["owner"]) for card in dumped["postcards"]} == {
        "bouquinistes": ("taken", "orange"),
        "chartier": ("armed", "blue"),
        "jardin_des_plantes": ("taken", "orange"),
        "la_grande_lumiere": ("taken", "blue"),
        "lampadaire": ("open", None),
        "le_penseur": ("taken", "blue"),
        "levitation": ("open", None),
        "metropolitain": ("taken", "orange"),
    }
    assert dumped["seats"]["orange"] == {
        "tiles": [],
        "reserve": ["I3", "V3"],
        "tokens": 1,
        "chimneys": 5,
        "passed": False,
    }
    assert dumped["seats"]["blue"] == {
        "tiles": [],
        "reserve": ["O4", "X5"],
        "tokens": 1,
        "chimneys": 7,
        "passed": False,
    }
    assert [row["piece"] for row in dumped["score"]["orange"]["buildings"]] == ["U6", "garden"]


# Anything else


WORDS: st.SearchStrategy[Any] = st.sampled_from(
    (
        *(
            "pave",
            "take",
            "pass",
            "build",
            "postcard",
            "garden",
            "orange",
            "n",
            "a1",
            "b2",
            "c5",
            "z9",
            "",
            "\0",
            "\ud800",
        ),
        *("O1", "B3", "L4", "X5", *CARDS),
        *(0, 90, 45, True, False, None),
        *(["a1"], ["a1", "b1"], ["a1", "a1"], [], {}),
    )
)
MEMBERS = (
    "type",
    "tile",
    "at",
    "rotation",
    "building",
    "cells",
    "cell",
    "card",
    "facing",
    "give",
    "take",
    "other",
    "a/b~c",
    "\ud800",
)


@given(mutated(MOVES, MEMBERS, WORDS | ANYTHING))
@settings(max_examples=400, deadline=None)
def test_no_changed_move_breaks_the_reader(document: object) -> None:
    if accepts(GAME.move.parse, document):
        parsed = GAME.move.parse(document)
        assert GAME.move.parse(GAME.move.dump(parsed)) == parsed


@given(mutated(MOVES, MEMBERS, WORDS))
@settings(max_examples=400, deadline=None)
def test_the_reader_accepts_exactly_what_the_schema_of_moves_does(document: object) -> None:
    assert accepts(GAME.move.parse, document) == SCHEMAS["move"].is_valid(document)


@given(mutated((SETUP,), ("first", "postcards", "variant"), WORDS))
@settings(max_examples=150, deadline=None)
def test_the_reader_accepts_exactly_what_the_schema_of_set_ups_does(document: object) -> None:
    assert accepts(GAME.setup.parse, document) == SCHEMAS["setup"].is_valid(document)


EDITION_MEMBERS = ("value", "source", "note", "chimneys", "faces", "9", "game")
EDITION_VALUES = (
    WORDS
    | ANYTHING
    | st.sampled_from(("rulebook", "user", "sssx", "####", {"value": 3, "source": "user"}, [[0, 1]], 7))
)


@given(mutated((dict(EDITION.document),), EDITION_MEMBERS, EDITION_VALUES))
@settings(max_examples=250, deadline=None)
def test_no_changed_edition_breaks_the_reader(document: object) -> None:
    if accepts(GAME.editions.load, document):
        assert GAME.editions.load(document).document == document
