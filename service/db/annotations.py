"""Annotations of recorded moves, with all their earlier versions."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple
from uuid import UUID

import orjson

from service.db.pool import Connection
from service.db.touches import touch


@dataclass(frozen=True, slots=True)
class Reader:
    """The reader of annotations: hidden ones are only for their author and for managers of the match."""

    actor: str | None
    sees_hidden: bool


class Written(NamedTuple):
    """The number of annotations, and the bytes of their content."""

    number: int
    bytes: int


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
    _keep(connection, [annotation_id], actor)


def change(
    connection: Connection, annotation_id: UUID, content: Mapping[str, Any], deleted: bool, actor: str | None
) -> None:
    """Change the content of a locked annotation, or delete it."""
    connection.execute(
        """
        UPDATE annotations SET revision = revision + 1, content = %s, deleted = %s, changed_at = now()
        WHERE annotation_id = %s
        """,
        (orjson.dumps(content).decode(), deleted, annotation_id),
    )
    _keep(connection, [annotation_id], actor)


def hide(connection: Connection, annotation_id: UUID, hidden: bool, actor: str | None) -> None:
    """Hide a locked annotation from all but its author and the match's managers, or show it again."""
    connection.execute(
        """
        UPDATE annotations SET revision = revision + 1, hidden = %s, changed_at = now() WHERE annotation_id = %s
        """,
        (hidden, annotation_id),
    )
    _keep(connection, [annotation_id], actor)


_ANNOTATION = """
SELECT a.*, coalesce(accounts.name, secrets.label) AS author_name FROM annotations a
LEFT JOIN accounts ON account_id = author::uuid LEFT JOIN secrets ON secret_id = author::uuid
"""


def find(connection: Connection, annotation_id: UUID, *, locked: bool = False) -> Mapping[str, Any] | None:
    """An annotation, deleted or not."""
    query = f"{_ANNOTATION} WHERE annotation_id = %s{' FOR UPDATE OF a' if locked else ''}"
    row = connection.execute(query, (annotation_id,)).fetchone()
    return row and _read(row)


_SHOWN = "a.match_id = %(match_id)s AND NOT deleted AND (NOT hidden OR %(sees_hidden)s OR author = %(actor)s)"


def page(
    connection: Connection, match_id: UUID, reader: Reader, first: int, limit: int | None
) -> list[Mapping[str, Any]]:
    """Annotations of a match in the order of creation, from a position on."""
    query = f"{_ANNOTATION} WHERE {_SHOWN} ORDER BY annotation_id OFFSET %(first)s LIMIT %(limit)s"
    values = {"match_id": match_id, **asdict(reader), "first": first, "limit": limit}
    return [_read(row) for row in connection.execute(query, values)]


def of_events(connection: Connection, match_id: UUID, seqs: Sequence[int], reader: Reader) -> list[Mapping[str, Any]]:
    """The annotations of moves by the events that recorded these, in the order of creation."""
    query = f"{_ANNOTATION} WHERE {_SHOWN} AND a.seq = ANY(%(seqs)s) ORDER BY annotation_id"
    values = {"match_id": match_id, **asdict(reader), "seqs": list(seqs)}
    return [_read(row) for row in connection.execute(query, values)]


def written(connection: Connection, match_id: UUID, author: str | None) -> Mapping[str, Written]:
    """The size of the annotations of a match, of one author and of all, with a lock against new ones."""
    connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 1))", (str(match_id),))
    row = connection.execute(
        """
        SELECT count(*) AS number, coalesce(sum(octet_length(content)), 0) AS bytes,
            count(*) FILTER (WHERE author = %(author)s) AS own_number,
            coalesce(sum(octet_length(content)) FILTER (WHERE author = %(author)s), 0) AS own_bytes
        FROM annotations WHERE match_id = %(match_id)s AND NOT deleted
        """,
        {"match_id": match_id, "author": author},
    ).fetchone()
    assert row is not None
    return {
        "author": Written(row["own_number"], int(row["own_bytes"])),
        "all": Written(row["number"], int(row["bytes"])),
    }


def hide_author(connection: Connection, match_id: UUID, author: str | None, actor: str | None) -> int:
    """Hide all annotations of an author in a match that are not hidden yet; return their number."""
    hidden = connection.execute(
        """
        UPDATE annotations SET revision = revision + 1, hidden = true, changed_at = now()
        WHERE match_id = %s AND author IS NOT DISTINCT FROM %s AND NOT hidden AND NOT deleted
        RETURNING annotation_id
        """,
        (match_id, author),
    ).fetchall()
    _keep(connection, [row["annotation_id"] for row in hidden], actor)
    return len(hidden)


def history(connection: Connection, annotation_id: UUID) -> list[Mapping[str, Any]]:
    """All versions of an annotation, oldest first."""
    rows = connection.execute(
        """
        SELECT revision, content, deleted, hidden, actor, changed_at FROM annotation_changes
        WHERE annotation_id = %s ORDER BY revision
        """,
        (annotation_id,),
    )
    return [_read(row) for row in rows]


def size(content: Mapping[str, Any]) -> int:
    """The bytes of an annotation's content."""
    return len(orjson.dumps(content))


def _read(row: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**row, "content": orjson.loads(row["content"])}


def _keep(connection: Connection, annotation_ids: Sequence[UUID], actor: str | None) -> None:
    connection.execute(
        """
        INSERT INTO annotation_changes (match_id, annotation_id, revision, content, deleted, hidden, actor, changed_at)
        SELECT match_id, annotation_id, revision, content, deleted, hidden, %s, now()
        FROM annotations WHERE annotation_id = ANY(%s)
        """,
        (actor, list(annotation_ids)),
    )
    rows = connection.execute(
        "SELECT DISTINCT match_id FROM annotations WHERE annotation_id = ANY(%s)", (list(annotation_ids),)
    )
    touch(connection, [row["match_id"] for row in rows])
