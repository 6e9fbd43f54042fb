"""Notes on recorded moves, with glyphs, marks and what-if lines."""

from collections.abc import Mapping
from typing import Annotated, Any, TypedDict
from uuid import UUID

from flask import Response
from marshmallow import Schema, fields, validate

from domain.match import Timeline
from service.annotations.documents import (
    GLYPHS,
    KIND_OF_MARK,
    MAX_LINE,
    MAX_MARKS,
    ROOM,
    ROOM_OF_AUTHOR,
    Annotation,
    AnnotationWording,
    Content,
    Places,
    annotation_document,
    require_line,
    require_marks,
)
from service.annotations.showing import is_author, is_shown, shown_to_reader
from service.auth.audit import AuditAction, note
from service.auth.authentication import current_principal, has, refuse
from service.context import services
from service.db import annotations
from service.db.pool import Connection
from service.http.errors import Problem, not_found
from service.http.fields import MAX_TEXT, Integer, Json, Paging, Seat, Text
from service.http.idempotency import Fresh, IdempotentWrite
from service.http.pagination import answer_page, read_position, write_position
from service.http.responses import answer, lines, wants_lines
from service.http.routing import Blueprint
from service.http.shapes import Keywords, Page
from service.identity import as_text, new_id
from service.matches.commands import load
from service.matches.queries import present, require_match
from service.matches.rules_change import playable
from service.permissions import Right

blueprint = Blueprint("annotations", __name__, url_prefix="/api/v1", description="Notes on recorded moves.")


class Mark(Schema):
    """A marked space."""

    cell = Text(40, required=True)
    kind = fields.String(required=True, validate=validate.Regexp(rf"^{KIND_OF_MARK.pattern}$"))


class LineMove(Schema):
    """One move of a what-if line."""

    seat = Seat(required=True)
    move = Json("Move", required=True)


class AnnotationContent(Schema):
    """The content of an annotation."""

    text = fields.String(validate=validate.Length(max=MAX_TEXT))
    glyph = fields.String(allow_none=True, validate=validate.OneOf(GLYPHS))
    marks = fields.List(fields.Nested(Mark), validate=validate.Length(max=MAX_MARKS))
    line = fields.List(fields.Nested(LineMove), validate=validate.Length(max=MAX_LINE))


class NewAnnotation(AnnotationContent):
    """A note on the move of a ply."""

    ply = Integer(required=True)


class Author(Schema):
    """The author of annotations: an account or the link of a match; null for those written without sign-in."""

    author = fields.String(required=True, allow_none=True, validate=validate.Length(max=40))


class HiddenAnnotations(TypedDict):
    """How many annotations a request hid."""

    hidden: Annotated[int, Keywords(minimum=0, description="How many annotations were hidden.")]


_EMPTY: Mapping[str, Any] = {"text": "", "glyph": None, "marks": [], "line": []}


@blueprint.post(
    "/matches/<uuid:match_id>/annotations",
    Right.ANNOTATE,
    body=NewAnnotation,
    answer=Annotation,
    status=201,
    location="/api/v1/annotations/{id}",
    idempotent=True,
    problems=("illegal-move", "malformed-move", "match-result-only", "out-of-range", "too-many-annotations"),
)
def create_annotation(body: dict[str, Any], match_id: UUID, idempotently: IdempotentWrite) -> Response:
    """Annotate a recorded move.

    It belongs to the recorded move and follows it through corrections. `line` is a what-if variation from that ply,
    which the rules must allow.
    """
    content = {name: body.get(name, empty) for name, empty in _EMPTY.items()}

    def act(connection: Connection) -> Fresh[None]:
        _, timeline = present(connection, match_id)
        frame = timeline.frame(body["ply"])
        require_marks(timeline.game, content["marks"])
        _require_room(connection, match_id, current_principal().actor, content)
        require_line(timeline, frame.ply, content["line"])
        annotation_id = new_id()
        annotations.insert(connection, match_id, annotation_id, frame.seq or 1, content, current_principal().actor)
        row, _ = _require_annotation(connection, annotation_id)
        return Fresh(None, {"annotation": annotation_document(Places(timeline, [frame]), row)})

    stored = idempotently(act).stored
    services().notifier.notify(match_id)
    return answer(stored["annotation"])


