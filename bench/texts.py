"""Match texts and documents beside python-chess reading PGN: microseconds for each ply, and matches a second."""

import io
import statistics
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any

import chess
import chess.pgn

from bench.chess_baseline import random_games
from bench.parts import Given
from bench.ratios import Bound, Rounds, comparison, ratio, turns
from bench.timing import Task, microseconds
from domain.catalogue import GAMES
from domain.game import AnyGame
from domain.match import Entry, Player, Timeline, create, record
from domain.match.notation import MatchInfo, MatchText, play, read_matches, transcribe, write_match
from scripts.progress import shown
from scripts.random_play import play as play_at_random

PGN = "python-chess: reading PGN"
LIMITS = {"reading": 0.5, "reading and playing": None, "writing": 0.5}
BOUNDS = tuple(Bound(f"{game}: {task}", PGN, limit) for game in GAMES for task, limit in LIMITS.items())
BLOCK = 2**16


def run(given: Given, figures: dict[str, Any]) -> None:
    """Measure and print; every side has about as many plies."""
    rounds = given.rounds or 7
    games = random_games(given.matches, given.seed)
    plies = sum(map(len, games))
    tasks = [Task(PGN, "ply", lambda: _pgn(games), _read_pgn)]
    sizes = {}
    for game in GAMES.values():
        timelines = _timelines(game, plies, given.seed)
        sizes[game.id] = sum(timeline.ply for timeline in timelines) / len(timelines)
        tasks += _tasks(game, timelines)
    took: Rounds = {task.name: [] for task in tasks}
    for task in shown(turns(tasks, rounds), len(tasks) * rounds, "texts"):
        took[task.name].append(microseconds(task))
    rates = {
        name: 1e6 / (statistics.median(found) * sizes[name.partition(":")[0]])
        for name, found in took.items()
        if name != PGN
    }
    print(f"{plies} random plies of each game, {rounds} rounds, seed {given.seed}")
    print(f"{'texts':<40}{'µs a ply':>10}{'matches/s':>12}{'plies a match':>15}")
    for name, found in took.items():
        rest = "" if name == PGN else f"{rates[name]:>12.0f}{sizes[name.partition(':')[0]]:>15.1f}"
        print(f"{name:<40}{statistics.median(found):>10.2f}{rest}")
    ratios = [ratio(bound, took) for bound in BOUNDS]
    print("\n".join(["", *comparison("ratio", ratios)]))
    figures.update(
        {
            "chess": chess.__version__,
            "microseconds": {
                name: {"median": statistics.median(found), "rounds": found} for name, found in took.items()
            },
            "matches_per_second": rates,
            "ratios": [found.document() for found in ratios],
        }
    )


def _timelines(game: AnyGame, plies: int, seed: int) -> list[Timeline]:
    """Random matches with at least so many plies together."""
    random, timelines, count = Random(seed), list[Timeline](), 0
    while count < plies:
        match: Any = play_at_random(game, random, listed=False)
        people = [Player(seat, seat) for seat in match.seats]
        begun = create(game, game.editions.default, people, game.setup.parse(match.setup)).timeline
        timelines.append(record(begun, [Entry(seat, move) for seat, move in match.plies]).timeline)
        count += timelines[-1].ply
    return timelines


def _tasks(game: AnyGame, timelines: Sequence[Timeline]) -> list[Task]:
    names = {seat: f"Player {seat}" for seat in game.seats}
    info = MatchInfo(None, "2026-11-18T19:30:00Z", "club night", ("league",))
    text = "\n".join(write_match(transcribe(timeline, names, info)) for timeline in timelines).encode()
    blocks = [text[start : start + BLOCK] for start in range(0, len(text), BLOCK)]

    def task(name: str, given: Any, act: Callable[[Any], int]) -> Task:
        return Task(f"{game.id}: {name}", "ply", lambda: given, act)

    return [
        task("reading", blocks, partial(_read, plays=False)),
        task("reading and playing", blocks, partial(_read, plays=True)),
        task("writing", timelines, lambda given: _write(given, names, info)),
    ]


def _read(blocks: Sequence[bytes], *, plays: bool) -> int:
    plies = 0
    for match in read_matches(blocks, GAMES):
        if not isinstance(match, MatchText):
            raise match
        if plays:
            play(match, match.game.editions, [seat for seat, _ in match.seats], lambda: "")
        plies += len(match.moves)
    return plies


def _write(timelines: Sequence[Timeline], names: dict[str, str], info: MatchInfo) -> int:
    for timeline in timelines:
        write_match(transcribe(timeline, names, info))
    return sum(timeline.ply for timeline in timelines)


def _pgn(games: Sequence[Sequence[Any]]) -> str:
    """The games in the notation of python-chess, with as many headers as our matches."""
    texts = []
    for moves in games:
        game = chess.pgn.Game()
        game.headers.update({"Event": "club night", "Date": "2026.11.18", "White": "Player A", "Black": "Player B"})
        node: Any = game
        for move in moves:
            node = node.add_variation(move)
        texts.append(str(game))
    return "\n\n".join(texts) + "\n"


def _read_pgn(text: str) -> int:
    file, plies = io.StringIO(text), 0
    while (game := chess.pgn.read_game(file)) is not None:
        plies += sum(1 for _ in game.mainline_moves())
    return plies
