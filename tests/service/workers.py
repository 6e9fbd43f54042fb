"""Two workers on one database: each has connections and a cache of timelines of its own, as two processes have."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from threading import Barrier
from typing import Any, TypeVar

import psycopg
from flask import Flask
from psycopg.sql import SQL, Identifier

from domain.canonical import canonical
from domain.catalogue import GAMES
from domain.match import Event, Timeline, fold, verify
from service.db.pool import Database
from service.timelines import Timelines
from tests.service.applications import application_on
from tests.service.conftest import CONFIG
from tests.service.harness import Match, Service
from tests.service.tampering import as_service

Answer = TypeVar("Answer")

GAME = GAMES["cite-lumiere"]
EDITION = GAME.editions.default

PATIENCE = 60.0
"""Seconds after which a condition that should long be true fails the test."""


@contextmanager
def two_workers(dsn: str, most_bytes: int = 64 * 2**20, *, is_open: bool = True) -> Iterator[tuple[Flask, Flask]]:
    """Two applications that know of each other only what the database tells; their caches hold so many bytes."""
    first, second = (Database(as_service(dsn), size=16, is_plain=CONFIG.is_plain) for _ in range(2))
    databases = (first, second)
    for database in databases:
        database.open()
    apps = (_worker(databases[0], most_bytes, is_open), _worker(databases[1], most_bytes, is_open))
    try:
        yield apps
    finally:
        for app in apps:
            app.extensions["carnet"].close()
        for database in databases:
            database.close()


def _worker(database: Database, most_bytes: int, is_open: bool) -> Flask:
    app = application_on(database, replace(CONFIG, is_open=is_open))
    app.extensions["carnet"] = replace(app.extensions["carnet"], timelines=Timelines(most_bytes))
    return app


def seen_by(app: Flask, match: Match) -> Match:
    """A match through another worker, or through a client of another thread."""
    return Match(Service(app), match.id)


def together(acts: Sequence[Callable[[], Answer]]) -> list[Answer]:
    """The results of acts that begin at the same moment, each in a thread of its own."""
    barrier = Barrier(len(acts))

    def run(act: Callable[[], Answer]) -> Answer:
        barrier.wait(PATIENCE)
        return act()

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(run, acts))


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait for what another thread is about to do."""
    latest = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < latest, "it never came true"
        time.sleep(0.002)


def number_waiting(dsn: str) -> int:
    """The number of sessions of the database that wait for a lock."""
    with psycopg.connect(dsn) as connection:
        row = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        ).fetchone()
    assert row is not None
    return int(row[0])


def log_of(match: Match) -> list[Event]:
    """The log of a match as the domain reads it, its chain of hashes checked."""
    logged = [{**document, "text": canonical(document["payload"])} for document in match.events()]
    members = [member for member in Event._fields if member not in Event._field_defaults]
    events = [Event(match.id, *(document[member] for member in members[1:])) for document in logged]
    verify(events, GAME.editions)
    return events


def folded(match: Match) -> Timeline:
    """The timeline that the domain folds from the log of a match."""
    return fold(GAME, GAME.editions, log_of(match))


def number_of(dsn: str, table: str) -> Any:
    """The number of rows of a table."""
    with psycopg.connect(dsn) as connection:
        row = connection.execute(SQL("SELECT count(*) FROM {}").format(Identifier(table))).fetchone()
    return row and row[0]
