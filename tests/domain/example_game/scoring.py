"""Points of tic-tac-toe, the result, and the explanation of both."""

from collections.abc import Mapping
from typing import NamedTuple

from domain.game import Ranked, Result, ScoreItem, Seat
from domain.sentences import Count
from tests.domain.example_game.moves import SEATS, SPACES
from tests.domain.example_game.state import State, line_of
from tests.domain.example_game.texts import sentence


class SeatScore(NamedTuple):
    """The points of one seat, and the line that gives them."""

    total: int
    line: tuple[int, ...]


def score(state: State) -> Mapping[Seat, SeatScore]:
    """What each seat would score if the match ended now."""
    line = line_of(state.board)
    owner = state.board[line[0]] if line else None
    return {
        seat: SeatScore(state.edition.points_for_line, line) if seat == owner else SeatScore(0, ()) for seat in SEATS
    }


def explain(state: State, language: str = "en") -> Mapping[Seat, tuple[ScoreItem, ...]]:
    """Where each point comes from."""
    return {seat: tuple(_items(seat_score, language)) for seat, seat_score in score(state).items()}


def _items(seat_score: SeatScore, language: str) -> list[ScoreItem]:
    if not seat_score.line:
        return []
    cells = [SPACES[space] for space in seat_score.line]
    points = Count(seat_score.total, "point")
    text = sentence("score", "line", language, spaces=cells, points=points)
    return [ScoreItem("line", seat_score.total, (), tuple(cells), (), text)]


def result(state: State) -> Result | None:
    """The result, or None as long as somebody is to move."""
    if state.to_move is not None:
        return None
    totals = {seat: seat_score.total for seat, seat_score in score(state).items()}
    first, second = sorted(SEATS, key=lambda seat: -totals[seat])
    is_shared = totals[first] == totals[second]
    return Result(
        winners=(first, second) if is_shared else (first,),
        ranking=(Ranked(first, 1, totals[first]), Ranked(second, 1 if is_shared else 2, totals[second])),
        decided_by="shared" if is_shared else "points",
    )
