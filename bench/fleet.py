"""The capacity of one machine: reads from replicas, the load at which recording becomes slow, idling, and memory."""

import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from itertools import cycle
from pathlib import Path
from typing import Any, Final

import psycopg
from psycopg.conninfo import conninfo_to_dict

from bench import stores
from bench.load import Client, Load, Together, get, saturate
from bench.parts import Given, surviving
from bench.processes import JobFailed, OutOfSupply, Processes
from bench.serving import Running, running
from bench.supply import API, CLIENTS, PEOPLE, Recording, Repeating, Template, create, templates
from scripts import many_matches
from scripts.kill_rounds import children, memory_of
from scripts.progress import shown
from scripts.standby import any_of, standbys
from service.db.roles import Logins, prepare
from service.server.postgres import SERVICE, Server, find_binaries

REPLICAS: Final = (0, 1, 2)
IDLE_FOR: Final = 10.0
SLOW: Final = 0.25
"""Seconds for the slowest of a hundred moves beyond which recording is called slow."""
STEPS: Final = (1, 2, 4, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 128, 160, 192)
"""Recorders at once, with as many readers beside them."""
PROCESSES: Final = 2
"""Those among which the recorders of a step are divided, and as many for its readers."""
MOVES_A_SECOND: Final = 2.0
READS_A_SECOND: Final = 10.0
DISTINCT: Final = 64
LOOKED_AT: Final = 20
"""Samples of the memory while matches are read."""
_WHOLE: Final = "SELECT match_id FROM matches WHERE status = 'finished' AND ply > 0 ORDER BY match_id LIMIT 200"


def run(given: Given, figures: dict[str, Any]) -> None:
    """Measure and print."""
    place = Path(tempfile.mkdtemp(prefix="bench-", dir=given.folder))
    try:
        with Server(place / "leader", find_binaries(os.environ)) as server, Processes(CLIENTS) as processes:
            logins = server.logins()
            prepare(logins)
            began = time.perf_counter()
            many_matches.fill(logins, given.counted, given.seed)
            print(f"{given.counted:,} matches: {time.perf_counter() - began:.0f} s")
            parts: dict[str, Callable[[], dict[str, Any]]] = {
                "idle": lambda: _idle(logins),
                "replicas": lambda: _replicas(server, place, logins, processes, given),
                "knee": lambda: _knee(logins, processes, given),
                "memory": lambda: _touched(logins),
            }
            for name, measure in parts.items():
                with surviving(figures, name):
                    figures[name] = measure()
                    print(f"{name}: {figures[name]}")
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _running(logins: Logins, settings: Mapping[str, str] | None = None) -> AbstractContextManager[Running]:
    return running("ours", logins.service, {"DATABASE_OWNER_URL": logins.owner, **(settings or {})})


def _idle(logins: Logins) -> dict[str, float]:
    """The processor time and the memory of a service that nobody uses."""
    with _running(logins) as service:
        time.sleep(2)
        before = processor_seconds(service.pid)
        time.sleep(IDLE_FOR)
        percent = (processor_seconds(service.pid) - before) / IDLE_FOR * 100
        return {"processor_percent": round(percent, 2), "megabytes": round(megabytes(service.pid), 1)}


def _replicas(server: Server, place: Path, logins: Logins, processes: Processes, given: Given) -> dict[str, Any]:
    """Measure reads a second with none, one and two replicas, and the leader's transactions for each read."""
    database = str(conninfo_to_dict(logins.service)["dbname"])
    found: dict[str, Any] = {}
    with standbys(server, place, max(REPLICAS)) as followers:
        rates: dict[int, list[float]] = {number: [] for number in REPLICAS}
        leader: dict[int, list[float]] = {number: [] for number in REPLICAS}
        with ExitStack() as stack:
            ports = {}
            for number in REPLICAS:
                settings = {"DATABASE_READ_URL": any_of(followers[:number], database, SERVICE)} if number else {}
                ports[number] = stack.enter_context(_running(logins, settings)).port
            for _ in shown(range(given.rounds or 5), given.rounds or 5, "replicas"):
                for number, port in ports.items():
                    before = _transactions(logins.service, database)
                    loads = [Load(port, Repeating(_reads(logins.service)), 200, given.seconds) for _ in range(CLIENTS)]
                    rates[number].append(saturate(processes, loads))
                    after = _transactions(logins.service, database)
                    leader[number].append((after - before) / given.seconds / max(rates[number][-1], 1.0))
        for number in REPLICAS:
            found[str(number)] = {
                "reads_a_second": round(statistics.median(rates[number])),
                "transactions_of_the_leader_per_read": round(statistics.median(leader[number]), 2),
            }
    return found


