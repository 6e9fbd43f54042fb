"""Loading matches, and responses about their position."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from uuid import UUID

from flask import Response

from domain.match import Change, Frame, Timeline
from service.context import services
from service.db import events as event_log
from service.db import matches
from service.db.pool import Connection
from service.http.errors import not_found
from service.http.idempotency import Fresh, IdempotentWrite
from service.http.preconditions import etag
from service.http.responses import answer
from service.matches.commands import load, write
from service.matches.documents import match_document
from service.matches.rules_change import conflict_document, playable, presented
from service.timelines import Recorded


def require_match(connection: Connection, match_id: UUID) -> Mapping[str, Any]:
    """The row of a match with its players; raise `Problem`."""
    row = matches.find(connection, match_id)
    if row is None:
        raise not_found("match")
    return row


def present(connection: Connection, match_id: UUID) -> tuple[Mapping[str, Any], Timeline]:
    """A match by its row, and its timeline at exactly that version, as far as it fits the current rules."""
    row = require_match(connection, match_id)
    return presented(row, load(connection, row).timeline.at(row["version"]))


def recorded_of(connection: Connection, match_id: UUID, frames: Iterable[Frame]) -> Mapping[int, event_log.Recorded]:
    """When the events of some frames were recorded, with the reasons of table rulings, by event."""
    return event_log.recorded(connection, match_id, [frame.seq for frame in frames if frame.seq is not None])


def timeline_at(match_id: UUID, version: int) -> Timeline:
    """The timeline of a match at a version; raise `OutOfRange` or `Problem`.

    Versions never change, so a cached timeline is as good as the stored log, if all of it fits the current rules.
    """
    known = services().timelines.known(match_id)
    if known is not None and known.is_settled and known.timeline.version >= version:
        return known.timeline.at(version)
    with services().database.reading() as connection:
        row = require_match(connection, match_id)
        return playable(row, load(connection, row).timeline.at(version))


def act_idempotently(
    match_id: UUID, act: Callable[[Timeline], Change], expected: int | None, idempotently: IdempotentWrite
) -> int:
    """Run a POST that writes to a match once, and return the version after it."""

    def write_act(connection: Connection) -> Fresh[Recorded]:
        recorded = write(connection, match_id, expected, act).recorded
        return Fresh(recorded, {"version": recorded.timeline.version})

    outcome = idempotently(write_act, in_transaction=False)
    if isinstance(outcome, Fresh):
        services().publish(match_id, outcome.value)
    return int(outcome.stored["version"])


def answer_match(match_id: UUID) -> Response:
    """Respond with a match as it is now."""
    with services().database.reading() as connection:
        row, timeline = present(connection, match_id)
    return answer(match_document(row, timeline), {"ETag": etag(row)})


def keep_match(connection: Connection, match_id: UUID, timeline: Timeline) -> Mapping[str, Any]:
    """Store a match as its transaction leaves it, to be returned again under the same key."""
    return to_keep(require_match(connection, match_id), timeline)


def to_keep(row: Mapping[str, Any], timeline: Timeline) -> Mapping[str, Any]:
    """The stored part of a match for `answer_stored`."""
    document = match_document(row, timeline)
    return {"match": {**document, "rules_conflict": row["rules_conflict"]}, "etag": etag(row)}


def answer_stored(stored: Mapping[str, Any]) -> Response:
    """Respond with a stored match."""
    match = stored["match"]
    document = {
        "seats_known": True,  # not in answers that were stored before 2026-12
        **match,
        "rules_conflict": conflict_document(match["game"], match["rules_conflict"]),
    }
    return answer(document, {"ETag": stored["etag"]})
