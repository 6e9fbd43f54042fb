"""Annotations as JSON, with the present place of their move and the verdict on their line."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, Literal, TypeAlias, TypedDict, get_args
from uuid import UUID

import orjson

from domain.forms import FieldError, Malformed
from domain.game import AnyGame, JsonObject
from domain.match import Entry, Frame, HistoryError, Timeline, what_if
from service.annotations.showing import name_of_author, shown_to_reader
from service.context import services
from service.db import annotations
from service.db.annotations import Written
from service.db.pool import Connection
from service.http.errors import Problem, malformed, of_history
from service.http.fields import MAX_TEXT
from service.http.locale import request_language
from service.http.shapes import Actor, Component, Count, Id, Keywords, Seq, Time
from service.identity import as_text

MAX_LINE = 100
MAX_MARKS = 64
KIND_OF_MARK: Final = re.compile("[a-z_]{1,20}")
ROOM_OF_AUTHOR: Final = Written(200, 500_000)
ROOM: Final = Written(1000, 2_000_000)
"""Limits for one author, and for all together, on a match. Every reader loads the annotations, and 2 MB of lines take
half a second to judge."""
Glyph: TypeAlias = Literal["!", "?", "!!", "??", "!?", "?!"]
GLYPHS = get_args(Glyph)
LineProblem: TypeAlias = (
    Annotated[JsonObject, Component("IllegalMoveProblem")] | Annotated[JsonObject, Component("MalformedMoveProblem")]
)


class Content(TypedDict):
    """What an annotation says."""

    text: Annotated[str, Keywords(maxLength=MAX_TEXT)]
    glyph: Glyph | None
    """A judgement of the move by a sign, as on chess."""
    marks: Annotated[list[Annotated[JsonObject, Component("Mark")]], Keywords(maxItems=MAX_MARKS)]
    line: Annotated[list[Annotated[JsonObject, Component("LineMove")]], Keywords(maxItems=MAX_LINE)]
    """A what-if line from the move on."""


class Annotation(Content):
    """A note on a recorded move, with a glyph, marked spaces and a what-if line."""

    id: Id
    match_id: Id
    seq: Seq
    ply: Annotated[int | None, Keywords(description="Where its move is now, null when it is detached.")]
    detached: bool
    """Whether its move left the match."""
    outdated: bool
    """Whether the move was replaced since."""
    line_problem: LineProblem | None
    """Why the line no longer fits."""
    author: Actor
    by: str | None
    """What members of the installation call its author."""
    hidden: bool
    """Whether only its author and who manages the match see it."""
    revision: Count
    created_at: Time
    changed_at: Time


class AnnotationWording(Content):
    """What an annotation said at one time."""

    revision: Count
    deleted: bool
    """Whether it was deleted then."""
    hidden: bool
    """Whether only its author and who manages the match see it."""
    actor: Actor
    changed_at: Time


class Places:
    """Look-up of the frames of recorded moves, in a timeline or in some of its frames."""

    def __init__(self, timeline: Timeline, frames: Iterable[Frame] | None = None) -> None:
        self.timeline = timeline
        self._frames = {
            seq: frame for frame in (timeline.frames() if frames is None else frames) for seq in _events_of(frame)
        }

    @property
    def seqs(self) -> Sequence[int]:
        """The events whose moves stand here or were replaced by one that does."""
        return list(self._frames)

    def frame(self, seq: int) -> Frame | None:
        """The frame of the move that an event recorded, or of the move that replaced it."""
        return self._frames.get(seq)


def _events_of(frame: Frame) -> Iterable[int]:
    assert frame.seq is not None
    return (*frame.replaced, frame.seq)


class Notes:
    """The annotations of some frames. Their lines are judged on access."""

    def __init__(self, places: Places, rows: Iterable[Mapping[str, Any]]) -> None:
        self._places = places
        self._by_ply: dict[int, list[Mapping[str, Any]]] = {}
        for row in rows:
            frame = places.frame(row["seq"])
            assert frame is not None
            self._by_ply.setdefault(frame.ply, []).append(row)

    def of_ply(self, ply: int) -> list[Annotation]:
        """The annotations of a ply, oldest first."""
        return [annotation_document(self._places, row) for row in self._by_ply.get(ply, ())]


def notes_of(connection: Connection, match_id: UUID, timeline: Timeline, frames: Iterable[Frame]) -> Notes:
    """The annotations of some frames of a match that the reader may see."""
    places = Places(timeline, frames)
    return Notes(places, annotations.of_events(connection, match_id, places.seqs, shown_to_reader()))


def annotation_document(places: Places, row: Mapping[str, Any]) -> Annotation:
    """An annotation on a timeline as JSON."""
    content: Content = row["content"]
    frame = places.frame(row["seq"])
    return {
        "id": str(row["annotation_id"]),
        "match_id": str(row["match_id"]),
        "seq": row["seq"],
        "ply": None if frame is None else frame.ply,
        "detached": frame is None,
        "outdated": frame is not None and frame.seq != row["seq"],
        **content,
        "line_problem": None if frame is None else _line_problem(places.timeline, frame.ply, row),
        "author": row["author"],
        "by": name_of_author(row),
        "hidden": row["hidden"],
        "revision": row["revision"],
        "created_at": as_text(row["created_at"]),
        "changed_at": as_text(row["changed_at"]),
    }


def require_line(timeline: Timeline, ply: int, line: Sequence[Mapping[str, Any]]) -> None:
    """Require that the rules allow a what-if line; raise `Problem`."""
    entries = []
    for index, entered in enumerate(line):
        try:
            entries.append(Entry(entered["seat"], timeline.game.move.parse(entered["move"])))
        except Malformed as error:
            raise malformed(error.errors, "malformed-move", f"/line/{index}/move") from None
        if entered["seat"] not in timeline.seats:
            listed = ", ".join(timeline.seats)
            raise malformed([FieldError(f"/line/{index}/seat", f"must be one of {listed}")], "malformed-move")
    try:
        what_if(timeline, ply, entries)
    except HistoryError as error:
        raise of_history(error, in_batch=True) from None


def require_marks(game: AnyGame, marks: Sequence[Mapping[str, Any]]) -> None:
    """Require that marks name something on the table of the game; raise `Problem`."""
    unknown = [index for index, mark in enumerate(marks) if mark["cell"] not in game.spaces]
    if unknown:
        raise malformed([FieldError(f"/marks/{index}/cell", f"must be a space of {game.title}") for index in unknown])


def _line_problem(timeline: Timeline, ply: int, row: Mapping[str, Any]) -> dict[str, Any] | None:
    """The refusal of an annotation's line, judged once for each version of the match."""
    line = row["content"]["line"]
    if not line:
        return None
    key = (row["annotation_id"], row["revision"], timeline.version, request_language())
    judged = services().verdicts.find(key)
    if judged is None:
        judged = orjson.dumps(_judge(timeline, ply, line))
        services().verdicts.keep(key, judged)
    verdict: dict[str, Any] | None = orjson.loads(judged)
    return verdict


def _judge(timeline: Timeline, ply: int, line: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    try:
        require_line(timeline, ply, line)
    except Problem as problem:
        return problem.document()
    return None
