"""The commands that show, begin, check, back up and restore matches."""

import json
import os
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner, Result

from domain.match.document import write
from service.cli import main, transfers
from service.cli.boards import CLEAR, screen
from service.db.roles import Logins, prepare
from tests.domain.test_document import document_of
from tests.domain.texts import EXAMPLE
from tests.service.conftest import NewMatch
from tests.service.following import running
from tests.service.harness import OPENING, Match
from tests.service.tampering import as_service

Carnet = Callable[..., Result]


@pytest.fixture
def carnet(dsn: str) -> Carnet:
    """Runs a command on the database of the test."""

    def run(*arguments: str, **settings: Any) -> Result:
        environment = {"DATABASE_URL": as_service(dsn), "DATABASE_OWNER_URL": dsn, **settings}
        return CliRunner().invoke(main, arguments, env=environment)

    return run


def told(result: Result) -> str:
    assert (result.exit_code, result.stderr) == (0, ""), (result.output, result.exception)
    return result.stdout


def test_a_match_is_shown_told_and_replayed(carnet: Carnet, match: Match) -> None:
    match.record(*OPENING)
    assert match.id in told(carnet("show"))
    shown = told(carnet("show", match.id))
    assert "orange" in shown and "  1 " in shown and "\x1b" not in shown
    assert told(carnet("show", match.id, "--ply", "0")) != shown
    assert json.loads(told(carnet("show", match.id, "--json")))["match"]["id"] == match.id
    assert json.loads(told(carnet("show", "--json", "--limit", "1")).splitlines()[0])["id"] == match.id
    replayed = told(carnet("replay", match.id, "--lang", "pl"))
    assert [line.split()[0] for line in replayed.splitlines()[: len(OPENING) + 1]] == [
        str(ply) for ply in range(len(OPENING) + 1)
    ]
    frames = [json.loads(line) for line in told(carnet("replay", match.id, "--json")).splitlines()]
    assert [frame["ply"] for frame in frames] == list(range(len(OPENING) + 1))
    log = told(carnet("log", match.id))
    assert "match_created" in log and "+ 1 orange:" in log
    assert len(told(carnet("log", match.id, "--json")).splitlines()) == len(OPENING) + 1
    screens = list(screen(json.loads(told(carnet("show", match.id, "--json")))["match"], frames, 1))
    assert any("1 / " in line for line in screens) and CLEAR not in "".join(screens)


def test_a_match_is_begun_and_counted(carnet: Carnet) -> None:
    begun = told(carnet("new", "paris", "--player", "red=Ana", "--player", "blue=Jan", "--tag", "league")).strip()
    assert "Paris: Ana (red), Jan (blue)" in told(carnet("show", begun))
    drawn = carnet("new", "cite-lumiere", "--player", "orange=Ana", "--player", "blue=Jan", "--json")
    assert len(json.loads(told(drawn))["setup"]["postcards"]) == 8
    only = "result_only orange:31,blue:28"
    told(carnet("new", "cite-lumiere", "--player", "orange=Ana", "--player", "blue=Jan", "--setup", only))
    assert "Ana" in told(carnet("stats"))
    assert json.loads(told(carnet("stats", "--json", "--limit", "1")).splitlines()[0])["matches"] == 1
    assert "population" in json.loads(told(carnet("stats", "cite-lumiere", "--json")))


@pytest.mark.parametrize(
    "arguments",
    [
        ["--player", "red"],
        ["--player", "red=Ana", "--player", "blue=Jan", "--setup", "basic twice"],
        ["--player", "red=Ana", "--player", "blue=Jan", "--setup", "advanced"],
        ["--player", "red=Ana", "--player", "blue=Jan", "--played-at", "today"],
        ["--player", "red=Ana"],
    ],
)
def test_what_cannot_be_begun_is_refused(carnet: Carnet, arguments: list[str]) -> None:
    refused = carnet("new", "paris", *arguments)
    assert refused.exit_code == 2 and refused.stderr and refused.stdout == ""


