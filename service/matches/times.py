"""When moves were entered: what clients say of it, and how long each seat thought."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Annotated, Any, Final, NamedTuple, TypeAlias, TypedDict
from uuid import UUID

from flask import Response

from domain.forms import FieldError
from domain.game import Seat
from domain.match import Event, EventKind, Frame
from service.context import services
from service.db import entered
from service.db.entered import Stamped, Timed
from service.http import shapes
from service.http.errors import malformed
from service.http.responses import answer_digested
from service.http.routing import Blueprint
from service.http.shapes import Count, Keywords, Ply, Time, Version
from service.identity import now, text_of
from service.matches.queries import present
from service.permissions import Right

MAX_AHEAD: Final = timedelta(minutes=1)
"""By how much the clock of a device may be fast."""
LIVE: Final = timedelta(seconds=2)
"""A single move that was entered so shortly before it is recorded needs no time of its own."""
PAUSE: Final = timedelta(hours=1)
"""Nobody thinks longer: the match was interrupted."""
EVENING_BEFORE: Final = timedelta(hours=12)
EVENING_AFTER: Final = timedelta(hours=36)
"""Moves that are recorded so long before or after the match was played were written down elsewhere at the table."""
MAX_MINUTES: Final = 720
"""Matches that take longer were interrupted."""
BETWEEN: Final = frozenset(
    {EventKind.MOVE_CORRECTED, EventKind.SETUP_CORRECTED, EventKind.EDITION_CHANGED, EventKind.PLAYERS_ASSIGNED}
)
"""Events between two moves that leave the time between them one of thinking."""

Seconds: TypeAlias = Annotated[float, Keywords(minimum=0)]


class LongestMove(TypedDict):
    """The move over which a seat thought longest."""

    ply: Ply
    seconds: Seconds
    """How long it took."""


class SeatTime(TypedDict):
    """How long a seat thought over those of its moves of which that is known."""

    seat: shapes.Seat
    moves: Count
    """How many moves of the seat stand."""
    timed: Count
    """Of how many moves it is known how long they took."""
    seconds: Seconds | None
    """How long these took together."""
    longest: LongestMove | None


class PlyTime(TypedDict):
    """When a move was entered, and how long it took; null where that is not known."""

    ply: Ply
    seat: shapes.Seat
    at: Time | None
    """When the move was entered, null where that is not known."""
    seconds: Seconds | None
    """How long it took since the move before."""


class MatchTimes(TypedDict):
    """When the moves of a match were entered, and how long each seat thought."""

    version: Version
    seats: list[SeatTime]
    plies: list[PlyTime]


blueprint = Blueprint(
    "times", __name__, url_prefix="/api/v1/matches/<uuid:match_id>", description="How long players thought."
)


class Taken(NamedTuple):
    """A ply with the time of its move and how long that took, as far as they are known."""

    ply: int
    seat: Seat
    at: datetime | None
    seconds: float | None


@blueprint.get("/times", Right.READ, answer=MatchTimes, etag=True)
def get_times(match_id: UUID) -> Response:
    """When the moves were entered, and how long each seat thought.

    A time is known where a move was recorded on its own while the match was played, or was sent with `entered_at`. It
    is null for moves that were entered together without times, inserted later, or recorded days apart from the match.
    How long a move took is null too for the first one, after an undo, and beyond an hour, which is a pause.
    """
    with services().database.transaction() as connection:
        row, timeline = present(connection, match_id)
        stamps = entered.stamps(connection, match_id, row["version"])
    taken = thought(timeline.frames(), stamps, row["played_at"])
    document: MatchTimes = {
        "version": row["version"],
        "seats": [_of_seat(seat, taken) for seat in timeline.seats],
        "plies": [
            {"ply": move.ply, "seat": move.seat, "at": text_of(move.at), "seconds": move.seconds} for move in taken
        ],
    }
    return answer_digested(document, row["version"])


def read_times(moves: Sequence[Mapping[str, Any]], *, in_batch: bool) -> Sequence[Timed]:
    """When the moves of a request were entered, as far as that is to be kept; raise `Problem`."""
    latest = now()
    errors = []
    times: list[Timed] = []
    last: datetime | None = None
    for index, move in enumerate(moves):
        pointer = f"/moves/{index}/entered_at" if in_batch else "/entered_at"
        at = move.get("entered_at")
        times.append(Timed(pointer, at and min(at, latest)))
        if at is not None and at > latest + MAX_AHEAD:
            errors.append(FieldError(pointer, "lies in the future"))
        elif at is not None and last is not None and at < last:
            errors.append(FieldError(pointer, "lies before that of an earlier move"))
        last = at or last
    if errors:
        raise malformed(errors, "malformed-move")
    is_live = not in_batch and last is not None and latest - last < LIVE
    return () if last is None or is_live else times


def thought(frames: Sequence[Frame], stamps: Sequence[Stamped], played_at: datetime) -> list[Taken]:
    """How long each move of a line took, as far as that is known."""
    taken = []
    before: tuple[int, datetime] | None = None
    for frame in frames[1:]:
        seq = (*frame.replaced, frame.seq)[0]
        assert seq is not None and frame.seat is not None
        at = _entered_at(stamps, seq, played_at)
        seconds = None
        if before is not None and at is not None and _is_one_turn(stamps, before[0], seq):
            seconds = _seconds(at - before[1])
        taken.append(Taken(frame.ply, frame.seat, at, seconds))
        before = None if at is None else (seq, at)
    return taken


def _entered_at(stamps: Sequence[Stamped], seq: int, played_at: datetime) -> datetime | None:
    """When the move of an event was entered. Those of one batch are recorded at once."""
    kind, recorded_at, entered_at = stamps[seq - 1]
    if entered_at is not None:
        return entered_at
    beside = (*stamps[max(seq - 2, 0) : seq - 1], *stamps[seq : seq + 1])
    is_single = kind == EventKind.MOVE_MADE and all(
        other.kind != EventKind.MOVE_MADE or other.recorded_at != recorded_at for other in beside
    )
    is_of_evening = played_at - EVENING_BEFORE <= recorded_at <= played_at + EVENING_AFTER
    return recorded_at if is_single and is_of_evening else None


def _is_one_turn(stamps: Sequence[Stamped], before: int, seq: int) -> bool:
    """Whether a move was entered after another one with nothing between that took moves away."""
    is_entered = stamps[seq - 1].kind == EventKind.MOVE_MADE
    return before < seq and is_entered and all(stamp.kind in BETWEEN for stamp in stamps[before : seq - 1])


def known_minutes(events: Sequence[Event], played_at: datetime) -> tuple[int | None, datetime]:
    """How long a match took and when it ended, if it was recorded while it was played; else when it was played."""
    began, ended = (datetime.fromisoformat(events[index].recorded_at) for index in (0, -1))
    is_of_evening = -EVENING_BEFORE <= ended - played_at <= EVENING_AFTER
    minutes = round((ended - began).total_seconds() / 60)
    if not is_of_evening or not 1 <= minutes <= MAX_MINUTES:
        return None, played_at
    return minutes, ended


def _seconds(span: timedelta) -> float | None:
    return round(span.total_seconds(), 1) if timedelta() <= span <= PAUSE else None


def _of_seat(seat: Seat, taken: Iterable[Taken]) -> SeatTime:
    own = [move for move in taken if move.seat == seat]
    known = [(move.seconds, move.ply) for move in own if move.seconds is not None]
    longest = max(known, default=None)
    return {
        "seat": seat,
        "moves": len(own),
        "timed": len(known),
        "seconds": round(sum(seconds for seconds, _ in known), 1) if known else None,
        "longest": None if longest is None else {"ply": longest[1], "seconds": longest[0]},
    }
