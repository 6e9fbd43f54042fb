"""Points of districts with all ties, where each point comes from, and who wins by what."""

import pytest

from domain.game import JsonObject, ScoreItem
from domain.games.paris.state import Phase, State
from tests.domain.games.paris.matches import Match
from tests.domain.games.paris.positions import (
    GAME,
    begin,
    drawn,
    edition_with,
    having,
    play,
    score_of,
    seat_of,
    with_scoring,
)


def points(state: State, district: str = "belleville") -> list[int]:
    """The points of every seat for a district."""
    return [score["districts"][district] for score in GAME.view.dump(state)["score"].values()]


# Districts


@pytest.mark.parametrize(
    ("owned", "expected"),
    [
        pytest.param(["8", "5", "4", "3"], [20, 10, 5, 0], id="in order"),
        pytest.param(["3", "4", "5", "8"], [0, 5, 10, 20], id="in the other order"),
        pytest.param(["8", "", "4", ""], [20, 0, 10, 0], id="who has nothing has no place"),
        pytest.param(["", "1", "", ""], [0, 20, 0, 0], id="one alone"),
        pytest.param(["", "", "", ""], [0, 0, 0, 0], id="nobody"),
        pytest.param(["1", "2 3", "4", "5"], [0, 10, 5, 20], id="a sum of 5 and a single 5"),
        pytest.param(["5 3", "8", "1", "2"], [10, 20, 0, 5], id="a sum of 8 and a single 8"),
        pytest.param(["8 1", "8 1", "5", "4"], [20, 20, 5, 0], id="first shared, second skipped"),
        pytest.param(["8", "8", "8", "5"], [20, 20, 20, 0], id="first shared by three"),
        pytest.param(["8", "8", "8", "8"], [20, 20, 20, 20], id="first shared by all"),
        pytest.param(["8", "5", "5", "4"], [20, 10, 10, 0], id="second shared, third skipped"),
        pytest.param(["8", "5", "5", "5"], [20, 10, 10, 10], id="second shared by three"),
        pytest.param(["8", "5", "4", "4"], [20, 10, 5, 5], id="third shared"),
        pytest.param(["8 2", "8 2", "5", "5"], [20, 20, 5, 5], id="first and third shared"),
        pytest.param(["8 4", "8 3 1", "5 4 3", ""], [20, 20, 5, 0], id="equal sums, two of them with an 8"),
        pytest.param(["4 4", "8", "5", ""], [10, 20, 5, 0], id="two keys on a 4 count twice but are no 8"),
        pytest.param(["4 4", "4 3 1", "", "2"], [20, 20, 0, 5], id="two keys on a 4 are no better than one"),
    ],
)
def test_four_players_rank_by_sum_then_by_the_single_property(owned: list[str], expected: list[int]) -> None:
    keys = [" ".join(f"belleville-{value}" for value in values.split()) for values in owned]
    state = with_scoring(drawn(*keys, players=4), belleville="20-10-5")
    assert points(state) == expected


def test_landmarks_count_with_their_value() -> None:
    state = drawn("landmark-9@belleville", "belleville-8 belleville-2", "belleville-5 belleville-4", players=3)
    assert points(with_scoring(state, belleville="20-10-5")) == [10, 20, 5]


def test_keys_in_the_bank_or_elsewhere_do_not_count() -> None:
    state = drawn("bank:belleville arc montmartre-8 landmark-16@montmartre", "belleville-1", players=3)
    assert points(with_scoring(state, belleville="20-10-5")) == [0, 20, 0]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("8", "4", [18, 9]),
        ("8 1", "4", [18, 0]),
        ("8 1", "5", [18, 9]),
        ("8 2", "5", [18, 9]),
        ("8 3", "5", [18, 0]),
        ("4", "8 1", [0, 18]),
        ("8", "", [18, 0]),
        ("", "8", [0, 18]),
        ("5 3", "8", [9, 18]),
        ("8", "8", [18, 18]),
    ],
)
def test_of_two_players_the_second_scores_with_half_the_sum_of_the_first(
    first: str, second: str, expected: list[int]
) -> None:
    keys = [" ".join(f"belleville-{value}" for value in values.split()) for values in (first, second)]
    assert points(with_scoring(drawn(*keys), belleville="18-9-4")) == expected