def test_a_service_is_asked_over_the_network(carnet: Carnet, match: Match, dsn: str) -> None:
    with running(dsn) as [(port, _)]:
        assert match.id in told(carnet("show", "--url", f"http://127.0.0.1:{port}", DATABASE_URL=""))
    refused = carnet("show", "--url", "http://127.0.0.1:1")
    assert refused.exit_code == 2 and "127.0.0.1" in refused.stderr


def test_an_unknown_match_is_not_found(carnet: Carnet) -> None:
    refused = carnet("show", "01a1f620-b8c5-7787-8e38-c850fc5d2824")
    assert (refused.exit_code, refused.stdout) == (2, "") and refused.stderr


def test_files_are_checked_without_a_database(tmp_path: Path) -> None:
    (tmp_path / "right.carnet").write_text(EXAMPLE.replace("result red 0 blue 0 shared\n", ""), "utf-8")
    (tmp_path / "wrong.carnet").write_text(EXAMPLE + "\n" + EXAMPLE.replace("2 red key", "2 blue key"), "utf-8")
    document = write(document_of("cite-lumiere", 6))
    (tmp_path / "all.ndjson").write_text(
        f"{document}\n{{}}\n{document.replace('move_made', 'moves_undone', 1)}\n", "utf-8"
    )

    def run(*names: str) -> Result:
        return CliRunner().invoke(main, ["check", *names], env={"DATABASE_URL": "", "CARNET_DATA": str(tmp_path)})

    os.chdir(tmp_path)
    assert told(run("right.carnet")) == "1 of 1 matches are right.\n"
    wrong = run("wrong.carnet")
    assert wrong.exit_code == 1
    assert [line.split(" ")[0] for line in wrong.stdout.splitlines()] == [
        "wrong.carnet:33:1:",
        "wrong.carnet:52:1:",
        "0",
    ]
    checked = run("--json", "all.ndjson", "wrong.carnet")
    problems = [json.loads(line)["problem"] for line in checked.stdout.splitlines()]
    codes = [problem and problem["code"] for problem in problems]
    assert codes == [None, "malformed", "log-broken", "no-result", "move-refused"]
    assert (problems[4]["refusal"], run("missing").exit_code) == ("not_your_turn", 2)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_commands(shell: str) -> None:
    assert "_CARNET_COMPLETE" in told(CliRunner().invoke(main, ["completion", shell]))


@pytest.mark.parametrize("command", ["show", "log x", "replay x", "stats", "new paris --player red=A", "backup b"])
def test_no_command_makes_a_database(tmp_path: Path, command: str) -> None:
    data = tmp_path / "missing"
    refused = CliRunner().invoke(main, command.split(), env={"DATABASE_URL": "", "CARNET_DATA": str(data)})
    assert (refused.exit_code, refused.stdout, refused.stderr) == (2, "", f"There is no Carnet in {data}.\n")
    assert list(tmp_path.iterdir()) == []


def test_a_backup_is_restored_and_is_the_same(
    carnet: Carnet, new_match: NewMatch, dsn: str, empty_dsn: str, tmp_path: Path
) -> None:
    with psycopg.connect(dsn) as connection:  # which the owner of the other database could not make
        connection.execute("CREATE EXTENSION pageinspect")
    for _ in range(2):
        new_match().record(*OPENING)
    file = tmp_path / "carnet.backup"
    assert told(carnet("backup", str(file))) == f"{file} has 2 matches with {2 * (len(OPENING) + 1)} events.\n"
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["carnet.backup"]
    place = {"DATABASE_URL": empty_dsn, "DATABASE_OWNER_URL": empty_dsn}
    restored = carnet("restore", str(file), **place)
    assert told(restored).startswith(f"Restored 2 matches with {2 * (len(OPENING) + 1)} events, of ")
    assert told(carnet("verify", **place)) == "All 2 matches are as they were recorded.\n"
    for form in ("text", "json", "bgsplay", "csv"):
        exports = [carnet("export", "--format", form, **there) for there in ({}, place)]
        assert exports[0].stdout_bytes == exports[1].stdout_bytes != b""
    again = carnet("restore", str(file), **place)
    assert again.exit_code == 2 and "already" in again.stderr


