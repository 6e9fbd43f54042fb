"""The model of Plackett and Luce for players each on his own (Weng and Lin, 2011, algorithm 4).

A strength is a normal distribution; a match moves those of its players by where they ended beside what was likely.
"""

from collections.abc import Sequence
from functools import cache
from math import exp, sqrt
from typing import Final, TypeAlias

Strength: TypeAlias = tuple[float, float]
"""Where a strength lies (mu), and how far from there it may (sigma)."""

UNKNOWN: Final[Strength] = (25.0, 25.0 / 3.0)
"""Of whom nothing is known."""
BETA: Final = 25.0 / 6.0
"""How much chance there is in one match."""
_BETA_SQUARED: Final = BETA**2
_TAU_SQUARED: Final = (25.0 / 300.0) ** 2
"""How much strengths may change from match to match."""
_KAPPA: Final = 0.0001
"""The least part of a variance that a match leaves."""


def rate(before: Sequence[Strength], places: Sequence[int]) -> Sequence[Strength]:
    """The strengths after a match; places may be shared."""
    if len(before) == 2:
        return _rate_two(before[0], before[1], places[0] - places[1])
    variances = []
    squared = len(before) * _BETA_SQUARED
    for _, sigma in before:
        variance = sigma * sigma + _TAU_SQUARED
        variances.append(variance)
        squared += variance
    spread = sqrt(squared)
    weights = [exp(mu / spread) for mu, _ in before]
    ended = _ended(tuple(places))
    rivals, rivals_of = 0.0, []
    for together in ended:
        for one in together:
            rivals += weights[one]
        rivals_of.append(rivals)
    once = twice = 0.0
    after = list(before)
    for together in reversed(ended):
        share = 1 / rivals_of.pop()
        once += share
        twice += share * share
        for one in together:
            variance, likely = variances[one], weights[one] * once
            gain, loss = 1 / len(together) - likely, likely - weights[one] * weights[one] * twice
            part = variance / squared
            left = max(1 - loss * part * sqrt(part), _KAPPA)
            after[one] = (before[one][0] + gain * variance / spread, sqrt(variance * left))
    return after


@cache
def _ended(places: tuple[int, ...]) -> Sequence[Sequence[int]]:
    """Who ended together, the last ones first; there are few ways to end, and many matches."""
    return [[one for one, own in enumerate(places) if own == place] for place in sorted(set(places), reverse=True)]


def _rate_two(one: Strength, other: Strength, behind: int) -> Sequence[Strength]:
    """The same for two players, one so many places behind the other: most matches, and all of some games."""
    (mu, sigma), (other_mu, other_sigma) = one, other
    variance, other_variance = sigma * sigma + _TAU_SQUARED, other_sigma * other_sigma + _TAU_SQUARED
    squared = variance + other_variance + 2 * _BETA_SQUARED
    spread = sqrt(squared)
    chance = 1 / (1 + exp((other_mu - mu) / spread))
    gain = ((0.5 if behind == 0 else behind < 0) - chance) / spread
    loss = chance * (1 - chance)  # at most a quarter, so more than the least part is left
    share, other_share = variance / squared, other_variance / squared
    return (
        (mu + gain * variance, sqrt(variance * (1 - loss * share * sqrt(share)))),
        (other_mu - gain * other_variance, sqrt(other_variance * (1 - loss * other_share * sqrt(other_share)))),
    )
