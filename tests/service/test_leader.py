"""The leader of several servers: connections to a lost one are broken off, writes wait, and replicas answer."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus

from service.db import leader as leading
from service.db.leader import Leader, LeaderAway, to_leader, to_replicas, written_timeline
from service.db.pool import ANYTHING, Database, DatabaseAway, ReplicaConnection
from tests.service.applications import application_on
from tests.service.conftest import CONFIG
from tests.service.forwarding import Forwarder, forwarded
from tests.service.harness import OPENING, SETUP, Match, Service, entry, ok, problem
from tests.service.tampering import as_service
from tests.service.workers import wait_until

SEVERAL = "host=first,second dbname=carnet"


@pytest.fixture
def forwarder(dsn: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forwarder]:
    with forwarded(tmp_path_factory.mktemp("s"), as_service(dsn)) as forwarder:
        yield forwarder


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the pauses, so that a test notices within moments what the service notices within seconds."""
    monkeypatch.setattr(leading, "CHECK_EVERY", 0.02)
    monkeypatch.setattr(leading, "ANSWER_WITHIN", 1.0)
    monkeypatch.setattr(leading, "RETRY_EVERY", 0.02)


def test_only_several_servers_are_searched_for_the_one_that_accepts_writes() -> None:
    assert to_leader("host=only dbname=carnet") == "host=only dbname=carnet"
    assert conninfo_to_dict(to_leader(SEVERAL))["target_session_attrs"] == "read-write"
    assert conninfo_to_dict(to_leader(f"{SEVERAL} target_session_attrs=any"))["target_session_attrs"] == "any"
    assert conninfo_to_dict(to_leader("postgresql://first,second/carnet"))["target_session_attrs"] == "read-write"
    assert conninfo_to_dict(to_replicas(SEVERAL))["load_balance_hosts"] == "random"


def test_what_waits_on_a_lost_leader_fails_at_once_and_the_next_request_finds_it_again(forwarder: Forwarder) -> None:
    with closing(Database(forwarder.dsn, read_dsn=forwarder.dsn, failover_wait=0)) as database:
        database.open()
        with ThreadPoolExecutor(1) as threads:
            waiting = threads.submit(_sleep, database)
            wait_until(lambda: any(_is_active(connection) for connection in list(database.leader._connections)))
            forwarder.cut()
            with pytest.raises(DatabaseAway):
                waiting.result(timeout=20)
        assert database.leader.is_away
        with pytest.raises(LeaderAway), database.statements():
            pass
        forwarder.mend()
        wait_until(lambda: not database.leader.is_away)
        with database.statements() as connection:
            assert connection.execute("SELECT 1 AS one").fetchone() == {"one": 1}


def test_a_former_leader_is_not_followed_when_it_comes_back(dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    leader = Leader(as_service(dsn), is_watched=True)
    with closing(psycopg.connect(as_service(dsn), autocommit=True)) as connection:
        assert written_timeline(connection, 5) == 1
        leader.add(connection)
        assert leader.is_followed_by(2)
        assert not leader.is_followed_by(0), "a standby"
        with pytest.raises(LeaderAway):
            leader.add(connection)
        assert connection.closed
    monkeypatch.setattr(leading, "OUTDATED_FOR", 0.0)
    assert leader.is_followed_by(1), "a database that was made anew"


def test_a_write_with_a_key_waits_for_a_leader_and_is_recorded_once(forwarder: Forwarder) -> None:
    with closing(Database(forwarder.dsn, read_dsn=forwarder.dsn, failover_wait=20)) as database:
        database.open()
        app = application_on(database, CONFIG)
        match = begun(Service(app))
        forwarder.cut()
        wait_until(lambda: database.leader.is_away)
        with ThreadPoolExecutor(1) as threads:
            move = threads.submit(match.post, "/moves", entry(OPENING[0]), {"Idempotency-Key": "one"})
            forwarder.mend()
            assert ok(move.result(), 201)["ply"] == 1
        again = match.post("/moves", entry(OPENING[0]), {"Idempotency-Key": "one"})
        assert again.headers["Idempotent-Replayed"] == "true"
        assert match.document()["ply"] == 1
        app.extensions["carnet"].close()


def test_without_a_leader_matches_are_read_from_a_replica_and_writes_are_refused(
    dsn: str, forwarder: Forwarder
) -> None:
    with closing(Database(forwarder.dsn, read_dsn=as_service(dsn), failover_wait=0)) as database:
        database.open()
        service = Service(application_on(database, replace(CONFIG, is_open=True)))
        match = begun(service)
        match.record(OPENING[0])
        forwarder.cut()
        wait_until(lambda: database.leader.is_away)
        assert match.document()["ply"] == 1
        assert ok(service.get("/matches"))["items"]
        assert ok(service.get("/stats/players"))["items"] == []
        refused = match.post("/moves", entry(OPENING[1]))
        assert problem(refused, 503, "database-away")
        assert refused.headers["Retry-After"]
        forwarder.mend()
        service.client.application.extensions["carnet"].close()


def test_a_replica_that_is_behind_leaves_the_answer_to_the_leader(dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(Database(as_service(dsn), read_dsn=as_service(dsn))) as database:
        database.open()
        with database.reading() as connection:
            assert connection.is_replica
        monkeypatch.setattr(ReplicaConnection, "has", lambda _, position: position == ANYTHING)
        with database.reading() as connection:
            assert not connection.is_replica
        with database.statistics() as connection:
            assert not connection.is_replica


def test_a_replica_that_cannot_be_reached_leaves_the_answer_to_the_leader(dsn: str, tmp_path: Path) -> None:
    with closing(Database(as_service(dsn), read_dsn=f"host={tmp_path} dbname=carnet")) as database:
        database.open()
        for _ in range(2):
            with database.reading() as connection:
                assert not connection.is_replica


def begun(service: Service) -> Match:
    seats = [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]
    return Match(
        service, ok(service.post("/matches", {"game": "cite-lumiere", "players": seats, "setup": SETUP}), 201)["id"]
    )


def _is_active(connection: psycopg.Connection[Any]) -> bool:
    return connection.pgconn.transaction_status == TransactionStatus.ACTIVE


def _sleep(database: Database) -> None:
    with database.statements() as connection:
        connection.execute("SELECT pg_sleep(10)")
