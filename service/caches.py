"""Caches of what never changes in the life of a process, which has one version of the rules; limited in bytes."""

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias
from uuid import UUID

from service.cache import Cache

BYTES_BESIDE: Final = 700
"""Memory of an entry besides the document itself, measured and rounded up."""


class CachedFrame(NamedTuple):
    """A serialized frame and its ETag."""

    body: bytes
    tag: str


FrameKey: TypeAlias = tuple[UUID, int, int, str]
"""Match, version, ply and language."""


class Frames(Cache[FrameKey, CachedFrame]):
    """The serialized frames of versions."""

    def __init__(self, most_bytes: int = 16 * 2**20) -> None:
        super().__init__(most_bytes, lambda frame: len(frame.body) + BYTES_BESIDE)


class SmallBoard(NamedTuple):
    """A position: its drawing, None if only the result is known, and the points of each seat."""

    drawing: str | None
    score: Mapping[str, int]


class SmallBoards(Cache[tuple[UUID, int], SmallBoard]):
    """The small boards in lists of matches, by match and version."""

    def __init__(self, most_bytes: int = 4 * 2**20) -> None:
        super().__init__(most_bytes, lambda board: len(board.drawing or "") + BYTES_BESIDE)


class Previews(Cache[str, bytes]):
    """The pictures of links to matches, by a digest of what they are drawn from."""

    def __init__(self, most_bytes: int = 4 * 2**20) -> None:
        super().__init__(most_bytes, lambda picture: len(picture) + BYTES_BESIDE)


JudgedLine: TypeAlias = tuple[UUID, int, int, str]
"""An annotation, its revision, the version of the match, and the language of the sentences."""


class Verdicts(Cache[JudgedLine, bytes]):
    """The problem document of each line of an annotation as JSON, or null where the rules allow it."""

    def __init__(self, most_bytes: int = 4 * 2**20) -> None:
        super().__init__(most_bytes, lambda document: len(document) + BYTES_BESIDE)
