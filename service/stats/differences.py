"""Differences between the seats of one match that have something and those that have not, and how sure they are.

Of `k` seats of which `h` are holders, the holders together win with the chance `h / k` if nothing depends on it. So
what chance alone would give is known exactly for any number of players, and an interval is an inverted test that needs
no estimated variance (docs/decisions/0014-intervals.md).
"""

from collections.abc import Callable, Sequence
from math import exp, expm1, log, log1p, sqrt
from typing import Final, NamedTuple

from service.stats.codes import WHOLE
from service.stats.intervals import Interval, Rate, deviations, wilson

_MAX_STEPS: Final = 60
"""Of a search for a root, which takes about six."""
_PRECISION: Final = 1e-9
_NEAR: Final = 1e-4
"""A distance that makes no difference."""


class Group(NamedTuple):
    """Matches with the same numbers of players and holders, and the parts of wins that the holders have together."""

    players: int
    holders: int
    number: int
    wins: int


class Contrast:
    """Matches in which some seats are holders and others are not; there is at least one."""

    def __init__(self, groups: Sequence[Group]) -> None:
        self._groups = groups
        self._holding = _Side([(group.number, group.holders, group.wins) for group in groups])
        self._others = _Side(
            [(group.number, group.players - group.holders, WHOLE * group.number - group.wins) for group in groups]
        )
        self.number = self._holding.number

    @property
    def holding(self) -> Rate:
        """The mean win of holders, as a rate is answered."""
        return self._holding.rate()

    @property
    def others(self) -> Rate:
        """The mean win of those who are no holders, as a rate is answered."""
        return self._others.rate()

    @property
    def difference(self) -> float:
        """The mean over matches of the difference between the two."""
        return (self._holding.wins - self._others.wins) / (WHOLE * WHOLE * self.number)

    def interval(self, level: float) -> Interval:
        """The interval of the difference: what two tests of one side do not exclude, each with half of the error."""
        tilted = _Tilted(self._groups)
        won = sum(group.wins / WHOLE * weight for group, weight in zip(self._groups, tilted.weights, strict=True))
        known, by_chance = self.difference, tilted.mean(0.0)
        low, high = ((end - by_chance) / self.number for end in tilted.ends(won, deviations(level)))
        return Interval(max(-1.0, min(known, low)), min(1.0, max(known, high)))


class _Side:
    """The seats of matches that are holders, or those that are not.

    Wins are counted in parts of parts: a seat has what its side won divided by the seats of the side, which is a whole
    number of them since `WHOLE` can be shared by as many seats as there are.
    """

    def __init__(self, matches: Sequence[tuple[int, int, int]]) -> None:
        """Of so many matches with so many seats on this side, the parts of wins that these have together."""
        self.number = sum(number for number, _, _ in matches)
        self.wins = sum(wins * (WHOLE // seats) for _, seats, wins in matches)
        self._most = sum(number * (WHOLE // seats) for number, seats, _ in matches)
        self._squares = sum(number * (WHOLE // seats) ** 2 for number, seats, _ in matches)

    def rate(self) -> Rate:
        """The mean win of a seat, with Wilson's interval.

        A side has one whole win at most, so the mean of its seats is at most one by their number; and matches that
        differ in this tell as much as Kish's effective number of them.
        """
        share, effective = self.wins / (WHOLE * self._most), self._most * self._most / self._squares
        scale = self._most / (WHOLE * self.number)
        low, high = wilson(share * effective, effective)
        return {"n": self.number, "rate": share * scale, "interval": [low * scale, high * scale]}


class _Tilted:
    """How much holders win, as an exponential family through chance.

    The odds of a win by holders are those by chance times `exp(tilt * weight)`, so the sum of what they won, each win
    by the weight that it has in the difference, is all that matches tell of the tilt.
    """

    def __init__(self, groups: Sequence[Group]) -> None:
        self.weights = [group.players / (group.holders * (group.players - group.holders)) for group in groups]
        self._terms = [
            (group.number, weight, log(group.holders / (group.players - group.holders)))
            for group, weight in zip(groups, self.weights, strict=True)
        ]
        number = sum(group.number for group in groups)
        self._step = (
            sum(group.number**2 * weight for group, weight in zip(groups, self.weights, strict=True)) / number**2
        )
        self._most = sum(number * weight for number, weight, _ in self._terms)

    def mean(self, tilt: float) -> float:
        """What holders win on average."""
        return sum(number * weight * _logistic(base + weight * tilt) for number, weight, base in self._terms)

    def ends(self, won: float, deviations: float) -> tuple[float, float]:
        """The least and the greatest mean with which so much, or more and less of it, is not too unlikely."""
        # Half of a step is what one match more or less comes to, less where unlike matches fill the gaps between sums.
        low, high = won - self._step / 2, won + self._step / 2
        return (
            self._end(low, deviations, -1) if low > _NEAR else 0.0,
            self._end(high, deviations, 1) if high < self._most - _NEAR else self._most,
        )

    def _end(self, won: float, deviations: float, side: int) -> float:
        """The mean on one side of what was won that is so many standard deviations from it.

        By the signed root of the likelihood ratio with the correction of Barndorff-Nielsen for sums that go in steps.
        """
        at = _root(self.mean, won)
        spread = sqrt(self._variance(at))
        most_likely = at * won - self._cumulant(at)

        def distance(logarithm: float) -> float:
            away = exp(logarithm)
            tilt = at + side * away
            root = sqrt(2 * max(0.0, most_likely - tilt * won + self._cumulant(tilt)))
            score = _log_sinh(self._step * away / 2) + log(2 * spread / self._step)
            return root + (score - log(root)) / root if root > _NEAR else root

        likely = log(deviations / spread)
        return self.mean(at + side * exp(_root(distance, deviations, likely - 0.2, likely + 0.2)))

    def _cumulant(self, tilt: float) -> float:
        return sum(number * _softplus(base + weight * tilt) for number, weight, base in self._terms)

    def _variance(self, tilt: float) -> float:
        chances = ((number * weight * weight, _logistic(base + weight * tilt)) for number, weight, base in self._terms)
        return sum(weighted * chance * (1 - chance) for weighted, chance in chances)


def _logistic(value: float) -> float:
    return 1 / (1 + exp(-value)) if value > 0 else exp(value) / (1 + exp(value))


def _log_sinh(value: float) -> float:
    return value + log(-expm1(-2 * value) / 2)


def _softplus(value: float) -> float:
    return max(0.0, value) + log1p(exp(-abs(value)))


def _root(rising: Callable[[float], float], target: float, low: float = -1.0, high: float = 1.0) -> float:
    """Where a rising function reaches a value, by false position; an end that stays loses weight (Illinois)."""
    while (below := rising(low) - target) > 0:
        low -= high - low
    while (above := rising(high) - target) < 0:
        high += high - low
    side = 0
    for _ in range(_MAX_STEPS):
        at = high - above * (high - low) / (above - below)
        value = rising(at) - target
        if abs(value) < _PRECISION * max(1.0, abs(target)):
            return at
        if value > 0:
            high, above = at, value
            below, side = below / 2 if side > 0 else below, 1
        else:
            low, below = at, value
            above, side = above / 2 if side < 0 else above, -1
    return (low + high) / 2
