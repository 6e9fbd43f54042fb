"""The commands in the README do what it says."""

import json
import os
import re
import runpy
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask

from service.app import create_app
from service.auth import accounts
from service.auth.welcome import announce
from service.db.pool import Database
from tests.service.auth.people import first_owner
from tests.service.conftest import CONFIG
from tests.service.serving import served
from tests.service.tampering import as_service

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"^```python\n(.*?)^```$\n\nprints, with a running service,\n\n^```text\n(.*?)^```$", re.M | re.S)


@pytest.fixture
def url(app: Flask) -> Iterator[str]:
    with served(app.wsgi_app) as url:
        yield url


def section(title: str) -> str:
    """The text under a heading of the second order."""
    return README.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def link_checkout(folder: Path) -> None:
    """Make a folder a checkout in which nothing was run."""
    for name in (".venv", "domain", "migrations", "service"):
        (folder / name).symlink_to(ROOT / name)


def pasted(script: str, url: str, folder: Path) -> list[Any]:
    """The documents that lines print in a shell; each must come from a program that is content."""
    assert shutil.which("curl"), "curl is not installed; the lines of the README need it (Debian: apt install curl)"
    environ = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    done = subprocess.run(  # noqa: S603
        ["bash", "-euo", "pipefail", "-c", script],  # noqa: S607 - whichever bash and curl there are
        env={**environ, "CARNET_PORT": str(urlsplit(url).port)},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines() if line]


def test_a_match_with_curl(url: str, tmp_path: Path) -> None:
    printed = iter(pasted("\n".join(SHELL.findall(section("Over HTTP"))), url, tmp_path))

    created = next(printed)
    assert (created["game"], created["version"], created["venue"]) == ("cite-lumiere", 1, "club night")
    assert next(printed)["ply"] == 1
    recorded = next(printed)
    assert (recorded["version"], recorded["ply"]) == (13, 12)

    refused = next(printed)
    assert (refused["status"], refused["code"], refused["rule"]) == (422, "not_in_supply", "4.2")

    corrected = next(printed)
    assert (corrected["version"], corrected["ply"], corrected["dropped"]) == (14, 12, 0)
    assert [verdict["status"] for verdict in corrected["verdicts"]] == ["ok"] * 9
    assert corrected["state"] != recorded["state"]
    restored = next(printed)
    assert (restored["version"], restored["state"]) == (15, recorded["state"])

    frames = [next(printed) for _ in range(3)]
    assert [frame["ply"] for frame in frames] == [12, 11, 10]
    assert frames[0]["state"] == recorded["state"]
    lines = [next(printed) for _ in range(13)]
    assert [set(line) for line in lines] == [{"ply", "text"}] * 13

    note = next(printed)
    assert (note["ply"], note["glyph"], note["line_problem"]) == (3, "?!", None)
    assert list(printed) == []
    assert (tmp_path / "board.svg").read_text("utf-8").startswith("<svg")


def test_a_token_with_curl(database: Database, tmp_path: Path) -> None:
    app = create_app(replace(CONFIG, is_open=False), database)
    address = SHELL.findall(section("Over HTTP"))[0]
    with served(app.wsgi_app) as url:
        config = replace(CONFIG, is_open=False, port=int(url.rpartition(":")[2]), data=tmp_path / "var")
        with database.transaction() as connection:
            announce(accounts.welcome(connection), config, StringIO())
        [link] = re.findall(r"`(CARNET_LINK=.*?)`", section("Who may do what"))
        script = f"{link}\n{address}{''.join(SHELL.findall(section('Who may do what')))}"
        [me] = pasted(script, url, tmp_path)
    app.extensions["carnet"].close()
    assert (me["account"]["name"], me["account"]["role"]) == ("Olga", "owner")
    assert set(me["scopes"]) == {"read", "record", "annotate", "manage"}
    assert me["csrf_token"] is None


def test_the_command_that_makes_a_token(
    database: Database, dsn: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    app = create_app(replace(CONFIG, is_open=False), database)
    first_owner(app)
    app.extensions["carnet"].close()
    [command] = re.findall(r"^    (\S+/carnet token create .*)$", section("Who may do what"), re.MULTILINE)
    monkeypatch.setenv("DATABASE_URL", as_service(dsn))
    link_checkout(tmp_path)
    done = subprocess.run(  # noqa: S602
        command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("carnet_")


def test_the_example_of_the_client(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [(code, said)] = PYTHON.findall(section("A client for programs"))
    program = tmp_path / "example.py"
    program.write_text(code.replace("http://127.0.0.1:8000", url), "utf-8")
    runpy.run_path(str(program))
    assert capsys.readouterr().out == said


def settings(document: Path) -> list[str]:
    """The settings in the table of a text."""
    return re.findall(r"^\| `([A-Z_]+)` \|", document.read_text("utf-8"), re.MULTILINE)


def test_every_setting_is_named() -> None:
    read = "".join(
        (ROOT / "service" / name).read_text("utf-8") for name in ("config.py", "server/postgres/binaries.py")
    )
    named = settings(ROOT / "docs" / "operating.md")
    assert sorted(named) == sorted(set(re.findall(r'environ\.get\("([A-Z_]+)"[,)]', read)) - {"PATH"})
    assert set(settings(ROOT / "README.md")) < set(named)
