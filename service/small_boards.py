"""A cache of small boards for lists of matches, limited in bytes."""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias
from uuid import UUID

from service.cache import Cache

BYTES_BESIDE = 700
"""Memory of an entry besides the drawing itself, measured and rounded up."""

Key: TypeAlias = tuple[UUID, int]
"""Match and version. Its board never changes in the life of a process, which has one version of the rules."""


class SmallBoard(NamedTuple):
    """A position: its drawing, None if only the result is known, and the points of each seat."""

    drawing: str | None
    score: Mapping[str, int]


class SmallBoards(Cache[Key, SmallBoard]):
    """The cached boards."""

    def __init__(self, most_bytes: int = 4 * 2**20) -> None:
        super().__init__(most_bytes, lambda board: len(board.drawing or "") + BYTES_BESIDE)
