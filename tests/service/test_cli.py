"""The command `carnet`: it checks what is recorded while the service runs and while it does not."""

import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner, Result

from service import version
from service.cli import main
from service.server.postgres import SERVICE, Server, find_binaries, reached
from tests.service.conftest import NewMatch
from tests.service.following import running
from tests.service.harness import OPENING, Match, ok
from tests.service.tampering import as_service, tamper

ROOT = Path(__file__).parents[2]


@pytest.fixture
def carnet(dsn: str) -> Callable[..., Result]:
    """Runs the command on the database of the test."""

    def run(*arguments: str, **settings: str) -> Result:
        return CliRunner().invoke(main, arguments, env={"DATABASE_URL": as_service(dsn), **settings})

    return run


def test_matches_as_they_were_recorded_are_found_so(carnet: Callable[..., Result], new_match: NewMatch) -> None:
    for _ in range(3):
        new_match().record(*OPENING)
    found = carnet("verify")
    assert found.stdout == "All 3 matches are as they were recorded.\n"
    assert found.exit_code == 0


@pytest.mark.parametrize("command", ["verify", "verify --rules", "rebuild"])
def test_progress_is_shown_on_terminals_alone(carnet: Callable[..., Result], match: Match, command: str) -> None:
    match.record(*OPENING)
    done = carnet(*command.split())
    assert (done.exit_code, done.stderr) == (0, "")


def test_no_matches_are_well(carnet: Callable[..., Result]) -> None:
    found = carnet("verify")
    assert (found.stdout, found.exit_code) == ("All 0 matches are as they were recorded.\n", 0)


def test_the_first_broken_event_of_each_match_is_named(
    carnet: Callable[..., Result], new_match: NewMatch, dsn: str
) -> None:
    changed, cut, garbled, moved, whole = [new_match() for _ in range(5)]
    for match in (changed, cut, garbled, moved, whole):
        match.record(*OPENING)
    tamper(dsn, "UPDATE events SET payload = replace(payload, 'L4', 'L5') WHERE match_id = %s", changed.id)
    tamper(dsn, "UPDATE events SET actor = 'x' WHERE match_id = %s AND seq = 5", changed.id)
    tamper(dsn, "DELETE FROM events WHERE match_id = %s AND seq > 4", cut.id)
    tamper(dsn, "UPDATE events SET payload = 'x' WHERE match_id = %s AND seq = 4", garbled.id)
    tamper(dsn, "UPDATE matches SET edition = 'devir-1819' WHERE match_id = %s", moved.id)
    found, by_two = carnet("verify"), carnet("verify", "--jobs", "2")
    assert (by_two.stdout, by_two.exit_code) == (found.stdout, found.exit_code)
    lines = found.stdout.splitlines()
    assert lines[0] == f"Match {changed.id}: event 3: its hash does not fit its content"
    assert lines[1] == f"Match {cut.id}: event 5: it is missing"
    assert lines[2].startswith(f"Match {garbled.id}: event 4: its payload is not JSON")
    assert lines[3].startswith(f"Match {moved.id}: event 7: after it the row of the match has another edition")
    assert lines[4:] == ["4 of 5 matches are not as they were recorded."]
    assert found.exit_code == 1
    assert ok(changed.get("/verify"))["first_broken"] == 3
    assert ok(cut.get("/verify"))["first_broken"] == 5
    assert ok(garbled.get("/verify"))["first_broken"] == 4


def test_what_cannot_be_checked_is_not_said_to_be_well(carnet: Callable[..., Result], empty_dsn: str) -> None:
    away = carnet("verify", DATABASE_URL="host=/nowhere")
    assert away.exit_code == 2 and away.stdout == "" and away.stderr
    strange = carnet("verify", CARNET_PORT="x")
    assert strange.exit_code == 2 and "CARNET_PORT" in strange.stderr
    new = carnet("verify", DATABASE_URL=empty_dsn)
    assert new.exit_code == 2 and new.stdout == ""


