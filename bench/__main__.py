"""Measure the engine beside python-chess in one run, compare with the bounds, print a table and write JSON."""

import argparse
import json
import os
import platform
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import chess

from bench import chess_baseline, cite_lumiere
from bench.timing import Task, microseconds
from scripts.arguments import positive
from scripts.progress import shown


@dataclass(frozen=True, slots=True)
class Bound:
    """How much of the baseline's time a task of ours may take."""

    task: str
    baseline: str
    limit: float


@dataclass(frozen=True, slots=True)
class Ratio:
    """What came of a bound: the median of the rounds' ratios, and the smallest and largest of them."""

    task: str
    baseline: str
    limit: float
    median: float
    smallest: float
    largest: float

    @property
    def verdict(self) -> str:
        """Whether the median is within the limit, in words."""
        return "within" if self.median <= self.limit else f"missed by {self.median - self.limit:.2f}"


BOUNDS = (
    Bound("checked", "is_legal and push", 1.0),
    Bound("trusted", "is_legal and push", 0.5),
    Bound("listing, building", "legal_moves", 2.0),
)

Rounds = dict[str, list[float]]
"""Microseconds by task, one figure a round."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "--matches", type=positive, default=200, help="random matches of each game (default %(default)s)"
    )
    parser.add_argument("--rounds", type=positive, default=7, help="times each task is measured (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="what the matches are drawn from (default %(default)s)")
    parser.add_argument("--output", type=Path, default=Path("var/bench.json"), help="default %(default)s")
    options = parser.parse_args(arguments)
    ours = cite_lumiere.tasks(options.matches, options.seed)
    baseline = chess_baseline.tasks(options.matches, options.seed)
    took = _measure([*ours.values(), *baseline.values()], options.rounds)
    ratios = [_ratio(bound, took) for bound in BOUNDS]
    machine = {
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "system": platform.system(),
        "architecture": platform.machine(),
        "cpus": os.cpu_count(),
        "chess": chess.__version__,
    }
    print(f"{options.matches} random matches of each game, {options.rounds} rounds, seed {options.seed}")
    print(", ".join(f"{fact} {value}" for fact, value in machine.items()))
    for title, tasks in (("cite-lumiere", ours), ("python-chess", baseline)):
        print()
        print("\n".join(_table(title, tasks, took)))
    print()
    print("\n".join(_comparison(ratios)))
    document = {
        "machine": machine,
        "matches": options.matches,
        "rounds": options.rounds,
        "seed": options.seed,
        "microseconds": {
            "cite-lumiere": {name: _figures(task, took) for name, task in ours.items()},
            "python-chess": {name: _figures(task, took) for name, task in baseline.items()},
        },
        "ratios": [asdict(ratio) | {"verdict": ratio.verdict} for ratio in ratios],
    }
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(document, indent=2) + "\n", "utf-8")
    return 0


def _measure(tasks: Sequence[Task], rounds: int) -> Rounds:
    """Measure every task once a round, every other round backwards, so that a slow spell hits both sides."""
    turns = [task for index in range(rounds) for task in (reversed(tasks) if index % 2 else tasks)]
    took: Rounds = {task.name: [] for task in tasks}
    for task in shown(turns, len(turns), "bench"):
        took[task.name].append(microseconds(task))
    return took


def _ratio(bound: Bound, took: Rounds) -> Ratio:
    ratios = [mine / theirs for mine, theirs in zip(took[bound.task], took[bound.baseline], strict=True)]
    return Ratio(bound.task, bound.baseline, bound.limit, statistics.median(ratios), min(ratios), max(ratios))


def _figures(task: Task, took: Rounds) -> dict[str, object]:
    return {"unit": task.unit, "median": statistics.median(took[task.name]), "rounds": took[task.name]}


def _table(title: str, tasks: dict[str, Task], took: Rounds) -> Iterator[str]:
    yield f"{title:<20}{'µs (median)':>14}{'fastest':>10}{'slowest':>10}   for each"
    for name, task in tasks.items():
        rounds = took[name]
        yield f"{name:<20}{statistics.median(rounds):>14.2f}{min(rounds):>10.2f}{max(rounds):>10.2f}   {task.unit}"


def _comparison(ratios: Sequence[Ratio]) -> Iterator[str]:
    yield f"{'ratio to python-chess':<40}{'median':>8}{'from':>8}{'to':>8}{'bound':>8}"
    for ratio in ratios:
        name = f"{ratio.task} / {ratio.baseline}"
        figures = f"{ratio.median:>8.2f}{ratio.smallest:>8.2f}{ratio.largest:>8.2f}{ratio.limit:>8.2f}"
        yield f"{name:<40}{figures}   {ratio.verdict}"


if __name__ == "__main__":
    sys.exit(main())
