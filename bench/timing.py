"""Timing of small work: a task, and microseconds for each unit of it."""

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Task:
    """Something to time. `prepare` makes its input anew; `run` works that off and counts the units."""

    name: str
    unit: str
    prepare: Callable[[], Any]
    run: Callable[[Any], int]


def microseconds(task: Task) -> float:
    """The time for one unit of a task, with the garbage collector at rest and preparation left out."""
    given = task.prepare()
    gc.collect()
    gc.disable()
    try:
        began = time.perf_counter_ns()
        units = task.run(given)
        took = time.perf_counter_ns() - began
    finally:
        gc.enable()
    return took / units / 1000
