"""The cache of timelines: bounded in bytes, the least recently used goes first, nothing uncommitted or too old."""

import gc
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from random import Random
from threading import Event, Semaphore
from typing import Any
from uuid import UUID, uuid4

import pytest
from flask import Flask

from domain.game import JsonObject
from domain.match import (
    Entry,
    HistoryError,
    Player,
    Timeline,
    create,
    record,
    replace,
)
from service.db import events as event_log
from service.db.pool import Database
from service.timelines import BYTES_PER_EDITION, BYTES_PER_EVENT, Recorded, Timelines
from tests.service.conftest import NewMatch
from tests.service.harness import OPENING, SETUP, Match, entries, finished_match, ok
from tests.service.workers import EDITION, GAME, PATIENCE, folded, seen_by, together, two_workers

PLAYERS = [Player("orange", "ana"), Player("blue", "jan")]


def played(plies: int, seed: int = 1) -> Timeline:
    """The timeline of a match with so many moves, with frames of its own."""
    timeline = create(GAME, EDITION, PLAYERS, GAME.setup.parse(SETUP)).timeline
    for made in finished_match(seed)[:plies]:
        timeline = record(timeline, [Entry(made["seat"], GAME.move.parse(made["move"]))]).timeline
    return timeline


def corrected(timeline: Timeline, times: int) -> Timeline:
    """The timeline after corrections of its first move, which keep all that follows."""
    first = timeline.frame(1).move
    for turn in range(times):
        move = first if turn % 2 else other_first(timeline.ply)
        timeline = replace(timeline, 1, Entry(None, move)).timeline
    return timeline


@cache
def other_first(plies: int) -> Any:
    """Another move with which a match could have begun."""
    timeline = played(plies)
    for move in GAME.rules.legal_moves(timeline.frame(0).state):
        try:
            replace(timeline, 1, Entry(None, move))
        except HistoryError:
            continue
        return move
    raise AssertionError("the first move is the only one that fits")


def recorded(timeline: Timeline) -> Recorded:
    return Recorded(timeline, "0" * 64)


def kept_of(timelines: Timelines, match_ids: list[UUID]) -> list[bool]:
    """Which matches are still known; to look at them by `known` would be a use."""
    return [match_id in timelines._kept for match_id in match_ids]


# What stays


def test_the_least_recently_used_goes_first() -> None:
    ids = [uuid4() for _ in range(4)]
    timelines = Timelines(most_bytes=3 * 10 * BYTES_PER_EVENT)
    for match_id in ids[:3]:
        timelines.keep(match_id, recorded(played(9)))
    assert kept_of(timelines, ids) == [True, True, True, False]
    assert timelines.known(ids[0]) is not None
    timelines.keep(ids[3], recorded(played(9)))
    assert kept_of(timelines, ids) == [True, False, True, True]
    timelines.keep(ids[2], recorded(played(10)))
    assert kept_of(timelines, ids) == [False, False, True, True]


def test_what_is_longer_than_the_cache_is_not_kept() -> None:
    short, long = uuid4(), uuid4()
    timelines = Timelines(most_bytes=20 * BYTES_PER_EVENT)
    timelines.keep(short, recorded(played(9)))
    timelines.keep(long, recorded(played(19)))
    assert kept_of(timelines, [short, long]) == [False, True]
    timelines.keep(short, recorded(played(9)))
    timelines.keep(short, recorded(played(30)))
    assert kept_of(timelines, [short, long]) == [False, False]
    timelines.keep(long, recorded(played(19)))
    assert kept_of(timelines, [short, long]) == [False, True]


def test_a_timeline_that_grows_takes_the_room_of_all_its_events() -> None:
    growing, others = uuid4(), [uuid4() for _ in range(3)]
    timelines = Timelines(most_bytes=40 * BYTES_PER_EVENT)
    for other in others:
        timelines.keep(other, recorded(played(9)))
    line = played(20)
    for version in range(1, 11):
        timelines.keep(growing, recorded(line.at(version)))
    assert kept_of(timelines, others) == [True, True, True]
    timelines.keep(growing, recorded(line.at(11)))
    assert kept_of(timelines, others) == [False, True, True]
    timelines.keep(growing, recorded(line))
    assert kept_of(timelines, others) == [False, False, True]


def test_a_match_takes_as_little_room_after_many_corrections_as_after_as_many_moves() -> None:
    match_id, line = uuid4(), played(40)
    timelines = Timelines()
    for _ in range(2):
        line = corrected(line, 2)  # reads what is read once
    tracemalloc.start()
    try:
        for _ in range(150):
            line = corrected(line, 2)
            timelines.keep(match_id, recorded(line))
        gc.collect()
        taken = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert taken < 300 * BYTES_PER_EVENT


