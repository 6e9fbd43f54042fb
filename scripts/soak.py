"""Soak: random matches of every game must end and must fold the same way again, here and in another process."""

import argparse
import json
import multiprocessing
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from random import Random
from typing import Any

from domain.canonical import canonical
from domain.catalogue import GAMES
from domain.game import AnyGame
from scripts.arguments import positive
from scripts.progress import shown
from scripts.random_play import play

MATCHES = 5_000
MORE_MATCHES = {"cite-lumiere": 10_000}
"""Of games whose matches are short."""
HASHED_EVERY = 8
"""Dumping a state takes longer than reaching it, so only every so many plies and the end are hashed."""


class Divergence(Exception):
    """A match that did not fold to the same states again."""


@dataclass(frozen=True, slots=True)
class Draw:
    """What decides a random match."""

    game: str
    seed: str


@dataclass(frozen=True, slots=True)
class Record:
    """A match as it would be stored, the hash of its states, and why it failed if it did."""

    draw: Draw
    text: str = ""
    plies: int = 0
    digest: str = ""
    failure: str | None = None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the soak and print what came of it; 1 if any match failed."""
    parser = argparse.ArgumentParser(prog="python -m scripts.soak", description=__doc__)
    parser.add_argument("--game", choices=sorted(GAMES), help="only this game")
    parser.add_argument("--matches", type=positive, help=f"matches of each game (default {MATCHES}, short ones more)")
    parser.add_argument("--jobs", type=positive, default=2, help="processes that work at once (default %(default)s)")
    parser.add_argument("--seed", default="1", help="what the matches are drawn from (default %(default)s)")
    options = parser.parse_args(arguments)
    games = GAMES if options.game is None else [options.game]
    doses = {game: options.matches or MORE_MATCHES.get(game, MATCHES) for game in games}
    return max([soak(game, dose, options.jobs, options.seed) for game, dose in doses.items()])


def soak(game: str, matches: int, jobs: int, seed: str) -> int:
    """Play and refold random matches of one game and print the figures; 1 if any failed."""
    began = time.monotonic()
    records = list(shown(refolded_elsewhere(game, matches, jobs, seed), matches, game))
    seconds = time.monotonic() - began
    failures = [record for record in records if record.failure is not None]
    whole = [record.plies for record in records if record.failure is None]
    print(f"{game}: {matches} matches from seed {seed} in {seconds:.1f} s with {jobs} jobs")
    if whole:
        print(
            f"{game}: {sum(whole)} plies, {min(whole)} to {max(whole)} a match, median {statistics.median(whole):g}; "
            f"{sum(whole) / seconds:.0f} plies/s played, checked and folded twice more"
        )
    for failure in failures:
        print(f"{game}: seed {failure.draw.seed}: {failure.failure}")
    print(f"{game}: {len(failures)} failed")
    return 1 if failures else 0


def refolded_elsewhere(game: str, matches: int, jobs: int, seed: str) -> Iterator[Record]:
    """The records of random matches, each played and refolded in one process and refolded again in another.

    Processes are spawned, not forked, so that each hashes strings with a seed of its own: an order that depends on
    a set would show.
    """
    draws = (Draw(game, f"{seed}/{index}") for index in range(matches))
    spawning = multiprocessing.get_context("spawn")
    with spawning.Pool(jobs) as players, spawning.Pool(jobs) as folders:
        played = players.imap_unordered(play_and_refold, draws, chunksize=10)
        yield from folders.imap_unordered(refold, played, chunksize=10)


def play_and_refold(draw: Draw) -> Record:
    """Play a match to its end, then fold it anew from its JSON and compare every state."""
    game = GAMES[draw.game]
    try:
        match = play(game, Random(draw.seed), listed=False)
        if game.rules.result(match.states[-1]) is None:
            raise Divergence("it is over and has no result")
        moves = [[seat, game.move.dump(move)] for seat, move in match.plies]
        text = json.dumps({"setup": match.setup, "seats": match.seats, "moves": moves})
        again = fold(game, text)
        for ply, (state, other) in enumerate(zip(match.states, again, strict=True)):
            if state != other:
                raise Divergence(f"ply {ply} folds to another state")
        digest = hashed(game, match.states)
        if digest != hashed(game, again):
            raise Divergence("equal states have different JSON")
    except Exception as error:
        return Record(draw, failure=repr(error))
    return Record(draw, text, len(match.plies), digest)


def refold(record: Record) -> Record:
    """Fold a recorded match once more and compare its hash."""
    if record.failure is not None:
        return record
    game = GAMES[record.draw.game]
    try:
        digest = hashed(game, fold(game, record.text))
        if digest != record.digest:
            raise Divergence("another process folds it to other states")
    except Exception as error:
        return replace(record, failure=repr(error))
    return replace(record, text="")


def fold(game: AnyGame, text: str) -> list[Any]:
    """The states of a stored match, without checks."""
    match = json.loads(text)
    states = [game.rules.start(game.setup.parse(match["setup"]), match["seats"], game.editions.default)]
    for seat, move in match["moves"]:
        states.append(game.rules.apply(states[-1], seat, game.move.parse(move)))
    return states


def hashed(game: AnyGame, states: Sequence[Any]) -> str:
    """The hash of every eighth state and the last, chained."""
    chain = sha256()
    for state in (*states[:-1:HASHED_EVERY], states[-1]):
        chain.update(canonical(game.view.dump(state)).encode())
    return chain.hexdigest()


if __name__ == "__main__":
    sys.exit(main())
