"""Matches that come from elsewhere: their identities there, imports with what they brought, and names of people."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

import orjson
from psycopg.rows import tuple_row

from service.db.lists import PAGE, Listing
from service.db.pool import Connection, Database
from service.db.principals import HAS_OWN, JOIN_OWN_SEAT, LISTS_OWN, Viewer

NOBODY: Final = UUID(int=0)
"""Whose names are remembered while sign-in is switched off."""

TABLES: Final = {
    "matches": """match_id, game, edition, created_at, changed_at, rules_version, version, ply, status, to_move, result,
        revision, played_at, venue, tags, withdrawn, visibility, rulings_in_statistics, owner_id, over_since, variant,
        seats_known""",
    "match_seats": "match_id, position, seat, player_id, place, points, owner_id",
    "match_details": """match_id, revision, played_at, venue, tags, withdrawn, visibility, rulings_in_statistics, actor,
        changed_at""",
    "events": "match_id, seq, kind, payload, actor, recorded_at, prev_hash, hash",
    "ruling_reasons": "match_id, seq, salt, reason",
    "entered_times": "match_id, seq, entered_at",
    "annotations": """match_id, annotation_id, revision, seq, content, author, created_at, changed_at, deleted,
        hidden""",
    "annotation_changes": "match_id, annotation_id, revision, content, deleted, hidden, actor, changed_at",
    "match_sources": "match_id, system, external_id, digest, version, revision, import_id",
    "import_items": "import_id, number, line, outcome, match_id, version_before, report",
}
"""The tables of an imported match in the order of their references, with the columns that are given."""
_BINARY: Final = {"events": ("uuid", "integer", "text", "text", "text", "text", "text", "text")}
"""The types of the columns of tables that are written in binary form. The 270 events of a match of Paris take the
database 0.33 ms instead of 0.45 and this process 0.12 instead of 0.29, of 6 ms (500 random matches, 2026-11)."""


@dataclass(slots=True)
class Rows:
    """Rows that are written together."""

    of: dict[str, list[Sequence[Any]]] = field(default_factory=lambda: {table: [] for table in TABLES})
    annotation_ids: set[UUID] = field(default_factory=set)
    """Those of the new annotations, which must be others even where several matches bring them."""

    def write(self, connection: Connection) -> None:
        """Write all of them, and have none any more."""
        for table, columns in TABLES.items():
            if rows := self.of[table]:
                types = _BINARY.get(table)
                form = "" if types is None else " (FORMAT binary)"
                with (
                    connection.cursor() as cursor,
                    cursor.copy(f"COPY {table} ({columns}) FROM STDIN{form}".encode()) as copy,
                ):
                    if types is not None:
                        copy.set_types(types)
                    for row in rows:
                        copy.write_row(row)
                rows.clear()


class Known(NamedTuple):
    """A match that is there already, as an importer sees it."""

    match_id: UUID
    game: str
    edition: str
    rules_version: int
    rules_conflict: Any
    version: int
    revision: int
    withdrawn: bool
    visibility: str
    reads: bool
    """Whether the importer may read it."""
    owns: bool
    """Whether it belongs to them."""
    plays: bool
    """Whether they play in it."""
    digest: str | None = None
    """What its source said when it was imported, with the version and the revision that it had then."""
    imported_version: int | None = None
    imported_revision: int | None = None


_KNOWN: Final = f"""
SELECT m.match_id, m.game, m.edition, m.rules_version, m.rules_conflict, m.version, m.revision, m.withdrawn,
    m.visibility, (NOT m.withdrawn OR %(sees_all)s OR {HAS_OWN}) AND {LISTS_OWN} AS reads,
    %(sees_all)s OR coalesce(m.owner_id = %(viewer)s, false) AS owns, %(sees_all)s OR {HAS_OWN} AS plays"""


def lock(connection: Connection) -> None:
    """Lock against other imports until the end of the transaction."""
    connection.execute("SELECT pg_advisory_xact_lock(hashtext('carnet import'))")


def try_begin(connection: Connection, owner: str) -> bool:
    """Take the place of the one import that an account may have under way; kept until `end`."""
    row = connection.execute(
        "SELECT pg_try_advisory_lock(hashtext('carnet import of'), hashtext(%s)) AS is_free", (owner,)
    ).fetchone()
    return bool(row and row["is_free"])


def end(connection: Connection, owner: str) -> None:
    """Give up the place of the import."""
    connection.execute("SELECT pg_advisory_unlock(hashtext('carnet import of'), hashtext(%s))", (owner,))


def by_id(connection: Connection, match_ids: Collection[UUID], viewer: Viewer) -> dict[UUID, Known]:
    """Those of some matches that are there."""
    if not match_ids:
        return {}
    cursor = connection.cursor(row_factory=tuple_row)
    cursor.execute(
        f"{_KNOWN} FROM matches m {JOIN_OWN_SEAT} WHERE m.match_id = ANY(%(ids)s)",
        {**viewer.values, "ids": list(match_ids)},
    )
    return {row[0]: Known(*row) for row in cursor}


def by_source(
    connection: Connection, keys: Collection[tuple[str, str]], viewer: Viewer
) -> dict[tuple[str, str], Known]:
    """The matches that are there by what they are called elsewhere; of several those that the importer may read."""
    if not keys:
        return {}
    cursor = connection.cursor(row_factory=tuple_row)
    cursor.execute(
        f"""
        {_KNOWN}, s.digest, s.version, s.revision, s.system, s.external_id
        FROM json_to_recordset(%(keys)s) AS k (system text, external_id text)
        JOIN match_sources s USING (system, external_id) JOIN matches m ON m.match_id = s.match_id
        {JOIN_OWN_SEAT}
        """,
        {
            **viewer.values,
            "keys": orjson.dumps([{"system": system, "external_id": key} for system, key in keys]).decode(),
        },
    )
    found: dict[tuple[str, str], Known] = {}
    for *row, system, external_id in cursor:
        known = Known(*row)
        if known.reads and (known.plays or (system, external_id) not in found):
            found[system, external_id] = known
    return found


def hashes_at(connection: Connection, match_ids: Sequence[UUID], seqs: Sequence[int]) -> dict[tuple[UUID, int], str]:
    """The hashes of events, each of a match and a number."""
    if not match_ids:
        return {}
    cursor = connection.cursor(row_factory=tuple_row)
    cursor.execute(
        """
        SELECT e.match_id, e.seq, e.hash FROM events e
        JOIN unnest(%(ids)s::uuid[], %(seqs)s::integer[]) AS k (match_id, seq) USING (match_id, seq)
        WHERE e.match_id = ANY(%(ids)s)
        """,
        {"ids": list(match_ids), "seqs": list(seqs)},
    )
    return {(match_id, seq): digest for match_id, seq, digest in cursor}


def reword(
    connection: Connection,
    match_id: UUID,
    annotation_id: UUID,
    revision: int,
    content: str,
    changed_at: str,
    *,
    deleted: bool,
    hidden: bool,
) -> None:
    """Update a locked annotation to its latest wording; the history of its wordings is added besides."""
    connection.execute(
        """
        UPDATE annotations SET revision = %s, content = %s, changed_at = %s, deleted = %s, hidden = %s
        WHERE match_id = %s AND annotation_id = %s
        """,
        (revision, content, changed_at, deleted, hidden, match_id, annotation_id),
    )


def note_source(
    connection: Connection, match_id: UUID, system: str, external_id: str, digest: str, version: int, revision: int
) -> None:
    """Note what a source says of a match by now."""
    connection.execute(
        """
        UPDATE match_sources SET digest = %s, version = %s, revision = %s
        WHERE match_id = %s AND system = %s AND external_id = %s
        """,
        (digest, version, revision, match_id, system, external_id),
    )


def note_revision(connection: Connection, match_id: UUID, revision: int) -> None:
    """Note that a match has another revision by an import itself."""
    connection.execute("UPDATE match_sources SET revision = %s WHERE match_id = %s", (revision, match_id))


def is_undone(connection: Connection, match_id: UUID) -> bool:
    """Whether a match was added by an import that was undone."""
    row = connection.execute(
        """
        SELECT EXISTS (
            SELECT FROM import_items JOIN imports USING (import_id)
            WHERE match_id = %s AND outcome = 'new' AND undone_at IS NOT NULL
        ) AS is_undone
        """,
        (match_id,),
    ).fetchone()
    return bool(row and row["is_undone"])


def sources(connection: Connection, match_ids: Sequence[UUID]) -> dict[UUID, list[tuple[str, str]]]:
    """What matches are called elsewhere."""
    rows = connection.execute(
        """
        SELECT match_id, system, external_id FROM match_sources WHERE match_id = ANY(%s) ORDER BY system, external_id
        """,
        (list(match_ids),),
    )
    found: dict[UUID, list[tuple[str, str]]] = {}
    for row in rows:
        found.setdefault(row["match_id"], []).append((row["system"], row["external_id"]))
    return found


def actors_here(connection: Connection, ids: Collection[str]) -> set[str]:
    """Those of some ids that are accounts or links of this installation."""
    if not ids:
        return set()
    rows = connection.execute(
        """
        SELECT account_id::text AS id FROM accounts WHERE account_id = ANY(%(ids)s::uuid[])
        UNION ALL SELECT secret_id::text FROM secrets WHERE secret_id = ANY(%(ids)s::uuid[])
        """,
        {"ids": list(ids)},
    )
    return {row["id"] for row in rows}


def annotations_here(connection: Connection, ids: Collection[UUID]) -> set[UUID]:
    """Those of some ids that are annotations."""
    if not ids:
        return set()
    rows = connection.execute("SELECT annotation_id FROM annotations WHERE annotation_id = ANY(%s)", (list(ids),))
    return {row["annotation_id"] for row in rows}


def last_anonymous(connection: Connection) -> int:
    """The number of the last player without a name, with a lock against others until the end of the transaction."""
    connection.execute("SELECT pg_advisory_xact_lock(hashtext('carnet anonymous players'))")
    row = connection.execute("SELECT coalesce(max(anonymous), 0) AS number FROM players").fetchone()
    assert row is not None
    return int(row["number"])


def make_anonymous(connection: Connection, player_id: UUID, number: int) -> None:
    """Let a player who was just added be one without a name."""
    connection.execute("UPDATE players SET anonymous = %s WHERE player_id = %s", (number, player_id))


# Names


def names(connection: Connection, owner_id: UUID) -> list[Mapping[str, Any]]:
    """Who is meant by names in the files of an account."""
    return list(
        connection.execute(
            """
            SELECT n.system, n.name, survivor.player_id, survivor.name AS player
            FROM import_names n JOIN players p USING (player_id)
            JOIN players survivor ON survivor.player_id = p.survivor_id
            WHERE owner_id = %s ORDER BY n.system, n.name
            """,
            (owner_id,),
        )
    )


def count_names(connection: Connection, owner_id: UUID) -> int:
    """How many names in files of an account are remembered."""
    row = connection.execute("SELECT count(*) AS number FROM import_names WHERE owner_id = %s", (owner_id,)).fetchone()
    assert row is not None
    return int(row["number"])


def keep_name(connection: Connection, owner_id: UUID, system: str, name: str, player_id: UUID | None) -> None:
    """Remember who is meant by a name, or forget it."""
    if player_id is None:
        connection.execute(
            "DELETE FROM import_names WHERE owner_id = %s AND system = %s AND name = %s", (owner_id, system, name)
        )
        return
    connection.execute(
        """
        INSERT INTO import_names (owner_id, system, name, player_id) VALUES (%s, %s, %s, %s)
        ON CONFLICT (owner_id, system, name) DO UPDATE SET player_id = excluded.player_id
        """,
        (owner_id, system, name, player_id),
    )


# Imports


def begin(
    connection: Connection, import_id: UUID, account_id: UUID | None, file_format: str, digest: str, key: str | None
) -> None:
    """Note that an import begins."""
    connection.execute(
        """
        INSERT INTO imports (import_id, account_id, format, digest, idempotency_key, started_at, counts)
        VALUES (%s, %s, %s, %s, %s, now(), '{}')
        """,
        (import_id, account_id, file_format, digest, key),
    )


_IMPORT: Final = """
SELECT import_id, account_id, format, digest, started_at, finished_at, undone_at, counts FROM imports i"""
_OF_ACCOUNT: Final = "account_id IS NOT DISTINCT FROM %(account_id)s"


def find_by_key(connection: Connection, account_id: UUID | None, key: str) -> Mapping[str, Any] | None:
    """The import of an account that was begun under an idempotency key."""
    query = f"{_IMPORT} WHERE {_OF_ACCOUNT} AND idempotency_key = %(key)s"
    return connection.execute(query, {"account_id": account_id, "key": key}).fetchone()


def find(connection: Connection, account_id: UUID | None, import_id: UUID) -> Mapping[str, Any] | None:
    """An import of an account, locked."""
    query = f"{_IMPORT} WHERE {_OF_ACCOUNT} AND import_id = %(id)s FOR UPDATE"
    return connection.execute(query, {"account_id": account_id, "id": import_id}).fetchone()


def listing(account_id: UUID | None, after: tuple[datetime, UUID] | None) -> Listing:
    """The imports of an account, the newest first."""
    return Listing(
        f"{_IMPORT} WHERE {_OF_ACCOUNT}",
        ["import_id DESC"],
        "import_id < %(after_id)s",
        {"account_id": account_id},
        after,
        is_fixed=True,
    )


def note_counts(connection: Connection, import_id: UUID, counts: Mapping[str, int], *, is_finished: bool) -> None:
    """Note how far an import is."""
    finished = ", finished_at = now()" if is_finished else ""
    connection.execute(
        f"UPDATE imports SET counts = %s{finished} WHERE import_id = %s".encode(),
        (orjson.dumps(counts).decode(), import_id),
    )


def note_undone(connection: Connection, import_id: UUID) -> None:
    """Note that an import was undone; its key can be used again."""
    connection.execute(
        "UPDATE imports SET undone_at = now(), idempotency_key = NULL WHERE import_id = %s", (import_id,)
    )


class Item(NamedTuple):
    """What became of one match of a file."""

    number: int
    outcome: str
    match_id: UUID | None
    version_before: int | None
    report: str
    """The report as JSON."""


def items(connection: Connection, import_id: UUID, after: int, limit: int) -> list[Item]:
    """What became of the matches of a file, from a number on."""
    cursor = connection.cursor(row_factory=tuple_row)
    cursor.execute(
        """
        SELECT number, outcome, match_id, version_before, report FROM import_items
        WHERE import_id = %s AND number > %s ORDER BY number LIMIT %s
        """,
        (import_id, after, limit),
    )
    return [Item(*row) for row in cursor]


def all_items(connection: Connection, import_id: UUID) -> Iterator[Item]:
    """All of them, page by page."""
    after = 0
    while page := items(connection, import_id, after, PAGE):
        yield from page
        after = page[-1].number


def stream_items(database: Database, import_id: UUID) -> Iterator[Item]:
    """All of them, page by page, without holding a connection between pages."""
    after = 0
    while True:
        with database.reading() as connection:
            page = items(connection, import_id, after, PAGE)
        if not page:
            return
        yield from page
        after = page[-1].number
