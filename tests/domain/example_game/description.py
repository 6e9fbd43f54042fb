"""One sentence for a move of tic-tac-toe."""

from domain.game import Seat
from tests.domain.example_game.moves import SPACES, Mark
from tests.domain.example_game.state import State
from tests.domain.example_game.texts import sentence


def describe(state: State, seat: Seat, move: Mark, language: str = "en") -> str:
    """One sentence for a move that is made in this state."""
    return sentence("moves", "mark", language, seat=seat, space=SPACES[move.at])
