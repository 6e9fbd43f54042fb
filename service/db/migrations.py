"""Migrations of a database."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import psycopg
from alembic import command
from alembic.config import Config as AlembicConfig
from alembic.script import ScriptDirectory

MIGRATIONS: Final = Path(__file__).parents[2] / "migrations"
VERSIONS: Final = MIGRATIONS / "versions"
BEFORE_BASELINE: Final = MIGRATIONS / "before_baseline"
"""Steps of databases from before the baseline, which end with its revision and schema."""


def migrate(dsn: str) -> None:
    """Migrate a database; processes that start together wait for each other."""
    with locked_for_migrations(dsn) as connection:
        if _revision(connection) in _revisions(BEFORE_BASELINE):
            command.upgrade(migration_config(dsn, BEFORE_BASELINE), "head")
        command.upgrade(migration_config(dsn), "head")


@contextmanager
def locked_for_migrations(dsn: str) -> Iterator[psycopg.Connection]:
    """A connection with a lock against migrations and grants by other processes."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(hashtext('carnet migrations'))")
        yield connection


def newest_migration() -> str | None:
    """The newest revision in the code."""
    return _scripts(VERSIONS).get_current_head()


def known_migrations() -> frozenset[str]:
    """The revisions from which the code can migrate."""
    return _revisions(BEFORE_BASELINE) | _revisions(VERSIONS)


def migration_config(dsn: str, versions: Path = VERSIONS) -> AlembicConfig:
    """The configuration of alembic for one folder of revisions."""
    config = AlembicConfig()
    for option, value in {
        "script_location": str(MIGRATIONS),
        "version_locations": str(versions),
        "path_separator": "newline",
    }.items():
        config.set_main_option(option, value.replace("%", "%%"))
    config.attributes["dsn"] = dsn
    return config


def _scripts(versions: Path) -> ScriptDirectory:
    return ScriptDirectory(str(MIGRATIONS), version_locations=[str(versions)])


def _revisions(versions: Path) -> frozenset[str]:
    return frozenset(script.revision for script in _scripts(versions).walk_revisions())


def _revision(connection: psycopg.Connection) -> str | None:
    """The revision of a database, None if it has no tables."""
    exists = connection.execute("SELECT to_regclass('alembic_version') IS NOT NULL").fetchone()
    if exists != (True,):
        return None
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return None if row is None else str(row[0])
