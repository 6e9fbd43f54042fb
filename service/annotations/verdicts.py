"""What the rules say of the lines of annotations, kept in memory up to a number of bytes."""

from typing import Final, TypeAlias
from uuid import UUID

from service.cache import Cache

BYTES_BESIDE: Final = 500
"""What an entry takes beside the document, measured and rounded up."""

JudgedLine: TypeAlias = tuple[UUID, int, int, str]
"""An annotation, its revision, the version of the match, and the language of the sentences."""


class Verdicts(Cache[JudgedLine, bytes]):
    """A problem document in JSON for each line, or null where the rules allow it."""

    def __init__(self, most_bytes: int = 4 * 2**20) -> None:
        super().__init__(most_bytes, lambda document: len(document) + BYTES_BESIDE)
