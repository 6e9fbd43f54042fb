"""Intervals of ratings hold the strength about as often as they say, whatever the number of players at the table."""

import pytest

from scripts.rating_coverage import TABLES, coverage


@pytest.mark.parametrize("name", TABLES)
def test_intervals_hold_the_strength_of_about_95_percent_of_players(name: str) -> None:
    found = coverage(TABLES[name], clubs=10, after=(10, 30, 100))
    assert min(found.values()) > 0.87, found


def test_intervals_hold_the_strength_of_about_95_percent_of_those_who_stayed_away() -> None:
    found = coverage(TABLES["mixed"], clubs=10, after=(30, 60, 90), absence=12)
    assert min(found.values()) > 0.87, found
