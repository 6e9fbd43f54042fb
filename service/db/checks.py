"""Checks whether Carnet can use a database, with one connection and before anything is changed."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from service.db.migrations import known_migrations
from service.db.pool import DatabaseAway

MIN_SERVER_VERSION: Final = 150000
ENCODING: Final = "UTF8"
CONNECT_TIMEOUT: Final = 10
"""Seconds, unless DATABASE_URL or PGCONNECT_TIMEOUT is set; without it a silent host takes minutes."""
TABLES: Final = frozenset({"events", "matches", "players"})
"""Tables of every version of Carnet."""
_RELATIONS: Final = """
SELECT relname FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
WHERE nspname = current_schema() AND relkind IN ('r', 'p', 'v', 'm', 'f')
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
"""
"""Tables and views that do not belong to an extension."""


class DatabaseUnusable(Exception):
    """A database that Carnet cannot use; the message is one sentence."""


@contextmanager
def connected(dsn: str, setting: str) -> Iterator[psycopg.Connection]:
    """Connect to a server that is new enough and a database in UTF-8; raise `DatabaseUnusable`."""
    with _connect(dsn, setting) as connection:
        major = connection.info.server_version // 10000
        if connection.info.server_version < MIN_SERVER_VERSION:
            raise DatabaseUnusable(f"Carnet needs PostgreSQL {MIN_SERVER_VERSION // 10000} or newer, not {major}.")
        encoding = connection.info.parameter_status("server_encoding")
        if encoding != ENCODING:
            raise DatabaseUnusable(
                f"The database of {setting} has the encoding {encoding}, in which not every name can be written; make "
                f"one with CREATE DATABASE … ENCODING '{ENCODING}' TEMPLATE template0."
            )
        yield connection


def present_migration(connection: psycopg.Connection) -> str | None:
    """The migration of a database, None if it has no tables; raise `DatabaseUnusable`."""
    relations = {name for (name,) in connection.execute(_RELATIONS)}
    if not relations - {"alembic_version"}:
        return None
    if not relations >= TABLES | {"alembic_version"}:
        raise DatabaseUnusable("The database has tables of another program; Carnet needs a database of its own.")
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    present, known = str(row and row[0]), known_migrations()
    if present < min(known):
        oldest = min(known)
        raise DatabaseUnusable(
            f"The database is of an older version of Carnet than {oldest}, the oldest one that can be upgraded."
        )
    if present not in known:
        raise DatabaseUnusable("The database is of a newer version of Carnet.")
    return present


def readable_migration(connection: psycopg.Connection) -> str | None:
    """The migration of a database, None also if this role may not read it; raise `DatabaseUnusable`."""
    try:
        return present_migration(connection)
    except psycopg.errors.InsufficientPrivilege:  # as after a restore, until the service grants its privileges again
        return None


def first_line(error: Exception) -> str:
    """The first line of an error, without what PostgreSQL and psycopg put around it."""
    text = next(iter(str(error).splitlines()), type(error).__name__)
    for prefix in ("connection failed: ", "connection is bad: "):
        text = text.removeprefix(prefix)
    return text.rstrip(". ")


def _connect(dsn: str, setting: str) -> psycopg.Connection:
    # libpq repeats parts of a malformed address in its message, perhaps of the password.
    malformed = DatabaseUnusable(
        f"{setting} must be the address of a PostgreSQL database, such as postgresql://carnet@localhost/carnet."
    )
    try:
        parts = conninfo_to_dict(dsn)
        ports = str(parts.get("port") or "").split(",")
        if not all(port.isdigit() for port in ports if port):
            raise malformed
        has_timeout = "connect_timeout" in parts or "PGCONNECT_TIMEOUT" in os.environ
        address = dsn if has_timeout else make_conninfo(dsn, connect_timeout=CONNECT_TIMEOUT)
        return psycopg.connect(address, autocommit=True)
    except psycopg.ProgrammingError:
        raise malformed from None
    except DatabaseAway as error:
        raise DatabaseUnusable(f"The database of {setting} cannot be reached: {first_line(error)}.") from error
