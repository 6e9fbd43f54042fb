"""The rows of matches: position, players, and details with their history."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Self
from uuid import UUID

import orjson

from service.db.categories import RULINGS_SETTINGS
from service.db.lists import Listing
from service.db.pool import Connection
from service.db.principals import IS_MANAGED, IS_MINE, IS_ONE_OF_THEIRS, LISTS_MATCH, NOT_LISTED, Viewer
from service.db.touches import touch
from service.identity import now


@dataclass(frozen=True, slots=True)
class MatchDetails:
    """The details of a match, which are not in its log."""

    played_at: datetime
    venue: str | None
    tags: Sequence[str]
    withdrawn: bool
    visibility: str
    rulings_in_statistics: str = RULINGS_SETTINGS[0]

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Self:
        """The details in the row of a match, or in one of their history."""
        return cls(
            *(row["played_at"], row["venue"], tuple(row["tags"]), row["withdrawn"], row["visibility"]),
            rulings_in_statistics=row["rulings_in_statistics"],
        )


@dataclass(frozen=True, slots=True)
class ListFilters:
    """ListFilters of the list of matches; `tags` and `players` must all match."""

    game: str | None = None
    edition: str | None = None
    status: str | None = None
    venue: str | None = None
    tags: Sequence[str] = ()
    players: Sequence[UUID] = ()
    since: datetime | None = None
    until: datetime | None = None
    visibility: str | None = None


_MATCH = """
SELECT m.*, (
    SELECT jsonb_agg(
        jsonb_build_object('seat', s.seat, 'player_id', survivor.player_id, 'name', survivor.name) ORDER BY s.position
    )
    FROM match_seats s JOIN players p USING (player_id) JOIN players survivor ON survivor.player_id = p.survivor_id
    WHERE s.match_id = m.match_id
) AS players
FROM matches m
"""


def insert(
    connection: Connection,
    match_id: UUID,
    game: str,
    edition: str,
    rules_version: int,
    seats: Sequence[tuple[str, UUID]],
    details: MatchDetails,
    owner_id: UUID | None,
) -> None:
    """Insert the row of a match without events, with its seats and first details."""
    connection.execute(
        """
        INSERT INTO matches (match_id, game, edition, created_at, changed_at, rules_version, version, ply, status,
            revision, played_at, venue, tags, withdrawn, visibility, owner_id)
        VALUES (%s, %s, %s, now(), now(), %s, 0, 0, 'in_progress', 0, %s, %s, %s, %s, %s, %s)
        """,
        (
            match_id,
            game,
            edition,
            rules_version,
            details.played_at,
            details.venue,
            list(details.tags),
            details.withdrawn,
            details.visibility,
            owner_id,
        ),
    )
    for position, (seat, player_id) in enumerate(seats):
        connection.execute(
            "INSERT INTO match_seats (match_id, position, seat, player_id, owner_id) VALUES (%s, %s, %s, %s, %s)",
            (match_id, position, seat, player_id, owner_id),
        )
    _keep_details(connection, match_id, 0, details, None if owner_id is None else str(owner_id))


def find(connection: Connection, match_id: UUID) -> Mapping[str, Any] | None:
    """The row of a match with its players."""
    return connection.execute(f"{_MATCH} WHERE m.match_id = %s", (match_id,)).fetchone()


def lock(connection: Connection, match_id: UUID) -> Mapping[str, Any] | None:
    """Lock the bare row of a match until the end of the transaction."""
    return connection.execute("SELECT * FROM matches WHERE match_id = %s FOR UPDATE", (match_id,)).fetchone()


def standing(connection: Connection, match_id: UUID) -> Mapping[str, Any] | None:
    """The versions of a match, its details and its annotations, and what is needed to fold it."""
    return connection.execute(
        """
        SELECT match_id, game, edition, rules_version, rules_conflict, version, ply, status, revision, (
            SELECT kind FROM events WHERE events.match_id = m.match_id AND seq = m.version
        ) AS kind, (
            SELECT coalesce(sum(a.revision + 1), 0) FROM annotations a WHERE a.match_id = m.match_id
        ) AS wordings
        FROM matches m WHERE match_id = %s
        """,
        (match_id,),
    ).fetchone()


def seats(connection: Connection, match_id: UUID) -> dict[str, UUID]:
    """The player entry of each seat of a match."""
    rows = connection.execute("SELECT seat, player_id FROM match_seats WHERE match_id = %s", (match_id,))
    return {row["seat"]: row["player_id"] for row in rows}


def count(connection: Connection) -> int:
    """The number of matches."""
    row = connection.execute("SELECT count(*) AS number FROM matches").fetchone()
    return int(row["number"]) if row else 0


def all_rows() -> Listing:
    """The bare rows of all matches, oldest first."""
    return Listing("SELECT * FROM matches WHERE true", ["match_id"], "match_id > %(after_id)s", is_fixed=True)


def all_ids() -> Listing:
    """The ids of all matches, oldest first."""
    return Listing("SELECT match_id FROM matches WHERE true", ["match_id"], "match_id > %(after_id)s", is_fixed=True)


def bare_rows(connection: Connection, match_ids: Sequence[UUID]) -> list[Mapping[str, Any]]:
    """The bare rows of some matches, oldest first."""
    query = "SELECT * FROM matches WHERE match_id = ANY(%s) ORDER BY match_id"
    return list(connection.execute(query, (list(match_ids),)))


def advance_rules(connection: Connection, match_id: UUID, rules_version: int, to_move: str | None) -> None:
    """Record that a locked match is the same by other rules."""
    connection.execute(
        """
        UPDATE matches SET rules_version = %s, to_move = %s, rules_conflict = NULL, revision = revision + 1
        WHERE match_id = %s
        """,
        (rules_version, to_move, match_id),
    )


def mark_conflict(connection: Connection, match_id: UUID, conflict: Mapping[str, Any]) -> None:
    """Record that a locked match differs by other rules, and leave it out of statistics."""
    stored = orjson.dumps(conflict).decode()
    connection.execute(
        """
        UPDATE matches SET rules_conflict = %(said)s::jsonb, revision = revision + 1
        WHERE match_id = %(match_id)s AND rules_conflict IS DISTINCT FROM %(said)s::jsonb
        """,
        {"said": stored, "match_id": match_id},
    )


def renew(connection: Connection, match_id: UUID) -> None:
    """Record that a locked match has changed outside its log and details."""
    connection.execute("UPDATE matches SET revision = revision + 1 WHERE match_id = %s", (match_id,))
    touch(connection, [match_id])


def renew_seated(connection: Connection, player_id: UUID) -> list[UUID]:
    """Record that matches show another name or id of a player and of those merged into them.

    Call it under `lock_merges`, so that nobody sits down meanwhile. Returns those of the matches that go on, which
    somebody may be following.
    """
    family = connection.execute(
        """
        WITH RECURSIVE family AS (
            SELECT %s::uuid AS player_id
            UNION SELECT p.player_id FROM players p JOIN family f ON p.merged_into = f.player_id
        )
        SELECT player_id FROM family
        """,
        (player_id,),
    ).fetchall()
    renewed = connection.execute(
        """
        UPDATE matches SET revision = revision + 1
        WHERE match_id IN (SELECT match_id FROM match_seats WHERE player_id = ANY(%s)) RETURNING match_id, status
        """,
        ([member["player_id"] for member in family],),
    )
    rows = renewed.fetchall()
    touch(connection, [row["match_id"] for row in rows])
    return [row["match_id"] for row in rows if row["status"] == "in_progress"]


def count_outdated(connection: Connection, rules_versions: Mapping[str, int]) -> int:
    """The number of matches that are marked with other rules than these, by game; an index has them."""
    number = 0
    for game, version in rules_versions.items():
        row = connection.execute(
            """
            SELECT count(*) AS number FROM matches
            WHERE game = %(game)s AND (rules_version < %(version)s OR rules_version > %(version)s)
            """,
            {"game": game, "version": version},
        ).fetchone()
        number += int(row["number"]) if row else 0
    return number


def change_details(
    connection: Connection, match_id: UUID, revision: int, details: MatchDetails, actor: str | None
) -> None:
    """Change the details of a locked match and add them to their history."""
    set_details(connection, match_id, revision, details)
    _keep_details(connection, match_id, revision, details, actor)


def set_details(connection: Connection, match_id: UUID, revision: int, details: MatchDetails) -> None:
    """Change the details of a locked match, whose history is added besides."""
    connection.execute(
        """
        UPDATE matches SET revision = %(revision)s, played_at = %(played_at)s, venue = %(venue)s, tags = %(tags)s,
            withdrawn = %(withdrawn)s, visibility = %(visibility)s, rulings_in_statistics = %(rulings_in_statistics)s,
            changed_at = %(moment)s,
            over_since = CASE WHEN status <> 'in_progress' OR %(withdrawn)s THEN coalesce(over_since, %(moment)s)
                WHEN NOT withdrawn THEN over_since END
        WHERE match_id = %(match_id)s
        """,
        {**_values(details), "revision": revision, "match_id": match_id, "moment": now()},
    )


def _keep_details(
    connection: Connection, match_id: UUID, revision: int, details: MatchDetails, actor: str | None
) -> None:
    connection.execute(
        """
        INSERT INTO match_details (match_id, revision, played_at, venue, tags, withdrawn, visibility,
            rulings_in_statistics, actor, changed_at)
        VALUES (%(match_id)s, %(revision)s, %(played_at)s, %(venue)s, %(tags)s, %(withdrawn)s, %(visibility)s,
            %(rulings_in_statistics)s, %(actor)s, now())
        """,
        {**_values(details), "match_id": match_id, "revision": revision, "actor": actor},
    )


def _values(details: MatchDetails) -> dict[str, Any]:
    return {**asdict(details), "tags": list(details.tags)}


def details_history(
    connection: Connection, match_id: UUID, first: int = 0, limit: int | None = None
) -> list[Mapping[str, Any]]:
    """The versions of the details of a match, oldest first, from a position on."""
    return list(
        connection.execute(
            """
            SELECT revision, played_at, venue, tags, withdrawn, visibility, rulings_in_statistics, actor, changed_at
            FROM match_details WHERE match_id = %s ORDER BY revision OFFSET %s LIMIT %s
            """,
            (match_id, first, limit),
        )
    )


def details_at(connection: Connection, match_id: UUID, revision: int) -> Mapping[str, Any]:
    """The details of a match as one revision left them, which may have changed something else of it."""
    row = connection.execute(
        """
        SELECT revision, played_at, venue, tags, withdrawn, visibility, rulings_in_statistics, actor, changed_at
        FROM match_details WHERE match_id = %s AND revision <= %s ORDER BY revision DESC LIMIT 1
        """,
        (match_id, revision),
    ).fetchone()
    assert row is not None
    return row


def listing(
    filters: ListFilters, order: str, after: tuple[datetime, UUID] | None, viewer: Viewer, *, only_mine: bool = False
) -> Listing:
    """The list of matches for a viewer: newest first by `played_at` or `changed_at`, after a position."""
    column, hour = _ORDERS[order]
    conditions = ["NOT m.withdrawn"]
    values: dict[str, Any] = {}
    if not viewer.sees_all:
        conditions.append(LISTS_MATCH)
        values |= viewer.values
        if filters.visibility in NOT_LISTED:
            conditions.append(IS_ONE_OF_THEIRS)
        if only_mine:
            conditions.append(IS_MINE)
    _add_filters(filters, conditions, values)
    behind = [f"{first} <= %(after_key)s" for first in hour]
    return Listing(
        f"{_MATCH} WHERE {' AND '.join(conditions)}",
        [f"{part} DESC" for part in (*hour, column, "m.match_id")],
        " AND ".join([*behind, f"({column}, m.match_id) < (%(after_key)s, %(after_id)s)"]),
        values,
        after,
    )


def managed(
    connection: Connection, filters: ListFilters, visibility: str, viewer: Viewer, limit: int
) -> tuple[list[UUID], int]:
    """The first matches of another visibility that a viewer manages, withdrawn ones too, and their total number."""
    conditions = ["m.visibility <> %(wanted)s", f"(%(sees_all)s OR {IS_MANAGED})"]
    values: dict[str, Any] = {"wanted": visibility, "limit": limit, **viewer.values}
    _add_filters(filters, conditions, values)
    rows = connection.execute(
        f"""
        SELECT m.match_id, count(*) OVER () AS number FROM matches m
        WHERE {" AND ".join(conditions)} ORDER BY m.match_id LIMIT %(limit)s
        """.encode(),
        values,
    ).fetchall()
    return [row["match_id"] for row in rows], rows[0]["number"] if rows else 0


def count_unowned(connection: Connection, visibility: str) -> int:
    """The number of matches of a visibility that were recorded without sign-in and belong to nobody yet."""
    row = connection.execute(
        "SELECT count(*) AS number FROM matches WHERE owner_id IS NULL AND visibility = %s AND NOT withdrawn",
        (visibility,),
    ).fetchone()
    return int(row["number"]) if row else 0


def filter_conditions(filters: ListFilters) -> tuple[list[str], dict[str, Any]]:
    """The conditions of filters on matches `m`, with their values."""
    conditions: list[str] = []
    values: dict[str, Any] = {}
    _add_filters(filters, conditions, values)
    return conditions, values


def _add_filters(filters: ListFilters, conditions: list[str], values: dict[str, Any]) -> None:
    for name, condition in _CONDITIONS.items():
        value = getattr(filters, name)
        if value is not None and value != ():
            conditions.append(condition)
            values[name] = list(value) if isinstance(value, tuple | list) else value
    for number, player_id in enumerate(filters.players):
        conditions.append(_PLAYED.format(number))
        values[f"player_{number}"] = player_id


_ORDERS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "played_at": ("m.played_at", ()),
    "activity": ("m.changed_at", ("m.changed_hour",)),
}
"""The orders of lists, each with the coarser column that has the index, if that is another one."""

_CONDITIONS = {
    "game": "m.game = %(game)s",
    # The index of editions of users has those of this length alone.
    "edition": "m.edition = %(edition)s AND length(m.edition) = length(%(edition)s)",
    "status": "m.status = %(status)s",
    "venue": "m.venue = %(venue)s",
    "visibility": "m.visibility = %(visibility)s",
    "tags": "m.tags @> %(tags)s::text[]",
    "since": "m.played_at >= %(since)s",
    "until": "m.played_at < %(until)s",
}

_PLAYED = """m.match_id IN (
    SELECT s.match_id FROM match_seats s JOIN players p USING (player_id)
    WHERE p.survivor_id = (SELECT survivor_id FROM players WHERE player_id = %(player_{})s)
)"""
