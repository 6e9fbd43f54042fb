"""Follow rounds: clients record moves at the pace of a table while others follow them live, with a restart between."""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.parse import urlsplit

import requests

from scripts.arguments import positive
from scripts.kill_rounds import PATIENCE, Failed, Recorded, Recorder, Service, Tally, draw
from scripts.ports import reserved_port
from scripts.progress import shown

MAX_GROWTH = 1.1
"""How much more memory the service may take in the end than in the beginning."""
SETTLES_WITHIN = 10.0
"""Seconds after the last move in which every follower must know of it."""
WARM_UP, WINDOW = 1 / 12, 1 / 4
"""The parts of the time that are not looked at, and in which memory is looked at, in the beginning and in the end."""


@dataclass
class Followed:
    """What the followers came to know."""

    events: int = 0
    reconnects: int = 0
    refused: int = 0
    """Followers for whom there was no room at first; the service has so many places in each worker."""
    behind: int = 0
    """Followers who do not know the last version of their match; must be 0."""
    backwards: int = 0
    """Events that told of a version already known; must be 0."""
    failures: list[str] = field(default_factory=list)


@dataclass
class Report:
    """What came of a run."""

    tally: Tally
    followed: Followed
    seconds: list[float]
    """How long it took to record a move; those that had to be sent again are left out."""
    memory: list[int]
    """What the processes of the service took, in KiB, once a second."""

    @property
    def is_well(self) -> bool:
        """Whether nothing went wrong; memory is judged apart, for it means something in long runs only."""
        followed = self.followed
        return self.tally.is_well and not (followed.behind or followed.backwards or followed.failures)

    @property
    def growth(self) -> float:
        """The memory of the last part of the time against that of the first."""
        window = max(1, int(len(self.memory) * WINDOW))
        first = self.memory[int(len(self.memory) * WARM_UP) :][:window]
        return statistics.mean(self.memory[-window:]) / statistics.mean(first)

    def p(self, percent: int) -> float:
        """The milliseconds within which so many of a hundred moves were recorded."""
        return 1000 * sorted(self.seconds)[min(len(self.seconds) - 1, len(self.seconds) * percent // 100)]


class PacedRecorder(Recorder):
    """A client that records a move now and then."""

    def __init__(
        self, url: str, name: str, drawn: Sequence[tuple[Mapping[str, Any], Sequence[Any]]], every: float, first: float
    ) -> None:
        super().__init__(url, name, drawn)
        self.seconds: list[float] = []
        self.present: Recorded | None = None
        self._every = every
        self._first = first

    def record(self, over: Event) -> None:
        """Record one match after the other until it is over."""
        due = time.monotonic() + self._first
        while not over.is_set():
            body, moves = self._chance.choice(self._drawn)
            players = [{**player, "name": f"{self._name} {player['seat']}"} for player in body["players"]]
            match = Recorded(f"/matches/{self._post('/matches', {**body, 'players': players})['id']}")
            self._matches.append(match)
            self.present = match
            for move in moves:
                if over.wait(max(0.0, due - time.monotonic())):
                    return
                due += self._every
                self._timed(match, move)

    def _timed(self, match: Recorded, move: Mapping[str, Any]) -> None:
        sent_again, began = self.tally.sent_again, time.monotonic()
        self._send(match, [move])
        if self.tally.sent_again == sent_again:
            self.seconds.append(time.monotonic() - began)


class Follower:
    """A client that follows whichever match a recorder is recording."""

    def __init__(self, url: str, recorder: PacedRecorder, followed: Followed, over: Event) -> None:
        self._place = urlsplit(url)
        self._recorder = recorder
        self._followed = followed
        self._over = over
        self._match: Recorded | None = None
        self._version = 0
        self._retry = 1.0

    async def follow(self) -> None:
        """Follow, and come back whenever the stream ends, until all is over and known."""
        connects = 0
        while not self._is_done():
            if self._recorder.present is not self._match:
                self._match, self._version, connects = self._recorder.present, 0, 0
            if self._match is None:
                await asyncio.sleep(0.05)
                continue
            self._followed.reconnects += connects > 0
            connects += 1
            with suppress(OSError, EOFError, TimeoutError):
                if await self._read(self._match):
                    continue
            await asyncio.sleep(self._retry)

    def know_all(self) -> bool:
        """Whether the last move of the match is known."""
        return self._match is None or self._version == len(self._match.moves) + 1

    def _is_done(self) -> bool:
        return self._over.is_set() and self.know_all()

    async def _read(self, match: Recorded) -> bool:
        """Read a stream to its end; True if that was the end of the match."""
        reader, writer = await asyncio.open_connection(self._place.hostname, self._place.port)
        try:
            known = f"Last-Event-ID: {self._version}\r\n" if self._version else ""
            host = f"Host: {self._place.netloc}\r\nConnection: close\r\n"  # a proxy would keep it open otherwise
            writer.write(f"GET /api/v1{match.path}/stream HTTP/1.1\r\n{host}{known}\r\n".encode())
            status = int((await self._line(reader)).split()[1])
            if status == requests.codes.unavailable:
                self._followed.refused += 1
                return False
            if status != requests.codes.ok:
                raise Failed(f"a follower of {match.path} got {status}")
            while not (self._is_done() or (self._recorder.present is not match and self.know_all())):
                await self._take(await self._line(reader))
        finally:
            writer.close()
        return True

    async def _line(self, reader: asyncio.StreamReader) -> str:
        """A line; what tells the lengths of chunks looks like none of ours."""
        try:
            line = await asyncio.wait_for(reader.readline(), PATIENCE)
        except TimeoutError:
            raise Failed(f"nothing came for {PATIENCE:.0f} s, not even a comment") from None
        if not line:
            raise EOFError
        return line.decode().rstrip()

    async def _take(self, line: str) -> None:
        name, _, value = line.partition(": ")
        if name == "retry":
            self._retry = int(value) / 1000
        elif name == "id" and self._version == 0:
            self._version = int(value)
        elif name == "data" and "version" in (data := json.loads(value)):
            self._followed.events += 1
            self._followed.backwards += data["version"] <= self._version
            self._version = data["version"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run and print what came of it; 1 if anything went wrong or the service took more and more memory."""
    parser = argparse.ArgumentParser(prog="python -m scripts.follow_rounds", description=__doc__)
    parser.add_argument("--matches", type=positive, default=50, help="recorded at once (default %(default)s)")
    parser.add_argument("--followers", type=positive, default=200, help="of all matches (default %(default)s)")
    parser.add_argument("--seconds", type=positive, default=300, help="how long it takes (default %(default)s)")
    parser.add_argument(
        "--every", type=float, default=2.0, help="seconds between moves of a match (default %(default)s)"
    )
    parser.add_argument("--seed", default="1", help="what the matches are drawn from (default %(default)s)")
    options = parser.parse_args(arguments)
    report = run(options.matches, options.followers, options.seconds, options.every, options.seed)
    tally, followed = report.tally, report.followed
    print(f"follow rounds: {tally.moves} moves in {tally.matches} matches acknowledged and found")
    print(f"follow rounds: {options.followers} followers were told {followed.events} times")
    print(
        f"follow rounds: recording a move took p50 {report.p(50):.1f} ms, p99 {report.p(99):.1f} ms, "
        f"at most {report.p(100):.1f} ms"
    )
    print(f"follow rounds: {followed.reconnects} attempts to connect again, {followed.refused} waits for a place")
    print(f"follow rounds: {tally.sent_again} requests sent again, {tally.replayed} of them carried out before")
    print(
        f"follow rounds: {report.memory[-1] // 1024} MiB of memory in the end, "
        f"{report.growth:.2f} times as much as in the beginning"
    )
    for failure in tally.failures + followed.failures:
        print(f"follow rounds: {failure}")
    print(
        f"follow rounds: {tally.lost} moves lost, {tally.doubled} doubled, {tally.broken} broken logs, "
        f"{followed.behind} followers behind, {followed.backwards} events out of order, "
        f"{len(tally.failures) + len(followed.failures)} failures"
    )
    return 0 if report.is_well and report.growth <= MAX_GROWTH else 1


def run(matches: int, followers: int, seconds: float, every: float, seed: str = "1") -> Report:
    """Record and follow, stop the service in the middle and start it again, and check everything at the end."""
    drawn = list(draw(seed))
    enough, over = Event(), Event()
    followed = Followed()
    with (
        reserved_port() as port,
        tempfile.TemporaryDirectory(prefix="carnet-") as folder,
        Service(Path(folder), port) as service,
    ):
        recorders = [
            PacedRecorder(service.url, f"{seed}/{number}", drawn, every, every * number / matches)
            for number in range(matches)
        ]
        following = [Follower(service.url, recorders[number % matches], followed, over) for number in range(followers)]
        loop = Thread(target=asyncio.run, args=(follow_all(following, followed, over),))
        loop.start()
        try:
            with ThreadPoolExecutor(matches) as threads:
                recording = [threads.submit(recorder.record, enough) for recorder in recorders]
                try:
                    memory = _wait(service, seconds, recording)
                finally:
                    enough.set()
        finally:
            over.set()  # not before the last moves have been answered, or a follower would stop too soon
        loop.join()
        with ThreadPoolExecutor(8) as threads:
            checking = [threads.submit(recorder.check) for recorder in recorders]
        tally = Tally(failures=service.complaints())
    for recorder in recorders:
        tally.add(recorder.tally)
    tally.failures += [str(done.exception()) for done in (*recording, *checking) if done.exception() is not None]
    return Report(tally, followed, [second for recorder in recorders for second in recorder.seconds], memory)


def _wait(service: Service, seconds: float, recording: Sequence[Future[None]]) -> list[int]:
    """Wait, restart the service in the middle, and look at its memory all the while."""
    memory = []
    began = time.monotonic()
    whole = int(seconds)
    for second in shown(range(whole), whole, "follow rounds"):
        if second == whole // 2:
            service.restart()
        if any(client.done() for client in recording):
            break
        time.sleep(max(0.0, began + second + 1 - time.monotonic()))
        memory.append(service.memory())
    return memory


async def follow_all(following: Sequence[Follower], followed: Followed, over: Event) -> None:
    """Let all follow, and when it is over wait until they know all."""
    tasks = [asyncio.create_task(follower.follow()) for follower in following]
    while not over.is_set():
        await asyncio.sleep(0.1)
    _, waiting = await asyncio.wait(tasks, timeout=SETTLES_WITHIN)
    for task in waiting:
        task.cancel()
    for follower, answer in zip(following, await asyncio.gather(*tasks, return_exceptions=True), strict=True):
        followed.behind += not follower.know_all()
        if isinstance(answer, Exception):
            followed.failures.append(str(answer) or repr(answer))


if __name__ == "__main__":
    sys.exit(main())
