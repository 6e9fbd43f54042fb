"""Which function draws the board of which game."""

from collections.abc import Mapping
from typing import Any, Protocol

from domain.game import JsonObject
from service.web.games.cite_lumiere import board as cite_lumiere
from service.web.games.paris import board as paris


class Picture(Protocol):
    """Draws a board as SVG from what a game dumps, the state and the last move if any, and the edition document."""

    def __call__(
        self, state: JsonObject, last_move: JsonObject | None, *, edition: Mapping[str, Any], title: str
    ) -> str: ...


PICTURES: Mapping[str, Picture] = {"cite-lumiere": cite_lumiere.draw_board, "paris": paris.draw_board}
"""By the id of the game."""
