"""The event log of a match: reading, and appending with the primary key as the concurrency check."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from uuid import UUID

import orjson
from psycopg.rows import args_row, tuple_row

from domain.match import Event, Written
from service.db.fast import Prepared
from service.db.pool import Connection, Database
from service.identity import now


@dataclass(frozen=True, slots=True)
class Seated:
    """The player of a seat, with place and points once there is a result."""

    seat: str
    player_id: str
    place: int | None = None
    points: int | None = None


class Recorded(NamedTuple):
    """What a frame shows of its event besides the move: when it was recorded, and the reason of a table ruling."""

    recorded_at: str
    reason: str | None


UNREAD: Final = Recorded("", None)
"""In the place of what is not shown."""


class Head(NamedTuple):
    """The read model of a match after its last event."""

    version: int
    rules_version: int
    edition: str
    ply: int
    status: str
    to_move: str | None
    result: Mapping[str, Any] | None
    seats: Sequence[Seated] = ()
    """The seats that have changed."""


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason of a table ruling, whose digest is in the event."""

    seq: int
    salt: str
    reason: str


PAGE: Final = 500
"""Events in memory at once while a log is streamed."""
_COLUMNS = "seq, kind, payload, actor, recorded_at, prev_hash, hash"
_OF_MATCH = f"SELECT {_COLUMNS} FROM events WHERE match_id = %s"

# The version alone does not tell whether the new events follow those that are stored: a replica may have shown one that
# no server has any more after a failover.
_UPDATE_HEAD = """
WITH head AS (
    UPDATE matches SET version = %(version)s, edition = %(edition)s, ply = %(ply)s, status = %(status)s,
        to_move = %(to_move)s, result = %(result)s, changed_at = %(moment)s, rules_version = %(rules_version)s,
        rules_conflict = NULL,
        over_since = CASE WHEN %(status)s <> 'in_progress' OR withdrawn THEN coalesce(over_since, %(moment)s)
            WHEN status = 'in_progress' OR %(keeps_end)s THEN over_since END
    WHERE match_id = %(match_id)s AND version = %(expected)s{condition} AND (
        %(prev_hash)s::text IS NULL OR EXISTS (
            SELECT FROM events WHERE match_id = %(match_id)s AND seq = %(expected)s AND hash = %(prev_hash)s
        )
    )
    RETURNING match_id
)"""
_MOVE_HEAD = _UPDATE_HEAD.format(condition=" AND rules_version = %(rules_version)s AND rules_conflict IS NULL")
_MOVE_LOCKED_HEAD = _UPDATE_HEAD.format(condition="")
_CHANGE_SEATS = """, seats AS (
    UPDATE match_seats SET player_id = changed.player_id, place = changed.place, points = changed.points
    FROM head, json_to_recordset(%(seats)s) AS changed (seat text, player_id uuid, place smallint, points integer)
    WHERE match_seats.match_id = %(match_id)s AND match_seats.seat = changed.seat
)"""
_ADD_EVENTS = f"""
INSERT INTO events (match_id, {_COLUMNS})
SELECT head.match_id, added.* FROM head, json_to_recordset(%(events)s) AS added (
    seq integer, kind text, payload text, actor text, recorded_at text, prev_hash text, hash text
)
"""
_APPEND_ONE = Prepared(
    "append_one",
    f"""{_MOVE_HEAD}
INSERT INTO events (match_id, {_COLUMNS})
SELECT head.match_id, %(seq)s, %(kind)s, %(payload)s, %(actor)s, %(recorded_at)s, %(prev_hash)s, %(hash)s FROM head
""",
)
"""The usual append: a move that changes nothing else."""


def append(
    connection: Connection,
    match_id: UUID,
    head: Head,
    events: Sequence[Event],
    reasons: Sequence[Reason] = (),
    *,
    keeps_end: bool = False,
) -> bool:
    """Append events and update the head, in one statement if no ruling is among them.

    Returns False if the match is at another version, has another last event than the new ones follow, or is not known
    to fit the current rules. One that goes on after its end is over no longer, unless it keeps its end; by that the
    time is counted for which links may record it.
    """
    values = _head_values(match_id, head, events, keeps_end=keeps_end)
    if len(events) == 1 and not reasons and not head.seats:
        return _APPEND_ONE.run(connection, values | _row(events[0])) == 1
    return _append(connection, _MOVE_HEAD, values, head, events, reasons) == len(events)


