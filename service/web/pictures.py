"""The functions that draw the boards of the games."""

from collections.abc import Mapping
from typing import Any, Protocol

from domain.game import JsonObject
from domain.match import Frame, Timeline
from service.matches.documents import sentence
from service.web.games.cite_lumiere import board as cite_lumiere
from service.web.games.paris import board as paris


class Picture(Protocol):
    """Draws a board as SVG from a dumped state, the last move if any, and the edition document."""

    def __call__(
        self, state: JsonObject, last_move: JsonObject | None, *, edition: Mapping[str, Any], title: str
    ) -> str: ...


PICTURES: Mapping[str, Picture] = {"cite-lumiere": cite_lumiere.draw_board, "paris": paris.draw_board}
"""By the id of the game."""


def draw_frame(timeline: Timeline, frame: Frame, language: str) -> str:
    """Draw the board of a match that was recorded by moves after a ply, with the last move marked."""
    game = timeline.game
    last_move = None if frame.before is None else game.move.dump(frame.move)
    text = "" if frame.before is None else sentence(timeline, frame, language)
    title = f"{game.title}, {frame.ply}. {text}".strip()
    return PICTURES[game.id](game.view.dump(frame.state), last_move, edition=timeline.edition.document, title=title)
