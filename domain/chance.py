"""Going through things in order, or in an order drawn at random by a given `random.Random`.

A game generates its moves with these functions: in order they make a list of all; at random the first is a legal move
that was drawn, found without generating the others.
"""

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import TypeVar

Thing = TypeVar("Thing")


def each(things: Sequence[Thing], random: Random | None) -> Iterable[Thing]:
    """Every thing once, in order without a `random`. Drawn things are drawn one by one, as they are needed."""
    return things if random is None else _drawn(things, random)


def _drawn(things: Sequence[Thing], random: Random) -> Iterator[Thing]:
    left = list(things)
    while left:
        yield left.pop(random.randrange(len(left)))


def bits(members: int, random: Random | None = None) -> Iterator[int]:
    """The number of each bit of a set, in ascending order without a `random`, else drawn one by one."""
    while members:
        bit = members & -members if random is None else _drawn_bit(members, random)
        yield bit.bit_length() - 1
        members ^= bit


def _drawn_bit(members: int, random: Random) -> int:
    for _ in range(random.randrange(members.bit_count())):
        members &= members - 1
    return members & -members
