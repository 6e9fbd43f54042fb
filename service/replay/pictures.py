"""The picture of a frame."""

from domain.match import Frame, Timeline
from service.drawing import PICTURES
from service.matches.documents import sentence


def draw_frame(timeline: Timeline, frame: Frame, language: str) -> str:
    """Draw the board of a match that was recorded by moves after a ply, with the last move marked."""
    game = timeline.game
    last_move = None if frame.before is None else game.move.dump(frame.move)
    text = "" if frame.before is None else sentence(timeline, frame, language)
    title = f"{game.title}, {frame.ply}. {text}".strip()
    return PICTURES[game.id](game.view.dump(frame.state), last_move, edition=timeline.edition.document, title=title)
