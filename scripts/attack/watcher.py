"""Memory and lives of the processes of a service while it is under attack."""

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from types import TracebackType
from typing import Self

from scripts.kill_rounds import PROCESSES, Service, children, memory_of

EVERY = 0.25
"""Seconds between two looks."""
CEILING = 6 * 2**20
"""KiB of PostgreSQL's memory at which an attack is called off, lest the machine has none left."""


class Watcher:
    """Looks at the processes of a service while the block runs."""

    def __init__(self, service: Service, call_off: Callable[[], None]) -> None:
        self._service = service
        self._call_off = call_off
        self._before = set(service.workers())
        self._over = Event()
        self._thread = Thread(target=self._watch)
        self.workers: dict[int, int] = {}
        """The most memory of each worker, in KiB."""
        self.database = 0
        """The most memory of all processes of PostgreSQL together, in KiB, without the buffers that they share."""
        self.killed: set[int] = set()
        """The workers that have ended."""

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(EVERY):
            with suppress(OSError, ValueError):  # a process may end while it is looked at
                self._look()

    def _look(self) -> None:
        workers = set(self._service.workers())
        self.killed |= self._before - workers
        for pid in workers:
            self.workers[pid] = max(self.workers.get(pid, 0), _private(pid))
        postmaster = self._service.database()
        backends = children(postmaster)
        taken = sum(map(_private, (postmaster, *backends)))
        self.database = max(self.database, taken)
        if taken > CEILING:
            self._call_off()
            for pid in backends:
                _cancel(pid)


def _private(pid: int) -> int:
    """The memory of a process, in KiB; what processes share for a purpose is left out, other shared pages are split."""
    with suppress(OSError):
        memory = memory_of(pid)
        return memory["Pss"] - memory["Pss_Shmem"]
    return 0


def _cancel(pid: int) -> None:
    """Cancel the statement of a process of PostgreSQL if it serves a client."""
    with suppress(OSError):
        if b"[local]" in (PROCESSES / f"{pid}/cmdline").read_bytes():
            os.kill(pid, signal.SIGINT)
