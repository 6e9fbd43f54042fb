"""The service of two commits side by side: the same requests, in rounds that alternate within one run."""

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import requests

from bench.over_http import DISTINCT, FRAMES, MOVES, Clients, task
from bench.processes import Processes
from bench.ratios import Bound, Rounds, comparison, measured, ratio
from bench.supply import API, CLIENTS, GAME, PEOPLE, Options, templates
from domain.catalogue import GAMES
from scripts import environment
from scripts.kill_rounds import PATIENCE, ROOT, Service
from scripts.ports import reserved_port
from scripts.random_play import draw_setup

TASKS = ("moves", "frames")
NAMES = {"moves": MOVES, "frames": FRAMES}
LEAST = 1 / 1.05
"""How many times as many requests a second this checkout must answer."""
HERE = "here"


@dataclass(frozen=True)
class Checkout:
    """A tree of the repository, and the Python with the packages that it names."""

    tree: Path = ROOT
    python: str = sys.executable


def compare_with(revision: str, options: Options, tasks: Sequence[str], figures: dict[str, Any]) -> None:
    """Compare this checkout with a commit, and print each round as it ends and the ratios at the end."""
    with checked_out(revision) as (commit, checkout):
        figures["commit"] = commit
        compare({HERE: Checkout(), commit[:9]: checkout}, options, tasks, figures)


@contextmanager
def checked_out(revision: str) -> Iterator[tuple[str, Checkout]]:
    """The id of a commit and a temporary worktree of it."""
    commit = _git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").strip()
    with tempfile.TemporaryDirectory(prefix="carnet-bench-") as folder:
        tree = Path(folder) / "tree"
        _git("worktree", "add", "--detach", "--quiet", str(tree), commit)
        try:
            yield commit, Checkout(tree, _python(tree, Path(folder)))
        finally:
            _git("worktree", "remove", "--force", str(tree))


def _python(tree: Path, folder: Path) -> str:
    """The Python that runs a tree: this one, or one with other packages where the tree has pinned others."""
    named = tree / "requirements" / "run.txt"
    if named.read_text("utf-8") == (ROOT / "requirements" / "run.txt").read_text("utf-8"):
        return sys.executable
    packages = folder / "environment"
    environment.create(packages, tree)
    environment.install(packages, named)
    return str(packages / "bin" / "python")


def _git(*arguments: str) -> str:
    run = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False)  # noqa: S603, S607
    if run.returncode:
        raise ValueError(f"git {' '.join(arguments)}: {run.stderr.strip() or 'there is no such commit'}")
    return run.stdout


def compare(checkouts: Mapping[str, Checkout], options: Options, tasks: Sequence[str], figures: dict[str, Any]) -> None:
    """Compare the services of two checkouts, each with a database of its own; one at a time is loaded."""
    found: Rounds = {}
    bounds = [
        Bound(f"{NAMES[name]}, {mine}", f"{NAMES[name]}, {theirs}", LEAST, is_least=True)
        for name in tasks
        for mine, theirs in [tuple(checkouts)]
    ]
    try:
        with ExitStack() as stack:
            processes = stack.enter_context(Processes(CLIENTS))
            measuring = {}
            for side, checkout in checkouts.items():
                clients = stack.enter_context(_clients(checkout, options.seed))
                kinds = {"moves": clients.recorders, "frames": clients.readers}
                for name in tasks:
                    measuring[f"{NAMES[name]}, {side}"] = task(processes, kinds[name], options.seconds)
            _alternate(measuring, bounds, options.rounds, found)
    finally:
        _tell(bounds, found, figures)


@contextmanager
def _clients(checkout: Checkout, seed: int) -> Iterator[Clients]:
    """The clients of a service that runs from a checkout, with sign-in off and a database of its own."""
    with (
        reserved_port() as port,
        tempfile.TemporaryDirectory(prefix="carnet-bench-") as folder,
        Service(Path(folder), port, tree=checkout.tree, python=checkout.python) as service,
    ):
        yield Clients(port, templates(DISTINCT, seed, _people(service.url, seed)), seed)


def _people(url: str, seed: int) -> tuple[UUID, ...]:
    """Players for the matches, whom a match of their own makes known to the service."""
    seats = GAMES[GAME].seats
    players = [{"seat": seat, "name": name} for seat, name in zip(seats, PEOPLE, strict=True)]
    body = {"game": GAME, "players": players, "setup": draw_setup(GAME, seats, Random(seed))}
    response = requests.post(f"{url}{API}/matches", json=body, timeout=PATIENCE)
    response.raise_for_status()
    return tuple(UUID(player["player_id"]) for player in response.json()["players"])


def _alternate(
    measuring: Mapping[str, Callable[[], float]], bounds: Sequence[Bound], rounds: int, found: Rounds
) -> None:
    """Measure both sides of each bound in each round, in every other round the second one first."""
    found.update({name: [] for name in measuring})
    for number in range(rounds):
        for bound in bounds:
            sides = (bound.task, bound.baseline)
            for name in reversed(sides) if number % 2 else sides:
                found[name].append(measuring[name]())
            mine, theirs = (found[name][-1] for name in sides)
            print(
                f"round {number + 1}: {bound.task} {mine:,.0f} a second, {bound.baseline} {theirs:,.0f}: "
                f"{mine / theirs:.3f}",
                flush=True,
            )


def _tell(bounds: Sequence[Bound], found: Rounds, figures: dict[str, Any]) -> None:
    """Print the ratios of all rounds there were, and add everything to the figures."""
    ratios = [ratio(bound, found) for bound in measured(bounds, found)]
    print()
    print("\n".join(comparison("ratio, requests a second", ratios)))
    figures.update({"per_second": found, "ratios": [each.document() for each in ratios]})
