"""A cache of serialized frames, limited in bytes."""

from typing import NamedTuple, TypeAlias
from uuid import UUID

from service.cache import Cache

BYTES_BESIDE = 700
"""Memory of an entry besides the frame itself, measured and rounded up."""

Key: TypeAlias = tuple[UUID, int, int, str]
"""Match, version, ply and language. Such a frame never changes in the life of a process, which has
one version of the rules."""


class CachedFrame(NamedTuple):
    """A serialized frame and its ETag."""

    body: bytes
    tag: str


class Frames(Cache[Key, CachedFrame]):
    """The cached frames."""

    def __init__(self, most_bytes: int = 16 * 2**20) -> None:
        super().__init__(most_bytes, lambda frame: len(frame.body) + BYTES_BESIDE)
