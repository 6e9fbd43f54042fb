"""Our store by itself, without HTTP: appending for an expected version, and reading and folding a stored match."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import cycle
from uuid import UUID

from bench.processes import OutOfSupply
from bench.supply import GAME, Template, sealed, templates
from domain.catalogue import GAMES
from domain.match import Event, Timeline
from service.db import events as event_log
from service.db import matches, players
from service.db.events import Head
from service.db.matches import MatchDetails
from service.db.pool import Connection, Database
from service.identity import new_id
from service.timelines import Timelines

NO_DETAILS = MatchDetails(datetime(2026, 1, 1, tzinfo=UTC), None, (), withdrawn=False, visibility="public")
DISTINCT = 16
"""Different random matches that one process draws its supply from."""


def timed(units: Iterator[Callable[[], None]], seconds: float) -> float:
    """How many units a second are worked off in so many seconds."""
    count = 0
    began = before = time.perf_counter()
    end = began + seconds
    while before < end:
        unit = next(units, None)
        if unit is None:
            raise OutOfSupply(f"{count} units did not last for {seconds:g} s")
        unit()
        count += 1
        before = time.perf_counter()
    return count / (before - began)


@dataclass(frozen=True, slots=True)
class Appends:
    """One event after the other, match by match, each in a transaction of its own."""

    dsn: str
    people: tuple[UUID, ...]
    seed: int
    count: int
    """Events to prepare."""
    seconds: float

    def run(self, wait: Callable[[], None]) -> float:
        """Append until the time is over; answer with appends a second."""
        database = Database(self.dsn, size=1)
        database.open()
        try:
            supply = list(self._prepare(database))
            wait()
            return timed((_append(database, *each) for each in supply), self.seconds)
        finally:
            database.close()

    def _prepare(self, database: Database) -> Iterator[tuple[UUID, Head, Event]]:
        drawn = cycle(templates(DISTINCT, self.seed, self.people))
        prepared = 0
        with database.transaction() as connection:
            while prepared < self.count:
                template = next(drawn)
                match_id, events = _begin(connection, template)
                for event, timeline in zip(events[1:], template.timelines[1:], strict=True):
                    yield match_id, _head(timeline), event
                    prepared += 1


def _append(database: Database, match_id: UUID, head: Head, event: Event) -> Callable[[], None]:
    def append() -> None:
        with database.statements() as connection:
            if not event_log.append(connection, match_id, head, [event]):
                raise AssertionError("nobody else writes to this match")

    return append


@dataclass(frozen=True, slots=True)
class Folds:
    """Reading stored matches from the database and folding them, with nothing kept in memory."""

    dsn: str
    match_ids: Sequence[UUID]
    version: int
    seconds: float

    def run(self, wait: Callable[[], None]) -> float:
        """Read and fold until the time is over; answer with matches a second."""
        database = Database(self.dsn, size=1)
        database.open()
        game = GAMES[GAME]

        def load(match_id: UUID) -> Callable[[], None]:
            def fold() -> None:
                with database.statements() as connection:
                    Timelines().load(connection, game, game.editions, match_id, self.version)

            return fold

        try:
            wait()
            return timed((load(match_id) for match_id in cycle(self.match_ids)), self.seconds)
        finally:
            database.close()


def add_people(dsn: str, names: Sequence[str]) -> tuple[UUID, ...]:
    """Players for the matches of a database."""
    database = Database(dsn, size=1)
    database.open()
    try:
        people = [new_id() for _ in names]
        with database.transaction() as connection:
            for person, name in zip(people, names, strict=True):
                players.insert(connection, person, name, None, None)
        return tuple(people)
    finally:
        database.close()


def store(dsn: str, drawn: Sequence[Template]) -> list[UUID]:
    """Write whole matches to the store, and answer with their ids."""
    database = Database(dsn, size=1)
    database.open()
    stored = []
    try:
        for template in drawn:
            with database.transaction() as connection:
                match_id, events = _begin(connection, template)
                event_log.append(connection, match_id, _head(template.timelines[-1]), events[1:])
            stored.append(match_id)
    finally:
        database.close()
    return stored


def _begin(connection: Connection, template: Template) -> tuple[UUID, list[Event]]:
    match_id, timeline = new_id(), template.timelines[0]
    events = sealed(template, match_id)
    seats = [(seat, UUID(player)) for seat, player in timeline.players]
    rules = timeline.game.rules_version
    matches.insert(connection, match_id, GAME, timeline.edition.id, rules, seats, NO_DETAILS, None)
    event_log.append(connection, match_id, _head(timeline), events[:1])
    return match_id, events


def _head(timeline: Timeline) -> Head:
    """None of the matches comes to a result, so the seats stay as they are."""
    rules, edition = timeline.game.rules_version, timeline.edition.id
    return Head(timeline.version, rules, edition, timeline.ply, str(timeline.status), timeline.to_move, None)
