"""The model of Plackett and Luce for players each on his own (Weng and Lin, 2011, algorithm 4).

A strength is a normal distribution; a match moves those of its players by where they ended beside what was likely.
"""

from collections.abc import Sequence
from math import exp, sqrt
from typing import Final, TypeAlias

Strength: TypeAlias = tuple[float, float]
"""Where a strength lies (mu), and how far from there it may (sigma)."""

UNKNOWN: Final[Strength] = (25.0, 25.0 / 3.0)
"""Of whom nothing is known."""
_BETA_SQUARED: Final = (25.0 / 6.0) ** 2
"""How much chance there is in one match."""
_TAU_SQUARED: Final = (25.0 / 300.0) ** 2
"""How much strengths may change from match to match."""
_KAPPA: Final = 0.0001
"""The least part of a variance that a match leaves."""


def rate(before: Sequence[Strength], places: Sequence[int]) -> Sequence[Strength]:
    """The strengths after a match; places may be shared."""
    if len(before) == 2:
        return _rate_two(before[0], before[1], places[0] - places[1])
    variances = [sigma * sigma + _TAU_SQUARED for _, sigma in before]
    squared = sum(variances, len(before) * _BETA_SQUARED)
    spread = sqrt(squared)
    weights = [exp(mu / spread) for mu, _ in before]
    rivals, rivals_at = 0.0, {}
    for place, weight in sorted(zip(places, weights, strict=True), reverse=True):
        rivals += weight
        rivals_at[place] = rivals
    once, twice, shares_at = 0.0, 0.0, {}
    for place in sorted(rivals_at):
        share = 1 / rivals_at[place]
        once += share
        twice += share * share
        shares_at[place] = once, twice
    after = []
    for (mu, _), variance, weight, place in zip(before, variances, weights, places, strict=True):
        once, twice = shares_at[place]
        likely = weight * once
        gain, loss = 1 / places.count(place) - likely, likely - weight * weight * twice
        share = variance / squared
        left = max(1 - loss * share * sqrt(share), _KAPPA)
        after.append((mu + gain * variance / spread, sqrt(variance * left)))
    return after


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
