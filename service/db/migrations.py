"""Migrations of a database."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from alembic import command
from alembic.config import Config as AlembicConfig
from alembic.script import ScriptDirectory

MIGRATIONS = Path(__file__).parents[2] / "migrations"


def migrate(dsn: str, revision: str = "head") -> None:
    """Migrate a database; processes that start together wait for each other."""
    with locked_for_migrations(dsn):
        command.upgrade(migration_config(dsn), revision)


@contextmanager
def locked_for_migrations(dsn: str) -> Iterator[psycopg.Connection]:
    """A connection with a lock against migrations and grants by other processes."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(hashtext('carnet migrations'))")
        yield connection


def newest_migration() -> str | None:
    """The newest revision in the code."""
    return ScriptDirectory(str(MIGRATIONS)).get_current_head()


def known_migrations() -> frozenset[str]:
    """The revisions from which the code can migrate."""
    return frozenset(script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions())


def migration_config(dsn: str) -> AlembicConfig:
    """The configuration of alembic."""
    config = AlembicConfig()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["dsn"] = dsn
    return config
