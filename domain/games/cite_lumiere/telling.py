"""What La Cité de la Lumière says: sentences for moves and for points."""

from domain.games.cite_lumiere.description import describe
from domain.games.cite_lumiere.scoring import explain
from domain.games.cite_lumiere.texts import LANGUAGES

__all__ = ["LANGUAGES", "describe", "explain"]
