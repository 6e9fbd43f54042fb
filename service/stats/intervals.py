"""How much is known: intervals of rates and means, from counts alone. The unit is the match."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import sqrt
from statistics import NormalDist
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias, TypedDict

from service.http.shapes import Count, Keywords, Share

LEVEL = 0.95
Z: Final = NormalDist().inv_cdf((1 + LEVEL) / 2)
"""Standard deviations on either side of the mean between which a normal variable lies with this probability."""
MIN_MATCHES = 20
"""Matches below which nothing is said of a difference."""


class Interval(NamedTuple):
    """Where a number lies in all likelihood."""

    low: float
    high: float


Ends: TypeAlias = Annotated[list[float], Keywords(minItems=2, maxItems=2, description="Lower and upper end, at 95 %.")]


class Rate(TypedDict):
    """A rate with its count and interval."""

    n: Count
    """On how many it rests."""
    rate: Share | None
    interval: Ends | None
    """Wilson's interval at 95 %."""


class Mean(TypedDict):
    """A mean with its interval; null where there is nothing to take it of."""

    n: Count
    """On how many it rests."""
    mean: float | None
    """The arithmetic mean."""
    interval: Ends | None
    """Student's interval at 95 %, from 20 on."""


class HistogramBar(TypedDict):
    """How often a value occurs."""

    value: int
    n: Count
    """On how many it rests."""


class Spread(TypedDict):
    """A mean with its interval, quantiles and histogram."""

    n: Count
    """On how many it rests."""
    mean: float | None
    """The arithmetic mean."""
    interval: Ends | None
    """Of the mean, at 95 %."""
    quantiles: dict[str, float | None]
    """By their part of the whole, such as `0.5` for the median."""
    histogram: list[HistogramBar]
    """How often each value occurs."""


class Difference(TypedDict):
    """A difference between two groups with its interval, and whether it is more than chance."""

    n: Count
    """The matches that tell something of it."""
    difference: float | None
    """The first less the second."""
    interval: Ends | None
    """At 95 % for all differences told together."""
    verdict: Literal["higher", "lower", "no_clear_difference", "too_few_to_say"]
    """What follows from the interval."""


class Sample(NamedTuple):
    """How many whole numbers there are, their sum and the sum of their squares."""

    number: int
    total: int
    squares: int

    @property
    def mean(self) -> float:
        """Their mean."""
        return self.total / self.number

    @property
    def variance(self) -> float:
        """Their mean squared distance from their mean; exactly 0 if they are equal."""
        return (self.number * self.squares - self.total**2) / self.number**2


def sample(values: Iterable[tuple[int, int]]) -> Sample:
    """The sample of values, each with how often it occurs."""
    number, total, squares = 0, 0, 0
    for value, times in values:
        number += times
        total += value * times
        squares += value * value * times
    return Sample(number, total, squares)


def wilson(successes: float, number: float, level: float = LEVEL) -> Interval:
    """Wilson's score interval of a rate."""
    z = deviations(level)
    rate, weight = min(1.0, successes / number), 1 + z * z / number
    middle = (rate + z * z / (2 * number)) / weight
    half = z / weight * sqrt(rate * (1 - rate) / number + z * z / (4 * number * number))
    # Rounding may leave an end of 0 or 1 on the wrong side of the rate.
    return Interval(max(0.0, min(middle - half, rate)), min(1.0, max(middle + half, rate)))


def between(some: tuple[float, int], other: tuple[float, int], level: float = LEVEL) -> Interval:
    """Newcombe's interval of the difference of two independent rates, each by its successes and number."""
    (rate, bounds), (other_rate, other_bounds) = (
        (successes / number, wilson(successes, number, level)) for successes, number in (some, other)
    )
    below = sqrt((rate - bounds.low) ** 2 + (other_bounds.high - other_rate) ** 2)
    above = sqrt((bounds.high - rate) ** 2 + (other_rate - other_bounds.low) ** 2)
    return Interval(rate - other_rate - below, rate - other_rate + above)


def of_mean(values: Sample, level: float = LEVEL) -> Interval | None:
    """Student's interval of a mean of any numbers; None if there are too few to know how much they scatter."""
    if values.number < MIN_MATCHES:
        return None
    half = student(level, values.number - 1) * sqrt(values.variance / (values.number - 1))
    return Interval(values.mean - half, values.mean + half)


def bonferroni(number: int) -> float:
    """The level of each of several intervals that are to be right together."""
    return 1 - (1 - LEVEL) / max(1, number)


@lru_cache(maxsize=256)
def deviations(level: float) -> float:
    """Standard deviations on either side of the mean between which a normal variable lies with a probability."""
    return NormalDist().inv_cdf((1 + level) / 2)


def student(level: float, freedom: int) -> float:
    """The same for Student's distribution, by its expansion in 1 / freedom; from 19 on it is right to 5e-5."""
    z = deviations(level)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return sum((term / freedom**power for power, term in enumerate(terms)), 0.0)


def rate(successes: float, number: int) -> Rate:
    """A rate as it is answered: with its count and interval, both empty without any."""
    if not number:
        return {"n": 0, "rate": None, "interval": None}
    return {"n": number, "rate": successes / number, "interval": list(wilson(successes, number))}


def mean(values: Sample, parts: int = 1) -> Mean:
    """A mean as it is answered, of values counted in so many parts; with too few values without an interval."""
    if not values.number:
        return {"n": 0, "mean": None, "interval": None}
    interval = of_mean(values)
    ends = None if interval is None else [end / parts for end in interval]
    return {"n": values.number, "mean": values.mean / parts, "interval": ends}


def difference(number: int, value: float | None, interval: Interval | None) -> Difference:
    """A difference as it is answered; below a sample of `MIN_MATCHES` it is too few to say."""
    if number < MIN_MATCHES or value is None or interval is None:
        return {"n": number, "difference": value, "interval": None, "verdict": "too_few_to_say"}
    return {
        "n": number,
        "difference": value,
        "interval": list(interval),
        "verdict": "higher" if interval.low > 0 else "lower" if interval.high < 0 else "no_clear_difference",
    }


QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def quantile(histogram: Mapping[int, int], share: float) -> int | float | None:
    """The value below which a share of a histogram lies; the middle of the two nearest where it falls between them."""
    number = sum(histogram.values())
    if not number:
        return None
    position, passed, lower = share * number, 0, None
    for value, times in sorted(histogram.items()):
        if lower is not None:
            return (lower + value) / 2
        passed += times
        if passed > position:
            return value
        if passed == position:
            lower = value
    return lower


def spread(histogram: Mapping[int, int]) -> Spread:
    """A histogram of integers as it is answered: with its mean and quantiles."""
    bars: list[HistogramBar] = [{"value": value, "n": times} for value, times in sorted(histogram.items()) if times]
    quantiles = {f"{share:g}": quantile(histogram, share) for share in QUANTILES}
    return {**mean(sample(histogram.items())), "quantiles": quantiles, "histogram": bars}
