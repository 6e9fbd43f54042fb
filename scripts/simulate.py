"""Plays plausible matches between players of known strength and loads them fast, for statistics to be tried on."""

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from math import exp
from random import Random
from time import perf_counter
from typing import Any
from uuid import UUID

from domain.catalogue import GAMES
from domain.game import AnyGame, Seat
from domain.match import Draft, Entry, Player, Timeline, create, record
from scripts import loading
from scripts.arguments import positive
from scripts.copying import Details, Template
from scripts.loading import Rows
from scripts.progress import shown
from scripts.random_play import draw_setup
from service.cli.database import reach
from service.config import read_config
from service.db import facts, ratings
from service.db.pool import Database
from service.db.roles import prepare
from service.stats.ratings import settle

BEGAN = datetime(2021, 1, 1, tzinfo=UTC)
YEARS = 5
LEAGUE = 0.05
"""The share of matches with the tag `league`."""
VENUES = ("club night", "at home", "café", None)
CANDIDATES = 5
"""Among how many moves a player chooses when he thinks."""
AT_A_TIME = 50
"""Matches that a process plays before it hands them over."""
SELDOM = frozenset({"Buy", "Sell", "Activate", "GivePairs", "StepBack", "TakeTile"})
"""Types of move that would be made without end if they were drawn as often as others."""


@dataclass(frozen=True, slots=True)
class Cast:
    """The players there are. The strength of each is how often he thinks before he moves."""

    ids: tuple[UUID, ...]
    strengths: tuple[float, ...]

    @classmethod
    def drawn(cls, number: int, seed: int) -> "Cast":
        """So many players, from the weakest to the strongest."""
        random = Random(f"players {seed}")
        ids = tuple(new_id(random, BEGAN) for _ in range(number))
        return cls(ids, tuple(1 / (1 + exp(3 - 6 * index / max(1, number - 1))) for index in range(number)))

    def seated(self, random: Random, number: int) -> list[int]:
        """Different players, the first of all in one match of a hundred or so."""
        if random.random() < 0.01:
            return [0, *random.sample(range(1, len(self.ids)), number - 1)]
        return random.sample(range(1, len(self.ids)), number)


@dataclass(frozen=True, slots=True)
class Simulated:
    """A match as it is to be loaded."""

    details: Details
    drafts: tuple[Draft, ...]
    timeline: Timeline


def simulate(game_id: str, cast: Cast, seed: int) -> Simulated:
    """Play one match; the same seed gives the same one."""
    random = Random(f"{game_id} {seed}")
    game = GAMES[game_id]
    seats = tuple(random.sample(game.seats, random.randint(game.players[0], game.players[-1])))
    seated = cast.seated(random, len(seats))
    strengths = {seat: cast.strengths[index] for seat, index in zip(seats, seated, strict=True)}
    setup = draw_setup(game_id, seats, random)
    if "variant" in setup and random.random() < 0.9:
        setup = {"advanced": False, "variant": None}
    people = [Player(seat, str(cast.ids[index])) for seat, index in zip(seats, seated, strict=True)]
    begun = create(game, game.editions.default, people, game.setup.parse(setup))
    entries = list(_played(game, begun.timeline.head.state, strengths, random))
    recorded = record(begun.timeline, entries)
    return Simulated(_details(random), (*begun.drafts, *recorded.drafts), recorded.timeline)


def _played(game: AnyGame, state: Any, strengths: Mapping[Seat, float], random: Random) -> Iterator[Entry]:
    while (seat := state.to_move) is not None:
        move, state = _choose(game, state, seat, strengths[seat], random)
        yield Entry(seat, move)


def _choose(game: AnyGame, state: Any, seat: Seat, strength: float, random: Random) -> tuple[Any, Any]:
    """A move and the state after it: of some moves the best one by the score, if the player thinks."""
    # Drawn from the list, not by `random_move`: how much a strength shows in results depends on the choice there is.
    of_type: dict[type, list[Any]] = {}
    for move in game.rules.legal_moves(state):
        of_type.setdefault(type(move).__mro__[-2], []).append(move)  # all postcards are of one
    types = list(of_type)
    weights = [1 if kind.__name__ in SELDOM else 10 for kind in types]
    number = CANDIDATES if random.random() < strength else 1
    drawn = [random.choice(of_type[kind]) for kind in random.choices(types, weights, k=number)]
    after = [(move, game.rules.apply(state, seat, move)) for move in drawn]
    if number == 1:
        return after[0]
    return max(after, key=lambda pair: _lead(game, pair[1], seat))


def _lead(game: AnyGame, state: Any, seat: Seat) -> int:
    totals = game.rules.totals(state)
    return totals[seat] - max(total for other, total in totals.items() if other != seat)


