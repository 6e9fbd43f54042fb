"""Changes that an intruder with the rights of a superuser makes behind the back of the service."""

import psycopg


def tamper(dsn: str, statement: str, *values: object) -> None:
    """Run a statement past all triggers and foreign keys."""
    with psycopg.connect(dsn) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute(statement.encode(), values)
