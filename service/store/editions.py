"""Editions that users made; those that come along are files of the domain."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import orjson

from service.store.database import Connection


def insert(connection: Connection, edition_id: UUID, based_on: str, document: Mapping[str, Any]) -> None:
    """Add an edition; it is never changed."""
    connection.execute(
        """
        INSERT INTO editions (edition_id, game, title, based_on, document, created_at)
        VALUES (%s, %s, %s, %s, %s, now())
        """,
        (edition_id, document["game"], document["title"], based_on, orjson.dumps(document).decode()),
    )


def find(connection: Connection, game: str, edition_id: UUID) -> dict[str, Any] | None:
    """The document of an edition."""
    row = connection.execute(
        "SELECT document FROM editions WHERE game = %s AND edition_id = %s", (game, edition_id)
    ).fetchone()
    return None if row is None else orjson.loads(row["document"])


def of_game(connection: Connection, game: str) -> list[str]:
    """The ids of a game's editions, the first one first."""
    rows = connection.execute("SELECT edition_id FROM editions WHERE game = %s ORDER BY edition_id", (game,))
    return [str(row["edition_id"]) for row in rows]
