"""An archive of many matches: how long starting, reading, statistics, verification and backups take in one.

As a part of the benchmark it fills a database of its own. As a program, `python -m bench.archive FOLDER`, it measures
the one that `scripts.many_matches` has filled in the folder of CARNET_DATA.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from time import perf_counter, sleep
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

import orjson
import psycopg
from psycopg.rows import scalar_row

from bench import statistics
from bench.fleet import megabytes, processor_seconds
from bench.load import Client, get
from bench.parts import Given
from bench.serving import running
from scripts import loading, many_matches
from scripts.progress import shown
from scripts.simulate import Cast
from service.auth import tokens
from service.config import read_config
from service.context import Services
from service.db.pool import Database
from service.db.roles import Logins, prepare
from service.matches import integrity
from service.principals import Scope
from service.server.postgres import Server, find_binaries

API: Final = "/api/v1"
REQUESTS: Final = 40
"""Of each kind, after a quarter as many that do not count."""
PAGES: Final = 100
"""Pages of a hundred matches that are read one after the other."""
BOUND_MS: Final = 100.0
MAX_START: Final = 2.0
VERIFIED: Final = 10_000
"""Matches that are verified, if there are more."""
IDLE_FOR: Final = 10.0
RESTORED: Final = "restored"
TOO_LONG: Final = 503
"""The answer to a statistic that took more than two seconds."""
_IDS: Final = "SELECT match_id::text FROM matches TABLESAMPLE SYSTEM (%s) REPEATABLE (1) WHERE {} LIMIT 1000"


@dataclass(frozen=True, slots=True)
class Sample:
    """Some of what there is."""

    whole: Sequence[str]
    """Finished matches with moves."""
    open: Sequence[str]
    players: Sequence[str]
    """The busiest one first, then others."""
    tags: Sequence[str]
    venues: Sequence[str]
    names: Sequence[str]

    @classmethod
    def of(cls, dsn: str) -> "Sample":
        """Draw it from a database."""
        with psycopg.connect(dsn, row_factory=scalar_row) as connection:

            def drawn(query: str, *values: object) -> list[str]:
                return connection.execute(query.encode(), values).fetchall()

            matches = int(drawn("SELECT count(*) FROM matches")[0])
            percent = min(100.0, 10**7 / max(1, matches))
            return cls(
                drawn(_IDS.format("visibility = 'public' AND status = 'finished' AND ply > 0"), percent),
                drawn(_IDS.format("visibility = 'public' AND status = 'in_progress'"), percent),
                drawn(
                    """
                    SELECT player_id::text FROM player_tallies WHERE tag = '' AND month = '-infinity'
                    GROUP BY player_id ORDER BY sum(number) DESC LIMIT 1000
                    """
                ),
                drawn("SELECT tag FROM tag_counts ORDER BY number DESC LIMIT 1000"),
                drawn("SELECT DISTINCT venue FROM match_facts WHERE venue IS NOT NULL"),
                drawn("SELECT name FROM players ORDER BY player_id LIMIT 1000"),
            )


Question = Callable[[Random, Sample], str]


def _list(**filters: str) -> Question:
    return lambda _random, _sample: f"{API}/matches?{urlencode({'limit': 20, **filters})}"


def _match(path: str, *, is_open: bool = False) -> Question:
    return lambda random, sample: f"{API}/matches/{random.choice(sample.open if is_open else sample.whole)}{path}"


def _player(path: str) -> Question:
    return lambda random, sample: path.format(random.choice(sample.players))


QUESTIONS: Final[Mapping[str, Question]] = {
    "list": _list(),
    "list, by activity": _list(sort="activity"),
    "list, of a game": _list(game="paris"),
    "list, in progress": _list(status="in_progress"),
    "list, abandoned": _list(status="abandoned"),
    "list, abandoned, of a game that has none": _list(status="abandoned", game="paris"),
    "list, of the first month": _list(to="2021-02-01"),
    "list, of a common venue": _list(venue=many_matches.AT_HOME),
    "list, of a venue": lambda random, sample: f"{API}/matches?{urlencode({'venue': random.choice(sample.venues)})}",
    "list, of a venue that nobody names": _list(venue="nowhere"),
    "list, of a common tag": _list(tag="league"),
    "list, of a tag": lambda random, sample: f"{API}/matches?{urlencode({'tag': random.choice(sample.tags)})}",
    "list, of a player": _player(API + "/matches?player={}"),
    "list, of the busiest player": lambda _, sample: f"{API}/matches?player={sample.players[0]}",
    "list, of a member's own matches": _list(mine="1"),
    "list, of a member's own that go on": _list(mine="1", status="in_progress", sort="activity"),
    "list, of two players": lambda random, sample: (
        f"{API}/matches?player={sample.players[0]}&player={random.choice(sample.players)}"
    ),
    "match": _match(""),
    "state": _match("/state"),
    "log": _match("/log"),
    "result": _match("/result"),
    "replay": _match("/replay?fields=ply,text"),
    "replay with states": _match("/replay"),
    "legal moves": _match("/legal-moves", is_open=True),
    "verification of a match": _match("/verify"),
    "players": lambda _random, _sample: f"{API}/players?limit=20",
    "players by name": lambda random, sample: f"{API}/players?{urlencode({'name': random.choice(sample.names)[:9]})}",
    "player": _player(API + "/players/{}"),
    "start page": lambda _random, _sample: "/",
    "page of a match": lambda random, sample: f"/matches/{random.choice(sample.whole)}",
    "page of all players": lambda _random, _sample: "/players",
    "page of a player": _player("/players/{}"),
    "page of a game": lambda _random, _sample: "/games/cite-lumiere",
}


def run(given: Given, figures: dict[str, Any]) -> None:
    """Fill a database, measure and print."""
    place = Path(tempfile.mkdtemp(prefix="bench-", dir=given.folder))
    try:
        with Server(place / "postgres", find_binaries(os.environ)) as server:
            began = perf_counter()
            prepare(server.logins())
            events = many_matches.fill(server.logins(), given.counted, given.seed)
            figures["filled"] = {"events": events, "seconds": round(perf_counter() - began)}
            print(f"{given.counted:,} matches with {events:,} events in {perf_counter() - began:.0f} s")
            measure(server, place, figures, given.seed)
    finally:
        shutil.rmtree(place, ignore_errors=True)


PARTS: Final = ("sizes", "start", "answers", "statistics", "verify", "backup")


def measure(server: Server, place: Path, figures: dict[str, Any], seed: int = 1, parts: Sequence[str] = PARTS) -> None:
    """Measure an archive on a running server, and print."""
    logins = server.logins()
    measures: Mapping[str, Callable[[], Any]] = {
        "sizes": lambda: _sizes(logins),
        "start": lambda: _started(logins),
        "answers": lambda: _answers(logins, seed),
        "statistics": lambda: _statistics(logins, seed),
        "verify": lambda: _verified(logins),
        "backup": lambda: _backed_up(server, place),
    }
    for name in parts:
        figures[name] = measures[name]()


def _sizes(logins: Logins) -> dict[str, Any]:
    with _opened(logins) as database, database.statements() as connection:
        tables = loading.sizes(connection)
    print("\n".join(loading.table_lines(tables)))
    return {table.name: table._asdict() for table in tables}


@contextmanager
def _opened(logins: Logins) -> Iterator[Database]:
    with closing(Database(logins.owner, has_limits=False)) as database:
        database.open()
        yield database


def _settings(logins: Logins) -> dict[str, str]:
    """Settings with sign-in, as a federation has it."""
    return {"DATABASE_OWNER_URL": logins.owner, "CARNET_OPEN": "0", "CARNET_RATE": "0"}


def _started(logins: Logins) -> dict[str, Any]:
    """The seconds until a service answers, and what it takes when nobody asks it anything."""
    seconds, percent, memory = [], 0.0, 0.0
    for _ in range(3):
        began = perf_counter()
        with running("ours", logins.service, _settings(logins)) as service:
            seconds.append(perf_counter() - began)
            sleep(2)
            before = processor_seconds(service.pid)
            sleep(IDLE_FOR)
            percent = (processor_seconds(service.pid) - before) / IDLE_FOR * 100
            memory = megabytes(service.pid)
    median = sorted(seconds)[1]
    print(f"start {median:.2f} s (≤ {MAX_START:g}), idle {percent:.2f} % of a processor, {memory:.0f} MB")
    return {"seconds": seconds, "idle_percent": percent, "megabytes": memory}


def _answers(logins: Logins, seed: int) -> dict[str, Any]:
    """The 95th percentile of each kind of request of a member, and the memory of the service behind them."""
    sample = Sample.of(logins.owner)
    token = _token(logins)
    found: dict[str, Any] = {}
    with running("ours", logins.service, _settings(logins)) as service, Client(service.port) as client:
        for name, question in shown(QUESTIONS.items(), len(QUESTIONS), "kinds of requests"):
            random = Random(f"{seed} {name}")
            took = [_seconds(client, question(random, sample), token) for _ in range(REQUESTS + REQUESTS // 4)]
            found[name] = _percentile(took[REQUESTS // 4 :])
        found["deep pages"] = _percentile(list(_pages(client, token)))
        found["deep pages, of a stranger"] = _percentile(list(_pages(client)))
        memory = megabytes(service.pid)
    width = max(map(len, found))
    print(f"{'95th percentile in ms':<{width}}")
    for name, milliseconds in found.items():
        print(f"{name:<{width}}{milliseconds:>9.1f}{'' if milliseconds <= BOUND_MS else f'  above {BOUND_MS:g}'}")
    print(f"{memory:.0f} MB of memory")
    return {"p95_ms": found, "megabytes": memory}


def _token(logins: Logins) -> str:
    """A token of the first member."""
    with _opened(logins) as database, database.transaction() as connection:
        row = connection.execute("SELECT account_id FROM accounts ORDER BY name LIMIT 1").fetchone()
        assert row is not None
        return tokens.create_token(connection, row["account_id"], [Scope.READ], "bench").text


def _get(path: str, token: str | None) -> bytes:
    return get(path, "" if token is None else f"Authorization: Bearer {token}\r\n")


def _seconds(client: Client, path: str, token: str | None) -> float:
    began = perf_counter()
    client.require(_get(path, token), 200)
    return perf_counter() - began


def _pages(client: Client, token: str | None = None) -> Iterator[float]:
    """The seconds of one page after the other."""
    after: str | None = None
    for _ in range(PAGES):
        query = {"limit": "100"} | ({} if after is None else {"cursor": after})
        began = perf_counter()
        page = orjson.loads(client.require(_get(f"{API}/matches?{urlencode(query)}", token), 200).body)
        yield perf_counter() - began
        after = page["next"]
        if after is None:
            return


def _percentile(took: Sequence[float]) -> float:
    return round(sorted(took)[int(0.95 * len(took))] * 1000, 2)


def _statistics(logins: Logins, seed: int) -> dict[str, dict[str, float]]:
    """The 95th percentile of each statistic under no or one filter, under two, and under those without sums."""
    sample = Sample.of(logins.owner)
    cast = Cast(tuple(map(UUID, sample.players)), ())
    found = statistics.answers_of(logins.service, cast, seed, has_other_edition=False, allowed={TOO_LONG})
    width = max(map(len, found))
    print(f"{'95th percentile in ms':<{width}}{'single':>9}{'pairs':>9}{'facts':>9}")
    for path, kinds in found.items():
        row = "".join(f"{kinds[kind]:>9.0f}" for kind in ("single", "pairs", "costly"))
        is_within = kinds["single"] <= 100 and kinds["pairs"] <= 500 and kinds["costly"] <= 200
        print(f"{path:<{width}}{row}  {'within' if is_within else 'missed'}")
    return found


def _verified(logins: Logins, number: int = VERIFIED) -> dict[str, float]:
    """The rate at which matches are verified, and how many have faults."""
    with _opened(logins) as database, closing(Services.on(read_config({"CARNET_OPEN": "1"}), database)) as services:
        total = integrity.count(services)
        began = perf_counter()
        findings = list(islice(integrity.verify(services), number))
        seconds = perf_counter() - began
    faults = sum(bool(finding.faults) for finding in findings)
    rate = len(findings) / seconds
    print(
        f"{rate:.0f} matches verified a second, {faults} with faults; all {total:,} in {total / rate / 60:.0f} minutes"
    )
    return {"matches_a_second": rate, "faults": faults, "computed_seconds": total / rate}


def _backed_up(server: Server, place: Path) -> dict[str, float]:
    """The seconds of a backup and of restoring it, and its bytes."""
    file = place / "archive.backup"
    logins = server.logins()
    with psycopg.connect(server.dsn(), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {RESTORED}".encode())
        connection.execute(f"CREATE DATABASE {RESTORED} OWNER carnet_owner".encode())
        try:
            found = {"backup": _command(logins, "backup", file), "bytes": float(file.stat().st_size)}
            found["restore"] = _command(server.logins(RESTORED), "restore", file)
        finally:
            file.unlink(missing_ok=True)
            connection.execute(f"DROP DATABASE {RESTORED} WITH (FORCE)".encode())
    print(f"backup {found['backup']:.0f} s, {found['bytes'] / 2**20:,.0f} MB; restored in {found['restore']:.0f} s")
    return found


def _command(logins: Logins, name: str, file: Path) -> float:
    began = perf_counter()
    subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-m", "service", name, str(file)],
        env={**os.environ, "DATABASE_URL": logins.service, "DATABASE_OWNER_URL": logins.owner},
        check=True,
    )
    return perf_counter() - began


def main() -> int:
    """Measure the archive in a folder."""
    parser = argparse.ArgumentParser(prog="python -m bench.archive", description=__doc__)
    parser.add_argument("folder", type=Path, help="that of CARNET_DATA")
    parser.add_argument("parts", nargs="*", help=f"{', '.join(PARTS)} (default all)")
    parser.add_argument("--output", type=Path, help="where the figures are written as JSON")
    options = parser.parse_args()
    figures: dict[str, Any] = {}
    with Server(options.folder / "postgres", find_binaries(os.environ)) as server:
        measure(server, options.folder, figures, parts=options.parts or PARTS)
    if options.output is not None:
        options.output.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
