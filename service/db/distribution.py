"""Distribution of the database over several servers by Citus: the tables of a match by `match_id`.

The statements are derived from the catalogue, so that they fit every version of the schema and a database that is
distributed in part.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import psycopg
from psycopg.sql import SQL, Composable, Identifier, Literal

from service.db.checks import first_line

KEY: Final = "match_id"
"""The column by which the tables of a match are distributed."""
FIRST: Final = "matches"
"""The table that all others are placed with."""
REFERENCE_TABLES: Final = ("players", "accounts", "editions")
"""Tables of which every server has a copy: matches refer to them."""

_DISTRIBUTED: Final = f"""
SELECT c.relname FROM pg_class c
JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'p'
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.conkey[1]
WHERE c.relnamespace = current_schema()::regnamespace AND a.attname = '{KEY}'
ORDER BY c.relname <> '{FIRST}', c.relname
"""
_FOREIGN_KEYS: Final = """
SELECT conname, relname, pg_get_constraintdef(k.oid)
FROM pg_constraint k JOIN pg_class c ON c.oid = conrelid
WHERE contype = 'f' AND connamespace = current_schema()::regnamespace AND conrelid::regclass::text = ANY(%(chosen)s)
ORDER BY relname, conname
"""
_TRIGGERS: Final = """
SELECT tgname, relname FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
WHERE NOT tgisinternal AND c.relnamespace = current_schema()::regnamespace AND relname = ANY(%(chosen)s)
ORDER BY relname, tgname
"""
_PRESENT: Final = "SELECT logicalrelid::regclass::text, partmethod FROM pg_dist_partition"
_HAS_CITUS: Final = "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')"


NO_CITUS: Final = (
    "The database does not have the extension citus, so it cannot be distributed; docs/scaling.md says more."
)


class NotDistributable(Exception):
    """A database that cannot be distributed; the message is one sentence."""


class Plan(NamedTuple):
    """What makes a database a distributed one."""

    statements: Sequence[str]
    """In order; empty if nothing is left to do."""
    has_citus: bool


def plan(connection: psycopg.Connection) -> Plan:
    """What is left to do, from the catalogue of a database."""
    has_citus = _value(connection, _HAS_CITUS)
    present: dict[str, str] = dict(connection.execute(_PRESENT.encode()).fetchall()) if has_citus else {}
    distributed = [table for (table,) in connection.execute(_DISTRIBUTED.encode())]
    new_references = [table for table in REFERENCE_TABLES if present.get(table) != "n"]
    missing = [table for table in distributed if present.get(table) != "h"]
    statements = list(_statements(connection, new_references, missing)) if new_references or missing else []
    return Plan([statement.as_string(connection) for statement in statements], has_citus)


def _statements(
    connection: psycopg.Connection, references: Sequence[str], distributed: Sequence[str]
) -> Iterator[Composable]:
    """Foreign keys are taken away meanwhile: a table may refer only to tables that are distributed already."""
    chosen = {"chosen": [*references, *distributed]}
    keys = connection.execute(_FOREIGN_KEYS.encode(), chosen).fetchall()
    # One connection to each server, so that all of it is one transaction.
    yield SQL("SET LOCAL citus.multi_shard_modify_mode = 'sequential'")
    for name, table in connection.execute(_TRIGGERS.encode(), {"chosen": list(distributed)}).fetchall():
        yield SQL("DROP TRIGGER {} ON {}").format(Identifier(name), Identifier(table))
    for name, table, _ in keys:
        yield SQL("ALTER TABLE {} DROP CONSTRAINT {}").format(Identifier(table), Identifier(name))
    for table in references:
        yield SQL("SELECT create_reference_table({})").format(Literal(table))
    for table in distributed:
        beside = SQL("") if table == FIRST else SQL(", colocate_with => {}").format(Literal(FIRST))
        yield SQL("SELECT create_distributed_table({}, {}{})").format(Literal(table), Literal(KEY), beside)
    for name, table, definition in keys:
        yield SQL("ALTER TABLE {} ADD CONSTRAINT {} {}").format(Identifier(table), Identifier(name), SQL(definition))


def _value(connection: psycopg.Connection, query: str) -> bool:
    row = connection.execute(query.encode()).fetchone()
    assert row is not None
    return bool(row[0])


def read_plan(dsn: str) -> Plan:
    """What is left to do in a database."""
    with psycopg.connect(dsn) as connection:
        return plan(connection)


def distribute(dsn: str) -> Plan:
    """Do in one transaction what is left to do; return it. Raise `NotDistributable`."""
    with psycopg.connect(dsn) as connection:
        chosen = plan(connection)
        if not chosen.has_citus:
            raise NotDistributable(NO_CITUS)
        try:
            for statement in chosen.statements:
                connection.execute(statement.encode())
        except psycopg.Error as error:
            raise NotDistributable(f"The database cannot be distributed: {first_line(error)}.") from error
    return chosen
