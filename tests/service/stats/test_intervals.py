"""Intervals against scipy, against exact coverage, and what is said where little is known."""

from math import comb, sqrt
from random import Random

import pytest
from scipy import stats

from service.stats import intervals
from service.stats.intervals import (
    FEWEST,
    between,
    bonferroni,
    difference,
    mean,
    of_difference,
    of_mean,
    of_shares,
    quantile,
    rate,
    sample,
    spread,
    wilson,
)


@pytest.mark.parametrize("number", [1, 2, 7, 40, 1000])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.999])
def test_wilson_is_that_of_scipy(number: int, level: float) -> None:
    for successes in {0, 1, number // 3, number}:
        expected = stats.binomtest(successes, number).proportion_ci(level, method="wilson")
        assert tuple(wilson(successes, number, level)) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_the_interval_of_shares_is_wilsons_where_every_match_has_one_winner() -> None:
    assert of_shares(sample([(1, 13), (0, 27)])) == pytest.approx(wilson(13, 40))
    assert of_shares(sample([(1, 5)])) == pytest.approx(wilson(5, 5))
    assert of_shares(sample([(0.5, 30)])) == pytest.approx(wilson(15, 30))


def test_shared_wins_tell_more_than_whole_ones() -> None:
    low, high = of_shares(sample([(1, 10), (0.5, 20), (0, 10)]))
    wide = wilson(20, 40)
    assert wide.low < low < 0.5 < high < wide.high


def test_the_interval_of_differences_of_two_players_is_wilsons_stretched() -> None:
    low, high = wilson(60, 100)
    assert of_difference(sample([(1, 60), (-1, 40)])) == pytest.approx((2 * low - 1, 2 * high - 1))


def test_newcombes_interval_is_that_of_a_published_example() -> None:
    # Newcombe 1998, 56/70 and 48/80
    assert between((56, 70), (48, 80)) == pytest.approx((0.0524, 0.3339), abs=5e-5)


def test_the_interval_of_a_mean_is_that_of_scipy() -> None:
    random = Random(1)
    values = [random.gauss(40, 12) for _ in range(200)]
    found = of_mean(sample((value, 1) for value in values))
    expected = stats.norm.interval(0.95, sum(values) / 200, stats.sem(values))
    assert found == pytest.approx(expected)


def test_bonferroni_shares_the_error_among_all_intervals() -> None:
    assert bonferroni(1) == bonferroni(0) == pytest.approx(0.95)
    assert bonferroni(50) == pytest.approx(0.999)


def test_too_few_matches_say_nothing_of_a_difference() -> None:
    few = sample([(1, FEWEST - 1)])
    assert difference(few.number, few.mean, of_difference(few))["verdict"] == "too_few_to_say"
    enough = sample([(1, FEWEST)])
    assert difference(enough.number, enough.mean, of_difference(enough))["verdict"] == "higher"
    assert difference(100, 0.0, intervals.Interval(-0.1, 0.1))["verdict"] == "no_clear_difference"
    assert difference(100, -0.5, intervals.Interval(-0.6, -0.1))["verdict"] == "lower"


def test_nothing_known_is_said_as_such() -> None:
    assert rate(0, 0) == {"n": 0, "rate": None, "interval": None}
    assert mean(sample([])) == {"n": 0, "mean": None, "interval": None}
    assert mean(sample([(3, 2)]))["interval"] is None
    assert spread({})["quantiles"]["0.5"] is None


@pytest.mark.parametrize("seed", range(20))
def test_quantiles_are_those_of_the_sorted_values(seed: int) -> None:
    random = Random(seed)
    values = sorted(random.randrange(20) for _ in range(random.randint(1, 60)))
    histogram = {value: values.count(value) for value in values}
    for share in (0.05, 0.25, 0.5, 0.75, 0.95):
        expected = stats.mstats.mquantiles(values, [share], alphap=0.5, betap=0.5) if share == 0.5 else None
        if expected is not None:
            assert quantile(histogram, share) == pytest.approx(expected[0])
        found = quantile(histogram, share)
        assert found is not None
        below, not_above = sum(value < found for value in values), sum(value <= found for value in values)
        assert below <= share * len(values) <= not_above


def exact_coverage(number: int, chance: float) -> float:
    """How often Wilson's interval holds the true rate, added up over all outcomes."""
    return sum(
        comb(number, won) * chance**won * (1 - chance) ** (number - won)
        for won in range(number + 1)
        if wilson(won, number).low <= chance <= wilson(won, number).high
    )


CORPORA = 4000
TOLERANCE = 4
"""Standard errors within which a share of so many corpora lies but once in 16,000 times."""


@pytest.mark.parametrize(("number", "chance"), [(10, 0.5), (30, 0.2), (60, 0.9)])
def test_rates_are_covered_as_exactly_computed(number: int, chance: float) -> None:
    random = Random(number)
    held = 0
    for _ in range(CORPORA):
        low, high = rate(sum(random.random() < chance for _ in range(number)), number)["interval"]
        held += low <= chance <= high
    exact = exact_coverage(number, chance)
    assert abs(held / CORPORA - exact) <= TOLERANCE * sqrt(exact * (1 - exact) / CORPORA)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_differences_between_seats_are_covered_as_often_as_said(players: int) -> None:
    """In each match one seat has the feature, and its holder wins with another chance than the others."""
    random, held, chance = Random(players), 0, 0.45
    truth = chance - (1 - chance) / (players - 1)
    for _ in range(CORPORA):
        wins = sum(random.random() < chance for _ in range(150))
        low, high = of_difference(sample([(1, wins), (-1 / (players - 1), 150 - wins)]))
        held += low <= truth <= high
    exact = 0.95
    # Intervals of whole numbers of wins cannot be right exactly so often; Wilson's stay within 1 % at this size.
    assert abs(held / CORPORA - exact) <= TOLERANCE * sqrt(exact * (1 - exact) / CORPORA) + 0.01
