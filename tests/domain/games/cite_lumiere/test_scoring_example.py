"""The rulebook's example of scoring, played as a whole legal match."""

import pytest

from domain.games.cite_lumiere.state import State
from tests.domain.games.cite_lumiere.positions import (
    GAME,
    SEATS,
    begin,
    card_of,
    code,
    piece_of,
    play,
    score_of,
    seat_of,
)

PAVING = (
    *("pave O1 g5 180", "pave B1 e3 180", "take U6", "take T5", "pave O2 a7 180", "take L4"),
    *("take L6", "pave B2 g1 270", "pave O3 c1 90", "pave B3 c5 90", "pave O4 g7 270", "take T4"),
    *("take W5", "pave B4 a1 0", "pave O5 e1 0", "take V3", "pave O6 e7 270", "pave B5 a5 270"),
    *("pave O7 e5 0", "take I3", "take X5", "pave B6 a3 90", "pave O8 g3 180", "take P5"),
    *("pass", "pave B7 c7 270", "pass", "pave B8 c3 90"),
)
BUILDING = (
    *("build L6 c1 d1 e1 f1 f2 f3", "build T5 e2 c3 d3 e3 e4"),
    *("build U6 f4 g4 g5 g6 f7 g7", "build L4 d4 b5 c5 d5"),
    *("jardin_des_plantes e6 f6", "build T4 b1 b2 c2 b3"),
    *("bouquinistes f5 U6", "build V3 c7 d7 d8"),
    *("sacre_coeur", "build I3 h5 h6 h7"),
    *("metropolitain", "le_peintre f8"),
)
"""Alternating; then Orange has neither a token nor a place left, Blue three tokens and a building."""
ENDING = ("lampadaire", "levitation", "chartier", "pass")
"""All by Blue, who could build the last building with Chartier alone and leaves it."""

BOARD = [
    "lbooxobo",
    "oxblboxb",
    "obbbbxbo",
    "blobbooo",
    "bbbbloox",
    "xooloxob",
    "bobxloox",
    "oxlboblb",
]


@pytest.fixture(scope="module")
def built() -> State:
    return play(begin(), *PAVING, *BUILDING)


@pytest.fixture(scope="module")
def over(built: State) -> State:
    return play(built, *ENDING)


def test_the_pavement_is_that_of_the_example(built: State) -> None:
    assert GAME.view.dump(built)["board"] == BOARD


def test_orange_has_the_points_of_the_example(over: State) -> None:
    score = score_of(over, "orange")
    assert score["buildings"] == [
        {"piece": "L6", "size": 6, "lamps": 1, "points": 6},
        {"piece": "U6", "size": 7, "lamps": 3, "points": 21},
        {"piece": "garden", "size": 2, "lamps": 3, "points": 6},
    ]
    assert (score["lit"], score["group"], score["unbuilt"], score["postcards"], score["total"]) == (33, 15, 0, 0, 48)


def test_blue_has_the_points_of_the_example(over: State) -> None:
    score = score_of(over, "blue")
    assert score["buildings"] == [
        {"piece": "I3", "size": 3, "lamps": 0, "points": 0},
        {"piece": "L4", "size": 4, "lamps": 3, "points": 12},
        {"piece": "T4", "size": 4, "lamps": 3, "points": 12},
        {"piece": "T5", "size": 5, "lamps": 2, "points": 10},
        {"piece": "V3", "size": 3, "lamps": 3, "points": 9},
    ]
    assert (score["lit"], score["group"], score["unbuilt"], score["postcards"], score["total"]) == (43, 13, -3, 4, 57)


def test_blue_wins_by_points(over: State) -> None:
    assert GAME.view.dump(over)["result"] == {
        "winners": ["blue"],
        "ranking": [{"seat": "blue", "place": 1, "points": 57}, {"seat": "orange", "place": 2, "points": 48}],
        "decided_by": "points",
    }


def test_the_match_ends_when_tokens_and_places_are_spent(over: State) -> None:
    assert (over.to_move, GAME.view.dump(over)["phase"], over.to_move, list(GAME.rules.legal_moves(over))) == (
        None,
        "over",
        None,
        [],
    )
    assert {seat: seat_of(over, seat)["tokens"] for seat in SEATS} == {"orange": 0, "blue": 0}
    assert (seat_of(over, "orange")["reserve"], seat_of(over, "blue")["reserve"]) == (["W5", "X5"], ["P5"])
    assert code(over, "orange pass") == "match_over"


def test_only_blue_moves_at_the_end_and_passes_though_a_right_is_left(built: State) -> None:
    state = built
    for move in ENDING:
        assert (state.to_move, code(state, "orange pass")) == ("blue", "skipped")
        state = play(state, move)
    assert (seat_of(state, "blue")["passed"], seat_of(state, "orange")["passed"]) == (True, False)
    assert card_of(state, "chartier") == ("armed", "blue")
    assert card_of(state, "metropolitain") == ("armed", "orange")


def test_the_annex_had_to_name_its_building(over: State) -> None:
    before = play(begin(), *PAVING, *BUILDING[:6])
    assert code(before, "bouquinistes f5") == "annex_unclear"
    assert piece_of(over, "annex") == {"piece": "annex", "owner": "orange", "cells": ["f5"], "joins": "U6"}


def test_every_point_is_explained_by_the_pieces_that_give_it(over: State) -> None:
    explained = GAME.telling.explain(over)
    assert [(item.category, item.points, item.pieces, item.sources) for item in explained["orange"]] == [
        ("lit", 6, ("L6",), ("d2",)),
        ("lit", 21, ("U6",), ("e5", "e7", "g8")),
        ("lit", 6, ("garden",), ("d6", "e5", "e7")),
        ("group", 15, ("L6", "U6", "garden"), ()),
        ("unbuilt", 0, ("W5", "X5"), ()),
    ]
    assert [(item.category, item.points, item.pieces, item.sources) for item in explained["blue"]] == [
        ("lit", 0, ("I3",), ()),
        ("lit", 12, ("L4",), ("b4", "d6", "e5")),
        ("lit", 12, ("T4",), ("a1", "b4", "d2")),
        ("lit", 10, ("T5",), ("d2", "e5")),
        ("lit", 9, ("V3",), ("c8", "d6", "e7")),
        ("group", 13, ("L4", "T4", "T5"), ()),
        ("unbuilt", -3, ("P5",), ()),
        ("postcards", 4, ("painter",), ("e7", "g8")),
    ]
    assert "U6 covers 7 spaces" in explained["orange"][1].sentence