@pytest.mark.parametrize("players", [3, 4])
def test_with_more_players_half_the_sum_does_not_matter(players: int) -> None:
    state = with_scoring(drawn("belleville-8", "belleville-1", players=players), belleville="18-9-4")
    assert points(state)[:2] == [18, 9]


def test_only_districts_with_a_scoring_tile_score() -> None:
    state = drawn("belleville-8 montmartre-5", "montmartre-8")
    assert score_of(state) == {"points": 0, "francs_tile": 0, "districts": {}, "total": 0}
    state = with_scoring(state, montmartre="14-7-3", chaillot="10-5-2")
    assert score_of(state)["districts"] == {"montmartre": 7, "chaillot": 0}
    assert score_of(state, "blue") == {
        "points": 0,
        "francs_tile": 0,
        "districts": {"montmartre": 14, "chaillot": 0},
        "total": 14,
    }


@pytest.mark.parametrize(
    ("tile", "printed"),
    [
        ("20-10-5", [20, 10, 5]), ("18-9-4", [18, 9, 4]), ("16-8-4", [16, 8, 4]), ("14-7-3", [14, 7, 3]),
        ("12-6-3", [12, 6, 3]), ("10-5-2", [10, 5, 2]),
    ],
)  # fmt: skip
def test_each_scoring_tile_gives_its_points(tile: str, printed: list[int]) -> None:
    state = drawn("belleville-8", "belleville-5", "belleville-4", "belleville-3", players=4)
    assert points(with_scoring(state, belleville=tile)) == [*printed, 0]


def test_the_score_is_that_of_an_end_at_every_ply() -> None:
    state = with_scoring(having(drawn("arc", "belleville-2", free="belleville-8"), francs=8), belleville="18-9-4")
    assert [score_of(state, seat)["total"] for seat in ("red", "blue")] == [0, 18]
    after = play(state, "move arc belleville-8")
    assert [score_of(after, seat)["total"] for seat in ("red", "blue")] == [2 + 18, 0]


# Where points come from


def items(state: State, seat: str = "red") -> list[ScoreItem]:
    """The reasons for the points of a seat."""
    return list(GAME.telling.explain(state)[seat])


SCORER = having(
    drawn("arc belleville-4 chaillot-4", "belleville-5", free="landmark-15@belleville"),
    francs=17,
    tiles="7 18 20 23 27",
    stock="marble=1 gold=2 gilt=3",
)
USES = (
    *("activate 7", "move arc landmark-15 prestige gilt=1", "activate 18", "activate 20"),
    "activate 23 pairs gilt=1",
)
SCORED = with_scoring(play(SCORER, *USES), belleville="16-8-4")
"""Red has points of nearly every sort."""


def test_points_are_explained_in_the_order_in_which_they_were_given() -> None:
    explained = [(item.category, item.points, item.pieces, item.cells, item.sources) for item in items(SCORED)]
    assert explained == [
        ("bonus", 4, ("7",), (), ()),
        ("landmark", 5, ("landmark-15",), ("landmark-15",), ("landmark-15",)),
        ("bonus", 10, ("18",), ("belleville-4", "chaillot-4"), ("belleville-4", "chaillot-4")),
        ("bonus", 2, ("20",), (), ()),
        ("bonus", 2, ("23",), (), ()),
        ("francs_tile", 2, ("27",), (), ()),
        ("district", 16, ("belleville-4", "landmark-15"), ("belleville-4", "landmark-15"),
         ("belleville-4", "landmark-15")),
    ]  # fmt: skip
    assert sum(item.points for item in items(SCORED)) == score_of(SCORED)["total"]


