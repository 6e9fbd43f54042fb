"""Ratings on the scale known from chess: a newcomer has 1500, and 400 points are odds of 10 : 1 between two players.

It is a linear map of the model's own numbers; nothing is computed or ordered by it.
"""

from math import log, sqrt
from typing import Any, Final

from service.stats.intervals import Z
from service.stats.plackett_luce import BETA, UNKNOWN

NEWCOMER: Final = 1500.0
POINTS_PER_UNIT: Final = 400 / (log(10) * sqrt(2) * BETA)
"""Points of one unit of the model, whose odds between two known strengths are exp(difference / (sqrt(2) * BETA))."""
PROVISIONAL_ABOVE: Final = 200.0
"""Half the width of an interval, in points, beyond which a rating is provisional. Two hundred points are three wins
in four: below, the interval tells an equal from somebody who wins three in four, above it does not."""


def points_of(mu: float, sigma: float) -> dict[str, Any]:
    """A rating in points, with the interval that holds the strength at 95 %."""
    rating = NEWCOMER + (mu - UNKNOWN[0]) * POINTS_PER_UNIT
    plus_minus = _plus_minus(sigma)
    return {"rating": rating, "plus_minus": plus_minus, "low": rating - plus_minus, "high": rating + plus_minus}


def is_provisional(sigma: float) -> bool:
    """Whether a rating is too uncertain to be relied on."""
    return _plus_minus(sigma) > PROVISIONAL_ABOVE


def _plus_minus(sigma: float) -> float:
    return Z * sigma * POINTS_PER_UNIT
