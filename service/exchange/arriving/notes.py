"""Notes of matches that are taken over: their content, the room for them, and their rows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple
from uuid import UUID

import orjson

from domain.forms import Malformed
from domain.game import AnyGame, JsonObject
from domain.match import notation
from domain.match.document import Annotation, MatchDocument, Wording
from domain.match.notation import MatchText, Note
from service.annotations.documents import KIND_OF_MARK, MAX_LINE, MAX_MARKS, ROOM, ROOM_OF_AUTHOR
from service.auth.authentication import current_principal
from service.db import annotations as notes
from service.db.annotations import Written
from service.db.exchange import Rows
from service.exchange.arriving.report import Refused
from service.http.fields import MAX_TEXT
from service.identity import new_id

TOO_MANY: Final = f"a match has at most {ROOM.number:,} notes and {ROOM.bytes:,} bytes in them."
TOO_MANY_BY_ONE: Final = (
    f"a match has at most {ROOM_OF_AUTHOR.number:,} notes of one author and {ROOM_OF_AUTHOR.bytes:,} bytes in them."
)


# Content


def new_note(seq: int, content: JsonObject, moment: str) -> Annotation:
    """A note by the importer."""
    actor = current_principal().actor
    return Annotation(str(new_id()), seq, actor, moment, (Wording(0, content, False, False, actor, moment),))


def content_of(game: AnyGame, note: Note) -> dict[str, Any]:
    """A note as the content of an annotation by who imports it; the name of another author stands before the text."""
    text = note.text if note.author is None else f"{note.author}: {note.text}"
    lines = [line for _, line in notation.lines_of(note.variations)]
    line = [{"seat": entry.seat, "move": game.move.dump(entry.move)} for entry in (lines[0] if lines else ())]
    marks = [{"cell": cell, "kind": kind} for cell, kind in note.marks]
    return {"text": text, "glyph": note.glyph, "marks": marks, "line": line}


def require_notes(document: MatchDocument) -> None:
    """Require that the annotations of a document are such as the API takes, each once and its wordings in order."""
    if len({annotation.id for annotation in document.annotations}) < len(document.annotations):
        raise Refused("malformed", "One of its annotations is there twice.")
    for annotation in document.annotations:
        revisions = [wording.revision for wording in annotation.wordings]
        is_right = annotation.seq <= len(document.events) and all(
            earlier < later for earlier, later in pairwise(revisions)
        )
        if not is_right or not all(is_content(document.game, wording.content) for wording in annotation.wordings):
            raise Refused("malformed", "One of its annotations is too long, or of another form.")


def require_notes_of_text(text: MatchText) -> None:
    """Require that the notes of a text are such as the API takes."""
    for ply, remarks in text.remarks.items():
        if not all(is_content(text.game, content_of(text.game, note)) for note in remarks.notes):
            line = text.line_of_ply(ply) or None
            raise Refused("malformed", "One of its notes is too long, or marks what cannot be.", line)


def is_content(game: AnyGame, content: Mapping[str, Any]) -> bool:
    """Whether the content of an annotation is of the form that the API takes."""
    try:
        return content.keys() == {"text", "glyph", "marks", "line"} and _is_content(game, **content)
    except (AttributeError, KeyError, TypeError, Malformed):
        return False


def _is_content(game: AnyGame, text: Any, glyph: Any, marks: Any, line: Any) -> bool:
    if not isinstance(marks, list) or not isinstance(line, list):
        return False
    for move in line:
        game.move.parse(move["move"])
    return (
        isinstance(text, str)
        and len(text) <= MAX_TEXT
        and "\0" not in text
        and (glyph is None or glyph in notation.GLYPHS)
        and len(marks) <= MAX_MARKS
        and len(line) <= MAX_LINE
        and all(mark.keys() == {"cell", "kind"} and mark["cell"] in game.spaces for mark in marks)
        and all(isinstance(mark["kind"], str) and KIND_OF_MARK.fullmatch(mark["kind"]) for mark in marks)
        and all(move.keys() == {"seat", "move"} and move["seat"] in game.seats for move in line)
    )


# Room


class Limit(NamedTuple):
    """The notes and bytes that may still be written, and the sentence for those that may not."""

    number: int
    bytes: int
    detail: str


class Room:
    """The room that is left for notes on a match."""

    def __init__(self, limits: Sequence[Limit]) -> None:
        self._limits = limits

    def take(self, number: int, size: int) -> str | None:
        """Why there is no room for so many notes and bytes more; if there is, it is taken."""
        left = [Limit(limit.number - number, limit.bytes - size, limit.detail) for limit in self._limits]
        for limit in left:
            if (number > 0 and limit.number < 0) or (size > 0 and limit.bytes < 0):
                return limit.detail
        self._limits = left
        return None

    def fill(self, annotations: Sequence[Annotation]) -> tuple[Sequence[Annotation], str | None]:
        """Take the room for those of some new annotations that come before there is none, and say why there is none."""
        for index, annotation in enumerate(annotations):
            final = annotation.wordings[-1]
            if not final.deleted and (full := self.take(1, notes.size(final.content))):
                return annotations[:index], full
        return annotations, None


def room_of_new_match() -> Room:
    """The room for notes on a match that has none."""
    return room_left(Written(0, 0), None)


def room_left(written: Written, by_author: Written | None) -> Room:
    """The room for notes beside those that were written on a match, also by one author if that is limited."""
    limits = [Limit(ROOM.number - written.number, ROOM.bytes - written.bytes, TOO_MANY)]
    if by_author is not None:
        number, size = ROOM_OF_AUTHOR.number - by_author.number, ROOM_OF_AUTHOR.bytes - by_author.bytes
        limits.append(Limit(number, size, TOO_MANY_BY_ONE))
    return Room(limits)


# Rows


def add_annotation(rows: Rows, match_id: UUID, annotation: Annotation) -> None:
    """Add the rows of an annotation with all its wordings."""
    annotation_id, final = UUID(annotation.id), annotation.wordings[-1]
    rows.annotation_ids.add(annotation_id)
    rows.of["annotations"].append(
        (
            *(match_id, annotation_id, final.revision, annotation.seq, orjson.dumps(final.content).decode()),
            *(annotation.author, annotation.created_at, final.changed_at, final.deleted, final.hidden),
        )
    )
    rows.of["annotation_changes"] += list(wording_rows(match_id, annotation_id, annotation.wordings))


def wording_rows(match_id: UUID, annotation_id: UUID, wordings: Iterable[Wording]) -> Iterator[tuple[Any, ...]]:
    for wording in wordings:
        text = orjson.dumps(wording.content).decode()
        yield (
            *(match_id, annotation_id, wording.revision, text),
            *(wording.deleted, wording.hidden, wording.actor, wording.changed_at),
        )