def _knee(logins: Logins, processes: Processes, given: Given) -> dict[str, Any]:
    """Add recorders and readers until the 99th percentile of moves exceeds the bound, or a request is refused."""
    drawn = templates(DISTINCT, given.seed, stores.add_people(logins.service, PEOPLE))
    steps: dict[str, float] = {}
    refused: str | None = None
    with _running(logins) as service:
        for number in STEPS:
            reads = Repeating(_reads(logins.service))
            readers = [
                Load(service.port, reads, 200, given.seconds, READS_A_SECOND, index / READS_A_SECOND / number)
                for index in range(number)
            ]
            recorders = _divided(list(_recorders(service.port, drawn, number, given.seconds)))
            try:
                served = processes.run([*recorders, *_divided(readers)])
            except OutOfSupply:
                raise
            except JobFailed as failed:
                refused = f"{number}: {failed}"
                break
            took = [seconds for each in served[: len(recorders)] for seconds in each.took]
            slowest = statistics.quantiles(took, n=100)[98]
            steps[str(number)] = round(slowest * 1000, 1)
            if slowest > SLOW:
                break
    borne = [int(number) for number, slowest in steps.items() if slowest <= SLOW * 1000]
    return {
        "recorders_and_as_many_readers": max(borne, default=0),
        "moves_a_second": max(borne, default=0) * MOVES_A_SECOND,
        "reads_a_second": max(borne, default=0) * READS_A_SECOND,
        "p99_of_moves_ms": steps,
        "refused": refused,
    }


def _divided(loads: Sequence[Load]) -> list[Together]:
    """The loads of a step for some processes; there may be more clients than a machine can have processes."""
    parts = (tuple(loads[number::PROCESSES]) for number in range(PROCESSES))
    return [Together(part) for part in parts if part]


def _recorders(port: int, drawn: Sequence[Template], number: int, seconds: float) -> Iterator[Load]:
    least = int(seconds * MOVES_A_SECOND) + 1
    templates_of = cycle(drawn)
    with Client(port) as client:
        for index in range(number):
            matches: list[tuple[str, Sequence[bytes]]] = []
            left = least
            while left > 0:
                template = next(templates_of)
                matches.append((create(client, template), template.moves))
                left -= len(template.moves)
            delay = index / MOVES_A_SECOND / number
            yield Load(port, Recording(matches), 201, seconds, MOVES_A_SECOND, delay)


def _touched(logins: Logins) -> dict[str, Any]:
    """The memory of the service while each match of the database is read once, which no cache can hold."""
    with psycopg.connect(logins.service) as connection:
        ids = [row[0] for row in connection.execute("SELECT match_id FROM matches ORDER BY match_id")]
    taken = []
    with _running(logins) as service, Client(service.port) as client:
        every = max(1, len(ids) // LOOKED_AT)
        for index, match_id in enumerate(shown(ids, len(ids), "matches")):
            client.require(get(f"{API}/matches/{match_id}/state"), 200)
            if index % every == every - 1:
                taken.append(round(megabytes(service.pid), 1))
    return {"matches": len(ids), "megabytes": taken}


def _reads(dsn: str) -> list[bytes]:
    """The requests of readers: replays, lists and statistics."""
    with psycopg.connect(dsn) as connection:
        ids = [row[0] for row in connection.execute(_WHOLE)]
    replays = [get(f"{API}/matches/{match_id}/replay?fields=ply,text") for match_id in ids]
    others = [get(f"{API}/matches?limit=20"), get(f"{API}/stats/players?limit=20")]
    return [request for replay in replays for request in (replay, *others)]


def _transactions(dsn: str, database: str) -> int:
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("SELECT pg_stat_clear_snapshot()")
        row = connection.execute("SELECT xact_commit FROM pg_stat_database WHERE datname = %s", [database]).fetchone()
    return int(row[0]) if row else 0


def _family(pid: int) -> list[int]:
    return [pid, *(each for child in children(pid) for each in _family(child))]


def processor_seconds(pid: int) -> float:
    ticks = 0
    for each in _family(pid):
        fields = Path(f"/proc/{each}/stat").read_text().rpartition(") ")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def megabytes(pid: int) -> float:
    return sum(memory_of(each)["Pss"] for each in _family(pid)) / 1024
