"""The engines beside python-chess and each other: microseconds for each unit of work, as ratios in one run."""

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import chess

from bench import chess_baseline, cite_lumiere, paris
from bench.parts import Given
from bench.ratios import Bound, Rounds, comparison, ratio, turns
from bench.timing import Task, microseconds
from scripts.progress import shown

BOUNDS = (
    Bound("cite-lumiere: checked", "is_legal and push", 1.0),
    Bound("cite-lumiere: trusted", "is_legal and push", 0.5),
    Bound("cite-lumiere: listing, building", "legal_moves", 2.0),
    Bound("paris: checked", "cite-lumiere: checked", 3.0),
    Bound("cite-lumiere: drawing a move", "cite-lumiere: listing, choosing", 0.2),
    Bound("paris: drawing a move", "paris: listing, choosing", 0.2),
)


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """How much is measured."""

    matches: int
    rounds: int
    seed: int


def run(given: Given, figures: dict[str, Any]) -> None:
    """Measure and print."""
    figures.update(measure(EngineOptions(given.matches, given.rounds or 7, given.seed)))


def measure(options: EngineOptions) -> dict[str, Any]:
    """Measure, print, and answer with the figures."""
    measured = {
        "cite-lumiere": cite_lumiere.tasks(options.matches, options.seed),
        "paris": paris.tasks(options.matches, options.seed),
        "python-chess": chess_baseline.tasks(options.matches, options.seed),
    }
    took = _measure([task for tasks in measured.values() for task in tasks.values()], options.rounds)
    ratios = [ratio(bound, took) for bound in BOUNDS]
    print(f"{options.matches} random matches of each game, {options.rounds} rounds, seed {options.seed}")
    for title, tasks in measured.items():
        print()
        print("\n".join(_table(title, tasks, took)))
    print()
    print("\n".join(comparison("ratio", ratios)))
    return {
        "chess": chess.__version__,
        "matches": options.matches,
        "rounds": options.rounds,
        "seed": options.seed,
        "microseconds": {
            title: {name: _figures(task, took) for name, task in tasks.items()} for title, tasks in measured.items()
        },
        "ratios": [found.document() for found in ratios],
    }


def _measure(tasks: Sequence[Task], rounds: int) -> Rounds:
    took: Rounds = {task.name: [] for task in tasks}
    for task in shown(turns(tasks, rounds), len(tasks) * rounds, "engine"):
        took[task.name].append(microseconds(task))
    return took


def _figures(task: Task, took: Rounds) -> dict[str, object]:
    return {"unit": task.unit, "median": statistics.median(took[task.name]), "rounds": took[task.name]}


def _table(title: str, tasks: dict[str, Task], took: Rounds) -> Iterator[str]:
    yield f"{title:<20}{'µs (median)':>14}{'fastest':>10}{'slowest':>10}   for each"
    for name, task in tasks.items():
        rounds = took[task.name]
        yield f"{name:<20}{statistics.median(rounds):>14.2f}{min(rounds):>10.2f}{max(rounds):>10.2f}   {task.unit}"
