"""A cache of the verdicts on lines of annotations, limited in bytes."""

from typing import Final, TypeAlias
from uuid import UUID

from service.cache import Cache

BYTES_BESIDE: Final = 500
"""Memory of an entry besides the document, measured and rounded up."""

JudgedLine: TypeAlias = tuple[UUID, int, int, str]
"""An annotation, its revision, the version of the match, and the language of the sentences."""


class Verdicts(Cache[JudgedLine, bytes]):
    """The problem document of each line as JSON, or null where the rules allow it."""

    def __init__(self, most_bytes: int = 4 * 2**20) -> None:
        super().__init__(most_bytes, lambda document: len(document) + BYTES_BESIDE)
