"""The advantage of beginning, estimated within pairs of players.

At the table the loser of the last match begins, so weaker players begin, and how often they win says little. They are
compared with what the same two players do whoever begins. That is not known exactly, and an estimate from their few
matches alone would be bent by the same rule, since who begins follows from who won. Therefore the strength of a player
beside another is a random variable, `Beta(s, s)` with the `s` that fits all pairs best, and the effect is where the
likelihood of all that happened leads. There it does not matter why somebody began, as long as that follows from earlier
matches of the two (docs/decisions/0014-intervals.md).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from math import lgamma, sqrt
from typing import Final, NamedTuple
from uuid import UUID

from service.db.statistics import Begun
from service.stats.intervals import MIN_MATCHES, Difference, Interval, bonferroni, deviations, difference

_SPREADS: Final = tuple(2.0**power for power in range(-1, 11))
"""The `s` that are tried, from very unequal pairs to equal ones."""
_MAX_ADVANTAGE: Final = 0.5
"""The greatest advantage there is: always before an equal."""


class _Pair(NamedTuple):
    """The matches of two players by who began; finishing ahead counts 2 and level 1."""

    began: int
    ahead_beginning: int
    followed: int
    ahead_following: int

    @property
    def number(self) -> int:
        return self.began + self.followed

    @property
    def ahead(self) -> float:
        """The matches in which the first player was ahead; level counts one half."""
        return (self.ahead_beginning + self.ahead_following) / 2

    @property
    def beginner_ahead(self) -> float:
        """The matches in which the beginner was ahead; level counts one half."""
        return self.ahead_beginning / 2 + self.followed - self.ahead_following / 2


def advantages(begun: Iterable[Begun]) -> dict[int, Difference]:
    """By number of players, how much more often than in one half of matches who begins finishes before an equal."""
    by_players: defaultdict[int, list[Begun]] = defaultdict(list)
    for row in begun:
        by_players[row.players].append(row)
    matches = {players: sum(row.number for row in some) // (players - 1) for players, some in by_players.items()}
    level = bonferroni(sum(number >= MIN_MATCHES for number in matches.values()))
    return {
        players: _advantage(players, matches[players], Counter(_pairs(some)), level)
        for players, some in by_players.items()
    }


def _pairs(begun: Iterable[Begun]) -> Iterable[_Pair]:
    totals: defaultdict[tuple[UUID, UUID], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for row in begun:
        ahead = row.ahead * row.number
        if row.first < row.other:
            pair, counts = (row.first, row.other), (row.number, ahead, 0, 0)
        else:
            pair, counts = (row.other, row.first), (0, 0, row.number, 2 * row.number - ahead)
        totals[pair] = [before + more for before, more in zip(totals[pair], counts, strict=True)]
    return (_Pair(*counts) for counts in totals.values())


def _advantage(players: int, matches: int, pairs: Mapping[_Pair, int], level: float) -> Difference:
    """One step of Newton's method towards the most likely effect, on the scale of shares.

    The score of the likelihood is what beginners did less what is expected of the pair, given all of its matches.
    """
    spread = max(_SPREADS, key=lambda spread: _likelihood(spread, pairs))
    score = information = 0.0
    for pair, times in pairs.items():
        first, second = spread + pair.ahead, spread + pair.number - pair.ahead
        total, balance = first + second, pair.began - pair.followed
        score += times * (pair.beginner_ahead - (pair.began * first + pair.followed * second) / total)
        information += times * first * second / (total * (total + 1)) * (pair.number - balance * balance / total)
    # One of three equals is before both others in a third of matches, so comparisons with several tell less.
    error = sqrt((1 + (players - 2) / 3) / information) / 4
    value = max(-_MAX_ADVANTAGE, min(_MAX_ADVANTAGE, score / (4 * information)))
    half = deviations(level) * error
    return difference(matches, value, Interval(max(-_MAX_ADVANTAGE, value - half), min(_MAX_ADVANTAGE, value + half)))


def _likelihood(spread: float, pairs: Mapping[_Pair, int]) -> float:
    """The logarithm of how likely it is that all pairs ended as they did, if beginning changes nothing."""
    alone = 2 * lgamma(spread) - lgamma(2 * spread)
    return sum(
        times
        * (
            lgamma(spread + pair.ahead)
            + lgamma(spread + pair.number - pair.ahead)
            - lgamma(2 * spread + pair.number)
            - alone
        )
        for pair, times in pairs.items()
    )
