"""Annotations as they go over the wire: where their move stands now, and whether their line still holds."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.game import AnyGame, FieldError, Malformed
from domain.history import Entry, Frame, HistoryError, Timeline, what_if
from service.annotations.showing import name_of_author
from service.identity import as_text
from service.problems import Problem, malformed, of_history


def annotation_document(timeline: Timeline, row: Mapping[str, Any]) -> dict[str, Any]:
    """An annotation on the present timeline."""
    frame = _frame_of(timeline, row["seq"])
    content = row["content"]
    return {
        "id": str(row["annotation_id"]),
        "match_id": str(row["match_id"]),
        "seq": row["seq"],
        "ply": None if frame is None else frame.ply,
        "detached": frame is None,
        "outdated": frame is not None and frame.seq != row["seq"],
        **content,
        "line_problem": None if frame is None else _line_problem(timeline, frame.ply, content["line"]),
        "author": row["author"],
        "by": name_of_author(row),
        "hidden": row["hidden"],
        "revision": row["revision"],
        "created_at": as_text(row["created_at"]),
        "changed_at": as_text(row["changed_at"]),
    }


def annotations_by_ply(timeline: Timeline, rows: Sequence[Mapping[str, Any]]) -> dict[int, list[dict[str, Any]]]:
    """The annotations whose move stands in the timeline, by its ply."""
    found: dict[int, list[dict[str, Any]]] = {}
    for row in rows:
        document = annotation_document(timeline, row)
        if document["ply"] is not None:
            found.setdefault(document["ply"], []).append(document)
    return found


def require_line(timeline: Timeline, ply: int, line: Sequence[Mapping[str, Any]]) -> None:
    """Refuse a what-if line that the engine refuses; raise `Problem`."""
    entries = []
    for index, entered in enumerate(line):
        try:
            entries.append(Entry(entered["seat"], timeline.game.parse(entered["move"])))
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
    """Refuse marks of what is not on the table of a game; raise `Problem`."""
    unknown = [index for index, mark in enumerate(marks) if mark["cell"] not in game.spaces]
    if unknown:
        raise malformed([FieldError(f"/marks/{index}/cell", f"must be a space of {game.title}") for index in unknown])


def _line_problem(timeline: Timeline, ply: int, line: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    try:
        require_line(timeline, ply, line)
    except Problem as problem:
        return problem.document()
    return None


def _frame_of(timeline: Timeline, seq: int) -> Frame | None:
    """The frame of the move that an event recorded, or of the one that has replaced it."""
    for frame in timeline.frames():
        if seq == frame.seq or seq in frame.replaced:
            return frame
    return None
