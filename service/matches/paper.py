"""Points as they were written on paper, compared with what the moves give."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, TypedDict
from uuid import UUID

from flask import Response
from marshmallow import Schema, fields, validate

from domain.forms import FieldError
from domain.match import Frame, OutOfRange, Timeline
from service.context import services
from service.http.errors import Problem, malformed
from service.http.fields import MAX_NAME, Integer, Text
from service.http.fields import Seat as SeatField
from service.http.request import SMALL_BODY
from service.http.responses import answer
from service.http.routing import Blueprint
from service.http.shapes import Ply, Seat
from service.matches.queries import present
from service.permissions import Right

MAX_NOTES: Final = 100
"""All kinds of points of Paris at the end and after a dozen moves."""
MAX_SUSPECTS: Final = 50
POINTS: Final = validate.Range(-999, 9_999)

Points: TypeAlias = Callable[[Frame], Mapping[Seat, int]]

blueprint = Blueprint(
    "paper", __name__, url_prefix="/api/v1/matches/<uuid:match_id>", description="Points on paper and by the moves."
)


class PaperPoints(Integer):
    """Points, which may be negative."""

    shape = {"minimum": -999, "maximum": 9_999}  # noqa: RUF012 -- as in the class above


class PaperNote(Schema):
    """Points that were written down: of a ply, by default the last one, in all or of one category."""

    ply = Integer()
    category = Text(MAX_NAME, metadata={"description": "As in `category` of the explained score; without it in all."})
    points = fields.Dict(
        keys=SeatField(),
        values=PaperPoints(validate=POINTS),
        required=True,
        validate=validate.Length(1, 8),
        metadata={"description": "By seat; seats may be missing."},
    )


class Paper(Schema):
    """What was written down, in any order."""

    notes = fields.List(fields.Nested(PaperNote), required=True, validate=validate.Length(1, MAX_NOTES))


class Suspect(TypedDict):
    """A move since the last agreement that changed these points."""

    ply: Ply
    seat: Seat
    """Who made it."""
    change: int
    """By how much it changed them."""
    explains: bool
    """Whether the paper would be right if it had not changed them, or had changed them twice."""


class Disagreement(TypedDict):
    """The first difference between paper and moves."""

    ply: Ply
    seat: Seat
    category: str | None
    """Null for all points."""
    written: int
    """What the paper says."""
    computed: int
    """What the moves give."""
    agreed_at: Ply
    """The last ply of the paper up to which these points agree, or else 0."""
    suspects: list[Suspect]
    """Moves between the two plies that changed these points, those first that explain the difference."""


class Comparison(TypedDict):
    """Whether paper and moves agree."""

    agrees: bool
    """Whether no note differs."""
    first: Disagreement | None
    """The first difference, by ply and then as it was sent; one of a category comes before one of all points."""


class _Note(NamedTuple):
    ply: int
    category: str | None
    points: Mapping[Seat, int]


@blueprint.post(
    "/paper/check",
    Right.READ,
    body=Paper,
    answer=Comparison,
    problems=("match-result-only", "out-of-range"),
    max_body=SMALL_BODY * 4,
)
def compare_with_paper(body: dict[str, Any], match_id: UUID) -> Response:
    """Compare points that were written on paper with those of the moves; stores nothing.

    Notes can be of the end or of any ply, of all points or of one category. The first that differs is named, with the
    moves that changed these points since paper and moves last agreed: one of them is to be corrected, or the paper.
    """
    with services().database.transaction() as connection:
        _, timeline = present(connection, match_id)
    if timeline.is_result_only:
        raise Problem("match-result-only", "A match of which only the result is known has no moves.")
    notes = sorted(_read(timeline, body["notes"]), key=lambda note: (note.ply, note.category is None))
    frames = timeline.frames()
    first = next(_differences(timeline, frames, notes), None)
    document: Comparison = {"agrees": first is None, "first": first}
    return answer(document)


def _read(timeline: Timeline, notes: Sequence[Mapping[str, Any]]) -> Iterator[_Note]:
    for index, note in enumerate(notes):
        ply = note.get("ply", timeline.ply)
        if not 0 <= ply <= timeline.ply:
            raise OutOfRange(ply, 0, timeline.ply)
        for seat in note["points"]:
            if seat not in timeline.seats:
                listed = ", ".join(timeline.seats)
                raise malformed([FieldError(f"/notes/{index}/points/{seat}", f"must be one of {listed}")])
        yield _Note(ply, note.get("category"), note["points"])


def _differences(timeline: Timeline, frames: Sequence[Frame], notes: Sequence[_Note]) -> Iterator[Disagreement]:
    agreed: dict[tuple[str | None, Seat], int] = {}
    for note in notes:
        points = _points(timeline, note.category)
        computed = points(frames[note.ply])
        for seat, written in note.points.items():
            since = agreed.get((note.category, seat), 0)
            if computed.get(seat, 0) == written:
                agreed[note.category, seat] = note.ply
                continue
            difference = written - computed.get(seat, 0)
            yield {
                "ply": note.ply,
                "seat": seat,
                "category": note.category,
                "written": written,
                "computed": computed.get(seat, 0),
                "agreed_at": since,
                "suspects": _suspects(frames[since : note.ply + 1], points, seat, difference),
            }


def _points(timeline: Timeline, category: str | None) -> Points:
    """The points of every seat after a ply: all of them, or those of a category."""
    game = timeline.game
    if category is None:
        return lambda frame: game.rules.totals(frame.state)

    def of_category(frame: Frame) -> Mapping[Seat, int]:
        found: Counter[Seat] = Counter()
        for seat, items in game.telling.explain(frame.state, "en").items():
            found[seat] += sum(item.points for item in items if item.category == category)
        return found

    return of_category


def _suspects(frames: Sequence[Frame], points: Points, seat: Seat, difference: int) -> list[Suspect]:
    found: list[Suspect] = []
    before = points(frames[0]).get(seat, 0)
    for frame in frames[1:]:
        after = points(frame).get(seat, 0)
        change = after - before
        before = after
        if change and frame.seat is not None:
            explains = abs(change) == abs(difference)
            found.append({"ply": frame.ply, "seat": frame.seat, "change": change, "explains": explains})
    return sorted(found, key=lambda suspect: not suspect["explains"])[:MAX_SUSPECTS]
