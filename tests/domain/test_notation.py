"""The match text: what is written is read again, and what is wrong is named with its line and column."""

import doctest
from random import Random
from typing import Any

import pytest

from domain import shorthand
from domain.catalogue import GAMES
from domain.match import Entry, Player, create, notation, record
from domain.match.notation import MatchInfo, MatchText, play, read_text, transcribe, write_match
from scripts.random_play import play as play_at_random


def test_the_examples_are_true() -> None:
    assert doctest.testmod(notation, optionflags=doctest.ELLIPSIS).failed == 0
    assert doctest.testmod(shorthand).failed == 0


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.usefixtures("uncounted")
def test_a_random_match_is_written_read_and_played_again(game_id: str) -> None:
    game: Any = GAMES[game_id]
    drawn = play_at_random(game, Random(7), listed=False)
    begun = create(
        game, game.editions.default, [Player(seat, seat) for seat in drawn.seats], game.setup.parse(drawn.setup)
    )
    timeline = record(begun.timeline, [Entry(seat, move) for seat, move in drawn.plies]).timeline
    info = MatchInfo("id", "2026-11-18T19:30:00Z", "club night", ("league", "final"))
    text = write_match(transcribe(timeline, {seat: f"player of {seat}" for seat in drawn.seats}, info))
    [match] = read_text(text, GAMES)
    assert isinstance(match, MatchText)
    assert write_match(match) == text
    played = play(match, game.editions, drawn.seats, lambda: "salt")
    assert [frame.state for frame in played.timeline.frames()] == [frame.state for frame in timeline.frames()]
