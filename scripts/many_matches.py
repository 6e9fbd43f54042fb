"""Fills an empty database with as many matches as a federation has: copies of some hundreds that were played.

Each copy has an id, players, a date, a place and tags of its own, and its own chain of hashes. Players are drawn by how
much they play, and who of a match wins by how strong they are. Most are matches of which only the result is known, as
archives bring them.
"""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import accumulate
from math import log
from random import Random
from time import perf_counter
from typing import Any, Final, TypeAlias
from uuid import UUID

from domain.match import Change, Timeline, abandon, create, parse_setup
from scripts import loading
from scripts.arguments import positive
from scripts.copying import Details, Template
from scripts.loading import Rows
from scripts.progress import shown
from scripts.simulate import BEGAN, LEAGUE, YEARS, Cast, Simulated, new_id, people_of, sum_up
from scripts.simulate import simulate as play
from service.cli.database import reach
from service.config import read_config
from service.db.pool import Database
from service.db.roles import Logins, prepare

Kind: TypeAlias = tuple[str, str]
"""A game, and how much of a match is known."""

RESULTS, WHOLE, OPEN, ABANDONED = "results", "whole", "in progress", "abandoned"
SHARES: Final[Mapping[Kind, float]] = {
    ("cite-lumiere", RESULTS): 0.49,
    ("paris", RESULTS): 0.12,
    ("cite-lumiere", WHOLE): 0.35,
    ("paris", WHOLE): 0.015,
    ("cite-lumiere", OPEN): 0.015,
    ("paris", OPEN): 0.003,
    ("cite-lumiere", ABANDONED): 0.007,
}
"""The part of all matches that each kind is."""
PLAYED: Final = {"cite-lumiere": 600, "paris": 60}
"""Matches that are played, of which all others are copies."""
SECONDS_A_MOVE: Final = 40.0
AT_A_TIME: Final = 1000
MATCHES_A_PLAYER, MATCHES_A_CLUB, MATCHES_A_TOURNAMENT, MATCHES_AN_ACCOUNT = 50, 2500, 200, 5000
AT_HOME: Final = "at home"


