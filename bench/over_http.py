"""The service under gunicorn beside bare routes under the same gunicorn, asked by clients that stay connected."""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle
from random import Random
from typing import TypeAlias

import psycopg

from bench import stores
from bench.load import Client, Latency, Load, pace, saturate
from bench.processes import Processes
from bench.ratios import Bound, Rounds, alternate, supplied
from bench.serving import BARE_TABLE, running
from bench.supply import (
    CLIENTS,
    PEOPLE,
    Inserting,
    Options,
    Recording,
    Repeating,
    Template,
    create,
    frames,
    log,
    static,
    templates,
)
from scripts.progress import shown
from service.db.migrations import migrate

DISTINCT = 64
"""Different random matches that the requests are drawn from."""

LEAST_REFERENCE = 2000.0
"""Rows a second: where the bare route inserts fewer, the machine is too busy or its disk too slow to compare."""
REPEATS = 2
"""How often a void comparison is made once more."""

FASTEST_CLIENT = 1000.0
"""Moves a second for which a client gets a supply before it is known what it needs."""
SPARE = 4
"""By how much one client may be faster than they are on average: its worker may have fewer of them."""

MOVES, ROWS, FRAMES, STATIC = "recorded moves", "bare inserts", "versioned frames", "static answers"

BOUNDS = (Bound(MOVES, ROWS, 0.6, is_least=True), Bound(FRAMES, STATIC, 0.6, is_least=True))


@dataclass
class OverHttp:
    """What came of the comparisons over HTTP, filled as the figures come."""

    found: Rounds
    latencies: dict[str, Latency] = field(default_factory=dict)
    size: float = 0.0
    """Bytes of a frame on average."""
    void: bool = False
    attempts: int = 0


def measure(options: Options, processes: Processes, dsn: str, result: OverHttp) -> None:
    """Recorded moves and frames a second beside their references, and how long each takes at half of that."""
    migrate(dsn)
    with psycopg.connect(dsn) as connection:
        connection.execute(BARE_TABLE)
    drawn = templates(DISTINCT, options.seed, stores.add_people(dsn, PEOPLE))
    with running("ours", dsn) as ours, running("bare", dsn) as bare:
        clients = Clients(ours.port, drawn, options.seed)
        references = References(bare.port, drawn, clients.sizes)
        result.size = statistics.fmean(size for of_match in clients.sizes for size in of_match)
        writing: dict[str, Kind] = {MOVES: clients.recorders, ROWS: references.inserters}
        reading: dict[str, Kind] = {FRAMES: clients.readers, STATIC: references.receivers}
        kinds: dict[str, Kind] = {}
        if "moves" in options.tasks:
            kinds |= writing
            tasks = {name: task(processes, kind, options.seconds) for name, kind in writing.items()}
            result.void = True
            while result.void and result.attempts <= REPEATS:
                alternate(tasks, options.rounds, shown, MOVES, result.found)
                result.void = statistics.median(result.found[ROWS]) < LEAST_REFERENCE
                result.attempts += 1
        if "frames" in options.tasks:
            kinds |= reading
            tasks = {name: task(processes, kind, options.seconds) for name, kind in reading.items()}
            alternate(tasks, options.rounds, shown, FRAMES, result.found)
        for name, kind in shown(kinds.items(), len(kinds), "latencies"):
            rate = statistics.median(result.found[name]) / 2 / CLIENTS
            result.latencies[name] = pace(processes, _paced(kind(options.seconds, rate), rate))


Kind: TypeAlias = Callable[[float, float], list[Load]]
"""What makes the loads of all clients: for so many seconds, with a supply for so many requests a second of each."""


def task(processes: Processes, kind: Kind, seconds: float) -> Callable[[], float]:
    """What measures the requests answered in a second, tried first for a short while.

    In that while the workers connect and prepare, and it shows what supply a client needs.
    """
    brief = min(2.0, seconds)
    usual = supplied(lambda rate: saturate(processes, kind(brief, rate)), FASTEST_CLIENT)() / CLIENTS
    return supplied(lambda rate: saturate(processes, kind(seconds, rate)), usual * SPARE)


class Clients:
    """What each of the clients asks the service for so many seconds."""

    def __init__(self, port: int, drawn: Sequence[Template], seed: int) -> None:
        self._port = port
        self._drawn = drawn
        self._frames: list[list[bytes]] = []
        self.sizes: list[list[int]] = []
        """The bytes of all frames of each match that is read."""
        self._record_whole(Random(seed))

    def _record_whole(self, random: Random) -> None:
        """Record a match for each client, and prepare the requests for its frames in any order."""
        with Client(self._port) as client:
            for template in self._drawn[:CLIENTS]:
                address = create(client, template)
                for request in Recording([(address, template.moves)]):
                    client.require(request, 201)
                asked = frames(address, template)
                random.shuffle(asked)
                self._frames.append(asked)
                self.sizes.append([len(client.require(request, 200).body) for request in asked])

    def recorders(self, seconds: float, rate: float) -> list[Load]:
        """Each records moves, in one match after the other, and has enough of them for so many a second."""
        drawn = cycle(self._drawn)
        loads = []
        with Client(self._port) as client:
            for _ in range(CLIENTS):
                matches: list[tuple[str, Sequence[bytes]]] = []
                left = seconds * rate + 1
                while left > 0:
                    template = next(drawn)
                    matches.append((create(client, template), template.moves))
                    left -= len(template.moves)
                loads.append(Load(self._port, Recording(matches), 201, seconds))
        return loads

    def readers(self, seconds: float, _rate: float) -> list[Load]:
        """Each reads the frames of a match of its own."""
        return [Load(self._port, Repeating(asked), 200, seconds) for asked in self._frames]


class References:
    """What each of the clients asks the bare application for so many seconds."""

    def __init__(self, port: int, drawn: Sequence[Template], sizes: Sequence[Sequence[int]]) -> None:
        self._port = port
        self._logs = [log(template) for template in drawn]
        self._static = [[static(size) for size in of_match] for of_match in sizes]

    def inserters(self, seconds: float, _rate: float) -> list[Load]:
        """Each inserts the rows of such matches."""
        return [Load(self._port, Inserting(self._logs[index::CLIENTS]), 201, seconds) for index in range(CLIENTS)]

    def receivers(self, seconds: float, _rate: float) -> list[Load]:
        """Each gets static answers of the sizes of these frames."""
        return [Load(self._port, Repeating(asked), 200, seconds) for asked in self._static]


def _paced(loads: Sequence[Load], rate: float) -> list[Load]:
    """The same, each at a rate, and spread over the time between two requests."""
    return [replace(load, rate=rate, delay=index / rate / len(loads)) for index, load in enumerate(loads)]
