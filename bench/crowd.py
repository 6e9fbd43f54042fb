"""Recording beside many costly statistics, and finishing matches beside a rebuild."""

import multiprocessing
import os
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Any, Final
from urllib.parse import urlencode

import orjson

from bench.load import HOST
from bench.parts import Given
from bench.serving import running
from bench.statistics import API, Size, database_with_matches, opened
from domain.catalogue import GAMES
from scripts.random_play import play
from scripts.simulate import Cast
from service.app import create_app
from service.config import read_config
from service.server.postgres import Server, find_binaries
from service.stats import rebuilding

STRANGERS: Final = 60
"""Clients that send costly requests at once, again and again."""
RECORDERS: Final = 4
ENDING: Final = 40
"""Matches that end while statistics are made anew."""
MAX_REBUILD: Final = 300.0
"""Seconds after which a rebuild is left unfinished: of a large database it takes hours, each part like the others."""
GAME: Final = "cite-lumiere"
TIMEOUT: Final = 60.0


def run(given: Given, figures: dict[str, Any]) -> None:
    """Measure and print."""
    size = Size(given.counted, 500, given.seed, 1)
    place = Path(tempfile.mkdtemp(prefix="bench-", dir=given.folder))
    try:
        with Server(place, find_binaries(os.environ)) as server:
            dsn = database_with_matches(server, "crowd", size)
            with running("ours", dsn) as service:
                figures["recording"] = _beside_questions(service.port, size, given.seconds)
                figures["rebuild"] = _beside_rebuild(service.port, dsn)
    finally:
        shutil.rmtree(place, ignore_errors=True)
    print()
    print("\n".join(_report(figures)))


