"""A cache with least-recently-used eviction, limited in bytes."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Cache(Generic[Key, Value]):
    """A thread-safe LRU cache.

    `size` returns the bytes of a value, with its key and all overhead.
    """

    def __init__(self, most_bytes: int, size: Callable[[Value], int]) -> None:
        self._most_bytes = most_bytes
        self._size = size
        self._bytes = 0
        self._kept: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def find(self, key: Key) -> Value | None:
        """Return a cached value."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: Key, value: Value) -> None:
        """Cache a value."""
        with self._lock:
            if key in self._kept:
                return
            self._kept[key] = value
            self._bytes += self._size(value)
            while self._bytes > self._most_bytes:
                _, dropped = self._kept.popitem(last=False)
                self._bytes -= self._size(dropped)
