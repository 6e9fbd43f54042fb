"""Failover rounds: clients record, follow and read while the leader of a Patroni cluster is lost again and again.

In each round the leader is killed, a member of etcd is killed, or the leader's whole machine is stopped as if its
network were cut, and brought back. No acknowledged move may be lost or doubled.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Any, Final

import requests

from scripts.arguments import positive
from scripts.follow_rounds import Followed, Follower, PacedRecorder, follow_all
from scripts.kill_rounds import Failed, Recorded, Service, Tally, draw, wait_while_recording
from scripts.patroni import Cluster, Node
from scripts.ports import reserved_port
from scripts.progress import shown

PATIENCE: Final = 120.0
"""Seconds in which every request must have been acknowledged, however often it was sent."""
SPLIT_FOR: Final = 30.0
"""Seconds for which a machine is cut off: longer than its lease of the leadership lasts."""
READ_EVERY: Final = 0.2
SERVICE_LOG: Final = {"CARNET_LOG": "plain"}


class Kind(Enum):
    """What happens in a round, one after the other."""

    LEADER = "the leader killed"
    ETCD = "a member of etcd killed"
    SPLIT = "the leader's machine cut off"


@dataclass
class Report:
    """What came of the rounds."""

    tally: Tally = field(default_factory=Tally)
    followed: Followed = field(default_factory=Followed)
    write_gaps: dict[Kind, float] = field(default_factory=dict)
    """The longest time without an acknowledged move, by what happened."""
    read_gaps: dict[Kind, float] = field(default_factory=dict)
    reads: int = 0
    failed_reads: int = 0

    @property
    def is_well(self) -> bool:
        """Whether nothing went wrong."""
        followed = self.followed
        return self.tally.is_well and not (followed.behind or followed.backwards or followed.failures)


class PatientRecorder(PacedRecorder):
    """A recorder that notes when its moves were acknowledged."""

    patience = PATIENCE

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.acknowledged: list[float] = []

    def _send(self, match: Recorded, moves: Sequence[Mapping[str, Any]]) -> None:
        super()._send(match, moves)
        self.acknowledged.append(time.monotonic())


class PageReader:
    """A client that reads matches, lists and statistics, whatever happens."""

    def __init__(self, url: str, recorders: Sequence[PacedRecorder]) -> None:
        self._url = f"{url}/api/v1"
        self._recorders = recorders
        self.answered: list[float] = []
        self.failed = 0

    def read(self, over: Event) -> None:
        """Read one after the other until it is over."""
        session = requests.Session()
        while not over.wait(READ_EVERY):
            present = [recorder.present.path for recorder in self._recorders if recorder.present is not None]
            for path in (*present[:1], "/matches?limit=5", "/stats/players?limit=5"):
                with suppress(requests.RequestException):
                    if session.get(self._url + path, timeout=10).ok:
                        self.answered.append(time.monotonic())
                        continue
                self.failed += 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the rounds and print what came of them; 1 if anything went wrong."""
    parser = argparse.ArgumentParser(prog="python -m scripts.failover_rounds", description=__doc__)
    parser.add_argument("--rounds", type=positive, default=10, help="how many (default %(default)s)")
    parser.add_argument("--clients", type=positive, default=6, help="who record at once (default %(default)s)")
    parser.add_argument("--followers", type=positive, default=12, help="who follow (default %(default)s)")
    parser.add_argument("--every", type=float, default=0.25, help="seconds between moves (default %(default)s)")
    parser.add_argument("--seed", default="1", help="what the matches are drawn from (default %(default)s)")
    options = parser.parse_args(arguments)
    began = time.monotonic()
    report = run(options.rounds, options.clients, options.followers, options.every, options.seed)
    tally, followed = report.tally, report.followed
    for line in (
        f"{options.rounds} rounds with {options.clients} recorders and {options.followers} followers in "
        f"{time.monotonic() - began:.0f} s",
        *(
            f"{kind.value}: no move acknowledged for at most {report.write_gaps[kind]:.1f} s, "
            f"nothing read for at most {report.read_gaps[kind]:.1f} s"
            for kind in report.write_gaps
        ),
        f"{report.reads} answers read, {report.failed_reads} reads failed",
        f"{tally.moves} moves in {tally.matches} matches acknowledged and looked for",
        f"{tally.sent_again} requests sent again, {tally.replayed} of them had been carried out",
        f"{options.followers} followers were told {followed.events} times, {followed.behind} are behind",
        *tally.failures,
        *followed.failures,
        *(f"the log says: {line}" for line in tally.complaints),
        f"{tally.lost} acknowledged moves lost, {tally.doubled} doubled, {tally.broken} broken chains",
    ):
        print(f"failover rounds: {line}")
    return 0 if report.is_well else 1


