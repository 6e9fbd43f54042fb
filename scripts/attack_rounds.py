"""Attack rounds: one attack after the other on the real service, which others must not notice."""

import argparse
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from scripts.arguments import positive
from scripts.attack.attacker import HOST, Attacker
from scripts.attack.attacks import ATTACKS, Attack
from scripts.attack.bystanders import READER, READERS, Bystanders, Figures, HonestRecorder
from scripts.attack.target import API, Target, TargetService, prepare
from scripts.attack.watcher import Watcher
from scripts.kill_rounds import ROOT, Failed, Tally
from scripts.ports import reserved_port

MAX_SECONDS = 1.0
"""Within which 99 of 100 moves must be recorded."""
MAX_WORKER = 400
"""MiB that a worker may take."""
MAX_DATABASE = 1024
"""MiB that all processes of PostgreSQL together may take, without the buffers that they share."""
RECOVERS_WITHIN = 60.0
"""Seconds after which a service that does not recover is started anew."""
WELL = 5
"""So many quick answers in a row show that the service has recovered."""
QUICK = 0.5
NUMBERS = sorted({attack.number for attack in ATTACKS})


@dataclass(frozen=True, slots=True)
class Options:
    """How much is tried."""

    seconds: float = 20
    """For each round."""
    only: frozenset[int] = frozenset(NUMBERS)
    addresses: int = 1
    """From which attackers hold connections."""
    matches: int = 2000
    """That are simulated first, so that statistics have something to count."""
    tree: Path = ROOT
    """The checkout whose service is attacked."""


@dataclass
class Round:
    """What came of one attack."""

    attack: Attack
    attackers: Counter[str]
    moves: Figures
    reads: Figures
    workers: list[int]
    """MiB, at most, of each worker."""
    database: int
    """MiB, at most."""
    killed: int
    recovered: float | None
    """Seconds after the end of the attack; None if the service had to be started anew."""
    is_called_off: bool
    errors: list[str] = field(default_factory=list)

    def broken(self) -> Iterator[str]:
        """The bounds that did not hold."""
        if self.moves.percentile(99) > MAX_SECONDS:
            yield f"moves took p99 {self.moves.percentile(99):.2f} s, more than {MAX_SECONDS:g}"
        for who, figures in (("recorders", self.moves), ("readers", self.reads)):
            if figures.failures:
                yield f"{who} got {counted(figures.failures)}"
        if max(self.workers, default=0) > MAX_WORKER:
            yield f"a worker took {max(self.workers)} MiB, more than {MAX_WORKER}"
        if self.database > MAX_DATABASE:
            yield f"PostgreSQL took {self.database} MiB, more than {MAX_DATABASE}"
        if self.is_called_off:
            yield "the attack was called off, for PostgreSQL took nearly all memory"
        if self.killed:
            yield f"{self.killed} workers were killed"
        if self.recovered is None:
            yield f"the service had not recovered after {RECOVERS_WITHIN:.0f} s"
        yield from self.errors


