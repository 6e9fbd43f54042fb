"""Whom the database of a test lets do what: the service, and an intruder with the rights of a superuser."""

import psycopg
from psycopg.conninfo import make_conninfo

from service.server.postgres import OWNER, SERVICE


def as_service(dsn: str) -> str:
    """The address by which the service connects to a database."""
    return make_conninfo(dsn, user=SERVICE)


def as_owner(dsn: str) -> str:
    """The address by which the owner of the tables connects to a database."""
    return make_conninfo(dsn, user=OWNER)


def tamper(dsn: str, statement: str, *values: object) -> None:
    """Run a statement past all triggers and foreign keys."""
    with psycopg.connect(dsn) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute(statement.encode(), values)
