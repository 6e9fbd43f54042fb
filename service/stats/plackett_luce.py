"""The model of Plackett and Luce for players each on his own (Weng and Lin, 2011, algorithm 4).

A strength is a normal distribution; a match moves those of its players by where they ended beside what was likely.
"""

from collections.abc import Sequence
from math import exp, sqrt
from typing import Final, NamedTuple, Protocol


class Known(Protocol):
    """What is known of a strength."""

    @property
    def mu(self) -> float: ...
    @property
    def sigma(self) -> float: ...


class Strength(NamedTuple):
    """Where a strength lies, and how far from there it may."""

    mu: float
    sigma: float


UNKNOWN: Final = Strength(25.0, 25.0 / 3.0)
"""Of whom nothing is known."""
_BETA_SQUARED: Final = (25.0 / 6.0) ** 2
"""How much chance there is in one match."""
_TAU_SQUARED: Final = (25.0 / 300.0) ** 2
"""How much strengths may change from match to match."""
_KAPPA: Final = 0.0001
"""The least part of a variance that a match leaves."""


def rate(before: Sequence[Known], places: Sequence[int]) -> list[Strength]:
    """The strengths after a match; places may be shared."""
    if len(before) == 2:
        return _rate_two(before[0], before[1], places[0] - places[1])
    variances = [one.sigma**2 + _TAU_SQUARED for one in before]
    spread = sqrt(sum(variances) + len(before) * _BETA_SQUARED)
    moved = _moves([exp(one.mu / spread) for one in before], places)
    after = []
    for one, variance, (gain, loss) in zip(before, variances, moved, strict=True):
        share = variance / (spread * spread)
        left = max(1 - loss * share * sqrt(share), _KAPPA)
        after.append(Strength(one.mu + gain * variance / spread, sqrt(variance * left)))
    return after


def _rate_two(one: Known, other: Known, behind: int) -> list[Strength]:
    """The same for two players, one so many places behind the other: most matches, and all of some games."""
    variance, other_variance = one.sigma**2 + _TAU_SQUARED, other.sigma**2 + _TAU_SQUARED
    squared = variance + other_variance + 2 * _BETA_SQUARED
    spread = sqrt(squared)
    chance = 1 / (1 + exp((other.mu - one.mu) / spread))
    loss = chance * (1 - chance)
    gain = (0.5 if behind == 0 else behind < 0) - chance
    share, other_share = variance / squared, other_variance / squared
    left, other_left = 1 - loss * share * sqrt(share), 1 - loss * other_share * sqrt(other_share)
    return [
        Strength(one.mu + gain * variance / spread, sqrt(variance * max(left, _KAPPA))),
        Strength(other.mu - gain * other_variance / spread, sqrt(other_variance * max(other_left, _KAPPA))),
    ]


def _moves(weights: Sequence[float], places: Sequence[int]) -> list[tuple[float, float]]:
    """How each strength moves and how much less it is open to doubt, both in parts of what that may come to."""
    behind = {
        place: sum(weight for weight, at in zip(weights, places, strict=True) if at >= place) for place in set(places)
    }
    moved = []
    for weight, own in zip(weights, places, strict=True):
        gain, loss = 1 / places.count(own), 0.0
        for place, rivals in behind.items():
            if place <= own:
                chance = weight / rivals
                gain -= chance
                loss += chance * (1 - chance)
        moved.append((gain, loss))
    return moved
