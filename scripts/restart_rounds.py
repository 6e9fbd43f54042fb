"""Restart rounds: clients record and follow through HAProxy while one of two services after the other is restarted.

A restart may cost nobody a request. Then one after the other is killed: that may cost requests, but no acknowledged
move.
"""

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Final

import requests

from scripts.arguments import positive
from scripts.debian import provide
from scripts.follow_rounds import Followed, Follower, PacedRecorder, follow_all
from scripts.kill_rounds import PATIENCE, Failed, Service, Tally, draw, wait_while_recording
from scripts.ports import reserved_port
from scripts.progress import shown
from service.server.postgres import Server, find_binaries

CONFIG: Final = Path(__file__).parent.parent / "deploy" / "haproxy" / "haproxy.cfg"
DRAIN: Final = 3
"""Seconds: a proxy that looks every half second has found out by then."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the rounds and print what came of them; 1 if anything went wrong."""
    parser = argparse.ArgumentParser(prog="python -m scripts.restart_rounds", description=__doc__)
    parser.add_argument("--rounds", type=positive, default=4, help="restarts of both, then kills (default %(default)s)")
    parser.add_argument("--clients", type=positive, default=8, help="who record at once (default %(default)s)")
    parser.add_argument("--followers", type=positive, default=16, help="who follow (default %(default)s)")
    parser.add_argument("--every", type=float, default=0.2, help="seconds between moves (default %(default)s)")
    parser.add_argument("--seed", default="1", help="what the matches are drawn from (default %(default)s)")
    options = parser.parse_args(arguments)
    restarts = run(options.rounds, options.clients, options.followers, options.every, options.seed, kills=False)
    kills = run(options.rounds, options.clients, options.followers, options.every, options.seed, kills=True)
    for name, (tally, followed) in {"restarts": restarts, "kills": kills}.items():
        for line in (
            f"{tally.moves} moves in {tally.matches} matches acknowledged and looked for",
            f"{tally.sent_again} requests failed and were sent again, {tally.replayed} of them had been carried out",
            f"{options.followers} followers were told {followed.events} times, {followed.behind} are behind",
            *tally.failures,
            *followed.failures,
            *(f"a log says: {line}" for line in tally.complaints),
            f"{tally.lost} acknowledged moves lost, {tally.doubled} doubled, {tally.broken} broken chains",
        ):
            print(f"restart rounds, {name}: {line}")
    is_well = all(tally.is_well and not (told.behind or told.failures) for tally, told in (restarts, kills))
    return 0 if is_well and not restarts[0].sent_again else 1


def run(
    times: int, clients: int, followers: int, every: float, seed: str = "1", *, kills: bool
) -> tuple[Tally, Followed]:
    """Record and follow while each service is restarted or killed so often, and check everything at the end."""
    drawn = list(draw(seed))
    enough, over = Event(), Event()
    followed = Followed()
    with tempfile.TemporaryDirectory(prefix="carnet-") as name, _two_services(Path(name)) as (url, services):
        recorders = [
            PacedRecorder(url, f"{seed}/{number}", drawn, every, every * number / clients) for number in range(clients)
        ]
        following = [Follower(url, recorders[number % clients], followed, over) for number in range(followers)]
        loop = Thread(target=asyncio.run, args=(follow_all(following, followed, over),))
        loop.start()
        try:
            with ThreadPoolExecutor(clients) as threads:
                recording = [threads.submit(recorder.record, enough) for recorder in recorders]
                try:
                    _rounds(services, times, recording, kills=kills)
                finally:
                    enough.set()
        finally:
            over.set()
        loop.join()
        with ThreadPoolExecutor(clients) as threads:
            checking = [threads.submit(recorder.check) for recorder in recorders]
        tally = Tally(complaints=[line for service in services for line in service.complaints()])
    for recorder in recorders:
        tally.add(recorder.tally)
    tally.failures += [str(done.exception()) for done in (*recording, *checking) if done.exception() is not None]
    return tally, followed


def _rounds(services: Sequence[Service], times: int, recording: Sequence[Future[None]], *, kills: bool) -> None:
    for _ in shown(range(times), times, "restart rounds"):
        for service in services:
            wait_while_recording(time.monotonic() + 2, recording)
            if kills:
                service.kill_service()
            else:
                service.restart()
    wait_while_recording(time.monotonic() + 2, recording)


@contextmanager
def _two_services(folder: Path) -> Iterator[tuple[str, tuple[Service, Service]]]:
    """Two services with two workers each on one database, and the address of the proxy before them."""
    server = Server(folder / "postgres", find_binaries({}))
    server.start()
    settings = {
        "DATABASE_URL": server.logins().service,
        "DATABASE_OWNER_URL": server.logins().owner,
        "CARNET_DRAIN": str(DRAIN),
        "CARNET_PROXIES": "1",
        "CARNET_RATE": "0",
    }
    try:
        with reserved_port() as front, reserved_port() as first, reserved_port() as second:
            (folder / "first").mkdir()
            (folder / "second").mkdir()
            with (
                Service(folder / "first", first, settings=settings) as one,
                Service(folder / "second", second, settings=settings) as other,
                _proxy(folder, front, first, second),
            ):
                yield f"http://127.0.0.1:{front}", (one, other)
    finally:
        server.stop()


@contextmanager
def _proxy(folder: Path, front: int, first: int, second: int) -> Iterator[None]:
    """HAProxy by the settings that are deployed, with other addresses."""
    config = CONFIG.read_text("utf-8")
    for deployed, here in {
        "bind :8080": f"bind 127.0.0.1:{front}",
        "127.0.0.1:8001": f"127.0.0.1:{first}",
        "127.0.0.1:8002": f"127.0.0.1:{second}",
    }.items():
        config = config.replace(deployed, here)
    path = folder / "haproxy.cfg"
    path.write_text(config, "utf-8")
    process = subprocess.Popen([provide("haproxy", "haproxy"), "-db", "-f", str(path)])  # noqa: S603 - our words
    try:
        latest = time.monotonic() + PATIENCE
        while not _is_ready(front):
            if process.poll() is not None or time.monotonic() > latest:
                raise Failed("HAProxy does not come up")
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait()


def _is_ready(port: int) -> bool:
    try:
        return requests.get(f"http://127.0.0.1:{port}/readyz", timeout=PATIENCE).ok
    except requests.RequestException:
        return False


if __name__ == "__main__":
    sys.exit(main())
