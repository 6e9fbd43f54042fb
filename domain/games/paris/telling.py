"""What Paris says: sentences for moves and for points."""

from domain.games.paris.description import describe
from domain.games.paris.explanation import explain
from domain.games.paris.texts import LANGUAGES

__all__ = ["LANGUAGES", "describe", "explain"]
