"""Boards as SVG: the function of each game that draws its own."""

from collections.abc import Mapping
from typing import Any, Protocol

from domain.game import JsonObject
from service.drawing.cite_lumiere import board as cite_lumiere
from service.drawing.cite_lumiere import small as small_cite_lumiere
from service.drawing.paris import board as paris
from service.drawing.paris import small as small_paris


class Picture(Protocol):
    """Draws a board as SVG from a dumped state, the last move if any, and the edition document."""

    def __call__(
        self, state: JsonObject, last_move: JsonObject | None, *, edition: Mapping[str, Any], title: str
    ) -> str: ...


PICTURES: Mapping[str, Picture] = {"cite-lumiere": cite_lumiere.draw_board, "paris": paris.draw_board}
"""By the id of the game."""


class SmallPicture(Protocol):
    """Draws a board as a small SVG without ids from a dumped state and the last move if any."""

    def __call__(self, state: JsonObject, last_move: JsonObject | None) -> str: ...


SMALL_PICTURES: Mapping[str, SmallPicture] = {
    "cite-lumiere": small_cite_lumiere.draw_small,
    "paris": small_paris.draw_small,
}
"""By the id of the game."""
