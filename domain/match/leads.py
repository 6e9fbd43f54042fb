"""The lead in a finished match, and the move that changed it most."""

from itertools import pairwise
from typing import NamedTuple

from domain.game import Seat
from domain.match.timeline import Timeline


class TurningPoint(NamedTuple):
    """The move by which the winner gained most."""

    ply: int
    seat: Seat
    swing: int
    """By how much the lead of the winner grew."""
    lead: int
    """The points of the winner after the move less those of the best other seat."""


def turning_point(timeline: Timeline) -> TurningPoint | None:
    """The move by which the lead of the winner grew most, the last of several.

    The lead is that of the points that the match would give if it ended after a move. None if nobody won alone, if no
    move was recorded, or if the lead never grew.
    """
    result = timeline.result
    if result is None or len(result.winners) > 1 or timeline.is_result_only:
        return None
    winner = result.winners[0]
    best: TurningPoint | None = None
    leads = []
    for frame in timeline.frames():
        totals = timeline.game.rules.totals(frame.state)
        others = [points for seat, points in totals.items() if seat != winner]
        leads.append((frame, totals[winner] - max(others)))
    for (_, before), (frame, lead) in pairwise(leads):
        if lead - before >= (best.swing if best else 1):
            assert frame.seat is not None
            best = TurningPoint(frame.ply, frame.seat, lead - before, lead)
    return best
