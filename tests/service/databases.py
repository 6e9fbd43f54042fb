"""Databases of tests: copies of a template, each emptied and given to another test after its own."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.sql import SQL, Identifier

from service.db.pool import Database
from service.server.postgres import Server

MAX_ROWS = 2_000
"""A database with more rows is dropped: copying the template takes less time than deleting them."""
MAX_CONNECTIONS = 2
"""A pool of more connections is not kept for the next test."""
PATIENCE = 1.0
"""Seconds that other sessions of a database may take to end."""

_numbers = count(1)

_SCHEMA = SQL("""
    SELECT count(*), sum(version::text::bigint) FROM (
        SELECT xmin FROM pg_class WHERE oid >= 16384
        UNION ALL SELECT xmin FROM pg_attribute WHERE attrelid >= 16384
        UNION ALL SELECT xmin FROM pg_attrdef
        UNION ALL SELECT xmin FROM pg_constraint WHERE oid >= 16384
        UNION ALL SELECT xmin FROM pg_trigger
        UNION ALL SELECT xmin FROM pg_proc WHERE oid >= 16384
        UNION ALL SELECT xmin FROM pg_type WHERE oid >= 16384
        UNION ALL SELECT xmin FROM pg_namespace
        UNION ALL SELECT xmin FROM pg_extension
        UNION ALL SELECT xmin FROM pg_default_acl
        UNION ALL SELECT s.xmin FROM pg_db_role_setting s JOIN pg_database d ON d.oid = setdatabase
            WHERE datname = current_database()
        UNION ALL SELECT xmin FROM pg_database
            WHERE datname = current_database() AND NOT (datacl IS NULL AND datconnlimit = -1 AND datallowconn)
        UNION ALL SELECT xmin FROM alembic_version
    ) AS rows (version)
""")
"""Tells the schema, its rights and settings by the transactions that wrote them: a copy has those of its template."""

_OTHER_SESSIONS = SQL("""
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
""")


@contextmanager
def copy_of(template: str, server: Server, run_sql: Callable[[str], None]) -> Iterator[str]:
    """The name of a copy of a database with its rows, which is dropped afterwards."""
    name = f"copy_{next(_numbers)}"
    run_sql(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
    yield name
    run_sql(f"DROP DATABASE {name} WITH (FORCE)")


class Databases:
    """Copies of a migrated database without rows.

    The database of a test serves the next one, unless the schema was changed, a session stays open or many rows were
    written. So do the connections of the service: a new one takes 10 ms of CPU time and more to start and to read the
    catalogue of the database.
    """

    def __init__(self, server: Server, run_sql: Callable[[str], None], template: str) -> None:
        self._server = server
        self._run_sql = run_sql
        self._template = template
        self._free: list[str] = []
        self._used: set[str] = set()
        self._kept: dict[str, Database] = {}
        """Connections of the service that no test uses now."""
        self._cleaners: dict[str, psycopg.Connection] = {}
        with psycopg.connect(server.dsn(template)) as connection:
            self._schema = connection.execute(_SCHEMA).fetchone()
            tables = connection.execute("""
                SELECT relname FROM pg_class
                WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'alembic_version'
            """).fetchall()
        self._empty = SQL("; ").join(SQL("DELETE FROM {}").format(Identifier(table)) for (table,) in tables)

    @contextmanager
    def one(self, *, is_connected: bool = False) -> Iterator[str]:
        """The name of a database without rows, which nobody else uses meanwhile.

        Unless it is for `connections`, there is no session of it yet.
        """
        name = self._taken(is_connected)
        self._used.add(name)
        yield name
        self._used.remove(name)
        if self._made_empty(name):
            self._free.append(name)
        else:
            self._disconnect(name)
            self._run_sql(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    @contextmanager
    def connections(self, dsn: str, *, is_plain: bool = False) -> Iterator[Database]:
        """The connections of a worker to a database, which may be those of an earlier test."""
        name = str(conninfo_to_dict(dsn)["dbname"])
        database = self._kept.pop(name, None)
        if database is None:
            database = Database(dsn, is_plain=is_plain)
            database.open()
        yield database
        if name in self._used and _can_be_kept(database):
            self._kept[name] = database
        else:
            database.close()

    def close(self) -> None:
        """Close all connections."""
        for name in self._free:
            self._disconnect(name)

    def _taken(self, is_connected: bool) -> str:
        if not self._free:
            return self._new()
        suitable = (name for name in reversed(self._free) if (name in self._kept) == is_connected)
        name = next(suitable, self._free[-1])
        self._free.remove(name)
        if not is_connected:
            self._disconnect(name)
        return name

    def _new(self) -> str:
        name = f"test_{next(_numbers)}"
        self._run_sql(f"CREATE DATABASE {name} TEMPLATE {self._template} STRATEGY file_copy")
        return name

    def _disconnect(self, name: str) -> None:
        if name in self._kept:
            self._kept.pop(name).close()
        if name in self._cleaners:
            self._cleaners.pop(name).close()

    def _made_empty(self, name: str) -> bool:
        with suppress(psycopg.Error):
            if name not in self._cleaners:
                self._cleaners[name] = psycopg.connect(self._server.dsn(name))
            cleaner = self._cleaners[name]
            kept = _number_of(self._kept[name]) if name in self._kept else 0
            is_empty = (
                _is_alone(cleaner, kept)
                and cleaner.execute(_SCHEMA).fetchone() == self._schema
                and self._delete_rows(cleaner) <= MAX_ROWS
            )
            cleaner.commit()
            return is_empty
        return False

    def _delete_rows(self, connection: psycopg.Connection) -> int:
        """Delete all rows, past triggers and foreign keys; return their number."""
        connection.execute("SET LOCAL session_replication_role = replica")
        cursor = connection.execute(self._empty)
        deleted = cursor.rowcount
        while cursor.nextset():
            deleted += cursor.rowcount
        connection.execute("SELECT setval(seqrelid, seqstart, false) FROM pg_sequence")
        return deleted


def _can_be_kept(database: Database) -> bool:
    """Tell if connections can serve another test: all are idle, and they are no more than most tests need."""
    pools = (database._pool, database._statistics_pool)
    stats = [pool.get_stats() for pool in pools]
    return not any(pool.closed for pool in pools) and all(
        pool["pool_available"] == pool["pool_size"] <= MAX_CONNECTIONS for pool in stats
    )


def _number_of(database: Database) -> int:
    return sum(pool.get_stats()["pool_size"] for pool in (database._pool, database._statistics_pool))


def _is_alone(connection: psycopg.Connection, kept: int) -> bool:
    """Wait for the sessions to end that are not kept; whether they did."""
    latest = time.monotonic() + PATIENCE
    while True:
        row = connection.execute(_OTHER_SESSIONS).fetchone()
        connection.rollback()  # which lets the next statement see others anew
        if row is not None and row[0] <= kept:
            return True
        if time.monotonic() > latest:
            return False
        time.sleep(0.002)
