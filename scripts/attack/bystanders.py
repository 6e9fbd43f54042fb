"""Those who must not notice an attack: members who record matches, and readers at another address."""

import itertools
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from threading import Event
from types import TracebackType
from typing import Any, Self

import requests

from scripts.attack.attacker import HOST, NO_ANSWER
from scripts.attack.target import API, Target
from scripts.follow_rounds import PacedRecorder
from scripts.kill_rounds import draw

RECORDERS = 4
"""Several, so that each worker has connections of some."""
READERS = 2
PER_SECOND = 10.0
"""Moves that all recorders record together, and requests of all readers together."""
READER = "127.0.0.2"
"""The address of the readers; recorders are at the usual one."""
TIMEOUT = 10.0
"""Seconds after which a bystander gives an answer up."""
GIVES_UP_AFTER = 300.0


@dataclass
class Figures:
    """The answers that bystanders of one kind got, and the seconds that each took."""

    samples: list[tuple[str, float]] = field(default_factory=list)

    def add(self, status: str, seconds: float) -> None:
        """Note an answer; any thread may do so."""
        self.samples.append((status, seconds))

    @property
    def answers(self) -> Counter[str]:
        """How often each status came; requests without an answer have a name of their own."""
        return Counter(status for status, _ in self.samples)

    @property
    def failures(self) -> Counter[str]:
        """The answers that bystanders must not get."""
        return Counter({status: times for status, times in self.answers.items() if status[0] not in "23"})

    def percentile(self, percent: int) -> float:
        """The seconds within which so many of a hundred answers came."""
        seconds = sorted(seconds for _, seconds in self.samples)
        return seconds[min(len(seconds) - 1, len(seconds) * percent // 100)] if seconds else 0.0


class HonestRecorder(PacedRecorder):
    """A member who records public matches at a steady pace, and each move again until it is answered."""

    patience = GIVES_UP_AFTER
    timeout = TIMEOUT

    def __init__(
        self,
        url: str,
        token: str,
        figures: Figures,
        drawn: Sequence[tuple[Mapping[str, Any], Sequence[Any]]],
        index: int,
        name: str,
    ) -> None:
        public = [({**body, "visibility": "public"}, moves) for body, moves in drawn]
        super().__init__(url, name, public, RECORDERS / PER_SECOND, index / PER_SECOND)
        self._session.headers["Authorization"] = f"Bearer {token}"
        self._figures = figures

    def _request(self, method: str, path: str, body: Any, headers: Mapping[str, str] | None) -> requests.Response:
        began, status = time.monotonic(), NO_ANSWER
        try:
            response = super()._request(method, path, body, headers)
            status = str(response.status_code)
            return response
        finally:
            if method == "POST":
                self._figures.add(status, time.monotonic() - began)


class Reader:
    """Somebody without an account who looks at pages and states and follows a match, each on a new connection."""

    def __init__(self, target: Target, recorder: PacedRecorder, figures: Figures) -> None:
        self._port = target.port
        self._recorder = recorder
        self._figures = figures

    def read(self, over: Event) -> None:
        """Read one thing after the other at a steady pace."""
        due = time.monotonic()
        for count in itertools.count():
            if over.wait(max(0.0, due - time.monotonic())):
                return
            due = max(due + READERS / PER_SECOND, time.monotonic())
            match = self._recorder.present
            paths = ["/", f"{API}/matches?limit=20"]
            if match is not None:
                paths += [match.path, f"{API}{match.path}", f"{API}{match.path}/state", f"{API}{match.path}/stream"]
            self._read(paths[count % len(paths)])

    def _read(self, path: str) -> None:
        began, status = time.monotonic(), NO_ANSWER
        connection = HTTPConnection(HOST, self._port, timeout=TIMEOUT, source_address=(READER, 0))
        with suppress(OSError, HTTPException), closing(connection):
            connection.request("GET", path)
            with connection.getresponse() as response:
                # A stream does not end; its first line comes at once.
                _ = response.readline() if path.endswith("/stream") else response.read()
                status = str(response.status)
        self._figures.add(status, time.monotonic() - began)


class Bystanders:
    """Recorders and readers who are about while the block runs."""

    def __init__(self, target: Target, url: str, name: str) -> None:
        self.moves, self.reads = Figures(), Figures()
        drawn = list(draw(name))
        self.recorders = [
            HonestRecorder(url, target.honest, self.moves, drawn, index, f"{name}/{index}")
            for index in range(RECORDERS)
        ]
        self._readers = [Reader(target, recorder, self.reads) for recorder in self.recorders[:READERS]]
        self._over = Event()
        self._threads = ThreadPoolExecutor(RECORDERS + READERS)
        self._working: list[Future[None]] = []

    def __enter__(self) -> Self:
        self._working = [
            *(self._threads.submit(recorder.record, self._over) for recorder in self.recorders),
            *(self._threads.submit(reader.read, self._over) for reader in self._readers),
        ]
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        self._threads.shutdown()

    @property
    def errors(self) -> list[str]:
        """Why some of them gave up."""
        return [str(work.exception()) for work in self._working if work.done() and work.exception() is not None]