def run(times: int, clients: int, followers: int, every: float, seed: str = "1") -> Report:
    """Record, follow and read while one thing after the other happens, and check everything at the end."""
    drawn = list(draw(seed))
    enough, over = Event(), Event()
    report = Report()
    with (
        tempfile.TemporaryDirectory(prefix="carnet-") as folder,
        Cluster(Path(folder)) as cluster,
        reserved_port() as port,
        Service(Path(folder), port, settings=_settings(cluster)) as service,
    ):
        recorders = [
            PatientRecorder(service.url, f"{seed}/{number}", drawn, every, every * number / clients)
            for number in range(clients)
        ]
        following = [
            Follower(service.url, recorders[number % clients], report.followed, over) for number in range(followers)
        ]
        reader = PageReader(service.url, recorders)
        loop = Thread(target=asyncio.run, args=(follow_all(following, report.followed, over),))
        reading = Thread(target=reader.read, args=(over,))
        loop.start()
        reading.start()
        try:
            with ThreadPoolExecutor(clients) as threads:
                recording = [threads.submit(recorder.record, enough) for recorder in recorders]
                try:
                    _rounds(cluster, times, Random(seed), recording, lambda: _gaps(report, recorders, reader))
                finally:
                    enough.set()
        finally:
            over.set()
        reading.join()
        loop.join()
        with ThreadPoolExecutor(clients) as threads:
            checking = [threads.submit(recorder.check) for recorder in recorders]
        report.tally = Tally(complaints=service.complaints())
    for recorder in recorders:
        report.tally.add(recorder.tally)
    report.tally.failures += [str(done.exception()) for done in (*recording, *checking) if done.exception() is not None]
    report.reads, report.failed_reads = len(reader.answered), reader.failed
    return report


def _settings(cluster: Cluster) -> dict[str, str]:
    return SERVICE_LOG | {"DATABASE_URL": cluster.dsn(), "DATABASE_READ_URL": cluster.dsn()}


def _rounds(
    cluster: Cluster,
    times: int,
    chance: Random,
    recording: Sequence[Future[None]],
    gaps: "Callable[[], Callable[[Kind], None]]",
) -> None:
    kinds = list(Kind)
    wait_while_recording(time.monotonic() + 3, recording)
    for number in shown(range(times), times, "failover rounds"):
        kind = kinds[number % len(kinds)]
        note = gaps()
        leader = cluster.leader()
        if leader is None:
            raise Failed("The cluster has no leader although nothing happened")
        _bring_about(kind, cluster, leader, chance, recording)
        cluster.wait()
        wait_while_recording(time.monotonic() + 3, recording)
        note(kind)


def _bring_about(kind: Kind, cluster: Cluster, leader: Node, chance: Random, recording: Sequence[Future[None]]) -> None:
    """Lose something, wait until there is a leader, and bring it back."""
    if kind is Kind.ETCD:
        etcd = chance.choice(cluster.nodes).etcd
        etcd.kill()
        wait_while_recording(time.monotonic() + 10, recording)
        etcd.start()
        return
    lost = [leader.patroni] if kind is Kind.LEADER else [leader.patroni, leader.etcd]
    for member in lost:
        if kind is Kind.LEADER:
            member.kill()
        else:
            member.stop()
    latest = time.monotonic() + PATIENCE
    while not any(node.is_leader for node in cluster.nodes if node is not leader):
        if time.monotonic() > latest:
            raise Failed(f"No other node became the leader: {[node.log() for node in cluster.nodes]}")
        wait_while_recording(time.monotonic() + 0.2, recording)
    if kind is Kind.LEADER:
        leader.patroni.start()
        return
    wait_while_recording(time.monotonic() + SPLIT_FOR / 3, recording)
    # The members of a network that was cut know by now that they are cut off. A stopped one does not, and etcd before
    # 3.4.31 and 3.5.13 then ends the lease of the new leader (https://github.com/etcd-io/etcd/issues/15247).
    leader.etcd.go_on()
    leader.wait_for_etcd(time.monotonic() + PATIENCE)
    leader.patroni.go_on()


def _gaps(report: Report, recorders: Sequence[PatientRecorder], reader: PageReader) -> "Callable[[Kind], None]":
    """Begin to measure; what is returned ends it."""
    began = time.monotonic()

    def note(kind: Kind) -> None:
        ended = time.monotonic()
        moves = [moment for recorder in recorders for moment in recorder.acknowledged]
        for longest, moments in ((report.write_gaps, moves), (report.read_gaps, reader.answered)):
            inside = sorted(moment for moment in list(moments) if began < moment < ended)
            gap = max(after - before for before, after in pairwise([began, *inside, ended]))
            longest[kind] = max(longest.get(kind, 0.0), gap)

    return note


if __name__ == "__main__":
    sys.exit(main())
