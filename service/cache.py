"""A cache with least-recently-used eviction, limited in bytes or in number."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


def one(_value: object) -> int:
    """The size of each value in a cache that is limited in number."""
    return 1


class Cache(Generic[Key, Value]):
    """A thread-safe LRU cache.

    `size` returns the bytes of a value, with its key and all overhead; without it each value counts as one. A value
    that is larger than the limit is not cached.
    """

    def __init__(self, most: int, size: Callable[[Value], int] = one) -> None:
        self._most = most
        self._size = size
        self._used = 0
        self._kept: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, key: Key) -> Value | None:
        """Return a cached value."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: Key, value: Value) -> int:
        """Cache a value unless one is cached that it does not supersede; return the size of the whole cache."""
        with self._lock:
            before = self._kept.get(key)
            if before is None or self._supersedes(value, before):
                self._drop(key)
                self._add(key, value)
            return self._used

    def clear(self) -> None:
        """Drop all values."""
        with self._lock:
            for key in list(self._kept):
                self._drop(key)

    def _supersedes(self, _value: Value, _before: Value) -> bool:
        """Whether a value replaces another one under the same key. Most values never change."""
        return False

    def _added(self, value: Value) -> int:
        """The size by which a value makes the cache larger."""
        return self._size(value)

    def _dropped(self, value: Value) -> int:
        """The size by which the cache becomes smaller without a value."""
        return self._size(value)

    def _add(self, key: Key, value: Value) -> None:
        if self._size(value) > self._most:
            return
        self._kept[key] = value
        self._used += self._added(value)
        while self._used > self._most:
            self._drop(next(iter(self._kept)))

    def _drop(self, key: Key) -> None:
        value = self._kept.pop(key, None)
        if value is not None:
            self._used -= self._dropped(value)