def _details(random: Random) -> Details:
    played_at = BEGAN + timedelta(minutes=random.randrange(YEARS * 365 * 24 * 60))
    tags = ("league",) if random.random() < LEAGUE else ()
    return Details(new_id(random, played_at), played_at, random.choice(VENUES), tags)


def new_id(random: Random, moment: datetime) -> UUID:
    """A UUIDv7 of a moment."""
    milliseconds = int(moment.timestamp() * 1000)
    return UUID(int=milliseconds << 80 | 7 << 76 | random.getrandbits(12) << 64 | 2 << 62 | random.getrandbits(62))


def rows_of(match: Simulated) -> Rows:
    """A match with its log and its facts."""
    rows = Rows()
    template = Template.of(match.timeline, match.drafts)
    template.add(rows, match.details, [UUID(player) for _, player in template.seats])
    return rows


def derived(template: Template, cast: Cast, seed: int) -> Rows:
    """Facts as those of a match that was played, with other players, another date and other tags; it has no log."""
    random = Random(f"derived {template.game} {seed}")
    people = [cast.ids[index] for index in cast.seated(random, len(template.seats))]
    rows = Rows()
    template.add(rows, _details(random), people, has_log=False)
    return rows


def people_of(cast: Cast) -> Rows:
    """The players themselves."""
    rows = Rows()
    for index, player_id in enumerate(cast.ids):
        name = f"Player {index + 1}"
        rows.of["players"].append((player_id, 0, name, name.casefold(), player_id, BEGAN))
        rows.of["player_changes"].append((player_id, 0, name, BEGAN))
    return rows


def merged(parts: Sequence[Rows]) -> Rows:
    """All rows of some."""
    rows = Rows()
    for part in parts:
        for table, added in part.of.items():
            rows.of[table] += added
        rows.nodes |= part.nodes
    return rows


def batch(game_id: str, cast: Cast, copies: int, seeds: range) -> Rows:
    """The rows of some matches, with copies of the facts of each."""
    parts = []
    for seed in seeds:
        match = simulate(game_id, cast, seed)
        parts.append(rows_of(match))
        if copies:
            template = Template.of(match.timeline, match.drafts)
            parts += [derived(template, cast, seed * copies + copy) for copy in range(copies)]
    return merged(parts)


def load(database: Database, cast: Cast, wanted: Mapping[str, tuple[int, int]], processes: int | None = None) -> None:
    """Load, for each game, so many matches and so many copies of the facts of each, then all sums and ratings."""
    fill(database, cast, wanted, processes)
    sum_up(database)


def fill(database: Database, cast: Cast, wanted: Mapping[str, tuple[int, int]], processes: int | None = None) -> None:
    """Load matches and their facts."""
    with database.transaction() as connection:
        loading.load(connection, people_of(cast))
    with ProcessPoolExecutor(processes) as pool:
        for game_id, (number, copies) in wanted.items():
            batches = [range(first, min(first + AT_A_TIME, number)) for first in range(0, number, AT_A_TIME)]
            played = pool.map(partial(batch, game_id, cast, copies), batches)
            for rows in shown(played, len(batches), f"{game_id}, {AT_A_TIME} matches each"):
                with database.transaction() as connection:
                    loading.load(connection, rows)


def sum_up(database: Database) -> None:
    """Make the sums and ratings of what was loaded."""
    with database.transaction() as connection:
        facts.sum_up(connection)
        ratings.begin_anew(connection)
    settle(database)
    with database.statements() as connection:
        loading.tidy_up(connection)


def main() -> int:
    """Load matches into the database of the service and tell what that took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cite-lumiere", type=int, default=100_000, help="matches with logs (default %(default)s)")
    parser.add_argument("--paris", type=int, default=10_000, help="matches with logs (default %(default)s)")
    parser.add_argument("--copies", type=int, default=9, help="copies of the facts of each match of paris")
    parser.add_argument("--players", type=positive, default=500, help="how many there are (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with reach(read_config(os.environ)) as logins:
        prepare(logins)
        with closing(Database(logins.owner, has_limits=False)) as database:
            database.open()
            began = perf_counter()
            wanted = {"cite-lumiere": (arguments.cite_lumiere, 0), "paris": (arguments.paris, arguments.copies)}
            load(database, Cast.drawn(arguments.players, arguments.seed), wanted)
            with database.statements() as connection:
                size = loading.size(connection)
    print(f"{perf_counter() - began:.0f} s, {size / 2**20:,.0f} MB on disk")
    return 0


if __name__ == "__main__":
    sys.exit(main())
