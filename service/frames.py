"""The frames that were asked for of late, as they went over the wire, kept in memory up to a number of bytes."""

from typing import NamedTuple, TypeAlias
from uuid import UUID

from service.cache import Cache

BYTES_BESIDE = 700
"""What an entry takes beside the frame itself, measured and rounded up."""

Key: TypeAlias = tuple[UUID, int, int, str]
"""The match, its version, the ply and the language: such a frame never changes in the life of a process, which knows
one version of the rules."""


class KeptFrame(NamedTuple):
    """A frame in JSON, and its ETag."""

    body: bytes
    tag: str


class Frames(Cache[Key, KeptFrame]):
    """Frames of versions by their keys."""

    def __init__(self, most_bytes: int = 16 * 2**20) -> None:
        super().__init__(most_bytes, lambda frame: len(frame.body) + BYTES_BESIDE)