def test_every_sort_of_points_has_its_sentence() -> None:
    assert [item.sentence for item in items(SCORED)] == [
        "Bonus tile 7: 4 points.",
        "Prestige discarded for landmark 15: 5 points.",
        "Bonus tile 18, for owning Belleville 4 and Chaillot 4: 10 points.",
        "Bonus tile 20, for other bonus tiles that were unused: 2 points.",
        "Bonus tile 23, for pairs of tokens: 2 points.",
        "Bonus tile 27, for 2 francs: 2 points.",
        "Place 1 in Belleville with a value of 19 in Belleville 4 and landmark 15: 16 points.",
    ]


def test_a_building_of_8_and_an_end_tile_are_explained() -> None:
    state = play(having(drawn("arc", free="chaillot-8"), francs=8), "move arc chaillot-8")
    (item,) = items(state)
    assert (item.category, item.points, item.sources) == ("building", 2, ("chaillot-8",))
    assert item.sentence == "Became the owner of Chaillot 8: 2 points."
    state = drawn()
    state = play(state._replace(board=state.board._replace(stacks=(0, 0, 0))), "end_tile e05")
    (item,) = items(state)
    assert (item.category, item.points, item.pieces) == ("end_tile", 6, ("e05",))
    assert item.sentence == "End tile e05: 6 points."


def test_two_keys_on_a_property_are_two_sources_of_one_piece() -> None:
    state = having(drawn("belleville-4 belleville-4"), tiles="18")
    state = with_scoring(play(state, "activate 18"), belleville="20-10-5")
    bonus, district = items(state)
    for item in (bonus, district):
        assert (item.cells, item.sources) == (("belleville-4",), ("belleville-4", "belleville-4"))
    assert "a value of 8" in district.sentence


def test_places_in_districts_are_told_even_without_points() -> None:
    state = with_scoring(drawn("belleville-8", "belleville-1"), belleville="18-9-4")
    (item,) = items(state, "blue")
    assert (item.category, item.points) == ("district", 0)
    assert item.sentence == "Place 2 in Belleville with a value of 1 in Belleville 1: 0 points."
    assert items(with_scoring(drawn("belleville-8"), belleville="18-9-4"), "blue") == []


def test_tiles_that_give_nothing_are_no_reason() -> None:
    state = play(having(drawn(), tiles="5 18"), "activate 5", "activate 18")
    assert items(state) == []


def test_before_the_first_move_there_is_nothing_to_explain() -> None:
    assert GAME.telling.explain(begin(3)) == {"red": (), "blue": (), "green": ()}


@pytest.mark.parametrize("seed", range(6))
def test_what_is_explained_adds_up_to_the_score_and_the_points(seed: int) -> None:
    for state in Match(seed).states[::9]:
        dumped = GAME.view.dump(state)
        for seat, explained in GAME.telling.explain(state).items():
            score = dumped["score"][seat]
            assert sum(item.points for item in explained) == score["total"] == GAME.rules.totals(state)[seat]
            given = [item.points for item in explained if item.category not in ("district", "francs_tile")]
            assert sum(given) == score["points"] == dumped["seats"][seat]["points"]
            assert sum(item.points for item in explained if item.category == "francs_tile") == score["francs_tile"]
            assert score["total"] == score["points"] + score["francs_tile"] + sum(score["districts"].values())
            assert all(item.sentence.endswith(".") and "{" not in item.sentence for item in explained)
            assert all(item.pieces for item in explained)


# The result


def ended(*keys: str, players: int = 2, **francs: int) -> State:
    """A match that is over, with these keys on the board and these francs."""
    state = drawn(*keys, players=players)
    for seat, amount in francs.items():
        state = having(state, seat, francs=amount)
    state = state._replace(phase=Phase.FINAL_TURNS, mover=players - 1)
    return play(state, "end")


def result_of(state: State) -> JsonObject:
    """The result as the wire says."""
    found: JsonObject = GAME.view.dump(state)["result"]
    return found


def with_points(state: State, **given: int) -> State:
    """The position in which these seats have points of tiles."""
    for seat, number in given.items():
        state = having(state, seat, points=number)
    return state


