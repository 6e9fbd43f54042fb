"""Which function draws the board of which game."""

from collections.abc import Mapping
from typing import Protocol

from domain.game import JsonObject
from service.web.games.cite_lumiere.board import draw_board


class Picture(Protocol):
    """Draws a board as SVG from what a game dumps: the state, and the last move unless there is none."""

    def __call__(self, state: JsonObject, last_move: JsonObject | None, *, title: str) -> str: ...


PICTURES: Mapping[str, Picture] = {"cite-lumiere": draw_board}
"""By the id of the game."""