def test_a_database_that_was_restored_without_rights_is_to_be_started_once(
    carnet: Callable[..., Result], match: Match, dsn: str
) -> None:
    with psycopg.connect(dsn) as connection:
        connection.execute(f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {SERVICE}".encode())
    refused = carnet("verify")
    assert refused.exit_code == 2 and "run the service once" in refused.stderr


def test_it_may_be_run_beside_the_service(dsn: str, match: Match) -> None:
    match.record(*OPENING)
    with running(dsn):
        done = subprocess.run(
            [sys.executable, "-m", "service", "verify"],
            env={**os.environ, "DATABASE_URL": as_service(dsn)},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stdout) == (0, "All 1 matches are as they were recorded.\n")


@pytest.mark.parametrize(
    "command", ["verify", "verify --rules", "rebuild", "anchor", "audit", "token create --scopes record"]
)
@pytest.mark.parametrize("folder", ["missing", "empty"])
def test_commands_make_no_database_where_there_is_none(tmp_path: Path, command: str, folder: str) -> None:
    (tmp_path / "empty").mkdir()
    data = tmp_path / folder
    refused = CliRunner().invoke(main, command.split(), env={"DATABASE_URL": "", "CARNET_DATA": str(data)})
    assert (refused.exit_code, refused.stdout, refused.stderr) == (2, "", f"There is no Carnet in {data}.\n")
    assert [path.name for path in tmp_path.rglob("*")] == ["empty"]


def test_a_key_for_anchors_is_not_made_in_a_folder_that_does_not_exist(
    carnet: Callable[..., Result], tmp_path: Path
) -> None:
    refused = carnet("anchor", CARNET_DATA=str(tmp_path / "missing"))
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr.startswith(f"There is no folder {tmp_path / 'missing'} for the key; ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["plain", "a,comma"])
def test_the_embedded_server_is_reached_whether_it_runs_or_not(tmp_path: Path, name: str) -> None:
    binaries = find_binaries(os.environ)
    folder = tmp_path / name

    def answers(dsn: str) -> bool:
        with psycopg.connect(dsn) as connection:
            return connection.execute("SELECT current_database()").fetchone() == ("carnet",)

    with Server(folder, binaries, fsync=False) as server:
        with reached(folder, binaries) as logins:
            assert answers(logins.service) and answers(logins.owner)
        assert answers(server.dsn())
    with reached(folder, binaries) as logins:
        assert answers(logins.service) and answers(logins.owner)
    with pytest.raises(psycopg.OperationalError):
        answers(logins.service)


def test_it_says_what_it_can_do() -> None:
    output = CliRunner().invoke(main, ["--help"]).stdout
    assert "run " in output and "verify " in output


def test_it_tells_its_version_in_a_checkout_and_from_a_wheel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    completed = subprocess.run(
        [sys.executable, "-m", "service", "--version"], cwd=ROOT, capture_output=True, check=False
    )
    assert (completed.returncode, completed.stdout.decode(), completed.stderr) == (0, f"carnet {declared}\n", b"")
    wheel = tmp_path / "carnet-9.9.9.dist-info"
    wheel.mkdir()
    (wheel / "METADATA").write_text("Metadata-Version: 2.4\nName: carnet\nVersion: 9.9.9\n", "utf-8")
    monkeypatch.setattr(version, "PROJECT", tmp_path / "pyproject.toml")
    monkeypatch.syspath_prepend(tmp_path)
    assert version.version.__wrapped__() == "9.9.9"


def test_statistics_are_rebuilt_from_the_log(carnet: Callable[..., Result], new_match: NewMatch, dsn: str) -> None:
    for points in (40, 50):
        new_match(setup={"result_only": True, "points": {"orange": points, "blue": 45}})
    with psycopg.connect(dsn) as connection:
        connection.execute("TRUNCATE seat_facts, match_facts, tallies")
    found = carnet("rebuild")
    assert (found.stdout, found.exit_code) == ("Statistics know all 2 matches.\n", 0)
    with psycopg.connect(dsn) as connection:
        assert connection.execute("SELECT count(*) FROM seat_facts").fetchone() == (4,)
        assert connection.execute("SELECT sum(matches) FROM ratings WHERE scope = 'all'").fetchone() == (4,)


def test_matches_that_statistics_cannot_read_are_named(
    carnet: Callable[..., Result], new_match: NewMatch, dsn: str
) -> None:
    broken = new_match()
    tamper(dsn, "UPDATE events SET payload = '{}' WHERE match_id = %s", broken.id)
    found = carnet("rebuild")
    assert found.exit_code == 1
    assert f"Match {broken.id}" in found.stdout and "1 of 1 matches cannot be read." in found.stdout


def test_texts_of_others_do_not_control_the_terminal(carnet: Callable[..., Result], new_match: NewMatch) -> None:
    match = new_match(venue="Club\x1b]0;x\x07\r\n2026-01-01  \u202enwo", tags=["a\u2028b", "\x9b2J"])
    match.record(*OPENING[:1])
    for command in (("show",), ("show", match.id), ("log", match.id), ("replay", match.id), ("stats",)):
        result = carnet(*command)
        assert result.exit_code == 0, result.output
        assert not set("\x1b\x07\x9b\r\u2028\u202e") & set(result.output), command
    assert "Club?]0;x???2026-01-01  ?nwo, a?b, ?2J" in carnet("show", match.id).output
