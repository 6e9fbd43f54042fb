"""Lighthouse, as on a phone, on the start page, a match, its replay and a player: `python -m scripts.lighthouse`.

It needs Chromium and the npm package `lighthouse`, which is installed into a folder of its own that `--tools` names.
The figures depend on how busy the machine is, so nothing fails by them.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from domain.catalogue import GAMES
from scripts.chromium import provide_chromium
from scripts.demo import fill
from scripts.kill_rounds import Service
from scripts.node import NPM, node, package
from scripts.ports import reserved_port
from scripts.random_play import play
from service.client import Client

CATEGORIES: Final = ("performance", "accessibility", "best-practices")
PLIES: Final = 250
MATCHES: Final = 12
FLAGS: Final = "--headless --no-sandbox --disable-gpu"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures of each page."""
    parser = argparse.ArgumentParser(prog="python -m scripts.lighthouse", description=__doc__)
    parser.add_argument("--tools", type=Path, default=Path(tempfile.gettempdir()) / "carnet-lighthouse")
    parser.add_argument("--only", default="", help="the pages alone whose name has this in it")
    options = parser.parse_args(arguments)
    chromium = provide_chromium(os.environ)
    install(options.tools)
    with (
        tempfile.TemporaryDirectory(prefix="carnet-lighthouse-") as folder,
        reserved_port() as port,
        Service(Path(folder), port) as service,
    ):
        with Client(service.url) as client:
            fill(client, MATCHES, "1")
            addresses = dict(pages(client))
        for name, address in addresses.items():
            if options.only in name:
                print(f"{name}: {figures(measure(options.tools, chromium, service.url + address))}", flush=True)
    return 0


def install(tools: Path) -> None:
    """Install lighthouse unless it is there."""
    if (tools / "node_modules" / "lighthouse").exists():
        return
    tools.mkdir(parents=True, exist_ok=True)
    (tools / "package.json").write_text("{}")
    npm = [str(node()), str(package().joinpath(*NPM))]
    command = [*npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "lighthouse"]
    subprocess.run(command, cwd=tools, check=True)  # noqa: S603 - our words


def pages(client: Client) -> Iterator[tuple[str, str]]:
    """What is measured, by name: pages around a match of Paris with 250 plies."""
    game = GAMES["paris"]
    drawn = (play(game, Random(seed)) for seed in range(100))
    match = next(one for one in drawn if len(one.plies) >= PLIES)
    people: list[Any] = [
        {"seat": seat, "name": name} for seat, name in zip(match.seats, ("Ana", "Jan", "Ida", "Eva"), strict=False)
    ]
    begun = client.create_match(game.id, people, match.setup)
    moves: list[Any] = [{"seat": seat, "move": game.move.dump(move)} for seat, move in match.plies[:PLIES]]
    for first in range(0, PLIES, 200):
        client.record_all(begun["id"], moves[first : first + 200])
    yield "start", "/"
    yield "match", f"/matches/{begun['id']}"
    yield "replay", f"/matches/{begun['id']}/{PLIES // 2}?tool=moves"
    yield "player", f"/players/{begun['players'][0]['player_id']}"


def measure(tools: Path, chromium: Path, url: str) -> Mapping[str, Any]:
    """The report of one page."""
    report = tools / "report.json"
    command = [
        *(str(node()), str(tools / "node_modules" / "lighthouse" / "cli" / "index.js"), url, "--quiet"),
        *(f"--chrome-flags={FLAGS}", f"--only-categories={','.join(CATEGORIES)}"),
        *("--output=json", f"--output-path={report}"),
    ]
    environment = {**os.environ, "CHROME_PATH": str(chromium)}
    subprocess.run(command, env=environment, check=True, capture_output=True)  # noqa: S603 - our words
    found: Mapping[str, Any] = json.loads(report.read_bytes())
    return found


def figures(report: Mapping[str, Any]) -> str:
    """The scores and what they rest on, in one line."""
    scores = [f"{name} {100 * report['categories'][name]['score']:.0f}" for name in CATEGORIES]
    value = {name: report["audits"][name]["numericValue"] for name in ("cumulative-layout-shift", "total-byte-weight")}
    paint = report["audits"]["largest-contentful-paint"]["numericValue"]
    return (
        f"{', '.join(scores)}; layout shift {value['cumulative-layout-shift']:.3f}, "
        f"{value['total-byte-weight'] / 1024:.0f} KiB, largest paint after {paint / 1000:.1f} s"
    )


if __name__ == "__main__":
    sys.exit(main())
