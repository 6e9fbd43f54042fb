"""How facts are packed into integers, so that the database can count equal ones without knowing what they mean."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Final, NamedTuple

WHOLE: Final = 60
"""A win in parts that can be shared evenly by up to six winners."""
_OFFSET: Final = 1 << 16


class Measure(IntEnum):
    """What is counted of the results of matches. Stored facts hold these numbers, so new ones go to the end."""

    POINTS = 0
    """Of each seat."""
    WINNING_POINTS = 1
    """Of the best seat."""
    MARGIN = 2
    """Of the best seat over the second one."""
    DRAW = 3
    """1 if the first place is shared."""
    PLIES = 4
    LEAD_CHANGES = 5
    FIRST_WINS = 6
    """The parts of a win that whoever began has."""
    FIRST_LEAD = 7
    """The points of whoever began, less those of the others on average, in parts of a point."""
    SEAT_WINS = 100
    """The parts of a win of the first seat of the game; those of the others follow."""


class Outcome(NamedTuple):
    """Of one feature in one match: how many seats had it, and the parts of a win that they have together."""

    feature: int
    holders: int
    wins: int


def pack_result(measure: int, value: int) -> int:
    """A measure of a match and its value."""
    return measure * 2 * _OFFSET + value + _OFFSET


def unpack_result(code: int) -> tuple[int, int]:
    """The measure and the value of a packed result."""
    measure, value = divmod(code, 2 * _OFFSET)
    return measure, value - _OFFSET


def pack_outcome(outcome: Outcome) -> int:
    """What a feature came to in a match."""
    return (outcome.feature << 8 | outcome.holders) << 8 | outcome.wins


def unpack_outcome(code: int) -> Outcome:
    """A packed outcome."""
    return Outcome(code >> 16, code >> 8 & 0xFF, code & 0xFF)


REASONS: Final = ("in_progress", "abandoned", "withdrawn", "ruling", "custom_edition", "rules_conflict")
"""Why a match does not count; the first that applies is told."""
INCLUDED: Final = 0
"""The code of a match that counts; those left out have the number of their reason, from 1."""


def unpack_population(counts: Mapping[int, int]) -> tuple[int, dict[str, int]]:
    """How many matches count, and how many do not by reason."""
    left_out = {REASONS[code - 1]: number for code, number in sorted(counts.items()) if code != INCLUDED and number}
    return counts.get(INCLUDED, 0), left_out
