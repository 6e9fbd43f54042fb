"""Files of matches: how many are imported and exported in a second of one core, and what memory many of them take."""

import gc
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import Any, Final

import orjson
from flask.testing import FlaskClient

from bench.parts import Given
from bench.statistics import API, application, empty_database
from domain.catalogue import GAMES
from domain.game import AnyGame
from domain.match import Draft, Entry, Event, Player, Timeline, create, record, seal
from domain.match import document as documents
from domain.match.document import Details, MatchDocument, Person
from domain.match.notation import MatchInfo, transcribe, write_match
from scripts.progress import shown
from scripts.random_play import play
from service.identity import as_text, new_id, now
from service.server.postgres import Server, find_binaries

LIMITS: Final[Mapping[tuple[str, str], float]] = {
    ("cite-lumiere", "import"): 300,
    ("cite-lumiere", "export"): 1000,
    ("paris", "import"): 300,
    ("paris", "export"): 1000,
}
"""Matches in a second of one core, PostgreSQL included. Those of Paris are six times as long."""
ROUNDS: Final = {"import": 1, "export": 3}
"""How often each is measured; the median counts. The first export also has PostgreSQL set the hint bits of new rows."""
MAX_GROWTH: Final = 64
"""Megabytes that the process may grow from a tenth of many matches to all of them."""
FORMS: Final = ("json", "text")
IN_A_FILE: Final = 5_000
DOCUMENTS_IN_A_FILE: Final = 500
"""Those of Paris have 44 of the 50 MB that a file may have."""
WARM: Final = 100
NAMES: Final = ("Ana", "Jan", "Zofia", "Ola", "Piotr", "Ewa")


@dataclass(frozen=True, slots=True)
class Template:
    """A random match that is written under another id each time."""

    drafts: Sequence[Draft]
    timeline: Timeline
    people: Mapping[str, str]
    """Names by the ids of players."""

    def text(self) -> bytes:
        """The match as text, under an id of its own."""
        info = MatchInfo(str(new_id()), "2026-11-01T10:00:00Z", "club", ("league",))
        return write_match(transcribe(self.timeline, self.people, info)).encode()

    def json(self) -> bytes:
        """The match as a document, under an id of its own."""
        match_id, at = str(new_id()), as_text(now())
        log: list[Event] = []
        for seq, draft in enumerate(self.drafts, start=1):
            before = log[-1].hash if log else None
            log.append(seal(draft, match_id=match_id, seq=seq, actor=None, recorded_at=at, prev_hash=before))
        details = Details(0, "2026-11-01T10:00:00.000000Z", "club", ("league",), False, "club", "results", None, at)
        people = tuple(Person(player_id, name) for player_id, name in self.people.items())
        head, game = documents.head_of(self.timeline), self.timeline.game
        return documents.write(MatchDocument(match_id, game, at, None, tuple(log), head, (details,), people)).encode()


def run(given: Given, figures: dict[str, Any]) -> None:
    """Measure and print."""
    place = Path(tempfile.mkdtemp(prefix="bench-", dir=given.folder))
    figures["rates"], number = {}, 5 * given.matches
    try:
        with Server(place, find_binaries(os.environ)) as server:
            print(f"{'files':<30}{'matches/s':>10}{'ms service':>12}{'ms database':>13}{'a core/s':>10}  bound")
            for game in GAMES.values():
                templates = list(_templates(game, given.matches, given.seed))
                for form in FORMS:
                    dsn = empty_database(server, f"{game.id.replace('-', '_')}_{form}")
                    with application(dsn) as app:
                        _measure(app.test_client(), place, game, form, templates, number, figures["rates"])
            templates = list(_templates(GAMES["cite-lumiere"], given.matches, given.seed))
            with application(empty_database(server, "many")) as app:
                figures["memory"] = _remember(app.test_client(), templates, given.counted)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _templates(game: AnyGame, number: int, seed: int) -> Iterator[Template]:
    random = Random(seed)
    ids = {name: str(new_id()) for name in NAMES}
    for _ in range(number):
        drawn: Any = play(game, random, listed=False)
        names = random.sample(NAMES, len(drawn.seats))
        people = [Player(seat, ids[name]) for seat, name in zip(drawn.seats, names, strict=True)]
        begun = create(game, game.editions.default, people, game.setup.parse(drawn.setup))
        recorded = record(begun.timeline, [Entry(seat, move) for seat, move in drawn.plies])
        yield Template((*begun.drafts, *recorded.drafts), recorded.timeline, {ids[name]: name for name in names})


