"""Points of tic-tac-toe and the result."""

from collections.abc import Mapping

from domain.game import Ranked, Result, Seat
from tests.domain.example_game.parts import SEATS
from tests.domain.example_game.state import State, line_of


def totals(state: State) -> Mapping[Seat, int]:
    """The points of each seat if the match ended now."""
    line = line_of(state.board)
    owner = state.board[line[0]] if line else None
    return {seat: state.edition.points_for_line if seat == owner else 0 for seat in SEATS}


def result(state: State) -> Result | None:
    """The result, or None as long as somebody is to move."""
    if state.to_move is not None:
        return None
    points = totals(state)
    first, second = sorted(SEATS, key=lambda seat: -points[seat])
    is_shared = points[first] == points[second]
    return Result(
        winners=(first, second) if is_shared else (first,),
        ranking=(Ranked(first, 1, points[first]), Ranked(second, 1 if is_shared else 2, points[second])),
        decided_by="shared" if is_shared else "points",
    )
