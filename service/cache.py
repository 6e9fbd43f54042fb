"""What was used of late, kept in memory up to a number of bytes."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Cache(Generic[Key, Value]):
    """Values by their keys; the least recently used goes first. Shared by the threads of a process.

    `size` says how many bytes a value takes, with its key and all else.
    """

    def __init__(self, most_bytes: int, size: Callable[[Value], int]) -> None:
        self._most_bytes = most_bytes
        self._size = size
        self._bytes = 0
        self._kept: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def find(self, key: Key) -> Value | None:
        """A value, unless it must be made anew."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: Key, value: Value) -> None:
        """Remember a value."""
        with self._lock:
            if key in self._kept:
                return
            self._kept[key] = value
            self._bytes += self._size(value)
            while self._bytes > self._most_bytes:
                _, dropped = self._kept.popitem(last=False)
                self._bytes -= self._size(dropped)
