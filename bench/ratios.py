"""What is compared with what, in alternating rounds, and what came of it."""

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias, TypeVar

from bench.processes import OutOfSupply

T = TypeVar("T")

DOUBLINGS = 5
"""How often a supply is doubled at most."""

Rounds: TypeAlias = dict[str, list[float]]
"""What was measured by task, one figure a round."""


@dataclass(frozen=True, slots=True)
class Bound:
    """How many times the figure of its baseline a task may have at most, or must have at least.

    Without a limit the ratio is only told.
    """

    task: str
    baseline: str
    limit: float | None
    is_least: bool = False


@dataclass(frozen=True, slots=True)
class Ratio:
    """What came of a bound: the median of the rounds' ratios, and the smallest and largest of them."""

    bound: Bound
    median: float
    smallest: float
    largest: float
    void: bool = False
    """Whether the machine was too busy for it to mean anything."""

    @property
    def verdict(self) -> str:
        """Whether the median is within the limit, in words."""
        if self.bound.limit is None:
            return "no bound"
        missing = self.bound.limit - self.median if self.bound.is_least else self.median - self.bound.limit
        said = "within" if missing <= 0 else f"missed by {missing:.2f}"
        return f"void ({said})" if self.void else said

    def document(self) -> dict[str, Any]:
        """The ratio with its bound and the verdict."""
        own = {name: value for name, value in asdict(self).items() if name != "bound"}
        return {**asdict(self.bound), **own, "verdict": self.verdict}


def turns(tasks: Sequence[T], rounds: int) -> list[T]:
    """Every task once a round, every other round backwards, so that a slow spell hits both sides."""
    return [task for index in range(rounds) for task in (reversed(tasks) if index % 2 else tasks)]


def alternate(
    tasks: Mapping[str, Callable[[], float]],
    rounds: int,
    shown: Callable[..., Any],
    label: str,
    found: Rounds | None = None,
) -> Rounds:
    """What each task answers, in turns; `found` is filled as the answers come, so that a failure leaves the others."""
    found = {} if found is None else found
    found.update({name: [] for name in tasks})
    order = turns(list(tasks), rounds)
    for name in shown(order, len(order), label):
        found[name].append(tasks[name]())
    return found


def supplied(task: Callable[[float], float], supply: float) -> Callable[[], float]:
    """A task that is given a supply, and twice as much again and again if that did not last."""

    def measure() -> float:
        nonlocal supply
        for _ in range(DOUBLINGS):
            try:
                return task(supply)
            except OutOfSupply:
                supply *= 2
        return task(supply)

    return measure


def ratio(bound: Bound, found: Rounds, *, void: bool = False) -> Ratio:
    """The ratio of two tasks in the rounds in which both were measured."""
    ratios = [mine / theirs for mine, theirs in zip(found[bound.task], found[bound.baseline], strict=False)]
    return Ratio(bound, statistics.median(ratios), min(ratios), max(ratios), void)


def measured(bounds: Sequence[Bound], found: Rounds) -> list[Bound]:
    """The bounds of which both sides have figures."""
    return [bound for bound in bounds if found.get(bound.task) and found.get(bound.baseline)]


def comparison(title: str, ratios: Sequence[Ratio]) -> Iterator[str]:
    """The lines of a table of ratios."""
    names = [f"{found.bound.task} / {found.bound.baseline}" for found in ratios]
    width = max(map(len, (title, *names)))
    yield f"{title:<{width}}{'median':>8}{'from':>8}{'to':>8}{'bound':>9}"
    for name, found in zip(names, ratios, strict=True):
        limit = "" if found.bound.limit is None else f"{'≥' if found.bound.is_least else '≤'} {found.bound.limit:.2f}"
        figures = f"{found.median:>8.2f}{found.smallest:>8.2f}{found.largest:>8.2f}"
        yield f"{name:<{width}}{figures}{limit:>9}   {found.verdict}"
