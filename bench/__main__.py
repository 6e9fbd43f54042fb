"""Measure engine, service, pages and statistics, compare with others and with the bounds, print tables, write JSON."""

import argparse
import json
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench import engine, pages, service, statistics
from bench.engine import EngineOptions
from bench.statistics import Size
from bench.supply import Options
from scripts.arguments import positive

PARTS = ("engine", "service", "pages", "statistics")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"{', '.join(PARTS)} (default all)")
    parser.add_argument(
        "--matches", type=positive, default=200, help="random matches of each game for the engine (default %(default)s)"
    )
    parser.add_argument(
        "--rounds", type=positive, help="times each task is measured (default 7 for the engine, 5 for the service)"
    )
    parser.add_argument(
        "--seconds", type=positive, default=10, help="how long a round of the service takes (default %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, help="what the matches are drawn from (default %(default)s)")
    parser.add_argument("--output", type=Path, default=Path("var/bench.json"), help="default %(default)s")
    parser.add_argument(
        "--counted", type=positive, default=100_000, help="matches of each game for statistics (default %(default)s)"
    )
    options = parser.parse_args(arguments)
    unknown = set(options.parts) - set(PARTS)
    if unknown:
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    parts = options.parts or PARTS
    options.output.parent.mkdir(parents=True, exist_ok=True)
    document: dict[str, Any] = {"machine": _machine()}
    print(", ".join(f"{fact} {value}" for fact, value in document["machine"].items()))
    if "engine" in parts:
        document["engine"] = engine.measure(EngineOptions(options.matches, options.rounds or 7, options.seed))
        print()
    if "service" in parts:
        size = Options(options.rounds or 5, options.seconds, options.seed)
        document["service"] = service.measure(size, options.output.parent)
    if "pages" in parts:
        document["pages"] = pages.measure()
    if "statistics" in parts:
        counted = Size(options.counted, 500, options.seed, options.rounds or 5)
        document["statistics"] = statistics.measure(counted, options.output.parent)
    options.output.write_text(json.dumps(document, indent=2) + "\n", "utf-8")
    return 0


def _machine() -> dict[str, object]:
    return {
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "system": platform.system(),
        "architecture": platform.machine(),
        "cpus": os.cpu_count(),
    }


if __name__ == "__main__":
    sys.exit(main())