def test_most_points_win() -> None:
    state = with_points(ended("belleville-1", "belleville-8", "", players=3, red=3, blue=9), red=12, blue=7, green=11)
    assert result_of(state) == {
        "winners": ["red"],
        "ranking": [
            {"seat": "red", "place": 1, "points": 12},
            {"seat": "green", "place": 2, "points": 11},
            {"seat": "blue", "place": 3, "points": 7},
        ],
        "decided_by": "points",
    }


def test_with_equal_points_more_francs_win() -> None:
    state = with_points(ended("belleville-8", "belleville-1", red=3, blue=4), red=7, blue=7)
    assert (result_of(state)["winners"], result_of(state)["decided_by"]) == (["blue"], "francs")
    assert [ranked["place"] for ranked in result_of(state)["ranking"]] == [1, 2]


@pytest.mark.parametrize(
    ("red", "blue", "winner"),
    [
        ("belleville-8", "belleville-5 belleville-4", "blue"),
        ("belleville-8 chaillot-2", "belleville-5 belleville-4", "red"),
        ("belleville-4 belleville-4", "belleville-5 belleville-2", "red"),
        ("landmark-9@belleville", "belleville-8", "red"),
        ("belleville-1", "bank:chaillot arc", "red"),
    ],
)
def test_with_equal_points_and_francs_the_value_of_all_properties_wins(red: str, blue: str, winner: str) -> None:
    state = ended(red, blue)
    assert (result_of(state)["winners"], result_of(state)["decided_by"]) == ([winner], "properties")


def test_if_all_is_equal_the_victory_is_shared() -> None:
    state = ended("belleville-8", "chaillot-8", "belleville-5", players=3)
    assert result_of(state) == {
        "winners": ["red", "blue"],
        "ranking": [
            {"seat": "red", "place": 1, "points": 0},
            {"seat": "blue", "place": 1, "points": 0},
            {"seat": "green", "place": 3, "points": 0},
        ],
        "decided_by": "shared",
    }


def test_all_four_may_share_the_victory() -> None:
    state = ended("belleville-8", "chaillot-8", "montmartre-8", "batignolles-8", players=4)
    assert result_of(state)["winners"] == ["red", "blue", "green", "yellow"]
    assert [ranked["place"] for ranked in result_of(state)["ranking"]] == [1, 1, 1, 1]


def test_lower_places_go_by_the_same_merits() -> None:
    state = with_points(ended("", "", "", "belleville-1", players=4, green=4), red=9)
    assert [(ranked["seat"], ranked["place"]) for ranked in result_of(state)["ranking"]] == [
        ("red", 1),
        ("green", 2),
        ("yellow", 3),
        ("blue", 4),
    ]
    assert result_of(state)["decided_by"] == "points"


def test_equal_lower_places_are_shared_in_turn_order() -> None:
    state = with_points(ended("", "", "", players=3), green=1)
    assert [(ranked["seat"], ranked["place"]) for ranked in result_of(state)["ranking"]] == [
        ("green", 1),
        ("red", 2),
        ("blue", 2),
    ]


def test_districts_and_tile_27_decide_too() -> None:
    state = with_points(ended("belleville-8", "belleville-1"), blue=18)
    assert result_of(state)["winners"] == ["blue"]
    assert result_of(with_scoring(state, belleville="20-10-5"))["winners"] == ["red"]
    assert result_of(having(state, tiles="27", francs=19))["winners"] == ["red"]
    ranked = result_of(having(state, tiles="27", francs=19))["ranking"][0]
    assert (ranked["seat"], ranked["points"]) == ("red", 19)


def test_a_used_tile_27_or_another_value_per_franc_shows_in_the_score() -> None:
    double = edition_with({"bonus/27": {"per_franc_at_end": 2}})
    assert score_of(having(drawn(edition=double), tiles="27", francs=7))["francs_tile"] == 14
    assert score_of(having(drawn(), used="27", francs=7))["francs_tile"] == 0
    assert seat_of(having(drawn(), used="27"))["used_bonus"] == [27]
