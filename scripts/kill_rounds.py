"""Kill rounds: clients record moves on the real service while its processes are killed, and nothing may go wrong."""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from random import Random
from threading import Event
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

import requests

from domain.canonical import canonical
from domain.catalogue import GAMES
from scripts.arguments import positive
from scripts.ports import reserved_port
from scripts.progress import shown
from scripts.random_play import play

ROOT = Path(__file__).parent.parent
PROCESSES = Path("/proc")
DRAWN = 32
"""How many different matches of each game the clients record, over and over."""
MAX_BATCH = 6
PATIENCE = 60.0
"""Seconds after which a service that does not come back has failed."""
PAUSE = 0.02


class Kind(Enum):
    """What is killed in a round, one after the other."""

    WORKER = "a worker"
    DATABASE = "the database"
    EVERYTHING = "everything"


class Failed(Exception):
    """Something that must never happen, in one sentence."""


@dataclass
class Tally:
    """What came of some rounds; the second half of the numbers must be 0."""

    matches: int = 0
    moves: int = 0
    sent_again: int = 0
    """Requests that got no answer and were sent once more."""
    replayed: int = 0
    """Those of them that had been carried out nevertheless."""
    lost: int = 0
    doubled: int = 0
    partial: int = 0
    broken: int = 0
    complaints: list[str] = field(default_factory=list)
    """What the service logged that no killing excuses; an answer with status 500 leaves its traceback there."""
    failures: list[str] = field(default_factory=list)
    """Answers that a client must never get, and answers that it never got."""

    @property
    def is_well(self) -> bool:
        """Whether nothing went wrong."""
        wrong = (self.lost, self.doubled, self.partial, self.broken, self.complaints, self.failures)
        return not any(wrong)

    def add(self, other: "Tally") -> None:
        """Count what another tally counts too."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


class Service:
    """`python -m service` with a data folder of its own."""

    def __init__(
        self,
        folder: Path,
        port: int,
        *,
        is_open: bool = True,
        host: str = "127.0.0.1",
        tree: Path = ROOT,
        python: str = sys.executable,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self._settings = settings or {}
        self._is_open = is_open
        self._host = host
        self._tree = tree
        self._python = python
        self._data = folder / "data"
        self._log = folder / "log"
        self._port = port
        self.url = f"http://127.0.0.1:{port}"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        assert self._process is not None
        self._process.terminate()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)

    def start(self) -> None:
        """Start it, or start it again, and wait until it answers."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - our words
                [self._python, "-m", "service"],
                cwd=self._tree,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.wait()

    def wait(self) -> None:
        """Wait until it answers."""
        latest = time.monotonic() + PATIENCE
        while not self._is_ready():
            assert self._process is not None
            if self._process.poll() is not None or time.monotonic() > latest:
                raise Failed(f"The service does not come up: {self._log.read_text()[-500:]}")
            time.sleep(PAUSE)

    def kill(self, kind: Kind, chance: Random) -> None:
        """Kill some of its processes without warning, see to it that they are gone, and wait until it answers again."""
        assert self._process is not None
        database = self.database()
        killed = {
            Kind.WORKER: lambda: [chance.choice(self.workers())],
            Kind.DATABASE: lambda: [database],
            Kind.EVERYTHING: lambda: [self._process.pid, *self._children(), database, *children(database)],
        }[kind]()
        for pid in killed:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if kind is Kind.EVERYTHING:
            self._process.wait()
            self.start()
        else:
            self.wait()

    def kill_service(self) -> None:
        """Kill all of its own processes without warning, and start it again; its database goes on."""
        assert self._process is not None
        for pid in (self._process.pid, *self._children()):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait()
        self.start()

    def restart(self) -> None:
        """Tell it to stop, and start it again."""
        assert self._process is not None
        self._process.terminate()
        if self._process.wait(PATIENCE):
            raise Failed(f"The service ended with {self._process.returncode}")
        self.start()

    def workers(self) -> list[int]:
        """The processes that answer requests."""
        database = self.database()
        return [pid for pid in self._children() if pid != database]

    def database(self) -> int:
        """The process that starts all others of PostgreSQL."""
        return int((self._data / "postgres" / "cluster" / "postmaster.pid").read_text().split()[0])

    def memory(self) -> int:
        """What its processes take without the database, in KiB; shared pages are shared out."""
        assert self._process is not None
        taken = 0
        for pid in (self._process.pid, *self._children()):
            with suppress(OSError):
                if (PROCESSES / f"{pid}/comm").read_text() != "postgres\n":
                    taken += memory_of(pid)["Pss"]
        return taken

    def complaints(self) -> list[str]:
        """What it logged that no killing excuses."""
        lines = self._log.read_text("utf-8", "replace").splitlines()
        return [line for line in lines if "Traceback" in line or "Error:" in line]

    def _environment(self) -> dict[str, str]:
        """Its settings, among which are none of the caller's own Carnet."""
        others = {name: value for name, value in os.environ.items() if not name.startswith(("DATABASE_", "CARNET_"))}
        return others | {
            "CARNET_DATA": str(self._data),
            "CARNET_HOST": self._host,
            "CARNET_OPEN": str(int(self._is_open)),
            "CARNET_PORT": str(self._port),
            **self._settings,
        }

    def _children(self) -> list[int]:
        assert self._process is not None
        return children(self._process.pid)

    def _is_ready(self) -> bool:
        try:
            return requests.get(f"{self.url}/readyz", timeout=PATIENCE).ok
        except requests.RequestException:
            return False


