"""The embedded server comes back by itself for as long as the service runs, and is stopped with it."""

import os
import signal
import time
from pathlib import Path

import psycopg
import pytest

from service.server.postgres import FolderLocked, Server, find_binaries
from service.server.postgres.watch import Watch


def answers(dsn: str) -> bool:
    try:
        with psycopg.connect(dsn, connect_timeout=5) as connection:
            return connection.execute("SELECT 1").fetchone() == (1,)
    except psycopg.OperationalError:
        return False


def comes_true(dsn: str, seconds: float = 20) -> bool:
    latest = time.monotonic() + seconds
    while time.monotonic() < latest:
        if answers(dsn):
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("name", ["plain", "a,comma"])
def test_a_killed_server_comes_back_under_the_same_address_with_its_data(tmp_path: Path, name: str) -> None:
    server = Server(tmp_path / name, find_binaries(os.environ))
    with Watch(server, seconds_between=0.02):
        dsn = server.dsn()
        with psycopg.connect(dsn) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
        killed = server.pid
        os.kill(killed, signal.SIGKILL)
        assert comes_true(dsn)
        with psycopg.connect(dsn) as connection:
            assert connection.execute("SELECT number FROM kept").fetchone() == (7,)
        assert server.pid != killed
    assert not answers(dsn)


def test_a_server_that_cannot_start_is_told_at_once(tmp_path: Path) -> None:
    binaries = find_binaries(os.environ)
    with Server(tmp_path, binaries, fsync=False), pytest.raises(FolderLocked), Watch(Server(tmp_path, binaries)):
        pass
