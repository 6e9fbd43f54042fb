"""Anchors and the heads of logs that they cover. A head is stored once, by the first anchor that has it."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from psycopg.rows import args_row, class_row, tuple_row

from service.db.pool import Connection

CHUNK = 1024
"""Leaves of a subtree; a power of two, so that the tree over subtrees is the tree over leaves."""
MAX_NUMBER = 2**31 - 1
NIL = UUID(int=0)
"""An id before the first match."""


class Head(NamedTuple):
    """The last event of a log at some time: its number and its hash."""

    match_id: UUID
    version: int
    hash: str


class Deviation(NamedTuple):
    """A head that a log does not have: the hash at its version differs, or is None if there is no event."""

    match_id: UUID
    version: int
    has_match: bool
    hash: str | None


@dataclass(frozen=True, slots=True)
class Anchor:
    """A signed statement, and where the subtrees of its Merkle tree begin."""

    number: int
    document: str
    signature: str
    size: int
    chunk_starts: Sequence[UUID]
    chunk_roots: Sequence[bytes]


_HEADS = """
SELECT DISTINCT ON (match_id) match_id, version, hash FROM anchor_heads
WHERE anchor <= %(number)s AND match_id > %(after)s
ORDER BY match_id, anchor DESC LIMIT %(limit)s
"""
_COLUMNS = "number, document, signature, size, chunk_starts, chunk_roots"


@contextmanager
def sole_anchoring(connection: Connection) -> Iterator[bool]:
    """Whether no other process is making an anchor; none can while the block runs."""
    row = connection.execute("SELECT pg_try_advisory_lock(hashtext('carnet anchors')) AS is_sole").fetchone()
    is_sole = bool(row and row["is_sole"])
    try:
        yield is_sole
    finally:
        if is_sole:
            connection.execute("SELECT pg_advisory_unlock(hashtext('carnet anchors'))")


def next_number(connection: Connection) -> int:
    """The number of the next anchor; that of an unfinished anchor is not used again."""
    row = connection.execute("SELECT nextval(pg_get_serial_sequence('anchors', 'number')) AS number").fetchone()
    assert row is not None
    return int(row["number"])


def keep_heads(connection: Connection, number: int, after: UUID, limit: int) -> UUID | None:
    """Store the new heads of the next matches; return the last of these matches, or None if there are no more.

    A match whose last event is missing has no head to keep.
    """
    cursor = connection.cursor(row_factory=args_row(Head))
    present = cursor.execute(
        """
        SELECT m.match_id, m.version, e.hash
        FROM matches m LEFT JOIN events e ON e.match_id = m.match_id AND e.seq = m.version
        WHERE m.match_id > %s ORDER BY m.match_id LIMIT %s
        """,
        (after, limit),
    ).fetchall()
    ids = [head.match_id for head in present]
    known = cursor.execute(
        """
        SELECT DISTINCT ON (match_id) match_id, version, hash FROM anchor_heads
        WHERE match_id = ANY(%s) ORDER BY match_id, anchor DESC
        """,
        (ids,),
    ).fetchall()
    new = set(present) - set(known)
    with cursor.copy("COPY anchor_heads (match_id, anchor, version, hash) FROM STDIN") as copy:
        for head in sorted(head for head in new if head.hash):  # a missing event has no hash
            copy.write_row((head.match_id, number, head.version, head.hash))
    return ids[-1] if ids else None


def heads(connection: Connection, number: int, after: UUID, limit: int) -> list[Head]:
    """The heads of an anchor after a match, in the order of matches."""
    cursor = connection.cursor(row_factory=args_row(Head))
    cursor.execute(_HEADS, {"number": number, "after": after, "limit": limit})
    return cursor.fetchall()


def missing_matches(connection: Connection) -> list[UUID]:
    """The anchored matches that are gone."""
    rows = connection.execute(
        """
        SELECT match_id FROM anchor_heads EXCEPT SELECT match_id FROM matches ORDER BY match_id
        """
    )
    return [row["match_id"] for row in rows]


def deviations(connection: Connection, expected: Iterable[Head]) -> list[Deviation]:
    """The given heads that no log has."""
    heads = sorted(expected)
    ids, versions = [head.match_id for head in heads], [head.version for head in heads]
    cursor = connection.cursor(row_factory=tuple_row)
    cursor.execute("SELECT match_id FROM matches WHERE match_id = ANY(%s)", (ids,))
    present = {match_id for (match_id,) in cursor}
    cursor.execute(
        """
        SELECT e.match_id, e.seq, e.hash FROM events e
        JOIN unnest(%s::uuid[], %s::integer[]) AS h (match_id, seq) ON h.match_id = e.match_id AND h.seq = e.seq
        """,
        (ids, versions),
    )
    hashes = {(match_id, seq): digest for match_id, seq, digest in cursor}
    found = ((head, hashes.get((head.match_id, head.version))) for head in heads)
    return [
        Deviation(head.match_id, head.version, head.match_id in present, digest)
        for head, digest in found
        if digest != head.hash
    ]


def insert(connection: Connection, anchor: Anchor) -> None:
    """Insert an anchor whose heads are stored."""
    connection.execute(
        f"INSERT INTO anchors ({_COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s)",
        (
            anchor.number,
            anchor.document,
            anchor.signature,
            anchor.size,
            list(anchor.chunk_starts),
            list(anchor.chunk_roots),
        ),
    )


def find(connection: Connection, number: int) -> Anchor | None:
    if number > MAX_NUMBER:
        return None
    cursor = connection.cursor(row_factory=class_row(Anchor))
    return cursor.execute(f"SELECT {_COLUMNS} FROM anchors WHERE number = %s", (number,)).fetchone()


def page(connection: Connection, before: int | None, limit: int) -> list[Anchor]:
    """Anchors below a number, the newest first, without their subtrees."""
    cursor = connection.cursor(row_factory=class_row(Anchor))
    cursor.execute(
        """
        SELECT number, document, signature, size, '{}'::uuid[] AS chunk_starts, '{}'::bytea[] AS chunk_roots
        FROM anchors WHERE %(before)s::integer IS NULL OR number < %(before)s ORDER BY number DESC LIMIT %(limit)s
        """,
        {"before": before, "limit": limit},
    )
    return cursor.fetchall()
