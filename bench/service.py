"""The service beside the least that could do its work: bare routes under the same gunicorn, and another event store."""

import os
import shutil
import statistics
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psycopg

from bench import in_process, over_http
from bench.fleet import Fleet
from bench.load import Latency
from bench.ratios import Rounds, comparison, ratio
from bench.supply import CLIENTS, Options
from service.embedded import Server, find_binaries
from service.run import THREADS, WORKERS


def measure(options: Options, folder: Path) -> dict[str, Any]:
    """Measure in a temporary folder beside the results, print, and answer with the figures."""
    place = Path(tempfile.mkdtemp(prefix="bench-", dir=folder))
    try:
        with Server(place, find_binaries(os.environ)) as server, Fleet(CLIENTS) as fleet:
            facts = _facts(server)
            print(", ".join(f"{fact} {value}" for fact, value in facts.items()))
            print(
                f"{WORKERS} workers of {THREADS} threads, {CLIENTS} clients on {CLIENTS} matches, "
                f"{options.rounds} rounds of {options.seconds:g} s, seed {options.seed}"
            )
            http = over_http.measure(options, fleet, server.dsn())
            figures = http.found | in_process.measure(options, fleet, server)
    finally:
        shutil.rmtree(place, ignore_errors=True)
    ratios = [ratio(bound, figures, void=http.void) for bound in (*over_http.BOUNDS, *in_process.BOUNDS)]
    print()
    print("\n".join(_table(figures, http.latencies)))
    print()
    print("\n".join(comparison("ratio, units a second", ratios)))
    if http.void:
        least = f"{over_http.LEAST_REFERENCE:,.0f} {over_http.ROWS}"
        print(f"Void: in {http.attempts} attempts there were never {least} a second.")
    return {
        **facts,
        "workers": WORKERS,
        "threads": THREADS,
        "clients": CLIENTS,
        "rounds": options.rounds,
        "seconds": options.seconds,
        "seed": options.seed,
        "attempts": http.attempts,
        "void": http.void,
        "frame_bytes": http.size,
        "per_second": {
            name: {"median": statistics.median(rounds), "rounds": rounds} for name, rounds in figures.items()
        },
        "milliseconds": {name: asdict(latency) for name, latency in http.latencies.items()},
        "ratios": [each.document() for each in ratios],
    }


def _facts(server: Server) -> dict[str, str]:
    with psycopg.connect(server.dsn()) as connection:
        shown_by_server = [
            f"{name}={row[0]}"
            for name in ("fsync", "synchronous_commit")
            if (row := connection.execute(f"SHOW {name}").fetchone()) is not None
        ]
        postgresql = connection.info.parameter_status("server_version") or "unknown"
    packages = ("flask", "gunicorn", "psycopg", "eventsourcing")
    return {"PostgreSQL": f"{postgresql} ({', '.join(shown_by_server)})"} | {name: version(name) for name in packages}


def _table(found: Rounds, latencies: Mapping[str, Latency]) -> Iterator[str]:
    yield f"{'':<42}{'a second':>10}{'slowest':>10}{'fastest':>10}   at half of it, ms"
    for name, rounds in found.items():
        latency = latencies.get(name)
        said = "" if latency is None else f"   p50 {latency.p50:.1f}, p99 {latency.p99:.1f}"
        yield f"{name:<42}{statistics.median(rounds):>10,.0f}{min(rounds):>10,.0f}{max(rounds):>10,.0f}{said}"
