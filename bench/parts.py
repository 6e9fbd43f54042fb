"""The parts of the benchmark, none of which takes the figures of the others with it when it fails."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

TASKS = ("moves", "frames", "appends", "folds")
"""What is measured of the service, each beside its references."""
PARTS = ("engine", "texts", "exchange", "service", "pages", "statistics", "crowd", "fleet", "archive")
"""Each is a module with a function `run`, imported when it is wanted: some need packages that others do not."""


@dataclass(frozen=True, slots=True)
class Given:
    """How much is measured, as it was given on the command line."""

    matches: int
    rounds: int | None
    seconds: float
    seed: int
    counted: int
    folder: Path
    """Where there is room for databases."""
    tasks: Sequence[str] = TASKS
    """What is measured of the service."""


@contextmanager
def surviving(document: dict[str, Any], name: str) -> Iterator[None]:
    """Go on behind the block if it fails, and keep why under the name of what failed."""
    try:
        yield
    except Exception as error:
        document.setdefault("failed", {})[name] = repr(error)
        print(f"{name} failed: {error!r}", file=sys.stderr)


def run_parts(
    names: Sequence[str], given: Given, document: dict[str, Any], write: Callable[[Mapping[str, Any]], None]
) -> None:
    """Run parts one after the other; what there is is written after each, and if it is interrupted."""
    for name in names:
        figures = document[name] = {}
        try:
            with surviving(document, name):
                import_module(f"bench.{name}").run(given, figures)
        finally:
            write(document)
