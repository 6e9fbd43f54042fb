"""The baseline: what the eventsourcing package takes to append such events and to rebuild an aggregate of them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any
from uuid import UUID, uuid4

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from eventsourcing.persistence import StoredEvent
from eventsourcing.postgres import PostgresAggregateRecorder, PostgresApplicationRecorder, PostgresDatastore
from psycopg.conninfo import conninfo_to_dict

from bench.stores import DISTINCT, timed
from bench.supply import Template, sealed, templates

RECORDERS: dict[str, tuple[type[Any], str]] = {
    "application": (PostgresApplicationRecorder, "stored_events"),
    "aggregate": (PostgresAggregateRecorder, "stored_aggregate_events"),
}
"""By name: the recorder that applications use, which numbers all events in one order, and the plain one below it."""

TOPIC = "bench.eventsourcing_baseline:Match.Moved"
PASSWORD = "unused"  # noqa: S105


@dataclass(frozen=True, slots=True)
class RecorderAppends:
    """One event after the other, aggregate by aggregate, each in a transaction of its own."""

    recorder: str
    dsn: str
    people: tuple[UUID, ...]
    seed: int
    count: int
    seconds: float

    def run(self, wait: Callable[[], None]) -> float:
        """Append until the time is over; answer with appends a second."""
        recorder = _recorder(self.dsn, self.recorder)
        try:
            supply = list(self._prepare())
            wait()
            return timed((_insert(recorder, stored) for stored in supply), self.seconds)
        finally:
            recorder.datastore.close()

    def _prepare(self) -> Iterator[StoredEvent]:
        drawn = cycle(templates(DISTINCT, self.seed, self.people))
        prepared = 0
        while prepared < self.count:
            aggregate_id = uuid4()
            for recorded in sealed(next(drawn), aggregate_id):
                yield StoredEvent(aggregate_id, recorded.seq, TOPIC, recorded.text.encode())
                prepared += 1


def _insert(recorder: Any, stored: StoredEvent) -> Callable[[], None]:
    def insert() -> None:
        recorder.insert_events([stored])

    return insert


def create_tables(dsn: str) -> None:
    """The tables of both recorders, before many processes need them."""
    for name in RECORDERS:
        recorder = _recorder(dsn, name)
        recorder.create_table()
        recorder.datastore.close()


def _recorder(dsn: str, name: str) -> Any:
    kind, table = RECORDERS[name]
    known = conninfo_to_dict(dsn)
    datastore = PostgresDatastore(
        dbname=str(known["dbname"]),
        host=str(known["host"]),
        port=str(known["port"]),
        user=str(known["user"]),
        password=PASSWORD,
    )
    return kind(datastore, events_table_name=table)


class Match(Aggregate):  # type: ignore[misc]
    """The least that a match can be: its set-up, and its moves in order."""

    def __init__(self, players: list[dict[str, str]], setup: dict[str, Any]) -> None:
        self.players = players
        self.setup = setup
        self.moves: list[tuple[str, dict[str, Any], object]] = []

    @event("Moved")  # type: ignore[untyped-decorator]
    def record(self, seat: str, move: dict[str, Any], ruling: object) -> None:
        """Add a move."""
        self.moves.append((seat, move, ruling))


@dataclass(frozen=True, slots=True)
class Rebuilds:
    """Getting stored aggregates from their repository, with nothing kept in memory."""

    dsn: str
    aggregate_ids: Sequence[UUID]
    version: int
    seconds: float

    def run(self, wait: Callable[[], None]) -> float:
        """Rebuild until the time is over; answer with aggregates a second."""
        application = _application(self.dsn)

        def get(aggregate_id: UUID) -> Callable[[], None]:
            def rebuild() -> None:
                found: Match = application.repository.get(aggregate_id)
                assert found.version == self.version

            return rebuild

        try:
            wait()
            return timed((get(aggregate_id) for aggregate_id in cycle(self.aggregate_ids)), self.seconds)
        finally:
            application.close()


def store(dsn: str, drawn: Sequence[Template]) -> list[UUID]:
    """Save an aggregate for each match, with an event for each of its events; answer with their ids."""
    application = _application(dsn)
    stored = []
    try:
        for template in drawn:
            created, *moved = [draft.payload for draft in template.drafts]
            match = Match(list(created["players"]), created["setup"])
            for payload in moved:
                match.record(**payload)
            application.save(match)
            stored.append(match.id)
    finally:
        application.close()
    return stored


def _application(dsn: str) -> Any:
    known = conninfo_to_dict(dsn)
    named = {f"POSTGRES_{name.upper()}": str(known[name]) for name in ("dbname", "host", "port", "user")}
    return Application(env={"PERSISTENCE_MODULE": "eventsourcing.postgres", "POSTGRES_PASSWORD": PASSWORD, **named})
