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
from dataclasses import asdict, dataclass
from itertools import islice
from math import inf
from pathlib import Path
from random import Random
from time import perf_counter, sleep
from typing import Any, Final
from urllib.parse import urlencode

import orjson
import psycopg
from psycopg.rows import scalar_row

from bench.fleet import megabytes, processor_seconds
from bench.load import Client, UnexpectedAnswer, get
from bench.parts import Given
from bench.serving import running
from scripts import loading, many_matches
from scripts.progress import shown
from service.auth import tokens
from service.config import read_config
from service.context import Services
from service.db.pool import Database
from service.db.roles import Logins, prepare
from service.matches import integrity
from service.principals import Scope
from service.server.postgres import Server, find_binaries

API: Final = "/api/v1"
STATS: Final = f"{API}/stats"
REQUESTS: Final = 40
"""Of each kind, after a quarter as many that do not count."""
STATISTICS_REQUESTS: Final = 12
"""Of each statistic under each filter, after as many that do not count."""
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


STATISTICS: Final[Mapping[str, Question]] = {
    "players": lambda _random, _sample: f"{STATS}/players",
    "by rate": lambda _random, _sample: f"{STATS}/players?game=cite-lumiere&sort=win_rate",
    "busiest": lambda _, sample: f"{STATS}/players/{sample.players[0]}",
    "player": _player(STATS + "/players/{}?game=cite-lumiere"),
    "history": _player(STATS + "/players/{}/ratings?game=cite-lumiere"),
    "pair": lambda random, sample: f"{STATS}/head-to-head?a={sample.players[0]}&b={random.choice(sample.players[1:])}",
    "game": lambda _random, _sample: f"{STATS}/games/cite-lumiere",
    "paris": lambda _random, _sample: f"{STATS}/games/paris",
    "features": lambda _random, _sample: f"{STATS}/games/cite-lumiere/features",
    "openings": lambda _random, _sample: f"{STATS}/games/cite-lumiere/openings",
    "deeper": lambda _random, _sample: f"{STATS}/games/cite-lumiere/openings?depth=3",
    "ratings": lambda _random, _sample: f"{STATS}/ratings",
    "of game": lambda _random, _sample: f"{STATS}/ratings?game=paris",
}
"""Statistics that pages show, by short names."""

Query = Sequence[tuple[str, str]]
Filter = Callable[[Random, Sample], Query]
SUMMED_MS: Final = 100.0
FACTS_MS: Final = 200.0
BOTH_MS: Final = 500.0
"""The bounds of one filter that sums answer, of one that needs the facts of matches, and of two."""


def _fixed(*pairs: tuple[str, str], **filters: str) -> Filter:
    return lambda _random, _sample: [*pairs, *filters.items()]


def _drawn(name: str, among: Callable[[Sample], Sequence[str]], number: int = 1) -> Filter:
    return lambda random, sample: [(name, value) for value in random.sample(among(sample), number)]


_YEAR: Final[Query] = (("from", "2023-01-01"), ("to", "2024-01-01"), ("tz", "Europe/Warsaw"))
FILTERS: Final[Mapping[str, tuple[Filter, float]]] = {
    "none": (_fixed(), SUMMED_MS),
    "population": (_fixed(population="public"), SUMMED_MS),
    "year": (_fixed(*_YEAR), SUMMED_MS),
    "latest month": (_fixed(("from", "2025-11-20")), SUMMED_MS),
    "common tag": (_fixed(tag="league"), SUMMED_MS),
    "tag": (_drawn("tag", lambda sample: sample.tags[1:]), SUMMED_MS),
    "edition": (_fixed(edition="devir-2019"), SUMMED_MS),
    "number of players": (_fixed(player_count="2"), SUMMED_MS),
    "with moves": (_fixed(recorded="moves"), SUMMED_MS),
    "result alone": (_fixed(recorded="result"), SUMMED_MS),
    "without rulings": (_fixed(rulings="exclude"), SUMMED_MS),
    "player": (_drawn("player", lambda sample: sample.players[1:]), SUMMED_MS),
    "busiest player": (lambda _, sample: [("player", sample.players[0])], SUMMED_MS),
    "common venue": (_fixed(venue=many_matches.AT_HOME), FACTS_MS),
    "venue": (_drawn("venue", lambda sample: sample.venues), FACTS_MS),
    "two players": (_drawn("player", lambda sample: sample.players, 2), FACTS_MS),
    "mine": (_fixed(mine="1"), FACTS_MS),
    "year, tag": (_fixed(*_YEAR, tag="league"), BOTH_MS),
    "year, player": (lambda random, sample: [*_YEAR, ("player", random.choice(sample.players))], BOTH_MS),
    "year, common venue": (_fixed(*_YEAR, venue=many_matches.AT_HOME), BOTH_MS),
    "tag, venue": (_fixed(tag="league", venue=many_matches.AT_HOME), BOTH_MS),
    "tag, with moves": (_fixed(tag="league", recorded="moves"), BOTH_MS),
}
"""Which matches are asked about, with the milliseconds that statistics of them may take."""


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
        "statistics": lambda: _statistics(server, seed),
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


