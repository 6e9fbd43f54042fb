"""The 8 × 8 board as bitboards: names of spaces, neighbours, regions, and where a shape can lie.

A set of spaces is one integer: bit 0 is a1 (top left), a column to the right is one bit up, a row down eight.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from random import Random
from typing import TypeAlias

from domain.chance import bits, each

Space: TypeAlias = int
"""The index of a space."""
Spaces: TypeAlias = int
"""A set of spaces."""

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


def names(spaces: Spaces) -> list[str]:
    """The names of a set's spaces, by column, then row."""
    return sorted(NAMES[space] for space in bits(spaces))


def edges(spaces: Spaces) -> Spaces:
    """The spaces that share an edge with a set and are not in it."""
    around = spaces >> 8 | spaces << 8 & FULL | (spaces & NOT_H) << 1 | (spaces & NOT_A) >> 1
    return around & ~spaces


def corners(spaces: Spaces) -> Spaces:
    """The spaces that touch a single space by a corner only."""
    sides = (spaces & NOT_H) << 1 | (spaces & NOT_A) >> 1
    return sides >> 8 | sides << 8 & FULL


def flood(start: Spaces, region: Spaces) -> Spaces:
    """All that can be reached from a set by steps over edges within a region."""
    reached = start
    while (grown := reached | edges(reached) & region) != reached:
        reached = grown
    return reached


def shifted(spaces: Spaces, columns: int, rows: int) -> Spaces:
    """The space so many columns to the right and rows down of a single space, or none beyond the edge."""
    row, column = divmod(spaces.bit_length() - 1, 8)
    column, row = column + columns, row + rows
    return 1 << row * 8 + column if 0 <= column < 8 and 0 <= row < 8 else 0


@dataclass(frozen=True, slots=True)
class Orientation:
    """A shape turned one way: its spaces with its box in the top left corner, and where that corner can go."""

    base: Spaces
    shifts: tuple[int, ...]
    anchors: Spaces

    def anchors_on(self, allowed: Spaces) -> Spaces:
        """Where the corner can go so that the shape covers allowed spaces alone."""
        anchors = self.anchors
        for shift in self.shifts:
            anchors &= allowed >> shift
        return anchors

    def within(self, allowed: Spaces, random: Random | None = None) -> Iterator[Spaces]:
        """Every set of allowed spaces that the shape covers, in an order drawn at random if there is a `random`."""
        return map(self.base.__lshift__, bits(self.anchors_on(allowed), random))


@dataclass(frozen=True, slots=True)
class Outline:
    """A shape in all the orientations that it may take, and every set of spaces that it can cover."""

    orientations: tuple[Orientation, ...]
    placements: frozenset[Spaces]

    def fits(self, allowed: Spaces) -> bool:
        """Whether the shape can lie somewhere on allowed spaces alone."""
        for orientation in self.orientations:
            anchors = orientation.anchors_on(allowed)
            if anchors:
                return True
        return False

    def within(self, allowed: Spaces, random: Random | None = None) -> Iterator[Spaces]:
        """Every placement that covers allowed spaces alone, in an order drawn at random if there is a `random`."""
        return chain.from_iterable(one.within(allowed, random) for one in each(self.orientations, random))


def outline(rows: tuple[str, ...], flip: bool) -> Outline:
    """The outline of a shape drawn with `#`, which may be turned, and turned over if `flip` says so."""
    shape = [(column, row) for row, line in enumerate(rows) for column, mark in enumerate(line) if mark == "#"]
    orientations: dict[Spaces, Orientation] = {}
    for drawn in (shape, [(-column, row) for column, row in shape]) if flip else (shape,):
        turned = drawn
        for _ in range(4):
            turned = [(-row, column) for column, row in turned]
            orientation = _orientation(turned)
            orientations.setdefault(orientation.base, orientation)
    placements = frozenset(cells for orientation in orientations.values() for cells in orientation.within(FULL))
    return Outline(tuple(orientations.values()), placements)


def _orientation(shape: list[tuple[int, int]]) -> Orientation:
    left, top = min(column for column, _ in shape), min(row for _, row in shape)
    shifts = tuple(sorted((row - top) * 8 + column - left for column, row in shape))
    width, height = max(column for column, _ in shape) - left + 1, max(row for _, row in shape) - top + 1
    anchors = sum(1 << row * 8 + column for row in range(9 - height) for column in range(9 - width))
    return Orientation(sum(1 << shift for shift in shifts), shifts, anchors)
