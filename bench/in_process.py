"""Our store beside the eventsourcing package's, both without HTTP: appending events, and building a match from them."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias
from uuid import UUID

import psycopg
from psycopg import sql

from bench import eventsourcing_baseline, stores
from bench.eventsourcing_baseline import Rebuilds, RecorderAppends
from bench.processes import Job, Processes
from bench.ratios import Bound, Rounds, alternate, supplied
from bench.stores import Appends, Folds
from bench.supply import CLIENTS, PEOPLE, Options, templates
from scripts.progress import shown
from service.db.migrations import migrate
from service.server.postgres import Server

EVENTS = 40
"""In a match that is folded, and in an aggregate that is rebuilt."""
STORED = 50
"""How many of these there are."""
FASTEST_WRITER = 20_000
"""Appends a second for which a writer gets a supply before it is known what it needs."""
SPARE = 3
"""By how much it may be faster than that."""

OURS, APPLICATION, AGGREGATE = "appends", "application recorder", "aggregate recorder"
FOLDED, REBUILT = "folded matches", "rebuilt aggregates"

BOUNDS = (
    Bound(OURS, APPLICATION, 2.0, is_least=True),
    Bound(OURS, AGGREGATE, None),
    Bound(f"{OURS}, one writer", f"{APPLICATION}, one writer", 2.0, is_least=True),
    Bound(f"{OURS}, one writer", f"{AGGREGATE}, one writer", None),
    Bound(f"{OURS}, durable", f"{APPLICATION}, durable", None),
    Bound(f"{OURS}, durable", f"{AGGREGATE}, durable", None),
    Bound(FOLDED, REBUILT, 3.0, is_least=True),
)


Kind: TypeAlias = Callable[[str, tuple[UUID, ...], int, int, float], Job[float]]
"""What makes the job of a writer: of a database, people, a seed, a number of events, and seconds."""


def measure(options: Options, processes: Processes, server: Server, found: Rounds) -> None:
    """Appends and folds a second where a crash may cost the last moment, then durable appends."""
    relaxed, durable = (_database(server, name, synchronous) for name, synchronous in _DATABASES)
    if "appends" in options.tasks:
        alternate(_appends(options, processes, relaxed, CLIENTS, ""), options.rounds, shown, "appends", found)
        one = ", one writer"
        alternate(_appends(options, processes, relaxed, 1, one), options.rounds, shown, f"appends{one}", found)
    if "folds" in options.tasks:
        alternate(_folds(options, processes, relaxed), options.rounds, shown, FOLDED, found)
    if "appends" in options.tasks:
        named = ", durable"
        alternate(
            _appends(options, processes, durable, CLIENTS, named), options.rounds, shown, f"appends{named}", found
        )


_DATABASES = (("relaxed", "off"), ("durable", "on"))


def _database(server: Server, name: str, synchronous: str) -> str:
    """A database with our tables and theirs."""
    with psycopg.connect(server.dsn(), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        setting = sql.SQL("ALTER DATABASE {} SET synchronous_commit = {}")
        connection.execute(setting.format(sql.Identifier(name), sql.Literal(synchronous)))
    dsn = server.dsn(name)
    migrate(dsn)
    eventsourcing_baseline.create_tables(dsn)
    return dsn


def _appends(
    options: Options, processes: Processes, dsn: str, writers: int, suffix: str
) -> dict[str, Callable[[], float]]:
    people = stores.add_people(dsn, PEOPLE)

    def task(kind: Kind) -> Callable[[], float]:
        def append(seconds: float, supply: float) -> float:
            seeds = range(options.seed, options.seed + writers)
            return sum(processes.run([kind(dsn, people, seed, int(seconds * supply), seconds) for seed in seeds]))

        # First for a short while, to see what supply a writer needs.
        brief = min(1.0, options.seconds)
        usual = supplied(lambda supply: append(brief, supply), FASTEST_WRITER)() / writers
        return supplied(lambda supply: append(options.seconds, supply), usual * SPARE)

    kinds: dict[str, Kind] = {
        OURS: Appends,
        APPLICATION: partial(RecorderAppends, "application"),
        AGGREGATE: partial(RecorderAppends, "aggregate"),
    }
    return {f"{name}{suffix}": task(kind) for name, kind in kinds.items()}


def _folds(options: Options, processes: Processes, dsn: str) -> dict[str, Callable[[], float]]:
    drawn = templates(STORED, options.seed, stores.add_people(dsn, PEOPLE), least=EVENTS)
    drawn = tuple(template.until(EVENTS) for template in drawn)
    return {
        FOLDED: _run(processes, [Folds(dsn, stores.store(dsn, drawn), EVENTS, options.seconds)]),
        REBUILT: _run(processes, [Rebuilds(dsn, eventsourcing_baseline.store(dsn, drawn), EVENTS, options.seconds)]),
    }


def _run(processes: Processes, jobs: Sequence[Job[float]]) -> Callable[[], float]:
    return lambda: sum(processes.run(jobs))
