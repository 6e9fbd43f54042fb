"""A service on real PostgreSQL: one server a process, one migrated template, and for each test an empty copy of it."""

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Protocol
from uuid import UUID
from zoneinfo import ZoneInfo

import psycopg
import pytest
from flask import Flask
from psycopg.sql import SQL, Identifier

from service.config import Config
from service.db import events as event_log
from service.db import notifications
from service.db.pool import Connection, Database
from service.db.roles import prepare
from service.server.postgres import OWNER, Server, find_binaries
from tests.service.applications import application_on
from tests.service.databases import Databases
from tests.service.harness import OPENING, SETUP, Match, Service, ok
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
    is_plain=os.environ.get("CARNET_PLAIN") == "1",
)

_numbers = count(1)


class NewMatch(Protocol):
    """Begins a match of Ana against Jan, with other members where they are given."""

    def __call__(self, **members: Any) -> Match: ...


@pytest.fixture(scope="session", autouse=True)
def soon_ended() -> Iterator[None]:
    """Short waits of listeners, for whose end every test with a stream waits."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(notifications, "LISTEN_TIMEOUT", 0.01)
        yield


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
    name = f"empty_{next(_numbers)}"
    run_sql(f"CREATE DATABASE {name} OWNER {OWNER}")
    yield server.dsn(name, OWNER)
    run_sql(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def databases(server: Server, run_sql: Callable[[str], None], template: str) -> Iterator[Databases]:
    """Copies of the template."""
    databases = Databases(server, run_sql, template)
    yield databases
    databases.close()


@pytest.fixture(scope="module")
def module_dsn(server: Server, databases: Databases) -> Iterator[str]:
    """A migrated database that the tests of a module share, for those that only read."""
    with databases.one() as name:
        yield server.dsn(name)


@pytest.fixture
def dsn(request: pytest.FixtureRequest, server: Server, databases: Databases) -> Iterator[str]:
    """A migrated database of the test's own, as the superuser sees it."""
    with databases.one(is_connected=not {"database", "service"}.isdisjoint(request.fixturenames)) as name:
        yield server.dsn(name)


@pytest.fixture
def database(dsn: str, databases: Databases) -> Iterator[Database]:
    """The connections of a worker."""
    with databases.connections(as_service(dsn), is_plain=CONFIG.is_plain) as database:
        yield database


@pytest.fixture
def app(database: Database) -> Iterator[Flask]:
    """The application."""
    app = application_on(database, CONFIG)
    yield app
    app.extensions["carnet"].close()


@pytest.fixture
def service(request: pytest.FixtureRequest) -> Iterator[Service]:
    """A client of the application; tests marked `unchanging` share one of their module."""
    if not _is_unchanging(request):
        yield Service(request.getfixturevalue("app"))
        return
    shared = next((name for name in ("opened", "match") if name in request.fixturenames), "service")
    service: Service = request.getfixturevalue(f"{shared}_of_module")[0]
    before = _versions(service)
    yield service
    assert _versions(service) == before, "a test marked `unchanging` has written something"


def _is_unchanging(request: pytest.FixtureRequest) -> bool:
    return request.node.get_closest_marker("unchanging") is not None


def _versions(service: Service) -> Any:
    """The number of the rows of each table, and the last transaction that wrote one of them."""
    with service.client.application.extensions["carnet"].database.statements() as connection:
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        versions = (
            SQL("SELECT count(*), max(xmin::text::bigint) FROM {}").format(Identifier(table["tablename"]))
            for table in tables
        )
        return connection.execute(SQL(" UNION ALL ").join(versions)).fetchall()


@contextmanager
def service_on_one_of(databases: Databases, server: Server) -> Iterator[Service]:
    """A client of an application on a database without rows."""
    with (
        databases.one(is_connected=True) as name,
        databases.connections(as_service(server.dsn(name)), is_plain=CONFIG.is_plain) as database,
    ):
        app = application_on(database, CONFIG)
        yield Service(app)
        app.extensions["carnet"].close()


@pytest.fixture(scope="module")
def service_of_module(server: Server, databases: Databases) -> Iterator[tuple[Service]]:
    """A client for the tests of a module that write nothing."""
    with service_on_one_of(databases, server) as service:
        yield (service,)


@pytest.fixture(scope="module")
def match_of_module(server: Server, databases: Databases) -> Iterator[tuple[Service, Match]]:
    """The same beside a match without moves."""
    with service_on_one_of(databases, server) as service:
        yield service, _begin(service)


@pytest.fixture(scope="module")
def opened_of_module(server: Server, databases: Databases) -> Iterator[tuple[Service, Match]]:
    """The same beside a match of six moves."""
    with service_on_one_of(databases, server) as service:
        yield service, _opened(_begin(service))


@pytest.fixture
def new_match(service: Service) -> NewMatch:
    """Begins matches."""
    return partial(_begin, service)


@pytest.fixture
def match(request: pytest.FixtureRequest, service: Service) -> Match:
    """A match of Ana against Jan without moves."""
    if _is_unchanging(request):
        shared: Match = request.getfixturevalue("match_of_module")[1]
        return shared
    return _begin(service)


@pytest.fixture
def opened(request: pytest.FixtureRequest, service: Service) -> Match:
    """A match of Ana against Jan behind six moves."""
    if _is_unchanging(request):
        shared: Match = request.getfixturevalue("opened_of_module")[1]
        return shared
    return _opened(_begin(service))


def _begin(service: Service, **members: Any) -> Match:
    body = {
        "game": "cite-lumiere",
        "edition": "devir-2019",
        "players": [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}],
        "setup": SETUP,
        **members,
    }
    return Match(service, ok(service.post("/matches", body), 201)["id"])


def _opened(match: Match) -> Match:
    match.record(*OPENING)
    return match


@pytest.fixture
def reasons_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The events whose reasons are read from now on."""
    read: list[int] = []

    def noted(function: Callable[[Connection, UUID, Sequence[int]], Any]) -> Callable[..., Any]:
        def read_and_note(connection: Connection, match_id: UUID, seqs: Sequence[int]) -> Any:
            read.extend(seqs)
            return function(connection, match_id, seqs)

        return read_and_note

    for name in ("reasons", "recorded"):
        monkeypatch.setattr(event_log, name, noted(getattr(event_log, name)))
    return read