@pytest.mark.slow
@pytest.mark.parametrize("corrections", [0, 8])
def test_the_cache_takes_no_more_memory_than_it_may(corrections: int) -> None:
    most_bytes = 4 * 2**20
    finished_match()
    gc.collect()
    tracemalloc.start()
    try:
        began, _ = tracemalloc.get_traced_memory()
        timelines = Timelines(most_bytes)
        for _ in range(12 if corrections else 100):
            timelines.keep(uuid4(), recorded(corrected(played(40), corrections)))
        gc.collect()
        taken = tracemalloc.get_traced_memory()[0] - began
    finally:
        tracemalloc.stop()
    assert len(timelines._kept) > 1
    assert most_bytes / 10 < taken < most_bytes


def test_editions_of_kept_matches_take_room_once_each() -> None:
    others = [GAME.editions.amend(EDITION, str(uuid4()), "Ours", {}) for _ in range(2)]
    room = 2 * BYTES_PER_EDITION + 4 * BYTES_PER_EVENT
    timelines, ids = Timelines(most_bytes=room), [uuid4() for _ in range(6)]

    def keep(match_id: UUID, edition: Any) -> None:
        timelines.keep(match_id, recorded(create(GAME, edition, PLAYERS, GAME.setup.parse(SETUP)).timeline))

    for match_id, edition in zip(ids, [others[0], others[0], others[1], EDITION], strict=False):
        keep(match_id, edition)
    assert kept_of(timelines, ids[:4]) == [True] * 4
    keep(ids[4], GAME.editions.amend(EDITION, str(uuid4()), "Ours too", {}))
    assert kept_of(timelines, ids[:5]) == [False, False, True, True, True]
    keep(ids[5], others[0])
    assert kept_of(timelines, ids) == [False, False, False, True, True, True]


# What is answered


def test_an_earlier_version_never_takes_the_place_of_a_later_one() -> None:
    match_id, line = uuid4(), played(20)
    timelines = Timelines()
    timelines.keep(match_id, recorded(line))
    timelines.keep(match_id, recorded(line.at(5)))
    timelines.keep(match_id, recorded(played(20)))
    known = timelines.known(match_id)
    assert known is not None
    assert known.timeline is line