@blueprint.get("/matches/<uuid:match_id>/annotations", Right.READ, query=Paging, answer=Page[Annotation])
def list_annotations(query: dict[str, Any], match_id: UUID) -> Response:
    """The annotations of a match, detached ones too.

    A detached annotation belongs to a move that has left the timeline; restoring brings it back.
    """
    first, limit = read_position(query.get("cursor")), query["limit"]
    is_stream = wants_lines()
    with services().database.reading() as connection:
        _, timeline = present(connection, match_id)
        bounds = (0, None) if is_stream else (first, limit + 1)
        rows = annotations.page(connection, match_id, shown_to_reader(), *bounds)
    places = Places(timeline)
    if is_stream:
        return lines(lambda: (annotation_document(places, row) for row in rows))
    page = [annotation_document(places, row) for row in rows[:limit]]
    return answer_page(page + rows[limit:], limit, lambda: write_position(first + limit))


@blueprint.get("/annotations/<uuid:annotation_id>", Right.READ, answer=Annotation)
def get_annotation(annotation_id: UUID) -> Response:
    """One annotation.

    It tells where its move is now, and what the rules say of its line.
    """
    return answer(_document(annotation_id))


@blueprint.patch(
    "/annotations/<uuid:annotation_id>",
    Right.ANNOTATE,
    body=AnnotationContent,
    answer=Annotation,
    problems=("illegal-move", "malformed-move", "match-result-only", "too-many-annotations"),
)
def change_annotation(body: dict[str, Any], annotation_id: UUID) -> Response:
    """Change what an annotation says.

    Members that are not there stay as they are; earlier wordings are kept. Only its author may do this.
    """
    with services().database.transaction() as connection:
        row, timeline = _require_annotation(connection, annotation_id, locked=True)
        _require_author(row)
        content = {**row["content"], **body}
        require_marks(timeline.game, body.get("marks", ()))
        frame = Places(timeline).frame(row["seq"])
        if "line" in body and frame is not None:
            require_line(timeline, frame.ply, body["line"])
        if content != row["content"]:
            _require_room(connection, row["match_id"], row["author"], content, row["content"])
            annotations.change(connection, row, content, False, current_principal().actor)
    services().notifier.notify(row["match_id"])
    return answer(_document(annotation_id))


@blueprint.delete("/annotations/<uuid:annotation_id>", Right.ANNOTATE, status=204)
def delete_annotation(annotation_id: UUID) -> None:
    """Take an annotation out of the lists.

    Its wordings stay in its history, for its author and for who manages the match. Only its author may do this.
    """
    with services().database.transaction() as connection:
        row, _ = _require_annotation(connection, annotation_id, locked=True)
        _require_author(row)
        annotations.change(connection, row, row["content"], True, current_principal().actor)
    services().notifier.notify(row["match_id"])


@blueprint.post(
    "/annotations/<uuid:annotation_id>/restore",
    Right.ANNOTATE,
    answer=Annotation,
    idempotent=True,
    problems=("too-many-annotations",),
)
def restore_annotation(annotation_id: UUID, idempotently: IdempotentWrite) -> Response:
    """Bring back a deleted annotation.

    It says what it said when it was deleted. Only its author may do this; one that is not deleted stays as it is.
    """

    def act(connection: Connection) -> Fresh[None]:
        row = annotations.find(connection, annotation_id, locked=True)
        if row is None or not is_shown(row) or (row["deleted"] and not is_author(row)):
            raise not_found("annotation")
        _require_author(row)
        if row["deleted"]:
            _require_room(connection, row["match_id"], row["author"], row["content"])
            annotations.change(connection, row, row["content"], False, current_principal().actor)
        row, timeline = _require_annotation(connection, annotation_id)
        return Fresh(None, {"annotation": annotation_document(Places(timeline), row)})

    stored = idempotently(act).stored
    services().notifier.notify(UUID(stored["annotation"]["match_id"]))
    return answer(stored["annotation"])


@blueprint.post("/annotations/<uuid:annotation_id>/hide", Right.MANAGE, answer=Annotation, idempotent=True)
def hide_annotation(annotation_id: UUID, idempotently: IdempotentWrite) -> Response:
    """Keep an annotation from others.

    Those who manage the match may hide what others wrote; then only they and its author see it.
    """

    def act(connection: Connection) -> Fresh[None]:
        return Fresh(None, {"annotation": _hidden(connection, annotation_id, hidden=True)})

    stored = idempotently(act).stored
    services().notifier.notify(UUID(stored["annotation"]["match_id"]))
    return answer(stored["annotation"])


