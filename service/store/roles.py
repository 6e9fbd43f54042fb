"""The two roles by which Carnet uses its database: the owner changes tables, the service only reads and writes rows.

The service may add to a history and read it, and nothing else. Its rights are granted anew at every start, so that
they are right for new tables and after a restore.
"""

import logging
from typing import Any, Final, NamedTuple

import psycopg
from psycopg.sql import SQL, Identifier
from sqlalchemy.exc import DBAPIError

from service.store.database import locked_for_migrations, migrate

log = logging.getLogger(__name__)

HISTORIES: Final = (
    "events",
    "ruling_reasons",
    "match_details",
    "player_changes",
    "annotation_changes",
    "audit_entries",
    "anchors",
    "anchor_heads",
)
"""Tables to which rows are added and that are never changed."""
READ_ONLY: Final = ("alembic_version",)
_RIGHTS: Final = {**dict.fromkeys(HISTORIES, "SELECT, INSERT"), **dict.fromkeys(READ_ONLY, "SELECT")}
_USUAL: Final = "SELECT, INSERT, UPDATE, DELETE"


class RolesUnusable(Exception):
    """Two addresses of a database that do not belong together."""


class Logins(NamedTuple):
    """How to connect to one database, as the service and as the owner of its tables."""

    service: str
    owner: str


def prepare(logins: Logins) -> None:
    """Bring the database up to date and grant the service its rights; warn if it has more than it needs."""
    try:
        migrate(logins.owner)
    except DBAPIError as error:
        if not isinstance(error.orig, psycopg.errors.InsufficientPrivilege):
            raise
        owned = "The tables belong to another role, with which DATABASE_OWNER_URL has to connect"
        raise RolesUnusable(f"{owned} ({error.orig.diag.message_primary}).") from error
    with psycopg.connect(logins.service) as connection:
        [role] = _row(connection, "SELECT current_user")
    with locked_for_migrations(logins.owner) as connection:
        [owner, is_known] = _row(connection, "SELECT current_user, %s IN (SELECT rolname FROM pg_roles)", role)
        if not is_known:
            raise RolesUnusable(f"DATABASE_OWNER_URL leads to a server that has no role {role}.")
        if role != owner:
            _grant(connection, role)
    with psycopg.connect(logins.service) as connection:
        if _row(connection, "SELECT to_regclass('events') IS NULL")[0]:
            raise RolesUnusable("DATABASE_URL and DATABASE_OWNER_URL lead to different databases.")
        if _can_change_histories(connection):
            log.warning(
                "the role %s of DATABASE_URL can change what was recorded; give the service a role of its own, as "
                "docs/operating.md says",
                role,
            )


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
    """Whether the role of a connection owns a history or may do more to it than add to it."""
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
