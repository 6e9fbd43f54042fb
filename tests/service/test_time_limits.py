"""Time limits: statements that take too long are cancelled, and keep nobody else waiting."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from werkzeug.test import TestResponse

from service.db import pool as connections
from service.db.pool import STATISTICS_CONNECTIONS, Database, TransactionTookTooLong
from service.server.maintenance import purge_expired
from tests.service.harness import OPENING, Match, Service, entry, ok, problem

STATISTICS = "/stats/games/cite-lumiere"
IMPATIENT = {"statement_timeout": "500ms", "idle_in_transaction_session_timeout": "500ms"}
SOON = 7.0


@pytest.fixture
def database(dsn: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    """The connections of a worker, two for requests, that give up soon."""
    monkeypatch.setattr(connections, "API_LIMITS", IMPATIENT)
    monkeypatch.setattr(connections, "STATISTICS_LIMITS", IMPATIENT)
    database = Database(dsn, size=2)
    database.open()
    yield database
    database.close()


@contextmanager
def held(dsn: str, statement: str) -> Iterator[None]:
    """While somebody else holds what a statement locks."""
    with psycopg.connect(dsn) as connection:
        connection.execute(statement.encode())
        yield
        connection.rollback()


def require_given_up(answer: TestResponse) -> Any:
    document = problem(answer, 503, "took-too-long")
    assert int(answer.headers["Retry-After"]) > 0
    return document


def test_a_request_that_waits_too_long_is_refused_and_its_connection_serves_others(
    database: Database, service: Service, match: Match
) -> None:
    with held(database.leader.dsn, "SELECT * FROM matches FOR UPDATE"):
        for _ in range(3):  # more than there are connections
            require_given_up(match.post("/moves", entry(OPENING[0])))
            require_given_up(service.patch(match.path, {"venue": "club night"}))
            assert match.document()["version"] == 1
    assert ok(match.post("/moves", entry(OPENING[0])), 201)["version"] == 2
    assert ok(service.patch(match.path, {"venue": "club night"}))["venue"] == "club night"


def test_statistics_that_take_too_long_keep_no_recorder_waiting(
    database: Database, service: Service, match: Match
) -> None:
    with held(database.leader.dsn, "LOCK TABLE tallies"), ThreadPoolExecutor(4 * STATISTICS_CONNECTIONS) as pool:
        pending = [pool.submit(service.get, STATISTICS) for _ in range(4 * STATISTICS_CONNECTIONS)]
        began = time.monotonic()
        for number, line in enumerate(OPENING, start=2):
            assert ok(match.post("/moves", entry(line)), 201)["version"] == number
        assert not all(answer.done() for answer in pending)
        for answer in pending:
            require_given_up(answer.result())
        assert time.monotonic() - began < SOON
    ok(service.get(STATISTICS))


def test_more_requests_for_statistics_than_may_wait_are_refused_at_once(
    database: Database, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ThreadPoolExecutor(8) as pool, held(database.leader.dsn, "LOCK TABLE tallies"):
        monkeypatch.setattr(database._statistics_pool, "max_waiting", 2)
        answers = [pending.result() for pending in [pool.submit(service.get, STATISTICS) for _ in range(8)]]
    slugs = {answer.json["type"].rpartition("/")[2] for answer in answers if answer.json is not None}
    assert slugs == {"took-too-long", "database-away"}
    assert {answer.status_code for answer in answers} == {503}
    ok(service.get(STATISTICS))


def test_a_transaction_in_which_nothing_happens_ends(database: Database) -> None:
    with database.transaction() as connection:
        connection.execute("SELECT 1")
        time.sleep(1)
        with pytest.raises(TransactionTookTooLong):
            connection.execute("SELECT 1")
    with database.transaction() as connection:
        connection.execute("SELECT 1")


def test_maintenance_and_the_command_line_may_take_their_time(dsn: str, database: Database) -> None:
    with ThreadPoolExecutor(1) as pool, held(dsn, "LOCK TABLE secrets"):
        maintenance = pool.submit(purge_expired, database)
        time.sleep(1)
        assert not maintenance.done()
    assert maintenance.result() == 0
    unlimited = Database(dsn, has_limits=False)
    unlimited.open()
    try:
        with unlimited.transaction() as connection:
            connection.execute("SELECT pg_sleep(0.6)")
        with unlimited.statistics() as connection:
            connection.execute("SELECT pg_sleep(0.6)")
    finally:
        unlimited.close()


def test_limits_stand_beside_the_settings_of_the_operator(dsn: str) -> None:
    database = Database(psycopg.conninfo.make_conninfo(dsn, options="-c application_name=club"))
    database.open()
    try:
        for borrowed, limit in ((database.statements(), "5s"), (database.statistics(), "2s")):
            with borrowed as connection:
                row = connection.execute(
                    "SELECT current_setting('application_name') AS name, current_setting('statement_timeout') AS most"
                ).fetchone()
            assert row == {"name": "club", "most": limit}
        with database.statistics() as connection:
            row = connection.execute("SHOW transaction_isolation").fetchone()
            assert row == {"transaction_isolation": "repeatable read"}
    finally:
        database.close()
