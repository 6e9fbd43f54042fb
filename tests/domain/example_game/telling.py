"""What tic-tac-toe says: a sentence for each move and for each reason for points."""

from collections.abc import Iterable, Iterator, Mapping

from domain.game import NO_GAIN, Gain, GainItem, ScoreItem, Seat
from domain.sentences import Count, signed
from tests.domain.example_game.moves import Mark
from tests.domain.example_game.parts import SPACES
from tests.domain.example_game.reasons import stored_refusal
from tests.domain.example_game.rules import apply
from tests.domain.example_game.scoring import totals
from tests.domain.example_game.state import State, line_of
from tests.domain.example_game.texts import LANGUAGES, sentence

__all__ = ["LANGUAGES", "describe", "explain", "gains", "stored_refusal"]


def describe(state: State, seat: Seat, move: Mark, language: str = "en") -> str:
    """One sentence for a move that is made in this state."""
    return sentence("moves", "mark", language, seat=seat, space=SPACES[move.at])


def explain(state: State, language: str = "en") -> Mapping[Seat, tuple[ScoreItem, ...]]:
    """Where each point comes from."""
    cells = [SPACES[space] for space in line_of(state.board)]
    return {seat: _items(cells, points, language) for seat, points in totals(state).items()}


def _items(cells: list[str], points: int, language: str) -> tuple[ScoreItem, ...]:
    if not points:
        return ()
    text = sentence("score", "line", language, spaces=cells, points=Count(points, "point"))
    return (ScoreItem("line", points, (), tuple(cells), (), text),)


def gains(state: State, moves: Iterable[Mark], language: str = "en") -> Iterator[Gain]:
    """What each of these moves would give the seat to move."""
    seat = state.to_move
    assert seat is not None
    for move in moves:
        points = totals(apply(state, seat, move))[seat] - totals(state)[seat]
        yield Gain(points, (GainItem("line", points, signed(points)),)) if points else NO_GAIN
