"""The worked examples of the rulebook, with all their numbers."""

import pytest

from domain.games.paris.state import State
from tests.domain.games.paris.positions import (
    GAME,
    code,
    drawn,
    having,
    keys_on,
    legal,
    lists,
    play,
    score_of,
    seat_of,
    with_scoring,
)


def districts(state: State, district: str) -> dict[str, int]:
    """The points of every seat for a district."""
    return {seat: score["districts"][district] for seat, score in GAME.view.dump(state)["score"].items()}


def sums(state: State) -> dict[str, int]:
    """The value that each seat has in the only district that is scored, as the explanation tells it."""
    values = {}
    for seat, items in GAME.telling.explain(state).items():
        for item in items:
            if item.category == "district":
                values[seat] = sum(int(place.rsplit("-", 1)[1]) for place in item.sources)
    return values


def test_the_key_from_the_bakery_to_the_theatre_of_montmartre_costs_three_francs() -> None:
    state = having(drawn("montmartre-2", free="montmartre-5"), francs=3)
    types = {space: building["type"] for space, building in GAME.view.dump(state)["buildings"].items()}
    assert types == {"montmartre-2": "bakery", "montmartre-5": "theatre"}
    after = play(state, "move montmartre-2 montmartre-5")
    assert (seat_of(after)["francs"], keys_on(after, "montmartre-2"), keys_on(after, "montmartre-5")) == (
        0,
        [],
        ["red"],
    )
    assert code(having(state, francs=2), "move montmartre-2 montmartre-5") == "cannot_pay"


def test_the_key_from_the_theatre_of_la_villette_to_landmark_12_costs_four_francs_a_marble_and_a_gold() -> None:
    state = having(drawn("la_villette-8", free="landmark-12@la_villette"), francs=4, stock="marble=1 gold=1")
    assert GAME.view.dump(state)["buildings"]["la_villette-8"]["type"] == "theatre"
    after = play(state, "move la_villette-8 landmark-12")
    assert seat_of(after)["francs"] == 0
    assert seat_of(after)["resources"] == {"wood": 0, "marble": 0, "gold": 0}
    assert GAME.view.dump(after)["market"] == {"wood": 0, "marble": 1, "gold": 1}
    assert keys_on(after, "landmark-12") == ["red"]
    for poorer in (having(state, francs=3), having(state, stock="marble=0"), having(state, stock="gold=0")):
        assert code(poorer, "move la_villette-8 landmark-12") == "cannot_pay"


def test_the_key_from_the_arc_to_landmark_15_in_belleville_costs_15_francs_two_gold_and_a_marble_and_gives_10() -> None:
    table = drawn("arc", free="landmark-10@belleville")
    state = having(table, francs=15, stock="marble=1 gold=2 gilt=2")
    line = "move arc landmark-15 place 15 belleville prestige gilt=2"
    assert lists(state, line)
    after = play(state, line)
    held = seat_of(after)
    assert (held["francs"], held["points"]) == (0, 10)
    assert held["resources"] == {"wood": 0, "marble": 0, "gold": 0}
    assert held["prestige"] == {"bronze": 0, "silver": 0, "gilt": 0}
    assert GAME.view.dump(after)["market"] == {"wood": 0, "marble": 1, "gold": 2}
    assert GAME.view.dump(after)["landmarks"]["placed"] == {
        "10": {"district": "belleville", "keys": []},
        "15": {"district": "belleville", "keys": ["red"]},
    }
    for poorer in (having(state, francs=14), having(state, stock="marble=0"), having(state, stock="gold=1")):
        assert code(poorer, line) == "cannot_pay"


@pytest.mark.parametrize("landmark", [9, 10, 11, 13, 14, 15, 16])
def test_the_next_landmark_where_12_lies_is_worth_13_or_more(landmark: int) -> None:
    table = drawn("arc", free="landmark-12@saint_germain saint_germain-1")
    state = having(table, francs=20, stock="marble=3 gold=3")
    line = f"move arc landmark-{landmark} place {landmark} saint_germain"
    beside = f"move arc saint_germain-1 place {landmark} saint_germain"
    if landmark >= 13:
        assert keys_on(play(state, line), f"landmark-{landmark}") == ["red"]
        assert keys_on(play(state, beside), "saint_germain-1") == ["red"]
    else:
        assert (code(state, line), code(state, beside)) == ("landmark_not_higher", "landmark_not_higher")
    assert lists(state, line) == (landmark >= 13)


def test_a_key_on_a_residence_can_go_to_the_free_4_alone() -> None:
    others = "belleville-5 landmark-13@belleville"
    table = drawn("belleville-3", others, free="belleville-1 belleville-2 belleville-4 landmark-9@montmartre")
    state = having(table, francs=30)
    moves = [choice for choice in legal(state) if choice["type"] == "move_key"]
    assert moves == [{"type": "move_key", "from": "belleville-3", "to": "belleville-4"}]


def test_tile_18_gives_15_points_for_three_buildings_of_value_4() -> None:
    owned = "montmartre-4 belleville-4 chaillot-4 belleville-5 landmark-14@belleville"
    after = play(having(drawn(owned, "la_villette-4"), tiles="18"), "activate 18")
    assert seat_of(after)["points"] == 15


def test_tile_30_gives_15_points_for_cafe_bakery_hotel_theatre_and_landmarks() -> None:
    owned = "belleville-1 belleville-2 chaillot-2 belleville-5 chaillot-5 montmartre-5"
    landmarks = "landmark-9@montmartre landmark-16@chaillot"
    after = play(having(drawn(f"{owned} {landmarks}"), tiles="30"), "activate 30")
    assert seat_of(after)["points"] == 15


def test_of_two_sums_of_13_the_single_13_is_first_and_the_fourth_gets_nothing() -> None:
    state = drawn(
        "landmark-11@belleville belleville-2",
        "belleville-5 belleville-4 belleville-1",
        "landmark-13@belleville",
        "belleville-3",
        players=4,
    )
    state = with_scoring(state, belleville="20-10-5")
    assert sums(state) == {"red": 13, "blue": 10, "green": 13, "yellow": 3}
    assert districts(state, "belleville") == {"red": 10, "blue": 5, "green": 20, "yellow": 0}


def test_two_who_share_the_15_of_their_21_both_get_16_and_the_next_is_third() -> None:
    state = drawn(
        "landmark-11@belleville belleville-5",
        "landmark-15@belleville belleville-3 belleville-3",
        "belleville-8",
        "landmark-15@belleville belleville-4 belleville-2",
        players=4,
    )
    state = with_scoring(state, belleville="16-8-4")
    assert sums(state) == {"red": 16, "blue": 21, "green": 8, "yellow": 21}
    assert districts(state, "belleville") == {"red": 4, "blue": 16, "green": 0, "yellow": 16}


def test_with_two_players_5_against_12_gives_18_and_nothing() -> None:
    state = with_scoring(drawn("landmark-12@belleville", "belleville-5"), belleville="18-9-4")
    assert sums(state) == {"red": 12, "blue": 5}
    assert districts(state, "belleville") == {"red": 18, "blue": 0}
    assert [score_of(state, seat)["total"] for seat in ("red", "blue")] == [18, 0]
