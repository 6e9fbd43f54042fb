"""Boards as SVG and for terminals: the functions of each game that draw its own."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Protocol

from domain.game import JsonObject, Seat
from service.drawing.cite_lumiere import board as cite_lumiere
from service.drawing.cite_lumiere import small as small_cite_lumiere
from service.drawing.cite_lumiere import terminal as terminal_cite_lumiere
from service.drawing.paris import board as paris
from service.drawing.paris import small as small_paris
from service.drawing.paris import terminal as terminal_paris


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


class TextPicture(Protocol):
    """Draws a board for a terminal, line by line and in colour, from a dumped state."""

    def __call__(self, state: JsonObject) -> Iterator[str]: ...


TEXT_PICTURES: Mapping[str, TextPicture] = {
    "cite-lumiere": terminal_cite_lumiere.draw_text,
    "paris": terminal_paris.draw_text,
}
"""By the id of the game."""


class PreviewRow(NamedTuple):
    """A seat on the picture of a link: who sits there, and with how many points."""

    seat: Seat
    name: str
    points: int | None
    is_winner: bool