@pytest.mark.parametrize("suffix", ["carnet", "ndjson"])
def test_matches_go_out_and_come_back(
    carnet: Carnet, new_match: NewMatch, empty_dsn: str, tmp_path: Path, suffix: str
) -> None:
    ids = []
    for _ in range(2):
        match = new_match()
        match.record(*OPENING)
        ids.append(match.id)
    file, again = tmp_path / f"all.{suffix}", tmp_path / f"again.{suffix}"
    exported = carnet("export", "-o", str(file))
    assert (exported.exit_code, exported.stdout) == (0, "") and "--since" in exported.stderr
    assert told(CliRunner().invoke(main, ["check", str(file)])) == "2 of 2 matches are right.\n"
    with_ids = carnet("export", *sorted(ids), "--format", "text" if suffix == "carnet" else "json")
    assert with_ids.stdout_bytes == file.read_bytes()
    assert told(carnet("import", str(file))) == f"{file}: 2 same\n"
    replay = tmp_path / "replay.html"
    assert carnet("export", ids[0], "-o", str(replay)).exit_code == 0
    assert replay.read_bytes().startswith(b"<!doctype html>")
    for given in ([], ids):
        assert "goes with one match" in carnet("export", *given, "-o", str(replay)).stderr
    prepare(Logins(empty_dsn, empty_dsn))
    place = {"DATABASE_URL": empty_dsn, "DATABASE_OWNER_URL": empty_dsn}
    assert told(carnet("import", "--dry-run", str(file), **place)) == f"{file}: 2 new\n"
    assert json.loads(told(carnet("import", "--json", str(file), **place)))["counts"]["new"] == 2
    assert carnet("export", "-o", str(again), **place).exit_code == 0
    assert again.read_bytes() == file.read_bytes()


def test_files_that_are_too_large_for_a_request_go_in_parts(
    carnet: Carnet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "three.carnet"
    match = EXAMPLE.replace("result red 0 blue 0 shared\n", "")
    wrong = match.replace("2 red key", "2 blue key")
    file.write_text("\n".join([match.replace("11-18T19:30", "11-17T19:30"), wrong, match]), "utf-8")
    monkeypatch.setattr(transfers, "MAX_PART", len(match) + 50)
    imported = carnet("import", str(file))
    assert imported.exit_code == 1
    assert f"{file}:51: refused: " in imported.stdout
    assert imported.stdout.count("1 new") == 2


def test_a_backup_that_is_not_whole_is_refused(carnet: Carnet, match: Match, empty_dsn: str, tmp_path: Path) -> None:
    file = tmp_path / "carnet.backup"
    told(carnet("backup", str(file)))
    whole = file.read_bytes()
    place = {"DATABASE_URL": empty_dsn, "DATABASE_OWNER_URL": empty_dsn}
    for wrong in (whole[:-20_000], whole.replace(b'"sha256": "', b'"sha256": "0'), b"nonsense"):
        file.write_bytes(wrong)
        refused = carnet("restore", str(file), **place)
        assert refused.exit_code == 2 and "not a whole backup" in refused.stderr
    file.write_bytes(whole)
    with tarfile.open(file) as archive:
        for member in archive.getmembers():
            content = archive.extractfile(member)
            assert content is not None
            (tmp_path / member.name).write_bytes(content.read())
    manifest = json.loads((tmp_path / "manifest.json").read_text("utf-8"))
    manifest["contents"]["events"] += 1
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    with tarfile.open(file, "w") as archive:
        for name in ("manifest.json", "database.dump"):
            archive.add(tmp_path / name, name)
    differs = carnet("restore", str(file), **place)
    assert (differs.exit_code, "events" in differs.stderr) == (1, True)
