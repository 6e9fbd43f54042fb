"""Many writers at once, in two workers: each version has one winner, nothing is lost or doubled, keys act once."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import count, pairwise
from random import Random
from threading import Event as Signal
from threading import Lock
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from flask import Flask
from werkzeug.test import TestResponse

from domain.match import Change, Entry, HistoryError, MoveRefused, Timeline, record, restore, undo
from service.db import events as event_log
from service.db import idempotency, players
from service.db.pool import Connection
from service.timelines import Timelines
from tests.domain.games.cite_lumiere.positions import PAVEMENT
from tests.service.harness import (
    OPENING,
    SETUP,
    Match,
    Service,
    entries,
    entry,
    finished_match,
    nothing_changes,
    ok,
    problem,
)
from tests.service.workers import (
    GAME,
    folded,
    log_of,
    number_of,
    number_waiting,
    seen_by,
    together,
    two_workers,
    wait_until,
)

WRITERS = 8

Posted = tuple[str, Mapping[str, Any]]


@pytest.fixture
def workers(dsn: str) -> Iterator[tuple[Flask, Flask]]:
    with two_workers(dsn) as workers:
        yield workers


@pytest.fixture
def match(workers: tuple[Flask, Flask]) -> Match:
    """A match without moves that neither worker has in memory yet."""
    body = {
        "game": "cite-lumiere",
        "players": [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}],
        "setup": SETUP,
    }
    return Match(Service(workers[0]), ok(Service(workers[0]).post("/matches", body), 201)["id"])


def spread(workers: tuple[Flask, Flask], match: Match, number: int = WRITERS) -> list[Match]:
    """The match as writers see it that sit at one worker and the other by turns."""
    return [seen_by(workers[index % 2], match) for index in range(number)]


def new_key() -> dict[str, str]:
    return {"Idempotency-Key": str(uuid4())}


# With If-Match


@pytest.mark.parametrize("keyed", [False, True], ids=["without key", "with key"])
def test_of_writers_for_one_version_exactly_one_wins(workers: tuple[Flask, Flask], match: Match, keyed: bool) -> None:
    writers = spread(workers, match)
    won = []
    for version in range(1, 13):
        state = folded(match).head.state
        moves = [GAME.move.dump(move) for move, _ in zip(GAME.rules.legal_moves(state), range(WRITERS), strict=False)]
        bodies = [{"seat": state.to_move, "move": move} for move in moves]

        posts = []
        for writer, body in zip(writers, bodies, strict=False):
            headers = {"If-Match": f'"{version}"', **(new_key() if keyed else {})}
            posts.append(partial(writer.post, "/moves", body, headers))
        found = together(posts)
        winners = [body for response, body in zip(found, bodies, strict=False) if response.status_code == 201]
        assert len(winners) == 1
        won += winners
        for response in found:
            if response.status_code != 201:
                stale = problem(response, 412, "stale-version")
                assert (stale["version"], response.headers["ETag"]) == (version + 1, f'"{version + 1}"')
    assert match.moves() == won
    assert len(log_of(match)) == 13


@pytest.mark.parametrize("path", ["/undo", "/restore", "/corrections", "/abandon"])
def test_whatever_is_written_for_one_version_one_wins(workers: tuple[Flask, Flask], match: Match, path: str) -> None:
    body = {
        "/undo": {"to_ply": 1},
        "/restore": {"version": 2},
        "/corrections": {"ply": 6, "action": "remove"},
        "/abandon": None,
    }[path]
    version = match.record(*OPENING)["version"]
    headers = {"If-Match": f'"{version}"'}
    found = together([partial(writer.post, path, body, headers) for writer in spread(workers, match)])
    assert sorted(response.status_code for response in found)[1:] == [412] * (WRITERS - 1)
    assert len(log_of(match)) == version + 1


# Without If-Match


def test_two_who_record_for_each_seat_lose_and_double_nothing(workers: tuple[Flask, Flask], match: Match) -> None:
    tiles = {"orange": list(PAVEMENT[:8]), "blue": list(PAVEMENT[8:])}
    shares = [(seat, tiles[seat][half::2]) for seat in tiles for half in (0, 1)]

    def pave(writer: Match, seat: str, own: list[str], headers: Mapping[str, str]) -> None:
        for tile in own:
            while (response := writer.post("/moves", entry(f"{seat} pave {tile}"), headers)).status_code != 201:
                assert problem(response, 422, "illegal-move")["code"] == "not_your_turn"
            headers = headers and new_key()

    writers = spread(workers, match, len(shares))
    acts = [
        partial(pave, writer, seat, own, key)
        for writer, (seat, own), key in zip(writers, shares, [{}, new_key(), new_key(), {}], strict=True)
    ]
    together(acts)
    recorded = [(made["seat"], made["move"]["tile"]) for made in match.moves()]
    assert sorted(recorded) == sorted((seat, tile.split()[0]) for seat, own in shares for tile in own)
    assert len(log_of(match)) == 17
    for writer in writers:
        assert writer.document()["version"] == 17


@dataclass(frozen=True)
class Attempt:
    """A request, what it got, and two versions between which the match was meanwhile."""

    path: str
    body: Mapping[str, Any]
    expected: int | None
    response: TestResponse
    low: int
    high: int

    @property
    def problem(self) -> Any:
        """The problem document of a refusal."""
        return self.response.get_json(force=True)

    def judged(self, timeline: Timeline) -> Change:
        """The answer of the domain alone."""
        if self.path == "/undo":
            return undo(timeline, self.body["to_ply"])
        if self.path == "/restore":
            return restore(timeline, self.body["version"])
        moves = self.body["moves"]
        return record(timeline, [Entry(move["seat"], GAME.move.parse(move["move"])) for move in moves])


@dataclass
class Crowd:
    """Writers who look at a match, choose something by chance and send it, knowing nothing of each other."""

    acknowledged: int = 1
    attempts: list[Attempt] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def write(self, match: Match, chance: Random, times: int) -> None:
        for turn in range(times):
            timeline = folded(match)
            path, body = chosen(timeline, chance)
            expected = timeline.version if chance.random() < 0.4 else None
            if turn == 0:
                expected = timeline.version - 1  # so that some come too late for certain
            headers = {} if expected is None else {"If-Match": f'"{expected}"'}
            if chance.random() < 0.4:
                headers |= new_key()
            low = self.acknowledged
            response = match.post(path, body, headers)
            high = ok(response, 201)["version"] if response.status_code == 201 else match.document()["version"]
            with self.lock:
                self.attempts.append(Attempt(path, body, expected, response, low, high))
                if response.status_code == 201:
                    self.acknowledged = max(self.acknowledged, high)


def chosen(timeline: Timeline, chance: Random) -> Posted:
    """Something that the timeline allows, or now and then hardly."""
    kind = chance.random()
    if timeline.to_move is None or kind < 0.1:
        return "/undo", {"to_ply": chance.randint(0, timeline.ply)}
    if kind < 0.2:
        return "/restore", {"version": chance.randint(1, timeline.version)}
    state, moves = timeline.head.state, []
    for _ in range(chance.randint(1, 5)):
        if state.to_move is None:
            break
        move = chance.choice(list(GAME.rules.legal_moves(state)))
        moves.append({"seat": state.to_move, "move": GAME.move.dump(move)})
        state = GAME.rules.apply(state, state.to_move, move)
    if chance.random() < 0.15:
        moves.append(moves[0])
    return "/moves", {"moves": moves}


def require_right(attempts: list[Attempt], match: Match) -> None:
    """Assert that each answer was right at a version that the match had between request and answer.

    Every event must be of exactly one acknowledged request, and a batch must stand in the log as a whole.
    """
    log = log_of(match)
    timeline = folded(match)
    told: dict[int, Attempt] = {}
    for attempt in attempts:
        if attempt.response.status_code == 201:
            require_recorded(attempt, timeline, log, told)
        elif attempt.response.status_code == 412:
            stale = attempt.problem["version"]
            assert attempt.expected != stale
            assert attempt.low <= stale <= attempt.high
        else:
            versions = range(attempt.low, attempt.high + 1)
            if attempt.expected is not None:
                versions = range(attempt.expected, attempt.expected + 1)
            assert any(refused(attempt, timeline.at(version)) for version in versions), attempt.problem
    assert sorted(told) == list(range(2, len(log) + 1))


def require_recorded(attempt: Attempt, timeline: Timeline, log: list[Any], attempts: dict[int, Attempt]) -> None:
    answer = ok(attempt.response, 201)
    added = len(attempt.body.get("moves", [None]))
    before = answer["version"] - added
    assert attempt.low <= before
    assert attempt.expected in {None, before}
    change = attempt.judged(timeline.at(before))
    assert [(event.kind, event.text) for event in log[before : answer["version"]]] == list(change.drafts)
    assert (answer["ply"], answer["to_move"]) == (change.timeline.ply, change.timeline.to_move)
    assert answer["state"] == GAME.view.dump(change.timeline.head.state)
    for seq in range(before + 1, answer["version"] + 1):
        assert seq not in attempts
        attempts[seq] = attempt


def refused(attempt: Attempt, timeline: Timeline) -> bool:
    """Tell if the domain refuses an attempt too, for the same reason."""
    try:
        attempt.judged(timeline)
    except MoveRefused as error:
        return bool((error.refusal.code, error.index) == (attempt.problem.get("code"), attempt.problem.get("index")))
    except HistoryError:
        return "code" not in attempt.problem
    return False


def crowded(workers: tuple[Flask, Flask], match: Match, seed: int, times: int) -> int:
    """Have all writers write so many times at once; return the number of answers that were judged."""
    crowd = Crowd()
    together(
        [
            partial(crowd.write, writer, Random(f"{seed}/{number}"), times)
            for number, writer in enumerate(spread(workers, match))
        ]
    )
    require_right(crowd.attempts, match)
    assert {attempt.response.status_code for attempt in crowd.attempts} == {201, 412, 422}
    assert spread(workers, match)[0].frames() == spread(workers, match)[1].frames()
    return len(crowd.attempts)


JUDGED = "answers to writers at once that were judged"


@pytest.mark.slow
def test_each_answer_is_right_at_a_version_between_request_and_answer(
    workers: tuple[Flask, Flask], match: Match, record_property: Callable[[str, object], None]
) -> None:
    record_property(JUDGED, crowded(workers, match, seed=1, times=20))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
def test_each_answer_is_right_however_many_are_given(
    workers: tuple[Flask, Flask], match: Match, seed: int, record_property: Callable[[str, object], None]
) -> None:
    record_property(JUDGED, crowded(workers, match, seed=seed, times=40))


def test_batches_that_fit_only_once_are_recorded_whole_or_not_at_all(
    workers: tuple[Flask, Flask], match: Match
) -> None:
    moves = list(finished_match())[:40]
    found = together([partial(writer.post, "/moves", {"moves": moves}) for writer in spread(workers, match)])
    refusals = [response for response in found if response.status_code != 201]
    assert len(refusals) == WRITERS - 1
    for response in refusals:
        assert problem(response, 422, "illegal-move")["ply"] > 40
    assert match.moves() == moves
    assert len({event.recorded_at for event in log_of(match)}) == 2


# What a worker remembers of a match that another has changed


STALE: Mapping[str, tuple[Posted, int]] = {
    "a move that fits only now": (("/moves", entry("orange pave O2 e1 0")), 201),
    "a batch that fits only now": (("/moves", {"moves": entries(["orange take X5", "blue take V3"])}), 201),
    "a move that fitted before": (("/moves", entry("blue take X5")), 422),
    "a batch that fitted before": (("/moves", {"moves": entries(["blue take X5", "orange pass"])}), 422),
    "an undo to a ply that is gone": (("/undo", {"to_ply": 5}), 422),
    "an undo to a ply that was the last": (("/undo", {"to_ply": 1}), 201),
    "a restoring of a version not known": (("/restore", {"version": 6}), 201),
    "a correction of a move that is gone": (("/corrections", {"ply": 3, "action": "remove"}), 422),
    "a correction of a move not known": (("/corrections", {"ply": 2, "action": "remove"}), 201),
}


@pytest.mark.parametrize("keyed", [False, True], ids=["without key", "with key"])
@pytest.mark.parametrize("name", STALE)
def test_a_worker_that_missed_changes_judges_by_the_present_match(
    workers: tuple[Flask, Flask], match: Match, name: str, keyed: bool
) -> None:
    (path, body), status = STALE[name]
    here, there = (seen_by(worker, match) for worker in workers)
    there.record("orange take L4")
    assert there.document()["ply"] == 1
    here.record(*OPENING[3:4], "orange take U6", "blue take I3", "orange take V3")
    here.undo(1)
    here.record("blue take I3")
    version = here.document()["version"]
    response = there.post(path, body, new_key() if keyed else None)
    assert response.status_code == status, response.text
    log = log_of(here)
    assert len(log) == version + (len(body.get("moves", [None])) if status == 201 else 0)
    assert folded(here).version == len(log)
    assert here.frames() == there.frames()


def test_a_worker_that_missed_changes_knows_the_version_of_an_if_match(
    workers: tuple[Flask, Flask], match: Match
) -> None:
    here, there = (seen_by(worker, match) for worker in workers)
    there.record("orange take L4")
    here.record("blue take I3")
    stale = problem(there.post("/moves", entry("blue take I3"), {"If-Match": '"2"'}), 412, "stale-version")
    assert stale["version"] == 3
    here.record("orange take V3")
    assert ok(there.post("/moves", entry("blue take X5"), {"If-Match": '"4"'}), 201)["version"] == 5


def test_a_worker_that_missed_changes_reads_the_present_match(workers: tuple[Flask, Flask], match: Match) -> None:
    here, there = (seen_by(worker, match) for worker in workers)
    there.record("orange take L4")
    changes = [("/moves", entry("blue take I3"), 201), ("/undo", {"to_ply": 0}, 201), ("/abandon", None, 200)]
    for changed, body, status in changes:
        ok(here.post(changed, body), status)
        for path in ("", "/state", "/legal-moves", "/events", "/replay", "/verify"):
            assert ok(there.get(path)) == ok(here.get(path))
        check = {"moves": entries(["orange take L4"])}
        assert ok(there.post("/moves/check", check)) == ok(here.post("/moves/check", check))


# Idempotency keys


class Gate:
    """A place where the first to come waits until the others have come as far as they can."""

    def __init__(self) -> None:
        self.reached = Signal()
        self.opened = Signal()
        self._comers = count()

    def hold(self) -> None:
        if next(self._comers) == 0:
            self.reached.set()
            assert self.opened.wait(20)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    """A gate right behind the append of an event, before its commit."""
    gate = Gate()

    def waiting(append: Callable[..., bool | None]) -> Callable[..., Any]:
        def append_and_wait(*arguments: Any, **options: Any) -> Any:
            appended = append(*arguments, **options)
            gate.hold()
            return appended

        return append_and_wait

    for name in ("append", "append_locked"):
        monkeypatch.setattr(event_log, name, waiting(getattr(event_log, name)))
    return gate


def one_after_another(
    gate: Gate, dsn: str, first: Callable[[], TestResponse], second: Callable[[], TestResponse]
) -> Any:
    """The responses to two requests of which the second is sent while the first is held up at the gate."""

    def follow() -> TestResponse:
        assert gate.reached.wait(20)
        return second()

    def open_gate() -> None:
        assert gate.reached.wait(20)
        wait_until(lambda: number_waiting(dsn) == 1)
        gate.opened.set()

    return together([first, follow, open_gate])[:2]


@pytest.mark.parametrize("other", [0, 1], ids=["same worker", "other worker"])
def test_a_second_request_with_a_key_waits_for_the_answer_to_the_first(
    workers: tuple[Flask, Flask], match: Match, gate: Gate, dsn: str, other: int
) -> None:
    key, body = new_key(), entry(OPENING[0])
    here, there = seen_by(workers[0], match), seen_by(workers[other], match)
    first, second = one_after_another(
        gate, dsn, lambda: here.post("/moves", body, key), lambda: there.post("/moves", body, key)
    )
    assert ok(first, 201) == ok(second, 201)
    assert "Idempotent-Replayed" not in first.headers
    assert second.headers["Idempotent-Replayed"] == "true"
    assert second.headers["ETag"] == first.headers["ETag"] == '"2"'
    assert len(log_of(match)) == 2


def test_another_request_with_the_key_of_one_under_way_is_refused(
    workers: tuple[Flask, Flask], match: Match, gate: Gate, dsn: str
) -> None:
    key = new_key()
    here, there = (seen_by(worker, match) for worker in workers)
    first, second = one_after_another(
        gate,
        dsn,
        lambda: here.post("/moves", entry(OPENING[0]), key),
        lambda: there.post("/moves", entry("orange take L4"), key),
    )
    ok(first, 201)
    problem(second, 422, "key-reused")
    assert match.moves() == [entry(OPENING[0])]


def test_of_many_requests_with_one_key_one_is_done_and_all_are_answered(
    workers: tuple[Flask, Flask], match: Match
) -> None:
    for number, line in enumerate(OPENING, start=2):
        key = new_key()
        found = together([partial(writer.post, "/moves", entry(line), key) for writer in spread(workers, match)])
        documents = [ok(response, 201) for response in found]
        assert documents == [documents[0]] * WRITERS
        assert documents[0]["version"] == number
        replayed = [response.headers.get("Idempotent-Replayed") for response in found]
        assert sorted(replayed, key=str) == [None, *["true"] * (WRITERS - 1)]
    assert len(log_of(match)) == len(OPENING) + 1


def test_a_failed_request_keeps_no_key(match: Match, dsn: str) -> None:
    key = new_key()
    with nothing_changes(match):
        problem(match.post("/moves", entry("blue take L4"), key), 422, "illegal-move")
        problem(match.post("/moves", entry("orange take L4"), {**key, "If-Match": '"7"'}), 412, "stale-version")
        problem(match.post("/moves", {"seat": "orange"}, key), 422, "malformed-move")
    assert number_of(dsn, "idempotency_keys") == 0
    done = match.post("/moves", entry("orange take L4"), {**key, "If-Match": '"1"'})
    assert ok(done, 201)["version"] == 2
    assert "Idempotent-Replayed" not in done.headers


def test_a_second_request_is_done_if_the_first_fails(
    workers: tuple[Flask, Flask], match: Match, gate: Gate, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, body = new_key(), entry(OPENING[0])
    here, there = (seen_by(worker, match) for worker in workers)
    monkeypatch.setattr(idempotency, "keep", failing_once(idempotency.keep, psycopg.OperationalError("gone")))
    first, second = one_after_another(
        gate, dsn, lambda: here.post("/moves", body, key), lambda: there.post("/moves", body, key)
    )
    problem(first, 503, "database-away")
    assert ok(second, 201)["version"] == 2
    assert "Idempotent-Replayed" not in second.headers
    assert match.moves() == [body]


def failing_once(act: Callable[..., Any], failure: BaseException) -> Callable[..., Any]:
    """An act that fails the first time it is called."""
    failures = [failure]

    def fail_or_act(*arguments: Any) -> Any:
        if failures:
            raise failures.pop()
        return act(*arguments)

    return fail_or_act


class WorkerDied(BaseException):
    """The end of a worker in the middle of a request."""


def test_a_retry_after_a_worker_died_before_the_commit_is_done(
    workers: tuple[Flask, Flask], match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, body = new_key(), {"moves": entries(OPENING)}
    monkeypatch.setattr(idempotency, "keep", failing_once(idempotency.keep, WorkerDied()))
    with nothing_changes(match), pytest.raises(WorkerDied):
        match.post("/moves", body, key)
    for worker, replayed in ((workers[0], None), (workers[1], "true")):
        response = seen_by(worker, match).post("/moves", body, key)
        assert ok(response, 201)["version"] == 7
        assert response.headers.get("Idempotent-Replayed") == replayed
    assert len(log_of(match)) == 7


def test_a_retry_after_a_worker_died_behind_the_commit_gets_the_answer(
    workers: tuple[Flask, Flask], match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, body = new_key(), {"moves": entries(OPENING)}
    match.document()
    monkeypatch.setattr(Timelines, "keep", failing_once(Timelines.keep, WorkerDied()))
    with pytest.raises(WorkerDied):
        match.post("/moves", body, key)
    for worker in workers:
        response = seen_by(worker, match).post("/moves", body, key)
        assert ok(response, 201)["version"] == 7
        assert response.headers["Idempotent-Replayed"] == "true"
    assert len(log_of(match)) == 7


def test_a_session_that_the_server_ends_before_the_commit_leaves_nothing(
    match: Match, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = idempotency.keep

    def end_session(connection: Connection, *arguments: Any) -> None:
        monkeypatch.setattr(idempotency, "keep", keep)
        with psycopg.connect(dsn, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s, 5000)", [connection.info.backend_pid])
        keep(connection, *arguments)

    key, body = new_key(), entry(OPENING[0])
    monkeypatch.setattr(idempotency, "keep", end_session)
    with nothing_changes(match):
        assert problem(match.post("/moves", body, key), 503, "database-away")
    assert number_of(dsn, "idempotency_keys") == 0
    assert ok(match.post("/moves", body, key), 201)["version"] == 2
    assert len(log_of(match)) == 2


def test_a_key_gets_its_first_answer_whatever_came_after(workers: tuple[Flask, Flask], match: Match) -> None:
    match.record(*OPENING[:3])
    acts: list[tuple[str, Any]] = [
        ("/moves?include=legal_moves", entry(OPENING[3])),
        ("/corrections", {"ply": 4, "action": "remove"}),
        ("/restore", {"version": 5}),
        ("/undo", {"to_ply": 3}),
    ]
    first = [(path, body, key := new_key(), match.post(path, body, key)) for path, body in acts]
    match.record("blue take I3")
    for worker in workers:
        for path, body, key, answered in first:
            again = seen_by(worker, match).post(path, body, {**key, "If-Match": '"1"'})
            assert ok(again, 201) == ok(answered, 201)
            assert again.headers["ETag"] == answered.headers["ETag"]
            assert again.headers["Idempotent-Replayed"] == "true"
    assert len(log_of(match)) == 9


# People, details and annotations


def new_match_body(orange: str, blue: str) -> dict[str, Any]:
    return {
        "game": "cite-lumiere",
        "players": [{"seat": "orange", "name": orange}, {"seat": "blue", "name": blue}],
        "setup": SETUP,
    }


def test_matches_begun_at_once_by_people_not_seen_before_add_each_of_them_once(workers: tuple[Flask, Flask]) -> None:
    bodies = [new_match_body("Zoë", "Tom"), new_match_body("  tom", "ZOE\u0308")] * 4
    found = together([partial(Service(workers[index % 2]).post, "/matches", body) for index, body in enumerate(bodies)])
    for response in found:
        ok(response, 201)
    listed = Service(workers[0]).all_items("/players")
    assert [player["name"].casefold() for player in listed] == ["tom", "zoë"]


def test_matches_begun_by_the_same_two_on_changed_seats_do_not_block_each_other(
    workers: tuple[Flask, Flask], dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, named = Gate(), players.named

    def named_and_wait(*arguments: Any) -> Any:
        gate.hold()
        return named(*arguments)

    monkeypatch.setattr(players, "named", named_and_wait)
    found = one_after_another(
        gate,
        dsn,
        lambda: Service(workers[0]).post("/matches", new_match_body("Ana", "Jan")),
        lambda: Service(workers[1]).post("/matches", new_match_body("Jan", "Ana")),
    )
    for response in found:
        ok(response, 201)
    assert number_of(dsn, "players") == 2


def test_two_who_are_being_merged_do_not_meet_in_a_match_begun_meanwhile(
    workers: tuple[Flask, Flask], dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = (Service(worker) for worker in workers)
    one, other = (
        ok(here.post("/matches", new_match_body(name, "Zoë")), 201)["players"][0] for name in ("Anna", "Anna K.")
    )
    gate, merge = Gate(), players.merge

    def merge_and_wait(*arguments: Any) -> None:
        merge(*arguments)
        gate.hold()

    monkeypatch.setattr(players, "merge", merge_and_wait)
    merged, begun = one_after_another(
        gate,
        dsn,
        lambda: here.post(f"/players/{one['player_id']}/merge", {"into": other["player_id"]}),
        lambda: there.post("/matches", new_match_body("Anna", "Anna K.")),
    )
    ok(merged)
    if begun.status_code == 201:
        seated = {player["player_id"] for player in ok(here.get(f"/matches/{begun.json['id']}"))["players"]}
        assert len(seated) == 2


def test_two_who_are_merged_into_each_other_at_once_are_one_of_them(
    workers: tuple[Flask, Flask], dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = (Service(worker) for worker in workers)
    one, other = (
        ok(here.post("/matches", new_match_body(name, "Zoë")), 201)["players"][0]["player_id"]
        for name in ("Anna", "Anna K.")
    )
    gate, merge = Gate(), players.merge

    def merge_and_wait(*arguments: Any) -> None:
        merge(*arguments)
        gate.hold()

    monkeypatch.setattr(players, "merge", merge_and_wait)
    first, second = one_after_another(
        gate,
        dsn,
        lambda: here.post(f"/players/{one}/merge", {"into": other}),
        lambda: there.post(f"/players/{other}/merge", {"into": one}),
    )
    assert ok(first)["id"] == other
    problem(second, 409, "already-so")
    assert [player["name"] for player in here.all_items("/players")] == ["Anna K.", "Zoë"]


def test_details_changed_at_once_are_all_kept(workers: tuple[Flask, Flask], match: Match) -> None:
    patches: list[Any] = [{"venue": f"table {number}"} for number in range(4)]
    patches += [{"tags": [f"round {number}"]} for number in range(4)]
    found = together(
        [
            partial(writer.service.patch, writer.path, body)
            for writer, body in zip(spread(workers, match), patches, strict=True)
        ]
    )
    for response in found:
        ok(response)
    kept = ok(match.get("/details"))["items"]
    assert [details["revision"] for details in kept] == list(range(9))
    last = match.document()
    assert (last["venue"], last["tags"], last["version"]) == (kept[-1]["venue"], kept[-1]["tags"], 1)
    changes = [
        ({"venue": after["venue"]} if before["venue"] != after["venue"] else {"tags": after["tags"]})
        for before, after in pairwise(kept)
    ]
    assert sorted(changes, key=str) == sorted(patches, key=str)


def test_moves_details_and_annotations_written_at_once_do_not_hurt_each_other(
    workers: tuple[Flask, Flask], match: Match
) -> None:
    moves = finished_match()[:24]

    def record_all(writer: Match) -> None:
        for made in moves:
            ok(writer.post("/moves", made), 201)

    def change_details(writer: Match) -> None:
        for number in range(12):
            ok(writer.service.patch(writer.path, {"venue": f"table {number}"}))

    def annotate(writer: Match) -> None:
        for number in range(12):
            noted = writer.annotate(0, text=f"note {number}")
            assert (noted["ply"], noted["detached"]) == (0, False)

    here, there, beside, again = spread(workers, match, 4)
    together(
        [partial(record_all, here), partial(change_details, there), partial(annotate, beside), partial(annotate, again)]
    )
    assert match.moves() == list(moves)
    document = match.document()
    assert (document["version"], document["revision"], document["venue"]) == (25, 12, "table 11")
    assert len(ok(match.get("/annotations"))["items"]) == 24
    assert len(log_of(match)) == 25


def test_an_annotation_changed_at_once_keeps_every_wording(workers: tuple[Flask, Flask], match: Match) -> None:
    noted = match.annotate(0, text="first")
    contents: list[Any] = [{"text": f"wording {number}"} for number in range(4)]
    contents += [{"glyph": glyph} for glyph in ("!", "?", "!!", "??")]
    writers = spread(workers, match)
    found = together(
        [
            partial(writer.service.patch, f"/annotations/{noted['id']}", body)
            for writer, body in zip(writers, contents, strict=True)
        ]
    )
    for response in found:
        ok(response)
    kept = ok(match.service.get(f"/annotations/{noted['id']}/history"))["items"]
    assert [wording["revision"] for wording in kept] == list(range(9))
    assert {wording["text"] for wording in kept} == {"first", *(f"wording {number}" for number in range(4))}
    assert {wording["glyph"] for wording in kept} == {None, "!", "?", "!!", "??"}
    last = ok(match.service.get(f"/annotations/{noted['id']}"))
    assert (last["text"], last["glyph"]) == (kept[-1]["text"], kept[-1]["glyph"])