@dataclass(frozen=True, slots=True)
class World:
    """The people, places and tournaments of so many matches."""

    matches: int
    seed: int
    cast: Cast
    owners: Sequence[UUID]
    plays: Sequence[float]
    """Cumulative weights by which players are drawn."""

    @classmethod
    def of(cls, matches: int, seed: int) -> "World":
        """A world in which the most active one in a hundred players sit in a tenth of all seats."""
        cast = Cast.drawn(max(12, matches // MATCHES_A_PLAYER), seed)
        random = Random(f"owners {seed}")
        owners = [new_id(random, BEGAN) for _ in range(1 + matches // MATCHES_AN_ACCOUNT)]
        weights = [(rank + 50) ** -0.8 for rank in range(len(cast.ids))]
        random.shuffle(weights)
        return cls(matches, seed, cast, owners, list(accumulate(weights)))

    def moment(self, number: int) -> datetime:
        """When a match was played: they are numbered by that."""
        return BEGAN + timedelta(days=YEARS * 365) * (number / self.matches)

    def details(self, random: Random, number: int) -> Details:
        """Where a match was played, in which tournament, and who may read it."""
        moment = self.moment(number)
        where = random.random()
        club = f"Club {int((self.matches / MATCHES_A_CLUB + 1) * random.random() ** 2)}"
        venue = None if where < 0.3 else AT_HOME if where < 0.4 else club
        tags = ["league"] if random.random() < LEAGUE else []
        if random.random() < 0.1:
            tags.append(f"open {int(number / MATCHES_A_TOURNAMENT / 10)}")
        visibility = "club" if random.random() < 0.15 else "private" if random.random() < 0.03 else "public"
        return Details(new_id(random, moment), moment, venue, tags, visibility, random.choice(self.owners))

    def players(self, random: Random, number: int) -> list[UUID]:
        """Different players, the best of the evening first."""
        ids, chosen = self.cast.ids, dict[int, float]()
        while len(chosen) < number:
            index = random.choices(range(len(ids)), cum_weights=self.plays)[0]
            chosen[index] = 4 * self.cast.strengths[index] - log(-log(random.random()))
        return [ids[index] for index in sorted(chosen, key=chosen.__getitem__, reverse=True)]


class Copier:
    """Writes copies of templates into a database."""

    def __init__(self, dsn: str, world: World, templates: Mapping[Kind, Sequence[Template]]) -> None:
        self._world = world
        self._templates = templates
        self._database = Database(dsn, size=1, has_limits=False)
        self._database.open()

    def load(self, first: int) -> int:
        """Load the matches from one number on; how many events they have."""
        random, rows, world = Random(f"{self._world.seed} {first}"), Rows(), self._world
        numbers = range(first, min(first + AT_A_TIME, world.matches))
        kinds = random.choices(list(SHARES), list(SHARES.values()), k=len(numbers))
        for number, kind in zip(numbers, kinds, strict=True):
            template = random.choice(self._templates[kind])
            ranked = dict(zip(template.best, world.players(random, len(template.best)), strict=True))
            players = [ranked[position] for position in range(len(ranked))]
            template.add(rows, world.details(random, number), players, SECONDS_A_MOVE)
        with self._database.transaction() as connection:
            connection.execute("SET LOCAL synchronous_commit = off")
            loading.load(connection, rows)
        return len(rows.of["events"])


_copiers: list[Copier] = []
"""That of this process."""


def _begin(*arguments: Any) -> None:
    _copiers.append(Copier(*arguments))


def _load(first: int) -> int:
    return _copiers[0].load(first)


def play_templates(cast: Cast, played: Mapping[str, int], jobs: int) -> dict[Kind, list[Template]]:
    """Play so many matches of each game, and take of each as much as is known of every kind."""
    found: dict[Kind, list[Template]] = {kind: [] for kind in SHARES}
    with ProcessPoolExecutor(jobs) as pool:
        for game_id, number in played.items():
            for templates in shown(pool.map(partial(_templates, game_id, cast), range(number)), number, game_id):
                for kind, template in templates.items():
                    found[kind].append(template)
    return found


def _templates(game_id: str, cast: Cast, seed: int) -> dict[Kind, Template]:
    match, random = play(game_id, cast, seed), Random(f"part {game_id} {seed}")
    return {(game, kind): _part(match, kind, random) for game, kind in SHARES if game == game_id}


def _part(match: Simulated, kind: str, random: Random) -> Template:
    """As much of a match as is known of a kind."""
    timeline, drafts = match.timeline, match.drafts
    if kind == RESULTS:
        begun = _result_alone(timeline)
        return Template.of(begun.timeline, begun.drafts)
    if kind != WHOLE:
        until = random.randrange(2, len(drafts))
        timeline, drafts = timeline.at(until), drafts[:until]
    if kind == ABANDONED:
        ended = abandon(timeline)
        timeline, drafts = ended.timeline, (*drafts, *ended.drafts)
    return Template.of(timeline, drafts)


def _result_alone(timeline: Timeline) -> Change:
    """A match of which only the points are known, without ties, which would have to be explained."""
    totals = timeline.game.rules.totals(timeline.head.state)
    points = {seat: 10 * totals[seat] + number for number, seat in enumerate(timeline.seats)}
    setup = parse_setup(timeline.game, timeline.seats, {"result_only": True, "points": points})
    return create(timeline.game, timeline.edition, timeline.players, setup)


def fill(logins: Logins, matches: int, seed: int = 1, jobs: int = 1, played: Mapping[str, int] = PLAYED) -> int:
    """Fill an empty database of the present version with matches, sums and ratings; how many events they have."""
    world = World.of(matches, seed)
    templates = play_templates(world.cast, played, jobs)
    with closing(Database(logins.owner, has_limits=False)) as database:
        database.open()
        with database.transaction() as connection:
            loading.load(connection, people_of(world.cast))
            loading.add_accounts(connection, [(owner, f"Account {n}") for n, owner in enumerate(world.owners)], BEGAN)
        firsts = range(0, matches, AT_A_TIME)
        with ProcessPoolExecutor(jobs, initializer=_begin, initargs=(logins.owner, world, templates)) as pool:
            events = sum(shown(pool.map(_load, firsts), len(firsts), f"{AT_A_TIME} matches each"))
        sum_up(database)
    return events


def main() -> int:
    """Fill the database of the service, and tell what that took and what there is."""
    parser = argparse.ArgumentParser(prog="python -m scripts.many_matches", description=__doc__)
    parser.add_argument("--matches", type=positive, default=1_000_000, help="how many (default %(default)s)")
    parser.add_argument("--jobs", type=positive, default=1, help="processes that copy (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="what is drawn from it (default %(default)s)")
    options = parser.parse_args()
    began = perf_counter()
    with reach(read_config(os.environ)) as logins:
        prepare(logins)
        events = fill(logins, options.matches, options.seed, options.jobs)
        with closing(Database(logins.owner, has_limits=False)) as database:
            database.open()
            with database.statements() as connection:
                sizes = list(loading.sizes(connection))
    print(f"{options.matches:,} matches with {events:,} events in {perf_counter() - began:.0f} s")
    for line in loading.table_lines(sizes):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
