"""Threads that have a connection of their own."""

from contextlib import closing, suppress
from threading import Event, Lock, Thread
from typing import Any

import psycopg

MIN_RETRY = 0.1
MAX_RETRY = 5.0


class ConnectedThread:
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
            with suppress(psycopg.Error), closing(self._connect()) as connection:
                retry = MIN_RETRY
                self._work(connection)
            if self._ended.wait(retry):
                return
            retry = min(2 * retry, MAX_RETRY)

    def _connect(self) -> psycopg.Connection[Any]:
        """A connection that notices within half a minute that its server is gone."""
        options: dict[str, Any] = {"keepalives_idle": 15, "keepalives_interval": 5, "keepalives_count": 3}
        if "connect_timeout" not in psycopg.conninfo.conninfo_to_dict(self._dsn):
            options["connect_timeout"] = 5
        return psycopg.connect(self._dsn, autocommit=True, **options)

    def _work(self, connection: psycopg.Connection[Any]) -> None:
        raise NotImplementedError
