"""Points at any ply: light, groups, unbuilt buildings, ties, and the reasons for every point."""

from random import Random

import pytest

from domain.game import JsonObject
from domain.games.cite_lumiere.state import State
from tests.domain.games.cite_lumiere.positions import (
    GAME,
    HALVES,
    OTHERS,
    SEATS,
    begin,
    drawn,
    edition_with,
    play,
    random_match,
    score_of,
)

ROOM = "o" * 64
CARDS = ("jardin_des_plantes", "bouquinistes", "sacre_coeur", "le_peintre", *OTHERS[:2], "lampadaire", "metropolitain")


def row_of(state: State, piece: str, seat: str = "orange") -> JsonObject:
    """The row of a building in the score."""
    rows: list[JsonObject] = [row for row in score_of(state, seat)["buildings"] if row["piece"] == piece]
    (row,) = rows
    return row


# Lit buildings


LIT = """
    ooloooll
    looooooo
    oooooooo
    llllllll
    bbbbbbbb
    bbbbbbbb
    bbbbbbbb
    bbbbbbbb
"""


def test_a_building_has_its_size_for_every_lamp_beside_it() -> None:
    state = drawn(LIT, "orange build I3 a3 b3 c3", orange="I3")
    assert row_of(state, "I3") == {"piece": "I3", "size": 3, "lamps": 4, "points": 12}


def test_a_lamp_counts_once_for_a_building_that_it_touches_twice() -> None:
    state = drawn(LIT, "orange build V3 b1 b2 c2", orange="V3")
    assert row_of(state, "V3") == {"piece": "V3", "size": 3, "lamps": 2, "points": 6}


def test_a_lamp_at_a_corner_gives_no_light() -> None:
    state = drawn(LIT, "orange build I3 d3 d2 d1", orange="I3")
    assert row_of(state, "I3")["lamps"] == 2
    assert row_of(drawn(LIT, "orange build I3 d2 e2 f2", orange="I3"), "I3")["lamps"] == 0


def test_light_does_not_leap_over_the_edge_of_the_board() -> None:
    board = "o" * 7 + "l" + "o" * 48 + "l" + "o" * 7
    state = drawn(board, "orange build I3 a2 a3 a4", "orange build V3 h6 h7 g7", orange="I3 V3")
    assert (row_of(state, "I3")["lamps"], row_of(state, "V3")["lamps"]) == (0, 0)


def test_a_lamp_lights_the_buildings_of_both_seats() -> None:
    state = drawn(LIT, "orange build I3 a3 b3 c3", "blue build V3 b5 a6 b6", orange="I3", blue="V3")
    assert (row_of(state, "I3")["lamps"], row_of(state, "V3", "blue")["lamps"]) == (4, 1)


# The largest group


def group(*pieces: str, orange: str = "", blue: str = "") -> int:
    """The points for the largest group of Orange."""
    points: int = score_of(drawn(ROOM, *pieces, cards=CARDS, orange=orange, blue=blue), "orange")["group"]
    return points


def test_buildings_that_touch_by_an_edge_are_a_group() -> None:
    assert group("orange build I3 a1 b1 c1", "orange build O4 a2 b2 a3 b3", orange="I3 O4") == 7


def test_buildings_that_touch_by_a_corner_are_none() -> None:
    assert group("orange build I3 a1 b1 c1", "orange build O4 d2 e2 d3 e3", orange="I3 O4") == 4


def test_buildings_on_opposite_edges_are_none() -> None:
    assert group("orange build I3 h1 h2 h3", "orange build O4 a2 b2 a3 b3", orange="I3 O4") == 4


def test_a_chain_of_buildings_is_one_group_in_any_order() -> None:
    chain = ("orange build I3 a1 b1 c1", "orange build O4 d1 e1 d2 e2", "orange build L4 f2 g2 g3 g4")
    for pieces in (chain, chain[::-1], (chain[0], chain[2], chain[1])):
        assert group(*pieces, orange="I3 O4 L4") == 11


def test_the_largest_of_several_groups_counts_by_its_spaces() -> None:
    many_small = ("orange build I3 a1 b1 c1", "orange build V3 d1 d2 c2")
    assert group(*many_small, "orange build L6 f4 g4 h4 f5 f6 f7", orange="I3 V3 L6") == 6
    assert group(*many_small, "orange build T5 g4 g5 f6 g6 h6", orange="I3 V3 T5") == 6


