"""Reading from real standbys, which lag: everybody sees what was committed before their request."""

import os
from contextlib import closing
from pathlib import Path

import pytest

from scripts.standby import any_of, standbys
from service.db.migrations import migrate
from service.db.pool import Database
from service.server.postgres import Server, find_binaries
from service.server.postgres.cluster import DATABASE
from tests.service.applications import application_on
from tests.service.conftest import CONFIG
from tests.service.harness import OPENING, Service, ok
from tests.service.test_leader import begun

pytestmark = pytest.mark.soak


def test_whoever_has_recorded_a_move_reads_it_although_standbys_lag(tmp_path: Path) -> None:
    with Server(tmp_path / "leader", find_binaries(os.environ)) as server:
        migrate(server.dsn())
        with (
            standbys(server, tmp_path, 2) as followers,
            closing(Database(server.dsn(), read_dsn=any_of(followers, DATABASE))) as database,
        ):
            database.open()
            app = application_on(database, CONFIG)
            service = Service(app)
            by_replicas = 0
            for _ in range(50):
                match = begun(service)
                for ply, line in enumerate(OPENING, start=1):
                    match.record(line)
                    assert match.document()["ply"] == ply
                    assert ok(service.get("/matches?limit=1"))["items"][0]["ply"] == ply
                    with database.reading() as connection:
                        by_replicas += connection.is_replica
            app.extensions["carnet"].close()
            assert by_replicas > 100, "the standbys answer hardly anything"
