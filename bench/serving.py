"""What answers over HTTP: the service, and a bare application under the same gunicorn with the same settings.

The service runs with sign-in switched off, as at home on one machine, so that it asks the database no more than the
bare routes do. Neither of the two writes a line about each request.

Run as a program it serves one of them until its standard input ends, so that it never outlives who started it.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

from flask import Flask, Response, request
from psycopg_pool import ConnectionPool

from bench.load import HOST, Client, UnexpectedAnswer, get
from service.config import Config, read_config
from service.server.run import CONNECTIONS, Gunicorn, serve

STARTS_WITHIN = 30.0
ENDS_WITHIN = 15.0

BARE_TABLE = "CREATE TABLE bare_events (LIKE events INCLUDING ALL)"
INSERT = """
INSERT INTO bare_events (match_id, seq, kind, payload, actor, recorded_at, prev_hash, hash)
VALUES (%(match_id)s, %(seq)s, %(kind)s, %(payload)s, %(actor)s, %(recorded_at)s, %(prev_hash)s, %(hash)s)
"""


class Bare(Gunicorn):
    """The least that Flask and psycopg can do: insert a row as it comes, or answer with what is in memory."""

    def load(self) -> Callable[..., Any]:
        """The application of one worker."""
        pool = ConnectionPool(self._dsn, kwargs={"autocommit": True}, min_size=1, max_size=CONNECTIONS, open=True)
        self._pool = pool
        app = Flask(__name__)

        @app.post("/rows")
        def insert() -> tuple[dict[str, object], int]:
            row = request.get_json()
            with pool.connection() as connection:
                connection.execute(INSERT, row)
            return {"seq": row["seq"]}, 201

        @app.get("/answers/<int:size>")
        def answer(size: int) -> Response:
            return Response(filler(size), content_type="application/json")

        return app

    def _close(self, _arbiter: object, _worker: object) -> None:
        self._pool.close()


@cache
def filler(size: int) -> bytes:
    """A JSON document of so many bytes."""
    return json.dumps("x" * (size - 2)).encode()


class Running(NamedTuple):
    """A service with its port and the process that began it."""

    port: int
    pid: int


@contextmanager
def running(what: str, dsn: str, settings: Mapping[str, str] | None = None) -> Iterator[Running]:
    """Serve `ours` or `bare` on a port of its own while the block runs."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
    environment = {**os.environ, "DATABASE_URL": dsn, "CARNET_HOST": HOST, "CARNET_OPEN": "1", "CARNET_PORT": str(port)}
    environment |= settings or {}
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "bench.serving", what],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    try:
        _wait_for(process, get("/readyz" if what == "ours" else "/answers/2"), port)
        yield Running(port, process.pid)
    finally:
        assert process.stdin is not None
        process.stdin.close()
        try:
            process.wait(ENDS_WITHIN)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_for(process: subprocess.Popen[bytes], asked: bytes, port: int) -> None:
    latest = time.monotonic() + STARTS_WITHIN
    while True:
        try:
            with Client(port) as client:
                client.require(asked, 200)
            return
        except (OSError, UnexpectedAnswer):
            if process.poll() is not None or time.monotonic() > latest:
                raise
        time.sleep(0.05)


def main(arguments: list[str]) -> int:
    """Serve until standard input ends."""
    config = read_config(os.environ)
    assert config.database_url is not None
    threading.Thread(target=_end_with_input, daemon=True).start()
    return _SERVED[arguments[0]](config, config.database_url)


def _end_with_input() -> None:
    while os.read(0, 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def _serve_bare(config: Config, dsn: str) -> int:
    Bare(config, dsn).run()
    return 0


_SERVED: dict[str, Callable[[Config, str], int]] = {"ours": serve, "bare": _serve_bare}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
