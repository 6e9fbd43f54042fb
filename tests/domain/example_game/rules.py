"""The course of a match of tic-tac-toe: which moves are legal and what they do."""

from collections.abc import Iterator, Sequence
from random import Random

from domain.chance import each
from domain.game import Seat
from tests.domain.example_game.edition import Edition
from tests.domain.example_game.moves import Mark
from tests.domain.example_game.parts import SEATS, SPACES
from tests.domain.example_game.reasons import refusal
from tests.domain.example_game.scoring import result, totals
from tests.domain.example_game.setup import Setup
from tests.domain.example_game.state import State, line_of

__all__ = ["apply", "check", "legal_moves", "random_move", "result", "start", "totals"]


def start(setup: Setup, seats: Sequence[Seat], edition: Edition) -> State:
    """The state at ply 0."""
    return State(edition, 0, setup.first, (None,) * len(SPACES))


def check(state: State, seat: Seat, move: Mark) -> None:
    """Raise `Refusal` if a move is not legal, for a physical reason if there is one."""
    if state.to_move is None:
        raise refusal("match_over")
    if state.board[move.at] is not None:
        raise refusal("space_taken", space=SPACES[move.at])
    if seat != state.to_move:
        raise refusal("not_your_turn", seat=seat, turn=state.to_move)


def apply(state: State, seat: Seat, move: Mark) -> State:
    """The state after a move, which is not checked."""
    board = (*state.board[: move.at], seat, *state.board[move.at + 1 :])
    is_over = line_of(board) or None not in board
    return State(state.edition, state.ply + 1, None if is_over else SEATS[1 - SEATS.index(seat)], board)


def legal_moves(state: State) -> Iterator[Mark]:
    """Every legal move of the seat to move."""
    return _moves(state, None)


def random_move(state: State, random: Random) -> Mark | None:
    """One of the legal moves, or None when the match is over."""
    return next(_moves(state, random), None)


def _moves(state: State, random: Random | None) -> Iterator[Mark]:
    if state.to_move is not None:
        for at in each(range(len(SPACES)), random):
            if state.board[at] is None:
                yield Mark(at)
