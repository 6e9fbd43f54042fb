"""Ratings on the scale known from chess."""

import pytest

from service.stats.plackett_luce import UNKNOWN, rate
from service.stats.rating_points import POINTS_PER_UNIT, is_provisional, points_of

KNOWN = 1e-9
"""The sigma of a strength that is known."""


def test_a_newcomer_has_1500_points() -> None:
    assert points_of(*UNKNOWN)["rating"] == 1500


def test_400_points_are_odds_of_ten_to_one_between_two_known_strengths() -> None:
    strong, weak = (25 + 400 / POINTS_PER_UNIT, KNOWN), (25.0, KNOWN)
    assert points_of(*strong)["rating"] - points_of(*weak)["rating"] == pytest.approx(400)
    _, (chance, other_chance) = rate([strong, weak], [1, 2])
    assert chance / other_chance == pytest.approx(10, rel=1e-3)


def test_points_have_the_interval_at_95_percent() -> None:
    points = points_of(25.0, 1.0)
    assert points["plus_minus"] == pytest.approx(1.959964 * POINTS_PER_UNIT, rel=1e-7)
    assert (points["low"], points["high"]) == (1500 - points["plus_minus"], 1500 + points["plus_minus"])


def test_a_rating_is_provisional_while_its_interval_reaches_further_than_250_points() -> None:
    edge = 250 / (1.959964 * POINTS_PER_UNIT)
    assert is_provisional(UNKNOWN[1]) and is_provisional(edge * 1.0001)
    assert not is_provisional(edge * 0.9999)
