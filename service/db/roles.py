"""The two roles of Carnet's database: the owner changes tables, the service reads and writes rows.

The service may only insert into histories and read them. Its privileges are granted again at every start, so that they
are right for new tables and after a restore.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from secrets import randbits
from typing import Any, Final, NamedTuple

import psycopg
from psycopg.sql import SQL, Identifier
from sqlalchemy.exc import DBAPIError

from service.db.checks import DatabaseUnusable, connected, first_line, present_migration
from service.db.migrations import locked_for_migrations, migrate
from service.db.pool import DatabaseAway

log = logging.getLogger(__name__)

HISTORIES: Final = (
    "events",
    "entered_times",
    "ruling_reasons",
    "match_details",
    "player_changes",
    "annotation_changes",
    "audit_entries",
    "anchors",
    "anchor_heads",
)
"""Append-only tables."""
READ_ONLY: Final = ("alembic_version",)
_RIGHTS: Final = {**dict.fromkeys(HISTORIES, "SELECT, INSERT"), **dict.fromkeys(READ_ONLY, "SELECT")}
_USUAL: Final = "SELECT, INSERT, UPDATE, DELETE"
NOT_OWNER: Final = (
    psycopg.errors.InsufficientPrivilege,
    psycopg.errors.InvalidSchemaName,
    psycopg.errors.ReadOnlySqlTransaction,
)
"""The errors of a role that may not make tables, has no schema for them, or can only read."""


class Logins(NamedTuple):
    """The connections to one database, as the service and as the owner of its tables."""

    service: str
    owner: str


def prepare(logins: Logins) -> None:
    """Migrate the database and grant the service its privileges; warn if it has more than it needs.

    Raise `DatabaseUnusable` before anything is changed, if it cannot be used.
    """
    setting = "DATABASE_URL" if logins.owner == logins.service else "DATABASE_OWNER_URL"
    with connected(logins.owner, setting) as owner, connected(logins.service, "DATABASE_URL") as service:
        [role], [owner_role] = _row(service, "SELECT current_user"), _row(owner, "SELECT current_user")
        _require_same_database(service, owner)
        with _rights_explained(owner_role):
            present_migration(owner)
            migrate(logins.owner)
            with locked_for_migrations(logins.owner) as connection:
                if role != owner_role:
                    _grant(connection, role)
        if _row(service, "SELECT to_regclass('events') IS NULL")[0]:
            raise DatabaseUnusable("DATABASE_URL and DATABASE_OWNER_URL lead to different schemas of the database.")
        if _can_change_histories(service):
            log.warning(
                "the role %s of DATABASE_URL can change what was recorded; give the service a role of its own, as "
                "docs/operating.md says",
                role,
            )


def _require_same_database(service: psycopg.Connection, owner: psycopg.Connection) -> None:
    """Refuse connections to two different databases: a lock in one does not hold in the other."""
    key = randbits(63)
    owner.execute("SELECT pg_advisory_lock(%s)", (key,))
    [is_free] = _row(service, "SELECT pg_try_advisory_lock(%s)", key)
    if is_free:
        raise DatabaseUnusable("DATABASE_URL and DATABASE_OWNER_URL lead to different databases.")


@contextmanager
def _rights_explained(role: str) -> Iterator[None]:
    """Explain in one sentence what the owner of the tables may not do, or that the database is not reachable."""
    try:
        yield
    except (DBAPIError, psycopg.Error) as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        if isinstance(cause, NOT_OWNER):
            raise DatabaseUnusable(
                f"The role {role} may not make or change the tables; DATABASE_OWNER_URL has to connect as their owner "
                f"({first_line(cause)})."
            ) from error
        if isinstance(cause, DatabaseAway):
            raise DatabaseUnusable(f"The database cannot be brought up to date: {first_line(cause)}.") from error
        raise


def _grant(connection: psycopg.Connection, role: str) -> None:
    name = Identifier(role)
    schema = Identifier(*_row(connection, "SELECT current_schema()"))
    with connection.transaction():
        for part in ("ALL TABLES", "ALL SEQUENCES"):
            connection.execute(SQL("REVOKE ALL ON {} IN SCHEMA {} FROM {}").format(SQL(part), schema, name))
        connection.execute(SQL("GRANT USAGE ON SCHEMA {} TO {}").format(schema, name))
        for table in _tables(connection):
            rights = SQL(_RIGHTS.get(table, _USUAL))
            connection.execute(SQL("GRANT {} ON {} TO {}").format(rights, Identifier(table), name))
        connection.execute(SQL("GRANT USAGE ON ALL SEQUENCES IN SCHEMA {} TO {}").format(schema, name))
        connection.execute(SQL("GRANT EXECUTE ON FUNCTION take_names_away TO {}").format(name))


def _tables(connection: psycopg.Connection) -> list[str]:
    rows = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename")
    return [name for (name,) in rows]


def _can_change_histories(connection: psycopg.Connection) -> bool:
    """Whether the role of a connection owns a history or may do more to it than insert and select."""
    query = """
        SELECT bool_or(
            has_table_privilege(c.oid, 'UPDATE, DELETE, TRUNCATE, TRIGGER') OR pg_has_role(c.relowner, 'MEMBER')
        )
        FROM unnest(%s::text[]) AS history JOIN pg_class c ON c.oid = history::regclass
    """
    return bool(_row(connection, query, list(HISTORIES))[0])


def _row(connection: psycopg.Connection, query: str, *values: object) -> tuple[Any, ...]:
    row = connection.execute(query.encode(), values).fetchone()
    assert row is not None
    return tuple(row)
