"""Simulated matches are the same for the same seed, hold together, and are loaded as if they had been recorded."""

from collections import Counter
from pathlib import Path

import psycopg
import pytest
from flask import Flask

from domain.catalogue import GAMES
from domain.match import Status
from scripts import simulate
from scripts.simulate import Cast
from service.db.pool import Database
from service.matches import integrity
from service.stats import rebuilding
from tests.service.stats.test_changes import contents

CAST = Cast.drawn(6, seed=2)


@pytest.mark.parametrize("game_id", list(GAMES))
def test_the_same_seed_gives_the_same_match(game_id: str) -> None:
    one, again, other = (simulate.simulate(game_id, CAST, seed) for seed in (1, 1, 2))
    assert (one.details, one.drafts) == (again.details, again.drafts)
    assert one.drafts != other.drafts
    assert one.timeline.status is Status.FINISHED
    assert one.details.match_id.version == 7


def test_the_stronger_win_more_often() -> None:
    wins: Counter[str] = Counter()
    for seed in range(60):
        result = (match := simulate.simulate("cite-lumiere", CAST, seed)).timeline.result
        assert result is not None
        wins.update(dict(match.timeline.players)[seat] for seat in result.winners)
    weak, strong = (sum(wins[str(player)] for player in some) for some in (CAST.ids[:3], CAST.ids[3:]))
    assert strong > weak


@pytest.mark.slow
def test_what_is_loaded_verifies_and_is_what_a_rebuild_would_make(app: Flask, database: Database, dsn: str) -> None:
    simulate.load(database, CAST, {"cite-lumiere": (20, 0), "paris": (5, 0)}, processes=1)
    findings = list(integrity.verify(app.extensions["carnet"]))
    assert (len(findings), [finding for finding in findings if finding.faults]) == (25, [])
    loaded = contents(dsn)
    assert all(why is None for _, why in rebuilding.rebuild(app.extensions["carnet"]))
    assert contents(dsn) == loaded


@pytest.mark.slow
def test_copies_have_other_players_dates_and_tags(database: Database, dsn: str) -> None:
    simulate.load(database, CAST, dict.fromkeys(GAMES, (2, 3)), processes=1)
    with psycopg.connect(dsn) as connection:
        found = connection.execute("SELECT played_at, results FROM match_facts").fetchall()
    assert len(found) == 16
    assert len({played_at for played_at, _ in found}) == 16
    assert len({tuple(results) for _, results in found}) == 4


@pytest.mark.slow
def test_the_command_tells_time_and_disk(
    dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", dsn)
    arguments = ["simulate", "--cite-lumiere", "2", "--paris", "1", "--copies", "1", "--players", "5"]
    monkeypatch.setattr("sys.argv", arguments)
    assert simulate.main() == 0
    shown = capsys.readouterr().out
    assert " s, " in shown and shown.endswith(" MB on disk\n")
