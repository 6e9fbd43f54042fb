"""When moves were entered, and when their events were recorded."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

import orjson
from psycopg.rows import tuple_row

from service.db.pool import Connection

SLACK: Final = "1 day"
"""How long before its match a move may have been entered: devices that begin one offline send the match later."""


class Stamped(NamedTuple):
    """When an event was recorded, and when what it records was entered, if that is known to be earlier."""

    kind: str
    recorded_at: datetime
    entered_at: datetime | None


class Timed(NamedTuple):
    """When a move of a request was entered, if the client says so, with the pointer to that."""

    pointer: str
    at: datetime | None


def keep(connection: Connection, match_id: UUID, entered: Mapping[int, datetime]) -> None:
    """Keep when the moves of some events were entered."""
    rows = [{"seq": seq, "entered_at": at} for seq, at in entered.items()]
    connection.execute(
        """
        INSERT INTO entered_times (match_id, seq, entered_at)
        SELECT %s, seq, entered_at FROM json_to_recordset(%s) AS added (seq integer, entered_at timestamptz)
        """,
        (match_id, orjson.dumps(rows).decode()),
    )


def earliest(connection: Connection, match_id: UUID) -> datetime | None:
    """Before when no move of a match can have been entered."""
    row = connection.execute(
        f"SELECT least(created_at, played_at) - interval '{SLACK}' AS at FROM matches WHERE match_id = %s", (match_id,)
    ).fetchone()
    return None if row is None else row["at"]


def stamps(connection: Connection, match_id: UUID, until: int) -> Sequence[Stamped]:
    """When the events of a match up to a version were recorded and entered, in order."""
    cursor = connection.cursor(row_factory=tuple_row)
    cursor.execute(
        """
        SELECT kind, recorded_at::timestamptz, entered_at FROM events LEFT JOIN entered_times USING (match_id, seq)
        WHERE match_id = %s AND seq <= %s ORDER BY seq
        """,
        (match_id, until),
    )
    return [Stamped(*row) for row in cursor]
