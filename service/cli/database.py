"""The database of the service, for commands."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import click

from service.client import ClientError
from service.config import Config, ConfigError, read_config
from service.context import Services
from service.db.checks import DatabaseUnusable, connected, first_line, readable_migration
from service.db.leader import to_leader
from service.db.migrations import newest_migration
from service.db.pool import Database, DatabaseAway
from service.db.roles import Logins
from service.http.errors import Problem
from service.server.postgres import ServerUnavailable, find_binaries, has_cluster, reached

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

T = TypeVar("T")

NOTHING_WRONG, SOMETHING_WRONG, NOT_DONE = 0, 1, 2
"""Exit codes of all commands: done, done and something is wrong, could not be done."""


def progress_bar(matches: Iterable[T], total: int) -> "ProgressBar[T]":
    """A progress bar on a terminal, otherwise nothing."""
    is_hidden = not sys.stderr.isatty()
    return click.progressbar(matches, length=total, label="matches", file=sys.stderr, hidden=is_hidden)


@contextmanager
def open_database() -> Iterator[tuple[Config, Database]]:
    """The settings and the database of the service, which must be there and of this version.

    What cannot be done ends the command with a sentence.
    """
    with ending_with_a_sentence():
        config = read_config(os.environ)
        if config.database_url is None and not has_cluster(config.data / "postgres"):
            raise ConfigError(f"There is no Carnet in {config.data}.")
        with reach(config) as logins:
            require_up_to_date(logins.service)
            database = Database(logins.service, has_limits=False)
            database.open()
            try:
                yield config, database
            finally:
                database.close()


@contextmanager
def open_services() -> Iterator[Services]:
    """The services for a command, on the database of the service."""
    with open_database() as (config, database):
        services = Services.on(config, database)
        try:
            yield services
        finally:
            services.close()


@contextmanager
def ending_with_a_sentence() -> Iterator[None]:
    """Have errors that a user can mend end the command with their sentence."""
    try:
        yield
    except (ConfigError, ServerUnavailable, DatabaseUnusable, Problem, ClientError) as error:
        click.echo(error, err=True)
        sys.exit(NOT_DONE)
    except DatabaseAway as error:
        click.echo(f"The database does not answer: {first_line(error)}.", err=True)
        sys.exit(NOT_DONE)
    except OSError as error:
        click.echo(f"{error.filename or 'A file'}: {error.strerror or error}.", err=True)
        sys.exit(NOT_DONE)


def require_up_to_date(dsn: str) -> None:
    """Require a database that the service has migrated; raise `ConfigError`, `DatabaseUnusable`."""
    with connected(dsn, "DATABASE_URL") as connection:
        migration = readable_migration(connection)
    if migration is None:
        raise ConfigError("There is no Carnet in the database, or none that this role may read; run the service once.")
    if migration != newest_migration():
        raise ConfigError("The database is of an older version of Carnet; run the service once.")


@contextmanager
def reach(config: Config) -> Iterator[Logins]:
    """Connect to the database of the service; start the embedded one if it does not run."""
    if config.database_url is not None:
        service = to_leader(config.database_url)
        yield Logins(service, to_leader(config.database_owner_url or service))
        return
    with reached(config.data / "postgres", find_binaries(os.environ)) as logins:
        yield logins
