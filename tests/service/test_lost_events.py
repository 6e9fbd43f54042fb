"""Events that a worker read and that no server has any more: a replica may have had them when the leader was lost."""

from contextlib import closing
from pathlib import Path
from uuid import UUID

import pytest
from flask import Flask

from service.db import leader as leading
from service.db.pool import Database
from tests.service.applications import application_on
from tests.service.conftest import CONFIG
from tests.service.forwarding import forwarded
from tests.service.harness import OPENING, Match, Service, entry, ok
from tests.service.tampering import as_service, tamper
from tests.service.test_leader import begun
from tests.service.workers import log_of, seen_by, two_workers, wait_until


def lose(dsn: str, match: Match, version: int) -> None:
    """Take the events of a match behind a version away, as if the leader had died before a standby had them."""
    tamper(dsn, "DELETE FROM events WHERE match_id = %s AND seq > %s", match.id, version)
    tamper(
        dsn,
        "UPDATE matches SET (version, ply, to_move) = (%s, %s, %s) WHERE match_id = %s",
        *(version, version - 1, entry(OPENING[version - 1])["seat"], match.id),
    )


def cached_version(app: Flask, match: Match) -> int:
    known = app.extensions["carnet"].timelines.find(UUID(match.id))
    return 0 if known is None else int(known.timeline.version)


def test_a_lost_move_is_recorded_when_it_is_sent_again(dsn: str, match: Match) -> None:
    match.record(*OPENING[:3])
    lose(dsn, match, 3)
    match.record(OPENING[2])
    assert len(log_of(match)) == 4
    assert ok(match.get("/verify"))["valid"]


def test_another_move_may_be_in_the_place_of_a_lost_one(dsn: str, match: Match) -> None:
    with two_workers(dsn) as (app, other):
        here, there = seen_by(app, match), seen_by(other, match)
        here.record(*OPENING[:3])
        lose(dsn, match, 2)
        there.record(*OPENING[1:3])
        assert cached_version(app, match) == 4, "it has the lost events"
        here.record(OPENING[3])
        assert len(log_of(match)) == 5
        assert ok(here.get("/verify"))["valid"]


def test_what_is_read_does_not_go_on_from_a_lost_event(dsn: str, match: Match) -> None:
    with two_workers(dsn) as (app, other):
        here, there = seen_by(app, match), seen_by(other, match)
        here.record(*OPENING[:2])
        lose(dsn, match, 2)
        there.record("blue take V3", OPENING[2])
        assert here.get("/state").get_json() == there.get("/state").get_json()


def test_caches_are_emptied_when_there_is_a_leader_again(
    dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leading, "CHECK_EVERY", 0.02)
    monkeypatch.setattr(leading, "ANSWER_WITHIN", 1.0)
    with (
        forwarded(tmp_path, as_service(dsn)) as forwarder,
        closing(Database(forwarder.dsn, read_dsn=as_service(dsn), failover_wait=0)) as database,
    ):
        database.open()
        app = application_on(database, CONFIG)
        match = begun(Service(app))
        match.record(*OPENING[:2])
        ok(match.get("/replay/1?version=3"))
        forwarder.cut()
        wait_until(lambda: database.leader.is_away)
        assert cached_version(app, match) == 3, "it is read while there is no leader"
        forwarder.mend()
        wait_until(lambda: not database.leader.is_away)
        assert cached_version(app, match) == 0
        assert len(app.extensions["carnet"].frames) == 0
        app.extensions["carnet"].close()
