"""An archive of copies is one that could have been recorded: every chain holds, and a rebuild changes nothing."""

from random import Random

import psycopg
import pytest
from flask import Flask

from scripts import many_matches
from service.db.roles import Logins
from service.matches import integrity
from service.stats import rebuilding
from tests.service.stats.test_changes import contents
from tests.service.tampering import as_owner, as_service

MATCHES = 150


@pytest.mark.slow
def test_an_archive_of_copies_verifies_and_is_what_a_rebuild_would_make(app: Flask, dsn: str) -> None:
    played = {"cite-lumiere": 4, "paris": 1}
    events = many_matches.fill(Logins(as_service(dsn), as_owner(dsn)), MATCHES, played=played)
    findings = list(integrity.verify(app.extensions["carnet"]))
    assert (len(findings), [finding for finding in findings if finding.faults]) == (MATCHES, [])
    with psycopg.connect(dsn) as connection:
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (events,)
        kinds = connection.execute("SELECT DISTINCT game, status, ply > 0 FROM matches").fetchall()
    assert {("cite-lumiere", "in_progress", True), ("cite-lumiere", "finished", False)} <= set(kinds)
    loaded = contents(dsn)
    assert all(why is None for _, why in rebuilding.rebuild(app.extensions["carnet"]))
    assert contents(dsn) == loaded


def test_the_best_of_an_evening_win() -> None:
    world = many_matches.World.of(2_000, seed=3)
    strongest = world.cast.ids.index
    ranked = [world.players(Random(number), 2) for number in range(300)]
    assert all(len(set(players)) == 2 for players in ranked)
    assert sum(strongest(first) > strongest(second) for first, second in ranked) > 180
