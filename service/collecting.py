"""Pauses of the garbage collector."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final


class _Pauses:
    """Counts who has paused it, since threads do so at the same time."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._number = 0

    def begin(self) -> None:
        with self._lock:
            self._number += 1
            gc.disable()

    def end(self) -> None:
        with self._lock:
            self._number -= 1
            if self._number == 0:
                gc.enable()


_PAUSES: Final = _Pauses()


@contextmanager
def without_collection() -> Iterator[None]:
    """Pause the search for cycles of objects in this process while the block runs.

    For work of some seconds that makes many objects and no cycles: they are freed as always when nothing refers to
    them, and need not be looked at twice until then.
    """
    _PAUSES.begin()
    try:
        yield
    finally:
        _PAUSES.end()
