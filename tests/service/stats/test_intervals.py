"""Intervals against scipy, against exact coverage, and what is said where little is known."""

from math import comb, sqrt
from random import Random

import pytest
from scipy import stats

from service.stats import intervals
from service.stats.intervals import (
    MIN_MATCHES,
    between,
    bonferroni,
    difference,
    mean,
    of_mean,
    quantile,
    rate,
    sample,
    spread,
    student,
    wilson,
)


@pytest.mark.parametrize("number", [1, 2, 7, 40, 1000])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.999])
def test_wilson_is_that_of_scipy(number: int, level: float) -> None:
    for successes in {0, 1, number // 3, number}:
        expected = stats.binomtest(successes, number).proportion_ci(level, method="wilson")
        assert tuple(wilson(successes, number, level)) == pytest.approx((expected.low, expected.high), abs=1e-12)


@pytest.mark.parametrize("number", [1, 20, 147, 1846])
def test_wilson_holds_the_rate_even_where_all_or_none_were_won(number: int) -> None:
    for successes in (0, number):
        low, high = wilson(successes, number)
        assert low <= successes / number <= high
        assert {0.0, 1.0} & {low, high}


def test_newcombes_interval_is_that_of_a_published_example() -> None:
    # Newcombe 1998, 56/70 and 48/80
    assert between((56, 70), (48, 80)) == pytest.approx((0.0524, 0.3339), abs=5e-5)


@pytest.mark.parametrize("number", [20, 30, 200])
def test_the_interval_of_a_mean_is_students(number: int) -> None:
    random = Random(number)
    values = [random.randrange(80) for _ in range(number)]
    expected = stats.t.interval(0.95, number - 1, sum(values) / number, stats.sem(values))
    assert of_mean(sample((value, 1) for value in values)) == pytest.approx(expected)
    assert mean(sample((value, 1) for value in values), 60)["interval"] == pytest.approx([end / 60 for end in expected])


def test_values_that_are_all_alike_have_no_variance_at_all() -> None:
    assert sample([(10**9 + 1, 10**6)]).variance == 0
    assert of_mean(sample([(20, 25)])) == (20, 20)


@pytest.mark.parametrize("level", [0.9, 0.95, 0.999])
def test_students_quantiles_are_those_of_scipy(level: float) -> None:
    for freedom in (19, 29, 100, 10_000):
        assert student(level, freedom) == pytest.approx(stats.t.ppf((1 + level) / 2, freedom), abs=5e-5)


def test_bonferroni_shares_the_error_among_all_intervals() -> None:
    assert bonferroni(1) == bonferroni(0) == pytest.approx(0.95)
    assert bonferroni(50) == pytest.approx(0.999)


def test_too_few_matches_say_nothing_of_a_difference() -> None:
    above = intervals.Interval(0.5, 1)
    assert difference(MIN_MATCHES - 1, 1, above)["verdict"] == "too_few_to_say"
    assert difference(MIN_MATCHES, 1, above)["verdict"] == "higher"
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
        interval = rate(sum(random.random() < chance for _ in range(number)), number)["interval"]
        assert interval is not None
        held += interval[0] <= chance <= interval[1]
    exact = exact_coverage(number, chance)
    assert abs(held / CORPORA - exact) <= TOLERANCE * sqrt(exact * (1 - exact) / CORPORA)
