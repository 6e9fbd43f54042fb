"""Editions of users; built-in ones are files of the domain."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import orjson

from service.db.pool import Connection
from service.db.principals import LISTS_MATCH, Viewer

IS_OWN = "(owner_id = %(viewer)s OR (owner_id IS NULL AND (%(viewer)s::uuid IS NOT NULL OR %(sees_all)s)))"
"""Whether an edition is offered to a viewer for new matches: they made it, or it has no maker. So it is where
sign-in is switched off, and of editions from before their makers were noted."""

_READABLE = f"""(
    %(sees_all)s OR {IS_OWN} OR edition_id::text IN (
        SELECT m.edition FROM matches m WHERE length(m.edition) = 36{{}} AND NOT m.withdrawn AND {LISTS_MATCH}
    )
)"""
IS_READABLE = _READABLE.format("")
"""Whether a viewer may read an edition: it is their own, or they find a match in lists that is played with it."""
IS_ONE_READABLE = _READABLE.format(" AND m.edition = %(edition_id)s::uuid::text")
"""The same of one edition, whose matches alone are looked at."""


def insert(
    connection: Connection, edition_id: UUID, based_on: str, document: Mapping[str, Any], owner_id: UUID | None
) -> None:
    """Insert an edition, which never changes."""
    connection.execute(
        """
        INSERT INTO editions (edition_id, game, title, based_on, document, created_at, owner_id)
        VALUES (%s, %s, %s, %s, %s, now(), %s)
        """,
        (edition_id, document["game"], document["title"], based_on, orjson.dumps(document).decode(), owner_id),
    )


def find(connection: Connection, game: str, edition_id: UUID) -> dict[str, Any] | None:
    row = connection.execute(
        "SELECT document FROM editions WHERE game = %s AND edition_id = %s", (game, edition_id)
    ).fetchone()
    return None if row is None else orjson.loads(row["document"])


def is_readable(connection: Connection, game: str, edition_id: UUID, viewer: Viewer) -> bool:
    """Whether an edition exists and a viewer may read it."""
    query = f"SELECT FROM editions WHERE game = %(game)s AND edition_id = %(edition_id)s AND {IS_ONE_READABLE}"
    values = {**viewer.values, "game": game, "edition_id": edition_id}
    return connection.execute(query, values).fetchone() is not None


def count(connection: Connection, owner_id: UUID | None) -> int:
    """The number of editions of an account, or without a maker, with a lock against new ones."""
    connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 2))", (str(owner_id),))
    row = connection.execute(
        "SELECT count(*) AS number FROM editions WHERE owner_id IS NOT DISTINCT FROM %s", (owner_id,)
    ).fetchone()
    assert row is not None
    return int(row["number"])


def latest_own(connection: Connection, game: str, viewer: Viewer, limit: int) -> list[str]:
    """The ids of the latest editions that a viewer is offered, oldest first."""
    query = (
        f"SELECT edition_id FROM editions WHERE game = %(game)s AND {IS_OWN} ORDER BY edition_id DESC LIMIT %(limit)s"
    )
    rows = connection.execute(query, {**viewer.values, "game": game, "limit": limit}).fetchall()
    return [str(row["edition_id"]) for row in reversed(rows)]


def page(connection: Connection, game: str, viewer: Viewer, first: int, limit: int | None) -> list[Mapping[str, Any]]:
    """The editions that a viewer may read in the order of creation, from a position on."""
    query = f"""
    SELECT edition_id, title, based_on, {IS_OWN} AS own, created_at FROM editions
    WHERE game = %(game)s AND {IS_READABLE} ORDER BY edition_id OFFSET %(first)s LIMIT %(limit)s
    """
    values = {**viewer.values, "game": game, "first": first, "limit": limit}
    return list(connection.execute(query, values))
