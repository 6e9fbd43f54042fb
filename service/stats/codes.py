"""How facts are packed into integers, so that the database can count equal ones without knowing what they mean."""

from collections import Counter
from collections.abc import Mapping
from enum import IntEnum
from typing import Final, NamedTuple

from service.db.categories import REASONS, Figures, Selection

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
    """The parts of a win of the player who began."""
    FIRST_LEAD = 7
    """The points of the player who began, less those of the others on average, in parts of a point."""
    SEAT_WINS = 100
    """The parts of a win of the first seat of the game; those of the others follow."""


OUTCOMES: Final = frozenset({Measure.DRAW, Measure.FIRST_WINS})
"""The measures, besides those of the wins of each seat, that count where only the outcome of a match does."""


class FeatureOutcome(NamedTuple):
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


def pack_outcome(outcome: FeatureOutcome) -> int:
    """What a feature came to in a match."""
    return (outcome.feature << 8 | outcome.holders) << 8 | outcome.wins


def unpack_outcome(code: int) -> FeatureOutcome:
    return FeatureOutcome(code >> 16, code >> 8 & 0xFF, code & 0xFF)


OUTCOME_ONLY_REASONS: Final = ("ruling", "corrected_edition")
"""Why only the outcome of a match counts."""
INCLUDED: Final = 0
"""The code of a match that may count; those that never do have the number of their reason, from 1."""


class Population(NamedTuple):
    """How many matches count, of how many of these only the outcome does, and how many do not count, by reason."""

    included: int
    outcome_only: Mapping[str, int]
    excluded: Mapping[str, int]


def unpack_population(counts: Mapping[tuple[int, int], int], selection: Selection) -> Population:
    """The population from the numbers of matches by code and category."""
    included = 0
    excluded, outcome_only = Counter[str](), Counter[str]()
    for (code, category), number in sorted(counts.items()):
        if code != INCLUDED:
            excluded[REASONS[code - 1]] += number
        elif (reason := selection.reason(category, Figures.OUTCOMES)) is not None:
            excluded[reason] += number
        else:
            included += number
            if (reason := selection.reason(category, Figures.PLAY)) is not None:
                outcome_only[reason] += number
    return Population(included, outcome_only, excluded)
