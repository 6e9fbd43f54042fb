"""All that leaves with matches or is verified, for some of them at a time."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import repeat
from typing import Any, Final, NamedTuple
from uuid import UUID

from psycopg.rows import tuple_row

from domain.match import Event
from service.db.lists import Listing
from service.db.matches import ListFilters, filter_conditions
from service.db.pool import Connection
from service.db.principals import IS_THEIRS, LISTS_MATCH, Viewer

SLACK: Final = "2 minutes"
"""Longer than a transaction of the service takes: whatever was changed by one that was under way comes next time."""
_CHANGED: Final = """(
    (m.changed_hour >= date_bin('1 hour', %(changed_since)s::timestamptz, '2000-01-01Z')
        AND m.changed_at >= %(changed_since)s)
    OR m.match_id IN (SELECT match_id FROM match_touches WHERE touched_at >= %(changed_since)s)
)"""
_ROW: Final = """
SELECT m.*, %(sees_all)s OR %(is_owner)s OR coalesce(m.owner_id = %(viewer)s, false) AS is_whole FROM matches m
"""
"""Rows of matches, with whether the reader manages them, so that all of their history leaves with them."""


def rows(connection: Connection, match_ids: Sequence[UUID], viewer: Viewer, *, is_owner: bool) -> list[dict[str, Any]]:
    """The rows of matches that the reader may read."""
    found = connection.execute(
        f"{_ROW} WHERE m.match_id = ANY(%(ids)s)", {**viewer.values, "is_owner": is_owner, "ids": list(match_ids)}
    )
    return [dict(row) for row in found]


def listing(filters: ListFilters, viewer: Viewer, since: datetime | None, *, is_owner: bool) -> Listing:
    """The rows of all matches that a viewer finds in lists, or those changed since a moment, the oldest id first."""
    conditions, values = filter_conditions(filters)
    conditions = ["NOT m.withdrawn", *([] if viewer.sees_all else [LISTS_MATCH]), *conditions]
    if since is not None:
        conditions.append(_CHANGED)
    values |= {**viewer.values, "is_owner": is_owner, "changed_since": since}
    return Listing(
        f"{_ROW} WHERE {' AND '.join(conditions)}", ["m.match_id"], "m.match_id > %(after_id)s", values, is_fixed=True
    )


def gone(viewer: Viewer, since: datetime) -> Listing:
    """Matches that a viewer may have found in lists before a moment and finds there no longer."""
    query = f"""
    SELECT m.match_id, m.changed_at FROM matches m WHERE {_CHANGED} AND NOT (NOT m.withdrawn AND {LISTS_MATCH})
        AND EXISTS (
            SELECT FROM match_details d WHERE d.match_id = m.match_id AND NOT d.withdrawn AND (
                %(sees_all)s OR d.visibility = 'public'
                OR (%(viewer)s::uuid IS NOT NULL AND (d.visibility = 'club' OR {IS_THEIRS}))
            )
        )
    """
    values = {**viewer.values, "changed_since": since}
    return Listing(query, ["m.match_id"], "m.match_id > %(after_id)s", values, is_fixed=True)


def moment(connection: Connection) -> datetime:
    """The moment from which on changes come with the next export."""
    row = connection.execute(f"SELECT now() - interval '{SLACK}' AS at").fetchone()
    assert row is not None
    at: datetime = row["at"]
    return at


def _by_match(connection: Connection, query: str, *ids: Sequence[UUID]) -> dict[UUID, list[tuple[Any, ...]]]:
    cursor = connection.cursor(row_factory=tuple_row)
    cursor.execute(query.encode(), [list(some) for some in ids])
    found: dict[UUID, list[tuple[Any, ...]]] = {}
    for row in cursor.fetchall():
        found.setdefault(row[0], []).append(row[1:])
    return found


class Log(NamedTuple):
    """A log by its columns: of 20,000 events there are few objects until they are made of them, match by match."""

    seqs: list[int]
    kinds: list[str]
    payloads: list[str]
    actors: list[str | None]
    recorded_at: list[str]
    prev_hashes: list[str | None]
    hashes: list[str]

    def events(self, match_id: UUID) -> list[Event]:
        return list(map(Event, repeat(str(match_id)), *self))


def logs(connection: Connection, ids: Sequence[UUID]) -> dict[UUID, Log]:
    """The logs of matches."""
    columns = ("seq", "kind", "payload", "actor", "recorded_at", "prev_hash", "hash")
    return {match_id: Log(*values) for match_id, *values in _logs(connection, columns, ids)}


def written(connection: Connection, ids: Sequence[UUID]) -> dict[UUID, tuple[list[str], list[str]]]:
    """The kinds of the events of matches, and their payloads: what reading a log without playing it needs."""
    rows = _logs(connection, ("kind", "payload"), ids)
    return {match_id: (kinds, payloads) for match_id, kinds, payloads in rows}


def _logs(connection: Connection, columns: Sequence[str], ids: Sequence[UUID]) -> Iterator[tuple[Any, ...]]:
    """Matches, each with columns of its log as lists: of 1.29 µs per event in rows of their own these take 0.82."""
    cursor = connection.cursor(row_factory=tuple_row, binary=True)
    lists = ", ".join(f"array_agg({column} ORDER BY seq)" for column in columns)
    cursor.execute(f"SELECT match_id, {lists} FROM events WHERE match_id = ANY(%s) GROUP BY match_id", (list(ids),))
    yield from cursor


def recorded_at(connection: Connection, ids: Sequence[UUID]) -> dict[UUID, list[tuple[Any, ...]]]:
    """When events were recorded."""
    return _by_match(connection, "SELECT match_id, seq, recorded_at FROM events WHERE match_id = ANY(%s)", ids)


def heads(connection: Connection, ids: Sequence[UUID]) -> dict[UUID, list[tuple[Any, ...]]]:
    """The anchored heads of matches, as parts of `Head` behind the match."""
    return _by_match(
        connection,
        """
        SELECT DISTINCT match_id, version, hash FROM anchor_heads WHERE match_id = ANY(%s) ORDER BY match_id, version
        """,
        ids,
    )


def seats(connection: Connection, ids: Sequence[UUID]) -> dict[UUID, list[tuple[Any, ...]]]:
    """The seats of matches: seat, player, place and points."""
    query = "SELECT match_id, seat, player_id::text, place, points FROM match_seats WHERE match_id = ANY(%s)"
    return _by_match(connection, query, ids)


def details(
    connection: Connection, ids: Sequence[UUID], whole: Sequence[UUID] | None = None
) -> dict[UUID, list[tuple[Any, ...]]]:
    """The details of matches: all of those that leave as a whole, by default of all, and the present ones of others."""
    return _by_match(
        connection,
        """
        SELECT d.match_id, d.revision, d.played_at, d.venue, d.tags, d.withdrawn, d.visibility,
            d.rulings_in_statistics, d.actor, d.changed_at
        FROM match_details d JOIN (
            SELECT match_id, max(revision) AS latest FROM match_details WHERE match_id = ANY(%s) GROUP BY match_id
        ) AS present USING (match_id)
        WHERE d.match_id = ANY(%s) AND (d.revision = present.latest OR d.match_id = ANY(%s))
        ORDER BY d.match_id, d.revision
        """,
        ids,
        ids,
        ids if whole is None else whole,
    )


def reasons(connection: Connection, ids: Sequence[UUID]) -> dict[UUID, list[tuple[Any, ...]]]:
    """The reasons of rulings with their salts."""
    query = "SELECT match_id, seq, salt, reason FROM ruling_reasons WHERE match_id = ANY(%s) ORDER BY match_id, seq"
    return _by_match(connection, query, ids)


def entered(connection: Connection, ids: Sequence[UUID]) -> dict[UUID, list[tuple[Any, ...]]]:
    """When moves were entered that were recorded later."""
    query = "SELECT match_id, seq, entered_at FROM entered_times WHERE match_id = ANY(%s) ORDER BY match_id, seq"
    return _by_match(connection, query, ids)


def annotations(connection: Connection, ids: Sequence[UUID]) -> dict[UUID, list[tuple[Any, ...]]]:
    """Annotations, without their wordings."""
    return _by_match(
        connection,
        """
        SELECT match_id, annotation_id, seq, author, created_at, deleted, hidden, content, author_name FROM (
            SELECT a.*, coalesce(accounts.name, secrets.label) AS author_name FROM annotations a
            LEFT JOIN accounts ON account_id = author::uuid LEFT JOIN secrets ON secret_id = author::uuid
        ) AS a WHERE match_id = ANY(%s) ORDER BY match_id, annotation_id
        """,
        ids,
    )


def wordings(
    connection: Connection, ids: Sequence[UUID], whole: Sequence[UUID] | None = None
) -> dict[UUID, list[tuple[Any, ...]]]:
    """The wordings of annotations in order: of matches that leave as a whole all, of others the present ones."""
    return _by_match(
        connection,
        """
        SELECT c.match_id, c.annotation_id, c.revision, c.content, c.deleted, c.hidden, c.actor, c.changed_at
        FROM annotation_changes c JOIN annotations a USING (match_id, annotation_id)
        WHERE c.match_id = ANY(%s) AND (c.revision = a.revision OR c.match_id = ANY(%s))
        ORDER BY c.match_id, c.annotation_id, c.revision
        """,
        ids,
        ids if whole is None else whole,
    )


def actors(connection: Connection, ids: Sequence[str]) -> Mapping[str, str]:
    """The names of accounts, and the labels of links."""
    found = connection.execute(
        """
        SELECT account_id::text AS id, name FROM accounts WHERE account_id = ANY(%(ids)s::uuid[])
        UNION ALL SELECT secret_id::text, label FROM secrets
            WHERE secret_id = ANY(%(ids)s::uuid[]) AND label IS NOT NULL
        """,
        {"ids": list(ids)},
    )
    return {row["id"]: row["name"] for row in found}


def people(connection: Connection, ids: Sequence[str]) -> Mapping[str, str | None]:
    """The names of players now; None for those who are anonymous."""
    found = connection.execute(
        """
        SELECT p.player_id::text AS id, CASE WHEN survivor.anonymous IS NULL THEN survivor.name END AS name
        FROM players p JOIN players survivor ON survivor.player_id = p.survivor_id
        WHERE p.player_id = ANY(%s::uuid[])
        """,
        (list(ids),),
    )
    return {row["id"]: row["name"] for row in found}