@dataclass(frozen=True, slots=True)
class Took:
    """The milliseconds that some statistics took."""

    best: float
    median: float
    p95: float
    processor: float
    """Of the service and the database for each, whatever else the machine does."""

    @classmethod
    def of(cls, seconds: Sequence[float], processor: float) -> "Took":
        """Of some requests, and of processor time together."""
        ordered = sorted(seconds)
        places = (0, len(ordered) // 2, int(0.95 * len(ordered)))
        figures = (*(ordered[place] for place in places), processor / len(ordered))
        return cls(*(round(figure * 1000, 2) for figure in figures))


def _statistics(server: Server, seed: int) -> dict[str, dict[str, Any]]:
    """What each statistic took under each filter, of a member; none where the time limit ended it."""
    logins = server.logins()
    sample = Sample.of(logins.owner)
    token = _token(logins)
    found: dict[str, dict[str, Took | None]] = {}
    with running("ours", logins.service, _settings(logins)) as service, Client(service.port) as client:

        def processor() -> float:
            return processor_seconds(service.pid) + processor_seconds(server.pid)

        for path, address in shown(STATISTICS.items(), len(STATISTICS), "statistics"):
            found[path] = {}
            for name, (filters, _) in FILTERS.items():
                random = Random(f"{seed} {path} {name}")
                drawn = [(address(random, sample), filters(random, sample)) for _ in range(STATISTICS_REQUESTS)]
                found[path][name] = _took(client, [_with(*parts) for parts in drawn], token, processor)
    for figure in ("p95", "best", "processor"):
        print("\n".join(statistics_lines(found, figure)))
    return {
        path: {name: None if took is None else asdict(took) for name, took in filters.items()}
        for path, filters in found.items()
    }


def _with(address: str, query: Query) -> str:
    """An address with some more parameters."""
    return f"{address}{'&' if '?' in address else '?'}{urlencode(query)}" if query else address


def _took(client: Client, addresses: Sequence[str], token: str, processor: Callable[[], float]) -> Took | None:
    """The times of some statistics, each asked for once before; None if one took too long."""
    seconds, before = [], 0.0
    for is_counted in (False, True):
        before = processor()
        for address in addresses:
            began = perf_counter()
            answer = client.ask(_get(address, token))
            if answer.status == TOO_LONG:
                return None
            if answer.status != 200:
                raise UnexpectedAnswer(f"{address}: {answer.status} {answer.body[:500]!r}")
            if is_counted:
                seconds.append(perf_counter() - began)
    return Took.of(seconds, processor() - before)


def statistics_lines(found: Mapping[str, Mapping[str, Took | None]], figure: str) -> Iterator[str]:
    """The lines of a table: a row for each filter, a column for each statistic; `!` behind what is above its bound."""
    columns = {path: max(7, len(path)) for path in found}
    width = max(map(len, FILTERS))
    yield f"{f'{figure} in ms':<{width}}  {'bound':>5}  {'  '.join(f'{path:>{columns[path]}}' for path in found)}"
    for name, (_, bound) in FILTERS.items():
        cells = []
        for path, filters in found.items():
            took = filters[name]
            milliseconds = inf if took is None else float(getattr(took, figure))
            text = f"{milliseconds:.0f}{'!' if milliseconds > bound else ' '}"
            cells.append(f"{text:>{columns[path]}}")
        yield f"{name:<{width}}  {bound:>5.0f}  {'  '.join(cells)}"


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
