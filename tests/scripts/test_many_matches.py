"""An archive of copies is one that could have been recorded: every chain holds, and a rebuild changes nothing."""

from collections.abc import Iterator
from contextlib import closing
from random import Random

import psycopg
import pytest

from scripts import many_matches
from service.context import Services
from service.db.pool import Database
from service.db.roles import Logins
from service.matches import integrity
from service.stats import rebuilding
from tests.service.applications import application_on
from tests.service.conftest import CONFIG
from tests.service.stats.test_changes import contents
from tests.service.tampering import as_owner, as_service

MATCHES = 150


@pytest.fixture
def unlimited(dsn: str) -> Iterator[Services]:
    """What the command line works with, whose transactions may take their time."""
    with closing(Database(as_service(dsn), has_limits=False)) as database:
        database.open()
        app = application_on(database, CONFIG)
        yield app.extensions["carnet"]
        app.extensions["carnet"].close()


@pytest.mark.slow
def test_an_archive_of_copies_verifies_and_is_what_a_rebuild_would_make(unlimited: Services, dsn: str) -> None:
    played = {"cite-lumiere": 4, "paris": 1}
    events = many_matches.fill(Logins(as_service(dsn), as_owner(dsn)), MATCHES, played=played)
    findings = list(integrity.verify(unlimited))
    assert (len(findings), [finding for finding in findings if finding.faults]) == (MATCHES, [])
    with psycopg.connect(dsn) as connection:
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (events,)
        kinds = connection.execute("SELECT DISTINCT game, status, ply > 0 FROM matches").fetchall()
    assert {("cite-lumiere", "in_progress", True), ("cite-lumiere", "finished", False)} <= set(kinds)
    loaded = contents(dsn)
    assert all(why is None for _, why in rebuilding.rebuild(unlimited))
    assert contents(dsn) == loaded


def test_the_best_of_an_evening_win() -> None:
    world = many_matches.World.of(2_000, seed=3)
    strongest = world.cast.ids.index
    ranked = [world.players(Random(number), 2) for number in range(300)]
    assert all(len(set(players)) == 2 for players in ranked)
    assert sum(strongest(first) > strongest(second) for first, second in ranked) > 180
