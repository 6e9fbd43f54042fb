"""Statistics of many matches: how long each answer takes, what recording and rebuilding cost, when ratings settle."""

import gc
import os
import resource
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import combinations, islice
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any
from unittest.mock import patch
from urllib.parse import urlencode

import orjson
import psycopg
from flask import Flask
from flask.testing import FlaskClient

from bench.parts import Given
from bench.ratios import alternate
from domain.catalogue import GAMES
from scripts import loading, simulate
from scripts.progress import shown
from scripts.random_play import play
from scripts.simulate import Cast
from service.app import create_app
from service.config import read_config
from service.db.migrations import migrate
from service.db.pool import Database
from service.matches import commands
from service.server.postgres import Server, find_binaries
from service.server.run import GC_THRESHOLD
from service.stats import rebuilding
from service.stats.ratings import settle

API = "/api/v1"
REQUESTS = 60
"""Of each kind, after as many that do not count."""
RECORDED = 20
"""Matches that are recorded in a round with and without what statistics keep."""
REBUILT = 2000
OTHER_EDITION = "other"

Query = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Size:
    """How many matches of each game there are, and of how many players; fewer for what is compared with."""

    matches: int
    players: int
    seed: int
    rounds: int

    @property
    def tenth(self) -> "Size":
        """A tenth of it."""
        return replace(self, matches=self.matches // 10)


def run(given: Given, figures: dict[str, Any]) -> None:
    """Measure and print."""
    figures.update(measure(Size(given.counted, 500, given.seed, given.rounds or 5), given.folder))


def measure(size: Size, folder: Path) -> dict[str, Any]:
    """Measure in a temporary folder beside the results, print tables, and answer with the figures."""
    place = Path(tempfile.mkdtemp(prefix="bench-", dir=folder))
    try:
        with Server(place, find_binaries(os.environ)) as server:
            small = database_with_matches(server, "small", size.tenth)
            large = database_with_matches(server, "large", size)
            cast = Cast.drawn(size.players, size.seed)
            answers = {name: answers_of(dsn, cast, size.seed) for name, dsn in (("small", small), ("large", large))}
            document = {
                "matches": size.matches,
                "milliseconds": _compared(answers["small"], answers["large"]),
                "late_match_seconds": _settling(large),
                "recording": _recording(server, size),
                "rebuilt_per_minute": _rebuilding(server, size),
            }
    finally:
        shutil.rmtree(place, ignore_errors=True)
    print()
    print("\n".join(_told(document)))
    return document


def database_with_matches(server: Server, name: str, size: Size) -> str:
    """A database with so many matches of each game, half of which say that they are of another edition."""
    dsn = empty_database(server, name)
    began = perf_counter()
    with opened(dsn) as database:
        wanted = {"cite-lumiere": (size.matches, 0), "paris": (size.matches // 10, 9)}
        simulate.fill(database, Cast.drawn(size.players, size.seed), wanted)
        with database.transaction() as connection:
            loading.split_editions(connection, OTHER_EDITION)
        simulate.sum_up(database)
        with database.statements() as connection:
            megabytes = loading.size(connection) / 2**20
    print(f"{size.matches} matches of each game: {perf_counter() - began:.0f} s, {megabytes:,.0f} MB")
    return dsn


def empty_database(server: Server, name: str) -> str:
    """A new database with the tables of the service."""
    with psycopg.connect(server.dsn(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    dsn = server.dsn(name)
    migrate(dsn)
    return dsn


@contextmanager
def opened(dsn: str, *, has_limits: bool = False) -> Iterator[Database]:
    """Connections to a database while the block runs."""
    database = Database(dsn, has_limits=has_limits)
    database.open()
    try:
        yield database
    finally:
        database.close()


@contextmanager
def application(dsn: str, *, has_limits: bool = True) -> Iterator[Flask]:
    """The application on a database, without sign-in."""
    with opened(dsn, has_limits=has_limits) as database:
        app = create_app(replace(read_config({"CARNET_OPEN": "1"}), rate=10**9), database)
        gc.freeze()  # as a worker does
        gc.set_threshold(*GC_THRESHOLD)
        yield app
        app.extensions["carnet"].close()


def answers_of(dsn: str, cast: Cast, seed: int) -> dict[str, dict[str, float]]:
    """The 95th percentile of each endpoint under a mix of single filters, and under pairs of them."""
    found: dict[str, dict[str, float]] = {}
    filters = list(_filters(cast).values())
    with application(dsn) as app:
        client = app.test_client()
        paths = list(_paths(cast))
        for path in shown(paths, len(paths), "endpoints"):
            random = Random(f"{seed} {path}")
            single = [(random.choice(filters),) for _ in range(REQUESTS)]
            pairs = [random.choice(list(combinations(filters, 2))) for _ in range(REQUESTS)]
            costly = [(random.choice(list(_costly_filters(cast).values())),) for _ in range(REQUESTS)]
            kinds: dict[str, list[tuple[Query, ...]]] = {"single": [*single], "pairs": [*pairs], "costly": [*costly]}
            found[path] = {kind: _percentile(client, path, some) for kind, some in kinds.items()}
    return found


def _paths(cast: Cast) -> Iterator[str]:
    one, other = cast.ids[0], cast.ids[1]
    yield from ("players", "players?game=cite-lumiere", "players?game=paris")
    yield from (f"players/{one}", f"players/{one}?game=paris", f"players/{one}/ratings?game=paris")
    yield f"head-to-head?a={one}&b={other}"
    for game in ("cite-lumiere", "paris"):
        yield from (f"games/{game}", f"games/{game}/features", f"games/{game}/openings", f"ratings?game={game}")
    yield "ratings"


def _filters(cast: Cast) -> Mapping[str, Query]:
    """No filter, a player of one match in a hundred, a year of five, a tag of one in twenty, half of the editions."""
    return {
        "none": (),
        "player": (("player", str(cast.ids[0])),),
        "year": (("from", "2023-01-01"), ("to", "2024-01-01"), ("tz", "Europe/Warsaw")),
        "tag": (("tag", "league"),),
        "edition": (("edition", OTHER_EDITION),),
    }


def _costly_filters(cast: Cast) -> Mapping[str, Query]:
    """Filters that no sums answer: a venue, and several players of whom one sat in one match in a hundred."""
    return {
        "venue": (("venue", "at home"),),
        "two players": tuple(("player", str(player)) for player in cast.ids[:2]),
        "three players": tuple(("player", str(player)) for player in cast.ids[:3]),
    }


def _percentile(client: FlaskClient, path: str, filters: Sequence[Sequence[Query]]) -> float:
    """The 95th percentile of the milliseconds that a path takes under some filters, warm."""
    took = []
    for is_counted in (False, True):
        for parts in filters:
            query = urlencode([member for part in parts for member in part])
            address = f"{API}/stats/{path}{'&' if '?' in path else '?'}{query}"
            began = perf_counter()
            response = client.get(address)
            if is_counted:
                took.append((perf_counter() - began) * 1000)
            if response.status_code != 200:
                raise RuntimeError(f"{address}: {response.text}")
    return sorted(took)[int(0.95 * len(took))]


def _compared(small: Mapping[str, Mapping[str, float]], large: Mapping[str, Mapping[str, float]]) -> dict[str, Any]:
    return {
        path: {
            "small": small[path]["single"],
            "large": found["single"],
            "pairs": found["pairs"],
            "costly": found["costly"],
        }
        for path, found in large.items()
    }


def _settling(dsn: str) -> float:
    """The seconds until ratings know of a match that was played before all others."""
    with application(dsn) as app, opened(dsn) as database:
        people = [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]
        setup = {"result_only": True, "points": {"orange": 40, "blue": 50}}
        body = {"game": "cite-lumiere", "players": people, "setup": setup, "played_at": "2000-01-01T00:00:00Z"}
        _post(app.test_client(), "/matches", body)
        began = perf_counter()
        settle(database)
        return perf_counter() - began


def _recording(server: Server, size: Size) -> dict[str, float]:
    """How many times as long recording whole matches takes with what statistics keep as without it."""
    dsn = empty_database(server, "recording")
    with application(dsn) as app:
        client, seeds = app.test_client(), iter(range(10**6))

        def record() -> float:
            matches = [play(GAMES["cite-lumiere"], Random(seed)) for seed in islice(seeds, RECORDED)]
            began = perf_counter()
            for match in matches:
                _record(client, match)
            return perf_counter() - began

        def record_without() -> float:
            with patch.object(commands, "keep_facts"), patch.object(commands, "keep_variant"):
                return record()

        found = alternate({"with": record, "without": record_without}, size.rounds, shown, "recording")
    ratios = sorted(one / other for one, other in zip(found["with"], found["without"], strict=True))
    return {"median": ratios[len(ratios) // 2], "least": ratios[0], "most": ratios[-1]}


def _record(client: FlaskClient, match: Any) -> None:
    """Record a match move by move."""
    game = GAMES["cite-lumiere"]
    people = [{"seat": seat, "name": name} for seat, name in zip(match.seats, ("Ana", "Jan"), strict=True)]
    made = _post(client, "/matches", {"game": game.id, "players": people, "setup": match.setup})
    for seat, move in match.plies:
        _post(client, f"/matches/{made['id']}/moves", {"seat": seat, "move": game.move.dump(move)})


def _post(client: FlaskClient, path: str, body: Any) -> Any:
    response = client.post(f"{API}{path}", data=orjson.dumps(body), content_type="application/json")
    if response.status_code != 201:
        raise RuntimeError(response.text)
    return orjson.loads(response.data)


def _rebuilding(server: Server, size: Size) -> dict[str, float]:
    """How many matches are rebuilt in a minute, and the megabytes that the process grew meanwhile."""
    dsn = empty_database(server, "rebuilding")
    number = min(REBUILT, size.matches)
    with opened(dsn) as database:
        simulate.load(database, Cast.drawn(size.players, size.seed), {"cite-lumiere": (number, 0)})
    with application(dsn, has_limits=False) as app:
        rebuilt = rebuilding.rebuild(app.extensions["carnet"])
        for _ in islice(rebuilt, number // 4):  # until caches are as large as they get
            pass
        before = _megabytes()
        began = perf_counter()
        rest = sum(1 for _ in rebuilt)
        return {"per_minute": 60 * rest / (perf_counter() - began), "grown_megabytes": _megabytes() - before}


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _told(document: Mapping[str, Any]) -> Iterator[str]:
    """The tables, each figure with its bound."""
    width = 64
    yield f"{'95th percentile in ms':<{width}}{'a tenth':>9}{'all':>9}{'ratio':>8}{'pairs':>9}{'facts':>9}"
    for path, found in document["milliseconds"].items():
        times = found["large"] / found["small"]
        is_within = found["large"] <= 100 and times <= 3 and found["pairs"] <= 500 and found["costly"] <= 200
        told = f"{times:>8.1f}{found['pairs']:>9.0f}{found['costly']:>9.0f}  {_verdict(is_within)}"
        yield f"{path:<{width}}{found['small']:>9.0f}{found['large']:>9.0f}{told}"
    yield f"{'bound':<{width}}{'':>9}{'≤ 100':>9}{'≤ 3':>8}{'≤ 500':>9}{'≤ 200':>9}"
    yield ""
    late, recording, rebuilt = document["late_match_seconds"], document["recording"], document["rebuilt_per_minute"]
    yield f"ratings know of the earliest match after {late:.1f} s (≤ 10: {_verdict(late <= 10)})"
    median = recording["median"]
    yield (
        f"recording takes {median:.2f} times as long ({recording['least']:.2f} to {recording['most']:.2f}) "
        f"with what statistics keep as without (≤ 1.3: {_verdict(median <= 1.3)})"
    )
    speed, grown = rebuilt["per_minute"], rebuilt["grown_megabytes"]
    yield f"{speed:,.0f} matches rebuilt a minute (≥ 3,000: {_verdict(speed >= 3000)}), {grown:.0f} MB more memory"


def _verdict(is_within: bool) -> str:
    return "within" if is_within else "missed"
