"""Numbers of tokens of every kind, and how they are added up."""

from collections.abc import Iterable
from typing import Final, TypeAlias

Tokens: TypeAlias = tuple[int, int, int, int, int, int]
"""How many tokens of each kind."""
NO_TOKENS: Final[Tokens] = (0, 0, 0, 0, 0, 0)


def tokens(counts: Iterable[int]) -> Tokens:
    """Six counts, in the order of the kinds."""
    wood, marble, gold, bronze, silver, gilt = counts
    return wood, marble, gold, bronze, silver, gilt


def plus(some: Tokens, more: Iterable[int]) -> Tokens:
    """Tokens after others were added."""
    return tokens(count + other for count, other in zip(some, more, strict=True))


def minus(held: Tokens, spent: Iterable[int]) -> Tokens:
    """Tokens after some were given away."""
    return tokens(count - gone for count, gone in zip(held, spent, strict=True))
