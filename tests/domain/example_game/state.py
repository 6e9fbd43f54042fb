"""The position of tic-tac-toe."""

from collections.abc import Sequence
from typing import NamedTuple

from domain.game import Seat
from tests.domain.example_game.edition import Edition

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class State(NamedTuple):
    """The whole position after `ply` moves."""

    edition: Edition
    ply: int
    to_move: Seat | None
    board: tuple[Seat | None, ...]
    """The seat whose mark is on each space."""


def line_of(board: Sequence[Seat | None]) -> tuple[int, ...]:
    """The spaces of the first line of three equal marks, or none."""
    for line in LINES:
        if board[line[0]] is not None and len({board[space] for space in line}) == 1:
            return line
    return ()
