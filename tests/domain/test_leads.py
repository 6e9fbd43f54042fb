"""The move that decided a match."""

from itertools import pairwise
from random import Random

import pytest

from domain import match as history
from domain.catalogue import GAMES
from domain.game import AnyGame
from domain.match import Entry, Player, Timeline, turning_point
from scripts.random_play import play


def played(game: AnyGame, seed: int, plies: int | None = None) -> Timeline:
    """A random match, or its beginning."""
    match = play(game, Random(seed))
    people = [Player(seat, f"player {seat}") for seat in match.seats]
    begun = history.create(game, game.editions.default, people, game.setup.parse(match.setup)).timeline
    entries = [Entry(seat, move) for seat, move in match.plies[:plies]]
    return history.record(begun, entries).timeline


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_turning_point_is_the_move_by_which_the_winner_gained_most(game: AnyGame) -> None:
    for seed in range(4):
        timeline = played(game, seed)
        assert timeline.result is not None
        turn = turning_point(timeline)
        if len(timeline.result.winners) > 1:
            assert turn is None
            continue
        [winner] = timeline.result.winners
        totals = [game.rules.totals(frame.state) for frame in timeline.frames()]
        leads = [each[winner] - max(points for seat, points in each.items() if seat != winner) for each in totals]
        gains = [after - before for before, after in pairwise(leads)]
        assert turn is not None
        assert turn.swing == max(gains) == gains[turn.ply - 1]
        assert max(gains) not in gains[turn.ply :]
        assert (turn.seat, turn.lead) == (timeline.frame(turn.ply).seat, leads[turn.ply])


def test_there_is_none_before_the_end_and_none_where_nobody_wins_alone_or_nothing_was_recorded() -> None:
    game = GAMES["cite-lumiere"]
    assert turning_point(played(game, 1, 5)) is None
    people = [Player("orange", "ana"), Player("blue", "jan")]
    for points in ({"orange": 40, "blue": 50}, {"orange": 40, "blue": 40}):
        setup = {"result_only": True, "points": points}
        begun = history.create(
            game, game.editions.default, people, history.parse_setup(game, ["orange", "blue"], setup)
        ).timeline
        assert begun.result is not None
        assert turning_point(begun) is None
