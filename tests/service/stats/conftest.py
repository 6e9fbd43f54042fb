"""A corpus of simulated matches that many tests read, loaded once a process."""

from collections.abc import Callable, Iterator

import pytest
from flask import Flask

from scripts import simulate
from scripts.simulate import Cast
from service.app import create_app
from service.db.pool import Database
from service.server.postgres import OWNER, Server
from tests.service.conftest import CONFIG
from tests.service.harness import Service
from tests.service.tampering import as_service

CORPUS = "carnet_corpus"
MATCHES = 300
PLAYERS = 12
CAST = Cast.drawn(PLAYERS, seed=1)


@pytest.fixture(scope="session")
def corpus_dsn(server: Server, run_sql: Callable[[str], None], template: str) -> str:
    """A database with 300 simulated matches of each game."""
    run_sql(f"CREATE DATABASE {CORPUS} TEMPLATE {template} STRATEGY file_copy")
    database = Database(server.dsn(CORPUS, OWNER), has_limits=False)
    database.open()
    simulate.load(database, CAST, {"cite-lumiere": (MATCHES, 0), "paris": (MATCHES // 5, 4)}, processes=2)
    database.close()
    return server.dsn(CORPUS)


@pytest.fixture(scope="session")
def corpus_app(corpus_dsn: str) -> Iterator[Flask]:
    """The application on the corpus, for reading alone."""
    database = Database(as_service(corpus_dsn))
    database.open()
    app = create_app(CONFIG, database)
    yield app
    app.extensions["carnet"].close()
    database.close()


@pytest.fixture(scope="session")
def corpus(corpus_app: Flask) -> Service:
    """A client of it."""
    return Service(corpus_app)
