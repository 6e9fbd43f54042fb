"""Databases of tests: copies of a template, each emptied and given to another test after its own."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count

import psycopg
from psycopg.sql import SQL, Identifier

from service.server.postgres import Server

MAX_ROWS = 2_000
"""A database with more rows is dropped: copying the template takes less time than deleting them."""
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
    written.
    """

    def __init__(self, server: Server, run_sql: Callable[[str], None], template: str) -> None:
        self._server = server
        self._run_sql = run_sql
        self._template = template
        self._free: list[str] = []
        with psycopg.connect(server.dsn(template)) as connection:
            self._schema = connection.execute(_SCHEMA).fetchone()
            tables = connection.execute("""
                SELECT relname FROM pg_class
                WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'alembic_version'
            """).fetchall()
        self._empty = SQL("; ").join(SQL("DELETE FROM {}").format(Identifier(table)) for (table,) in tables)

    @contextmanager
    def one(self) -> Iterator[str]:
        """The name of a database without rows, which nobody else uses meanwhile."""
        name = self._free.pop() if self._free else self._new()
        yield name
        if self._made_empty(name):
            self._free.append(name)
        else:
            self._run_sql(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def _new(self) -> str:
        name = f"test_{next(_numbers)}"
        self._run_sql(f"CREATE DATABASE {name} TEMPLATE {self._template} STRATEGY file_copy")
        return name

    def _made_empty(self, name: str) -> bool:
        with suppress(psycopg.Error), psycopg.connect(self._server.dsn(name)) as connection:
            return (
                _is_alone(connection)
                and connection.execute(_SCHEMA).fetchone() == self._schema
                and self._delete_rows(connection) <= MAX_ROWS
            )
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


def _is_alone(connection: psycopg.Connection) -> bool:
    """Wait for other sessions to end, as those do whose connections were closed; whether they did."""
    latest = time.monotonic() + PATIENCE
    while True:
        row = connection.execute(_OTHER_SESSIONS).fetchone()
        connection.rollback()  # which lets the next statement see others anew
        if row == (0,):
            return True
        if time.monotonic() > latest:
            return False
        time.sleep(0.002)
