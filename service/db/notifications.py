"""Notifications that a match has changed, sent after the commit to the processes that have readers.

A notification can get lost, so readers also check from time to time.
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
"""Seconds after a notification of this process in which further ones are collected."""
MIN_RETRY = 0.1
MAX_RETRY = 5.0
LISTEN_TIMEOUT = 0.2
"""Seconds after which a listener checks whether it is to end."""


class _Background:
    """A thread with a connection of its own, which it reopens after the database was not reachable.

    It is started when it is first needed, which must be after the fork.
    """

    def __init__(self, name: str, dsn: str) -> None:
        self._name = name
        self._dsn = dsn
        self._lock = Lock()
        self._thread: Thread | None = None
        self._ended = Event()

    def start(self) -> None:
        """Start the thread, unless it was started before or is closed."""
        with self._lock:
            if self._thread is None and not self._ended.is_set():
                self._thread = Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()

    def close(self) -> None:
        """End the thread and its connection."""
        with self._lock:
            self._ended.set()
        if self._thread is not None:
            self._thread.join(MAX_RETRY)

    def _run(self) -> None:
        retry = MIN_RETRY
        while True:
            with suppress(psycopg.Error), closing(_connect(self._dsn)) as connection:
                retry = MIN_RETRY
                self._work(connection)
            if self._ended.wait(retry):
                return
            retry = min(2 * retry, MAX_RETRY)

    def _work(self, connection: _Connection) -> None:
        raise NotImplementedError


class Notifier(_Background):
    """Notifies all processes of the matches that this one has changed."""

    def __init__(self, dsn: str) -> None:
        super().__init__("carnet notifications", dsn)
        self._queue: SimpleQueue[UUID | None] = SimpleQueue()
        self._unsent: set[str] = set()

    def notify(self, match_id: UUID) -> None:
        """Notify of a match, after the commit."""
        self._queue.put(match_id)
        self.start()

    def close(self) -> None:
        """Send what is queued, and end."""
        self._ended.set()
        self._queue.put(None)
        super().close()

    def _work(self, connection: _Connection) -> None:
        connection.execute("SET synchronous_commit TO off")  # nobody would listen for what gets lost in a crash
        goes_on = True
        while goes_on:
            goes_on = self._gather()
            if self._unsent:
                unsent = list(self._unsent)
                connection.execute("SELECT pg_notify(%s, id) FROM unnest(%s::text[]) AS id", (CHANNEL, unsent))
            self._unsent.clear()
            self._ended.wait(PAUSE)

    def _gather(self) -> bool:
        """Wait for notifications and take all there are, each match once; return False if those were the last."""
        match_ids = [] if self._unsent else [self._queue.get()]
        with suppress(Empty):
            while True:
                match_ids.append(self._queue.get_nowait())
        self._unsent |= {str(match_id) for match_id in match_ids if match_id is not None}
        return None not in match_ids


class Listener(_Background):
    """Listens to the notifications of all processes, and passes on the id of the match.

    It passes on None when it has begun to listen: notifications before then are lost.
    """

    def __init__(self, dsn: str, on_notification: Callable[[str | None], None]) -> None:
        super().__init__("carnet listener", dsn)
        self._on_notification = on_notification

    def _work(self, connection: _Connection) -> None:
        connection.execute(f"LISTEN {CHANNEL}")
        self._on_notification(None)
        while not self._ended.is_set():
            for notification in connection.notifies(timeout=LISTEN_TIMEOUT):
                self._on_notification(notification.payload)


def _connect(dsn: str) -> _Connection:
    """A connection that notices within half a minute that its server is gone."""
    return psycopg.connect(
        dsn, autocommit=True, connect_timeout=5, keepalives_idle=15, keepalives_interval=5, keepalives_count=3
    )
