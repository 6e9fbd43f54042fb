"""Threads that do some work again and again while a process runs."""

import logging
from collections.abc import Callable
from threading import Event, Thread

log = logging.getLogger("carnet.background")


class Periodic:
    """A named thread that runs some work at once and then after each pause, until it is stopped.

    A run that fails is logged, and the next one is tried after the usual pause. It must be started after the fork.
    """

    def __init__(
        self,
        name: str,
        seconds_between: float,
        work: Callable[[], object],
        *,
        expected: tuple[type[Exception], ...] = (),
        at_end: Callable[[], object] | None = None,
    ) -> None:
        """`expected` are errors that are logged without a traceback; `at_end` is called by the thread when it stops."""
        self._name = name
        self._seconds_between = seconds_between
        self._work = work
        self._expected = expected
        self._at_end = at_end
        self._is_stopped = Event()
        self._thread = Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread, which finishes a run but no pause, and wait for its end."""
        self._is_stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._is_stopped.is_set():
            try:
                self._work()
            except self._expected as error:
                log.warning("%s failed and is tried again: %s", self._name, error)
            except Exception:
                log.exception("%s failed and is tried again", self._name)
            self._is_stopped.wait(self._seconds_between)
        if self._at_end is not None:
            self._at_end()
