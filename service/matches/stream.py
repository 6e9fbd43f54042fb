"""Live updates of a match as server-sent events; everything that a reader missed becomes one change."""

import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import orjson
from flask import Response, request, stream_with_context

from service.auth.authentication import current_principal, still_reads
from service.context import services
from service.db import matches
from service.db.pool import Connection, DatabaseAway
from service.http.errors import Problem, not_found
from service.http.ratelimit import network_of
from service.http.routing import Blueprint
from service.live.subscribers import Holder, Reader
from service.matches.commands import load
from service.permissions import Right

EVENT_STREAM = "text/event-stream"
RETRY_AFTER = 2000
"""Milliseconds after which a browser reconnects."""
NOTHING = ":\n\n"
"""A comment, which keeps the connection open."""

blueprint = Blueprint(
    "stream", __name__, url_prefix="/api/v1/matches/<uuid:match_id>/stream", description="Matches as they change."
)


@dataclass(frozen=True, slots=True)
class Known:
    """What a reader knows of a match: the versions of log and details, and a counter of changes to annotations."""

    version: int
    revision: int
    wordings: int


@blueprint.get("", Right.READ, media_type=EVENT_STREAM, problems=("bad-request", "too-many-streams"))
def stream_match(match_id: UUID) -> Response:
    """Follow a match as it changes.

    The event `changed` has the version as its id and the data `version`, `ply`, `from_ply`, `kind` (of the last event)
    and `status`. Frames from `from_ply` on are to be fetched again and those behind `ply` are gone. Several changes may
    come as one, and so does what happened since `Last-Event-ID`. `details` and `annotations` come without an id; after
    connecting again a reader fetches these anew. `gone` says that the right to read was lost, and ends the stream. A
    service that is about to stop says with `retry` when to come back, and ends the stream too.
    """
    seen = _last_event_id()
    streams = services().streams
    with ExitStack() as stack:
        reader = streams.enter(match_id, request.environ.get("gunicorn.socket"), _holder())
        stack.callback(streams.leave, reader)
        with services().database.statements() as connection:
            row = matches.standing(connection, match_id)
        if row is None:
            raise not_found("match")
        known = _known(row)
        if seen is not None:
            known = replace(known, version=seen)
        response = Response(stream_with_context(_follow(reader, match_id, known)), content_type=EVENT_STREAM)
        # Not at the end of the generator, which is never reached if it was never started.
        response.call_on_close(stack.pop_all().close)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _holder() -> Holder | None:
    """The holder of the place of a stream; None where clients have no limits."""
    if current_principal().is_local or not services().config.rate:
        return None
    account_id = current_principal().account_id
    if account_id is not None:
        return Holder(str(account_id), is_account=True)
    return Holder(network_of(request.remote_addr), is_account=False)


def _last_event_id() -> int | None:
    """The version that a reconnecting reader had."""
    header = request.headers.get("Last-Event-ID")
    if header is None:
        return None
    if not re.fullmatch("[0-9]{1,9}", header):
        raise Problem("bad-request", "Last-Event-ID must be the id of an event of this stream, such as 12.")
    return int(header)


def _follow(reader: Reader, match_id: UUID, known: Known) -> Iterator[str]:
    # The id without an event: a browser can then send it even if the connection breaks before the first change.
    yield f"retry: {RETRY_AFTER}\nid: {known.version}\n\n"
    while True:
        events: list[str] = []
        # While the database is not reachable, nothing is sent; then the listener wakes all readers.
        with suppress(DatabaseAway), services().database.statements() as connection:
            row = matches.standing(connection, match_id)
            if row is None or not still_reads(connection):  # in this order, so that nothing later is told
                yield _event("gone", {})
                return
            events = _events(connection, row, known)
            known = _known(row)
        yield "".join(events) or NOTHING
        if not reader.wait():
            break
    if reader.comes_back_after is not None:
        yield f"retry: {reader.comes_back_after}\n\n"


def _known(row: Mapping[str, Any]) -> Known:
    return Known(row["version"], row["revision"], int(row["wordings"]))


def _events(connection: Connection, row: Mapping[str, Any], known: Known) -> list[str]:
    """The events that bring a reader up to date."""
    present = _known(row)
    events = []
    if present.version != known.version:
        changed = {name: row[name] for name in ("version", "ply", "kind", "status")}
        changed["from_ply"] = _first_difference(connection, row, known.version)
        events.append(_event("changed", changed, present.version))
    if present.revision != known.revision:
        events.append(_event("details", {"revision": present.revision}))
    if present.wordings != known.wordings:
        events.append(_event("annotations", {}))
    return events


def _first_difference(connection: Connection, row: Mapping[str, Any], known: int) -> int:
    """The first ply that differs; 0 if the log does not have the known version.

    That happens after a database was restored from a backup.
    """
    if not 0 < known <= row["version"]:
        return 0
    return load(connection, row).timeline.at(row["version"]).changed_since(known)


def _event(name: str, document: Mapping[str, Any], event_id: int | None = None) -> str:
    identified = "" if event_id is None else f"id: {event_id}\n"
    return f"event: {name}\n{identified}data: {orjson.dumps(document).decode()}\n\n"
