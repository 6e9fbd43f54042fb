"""Replay: frames, pictures and explained scores of every ply."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Annotated, Any, Final, TypeAlias, TypedDict, cast
from uuid import UUID

from flask import Response, request
from marshmallow import Schema, fields, validate

from domain.forms import FieldError
from domain.match import Frame, OutOfRange, Timeline
from service.annotations.documents import Notes, notes_of
from service.auth.authentication import current_principal, is_public
from service.caches import CachedFrame
from service.context import services
from service.db.events import Recorded
from service.http.errors import malformed, not_found
from service.http.fields import QueryInteger, QueryLanguage
from service.http.locale import request_language
from service.http.pagination import LAST_POSITION
from service.http.responses import REVALIDATED, answer_digested, answer_tagged, encoded, lines, wants_lines
from service.http.routing import Blueprint
from service.http.shapes import Partial, Ply
from service.matches.documents import FrameDocument, Match, frame_document, frames_between, match_document
from service.matches.queries import present, recorded_of, timeline_at
from service.permissions import Right
from service.replay.pictures import draw_frame

FIELDS = ("ply", "seq", "recorded_at", "seat", "move", "ruling", "text", "state", "annotations")
_FIELD = "|".join(FIELDS)
CACHE_PUBLIC = "public, max-age=31536000, s-maxage=300, immutable"
"""For a frame of a version of a public match: browsers keep it, and shared caches revalidate it after five
five minutes, so that they have it no longer when the match is hidden."""
CACHE_LOCAL: Final = "private, max-age=31536000, immutable"
"""The same for any match where sign-in is switched off, so that all readers are on this machine."""
FORM: Final = 2
"""Raised when the members of frames or scores change, so that no copy of an earlier form is confirmed."""
BATCH: Final = 100
"""Frames whose events are read together."""

blueprint = Blueprint(
    "replay", __name__, url_prefix="/api/v1/matches/<uuid:match_id>/replay", description="Matches ply by ply."
)


FramePart: TypeAlias = Annotated[
    FrameDocument, Partial("FramePart", "A frame with all members, or those that `fields` names.")
]


class Replay(TypedDict):
    """A match with its frames."""

    match: Match
    frames: list[FramePart]


class ScoreItem(TypedDict):
    """Points of a seat, with the pieces, spaces and sources that give them."""

    category: str
    """What the points are for, in a word of the game."""
    points: int
    pieces: Sequence[str]
    """The pieces that give them."""
    cells: Sequence[str]
    """The spaces that give them."""
    sources: Sequence[str]
    """The spaces of the lamps, or the keys, that give the points."""
    text: str


class SeatScore(TypedDict):
    """Where the points of a seat come from."""

    total: int
    items: list[ScoreItem]


class Score(TypedDict):
    """Where each point of each seat comes from."""

    ply: Ply
    seats: dict[str, SeatScore]


class FrameQuery(Schema):
    """The version and language of a frame."""

    version = QueryInteger(validate=validate.Range(1))
    lang = QueryLanguage()


class ReplayQuery(FrameQuery):
    """Which frames, and which of their members."""

    fields_ = fields.String(data_key="fields", metadata={"pattern": f"^({_FIELD})(,({_FIELD}))*$"})
    first = QueryInteger(data_key="from")
    last = QueryInteger(data_key="to")


@blueprint.get("", Right.READ, query=ReplayQuery, answer=Replay, lines=FramePart, etag=True)
def get_replay(query: dict[str, Any], match_id: UUID) -> Response:
    """All frames of a match, or some of them.

    With `version` the frames are those of that version and carry no annotations; the match is as it is now.
    """
    wanted = _requested_fields(query.get("fields_"))
    first, last = query.get("first", 0), query.get("last", LAST_POSITION)
    notes: Notes | None = None
    with services().database.reading() as connection:
        row, timeline = present(connection, match_id)
        if "annotations" in wanted and "version" not in query:
            notes = notes_of(connection, match_id, timeline, list(frames_between(timeline, first, last)))
    if "version" in query:
        timeline = _timeline(query, match_id)
    language = request_language()

    def frames() -> Iterator[FramePart]:
        following = frames_between(timeline, first, last)
        while some := list(islice(following, BATCH)):
            recorded = _recorded(match_id, some) if wanted & {"recorded_at", "ruling"} else {}
            for frame in some:
                document = frame_document(timeline, frame, language, recorded, with_state="state" in wanted)
                if "version" not in query:
                    document["annotations"] = notes.of_ply(frame.ply) if notes else []
                yield cast(FramePart, {name: value for name, value in document.items() if name in wanted})

    if wants_lines():
        return lines(frames)
    document: Replay = {"match": match_document(row, timeline), "frames": list(frames())}
    return answer_digested(document, row["version"])


@blueprint.get("/<int:ply>", Right.READ, query=FrameQuery, answer=FrameDocument, etag=True)
def get_frame(query: dict[str, Any], match_id: UUID, ply: int) -> Response:
    """One frame.

    With `version` and `lang` it never changes and carries no annotations; of a public match it may then be cached for a
    year, by caches for many readers for five minutes. Otherwise it is revalidated by its ETag.
    """
    if "version" in query:
        cached = _cached_frame(query, match_id, ply)
        return answer_tagged(cached.body, cached.tag, _caching(query))
    with services().database.reading() as connection:
        _, timeline = present(connection, match_id)
        frame = _frame(timeline, ply)
        recorded = recorded_of(connection, match_id, [frame])
        notes = notes_of(connection, match_id, timeline, [frame])
    language = request_language()
    document = frame_document(timeline, frame, language, recorded)
    document["annotations"] = notes.of_ply(ply)
    return answer_digested(document, timeline.version)


@blueprint.get("/<int:ply>/board.svg", Right.READ, query=FrameQuery, media_type="image/svg+xml", etag=True)
def get_picture(query: dict[str, Any], match_id: UUID, ply: int) -> Response:
    """A picture of the board, the last move marked.

    It may be cached as its frame may.
    """
    timeline, frame, language = _found(query, match_id, ply)
    if timeline.is_result_only:
        raise not_found("picture, since only the result is known")
    picture = draw_frame(timeline, frame, language)
    headers = {"Cache-Control": _caching(query), "ETag": _frame_tag(timeline, f"{ply}-{language}-svg")}
    if request.if_none_match.contains_weak(headers["ETag"].strip('"')):
        return Response(status=304, headers=headers)
    return Response(picture, headers=headers, content_type="image/svg+xml; charset=utf-8")


@blueprint.get("/<int:ply>/score", Right.READ, query=FrameQuery, answer=Score, etag=True)
def get_score(query: dict[str, Any], match_id: UUID, ply: int) -> Response:
    """Where each point comes from.

    The points of the items of a seat add up to its total.
    """
    timeline, frame, language = _found(query, match_id, ply)
    if timeline.is_result_only:
        raise not_found("explanation, since only the result is known")
    explained = timeline.game.telling.explain(frame.state, language)
    document: Score = {
        "ply": ply,
        "seats": {
            seat: {
                "total": sum(item.points for item in items),
                "items": [
                    {
                        "category": item.category,
                        "points": item.points,
                        "pieces": item.pieces,
                        "cells": item.cells,
                        "sources": item.sources,
                        "text": item.sentence,
                    }
                    for item in items
                ],
            }
            for seat, items in explained.items()
        },
    }
    return _tagged(document, timeline, query, f"{language}-score")


def _found(query: Mapping[str, Any], match_id: UUID, ply: int) -> tuple[Timeline, Frame, str]:
    timeline = _timeline(query, match_id)
    return timeline, _frame(timeline, ply), request_language()


def _timeline(query: Mapping[str, Any], match_id: UUID) -> Timeline:
    if "version" in query:
        try:
            return timeline_at(match_id, query["version"])
        except OutOfRange:
            raise not_found("version of this match") from None
    with services().database.reading() as connection:
        _, timeline = present(connection, match_id)
    return timeline


def _cached_frame(query: Mapping[str, Any], match_id: UUID, ply: int) -> CachedFrame:
    """A frame of a version, serialized once because it never changes."""
    language = query.get("lang") or request_language()
    key = (match_id, query["version"], ply, language)
    cached = services().frames.find(key)
    if cached is None:
        timeline = _timeline(query, match_id)
        frame = _frame(timeline, ply)
        document = frame_document(timeline, frame, language, _recorded(match_id, [frame]))
        cached = CachedFrame(encoded(document), _frame_tag(timeline, language))
        services().frames.keep(key, cached)
    return cached


def _recorded(match_id: UUID, frames: Iterable[Frame]) -> Mapping[int, Recorded]:
    with services().database.reading() as connection:
        return recorded_of(connection, match_id, frames)


def _frame(timeline: Timeline, ply: int) -> Frame:
    try:
        return timeline.frame(ply)
    except OutOfRange:
        raise not_found("ply in this match") from None


def _caching(query: Mapping[str, Any]) -> str:
    if not {"version", "lang"} <= set(query):
        return REVALIDATED
    return CACHE_LOCAL if current_principal().is_local else CACHE_PUBLIC if is_public() else REVALIDATED


def _frame_tag(timeline: Timeline, what: str) -> str:
    return f'"{timeline.version}-{timeline.game.rules_version}-{FORM}-{what}"'


def _tagged(document: Any, timeline: Timeline, query: Mapping[str, Any], what: str) -> Response:
    return answer_tagged(document, _frame_tag(timeline, what), _caching(query))


def _requested_fields(text: str | None) -> frozenset[str]:
    if text is None:
        return frozenset(FIELDS)
    names = text.split(",")
    unknown = [name for name in names if name not in FIELDS]
    if unknown:
        raise malformed([FieldError("/fields", f"must be of {', '.join(FIELDS)}")])
    return frozenset(names)
