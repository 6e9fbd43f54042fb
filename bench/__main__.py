"""Measure engine, service, pages and statistics, compare with others and with the bounds, print tables, write JSON."""

import argparse
import json
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench import against
from bench.parts import PARTS, TASKS, Given, run_parts, surviving
from bench.supply import Options
from scripts.arguments import positive

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write; 1 if a part failed."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"{', '.join(PARTS)} (default all)")
    parser.add_argument("--against", metavar="REV", help="compare the service with that of another commit instead")
    parser.add_argument("--only", choices=TASKS, help="measure this of the service alone")
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
        "--counted",
        type=positive,
        default=100_000,
        help="matches for statistics (of each game), files and an archive (default %(default)s)",
    )
    options = parser.parse_args(arguments)
    unknown = set(options.parts) - set(PARTS)
    if unknown:
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    if options.against is not None and options.parts != ["service"]:
        parser.error("--against compares the service alone: python -m bench service --against REV")
    if options.only is not None and options.parts != ["service"]:
        parser.error("--only measures the service alone: python -m bench service --only moves")
    if options.only not in {None, *against.TASKS} and options.against is not None:
        parser.error(f"--against compares {' and '.join(against.TASKS)}")
    options.output.parent.mkdir(parents=True, exist_ok=True)
    document: dict[str, Any] = {"machine": _machine()}
    print(", ".join(f"{fact} {value}" for fact, value in document["machine"].items()))

    def write(document: Mapping[str, Any]) -> None:
        options.output.write_text(json.dumps(document, indent=2) + "\n", "utf-8")

    try:
        if options.against is not None:
            size = Options(options.rounds or 5, options.seconds, options.seed)
            tasks = against.TASKS if options.only is None else (options.only,)
            figures = document["against"] = {}
            try:
                with surviving(document, "against"):
                    against.compare_with(options.against, size, tasks, figures)
            finally:
                write(document)
        else:
            given = Given(
                matches=options.matches,
                rounds=options.rounds,
                seconds=options.seconds,
                seed=options.seed,
                counted=options.counted,
                folder=options.output.parent,
                tasks=TASKS if options.only is None else (options.only,),
            )
            run_parts(options.parts or PARTS, given, document, write)
    except KeyboardInterrupt:
        return INTERRUPTED
    return 1 if any("failed" in part for part in (document, *document.values())) else 0


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