@blueprint.delete("/annotations/<uuid:annotation_id>/hide", Right.MANAGE, answer=Annotation)
def show_annotation(annotation_id: UUID) -> Response:
    """Show a hidden annotation again.

    Everybody who may read the match sees it then.
    """
    with services().database.transaction() as connection:
        document = _hidden(connection, annotation_id, hidden=False)
    services().notifier.notify(UUID(document["match_id"]))
    return answer(document)


@blueprint.post(
    "/matches/<uuid:match_id>/annotations/hide", Right.MANAGE, body=Author, answer=HiddenAnnotations, idempotent=True
)
def hide_annotations(body: dict[str, Any], match_id: UUID, idempotently: IdempotentWrite) -> Response:
    """Hide all annotations of one author in a match.

    Answers how many were hidden. Each of them can be shown again.
    """
    author = body["author"]

    def act(connection: Connection) -> Fresh[None]:
        require_match(connection, match_id)
        number = annotations.hide_author(connection, match_id, author, current_principal().actor)
        if number:
            details = {"author": author, "number": number}
            note(connection, AuditAction.ANNOTATIONS_HIDDEN, current_principal(), match_id=match_id, details=details)
        document: HiddenAnnotations = {"hidden": number}
        return Fresh(None, document)

    stored = idempotently(act).stored
    services().notifier.notify(match_id)
    return answer(stored)


@blueprint.get(
    "/annotations/<uuid:annotation_id>/history",
    Right.READ,
    query=Paging,
    answer=Page[AnnotationWording],
)
def get_annotation_history(query: dict[str, Any], annotation_id: UUID) -> Response:
    """All wordings that an annotation had.

    The first entry is from its making. Those of a deleted one are for its author and for who manages the match.
    """
    first, limit = read_position(query.get("cursor")), query["limit"]
    is_stream = wants_lines()
    with services().database.reading() as connection:
        row = annotations.find(connection, annotation_id)
        if row is None or not is_shown(row) or (row["deleted"] and not (is_author(row) or has(Right.MANAGE))):
            raise not_found("annotation")
        bounds = (0, None) if is_stream else (first, limit + 1)
        rows = annotations.history(connection, row["match_id"], annotation_id, *bounds)
    if is_stream:
        return lines(lambda: map(_wording, rows))
    return answer_page([_wording(row) for row in rows], limit, lambda: write_position(first + limit))


def _require_annotation(
    connection: Connection, annotation_id: UUID, *, locked: bool = False
) -> tuple[Mapping[str, Any], Timeline]:
    row = annotations.find(connection, annotation_id, locked=locked)
    if row is None or row["deleted"] or not is_shown(row):
        raise not_found("annotation")
    match_row = require_match(connection, row["match_id"])
    return row, playable(match_row, load(connection, match_row).timeline.at(match_row["version"]))


def _hidden(connection: Connection, annotation_id: UUID, *, hidden: bool) -> Annotation:
    row, _ = _require_annotation(connection, annotation_id, locked=True)
    if row["hidden"] != hidden:
        annotations.hide(connection, row, hidden, current_principal().actor)
    row, timeline = _require_annotation(connection, annotation_id)
    return annotation_document(Places(timeline), row)


def _require_room(
    connection: Connection,
    match_id: UUID,
    author: str | None,
    content: Mapping[str, Any],
    before: Mapping[str, Any] | None = None,
) -> None:
    """Refuse an annotation beyond the limits of its author or of the match.

    Annotations written without sign-in have no author and count only against the limit of the match.
    """
    added = annotations.size(content) - (0 if before is None else annotations.size(before))
    written = annotations.written(connection, match_id, author)
    for whose, limit in (("author", ROOM_OF_AUTHOR), ("all", ROOM)):
        number, size = written[whose]
        if number + (before is None) > limit.number or (added > 0 and size + added > limit.bytes):
            by = "of one author " if whose == "author" else ""
            detail = f"A match has at most {limit.number:,} annotations {by}and {limit.bytes:,} bytes in them."
            raise Problem("too-many-annotations", detail)


def _require_author(row: Mapping[str, Any]) -> None:
    if not is_author(row):
        refuse()


def _wording(row: Mapping[str, Any]) -> AnnotationWording:
    content: Content = row["content"]
    return {
        **content,
        "revision": row["revision"],
        "deleted": row["deleted"],
        "hidden": row["hidden"],
        "actor": row["actor"],
        "changed_at": as_text(row["changed_at"]),
    }


def _document(annotation_id: UUID) -> Annotation:
    with services().database.transaction() as connection:
        row, timeline = _require_annotation(connection, annotation_id)
    return annotation_document(Places(timeline), row)
