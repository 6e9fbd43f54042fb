"""The service under gunicorn beside bare routes under the same gunicorn, asked by clients that stay connected."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from random import Random

import psycopg

from bench import stores
from bench.fleet import Fleet
from bench.load import Client, Latency, Load, pace, saturate
from bench.ratios import Bound, Rounds, alternate
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
from service.store.database import migrate

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


@dataclass(frozen=True, slots=True)
class OverHttp:
    """What came of the comparisons over HTTP."""

    found: Rounds
    latencies: Mapping[str, Latency]
    size: float
    """Bytes of a frame on average."""
    void: bool
    attempts: int


def measure(options: Options, fleet: Fleet, dsn: str) -> OverHttp:
    """Recorded moves and frames a second beside their references, and how long each takes at half of that."""
    migrate(dsn)
    with psycopg.connect(dsn) as connection:
        connection.execute(BARE_TABLE)
    drawn = templates(DISTINCT, options.seed, stores.add_people(dsn, PEOPLE))
    with running("ours", dsn) as ours, running("bare", dsn) as bare:
        clients = Clients(fleet, ours, bare, drawn, options.seed)
        kinds = {MOVES: clients.recorders, ROWS: clients.inserters, FRAMES: clients.readers, STATIC: clients.receivers}
        # First for a short while, so that the workers connect and prepare, and to see what supply a client needs.
        brief = min(2.0, options.seconds)
        usual = {name: saturate(fleet, kind(brief, FASTEST_CLIENT)) / CLIENTS for name, kind in kinds.items()}

        def task(name: str) -> Callable[[], float]:
            return lambda: saturate(fleet, kinds[name](options.seconds, usual[name] * SPARE))

        attempts, void = 0, True
        found: Rounds = {}
        while void and attempts <= REPEATS:
            found = alternate({name: task(name) for name in (MOVES, ROWS)}, options.rounds, shown, MOVES)
            void = statistics.median(found[ROWS]) < LEAST_REFERENCE
            attempts += 1
        found |= alternate({name: task(name) for name in (FRAMES, STATIC)}, options.rounds, shown, FRAMES)
        latencies = {}
        for name, kind in shown(kinds.items(), len(kinds), "latencies"):
            rate = statistics.median(found[name]) / 2 / CLIENTS
            latencies[name] = pace(fleet, _paced(kind(options.seconds, rate), rate))
    return OverHttp(found, latencies, clients.size, void, attempts)


class Clients:
    """What each of the clients asks the service or the bare application for so many seconds."""

    def __init__(self, fleet: Fleet, ours: int, bare: int, drawn: Sequence[Template], seed: int) -> None:
        self._ours = ours
        self._bare = bare
        self._drawn = drawn
        self._logs = [log(template) for template in drawn]
        self._frames, sizes = self._record_whole(Random(seed))
        self._static = [[static(size) for size in of_match] for of_match in sizes]
        self.size = statistics.fmean(size for of_match in sizes for size in of_match)

    def _record_whole(self, random: Random) -> tuple[list[list[bytes]], list[list[int]]]:
        """A match for each client: the requests for its frames in any order, and the bytes of the answers."""
        asked, sizes = [], []
        with Client(self._ours) as client:
            for template in self._drawn[:CLIENTS]:
                address = create(client, template)
                for request in Recording([(address, template.moves)]):
                    client.require(request, 201)
                asked.append(frames(address, template))
                random.shuffle(asked[-1])
                sizes.append([len(client.require(request, 200).body) for request in asked[-1]])
        return asked, sizes

    def recorders(self, seconds: float, rate: float) -> list[Load]:
        """Each records moves, in one match after the other, and has enough of them for so many a second."""
        drawn = cycle(self._drawn)
        loads = []
        with Client(self._ours) as client:
            for _ in range(CLIENTS):
                matches: list[tuple[str, Sequence[bytes]]] = []
                left = seconds * rate + 1
                while left > 0:
                    template = next(drawn)
                    matches.append((create(client, template), template.moves))
                    left -= len(template.moves)
                loads.append(Load(self._ours, Recording(matches), 201, seconds))
        return loads

    def inserters(self, seconds: float, _rate: float) -> list[Load]:
        """Each inserts the rows of such matches."""
        return [Load(self._bare, Inserting(self._logs[index::CLIENTS]), 201, seconds) for index in range(CLIENTS)]

    def readers(self, seconds: float, _rate: float) -> list[Load]:
        """Each reads the frames of a match of its own."""
        return [Load(self._ours, Repeating(asked), 200, seconds) for asked in self._frames]

    def receivers(self, seconds: float, _rate: float) -> list[Load]:
        """Each gets static answers of the sizes of these frames."""
        return [Load(self._bare, Repeating(asked), 200, seconds) for asked in self._static]


def _paced(loads: Sequence[Load], rate: float) -> list[Load]:
    """The same, each at a rate, and spread over the time between two requests."""
    return [replace(load, rate=rate, delay=index / rate / len(loads)) for index, load in enumerate(loads)]
