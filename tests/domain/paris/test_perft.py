"""Counts of all sequences of legal moves from pinned positions, as chess programs check their rules."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import pytest

from domain.paris.state import State
from tests.domain.paris.positions import GAME, choose


def perft(state: State, depth: int) -> int:
    """How many sequences of so many legal moves there are; a match that is over has none left."""
    if depth == 1:
        return sum(1 for _ in GAME.legal(state))
    seat = state.to_move
    if seat is None:
        return 0
    return sum(perft(GAME.apply(state, seat, move), depth - 1) for move in GAME.legal(state))


def played(seed: int, start: State, plies: int) -> State:
    """The position after so many moves of chance."""
    chance, state = Random(seed), start
    for _ in range(plies):
        assert state.to_move is not None
        state = GAME.apply(state, state.to_move, choose(chance, list(GAME.legal(state))))
    return state


class Position(NamedTuple):
    """A position with the number of sequences by depth."""

    name: str
    state: State
    counts: tuple[int, ...]


POSITIONS: Sequence[Position] = ()


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.name)
def test_the_number_of_sequences_is_as_pinned(position: Position) -> None:
    counts = tuple(perft(position.state, depth) for depth in range(1, len(position.counts) + 1))
    assert counts == position.counts
