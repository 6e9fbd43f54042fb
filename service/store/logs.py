"""The event log of a match: reading it, and appending with the key as the concurrency check."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import orjson

from domain.history import Event, payload_text
from service.store.database import Connection


@dataclass(frozen=True, slots=True)
class Head:
    """The read model of a match after its last event."""

    version: int
    ply: int
    status: str
    to_move: str | None
    result: Mapping[str, Any] | None
    seats: Sequence[tuple[str, UUID]]
    places: Mapping[str, tuple[int, int]]
    """Place and points by seat, once there is a result."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a table ruling was recorded; its digest stands in the event."""

    seq: int
    salt: str
    text: str


_COLUMNS = "match_id, seq, kind, payload, actor, recorded_at, prev_hash, hash"

_APPEND = """
WITH head AS (
    UPDATE matches SET version = %(version)s, ply = %(ply)s, status = %(status)s, to_move = %(to_move)s,
        result = %(result)s, changed_at = now()
    WHERE match_id = %(match_id)s AND version = %(expected)s
    RETURNING match_id
), added AS (
    INSERT INTO events (match_id, seq, kind, payload, actor, recorded_at, prev_hash, hash)
    SELECT head.match_id, event.* FROM head, unnest(
        %(seqs)s::integer[], %(kinds)s::text[], %(payloads)s::text[], %(actors)s::text[], %(times)s::text[],
        %(prev_hashes)s::text[], %(hashes)s::text[]
    ) AS event
), reasons AS (
    INSERT INTO ruling_reasons (match_id, seq, salt, reason)
    SELECT head.match_id, reason.* FROM head, unnest(
        %(reason_seqs)s::integer[], %(salts)s::text[], %(reasons)s::text[]
    ) AS reason
), seated AS (
    UPDATE match_seats SET player_id = seat.player_id, place = seat.place, points = seat.points
    FROM head, unnest(
        %(seats)s::text[], %(players)s::uuid[], %(places)s::smallint[], %(points)s::integer[]
    ) AS seat (seat, player_id, place, points)
    WHERE match_seats.match_id = head.match_id AND match_seats.seat = seat.seat
        AND (match_seats.player_id, match_seats.place, match_seats.points)
            IS DISTINCT FROM (seat.player_id, seat.place, seat.points)
)
SELECT count(*) AS appended FROM head
"""


def append(
    connection: Connection, match_id: UUID, head: Head, events: Sequence[Event], reasons: Sequence[Reason] = ()
) -> bool:
    """Append events and move the head in one statement; False if the match is no longer where they follow on."""
    row = connection.execute(
        _APPEND,
        {
            "match_id": match_id,
            "expected": head.version - len(events),
            "version": head.version,
            "ply": head.ply,
            "status": head.status,
            "to_move": head.to_move,
            "result": None if head.result is None else orjson.dumps(head.result).decode(),
            "seqs": [event.seq for event in events],
            "kinds": [event.kind for event in events],
            "payloads": [payload_text(event) for event in events],
            "actors": [event.actor for event in events],
            "times": [event.recorded_at for event in events],
            "prev_hashes": [event.prev_hash for event in events],
            "hashes": [event.hash for event in events],
            "reason_seqs": [reason.seq for reason in reasons],
            "salts": [reason.salt for reason in reasons],
            "reasons": [reason.text for reason in reasons],
            "seats": [seat for seat, _ in head.seats],
            "players": [player for _, player in head.seats],
            "places": [head.places[seat][0] if head.places else None for seat, _ in head.seats],
            "points": [head.places[seat][1] if head.places else None for seat, _ in head.seats],
        },
    ).fetchone()
    return bool(row and row["appended"])


def read(connection: Connection, match_id: UUID, after: int, until: int) -> list[Event]:
    """The events of a match from behind one version up to another, in order."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM events WHERE match_id = %s AND seq > %s AND seq <= %s ORDER BY seq",
        (match_id, after, until),
    )
    return [_event(row) for row in rows]


def stream(connection: Connection, match_id: UUID) -> Iterator[Event]:
    """The events of a match one by one, without holding them all."""
    with connection.cursor(name="events") as cursor:
        cursor.itersize = 500
        cursor.execute(f"SELECT {_COLUMNS} FROM events WHERE match_id = %s ORDER BY seq", (match_id,))
        for row in cursor:
            yield _event(row)


def reasons(connection: Connection, match_id: UUID) -> dict[int, str]:
    """The reasons of the table rulings of a match by event."""
    rows = connection.execute("SELECT seq, reason FROM ruling_reasons WHERE match_id = %s", (match_id,))
    return {row["seq"]: row["reason"] for row in rows}


def _event(row: Mapping[str, Any]) -> Event:
    return Event(
        match_id=str(row["match_id"]),
        seq=row["seq"],
        kind=row["kind"],
        payload=orjson.loads(row["payload"]),
        actor=row["actor"],
        recorded_at=row["recorded_at"],
        prev_hash=row["prev_hash"],
        hash=row["hash"],
    )
