"""What is said of one player: beside chance, and never more often by chance than it is said to be."""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from domain.catalogue import GAMES
from service.db.statistics import Alike, Met
from service.stats import games, players
from service.stats.codes import WHOLE, Measure
from service.stats.intervals import LEVEL, Difference, between, bonferroni
from service.stats.records import Record, beyond_chance, record_of, total

FEATURES = 40
ROUNDS = 100
MAX_WRONG = 0.1
"""Of so many rounds with 5 % wrong ones, more are wrong but once in a hundred times."""


def match(
    players: int, wins: int, features: Sequence[int] = (), available: Sequence[int] = (), **members: Any
) -> Alike:
    about = {"game": "paris", "seat": "red", "mover": "later", **members}
    return Alike(
        players=players,
        wins=wins,
        in_play=True,
        order=[1],
        points=[0],
        margins=[0],
        features=bytes(features),
        available=bytes(available),
        **about,
    )


def is_any_clear(differences: Sequence[Difference]) -> bool:
    return any(difference["verdict"] in {"higher", "lower"} for difference in differences)


def wrong_rounds(said: Callable[[Random], bool]) -> float:
    random = Random(1)
    return sum(said(random) for _ in range(ROUNDS)) / ROUNDS


def test_a_record_is_all_of_its_matches() -> None:
    parts = [match(2, WHOLE), match(4, 0), match(4, WHOLE // 2)]
    assert record_of(parts) == Record(3, 90, 30 + 15 + 15)
    assert total([]) == Record(0, 0, 0)
    assert record_of(parts).less(record_of(parts[1:])) == record_of(parts[:1])


def test_what_chance_gives_makes_no_difference_however_many_played() -> None:
    two, four = Record(40, 40 * WHOLE // 2, 40 * WHOLE // 2), Record(30, 30 * WHOLE // 4, 30 * WHOLE // 4)
    found = beyond_chance(two, four, LEVEL)
    assert (found["n"], found["difference"], found["verdict"]) == (30, 0.0, "no_clear_difference")
    low, high = between((20, 40), (7.5, 30))
    assert found["interval"] == pytest.approx([low - 0.25, high - 0.25])


def test_features_of_a_player_compare_outcomes_less_what_chance_gives() -> None:
    """The feature is had in matches of two alone, where all win more often."""
    parts = [match(2, WHOLE * (at % 2), [0], [0]) for at in range(60)]
    parts += [match(4, WHOLE * (at % 4 == 0), [], [0]) for at in range(60)]
    (row,) = players._features("paris", parts, "en")
    assert (row["with"]["rate"], row["without"]["rate"]) == (0.5, 0.25)
    assert (row["with_expected"], row["without_expected"]) == (0.5, 0.25)
    assert (row["difference"]["difference"], row["difference"]["verdict"]) == (0.0, "no_clear_difference")


def test_features_that_mean_nothing_seldom_go_with_a_players_wins() -> None:
    """They are had more often the fewer play; the player wins one and a half times as often as chance gives."""

    def said(random: Random) -> bool:
        parts = []
        for _ in range(150):
            number = random.choice([2, 3, 4])
            had = [one for one in range(FEATURES) if random.random() < 0.8 / number]
            parts.append(match(number, WHOLE * (random.random() < 1.5 / number), had, range(FEATURES)))
        return is_any_clear([row["difference"] for row in players._features("paris", parts, "en")])

    assert wrong_rounds(said) <= MAX_WRONG


def test_seats_games_and_numbers_of_players_seldom_stand_out_by_chance() -> None:
    def said(random: Random) -> bool:
        parts = []
        for _ in range(160):
            number, seat = random.choice([2, 3, 4]), random.choice(GAMES["paris"].seats)
            parts.append(match(number, WHOLE * (random.random() < 1 / number), seat=seat))
        return is_any_clear([row["difference"] for row in players._split(parts, "seat", has_points=True)])

    assert wrong_rounds(said) <= MAX_WRONG


def test_seats_of_a_game_seldom_stand_out_by_chance() -> None:
    seats = GAMES["paris"].seats

    def said(random: Random) -> bool:
        drawn: dict[int, dict[int, Counter[int]]] = {}
        for _ in range(200):
            table = random.sample(range(len(seats)), random.choice([2, 3, 4]))
            measured = drawn.setdefault(len(table), {})
            for seat in table:
                measured.setdefault(Measure.SEAT_WINS + seat, Counter())[WHOLE * (seat == table[0])] += 1
        level = bonferroni(games._compared_seats(drawn, seats))
        found = [(number, games._seated(measured, seats)) for number, measured in drawn.items()]
        return is_any_clear(
            [games._beside_others(number, shares, level) for number, some in found for shares in some.values()]
        )

    assert wrong_rounds(said) <= MAX_WRONG


def test_a_seat_that_wins_more_stands_out_and_who_begins_is_not_compared() -> None:
    parts = [match(2, WHOLE * (at % 10 < 8), seat="red") for at in range(50)]
    parts += [match(2, WHOLE * (at % 10 < 3), seat="blue", mover="first") for at in range(50)]
    found = {row["seat"]: row["difference"] for row in players._split(parts, "seat", has_points=False)}
    assert (found["red"]["verdict"], found["blue"]["verdict"]) == ("higher", "lower")
    assert found["red"]["difference"] == pytest.approx(0.5)
    assert found["red"]["interval"] == pytest.approx(list(between((40, 50), (15, 50))))
    assert all("difference" not in row for row in players._split(parts, "mover", has_points=False))


def met(**ahead: tuple[int, int]) -> list[Met]:
    """Opponents with how often the player was ahead of them, and in how many matches."""
    return [Met(name, name, number, 2 * won) for name, (won, number) in ahead.items()]


def names(met: Sequence[Met]) -> tuple[str | None, str | None]:
    nemesis, favourite = players._extremes(met)
    return (nemesis and nemesis["player"]["name"], favourite and favourite["player"]["name"])


def test_an_equal_opponent_met_often_hides_no_nemesis() -> None:
    assert names(met(Ana=(50, 100), Jan=(1, 15), Eva=(14, 15))) == ("Jan", "Eva")
    assert names(met(Ana=(50, 100))) == (None, None)


def test_the_surest_of_several_is_the_nemesis() -> None:
    assert names(met(Ana=(0, 12), Jan=(10, 80), Eva=(70, 80), Rui=(12, 12))) == ("Jan", "Eva")


def test_a_few_lost_matches_make_no_nemesis() -> None:
    assert names(met(Ana=(0, 4))) == (None, None)
    assert names(met(**{f"P{number}": (0, 5) for number in range(40)})) == (None, None)


def test_equal_opponents_seldom_make_a_nemesis() -> None:
    """Forty opponents met five to twenty times each."""

    def said(random: Random) -> bool:
        drawn = {}
        for number in range(40):
            times = random.randint(5, 20)
            drawn[f"P{number}"] = (sum(random.random() < 0.5 for _ in range(times)), times)
        return names(met(**drawn)) != (None, None)

    assert wrong_rounds(said) <= MAX_WRONG


def test_who_began_is_unknown_where_only_the_result_is_known() -> None:
    counts = Counter(
        players._first_of_both({"a_mover": a, "b_mover": b})
        for a, b in (("first", "later"), ("later", "first"), ("later", "later"), ("unknown", "unknown"))
    )
    assert counts == {"a": 1, "b": 1, "neither": 1, "unknown": 1}
