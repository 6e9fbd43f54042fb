"""The readers that wait for a match to change: woken by notices, and now and then in case one was lost."""

import socket
from threading import Event, Lock
from time import monotonic
from uuid import UUID

from service.metrics import METRICS
from service.problems import Problem
from service.store.notices import Listener

MOST = 120
"""Each holds a thread of its worker, and recorders must always find a free one."""
COMPARE_EVERY = 15.0
LOOK_EVERY = 1.0
"""Seconds after which the place of a client that has left is free again."""

SOONEST, SPREAD = 1000, 2000
"""Milliseconds after which the first reader that was let go comes back, and until the last one does."""


class Reader:
    """One client that waits for changes of a match; a thread waits with it."""

    def __init__(self, match_id: UUID, client: socket.socket | None, compare_every: float) -> None:
        self.match_id = str(match_id)
        self._client = client
        self._compare_every = compare_every
        self._woken = Event()
        self._is_over = False
        self.comes_back_after: int | None = None
        """Milliseconds that a client whom we have let go shall wait before it comes back."""

    def wake(self) -> None:
        """Let the thread compare what is with what the client knows."""
        self._woken.set()

    def end(self, comes_back_after: int) -> None:
        """Let the thread go, and the client with it."""
        self.comes_back_after = comes_back_after
        self._is_over = True
        self._woken.set()

    def wait(self) -> bool:
        """Wait until it is time to compare; False when nobody waits any longer."""
        latest = monotonic() + self._compare_every
        while (left := latest - monotonic()) > 0 and not self._woken.wait(min(left, LOOK_EVERY)):
            if _has_left(self._client):
                return False
        self._woken.clear()
        return not self._is_over


def _has_left(client: socket.socket | None) -> bool:
    """Whether a client has closed its connection, which otherwise only the second attempt to write would tell."""
    if client is None:
        return False
    try:
        return client.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


class Streams:
    """The readers of one process, with one listener for all of them."""

    def __init__(self, dsn: str, most: int = MOST, compare_every: float = COMPARE_EVERY) -> None:
        self._most = most
        self._compare_every = compare_every
        self._listener = Listener(dsn, self._wake)
        self._lock = Lock()
        self._readers: set[Reader] = set()
        self._is_over = False

    def enter(self, match_id: UUID, client: socket.socket | None) -> Reader:
        """A place for one more reader; raise `Problem`."""
        reader = Reader(match_id, client, self._compare_every)
        with self._lock:
            if len(self._readers) >= self._most:
                raise Problem(
                    "too-many-streams", "Too many readers wait for changes here; try again.", {"Retry-After": "5"}
                )
            self._readers.add(reader)
            METRICS.streams.set(len(self._readers))
            if self._is_over:
                reader.end(SOONEST)
        self._listener.start()
        return reader

    def leave(self, reader: Reader) -> None:
        """Give a place back."""
        with self._lock:
            self._readers.discard(reader)
            METRICS.streams.set(len(self._readers))

    def end(self) -> None:
        """Let all readers go, and those that still come; they shall not all come back at once."""
        with self._lock:
            self._is_over = True
            for place, reader in enumerate(self._readers):
                reader.end(SOONEST + place * SPREAD // len(self._readers))

    def close(self) -> None:
        """Let all readers go and hear nothing more."""
        self.end()
        self._listener.close()

    def _wake(self, match_id: str | None) -> None:
        with self._lock:
            for reader in self._readers:
                if match_id in {None, reader.match_id}:
                    reader.wake()
