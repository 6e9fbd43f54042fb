"""The frames that were asked for of late, as they went over the wire, kept in memory up to a number of bytes."""

from collections import OrderedDict
from threading import Lock
from typing import TypeAlias
from uuid import UUID

BYTES_BESIDE = 700
"""What an entry takes beside the frame itself, measured and rounded up."""

Key: TypeAlias = tuple[UUID, int, str]
"""The match, the ply, and the ETag with version, rules and language: a frame that never changes."""


class Frames:
    """Frames of versions by their keys; the least recently used goes first. Shared by the threads of a process."""

    def __init__(self, most_bytes: int = 16 * 2**20) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._kept: OrderedDict[Key, bytes] = OrderedDict()
        self._lock = Lock()

    def find(self, key: Key) -> bytes | None:
        """A frame, unless it must be made anew."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: Key, frame: bytes) -> None:
        """Remember a frame."""
        with self._lock:
            if key in self._kept:
                return
            self._kept[key] = frame
            self._bytes += len(frame) + BYTES_BESIDE
            while self._bytes > self._most_bytes:
                _, dropped = self._kept.popitem(last=False)
                self._bytes -= len(dropped) + BYTES_BESIDE
