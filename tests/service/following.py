"""Readers of server-sent events, of an application in this process or of the whole service."""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import orjson
from flask import Flask

from scripts.ports import reserved_port
from tests.service.harness import SETUP
from tests.service.serving import served
from tests.service.tampering import as_owner, as_service

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 60.0
"""Seconds after which what should come is missing."""


@dataclass(frozen=True, slots=True)
class Told:
    """A server-sent event."""

    name: str
    id: str | None
    data: Any


class Reader:
    """A client that reads the stream of a match."""

    def __init__(
        self,
        port: int,
        match_id: str,
        last_event_id: str | None = None,
        query: str = "",
        asked_with: Mapping[str, str] | None = None,
    ) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        headers = {**(asked_with or {}), **({} if last_event_id is None else {"Last-Event-ID": last_event_id})}
        self._connection.request("GET", f"/api/v1/matches/{match_id}/stream{query}", headers=headers)
        self.response = self._connection.getresponse()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.leave()

    def leave(self) -> None:
        """Close the connection."""
        self.response.close()
        self._connection.close()

    def block(self) -> list[str]:
        """The lines up to the next empty one; none at the end."""
        lines = []
        while line := self.response.readline().decode().removesuffix("\n"):
            lines.append(line)
        return lines

    def event(self) -> Told:
        """The next event, comments left out."""
        while block := self.block():
            fields = dict(line.split(": ", 1) for line in block if not line.startswith(":"))
            if "data" in fields:
                return Told(fields["event"], fields.get("id"), orjson.loads(fields["data"]))
        raise EOFError

    def settle(self) -> Self:
        """Read up to where the stream waits for changes."""
        assert self.block()[0].startswith("retry: ")
        assert self.block() == [":"]
        return self

    def read_to_end(self) -> None:
        """Read until the service ends the stream."""
        while self.block():
            pass


@contextmanager
def followed(app: Flask) -> Iterator[int]:
    """The port at which an application answers, which knows the sockets of its clients as it does under gunicorn."""
    answer = app.wsgi_app

    def with_socket(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        return answer({**environ, "gunicorn.socket": environ["werkzeug.socket"]}, start_response)

    with served(with_socket) as address:
        try:
            yield int(address.rpartition(":")[2])
        finally:
            app.extensions["carnet"].streams.end()


@contextmanager
def running(
    dsn: str, number: int = 1, program: Sequence[str] = ("-m", "service"), **settings: str
) -> Iterator[list[tuple[int, "subprocess.Popen[str]"]]]:
    """The ports and processes of whole services, as users run them, on one database; without sign-in unless told."""
    with ExitStack() as stack:
        started = [_start(dsn, stack, program, {"CARNET_OPEN": "1", **settings}) for _ in range(number)]
        for _, process in started:
            assert process.stdout is not None
            assert "Carnet is at" in process.stdout.readline()
        yield started


def _start(
    dsn: str, stack: ExitStack, program: Sequence[str], settings: Mapping[str, str]
) -> tuple[int, "subprocess.Popen[str]"]:
    port = stack.enter_context(reserved_port())
    database = {"DATABASE_URL": as_service(dsn), "DATABASE_OWNER_URL": as_owner(dsn)}
    own = {**database, "CARNET_HOST": "127.0.0.1", "CARNET_PORT": str(port)}
    plain = {"CARNET_PLAIN": os.environ.get("CARNET_PLAIN", "0")}
    others = {name: value for name, value in os.environ.items() if not name.startswith("CARNET_")} | plain
    environment = {**others, **own, **settings}
    command = [sys.executable, *program]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)  # noqa: S603
    stack.callback(_stop, process)
    return port, process


def _stop(process: "subprocess.Popen[str]") -> None:
    process.terminate()
    try:
        process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE)  # a worker that outlives its service fails the test, which goes on


def send(port: int, method: str, path: str, body: Mapping[str, Any] | None = None) -> tuple[int, Any]:
    """The status and the JSON that a service answers."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        content = None if body is None else orjson.dumps(body)
        connection.request(method, f"/api/v1{path}", content, {"Content-Type": "application/json"})
        response = connection.getresponse()
        return response.status, orjson.loads(response.read())


def begin(port: int) -> str:
    """A new match of Ana against Jan, by its path."""
    players = [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]
    status, match = send(port, "POST", "/matches", {"game": "cite-lumiere", "players": players, "setup": SETUP})
    assert status == 201
    return f"/matches/{match['id']}"
