"""The position and the set-up of tic-tac-toe."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from domain.forms import Form
from domain.game import JsonObject, Seat
from tests.domain.example_game.edition import Edition
from tests.domain.example_game.moves import SEATS, SPACES

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


@dataclass(frozen=True, slots=True)
class Setup:
    """What is decided before the first move."""

    first: Seat


class State(NamedTuple):
    """The whole position after `ply` moves."""

    edition: Edition
    ply: int
    to_move: Seat | None
    board: tuple[Seat | None, ...]
    """The seat whose mark is on each space."""


def parse_setup(json: object) -> Setup:
    """Read a set-up; raise `Malformed`."""
    form = Form(json)
    first = form.choice("first", {seat: seat for seat in SEATS})
    form.finish()
    return Setup(first)


def dump_setup(setup: Setup) -> JsonObject:
    """The set-up as JSON."""
    return {"first": setup.first}


def start(setup: Setup, seats: Sequence[Seat], edition: Edition) -> State:
    """The state at ply 0."""
    return State(edition, 0, setup.first, (None,) * len(SPACES))


def line_of(board: Sequence[Seat | None]) -> tuple[int, ...]:
    """The spaces of the first line of three equal marks, or none."""
    for line in LINES:
        if board[line[0]] is not None and len({board[space] for space in line}) == 1:
            return line
    return ()