def children(pid: int) -> list[int]:
    """The processes that the main thread of another one has started."""
    return [int(child) for child in (PROCESSES / f"{pid}/task/{pid}/children").read_text().split()]


def memory_of(pid: int) -> dict[str, int]:
    """The kinds of memory of a process, in KiB, by the names of `smaps_rollup`."""
    lines = (PROCESSES / f"{pid}/smaps_rollup").read_text().splitlines()[1:]
    return {line.partition(":")[0]: int(line.split()[1]) for line in lines}


@dataclass
class Recorded:
    """A match as a client knows it: every move was acknowledged."""

    path: str
    moves: list[Mapping[str, Any]] = field(default_factory=list)


class Recorder:
    """A client that records one match after the other, and sends each request until it is answered."""

    patience = PATIENCE
    """Seconds in which a request must have been answered, however often it was sent."""
    timeout = PATIENCE
    """Seconds to wait for one answer."""

    def __init__(self, url: str, name: str, drawn: Sequence[tuple[Mapping[str, Any], Sequence[Any]]]) -> None:
        self.tally = Tally()
        self._url = f"{url}/api/v1"
        self._name = name
        self._drawn = drawn
        self._chance = Random(name)
        self._session = requests.Session()
        self._matches: list[Recorded] = []

    def record(self, over: Event) -> None:
        """Record until it is over."""
        while not over.is_set():
            body, moves = self._chance.choice(self._drawn)
            players = [{**player, "name": f"{self._name} {player['seat']}"} for player in body["players"]]
            match = Recorded(f"/matches/{self._post('/matches', {**body, 'players': players})['id']}")
            self._matches.append(match)
            while len(match.moves) < len(moves) and not over.is_set():
                size = self._chance.choice((1, 1, 1, self._chance.randint(2, MAX_BATCH)))
                self._send(match, moves[len(match.moves) : len(match.moves) + size])

    def check(self) -> None:
        """Compare all that was acknowledged with what the service has."""
        for match in self._matches:
            found = list(self._events(match))[1:]
            stored = Counter(canonical([event["payload"]["seat"], event["payload"]["move"]]) for event in found)
            known = Counter(canonical([move["seat"], move["move"]]) for move in match.moves)
            document = self._get(match.path)
            is_whole = self._get(f"{match.path}/verify")["valid"] and document["version"] == len(found) + 1
            self.tally.add(
                Tally(
                    matches=1,
                    moves=known.total(),
                    lost=(known - stored).total(),
                    doubled=(stored - known).total(),
                    broken=not (is_whole and document["ply"] == len(found)),
                )
            )

    def _send(self, match: Recorded, moves: Sequence[Mapping[str, Any]]) -> None:
        before = len(match.moves) + 1

        def require_whole() -> None:
            if self._get(match.path)["version"] not in {before, before + len(moves)}:
                self.tally.partial += 1

        body = moves[0] if len(moves) == 1 else {"moves": moves}
        if self._post(f"{match.path}/moves", body, require_whole)["version"] != before + len(moves):
            raise Failed(f"{len(moves)} moves behind version {before} of {match.path} got another version")
        match.moves += moves

    def _post(self, path: str, body: Any, look: Callable[[], None] = lambda: None) -> Any:
        """The answer to a request that is sent with the same key until there is one; look what it did before that."""
        headers = {"Idempotency-Key": str(uuid4())}
        latest = time.monotonic() + self.patience
        while (response := self._once("POST", path, body, headers)) is None:
            self.tally.sent_again += 1
            if time.monotonic() > latest:
                raise Failed(f"POST {path} gets no answer")
            look()
        if response.status_code not in {requests.codes.ok, requests.codes.created}:
            raise Failed(f"POST {path} got {response.status_code}: {response.text}")
        self.tally.replayed += "Idempotent-Replayed" in response.headers
        return response.json()

    def _events(self, match: Recorded) -> Iterator[Any]:
        cursor = ""
        while cursor is not None:
            page = self._get(f"{match.path}/events?limit=200{cursor and f'&cursor={cursor}'}")
            yield from page["items"]
            cursor = page["next"]

    def _get(self, path: str) -> Any:
        latest = time.monotonic() + self.patience
        while (response := self._once("GET", path)) is None:
            if time.monotonic() > latest:
                raise Failed(f"GET {path} gets no answer")
        if response.status_code != requests.codes.ok:
            raise Failed(f"GET {path} got {response.status_code}: {response.text}")
        return response.json()

    def _once(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> requests.Response | None:
        """The answer, or None after a moment if there is none or the database is away."""
        with suppress(requests.RequestException):
            response = self._request(method, path, body, headers)
            if response.status_code != requests.codes.unavailable:
                return response
        time.sleep(PAUSE)
        return None

    def _request(self, method: str, path: str, body: Any, headers: Mapping[str, str] | None) -> requests.Response:
        """The answer to one attempt; raise `requests.RequestException`."""
        return self._session.request(method, self._url + path, json=body, headers=headers, timeout=self.timeout)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the rounds and print what came of them; 1 if anything went wrong."""
    parser = argparse.ArgumentParser(prog="python -m scripts.kill_rounds", description=__doc__)
    parser.add_argument("--rounds", type=positive, default=20, help="how often to kill (default %(default)s)")
    parser.add_argument("--clients", type=positive, default=8, help="who record at once (default %(default)s)")
    parser.add_argument("--seconds", type=positive, default=6, help="how long a round takes (default %(default)s)")
    parser.add_argument("--seed", default="1", help="what the matches are drawn from (default %(default)s)")
    options = parser.parse_args(arguments)
    began = time.monotonic()
    tally = run(options.rounds, options.clients, options.seconds, options.seed)
    tell(
        f"{options.rounds} rounds with {options.clients} clients in {time.monotonic() - began:.0f} s; in each were "
        f"killed {', then '.join(kind.value for kind in Kind)}",
        f"{tally.moves} moves in {tally.matches} matches acknowledged and looked for",
        f"{tally.sent_again} requests without an answer sent again, {tally.replayed} of them had been carried out",
        *tally.failures,
        *(f"the log says: {line}" for line in tally.complaints),
        f"{tally.lost} moves lost, {tally.doubled} doubled, {tally.partial} batches in part",
        f"{tally.matches - tally.broken} chains of hashes whole, {tally.broken} broken",
        f"{len(tally.complaints)} errors logged, {len(tally.failures)} clients failed",
    )
    return 0 if tally.is_well else 1


def tell(*lines: str) -> None:
    """Print what came of the rounds."""
    for line in lines:
        print(f"kill rounds: {line}")


def run(times: int, clients: int, seconds: float, seed: str = "1") -> Tally:
    """Record while one thing after the other is killed in each round, and check everything at the end."""
    drawn = list(draw(seed))
    over = Event()
    with (
        reserved_port() as port,
        tempfile.TemporaryDirectory(prefix="carnet-") as folder,
        Service(Path(folder), port) as service,
    ):
        recorders = [Recorder(service.url, f"{seed}/{number}", drawn) for number in range(clients)]
        with ThreadPoolExecutor(clients) as threads:
            recording = [threads.submit(recorder.record, over) for recorder in recorders]
            try:
                rounds(service, times, seconds, Random(seed), recording)
            finally:
                over.set()
        with ThreadPoolExecutor(clients) as threads:
            checking = [threads.submit(recorder.check) for recorder in recorders]
        tally = Tally(complaints=service.complaints())
    for recorder in recorders:
        tally.add(recorder.tally)
    tally.failures += [str(done.exception()) for done in (*recording, *checking) if done.exception() is not None]
    return tally


def rounds(service: Service, times: int, seconds: float, chance: Random, recording: Sequence[Future[None]]) -> None:
    """Record, kill and wait, until all rounds are over or a client has given up."""
    share = seconds / len(Kind)
    for _ in shown(range(times), times, "kill rounds"):
        for kind in Kind:
            wait_while_recording(time.monotonic() + share, recording)
            service.kill(kind, chance)
    wait_while_recording(time.monotonic() + share, recording)


def wait_while_recording(until: float, recording: Sequence[Future[None]]) -> None:
    """Wait until a moment, or until a client has given up."""
    while time.monotonic() < until and not any(client.done() for client in recording):
        time.sleep(PAUSE)


def draw(seed: str) -> Iterator[tuple[Mapping[str, Any], Sequence[Any]]]:
    """Random matches of every game: how they are created, and all their moves."""
    for game in GAMES.values():
        for number in range(DRAWN):
            match = play(game, Random(f"{seed}/{number}"))
            body = {"game": game.id, "players": [{"seat": seat} for seat in match.seats], "setup": match.setup}
            yield body, [{"seat": seat, "move": game.move.dump(move)} for seat, move in match.plies]


if __name__ == "__main__":
    sys.exit(main())
