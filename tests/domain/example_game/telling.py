"""What tic-tac-toe says: a sentence for each move and for each reason for points."""

from collections.abc import Mapping

from domain.game import ScoreItem, Seat
from domain.sentences import Count
from tests.domain.example_game.moves import Mark
from tests.domain.example_game.parts import SPACES
from tests.domain.example_game.reasons import stored_refusal
from tests.domain.example_game.scoring import totals
from tests.domain.example_game.state import State, line_of
from tests.domain.example_game.texts import LANGUAGES, sentence

__all__ = ["LANGUAGES", "describe", "explain", "stored_refusal"]


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
