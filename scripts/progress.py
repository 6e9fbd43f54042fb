"""How far a long run is: a bar on a terminal, an occasional line anywhere else."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

WIDTH = 40
REDRAWN_EVERY = 0.1
LINES = 10


def shown(items: Iterable[T], total: int, label: str) -> Iterator[T]:
    """Pass the items on, and show on stderr how many of them are through."""
    draw = _draw_bar if sys.stderr.isatty() else _write_line
    began = drawn = time.monotonic()
    for count, item in enumerate(items, start=1):
        yield item
        now = time.monotonic()
        if draw is _write_line:
            due = count * LINES // total > (count - 1) * LINES // total
        else:
            due = now - drawn >= REDRAWN_EVERY or count == total
        if due:
            draw(label, count, total, now - began)
            drawn = now


def _draw_bar(label: str, count: int, total: int, seconds: float) -> None:
    bar = "#" * (WIDTH * count // total)
    end = "\n" if count == total else ""
    print(f"\r{label} [{bar:<{WIDTH}}] {count}/{total} {seconds:.0f} s ", end=end, file=sys.stderr, flush=True)


def _write_line(label: str, count: int, total: int, seconds: float) -> None:
    print(f"{label} {count}/{total} {seconds:.0f} s", file=sys.stderr, flush=True)
