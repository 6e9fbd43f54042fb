"""A game without statistics of its own."""

from dataclasses import replace

from domain.game import NO_STATISTICS
from tests.domain.example_game import EXAMPLE_GAME


def test_a_game_without_statistics_has_one_variant_and_nothing_to_count() -> None:
    statistics = replace(EXAMPLE_GAME, statistics=NO_STATISTICS).statistics
    setup = EXAMPLE_GAME.setup.parse({"first": "cross"})
    assert (statistics.variant(setup), *statistics.VARIANTS) == ("standard", "standard")
    assert (statistics.features([]), statistics.definitions(), statistics.opening([], 6)) == ({}, {}, ())
    assert (list(statistics.standings([])), *statistics.FEATURE_KINDS, *statistics.PART_OF_SCORE) == ([],)


def test_the_built_in_editions_of_a_game_are_found_by_their_ids() -> None:
    editions = EXAMPLE_GAME.editions
    assert (len(editions), list(editions)) == (1, ["standard"])
    assert editions["standard"] is editions.default
