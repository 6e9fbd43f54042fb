"""The results of one player compared with those by chance alone."""

from collections.abc import Iterable
from typing import NamedTuple

from service.db.statistics import Alike
from service.stats.codes import WHOLE
from service.stats.intervals import Difference, Interval, Rate, between, difference, rate


class Record(NamedTuple):
    """Some matches of a player: how many, the parts of wins in them, and the parts that chance alone would give."""

    number: int
    wins: int
    expected: int

    def less(self, other: "Record") -> "Record":
        """These matches without some of them."""
        return Record(*(mine - others for mine, others in zip(self, other, strict=True)))

    @property
    def rate(self) -> Rate:
        """The win rate as it is answered."""
        return rate(self.wins / WHOLE, self.number)

    @property
    def expected_rate(self) -> float | None:
        """The win rate by chance; None without a match."""
        return self.expected / WHOLE / self.number if self.number else None


def total(records: Iterable[Record]) -> Record:
    """All of some records together."""
    return Record(*map(sum, zip(Record(0, 0, 0), *records, strict=True)))


def record_of(parts: Iterable[Alike]) -> Record:
    """The record of matches that are counted by how they went."""
    counted = ((len(part.order), part.wins, WHOLE // part.players) for part in parts)
    return total(Record(number, number * wins, number * by_chance) for number, wins, by_chance in counted)


def beyond_chance(some: Record, others: Record, level: float) -> Difference:
    """By how much more the win rate of some matches is above chance than that of others.

    What chance gives in each is known, so the interval is that of the difference of the win rates, moved by it.
    """
    fewer = min(some.number, others.number)
    if not fewer:
        return difference(0, None, None)
    scale = WHOLE * some.number * others.number
    by_chance = (some.expected * others.number - others.expected * some.number) / scale
    value = ((some.wins - some.expected) * others.number - (others.wins - others.expected) * some.number) / scale
    low, high = between((some.wins / WHOLE, some.number), (others.wins / WHOLE, others.number), level)
    return difference(fewer, value, Interval(min(low - by_chance, value), max(high - by_chance, value)))
