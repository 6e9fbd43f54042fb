"""Facts of finished matches."""

from dataclasses import replace

from domain.game import NO_STATISTICS
from domain.match import Entry, Player, create, record
from service.stats.codes import Measure, unpack_result
from service.stats.facts import facts_of
from tests.domain.example_game import EXAMPLE_GAME

WON = ("b2", "a1", "c1", "a2", "a3")


def test_a_game_without_statistics_of_its_own_has_results_but_no_features_or_openings() -> None:
    game = replace(EXAMPLE_GAME, statistics=NO_STATISTICS)
    players = [Player("cross", "ana"), Player("nought", "jan")]
    timeline = create(game, game.editions.default, players, game.setup.parse({"first": "cross"})).timeline
    moves = [Entry(None, game.move.parse({"type": "mark", "at": space})) for space in WON]
    facts = facts_of(record(timeline, moves).timeline)
    assert (facts.variant, [seat.place for seat in facts.seats]) == ("standard", [1, 2])
    assert (list(facts.features), list(facts.amounts), list(facts.opening)) == ([], [], [])
    measured = {unpack_result(code)[0] for code in facts.results}
    assert Measure.POINTS in measured and Measure.LEAD_CHANGES not in measured