@dataclass
class Report:
    """What came of all attacks."""

    rounds: list[Round]
    tally: Tally

    @property
    def is_well(self) -> bool:
        """Whether all bounds held and nothing that was recorded is lost or doubled."""
        return self.tally.is_well and not any(True for each in self.rounds for _ in each.broken())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the attacks and print what came of them; 1 if a bound did not hold."""
    parser = argparse.ArgumentParser(prog="python -m scripts.attack_rounds", description=__doc__)
    parser.add_argument("--seconds", type=positive, default=20, help="how long an attack takes (default %(default)s)")
    parser.add_argument(
        "--only", type=int, nargs="+", choices=NUMBERS, default=NUMBERS, help="which kinds of attack (default all)"
    )
    parser.add_argument(
        "--addresses", type=positive, default=1, help="that attackers hold connections from (default %(default)s)"
    )
    parser.add_argument("--matches", type=int, default=2000, help="simulated before (default %(default)s)")
    parser.add_argument("--tree", type=Path, default=ROOT, help="checkout whose service is attacked (default this one)")
    given = parser.parse_args(arguments)
    if not (given.tree / "service").is_dir():
        parser.error(f"{given.tree} is no checkout of Carnet")
    options = Options(given.seconds, frozenset(given.only), given.addresses, given.matches, given.tree)
    try:
        report = run(options)
    except Failed as failed:
        tell(str(failed))
        return 1
    print()
    print("\n".join(table(report.rounds)))
    tally = report.tally
    for failure in tally.failures:
        tell(failure)
    tell(f"{tally.moves} moves in {tally.matches} matches acknowledged and looked for")
    tell(f"{tally.lost} moves lost, {tally.doubled} doubled, {tally.broken} broken logs")
    return 0 if report.is_well else 1


def tell(line: str) -> None:
    """Print what came of the rounds."""
    print(f"attack rounds: {line}", flush=True)


def run(options: Options) -> Report:
    """Run the attacks one after the other, and check everything that was recorded meanwhile."""
    chosen = [attack for attack in ATTACKS if attack.number in options.only]
    rounds: list[Round] = []
    recorders: list[HonestRecorder] = []
    with reserved_port() as port, tempfile.TemporaryDirectory(prefix="carnet-") as folder:
        service = TargetService(Path(folder), port, options.tree)
        if options.matches:
            service.load(options.matches)
        with service:
            target = prepare(service, port)
            for attack in chosen:
                service.restart()
                rounds.append(_round(service, target, attack, options, recorders))
                for line in described(rounds[-1]):
                    tell(line)
            service.restart()
            tally = _check(recorders)
    return Report(rounds, tally)


def _round(
    service: TargetService, target: Target, attack: Attack, options: Options, recorders: list[HonestRecorder]
) -> Round:
    """One attack, with bystanders from before its beginning until the service has recovered."""
    spawning = multiprocessing.get_context("spawn")
    called_off = spawning.Event()
    with Bystanders(target, service.url, f"attack {ATTACKS.index(attack)}") as bystanders:
        recorders += bystanders.recorders
        with (
            Watcher(service, called_off.set) as watcher,
            ProcessPoolExecutor(1, spawning, _begin, (called_off.is_set,)) as process,
        ):
            attackers = process.submit(
                _attack, ATTACKS.index(attack), target, options.seconds, options.addresses
            ).result()
            recovered = _recovery(target.port)
        if recovered is None:
            service.restart()
    return Round(
        attack=attack,
        attackers=attackers,
        moves=bystanders.moves,
        reads=bystanders.reads,
        workers=[peak // 1024 for peak in watcher.workers.values()],
        database=watcher.database // 1024,
        killed=len(watcher.killed),
        recovered=recovered,
        is_called_off=called_off.is_set(),
        errors=bystanders.errors,
    )


_is_called_off: list[Callable[[], bool]] = []
"""In the process of the attackers, what says whether the attack was called off."""


def _begin(is_called_off: Callable[[], bool]) -> None:
    """Prepare the process of the attackers, which gives way to the service as if it were on another machine."""
    os.nice(5)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # users often begin with 1,024, fewer than it opens
    _is_called_off.append(is_called_off)


def _attack(index: int, target: Target, seconds: float, addresses: int) -> Counter[str]:
    """Attack, and count the answers."""
    attacker = Attacker(target, seconds, addresses, _is_called_off[0])
    ATTACKS[index].run(attacker)
    return attacker.answers


def _recovery(port: int) -> float | None:
    """Wait until the service answers as it should: the seconds that it took, or None if they are too many."""
    began = time.monotonic()
    since, well = began, 0
    while well < WELL:
        asked = time.monotonic()
        if asked > began + RECOVERS_WITHIN:
            return None
        if _is_well(port) and time.monotonic() < asked + QUICK:
            since = asked if well == 0 else since
            well += 1
        else:
            well = 0
    return since - began


def _is_well(port: int) -> bool:
    connection = HTTPConnection(HOST, port, timeout=RECOVERS_WITHIN / 10, source_address=(READER, 0))
    with suppress(OSError, HTTPException), closing(connection):
        connection.request("GET", f"{API}/matches?limit=1")
        return connection.getresponse().status == 200
    return False


def _check(recorders: Sequence[HonestRecorder]) -> Tally:
    """Compare all that was acknowledged with what the service has."""
    tally = Tally()
    with ThreadPoolExecutor(READERS) as threads:
        checking = [threads.submit(recorder.check) for recorder in recorders]
    for recorder in recorders:
        tally.add(recorder.tally)
    tally.failures += [str(done.exception()) for done in checking if done.exception() is not None]
    return tally


def described(each: Round) -> Iterator[str]:
    """A round in sentences."""
    yield f"{each.attack.number}, {each.attack.name}"
    yield f"    attackers: {counted(each.attackers)}"
    for who, figures in (("moves", each.moves), ("reads", each.reads)):
        yield f"    {who}: {counted(figures.answers)}; {percentiles(figures)}"
    workers = ", ".join(map(str, each.workers))
    yield f"    workers {workers} MiB, PostgreSQL {each.database} MiB, {each.killed} workers killed"
    if each.recovered is not None:
        yield f"    recovered after {each.recovered:.1f} s"
    for bound in each.broken():
        yield f"    broken: {bound}"


def counted(answers: Mapping[str, int]) -> str:
    """How often each status came."""
    return ", ".join(f"{status} × {times}" for status, times in sorted(answers.items())) or "nothing"


def percentiles(figures: Figures) -> str:
    """How long answers took."""
    p50, p99, longest = (1000 * figures.percentile(percent) for percent in (50, 99, 100))
    return f"p50 {p50:.0f} ms, p99 {p99:.0f} ms, at most {longest:.0f} ms"


def table(rounds: Sequence[Round]) -> Iterator[str]:
    """All rounds, one in each line."""
    width = max(len(each.attack.name) for each in rounds)
    times = f"{'p50 ms':>8}{'p99 ms':>8}{'most ms':>9}{'failed':>8}"
    yield f"{'':<{width + 4}}{'moves':>33}{'reads':>33}{'worker':>9}{'database':>10}{'killed':>8}{'recovered':>11}"
    yield f"{'':<{width + 4}}{times}{times}{'MiB':>9}{'MiB':>10}{'':>8}{'s':>11}"
    for each in rounds:
        shown = "".join(
            f"{1000 * figures.percentile(50):>8.0f}{1000 * figures.percentile(99):>8.0f}"
            f"{1000 * figures.percentile(100):>9.0f}{figures.failures.total():>8}"
            for figures in (each.moves, each.reads)
        )
        recovered = "no" if each.recovered is None else f"{each.recovered:.1f}"
        verdict = "broken" if any(each.broken()) else "held"
        yield (
            f"{each.attack.number:>2}  {each.attack.name:<{width}}{shown}{max(each.workers, default=0):>9}"
            f"{each.database:>10}{each.killed:>8}{recovered:>11}  {verdict}"
        )


if __name__ == "__main__":
    sys.exit(main())
