"""The service beside the least that could do its work: bare routes under the same gunicorn, and another event store."""

import os
import shutil
import statistics
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psycopg

from bench import over_http
from bench.load import Latency
from bench.over_http import OverHttp
from bench.parts import Given, surviving
from bench.processes import Processes
from bench.ratios import Bound, Rounds, comparison, measured, ratio
from bench.supply import CLIENTS, Options
from service.server.postgres import Server, find_binaries
from service.server.run import THREADS, WORKERS


def run(given: Given, figures: dict[str, Any]) -> None:
    """Measure in a temporary folder and print; `figures` has what was measured if it is interrupted, too."""
    options = Options(given.rounds or 5, given.seconds, given.seed, given.tasks)
    place = Path(tempfile.mkdtemp(prefix="bench-", dir=given.folder))
    http = OverHttp(found={})
    try:
        with Server(place, find_binaries(os.environ)) as server, Processes(CLIENTS) as processes:
            facts = _facts(server, options)
            print(", ".join(f"{fact} {value}" for fact, value in facts.items()))
            print(
                f"{WORKERS} workers of {THREADS} threads, {CLIENTS} clients on {CLIENTS} matches, "
                f"{options.rounds} rounds of {options.seconds:g} s, seed {options.seed}"
            )
            figures.update({**facts, "workers": WORKERS, "threads": THREADS, "clients": CLIENTS, **asdict(options)})
            if {"moves", "frames"} & {*options.tasks}:
                with surviving(figures, "over HTTP"):
                    over_http.measure(options, processes, server.dsn(), http)
            if _is_in_process(options):
                with surviving(figures, "in process"):
                    import_module("bench.in_process").measure(options, processes, server, http.found)
    finally:
        shutil.rmtree(place, ignore_errors=True)
        bounds = import_module("bench.in_process").BOUNDS if _is_in_process(options) else ()
        _tell(http, bounds, figures)


def _is_in_process(options: Options) -> bool:
    """Whether the store is measured beside the package eventsourcing, which is needed for nothing else."""
    return bool({"appends", "folds"} & {*options.tasks})


def _tell(http: OverHttp, in_process: Sequence[Bound], figures: dict[str, Any]) -> None:
    """Print what was measured and add it to the figures."""
    found = {name: rounds for name, rounds in http.found.items() if rounds}
    bounds = [*measured(over_http.BOUNDS, found), *measured(in_process, found)]
    ratios = [ratio(bound, found, void=http.void and bound in over_http.BOUNDS) for bound in bounds]
    print()
    print("\n".join(_table(found, http.latencies)))
    print()
    print("\n".join(comparison("ratio, units a second", ratios)))
    if http.void:
        least = f"{over_http.LEAST_REFERENCE:,.0f} {over_http.ROWS}"
        print(f"Void: in {http.attempts} attempts there were never {least} a second.")
    figures.update(
        {
            "attempts": http.attempts,
            "void": http.void,
            "frame_bytes": http.size,
            "per_second": {
                name: {"median": statistics.median(rounds), "rounds": rounds} for name, rounds in found.items()
            },
            "milliseconds": {name: asdict(latency) for name, latency in http.latencies.items()},
            "ratios": [each.document() for each in ratios],
        }
    )


def _facts(server: Server, options: Options) -> dict[str, str]:
    with psycopg.connect(server.dsn()) as connection:
        shown_by_server = [
            f"{name}={row[0]}"
            for name in ("fsync", "synchronous_commit")
            if (row := connection.execute(f"SHOW {name}").fetchone()) is not None
        ]
        postgresql = connection.info.parameter_status("server_version") or "unknown"
    packages = ("flask", "gunicorn", "psycopg", *(["eventsourcing"] if _is_in_process(options) else []))
    return {"PostgreSQL": f"{postgresql} ({', '.join(shown_by_server)})"} | {name: version(name) for name in packages}


def _table(found: Rounds, latencies: Mapping[str, Latency]) -> Iterator[str]:
    yield f"{'':<42}{'a second':>10}{'slowest':>10}{'fastest':>10}   at half of it, ms"
    for name, rounds in found.items():
        latency = latencies.get(name)
        said = "" if latency is None else f"   p50 {latency.p50:.1f}, p99 {latency.p99:.1f}"
        yield f"{name:<42}{statistics.median(rounds):>10,.0f}{min(rounds):>10,.0f}{max(rounds):>10,.0f}{said}"
