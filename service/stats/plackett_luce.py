"""The model of Plackett and Luce for players each on his own (Weng and Lin, 2011, algorithm 4).

A strength is a normal distribution; a match moves those of its players by where they ended beside what was likely.
"""

from collections.abc import Sequence
from math import exp, sqrt
from typing import Final, NamedTuple


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


def rate(before: Sequence[Strength], places: Sequence[int]) -> list[Strength]:
    """The strengths after a match; places may be shared."""
    order = sorted(range(len(before)), key=places.__getitem__)
    ranks = [places[index] for index in order]
    mus = [before[index].mu for index in order]
    variances = [before[index].sigma ** 2 + _TAU_SQUARED for index in order]
    spread = sqrt(sum(variance + _BETA_SQUARED for variance in variances))
    weights = [exp(mu / spread) for mu in mus]
    # For each place, who ended there or behind it, and how many share it.
    rivals = [sum(weight for weight, at in zip(weights, ranks, strict=True) if at >= rank) for rank in ranks]
    sharing = [ranks.count(rank) for rank in ranks]
    after = list(before)
    for one, index in enumerate(order):
        gain, loss = 0.0, 0.0
        for other, rank in enumerate(ranks):
            if rank > ranks[one]:
                break
            chance = weights[one] / rivals[other]
            gain += ((other == one) - chance) / sharing[other]
            loss += chance * (1 - chance) / sharing[other]
        share = variances[one] / spread**2
        left = max(1 - loss * share * sqrt(share), _KAPPA)
        after[index] = Strength(mus[one] + gain * variances[one] / spread, sqrt(variances[one] * left))
    return after