def append_locked(
    connection: Connection,
    match_id: UUID,
    head: Head,
    events: Sequence[Event],
    reasons: Sequence[Reason] = (),
    *,
    keeps_end: bool = False,
) -> None:
    """Like `append`, to a match whose row is locked; it fits the current rules from now on."""
    values = _head_values(match_id, head, events, keeps_end=keeps_end)
    if _append(connection, _MOVE_LOCKED_HEAD, values, head, events, reasons) != len(events):
        raise AssertionError("a locked match stays at its version")


def _append(
    connection: Connection,
    move_head: str,
    values: Mapping[str, object],
    head: Head,
    events: Sequence[Event],
    reasons: Sequence[Reason],
) -> int:
    added = {"events": _json([_row(event) for event in events]), "seats": _json(head.seats)}
    statement = "".join((move_head, _CHANGE_SEATS if head.seats else "", _ADD_EVENTS))
    with connection.transaction() if reasons else nullcontext():
        appended = connection.execute(statement, {**values, **added}).rowcount
        # In a statement of its own: reasons refer to their events, which another server need not see before.
        if appended and reasons:
            with connection.cursor() as cursor:
                cursor.executemany(
                    "INSERT INTO ruling_reasons (match_id, seq, salt, reason) VALUES (%s, %s, %s, %s)",
                    [(values["match_id"], reason.seq, reason.salt, reason.reason) for reason in reasons],
                )
    return appended


def _head_values(match_id: UUID, head: Head, events: Sequence[Event], *, keeps_end: bool) -> dict[str, object]:
    return {
        "match_id": match_id,
        "expected": head.version - len(events),
        "prev_hash": events[0].prev_hash if events else None,
        "version": head.version,
        "rules_version": head.rules_version,
        "edition": head.edition,
        "keeps_end": keeps_end,
        "ply": head.ply,
        "status": head.status,
        "to_move": head.to_move,
        "result": None if head.result is None else _json(head.result),
        "moment": now(),
    }


def read(connection: Connection, match_id: UUID, after: int, until: int) -> list[Event]:
    """The events of a match after one version up to another, in order."""
    cursor = connection.cursor(row_factory=tuple_row)
    cursor.execute(f"{_OF_MATCH} AND seq > %s AND seq <= %s ORDER BY seq", (match_id, after, until))
    named = str(match_id)
    return [Event(named, *row) for row in cursor.fetchall()]


def written(connection: Connection, match_id: UUID, after: int, until: int) -> list[Written]:
    """Like `read`, with only what the fold needs of each event."""
    cursor = connection.cursor(row_factory=args_row(Written))
    cursor.execute(
        "SELECT kind, payload, hash FROM events WHERE match_id = %s AND seq > %s AND seq <= %s ORDER BY seq",
        (match_id, after, until),
    )
    return cursor.fetchall()


def pages(database: Database, match_id: UUID, after: int, until: int) -> Iterator[list[Event]]:
    """Like `read`, page by page, without holding a snapshot or locks between pages."""
    for first in range(after, until, PAGE):
        with database.reading() as connection:
            events = read(connection, match_id, first, min(first + PAGE, until))
        yield events


def reasons(connection: Connection, match_id: UUID, seqs: Sequence[int]) -> dict[int, str]:
    """The reasons of table rulings of a match by the events that recorded them."""
    if not seqs:
        return {}
    rows = connection.execute(
        "SELECT seq, reason FROM ruling_reasons WHERE match_id = %s AND seq = ANY(%s)", (match_id, list(seqs))
    )
    return {row["seq"]: row["reason"] for row in rows}


def recorded(connection: Connection, match_id: UUID, seqs: Sequence[int]) -> dict[int, Recorded]:
    """What frames show of some events, by event."""
    if not seqs:
        return {}
    cursor = connection.cursor(row_factory=tuple_row)
    cursor.execute(
        "SELECT seq, recorded_at, reason FROM events LEFT JOIN ruling_reasons USING (match_id, seq)"
        " WHERE match_id = %s AND seq = ANY(%s)",
        (match_id, list(seqs)),
    )
    return {seq: Recorded(recorded_at, reason) for seq, recorded_at, reason in cursor}


def _json(value: object) -> str:
    return orjson.dumps(value).decode()


def _row(event: Event) -> dict[str, object]:
    """An event from its row, without the match."""
    return {
        "seq": event.seq,
        "kind": event.kind,
        "payload": event.text,
        "actor": event.actor,
        "recorded_at": event.recorded_at,
        "prev_hash": event.prev_hash,
        "hash": event.hash,
    }