def _file(templates: Sequence[Template], form: str, number: int) -> bytes:
    return b"\n".join(getattr(template, form)() for template in islice(cycle(templates), number))


def _measure(
    client: FlaskClient,
    place: Path,
    game: AnyGame,
    form: str,
    templates: Sequence[Template],
    number: int,
    figures: dict[str, Any],
) -> None:
    """Import matches and export them again, and print both rates as they come."""
    _import(client, _file(templates, form, WARM))
    sizes = [min(DOCUMENTS_IN_A_FILE, number - done) for done in range(0, number, DOCUMENTS_IN_A_FILE)]
    files = [_file(templates, form, size) for size in sizes]
    acts: Mapping[str, tuple[int, Callable[[], int]]] = {
        "import": (number, lambda: sum(_import(client, file) for file in files)),
        "export": (number + WARM, lambda: _export(client, form)),
    }
    for name, (count, act) in acts.items():
        rounds = []
        for _ in range(ROUNDS[name]):
            gc.collect()
            began, own, database = perf_counter(), process_time(), _seconds_of_postgres(place)
            done = act()
            took, own, database = perf_counter() - began, process_time() - own, _seconds_of_postgres(place) - database
            if done != count:
                raise RuntimeError(f"{name} of {count} matches as {form}: {done}")
            rounds.append((own + database, took, own, database))
        spent, took, own, database = sorted(rounds)[len(rounds) // 2]
        limit, rate = LIMITS[game.id, name], count / spent
        verdict = f"{limit:.0f}: {'within' if rate >= limit else 'missed'}"
        row = {"matches_per_second": count / took, "service": own / count, "database": database / count, "core": rate}
        figures[f"{game.id}: {name} {form}"] = {**row, "limit": limit}
        print(
            f"{f'{game.id}: {name} {form}':<30}{count / took:>10.0f}{1000 * own / count:>12.2f}"
            f"{1000 * database / count:>13.2f}{rate:>10.0f}  {verdict}",
            flush=True,
        )


def _import(client: FlaskClient, file: bytes) -> int:
    """Import a file, and count its new matches."""
    headers = {"Accept": "application/x-ndjson"}
    kind = "application/octet-stream"
    response = client.post(f"{API}/matches/import", data=file, content_type=kind, headers=headers)
    summary: Any = None
    for line in b"".join(response.iter_encoded()).splitlines():
        summary = orjson.loads(line)
    return int(summary["summary"]["counts"]["new"])


def _export(client: FlaskClient, form: str) -> int:
    """Export all matches as a stream, and count them by their last lines or their format."""
    response = client.get(f"{API}/export?format={form}")
    sign = b'"format":"carnet-match"' if form == "json" else b"\nend\n"
    return sum(part.count(sign) for part in response.iter_encoded())


def _seconds_of_postgres(place: Path) -> float:
    """The processor time of the database's processes so far."""
    ticks = 0
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and str(place) in str((process / "cwd").readlink()):
                words = (process / "stat").read_text().rpartition(")")[2].split()
                ticks += int(words[11]) + int(words[12])
        except OSError:
            continue
    return ticks / os.sysconf("SC_CLK_TCK")


def _remember(client: FlaskClient, templates: Sequence[Template], number: int) -> dict[str, Any]:
    """Import so many matches, file by file, export them, and print how much the process grew since the first tenth."""
    files = max(1, number // IN_A_FILE)
    size = number // files
    found: dict[str, list[int]] = {"import": [], "export": []}
    for _ in shown(range(files), files, "imported"):
        _import(client, _file(templates, "text", size))
        found["import"].append(_megabytes())
    for form in FORMS:
        response = client.get(f"{API}/export?format={form}")
        for index, _ in enumerate(response.iter_encoded()):
            if index % size == 0:
                found["export"].append(_megabytes())
    growth = {name: sizes[-1] - sizes[len(sizes) // 10] for name, sizes in found.items()}
    for name, grown in growth.items():
        verdict = "within" if grown <= MAX_GROWTH else "missed"
        row = f"{grown:+d} MB since the first tenth, {max(found[name])} MB at most"
        print(f"{name} of {files * size} matches: {row}  {verdict}", flush=True)
    return {"matches": files * size, "megabytes": found, "growth": growth, "limit": MAX_GROWTH}


def _megabytes() -> int:
    """The memory that the process has now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20