def test_only_the_events_not_yet_known_and_the_last_known_one_are_read(
    match: Match, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    ranges = []
    read = event_log.written

    def read_and_tell(connection: Any, match_id: UUID, after: int, until: int) -> Any:
        ranges.append((after, until))
        return read(connection, match_id, after, until)

    match.record(*OPENING)
    monkeypatch.setattr(event_log, "written", read_and_tell)
    timelines = Timelines()
    with database.transaction() as connection:
        load = partial(timelines.load, connection, GAME, GAME.editions, UUID(match.id))
        assert [load(version).timeline.version for version in (1, 1, 4, 7, 3)] == [1, 1, 4, 7, 7]
    assert ranges == [(0, 1), (0, 4), (3, 7)]


@pytest.mark.parametrize("events", [1, 8])
def test_what_was_dropped_is_read_again_and_is_the_same(new_match: NewMatch, database: Database, events: int) -> None:
    matches = [new_match(), new_match()]
    matches[0].record(*OPENING)
    matches[0].undo(2)
    matches[1].record(*OPENING[:4])
    timelines = Timelines(most_bytes=events * BYTES_PER_EVENT)
    with database.transaction() as connection:
        for match in matches * 2:
            version = match.document()["version"]
            found = timelines.load(connection, GAME, GAME.editions, UUID(match.id), version)
            assert found.timeline.version == version
            assert [frame.state for frame in found.timeline.frames()] == [
                frame.state for frame in folded(match).frames()
            ]
            assert found.hash == match.events()[-1]["hash"]


def test_readers_never_get_an_older_version_than_they_ask_for(match: Match, database: Database) -> None:
    moves = finished_match()[:30]
    timelines = Timelines(most_bytes=BYTES_PER_EVENT)
    version = 1

    def write() -> None:
        nonlocal version
        for made in moves:
            version = ok(match.post("/moves", made), 201)["version"]

    def read(chance: Random) -> None:
        while version < len(moves) + 1:
            asked = chance.choice((version, chance.randint(1, version)))
            with database.transaction() as connection:
                found = timelines.load(connection, GAME, GAME.editions, UUID(match.id), asked)
            assert found.timeline.version >= asked
            assert found.timeline.ply == found.timeline.version - 1
            made = found.timeline.head
            assert made.before is None or GAME.move.dump(made.move) == moves[made.ply - 1]["move"]

    acts: list[Callable[[], None]] = [write, *(partial(read, Random(number)) for number in range(4))]
    together(acts)
    with database.transaction() as connection:
        assert timelines.load(connection, GAME, GAME.editions, UUID(match.id), 31).hash == match.events()[-1]["hash"]


# One at a time


class Folding:
    """Folds that begin when they are told, each by a thread of its own."""

    def __init__(self, timelines: Timelines, database: Database, patches: pytest.MonkeyPatch) -> None:
        self._timelines = timelines
        self._database = database
        self._read = event_log.written
        self.begun: list[UUID] = []
        self.entered = Semaphore(0)
        self.go_on = Event()
        self.failing = 0
        patches.setattr(event_log, "written", self._written)

    def _written(self, connection: Any, match_id: UUID, after: int, until: int) -> Any:
        self.begun.append(match_id)
        self.entered.release()
        assert self.go_on.wait(10)
        if self.failing:
            self.failing -= 1
            raise LookupError
        return self._read(connection, match_id, after, until)

    def fold(self, match: Match) -> int:
        with self._database.transaction() as connection:
            return self._timelines.load(connection, GAME, GAME.editions, UUID(match.id), 7).timeline.version


def test_a_match_is_folded_by_one_thread_at_a_time_and_others_beside_it(
    new_match: NewMatch, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = [new_match(), new_match()]
    for match in matches:
        match.record(*OPENING)
    folding = Folding(Timelines(), database, monkeypatch)
    with ThreadPoolExecutor(6) as threads:
        found = [threads.submit(folding.fold, match) for match in matches * 3]
        assert all(folding.entered.acquire(timeout=PATIENCE) for _ in matches)
        folding.go_on.set()
        assert [one.result(10) for one in found] == [7] * 6
    assert sorted(folding.begun) == sorted(UUID(match.id) for match in matches)


def test_a_fold_that_fails_keeps_nobody_waiting(
    match: Match, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    match.record(*OPENING)
    timelines = Timelines()
    folding = Folding(timelines, database, monkeypatch)
    folding.failing = 1
    with ThreadPoolExecutor(3) as threads:
        found = [threads.submit(folding.fold, match) for _ in range(3)]
        assert folding.entered.acquire(timeout=PATIENCE)
        folding.go_on.set()
        failed = [one.exception(10) for one in found]
    assert sorted(repr(error) for error in failed) == ["LookupError()", "None", "None"]
    assert len(folding.begun) == 2
    assert timelines._folding == {}


def test_nobody_waits_longer_than_so_long_for_another_fold(
    match: Match, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    match.record(*OPENING)
    monkeypatch.setattr("service.timelines.MAX_WAIT", 0.01)
    folding = Folding(Timelines(), database, monkeypatch)
    with ThreadPoolExecutor(2) as threads:
        found = [threads.submit(folding.fold, match) for _ in range(2)]
        assert all(folding.entered.acquire(timeout=PATIENCE) for _ in range(2))
        folding.go_on.set()
        assert [one.result(10) for one in found] == [7, 7]


# Nothing uncommitted


class WorkerDied(BaseException):
    """The end of a worker in the middle of a request."""


WRITES: dict[str, tuple[str, JsonObject | None]] = {
    "moves": ("/moves", {"moves": entries(["orange take V3", "blue take X5"])}),
    "undo": ("/undo", {"to_ply": 2}),
    "restore": ("/restore", {"version": 3}),
    "corrections": ("/corrections", {"ply": 6, "action": "remove"}),
    "abandon": ("/abandon", None),
    "players": ("/players", {"players": [{"seat": "orange", "name": "Jan"}, {"seat": "blue", "name": "Ana"}]}),
}


@contextmanager
def dying_after_append() -> Iterator[None]:
    """The worker dies when it has written an event and the commit is still to come."""

    def dying(append: Callable[..., bool | None]) -> Callable[..., Any]:
        def append_and_die(*arguments: Any, **options: Any) -> Any:
            assert append(*arguments, **options) is not False
            raise WorkerDied

        return append_and_die

    with pytest.MonkeyPatch.context() as patches:
        for name in ("append", "append_locked"):
            patches.setattr(event_log, name, dying(getattr(event_log, name)))
        yield


@pytest.fixture
def workers(dsn: str) -> Iterator[tuple[Flask, Flask]]:
    with two_workers(dsn) as workers:
        yield workers


@pytest.mark.parametrize("name", WRITES)
def test_what_was_not_committed_is_never_seen(workers: tuple[Flask, Flask], match: Match, name: str) -> None:
    here, there = (seen_by(worker, match) for worker in workers)
    here.record(*OPENING)
    path, body = WRITES[name]
    method = "PUT" if name == "players" else "POST"
    before = [one.frames() for one in (here, there)]
    with dying_after_append(), pytest.raises(WorkerDied):
        here.service.send(method, here.path + path, body, {"Idempotency-Key": "one"})
    known = workers[0].extensions["carnet"].timelines.known(UUID(match.id))
    assert known.timeline.version == 7
    assert [one.frames() for one in (here, there)] == before
    answer = here.service.send(method, here.path + path, body, {"Idempotency-Key": "one"})
    assert answer.status_code in {200, 201}
    assert here.document() == there.document()
    assert here.frames() == there.frames()
    assert ok(there.get("/verify"))["valid"]


def test_what_was_committed_is_seen_though_the_worker_did_not_come_to_remember_it(
    workers: tuple[Flask, Flask], match: Match
) -> None:
    here, there = (seen_by(worker, match) for worker in workers)
    here.record(*OPENING)
    with dying_after_append(), pytest.raises(WorkerDied):
        here.post("/moves", entries(["orange take V3"])[0])
    assert here.document()["version"] == there.document()["version"] == 8
    assert here.record("blue take X5")["version"] == 9
    assert here.frames() == there.frames()
