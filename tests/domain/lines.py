"""Lines of frames for tests: played by chance, or made of given moves."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from domain.game import AnyGame, JsonObject
from domain.match import Entry, Frame, Player, create, record
from scripts.random_play import draw_setup, play


def random_line(game: AnyGame, seed: int) -> tuple[Frame, ...]:
    """The frames of a random match."""
    match = play(game, Random(seed))
    return line_of(game, match.setup, match.seats, [(seat, game.move.dump(move)) for seat, move in match.plies])


def seeds(number: int) -> list[Any]:
    """Seeds of random matches for a test, of which the lines of the first alone are counted."""
    return [0, *(pytest.param(seed, marks=pytest.mark.uncounted) for seed in range(1, number))]


def line_of(
    game: AnyGame, setup: JsonObject, seats: Sequence[str], moves: Sequence[tuple[str, JsonObject]]
) -> tuple[Frame, ...]:
    """The frames of moves in their JSON form."""
    players = [Player(seat, f"player of {seat}") for seat in seats]
    begun = create(game, game.editions.default, players, game.setup.parse(setup)).timeline
    entries = [Entry(seat, game.move.parse(move)) for seat, move in moves]
    return record(begun, entries).timeline.frames() if entries else begun.frames()


def random_setup(game: AnyGame, seats: Sequence[str], seed: int) -> JsonObject:
    """A set-up drawn by chance."""
    return draw_setup(game.id, seats, Random(seed))
