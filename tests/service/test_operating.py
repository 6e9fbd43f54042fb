"""The commands in docs/operating.md do what it says."""

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from service.app import create_app
from service.auth import accounts
from service.db.pool import Database
from service.db.roles import prepare
from service.server.postgres import Server, find_binaries, reached
from tests.service.auth.people import first_owner
from tests.service.conftest import CONFIG
from tests.service.harness import SETUP, ok
from tests.service.test_readme import ROOT, SHELL, link_checkout

MANUAL = (ROOT / "docs" / "operating.md").read_text("utf-8")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that stands for a checkout, with a path that leaves room for a socket."""
    with tempfile.TemporaryDirectory(prefix="carnet-") as folder:
        link_checkout(Path(folder))
        yield Path(folder)


def pasted(script: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run lines in a shell; the first that fails ends them."""
    ours = re.compile("CARNET_|DATABASE_|PG(?!_BIN$)", re.ASCII)
    environment = {name: value for name, value in os.environ.items() if not ours.match(name)}
    return subprocess.run(  # noqa: S603
        ["bash", "-euo", "pipefail", "-c", script],  # noqa: S607 - whichever bash and curl there are
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.slow
def test_a_backup_is_taken_and_restored_by_the_lines_of_the_manual(folder: Path) -> None:
    _, _, rest = MANUAL.partition("\n## Backup and restore\n")
    backup, restore = SHELL.findall(rest.partition("\n## ")[0])
    with Server(folder / "var" / "postgres", find_binaries(os.environ), fsync=False) as server:
        prepare(server.logins())
        with closing(Database(server.logins().service)) as database:
            database.open()
            app = create_app(replace(CONFIG, is_open=False), database)
            players = [{"seat": seat, "name": name} for seat, name in (("orange", "Łukasz"), ("blue", "Ana"))]
            ok(first_owner(app).post("/matches", {"game": "cite-lumiere", "players": players, "setup": SETUP}), 201)
            app.extensions["carnet"].close()
        done = pasted(backup, folder)
        assert (done.returncode, done.stdout, done.stderr) == (0, "carnet.backup has 1 matches with 1 events.\n", "")
        output = pasted("python=.venv/bin/python; $python -m service show --json", folder).stdout
    done = pasted(backup.partition('"$python"')[0] + restore, folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("All 1 matches are as they were recorded.\n")
    assert sorted(path.name for path in (folder / "restored").iterdir()) == ["postgres"]
    restored = pasted("CARNET_DATA=$PWD/restored .venv/bin/python -m service show --json", folder).stdout
    assert restored == output and "Łukasz" in restored
    with (
        reached(folder / "restored" / "postgres", find_binaries(os.environ)) as logins,
        closing(Database(logins.service)) as database,
    ):
        database.open()
        with database.transaction() as connection:
            assert accounts.first_owner(connection) is not None
