"""A service on real PostgreSQL: one server a process, one migrated template, and for each test a copy of it."""

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any, Protocol
from uuid import UUID
from zoneinfo import ZoneInfo

import psycopg
import pytest
from flask import Flask

from service.config import Config
from service.server.postgres import OWNER, Server, find_binaries
from service.store import logs
from service.store.database import Connection, Database
from service.store.roles import prepare
from tests.service.applications import application_on
from tests.service.harness import SETUP, Match, Service, ok
from tests.service.tampering import as_service

IN_MEMORY = Path("/dev/shm")  # noqa: S108 -- a private folder is made there
"""Where copies of a database cost little, if the system has it."""
TEMPLATE = "carnet_template"
CONFIG = Config(
    database_url=None,
    data=Path("var"),
    host="127.0.0.1",
    port=8000,
    timezone=ZoneInfo("UTC"),
    contact="mailto:admin@example.org",
    is_open=True,
)

_numbers = count(1)


class NewMatch(Protocol):
    """Begins a match of Ana against Jan, with other members where they are given."""

    def __call__(self, **members: Any) -> Match: ...


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """The server of this process, which need not outlive a power cut."""
    place = IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else None
    with (
        tempfile.TemporaryDirectory(prefix="carnet-", dir=place) as folder,
        Server(Path(folder), find_binaries(os.environ), fsync=False) as server,
    ):
        yield server


@pytest.fixture(scope="session")
def run_sql(server: Server) -> Callable[[str], None]:
    """Runs a statement outside the databases of the tests."""

    def run(statement: str) -> None:
        with psycopg.connect(server.dsn(), autocommit=True) as connection:
            connection.execute(statement.encode())

    return run


@pytest.fixture(scope="session")
def template(server: Server, run_sql: Callable[[str], None]) -> str:
    """A migrated database, with the rights that the service has."""
    run_sql(f"CREATE DATABASE {TEMPLATE} OWNER {OWNER}")
    prepare(server.logins(TEMPLATE))
    return TEMPLATE


@pytest.fixture
def empty_dsn(server: Server, run_sql: Callable[[str], None]) -> Iterator[str]:
    """A database that was never migrated."""
    name = f"test_{next(_numbers)}"
    run_sql(f"CREATE DATABASE {name} OWNER {OWNER}")
    yield server.dsn(name, OWNER)
    run_sql(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="module")
def module_dsn(server: Server, run_sql: Callable[[str], None], template: str) -> Iterator[str]:
    """A migrated database that the tests of a module share, for those that only read."""
    yield from _copied(server, run_sql, template)


@pytest.fixture
def dsn(server: Server, run_sql: Callable[[str], None], template: str) -> Iterator[str]:
    """A migrated database of the test's own, as the superuser sees it."""
    yield from _copied(server, run_sql, template)


def _copied(server: Server, run_sql: Callable[[str], None], template: str) -> Iterator[str]:
    name = f"test_{next(_numbers)}"
    run_sql(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
    yield server.dsn(name)
    run_sql(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def database(dsn: str) -> Iterator[Database]:
    """The connections of a worker."""
    database = Database(as_service(dsn))
    database.open()
    yield database
    database.close()


@pytest.fixture
def app(database: Database) -> Iterator[Flask]:
    """The application."""
    app = application_on(database, CONFIG)
    yield app
    app.extensions["carnet"].close()


@pytest.fixture
def service(app: Flask) -> Service:
    """A client of the application."""
    return Service(app)


@pytest.fixture
def new_match(service: Service) -> NewMatch:
    """Begins matches."""

    def begin(**members: Any) -> Match:
        body = {
            "game": "cite-lumiere",
            "edition": "devir-2019",
            "players": [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}],
            "setup": SETUP,
            **members,
        }
        return Match(service, ok(service.post("/matches", body), 201)["id"])

    return begin


@pytest.fixture
def match(new_match: NewMatch) -> Match:
    """A match of Ana against Jan without moves."""
    return new_match()


@pytest.fixture
def reasons_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The events whose reasons are read from now on."""
    read: list[int] = []
    reasons = logs.reasons

    def read_and_note(connection: Connection, match_id: UUID, seqs: Sequence[int]) -> dict[int, str]:
        read.extend(seqs)
        return reasons(connection, match_id, seqs)

    monkeypatch.setattr(logs, "reasons", read_and_note)
    return read
