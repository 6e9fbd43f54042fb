"""What attackers have in common: an end of the round, connections from addresses of their own, and counted answers."""

import json
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from typing import Any

from scripts.attack.target import API, Target

HOST = "127.0.0.1"
"""Where the service is reached; on loopback a client may have any other address of 127.0.0.0/8."""
ATTACKERS = 66
"""The last number of the first attacker's address."""
MAX_REQUESTS = 20_000
PATIENCE = 30.0
"""Seconds that an attacker waits for an answer, but not beyond the round."""
CONNECTS_WITHIN = 2.0
PAUSE = 0.05
"""Seconds after an answer that asks to come later, and between looks at the clock."""
NO_ANSWER = "no answer"
NO_CONNECTION = "no connection"
STATUS_LINE = 16
"""Bytes in which the status stands."""
TINY_BUFFER = 2048
TINY_SEGMENT = 536
"""Bytes; the least that systems take for a receive buffer and a TCP segment."""


def attacker_address(index: int) -> str:
    """The address of one of many attackers."""
    return f"127.0.0.{ATTACKERS + index}"


class Attacker:
    """One round of an attack, which ends after some seconds, after a number of requests, or when it is stopped."""

    def __init__(self, target: Target, seconds: float, addresses: int, is_stopped: Callable[[], bool]) -> None:
        self.target = target
        self.seconds = seconds
        self._addresses = addresses
        self._is_stopped = is_stopped
        self._end = time.monotonic() + seconds
        self._answers: list[str] = []
        """Appended to by all threads."""

    @property
    def answers(self) -> Counter[str]:
        """How often each status came; requests without an answer have a name of their own."""
        return Counter(self._answers)

    @property
    def is_over(self) -> bool:
        """Whether the round has ended."""
        return self.left <= 0 or len(self._answers) >= MAX_REQUESTS or self._is_stopped()

    @property
    def left(self) -> float:
        """Seconds until the end of the round."""
        return self._end - time.monotonic()

    def count(self, status: str) -> None:
        """Count an answer."""
        self._answers.append(status)

    def wait(self, seconds: float = float("inf")) -> None:
        """Wait for some seconds or until the round has ended."""
        until = time.monotonic() + seconds
        while not self.is_over and time.monotonic() < until:
            time.sleep(PAUSE)

    def together(self, steps: Iterable[Callable[[], object]], seconds: float = float("inf")) -> None:
        """Repeat each step in a thread of its own for some seconds or until the round has ended."""
        until = time.monotonic() + seconds

        def repeat(step: Callable[[], object]) -> None:
            while not self.is_over and time.monotonic() < until:
                step()

        steps = list(steps)
        with ThreadPoolExecutor(len(steps)) as threads:
            for done in [threads.submit(repeat, step) for step in steps]:
                done.result()

    def client(self, index: int = 0, token: str | None = None) -> "Client":
        """A client at one of the attackers' addresses."""
        return Client(self, attacker_address(index), token)

    def flood(
        self, requests: Iterable[bytes], *, at_once: int, per_second: float = 1.0, is_tiny: bool = False
    ) -> "Flood":
        """Open connections, the first ones at once, send a request on each and read nothing."""
        flood = Flood(self, is_tiny=is_tiny)
        for index, request in enumerate(requests):
            if index >= at_once:
                self.wait(1 / per_second)
            if self.is_over:
                break
            flood.add(attacker_address(index % self._addresses), request)
        return flood


class Client:
    """A client that keeps its connection, and connects again whenever that is lost."""

    def __init__(self, attacker: Attacker, address: str, token: str | None) -> None:
        self._attacker = attacker
        self._address = address
        self._headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._connection: HTTPConnection | None = None

    def get(self, path: str, accept: str = "application/json") -> bytes:
        """Send a request to read and return the body of the answer."""
        return self._send("GET", path, None, {"Accept": accept})

    def post(self, path: str, body: Any) -> bytes:
        """Send a document and return the body of the answer."""
        return self._send("POST", path, json.dumps(body).encode(), {"Content-Type": "application/json"})

    def _send(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> bytes:
        attacker = self._attacker
        try:
            if self._connection is None:
                self._connection = HTTPConnection(HOST, attacker.target.port, source_address=(self._address, 0))
            self._connection.timeout = max(PAUSE, min(PATIENCE, attacker.left))
            if self._connection.sock is not None:
                self._connection.sock.settimeout(self._connection.timeout)
            self._connection.request(method, f"{API}{path}", body, {**self._headers, **headers})
            response = self._connection.getresponse()
            answer = response.read()
        except (OSError, HTTPException):
            self.close()
            attacker.count(NO_ANSWER)
            attacker.wait(PAUSE)
            return b""
        attacker.count(str(response.status))
        if response.status in {429, 503}:
            attacker.wait(PAUSE)
        return answer

    def close(self) -> None:
        """Hang up."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class Flood:
    """Many connections that are open at the same time."""

    def __init__(self, attacker: Attacker, *, is_tiny: bool) -> None:
        self._attacker = attacker
        self._is_tiny = is_tiny
        """Whether the connections take little at a time, so that much of an answer stays with the service."""
        self._received: dict[socket.socket, bytes] = {}

    def add(self, address: str, request: bytes) -> None:
        """Open one more and send a request."""
        opened = socket.socket()
        try:
            if self._is_tiny:
                opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, TINY_BUFFER)
                opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, TINY_SEGMENT)
            opened.settimeout(max(PAUSE, min(CONNECTS_WITHIN, self._attacker.left)))
            opened.bind((address, 0))
            opened.connect((HOST, self._attacker.target.port))
            opened.sendall(request)
        except OSError:
            opened.close()
            self._attacker.count(NO_CONNECTION)
        else:
            opened.setblocking(False)
            self._received[opened] = b""

    def wait(self) -> None:
        """Wait until there is an answer on each connection or the round has ended."""
        while not self._attacker.is_over and not all(self._received.values()):
            self._read(STATUS_LINE)
            self._attacker.wait(PAUSE)

    def sip(self) -> None:
        """Read one byte from each connection that has one."""
        self._read(1)

    def close(self) -> None:
        """Count the answers by what came of them, and hang up."""
        self._read(STATUS_LINE)
        for opened, received in self._received.items():
            self._attacker.count(received[9:12].decode("ascii", "replace") or NO_ANSWER)
            opened.close()
        self._received.clear()

    def _read(self, size: int) -> None:
        for opened, received in self._received.items():
            with suppress(OSError):
                self._received[opened] = received + opened.recv(size)


def request_of(path: str, *headers: str) -> bytes:
    """A request to read, as it goes over the wire."""
    lines = (f"GET {path} HTTP/1.1", f"Host: {HOST}", *headers)
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode()
