"""The 8 × 8 board as bitboards: names of spaces, neighbours, regions, and where a shape can lie.

A set of spaces is one integer: bit 0 is a1 (top left), a column to the right is one bit up, a row down eight.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from domain.chance import bits_at_random, each

NAMES = tuple(f"{column}{row}" for row in range(1, 9) for column in "abcdefgh")
INDEX = {name: index for index, name in enumerate(NAMES)}
MASK = {name: 1 << index for index, name in enumerate(NAMES)}

FULL = 2**64 - 1
COLUMN_A = sum(1 << index for index in range(0, 64, 8))
COLUMN_H = COLUMN_A << 7
NOT_A = FULL & ~COLUMN_A
NOT_H = FULL & ~COLUMN_H

SQUARE = 1 | 1 << 1 | 1 << 9 | 1 << 8
SQUARES = tuple(row * 8 + column for row in range(0, 8, 2) for column in range(0, 8, 2))

FACINGS = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}


def bits(mask: int) -> Iterator[int]:
    """Each space of a set as a set of its own, from a1 on."""
    while mask:
        low = mask & -mask
        yield low
        mask ^= low


def each_bit(mask: int, random: Random | None) -> Iterator[int]:
    """What `bits` gives, in an order drawn at random if there is a `random`."""
    return bits(mask) if random is None else bits_at_random(mask, random)


def names(mask: int) -> list[str]:
    """The names of a set's spaces, by column, then row."""
    return sorted(NAMES[bit.bit_length() - 1] for bit in bits(mask))


def edges(mask: int) -> int:
    """The spaces that share an edge with a set and are not in it."""
    around = mask >> 8 | mask << 8 & FULL | (mask & NOT_H) << 1 | (mask & NOT_A) >> 1
    return around & ~mask


def corners(mask: int) -> int:
    """The spaces that touch a single space by a corner only."""
    sides = (mask & NOT_H) << 1 | (mask & NOT_A) >> 1
    return sides >> 8 | sides << 8 & FULL


def flood(start: int, region: int) -> int:
    """All that can be reached from a set by steps over edges within a region."""
    reached = start
    while True:
        grown = reached | edges(reached) & region
        if grown == reached:
            return reached
        reached = grown


def shifted(space: int, columns: int, rows: int) -> int:
    """The space so many columns to the right and rows down of a single space, or 0 beyond the edge."""
    index = space.bit_length() - 1
    column, row = index % 8 + columns, index // 8 + rows
    return 1 << row * 8 + column if 0 <= column < 8 and 0 <= row < 8 else 0


@dataclass(frozen=True, slots=True)
class Orientation:
    """A shape turned one way: its spaces with its box in the top left corner, and where that corner can go."""

    base: int
    shifts: tuple[int, ...]
    anchors: int


@dataclass(frozen=True, slots=True)
class Outline:
    """A shape in all the orientations that it may take, and every set of spaces that it can cover."""

    orientations: tuple[Orientation, ...]
    placements: frozenset[int]

    def fits(self, allowed: int) -> bool:
        """Whether the shape can lie somewhere on allowed spaces alone."""
        for orientation in self.orientations:
            anchors = orientation.anchors
            for shift in orientation.shifts:
                anchors &= allowed >> shift
            if anchors:
                return True
        return False

    def within(self, allowed: int) -> Iterator[int]:
        """Every placement that covers allowed spaces alone."""
        for orientation in self.orientations:
            anchors = orientation.anchors
            for shift in orientation.shifts:
                anchors &= allowed >> shift
            base = orientation.base
            while anchors:
                low = anchors & -anchors
                yield base * low
                anchors ^= low

    def within_at_random(self, allowed: int, random: Random) -> Iterator[int]:
        """What `within` gives, in an order drawn at random."""
        for orientation in each(self.orientations, random):
            anchors = orientation.anchors
            for shift in orientation.shifts:
                anchors &= allowed >> shift
            for anchor in bits_at_random(anchors, random):
                yield orientation.base * anchor


def outline(rows: tuple[str, ...], flip: bool) -> Outline:
    """The outline of a shape drawn with `#`, which may be turned, and turned over if `flip` says so."""
    shape = [(column, row) for row, line in enumerate(rows) for column, mark in enumerate(line) if mark == "#"]
    orientations: dict[int, Orientation] = {}
    for drawn in (shape, [(-column, row) for column, row in shape]) if flip else (shape,):
        turned = drawn
        for _ in range(4):
            turned = [(-row, column) for column, row in turned]
            orientation = _orientation(turned)
            orientations.setdefault(orientation.base, orientation)
    placements = frozenset(
        orientation.base * anchor for orientation in orientations.values() for anchor in bits(orientation.anchors)
    )
    return Outline(tuple(orientations.values()), placements)


def _orientation(shape: list[tuple[int, int]]) -> Orientation:
    left, top = min(column for column, _ in shape), min(row for _, row in shape)
    shifts = tuple(sorted((row - top) * 8 + column - left for column, row in shape))
    width, height = max(column for column, _ in shape) - left + 1, max(row for _, row in shape) - top + 1
    anchors = sum(1 << row * 8 + column for row in range(9 - height) for column in range(9 - width))
    return Orientation(sum(1 << shift for shift in shifts), shifts, anchors)
