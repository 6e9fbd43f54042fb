"""Annotations of recorded moves, with all their earlier versions."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple
from uuid import UUID

import orjson

from service.db.credentials import names_of
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
    _keep(connection, match_id, [annotation_id], actor)


def change(
    connection: Connection,
    row: Mapping[str, Any],
    content: Mapping[str, Any],
    deleted: bool,
    actor: str | None,
) -> None:
    """Change the content of a locked annotation, or delete it."""
    connection.execute(
        """
        UPDATE annotations SET revision = revision + 1, content = %s, deleted = %s, changed_at = now()
        WHERE match_id = %s AND annotation_id = %s
        """,
        (orjson.dumps(content).decode(), deleted, row["match_id"], row["annotation_id"]),
    )
    _keep(connection, row["match_id"], [row["annotation_id"]], actor)


def hide(connection: Connection, row: Mapping[str, Any], hidden: bool, actor: str | None) -> None:
    """Hide a locked annotation from all but its author and the match's managers, or show it again."""
    connection.execute(
        """
        UPDATE annotations SET revision = revision + 1, hidden = %s, changed_at = now()
        WHERE match_id = %s AND annotation_id = %s
        """,
        (hidden, row["match_id"], row["annotation_id"]),
    )
    _keep(connection, row["match_id"], [row["annotation_id"]], actor)


def match_of(connection: Connection, annotation_id: UUID) -> UUID | None:
    """The match of an annotation: where matches are on several servers, all of them are asked."""
    row = connection.execute("SELECT match_id FROM annotations WHERE annotation_id = %s", (annotation_id,)).fetchone()
    return None if row is None else UUID(str(row["match_id"]))


def find(connection: Connection, annotation_id: UUID, *, locked: bool = False) -> Mapping[str, Any] | None:
    """An annotation, deleted or not."""
    match_id = match_of(connection, annotation_id)
    query = f"SELECT * FROM annotations WHERE match_id = %s AND annotation_id = %s{' FOR UPDATE' if locked else ''}"
    rows = connection.execute(query, (match_id, annotation_id)).fetchall()
    return next(iter(_read_all(connection, rows)), None)


_SHOWN = "match_id = %(match_id)s AND NOT deleted AND (NOT hidden OR %(sees_hidden)s OR author = %(actor)s)"


def page(
    connection: Connection, match_id: UUID, reader: Reader, first: int, limit: int | None
) -> list[Mapping[str, Any]]:
    """Annotations of a match in the order of creation, from a position on."""
    query = f"SELECT * FROM annotations WHERE {_SHOWN} ORDER BY annotation_id OFFSET %(first)s LIMIT %(limit)s"
    values = {"match_id": match_id, **asdict(reader), "first": first, "limit": limit}
    return _read_all(connection, connection.execute(query, values).fetchall())


def of_events(connection: Connection, match_id: UUID, seqs: Sequence[int], reader: Reader) -> list[Mapping[str, Any]]:
    """The annotations of moves by the events that recorded these, in the order of creation."""
    query = f"SELECT * FROM annotations WHERE {_SHOWN} AND seq = ANY(%(seqs)s) ORDER BY annotation_id"
    values = {"match_id": match_id, **asdict(reader), "seqs": list(seqs)}
    return _read_all(connection, connection.execute(query, values).fetchall())


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
    _keep(connection, match_id, [row["annotation_id"] for row in hidden], actor)
    return len(hidden)


def history(
    connection: Connection, match_id: UUID, annotation_id: UUID, first: int = 0, limit: int | None = None
) -> list[Mapping[str, Any]]:
    """The versions of an annotation of a match, oldest first, from a position on."""
    rows = connection.execute(
        """
        SELECT revision, content, deleted, hidden, actor, changed_at FROM annotation_changes
        WHERE match_id = %s AND annotation_id = %s ORDER BY revision OFFSET %s LIMIT %s
        """,
        (match_id, annotation_id, first, limit),
    )
    return [_read(row) for row in rows]


def size(content: Mapping[str, Any]) -> int:
    """The bytes of an annotation's content."""
    return len(orjson.dumps(content))


def _read(row: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**row, "content": orjson.loads(row["content"])}


def _read_all(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Annotations with the names of their authors: of accounts, or the labels of links."""
    authors = {UUID(row["author"]) for row in rows if row["author"] is not None}
    names = names_of(connection, authors) if authors else {}
    return [_read({**row, "author_name": row["author"] and names.get(UUID(row["author"]))}) for row in rows]


def _keep(connection: Connection, match_id: UUID, annotation_ids: Sequence[UUID], actor: str | None) -> None:
    connection.execute(
        """
        INSERT INTO annotation_changes (match_id, annotation_id, revision, content, deleted, hidden, actor, changed_at)
        SELECT match_id, annotation_id, revision, content, deleted, hidden, %s, now()
        FROM annotations WHERE match_id = %s AND annotation_id = ANY(%s)
        """,
        (actor, match_id, list(annotation_ids)),
    )
    touch(connection, [match_id])
