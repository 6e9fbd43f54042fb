"""When moves were entered, and how long players thought."""

from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest

from service.matches import commands, times
from tests.service.conftest import NewMatch
from tests.service.harness import OPENING, Match, entry, nothing_changes, ok, pointers, problem

BEGINNING = datetime.now(UTC).replace(microsecond=0) - timedelta(hours=2)


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = BEGINNING

    def __call__(self) -> datetime:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the service."""
    clock = Clock()
    for module in (commands, times):
        monkeypatch.setattr(module, "now", clock)
    return clock


@pytest.fixture
def evening(clock: Clock, new_match: NewMatch) -> Match:
    """A match that is played now."""
    return new_match(played_at=BEGINNING.isoformat())


def seconds(match: Match) -> list[Any]:
    return [ply["seconds"] for ply in ok(match.get("/times"))["plies"]]


def at(moment: datetime) -> str:
    return moment.isoformat()


def test_single_moves_tell_how_long_they_took(evening: Match, clock: Clock) -> None:
    for number, line in enumerate(OPENING[:4]):
        clock.wait(10 * number)
        ok(evening.post("/moves", entry(line)), 201)
    times = ok(evening.get("/times"))
    assert [ply["seconds"] for ply in times["plies"]] == [None, 10.0, 20.0, 30.0]
    assert times["seats"] == [
        {"seat": "orange", "moves": 2, "timed": 1, "seconds": 20.0, "longest": {"ply": 3, "seconds": 20.0}},
        {"seat": "blue", "moves": 2, "timed": 2, "seconds": 40.0, "longest": {"ply": 4, "seconds": 30.0}},
    ]


def test_moves_of_a_batch_without_times_took_nobody_knows_how_long(evening: Match, clock: Clock) -> None:
    evening.record(*OPENING[:3])
    clock.wait(5)
    ok(evening.post("/moves", entry(OPENING[3])), 201)
    clock.wait(6)
    ok(evening.post("/moves", entry(OPENING[4])), 201)
    assert seconds(evening) == [None, None, None, None, 6.0]


def test_moves_that_waited_on_a_device_have_the_times_at_which_they_were_entered(evening: Match, clock: Clock) -> None:
    first = {**entry(OPENING[0]), "entered_at": at(clock.now + timedelta(seconds=5))}
    second = {**entry(OPENING[1]), "entered_at": at(clock.now + timedelta(seconds=47))}
    clock.wait(600)
    for move in (first, second):
        ok(evening.post("/moves", move), 201)
        clock.wait(0.001)
    ok(evening.post("/moves", entry(OPENING[2])), 201)
    times = ok(evening.get("/times"))
    assert [ply["seconds"] for ply in times["plies"]] == [None, 42.0, 553.0]
    assert times["plies"][0]["at"] == (BEGINNING + timedelta(seconds=5)).strftime("%Y-%m-%dT%H:%M:%S.000000Z")


def test_a_batch_has_the_times_that_it_names(evening: Match, clock: Clock) -> None:
    moves = [entry(line) for line in OPENING[:3]]
    moves[0]["entered_at"], moves[1]["entered_at"] = at(clock.now), at(clock.now + timedelta(seconds=9))
    clock.wait(60)
    ok(evening.post("/moves", {"moves": moves}), 201)
    assert seconds(evening) == [None, 9.0, None]
    assert ok(evening.get("/verify"))["valid"] is True


@pytest.mark.parametrize(
    ("shift", "detail"),
    [(120, "lies in the future"), (-3 * 86400, "lies before the match")],
)
def test_a_time_that_cannot_be_is_refused(evening: Match, clock: Clock, shift: int, detail: str) -> None:
    wrong = at(clock.now + timedelta(seconds=shift))
    with nothing_changes(evening):
        refused = problem(evening.post("/moves", {**entry(OPENING[0]), "entered_at": wrong}), 422, "malformed-move")
        assert refused["errors"] == [{"pointer": "/entered_at", "detail": detail}]
        moves = [entry(OPENING[0]), {**entry(OPENING[1]), "entered_at": wrong}]
        refused = problem(evening.post("/moves", {"moves": moves}), 422, "malformed-move")
        assert pointers(refused) == ["/moves/1/entered_at"]


def test_times_of_a_batch_are_in_order(evening: Match, clock: Clock) -> None:
    moves = [entry(line) for line in OPENING[:3]]
    moves[0]["entered_at"], moves[2]["entered_at"] = at(clock.now), at(clock.now - timedelta(seconds=1))
    with nothing_changes(evening):
        assert pointers(problem(evening.post("/moves", {"moves": moves}), 422, "malformed-move")) == [
            "/moves/2/entered_at"
        ]


def test_a_clock_that_is_a_little_fast_is_taken_for_now(evening: Match, clock: Clock) -> None:
    ok(evening.post("/moves", {**entry(OPENING[0]), "entered_at": at(clock.now + timedelta(seconds=30))}), 201)
    assert ok(evening.get("/times"))["plies"][0]["at"].startswith(at(clock.now)[:19])


def test_a_corrected_move_keeps_its_time_and_an_undone_one_takes_it_along(evening: Match, clock: Clock) -> None:
    for line in OPENING[:4]:
        clock.wait(10)
        ok(evening.post("/moves", entry(line)), 201)
    clock.wait(100)
    ok(evening.correct(2, "replace", move=entry("blue take S4")["move"]), 201)
    assert seconds(evening) == [None, 10.0, 10.0, 10.0]
    evening.undo(3)
    clock.wait(10)
    ok(evening.post("/moves", entry(OPENING[3])), 201)
    assert seconds(evening) == [None, 10.0, 10.0, None]


def test_pauses_are_not_thought_through(evening: Match, clock: Clock) -> None:
    for line in OPENING[:2]:
        ok(evening.post("/moves", entry(line)), 201)
        clock.wait(3601)
    assert seconds(evening) == [None, None]


def test_a_match_that_is_typed_days_later_tells_no_times(new_match: NewMatch) -> None:
    match = new_match(played_at="2026-01-02T19:00:00Z")
    for line in OPENING[:3]:
        ok(match.post("/moves", entry(line)), 201)
    assert all(ply["at"] is None and ply["seconds"] is None for ply in ok(match.get("/times"))["plies"])


def test_when_moves_were_entered_is_never_changed(evening: Match, clock: Clock, dsn: str) -> None:
    clock.wait(60)
    ok(evening.post("/moves", {**entry(OPENING[0]), "entered_at": at(BEGINNING)}), 201)
    with psycopg.connect(dsn) as connection, pytest.raises(psycopg.errors.RaiseException, match="never changed"):
        connection.execute("DELETE FROM entered_times")
