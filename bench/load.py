"""Clients of a service over HTTP: requests prepared as bytes, sent over one connection that stays open."""

import re
import socket
import statistics
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, islice
from threading import Barrier
from types import TracebackType
from typing import Self

from bench.processes import OutOfSupply, Processes

HOST = "127.0.0.1"
TIMEOUT = 30.0


class UnexpectedAnswer(Exception):
    """A service that did not do what it was asked, so that nothing was measured."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    body: bytes


class Client:
    """One connection, on bare sockets so that it costs next to nothing beside the service."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection((HOST, port), TIMEOUT)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._socket.close()

    def ask(self, request: bytes) -> Answer:
        """Send a request and read the answer."""
        self._socket.sendall(request)
        received = self._receive()
        while (end := received.find(b"\r\n\r\n")) < 0:
            received += self._receive()
        length = _LENGTH.search(received, 0, end + 2)
        if length is None:
            raise UnexpectedAnswer(f"an answer without a length: {received[:200]!r}")
        body = received[end + 4 :]
        while len(body) < int(length[1]):
            body += self._receive()
        return Answer(int(received[9:12]), body)

    def require(self, request: bytes, status: int) -> Answer:
        """Send a request and read the answer, which must have that status."""
        answer = self.ask(request)
        if answer.status != status:
            raise UnexpectedAnswer(f"{answer.status} instead of {status}: {answer.body[:500]!r}")
        return answer

    def _receive(self) -> bytes:
        received = self._socket.recv(65536)
        if not received:
            raise UnexpectedAnswer("the connection was closed")
        return received


_LENGTH = re.compile(rb"\r\ncontent-length: (\d+)\r\n", re.IGNORECASE)


def get(path: str, headers: str = "") -> bytes:
    """A request to read; each header ends its line."""
    return f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\nAccept: application/json\r\n{headers}\r\n".encode()


def post(path: str, body: bytes, headers: str = "") -> bytes:
    """A request to add something in JSON; each header ends its line."""
    head = f"POST {path} HTTP/1.1\r\nHost: {HOST}\r\nContent-Type: application/json\r\n{headers}"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


@dataclass(frozen=True, slots=True)
class Load:
    """What one client asks, one request after the other, for so many seconds.

    With a rate it asks so many a second, whether or not the answers keep up: a late answer makes the next ones late,
    and that counts. Without, the next request follows the answer to the last one.
    """

    port: int
    requests: Iterable[bytes]
    status: int
    seconds: float
    rate: float | None = None
    delay: float = 0.0
    """So much later does it begin than others, in seconds, so that clients with a rate do not ask in step."""

    def run(self, wait: Callable[[], None]) -> "Served":
        """Ask until the time is over."""
        with Client(self.port) as client:
            wait()
            return self._eager(client) if self.rate is None else self._paced(client, self.rate)

    def _eager(self, client: Client) -> "Served":
        requests = iter(self.requests)
        took = array("d")
        began = before = time.perf_counter()
        end = began + self.seconds
        while before < end:
            client.require(_next(requests), self.status)
            now = time.perf_counter()
            took.append(now - before)
            before = now
        return Served(before - began, took)

    def _paced(self, client: Client, rate: float) -> "Served":
        took = array("d")
        began = time.perf_counter() + self.delay
        count = int(self.seconds * rate)
        for index, request in enumerate(islice(self.requests, count)):
            due = began + index / rate
            while (early := due - time.perf_counter()) > 0:
                time.sleep(early)
            client.require(request, self.status)
            took.append(time.perf_counter() - due)
        return Served(time.perf_counter() - began, took)


@dataclass(frozen=True, slots=True)
class Together:
    """Clients with a rate, each in a thread of one process: they wait most of the time."""

    loads: Sequence[Load]

    @property
    def seconds(self) -> float:
        """The duration."""
        return max(load.seconds for load in self.loads)

    def run(self, wait: Callable[[], None]) -> "Served":
        """Ask until the time is over; the answers of all."""
        ready, begun = (Barrier(len(self.loads) + 1, timeout=TIMEOUT) for _ in range(2))

        def begin() -> None:
            ready.wait()
            begun.wait()

        with ThreadPoolExecutor(len(self.loads)) as threads:
            running = [threads.submit(load.run, begin) for load in self.loads]
            ready.wait()
            wait()
            begun.wait()
            served = [each.result() for each in running]
        return Served(max(each.seconds for each in served), array("d", chain.from_iterable(e.took for e in served)))


def _next(requests: Iterator[bytes]) -> bytes:
    request = next(requests, None)
    if request is None:
        raise OutOfSupply("there are not enough requests for so fast a service")
    return request


@dataclass(frozen=True, slots=True)
class Served:
    """How long a client asked, and the seconds of each answer."""

    seconds: float
    took: "array[float]"


@dataclass(frozen=True, slots=True)
class Latency:
    """How long answers took at a steady rate, in milliseconds."""

    rate: float
    p50: float
    p99: float


def saturate(processes: Processes, loads: Sequence[Load]) -> float:
    """How many requests a second are answered when each client asks as fast as answers come."""
    return sum(len(served.took) / served.seconds for served in processes.run(loads))


def pace(processes: Processes, loads: Sequence[Load]) -> Latency:
    """How long answers take when the clients ask at their rates."""
    took = [seconds for served in processes.run(loads) for seconds in served.took]
    percentiles = statistics.quantiles(took, n=100)
    return Latency(sum(load.rate or 0 for load in loads), percentiles[49] * 1000, percentiles[98] * 1000)
