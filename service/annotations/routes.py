"""Notes on recorded moves, with glyphs, marks and what-if lines."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from flask import Response
from marshmallow import Schema, fields, validate

from domain.history import Timeline
from service.access.asking import asker, has, refuse
from service.access.rights import Right
from service.annotations.documents import annotation_document, require_line, require_marks
from service.annotations.showing import is_author, is_shown, shown_annotations
from service.api import Blueprint
from service.carnet import carnet
from service.fields import LONGEST_TEXT, Integer, Json, Paging, Seat, Text
from service.identity import as_text, new_id
from service.matches.reading import present, replay_header, require_match
from service.matches.refolding import playable
from service.matches.writing import load
from service.problems import not_found
from service.requests import once
from service.responses import answer, answer_items
from service.store import annotations
from service.store.database import Connection

GLYPHS = ("!", "?", "!!", "??", "!?", "?!")
LONGEST_LINE = 100
MOST_MARKS = 64

blueprint = Blueprint("annotations", __name__, url_prefix="/api/v1", description="Notes on recorded moves.")


class Mark(Schema):
    """A space that is pointed out."""

    cell = Text(40, required=True)
    kind = fields.String(required=True, validate=validate.Regexp(r"^[a-z_]{1,20}$"))


class LineMove(Schema):
    """One move of a what-if line."""

    seat = Seat(required=True)
    move = Json("Move", required=True)


class Content(Schema):
    """What an annotation says."""

    text = fields.String(validate=validate.Length(max=LONGEST_TEXT))
    glyph = fields.String(allow_none=True, validate=validate.OneOf(GLYPHS))
    marks = fields.List(fields.Nested(Mark), validate=validate.Length(max=MOST_MARKS))
    line = fields.List(fields.Nested(LineMove), validate=validate.Length(max=LONGEST_LINE))


class NewAnnotation(Content):
    """A note on the move of a ply."""

    ply = Integer(required=True)


_EMPTY: Mapping[str, Any] = {"text": "", "glyph": None, "marks": [], "line": []}


@blueprint.post("/matches/<uuid:match_id>/annotations", Right.ANNOTATE)
@blueprint.arguments(NewAnnotation)
@blueprint.response(
    201,
    "Annotation",
    location=True,
    keyed=True,
    problems=("illegal-move", "malformed-move", "match-result-only", "out-of-range"),
)
def create_annotation(body: dict[str, Any], match_id: UUID) -> Response:
    """Annotate a recorded move.

    It belongs to the recorded move and follows it through corrections. `line` is a what-if variation from that ply,
    which the rules must allow.
    """
    content = {name: body.get(name, empty) for name, empty in _EMPTY.items()}

    def act(connection: Connection) -> Mapping[str, Any]:
        _, timeline = present(connection, match_id)
        frame = timeline.frame(body["ply"])
        require_marks(timeline.game, content["marks"])
        require_line(timeline, frame.ply, content["line"])
        annotation_id = new_id()
        annotations.insert(connection, match_id, annotation_id, frame.seq or 1, content, asker().actor)
        row, _ = _found(connection, annotation_id)
        return {"annotation": annotation_document(timeline, row)}

    kept, replayed = once(act)
    carnet().notices.tell(match_id)
    headers = {"Location": f"/api/v1/annotations/{kept['annotation']['id']}", **replay_header(replayed)}
    return answer(kept["annotation"], 201, headers)


@blueprint.get("/matches/<uuid:match_id>/annotations", Right.READ)
@blueprint.arguments(Paging, location="query")
@blueprint.response(200, "AnnotationPage", lines="Annotation")
def list_annotations(query: dict[str, Any], match_id: UUID) -> Response:
    """The annotations of a match, detached ones too.

    A detached annotation belongs to a move that has left the timeline; restoring brings it back.
    """
    with carnet().database.transaction() as connection:
        _, timeline = present(connection, match_id)
        rows = shown_annotations(connection, match_id)
    return answer_items([annotation_document(timeline, row) for row in rows], query)


@blueprint.get("/annotations/<uuid:annotation_id>", Right.READ)
@blueprint.response(200, "Annotation")
def get_annotation(annotation_id: UUID) -> Response:
    """One annotation.

    It tells where its move is now, and what the rules say of its line.
    """
    return answer(_document(annotation_id))


@blueprint.patch("/annotations/<uuid:annotation_id>", Right.ANNOTATE)
@blueprint.arguments(Content)
@blueprint.response(200, "Annotation", problems=("illegal-move", "malformed-move", "match-result-only"))
def change_annotation(body: dict[str, Any], annotation_id: UUID) -> Response:
    """Change what an annotation says.

    Members that are not there stay as they are; earlier wordings are kept. Only its author may do this.
    """
    with carnet().database.transaction() as connection:
        row, timeline = _found(connection, annotation_id, locked=True)
        _require_author(row)
        content = {**row["content"], **body}
        ply = annotation_document(timeline, row)["ply"]
        require_marks(timeline.game, body.get("marks", ()))
        if "line" in body and ply is not None:
            require_line(timeline, ply, body["line"])
        if content != row["content"]:
            annotations.change(connection, annotation_id, content, False, asker().actor)
    carnet().notices.tell(row["match_id"])
    return answer(_document(annotation_id))


@blueprint.delete("/annotations/<uuid:annotation_id>", Right.ANNOTATE)
@blueprint.response(204)
def delete_annotation(annotation_id: UUID) -> Response:
    """Take an annotation out of the lists.

    Its wordings stay in its history, for its author and for who manages the match. Only its author may do this.
    """
    with carnet().database.transaction() as connection:
        row, _ = _found(connection, annotation_id, locked=True)
        _require_author(row)
        annotations.change(connection, annotation_id, row["content"], True, asker().actor)
    carnet().notices.tell(row["match_id"])
    return Response(status=204)


@blueprint.post("/annotations/<uuid:annotation_id>/restore", Right.ANNOTATE)
@blueprint.response(200, "Annotation", keyed=True)
def restore_annotation(annotation_id: UUID) -> Response:
    """Bring back a deleted annotation.

    It says what it said when it was deleted. Only its author may do this; one that is not deleted stays as it is.
    """

    def act(connection: Connection) -> Mapping[str, Any]:
        row = annotations.find(connection, annotation_id, locked=True)
        if row is None or not is_shown(row) or (row["deleted"] and not is_author(row)):
            raise not_found("annotation")
        _require_author(row)
        if row["deleted"]:
            annotations.change(connection, annotation_id, row["content"], False, asker().actor)
        row, timeline = _found(connection, annotation_id)
        return {"annotation": annotation_document(timeline, row)}

    kept, replayed = once(act)
    carnet().notices.tell(UUID(kept["annotation"]["match_id"]))
    return answer(kept["annotation"], headers=replay_header(replayed))


@blueprint.post("/annotations/<uuid:annotation_id>/hide", Right.MANAGE)
@blueprint.response(200, "Annotation", keyed=True)
def hide_annotation(annotation_id: UUID) -> Response:
    """Keep an annotation from others.

    Who the match belongs to may hide what others wrote; then only he and its author see it.
    """

    def act(connection: Connection) -> Mapping[str, Any]:
        return {"annotation": _hidden(connection, annotation_id, hidden=True)}

    kept, replayed = once(act)
    carnet().notices.tell(UUID(kept["annotation"]["match_id"]))
    return answer(kept["annotation"], headers=replay_header(replayed))


@blueprint.delete("/annotations/<uuid:annotation_id>/hide", Right.MANAGE)
@blueprint.response(200, "Annotation")
def show_annotation(annotation_id: UUID) -> Response:
    """Show a hidden annotation again.

    Everybody who may read the match sees it then.
    """
    with carnet().database.transaction() as connection:
        document = _hidden(connection, annotation_id, hidden=False)
    carnet().notices.tell(UUID(document["match_id"]))
    return answer(document)


@blueprint.get("/annotations/<uuid:annotation_id>/history", Right.READ)
@blueprint.arguments(Paging, location="query")
@blueprint.response(200, "AnnotationWordingPage", lines="AnnotationWording")
def get_annotation_history(query: dict[str, Any], annotation_id: UUID) -> Response:
    """All wordings that an annotation had.

    The first entry is from its making. Those of a deleted one are for its author and for who manages the match.
    """
    with carnet().database.transaction() as connection:
        row = annotations.find(connection, annotation_id)
        if row is None or not is_shown(row) or (row["deleted"] and not (is_author(row) or has(Right.MANAGE))):
            raise not_found("annotation")
        rows = annotations.history(connection, annotation_id)
    return answer_items([_wording(row) for row in rows], query)


def _found(connection: Connection, annotation_id: UUID, *, locked: bool = False) -> tuple[Mapping[str, Any], Timeline]:
    row = annotations.find(connection, annotation_id, locked=locked)
    if row is None or row["deleted"] or not is_shown(row):
        raise not_found("annotation")
    match_row = require_match(connection, row["match_id"])
    return row, playable(match_row, load(connection, match_row).timeline.at(match_row["version"]))


def _hidden(connection: Connection, annotation_id: UUID, *, hidden: bool) -> dict[str, Any]:
    row, _ = _found(connection, annotation_id, locked=True)
    if row["hidden"] != hidden:
        annotations.hide(connection, annotation_id, hidden, asker().actor)
    row, timeline = _found(connection, annotation_id)
    return annotation_document(timeline, row)


def _require_author(row: Mapping[str, Any]) -> None:
    if not is_author(row):
        refuse()


def _wording(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **row["content"],
        "revision": row["revision"],
        "deleted": row["deleted"],
        "hidden": row["hidden"],
        "actor": row["actor"],
        "changed_at": as_text(row["changed_at"]),
    }


def _document(annotation_id: UUID) -> dict[str, Any]:
    with carnet().database.transaction() as connection:
        row, timeline = _found(connection, annotation_id)
    return annotation_document(timeline, row)
