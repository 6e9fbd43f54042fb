"""Ratings on the scale known from chess: a newcomer has 1500, and 400 points are odds of 10 : 1 between two players.

It is a linear map of the model's own numbers; nothing is computed or ordered by it.
"""

from math import log, sqrt
from typing import Final, TypedDict

from service.stats.intervals import Z
from service.stats.plackett_luce import BETA, UNKNOWN

NEWCOMER: Final = 1500.0
POINTS_PER_UNIT: Final = 400 / (log(10) * sqrt(2) * BETA)
"""Points of one unit of the model, whose odds between two known strengths are exp(difference / (sqrt(2) * BETA))."""
PROVISIONAL_ABOVE: Final = 250
"""Half the width of an interval, in points, beyond which a rating is provisional. 250 points are four wins in five:
below, the interval tells an equal from somebody who wins four in five, above it does not."""
WIDEST_SIGMA: Final = PROVISIONAL_ABOVE / (Z * POINTS_PER_UNIT)
"""The same for the standard deviation in units of the model."""


class RatingPoints(TypedDict):
    """The same on the scale known from chess.

    A newcomer has 1500, and 400 points are odds of 10 : 1 between two players.
    """

    rating: float
    plus_minus: float
    """Half the width of the interval at 95 %."""
    low: float
    """The lower end, by which players are ordered."""
    high: float


def points_of(mu: float, sigma: float) -> RatingPoints:
    """A rating in points, with the interval that holds the strength at 95 %."""
    rating = NEWCOMER + (mu - UNKNOWN[0]) * POINTS_PER_UNIT
    plus_minus = Z * sigma * POINTS_PER_UNIT
    return {"rating": rating, "plus_minus": plus_minus, "low": rating - plus_minus, "high": rating + plus_minus}


def is_provisional(sigma: float) -> bool:
    """True while the interval of a rating is too wide to rely on."""
    return sigma > WIDEST_SIGMA
