"""Supervision of the embedded server while the service runs."""

from threading import Event
from types import TracebackType
from typing import Self

from service.server.background import Periodic
from service.server.postgres import Server, ServerUnavailable


class Watch:
    """Starts a server, restarts it whenever it dies, and stops it at the end.

    One thread does all of that, because the system ends the server with the thread that started it.
    """

    def __init__(self, server: Server, seconds_between: float = 0.2) -> None:
        self._server = server
        self._is_decided = Event()
        self._failure: ServerUnavailable | None = None
        self._thread = Periodic(
            "database watch", seconds_between, self._start, expected=(ServerUnavailable,), at_end=self._stop
        )

    def __enter__(self) -> Self:
        self._thread.start()
        self._is_decided.wait()
        if self._failure is not None:
            self._thread.stop()
            raise self._failure
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._thread.stop()

    def _start(self) -> None:
        """Start the server unless it runs; a failure of the first start is for who opens the watch."""
        if self._failure is not None:
            return
        try:
            self._server.start()
        except ServerUnavailable as failure:
            if self._is_decided.is_set():
                raise
            self._failure = failure
        finally:
            self._is_decided.set()

    def _stop(self) -> None:
        if self._failure is None:
            self._server.stop()