def test_the_rival_s_building_does_not_join_a_group() -> None:
    pieces = ("orange build I3 a1 a2 a3", "blue build L4 a4 b4 b5 b6", "orange build O4 c4 d4 c5 d5")
    assert group(*pieces, orange="I3 O4", blue="L4") == 4


def test_garden_and_annex_count_in_a_group() -> None:
    pieces = ("orange build I3 a1 b1 c1", "orange jardin_des_plantes e1 f1")
    assert group(*pieces, orange="I3") == 3
    assert group(*pieces, "orange bouquinistes d1 I3", orange="I3") == 6


def test_an_annex_connects_its_building_with_what_it_touches() -> None:
    pieces = ("orange build I3 a1 b1 c1", "orange build O4 d2 e2 d3 e3", "orange bouquinistes d1 O4")
    assert group(*pieces, orange="I3 O4") == 8


def test_an_unlit_group_counts() -> None:
    state = drawn(ROOM, "orange build I3 a1 b1 c1", orange="I3")
    assert (score_of(state, "orange")["lit"], score_of(state, "orange")["group"]) == (0, 3)


# Unbuilt buildings


def test_every_unbuilt_building_costs_three_from_its_taking_on() -> None:
    state = begin()
    for taken, line in enumerate(("take U6", "take L4", "take I3", "take O4")):
        state = play(state, line)
        assert score_of(state, "orange")["unbuilt"] == -3 * (taken // 2 + 1)
    assert score_of(state, "orange")["total"] == -6


def test_building_ends_the_cost() -> None:
    state = drawn(ROOM, orange="I3 O4")
    assert score_of(play(state, "build I3 a1 b1 c1"), "orange")["unbuilt"] == -3


# Totals and ties


def test_the_total_is_the_sum_of_its_parts() -> None:
    state = drawn(HALVES, "orange le_peintre a1", "orange build I3 c3 d3 e3", orange="I3 O4")
    score = score_of(state, "orange")
    assert (score["lit"], score["group"], score["unbuilt"], score["postcards"]) == (3, 3, -3, 8)
    assert score["total"] == 11


SPENT = (
    *("orange sacre_coeur", "orange metropolitain", "orange lampadaire", "orange levitation"),
    *("blue le_peintre", "blue chartier", "blue bouquinistes"),
)


def ended(board: str, *pieces: str, orange: str = "", blue: str = "") -> JsonObject:
    """The result after the last card was declined."""
    state = play(drawn(board, *pieces, *SPENT, turn="blue", orange=orange, blue=blue), "blue jardin_des_plantes")
    result: JsonObject = GAME.view.dump(state)["result"]
    return result


def test_more_points_win() -> None:
    board = "ooob" + "b" * 60
    assert ended(board, "orange build I3 a1 b1 c1", orange="I3") == {
        "winners": ["orange"],
        "ranking": [{"seat": "orange", "place": 1, "points": 3}, {"seat": "blue", "place": 2, "points": 0}],
        "decided_by": "points",
    }


def test_a_tie_is_decided_by_free_spaces_of_one_s_own_colour() -> None:
    board = "o" * 10 + "x" * 43 + "b" * 11
    assert ended(board) == {
        "winners": ["blue"],
        "ranking": [{"seat": "blue", "place": 1, "points": 0}, {"seat": "orange", "place": 2, "points": 0}],
        "decided_by": "free_spaces",
    }
    assert ended("o" * 12 + "x" * 41 + "b" * 11)["winners"] == ["orange"]


def test_covered_spaces_are_not_free() -> None:
    board = "o" * 11 + "x" * 41 + "b" * 12
    pieces = ("orange build I3 a1 b1 c1", "blue build V3 h8 h7 g8")
    result = ended(board, *pieces, orange="I3", blue="V3")
    assert (result["decided_by"], result["winners"]) == ("free_spaces", ["blue"])
    state = drawn(board, *pieces, orange="I3", blue="V3")
    assert (score_of(state, "orange")["free_spaces"], score_of(state, "blue")["free_spaces"]) == (8, 9)


def test_a_tie_in_free_spaces_is_shared() -> None:
    assert ended("o" * 11 + "x" * 42 + "b" * 11) == {
        "winners": ["orange", "blue"],
        "ranking": [{"seat": "orange", "place": 1, "points": 0}, {"seat": "blue", "place": 1, "points": 0}],
        "decided_by": "shared",
    }


def test_points_decide_before_free_spaces() -> None:
    board = "ooo" + "x" * 41 + "b" * 20
    assert ended(board, "orange build I3 a1 b1 c1", orange="I3")["winners"] == ["orange"]


def test_there_is_no_result_before_the_end() -> None:
    assert GAME.rules.result(begin()) is None
    assert GAME.view.dump(drawn(ROOM))["result"] is None


# Explanations


@pytest.mark.parametrize("seed", range(12))
def test_the_explained_points_add_up_at_every_ply(seed: int) -> None:
    for state in random_match(Random(seed)):
        dumped, scores, explained = (
            GAME.view.dump(state)["score"],
            GAME.rules.totals(state),
            GAME.telling.explain(state),
        )
        for seat in SEATS:
            items, score = explained[seat], dumped[seat]
            by_category = {
                category: sum(item.points for item in items if item.category == category)
                for category in ("lit", "group", "unbuilt", "postcards")
            }
            assert by_category == {category: score[category] for category in by_category}
            assert sum(item.points for item in items) == score["total"] == scores[seat]
            assert len(items) == len({(item.category, item.pieces) for item in items})
            assert all(item.sentence.endswith(".") and "{" not in item.sentence for item in items)


def items_of(state: State, category: str, seat: str = "orange") -> list[tuple[int, tuple[str, ...], tuple[str, ...]]]:
    """Points, pieces and sources of a category's items."""
    return [
        (item.points, item.pieces, item.sources)
        for item in GAME.telling.explain(state)[seat]
        if item.category == category
    ]


def test_a_dark_building_is_explained_too() -> None:
    state = drawn(ROOM, "orange build I3 a1 b1 c1", orange="I3")
    assert items_of(state, "lit") == [(0, ("I3",), ())]
    assert "no lamp" in GAME.telling.explain(state)["orange"][0].sentence


def test_the_spaces_of_an_annex_are_explained_with_its_building() -> None:
    state = drawn(HALVES, "orange build I3 b4 b5 b6", "orange bouquinistes b3", orange="I3")
    (lit, group) = GAME.telling.explain(state)["orange"]
    assert (lit.cells, lit.sources, lit.points) == (("b3", "b4", "b5", "b6"), ("c4",), 4)
    assert group.cells == ("b3", "b4", "b5", "b6")


@pytest.mark.parametrize(
    ("line", "points", "pieces", "sources"),
    [
        ("le_peintre a1", 8, ("painter",), ("c4", "c7", "f7", "g4")),
        ("fontaine_des_mers a1 b1", 0, ("fountain",), ()),
        ("fontaine_des_mers a4 b4", 3, ("fountain",), ("a5", "b5", "c5")),
        ("le_penseur a1 s", 5, ("statue",), ("a2", "b1", "b2")),
    ],
)
def test_a_stamped_card_is_explained_by_its_spaces(
    line: str, points: int, pieces: tuple[str, ...], sources: tuple[str, ...]
) -> None:
    cards = ("le_peintre", *OTHERS[:3], *OTHERS[4:])
    state = play(drawn(HALVES, "orange build I3 a5 b5 c5", orange="I3", cards=cards), line)
    assert items_of(state, "postcards") == [(points, pieces, sources)]


def test_the_dancer_is_explained_by_every_space_of_her_region() -> None:
    state = play(drawn("oolo" + "lll" + "l" * 57, cards=OTHERS), "moulin_rouge a1")
    assert items_of(state, "postcards") == [(2, ("dancer",), ("a1", "b1"))]


def test_a_stamped_card_worth_nothing_says_so() -> None:
    dark = play(drawn(ROOM), "le_peintre a1")
    blocked = drawn(ROOM, "blue lampadaire b1", "orange le_penseur a1 e", cards=OTHERS)
    assert items_of(dark, "postcards") == [(0, ("painter",), ())]
    assert items_of(blocked, "postcards") == [(0, ("statue",), ())]


def test_unbuilt_buildings_are_named_even_when_spared() -> None:
    state = drawn(ROOM, orange="I3 O4")
    assert items_of(state, "unbuilt") == [(-6, ("I3", "O4"), ())]
    assert items_of(play(state, "sacre_coeur"), "unbuilt") == [(0, ("I3", "O4"), ())]


def test_an_edition_with_another_fountain_scores_it_as_it_lies() -> None:
    long = edition_with({"fountain_cells": 3})
    state = drawn(
        ROOM, "orange build I3 a1 b1 c1", "orange build O4 d2 e2 d3 e3", orange="I3 O4", cards=OTHERS, edition=long
    )
    assert score_of(play(state, "fontaine_des_mers a2 b2 c2"), "orange")["postcards"] == 6