class _Caller:
    """One connection that is opened again when the service closes it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._connection = HTTPConnection(HOST, port, timeout=TIMEOUT)

    def send(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        """The status and the body of an answer."""
        sent = None if body is None else orjson.dumps(body)
        headers = {"Content-Type": "application/json"} if sent else {}
        try:
            self._connection.request(method, f"{API}{path}", sent, headers)
            response = self._connection.getresponse()
            return response.status, response.read()
        except OSError:
            self._connection.close()
            self._connection = HTTPConnection(HOST, self._port, timeout=TIMEOUT)
            return 0, b""


def _beside_questions(port: int, size: Size, seconds: float) -> dict[str, Any]:
    """The 95th percentile of recording alone, and while strangers ask."""
    alone = _record(port, seconds)
    with _strangers(port, size) as statuses:
        beside = _record(port, seconds)
    return {
        "alone": alone,
        "beside": beside,
        "ratio": beside["p95"] / alone["p95"],
        "strangers": dict(statuses),
    }


@contextmanager
def _strangers(port: int, size: Size) -> Iterator[dict[str, int]]:
    """Ask costly questions in a process of its own while the block runs; the statuses of the answers, at the end."""
    context = multiprocessing.get_context("spawn")
    begun, ended, results = context.Event(), context.Event(), context.SimpleQueue()
    process = context.Process(target=_ask, args=(port, size, begun, ended, results), daemon=True)
    process.start()
    begun.wait(TIMEOUT)
    statuses: dict[str, int] = {}
    try:
        yield statuses
    finally:
        ended.set()
        statuses.update(results.get())
        process.join()


def _ask(port: int, size: Size, begun: Any, ended: Any, results: Any) -> None:
    questions = _questions(Cast.drawn(size.players, size.seed))

    def ask(number: int) -> Counter[str]:
        caller, statuses = _Caller(port), Counter[str]()
        for turn in count(number):
            if ended.is_set():
                return statuses
            status, _ = caller.send("GET", questions[turn % len(questions)])
            statuses[str(status)] += 1
            begun.set()
        raise AssertionError

    with ThreadPoolExecutor(STRANGERS) as pool:
        results.put(dict(sum(pool.map(ask, range(STRANGERS)), Counter())))


def _questions(cast: Cast) -> Sequence[str]:
    """Questions that sums do not answer: a venue, several tags, several players."""
    players = [("player", str(player)) for player in cast.ids[:3]]
    filters = (
        [("venue", "at home")],
        [("tag", "league"), ("tag", "final")],
        players,
        [("venue", "club night"), *players[:1]],
    )
    paths = ("players?game=paris&", f"games/{GAME}?", f"games/{GAME}/features?", "games/paris/features?", "ratings?")
    return [f"/stats/{path}{urlencode(some)}" for path in paths for some in filters]


def _record(port: int, seconds: float) -> dict[str, float]:
    """The response times of recorders that enter matches move by move, and the number of failed requests."""
    until = time.monotonic() + seconds
    with ThreadPoolExecutor(RECORDERS) as pool:
        parts = list(pool.map(lambda seed: _record_until(port, seed, until), range(RECORDERS)))
    took = sorted(milliseconds for part, _ in parts for milliseconds in part)
    return {
        "requests": len(took),
        "p95": took[int(0.95 * len(took))],
        "longest": took[-1],
        "refused": sum(refused for _, refused in parts),
    }


def _record_until(port: int, seed: int, until: float) -> tuple[list[float], int]:
    caller, took, refused = _Caller(port), list[float](), 0

    def post(path: str, body: Any) -> bytes:
        nonlocal refused
        began = time.perf_counter()
        status, answer = caller.send("POST", path, body)
        took.append((time.perf_counter() - began) * 1000)
        refused += status != 201
        return answer

    for number in count():
        match = play(GAMES[GAME], Random(f"{seed} {number}"))
        made = post("/matches", _new_match(match))
        if made:
            path = f"/matches/{orjson.loads(made).get('id')}/moves"
            for seat, move in match.plies:
                if time.monotonic() > until:
                    return took, refused
                post(path, {"seat": seat, "move": GAMES[GAME].move.dump(move)})
    raise AssertionError


def _new_match(match: Any) -> Mapping[str, Any]:
    people = [{"seat": seat, "name": name} for seat, name in zip(match.seats, ("Ana", "Jan"), strict=True)]
    return {"game": GAME, "players": people, "setup": match.setup}


def _beside_rebuild(port: int, dsn: str) -> dict[str, Any]:
    """The response times of finishing moves while statistics are rebuilt."""
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=_rebuild, args=(dsn,), daemon=True)
    began = time.monotonic()
    process.start()
    took: list[float] = []
    refused = [0]
    ended = Event()
    endings = Thread(target=_end_matches, args=(port, took, refused, ended), daemon=True)
    endings.start()
    process.join(MAX_REBUILD)
    seconds = time.monotonic() - began
    process.terminate()
    ended.set()
    endings.join()
    longest, last = max(took), sorted(took)[int(0.95 * len(took))]
    return {"seconds": seconds, "ended": len(took), "p95": last, "longest": longest, "refused": refused[0]}


def _rebuild(dsn: str) -> None:
    with opened(dsn) as database:
        app = create_app(read_config({"CARNET_OPEN": "1"}), database)
        for _ in rebuilding.rebuild(app.extensions["carnet"]):
            pass
        app.extensions["carnet"].close()


def _end_matches(port: int, took: list[float], refused: list[int], ended: Event) -> None:
    """End matches one after the other, `ENDING` at least; more as long as the rebuild goes on."""
    caller = _Caller(port)
    for number in count():
        if ended.is_set() and len(took) >= ENDING:
            return
        people = [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]
        setup = {"result_only": True, "points": {"orange": number % 90, "blue": 50}}
        began = time.perf_counter()
        status, _ = caller.send(
            "POST", "/matches", {"game": GAME, "players": people, "setup": setup, "tags": ["league"]}
        )
        took.append((time.perf_counter() - began) * 1000)
        refused[0] += status != 201
        time.sleep(0.05)


def _report(figures: Mapping[str, Any]) -> Iterator[str]:
    recording, rebuild = figures["recording"], figures["rebuild"]
    alone, beside = recording["alone"], recording["beside"]
    yield (
        f"recording: 95th percentile {alone['p95']:.1f} ms alone, {beside['p95']:.1f} ms beside {STRANGERS} strangers, "
        f"{recording['ratio']:.1f} times (≤ 2), {beside['refused']} refused (0), longest {beside['longest']:.0f} ms"
    )
    yield f"answers to the strangers by status: {recording['strangers']}"
    yield (
        f"rebuild: {rebuild['seconds']:.0f} s; of {rebuild['ended']} matches that ended meanwhile the longest took "
        f"{rebuild['longest']:.0f} ms (≤ 2,000), 95th percentile {rebuild['p95']:.0f} ms, "
        f"{rebuild['refused']} refused (0)"
    )
