"""Annotations of recorded moves, every earlier wording kept."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import orjson

from service.store.database import Connection


def insert(
    connection: Connection, match_id: UUID, annotation_id: UUID, seq: int, content: Mapping[str, Any], actor: str | None
) -> None:
    """Add an annotation to the move that an event recorded."""
    connection.execute(
        """
        INSERT INTO annotations (match_id, annotation_id, revision, seq, content, author, created_at, changed_at,
            deleted, hidden)
        VALUES (%s, %s, 0, %s, %s, %s, now(), now(), false, false)
        """,
        (match_id, annotation_id, seq, orjson.dumps(content).decode(), actor),
    )
    _keep(connection, annotation_id, actor)


def change(
    connection: Connection, annotation_id: UUID, content: Mapping[str, Any], deleted: bool, actor: str | None
) -> None:
    """Give a locked annotation another wording, or delete it."""
    connection.execute(
        """
        UPDATE annotations SET revision = revision + 1, content = %s, deleted = %s, changed_at = now()
        WHERE annotation_id = %s
        """,
        (orjson.dumps(content).decode(), deleted, annotation_id),
    )
    _keep(connection, annotation_id, actor)


def hide(connection: Connection, annotation_id: UUID, hidden: bool, actor: str | None) -> None:
    """Keep a locked annotation from those who neither wrote it nor manage its match, or show it to them again."""
    connection.execute(
        """
        UPDATE annotations SET revision = revision + 1, hidden = %s, changed_at = now() WHERE annotation_id = %s
        """,
        (hidden, annotation_id),
    )
    _keep(connection, annotation_id, actor)


_ANNOTATION = """
SELECT a.*, coalesce(accounts.name, secrets.label) AS author_name FROM annotations a
LEFT JOIN accounts ON account_id = author::uuid LEFT JOIN secrets ON secret_id = author::uuid
"""


def find(connection: Connection, annotation_id: UUID, *, locked: bool = False) -> Mapping[str, Any] | None:
    """An annotation, deleted or not."""
    query = f"{_ANNOTATION} WHERE annotation_id = %s{' FOR UPDATE OF a' if locked else ''}"
    row = connection.execute(query, (annotation_id,)).fetchone()
    return row and _read(row)


def of_match(connection: Connection, match_id: UUID) -> list[Mapping[str, Any]]:
    """The annotations of a match that were not deleted, in the order of their making."""
    query = f"{_ANNOTATION} WHERE a.match_id = %s AND NOT deleted ORDER BY annotation_id"
    rows = connection.execute(query, (match_id,))
    return [_read(row) for row in rows]


def history(connection: Connection, annotation_id: UUID) -> list[Mapping[str, Any]]:
    """All wordings of an annotation, the first one first."""
    rows = connection.execute(
        """
        SELECT revision, content, deleted, hidden, actor, changed_at FROM annotation_changes
        WHERE annotation_id = %s ORDER BY revision
        """,
        (annotation_id,),
    )
    return [_read(row) for row in rows]


def _read(row: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**row, "content": orjson.loads(row["content"])}


def _keep(connection: Connection, annotation_id: UUID, actor: str | None) -> None:
    connection.execute(
        """
        INSERT INTO annotation_changes (match_id, annotation_id, revision, content, deleted, hidden, actor, changed_at)
        SELECT match_id, annotation_id, revision, content, deleted, hidden, %s, now()
        FROM annotations WHERE annotation_id = %s
        """,
        (actor, annotation_id),
    )
