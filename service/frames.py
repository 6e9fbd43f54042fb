"""The frames that were asked for of late, as they went over the wire, kept in memory up to a number of bytes."""

from collections import OrderedDict
from threading import Lock
from typing import NamedTuple, TypeAlias
from uuid import UUID

BYTES_BESIDE = 700
"""What an entry takes beside the frame itself, measured and rounded up."""

Key: TypeAlias = tuple[UUID, int, int, str]
"""The match, its version, the ply and the language: such a frame never changes in the life of a process, which knows
one version of the rules."""


class KeptFrame(NamedTuple):
    """A frame in JSON, and its ETag."""

    body: bytes
    tag: str


class Frames:
    """Frames of versions by their keys; the least recently used goes first. Shared by the threads of a process."""

    def __init__(self, most_bytes: int = 16 * 2**20) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._kept: OrderedDict[Key, KeptFrame] = OrderedDict()
        self._lock = Lock()

    def find(self, key: Key) -> KeptFrame | None:
        """A frame, unless it must be made anew."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: Key, frame: KeptFrame) -> None:
        """Remember a frame."""
        with self._lock:
            if key in self._kept:
                return
            self._kept[key] = frame
            self._bytes += len(frame.body) + BYTES_BESIDE
            while self._bytes > self._most_bytes:
                _, dropped = self._kept.popitem(last=False)
                self._bytes -= len(dropped.body) + BYTES_BESIDE
