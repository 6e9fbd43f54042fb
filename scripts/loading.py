"""Bulk loading of matches by COPY into an empty database, for simulations only."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from psycopg.rows import args_row

from service.db.pool import Connection
from service.principals import Role

TABLES: Final = {
    "players": "player_id, revision, name, folded, survivor_id, created_at",
    "player_changes": "player_id, revision, name, changed_at",
    "matches": """match_id, game, edition, created_at, changed_at, rules_version, version, ply, status, to_move, result,
        revision, played_at, venue, tags, withdrawn, visibility, over_since, variant, owner_id""",
    "match_seats": "match_id, position, seat, player_id, place, points, owner_id",
    "match_details": "match_id, revision, played_at, venue, tags, withdrawn, visibility, changed_at",
    "events": "match_id, seq, kind, payload, actor, recorded_at, prev_hash, hash",
    "match_facts": """match_id, game, edition, variant, players, category, visibility, played_at, venue, tags, left_out,
        results, features, amounts, opening, opening_wins""",
    "seat_facts": """match_id, position, player_id, game, edition, variant, players, category, visibility, played_at,
        tags, seat, mover, place, points, margin, wins, features, available, opponents, ahead""",
}
"""The tables in the order of their references, with the columns that are given."""


@dataclass(slots=True)
class Rows:
    """Rows for some of the tables, and nodes of the tree of openings, which many matches share."""

    of: dict[str, list[Sequence[Any]]] = field(default_factory=lambda: {table: [] for table in TABLES})
    nodes: set[tuple[str, int, int, int, str]] = field(default_factory=set)


def load(connection: Connection, rows: Rows) -> None:
    """Insert rows; the aggregates of statistics are not updated."""
    for table, columns in TABLES.items():
        _copy(connection, f"{table} ({columns})", rows.of[table])
    connection.execute("CREATE TEMPORARY TABLE IF NOT EXISTS seen_nodes (LIKE opening_nodes) ON COMMIT DELETE ROWS")
    _copy(connection, "seen_nodes (game, node, parent, depth, step, number)", ((*node, 0) for node in rows.nodes))
    connection.execute("INSERT INTO opening_nodes SELECT DISTINCT * FROM seen_nodes ON CONFLICT DO NOTHING")


def add_accounts(connection: Connection, accounts: Iterable[tuple[UUID, str]], created_at: datetime) -> None:
    """Insert accounts of members, to which matches belong."""
    rows = ((account_id, name, Role.MEMBER, created_at) for account_id, name in accounts)
    _copy(connection, "accounts (account_id, name, role, created_at)", rows)


def _copy(connection: Connection, target: str, rows: Iterable[Sequence[Any]]) -> None:
    with connection.cursor() as cursor, cursor.copy(f"COPY {target} FROM STDIN".encode()) as copy:
        for row in rows:
            copy.write_row(row)


def split_editions(connection: Connection, edition: str) -> None:
    """Change the edition in the facts of half of the matches, without events in their logs."""
    half = "get_byte(decode(replace(match_id::text, '-', ''), 'hex'), 15) %% 2 = 0"
    for table in ("match_facts", "seat_facts"):
        connection.execute(f"UPDATE {table} SET edition = %s WHERE {half}".encode(), (edition,))  # noqa: S608 -- they are constants


def tidy_up(connection: Connection) -> None:
    """Analyze the loaded tables for the planner."""
    connection.execute("VACUUM ANALYZE")


def size(connection: Connection) -> int:
    """The size of the database on disk in bytes."""
    row = connection.execute("SELECT pg_database_size(current_database()) AS bytes").fetchone()
    return int(row["bytes"]) if row else 0


class Table(NamedTuple):
    """The number of rows of a table, and the bytes of them and of its indexes."""

    name: str
    rows: int
    bytes: int
    index_bytes: int


def sizes(connection: Connection) -> list[Table]:
    """The tables of an analyzed database, the largest one first, without the small ones."""
    cursor = connection.cursor(row_factory=args_row(Table))
    return cursor.execute(
        """
        SELECT relname::text, reltuples::bigint, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class
        WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND pg_table_size(oid) > 2 ^ 20
        ORDER BY pg_total_relation_size(oid) DESC
        """
    ).fetchall()


def table_lines(tables: Sequence[Table]) -> Iterator[str]:
    """The lines of a table of sizes, in megabytes."""
    yield f"{'table':<22}{'rows':>14}{'MB':>10}{'indexes':>10}"
    for table in tables:
        yield f"{table.name:<22}{table.rows:>14,}{table.bytes / 2**20:>10,.0f}{table.index_bytes / 2**20:>10,.0f}"
    total = sum(table.bytes + table.index_bytes for table in tables)
    yield f"{'together':<36}{total / 2**20:>20,.0f}"
