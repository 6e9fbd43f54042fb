"""Supervision of the embedded server while the service runs."""

import logging
from threading import Event, Thread
from types import TracebackType
from typing import Self

from service.server.postgres import Server, ServerUnavailable

log = logging.getLogger(__name__)


class Watch:
    """Starts a server, restarts it whenever it dies, and stops it at the end.

    One thread does all of that, because the system ends the server with the thread that started it.
    """

    def __init__(self, server: Server, seconds_between: float = 0.2) -> None:
        self._server = server
        self._seconds_between = seconds_between
        self._is_up = Event()
        self._is_over = Event()
        self._failure: ServerUnavailable | None = None
        self._thread = Thread(target=self._keep, name="database watch", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._is_up.wait()
        if self._failure is not None:
            raise self._failure
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._is_over.set()
        self._thread.join()

    def _keep(self) -> None:
        try:
            self._server.start()
        except ServerUnavailable as failure:
            self._failure = failure
            return
        finally:
            self._is_up.set()
        while not self._is_over.wait(self._seconds_between):
            try:
                self._server.start()
            except ServerUnavailable as failure:
                log.error("the database does not start again: %s", failure)
        self._server.stop()
