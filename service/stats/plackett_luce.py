"""The model of Plackett and Luce for single players (Weng and Lin, 2011, algorithm 4).

A strength is a normal distribution; a match moves those of its players by where they ended beside what was likely.
In two things it departs from the paper, so that intervals hold what they say (decision 10): the chance in a match is
the same whatever the number of its players, and the uncertainty of strengths counts in the scale of a match by as much
as it flattens a logistic curve. Strengths become less certain with the months in which nothing was played.
"""

from collections.abc import Sequence
from functools import cache
from math import exp, pi, sqrt
from typing import Final, TypeAlias

Strength: TypeAlias = tuple[float, float]
"""Where a strength lies (mu), and how far from there it may (sigma)."""

UNKNOWN: Final[Strength] = (25.0, 25.0 / 3.0)
"""Of whom nothing is known."""
BETA: Final = 25.0 / 6.0
"""How much chance there is for one player in one match."""
_CHANCE_SQUARED: Final = 2 * BETA**2
"""The squared scale of the logistic curve of two known strengths, in matches of any number of players."""
_FLATTENING: Final = pi / 8
"""The part of the variance of a difference of strengths by which the squared scale of its logistic curve grows where
its mean is taken (MacKay, 1992)."""
_TAU_SQUARED: Final = (25.0 / 150.0) ** 2
"""How much strengths may change from match to match: five points of the scale known from chess."""
ABSENCE_SQUARED: Final = 0.9**2
"""How much they may change in a month without a match: 26.5 such points, 92 in a year."""
_KAPPA: Final = 0.0001
"""The least part of a variance that a match leaves."""


def rate(before: Sequence[Strength], places: Sequence[int]) -> tuple[Sequence[Strength], Sequence[float]]:
    """The strengths after a match, in which places may be shared, and the chance that each player had to win it."""
    if len(before) == 2:
        return _rate_two(before[0], before[1], places[0] - places[1])
    variances = [sigma * sigma + _TAU_SQUARED for _, sigma in before]
    squared = _CHANCE_SQUARED + 2 * _FLATTENING * sum(variances) / len(variances)
    spread = sqrt(squared)
    weights = [exp(mu / spread) for mu, _ in before]
    order = _order(tuple(places))
    rivals, shares = 0.0, []
    for place, _, is_first in reversed(order):
        rivals += weights[place]
        if is_first:
            shares.append(1 / rivals)
    chances = [weight / rivals for weight in weights]
    once = twice = 0.0
    after = list(before)
    for place, together, is_first in order:
        if is_first:
            share = shares.pop()
            once += share
            twice += share * share
        weight, variance = weights[place], variances[place]
        likely, part = weight * once, variance / squared
        left = 1 - (likely - weight * weight * twice) * part * sqrt(part)
        mu = before[place][0] + (1 / together - likely) * variance / spread
        after[place] = mu, sqrt(variance * max(left, _KAPPA))
    return after, chances


def after_absence(strength: Strength, months: int) -> Strength:
    """The strength of somebody who played nothing for so many months: where it was, and less certain up to unknown."""
    mu, sigma = strength
    return mu, min(sqrt(sigma * sigma + months * ABSENCE_SQUARED), max(sigma, UNKNOWN[1]))


@cache
def _order(places: tuple[int, ...]) -> Sequence[tuple[int, int, bool]]:
    """The players from the first to the last, with how many share a place and whether one is the first of these."""
    order = sorted(range(len(places)), key=places.__getitem__)
    return [
        (one, places.count(places[one]), rank == 0 or places[order[rank - 1]] != places[one])
        for rank, one in enumerate(order)
    ]


def _rate_two(first: Strength, other: Strength, behind: int) -> tuple[Sequence[Strength], Sequence[float]]:
    """The same for two players, one so many places behind the other: most matches, and all of some games."""
    (mu, sigma), (other_mu, other_sigma) = first, other
    variance, other_variance = sigma * sigma + _TAU_SQUARED, other_sigma * other_sigma + _TAU_SQUARED
    squared = _CHANCE_SQUARED + _FLATTENING * (variance + other_variance)
    spread = sqrt(squared)
    chance = 1 / (1 + exp((other_mu - mu) / spread))
    gain = ((0.5 if behind == 0 else behind < 0) - chance) / spread
    loss = chance * (1 - chance)  # at most a quarter, and no strength less certain than unknown: some is left
    share, other_share = variance / squared, other_variance / squared
    return (
        (mu + gain * variance, sqrt(variance * (1 - loss * share * sqrt(share)))),
        (other_mu - gain * other_variance, sqrt(other_variance * (1 - loss * other_share * sqrt(other_share)))),
    ), (chance, 1 - chance)
