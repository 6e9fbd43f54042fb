"""Notices that a match was written to, sent after the commit and heard by the processes that have readers.

A notice can get lost, so nobody may rely on one: who waits for it also looks for himself from time to time.
"""

from collections.abc import Callable
from contextlib import closing, suppress
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from typing import Any, TypeAlias
from uuid import UUID

import psycopg

_Connection: TypeAlias = psycopg.Connection[Any]

CHANNEL = "carnet"
PAUSE = 0.05
"""Seconds after a notification of this process in which further ones are gathered."""
SHORTEST_RETRY = 0.1
LONGEST_RETRY = 5.0
HEARS_FOR = 0.2
"""Seconds after which a listener looks whether it is to end."""


class _Background:
    """A thread with a connection of its own, which it finds again after the database was away.

    It is started when it is first needed, which must be after the fork.
    """

    def __init__(self, name: str, dsn: str) -> None:
        self._name = name
        self._dsn = dsn
        self._lock = Lock()
        self._thread: Thread | None = None
        self._ended = Event()

    def start(self) -> None:
        """Begin, unless that was done before or it is over."""
        with self._lock:
            if self._thread is None and not self._ended.is_set():
                self._thread = Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()

    def close(self) -> None:
        """End the thread and its connection."""
        with self._lock:
            self._ended.set()
        if self._thread is not None:
            self._thread.join(LONGEST_RETRY)

    def _run(self) -> None:
        retry = SHORTEST_RETRY
        while True:
            with suppress(psycopg.Error), closing(_connect(self._dsn)) as connection:
                retry = SHORTEST_RETRY
                self._work(connection)
            if self._ended.wait(retry):
                return
            retry = min(2 * retry, LONGEST_RETRY)

    def _work(self, connection: _Connection) -> None:
        raise NotImplementedError


class Notices(_Background):
    """Tells all processes which matches this one has written to."""

    def __init__(self, dsn: str) -> None:
        super().__init__("carnet notices", dsn)
        self._told: SimpleQueue[UUID | None] = SimpleQueue()
        self._unsent: set[str] = set()

    def tell(self, match_id: UUID) -> None:
        """Let all know that a match was written to, once that is committed."""
        self._told.put(match_id)
        self.start()

    def close(self) -> None:
        """Send what was told, and end."""
        self._ended.set()
        self._told.put(None)
        super().close()

    def _work(self, connection: _Connection) -> None:
        connection.execute("SET synchronous_commit TO off")  # what gets lost in a crash would be heard by nobody
        goes_on = True
        while goes_on:
            goes_on = self._gather()
            if self._unsent:
                unsent = list(self._unsent)
                connection.execute("SELECT pg_notify(%s, told) FROM unnest(%s::text[]) AS told", (CHANNEL, unsent))
            self._unsent.clear()
            self._ended.wait(PAUSE)

    def _gather(self) -> bool:
        """Wait until something is told, and take all there is, each match once; False if that was the last."""
        told = [] if self._unsent else [self._told.get()]
        with suppress(Empty):
            while True:
                told.append(self._told.get_nowait())
        self._unsent |= {str(match_id) for match_id in told if match_id is not None}
        return None not in told


class Listener(_Background):
    """Hears what any process tells, and hands on the id of the match.

    It hands on None when it has begun to hear: what was told before then is lost.
    """

    def __init__(self, dsn: str, hear: Callable[[str | None], None]) -> None:
        super().__init__("carnet listener", dsn)
        self._hear = hear

    def _work(self, connection: _Connection) -> None:
        connection.execute(f"LISTEN {CHANNEL}")
        self._hear(None)
        while not self._ended.is_set():
            for notice in connection.notifies(timeout=HEARS_FOR):
                self._hear(notice.payload)


def _connect(dsn: str) -> _Connection:
    """A connection that notices within half a minute that its server is gone without a word."""
    return psycopg.connect(
        dsn, autocommit=True, connect_timeout=5, keepalives_idle=15, keepalives_interval=5, keepalives_count=3
    )
