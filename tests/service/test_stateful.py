"""The service and the domain alone, told the same things at random, agree after every one of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test
from werkzeug.test import TestResponse

from domain.game import JsonObject
from domain.match import (
    Action,
    Change,
    Correction,
    CorrectionConflict,
    Draft,
    Entry,
    Frame,
    HistoryError,
    MatchAbandoned,
    MatchFinished,
    MatchNotAbandoned,
    MoveRefused,
    NoChange,
    OnConflict,
    OutOfRange,
    Player,
    RulingNotNeeded,
    Timeline,
    Verdict,
    abandon,
    assign_players,
    correct_setup,
    create,
    dump_setup,
    reason_digest,
    record,
    reopen,
    restore,
    undo,
    what_if,
)
from tests.domain.logs import correct
from tests.service.harness import Match, Service, ok, problem
from tests.service.workers import EDITION, GAME, log_of, two_workers

CARDS = sorted(GAME.schemas["setup"]["properties"]["postcards"]["items"]["enum"])
NAMES = ("Ana", "Jan", "Eva")
MAX_MATCHES = 3
SMALL_CACHE = 60_000
"""Bytes that hold a few dozen events, so that timelines are also read again."""

PROBLEMS: Mapping[type[HistoryError], tuple[int, str]] = {
    CorrectionConflict: (409, "correction-conflict"),
    MatchAbandoned: (409, "match-abandoned"),
    MatchFinished: (409, "match-finished"),
    MatchNotAbandoned: (409, "match-not-abandoned"),
    MoveRefused: (422, "illegal-move"),
    NoChange: (422, "no-change"),
    OutOfRange: (422, "out-of-range"),
    RulingNotNeeded: (422, "ruling-not-needed"),
}


@dataclass(frozen=True)
class How:
    """The way of a request: by which worker, for which version, and if once more with its key."""

    worker: int
    guard: str | None
    keyed: bool

    def headers(self, version: int, revision: int = 0) -> dict[str, str]:
        headers = {"Idempotency-Key": str(uuid4())} if self.keyed else {}
        if self.guard is not None:
            named = version if self.guard == "present" else version - 1
            headers["If-Match"] = f'"{named}.{revision}"' if revision else f'"{named}"'
        return headers


@dataclass
class Note:
    """The expected annotation."""

    id: str
    seq: int
    content: dict[str, Any]
    revision: int = 0

    def frame(self, timeline: Timeline) -> Frame | None:
        return next((frame for frame in timeline.frames() if self.seq in {frame.seq, *frame.replaced}), None)


@dataclass
class Known:
    """The expected match: the timeline that the domain's acts answered with, and what stands beside the log."""

    id: str
    timeline: Timeline
    drafts: list[Draft]
    details: dict[str, Any]
    revision: int = 0
    reasons: dict[str, str] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)

    @property
    def tag(self) -> str:
        revision = f".{self.revision}" if self.revision else ""
        return f'"{self.timeline.version}{revision}"'

    @property
    def path(self) -> str:
        return f"/matches/{self.id}"

    def take(self, change: Change) -> None:
        self.timeline = change.timeline
        self.drafts += change.drafts


ways = st.builds(
    How,
    worker=st.sampled_from([0, 1]),
    guard=st.sampled_from([None, None, None, "present", "present", "stale"]),
    keyed=st.booleans(),
)
setups = st.builds(
    lambda first, cards: {"first": first, "postcards": cards[:8]},
    st.sampled_from(GAME.seats),
    st.permutations(CARDS),
)
slips = st.sampled_from(
    [(False, None), (False, None), (True, "a slip at the table"), (True, None), (False, "not needed")]
)
"""If a move is that of the other seat, and why it stands nevertheless."""
numbers = st.integers(0, 2**16)
policies = st.sampled_from(OnConflict)
chances = st.integers(0, 2**32).map(Random)


class Comparison(RuleBasedStateMachine):
    """Everything that can be done to matches, done to the service and to the domain."""

    def __init__(self, workers: tuple[Flask, Flask]) -> None:
        super().__init__()
        self.services = [Service(worker) for worker in workers]
        self.matches: list[Known] = []
        self.people: dict[str, str] = {}
        self.present: Known

    def teardown(self) -> None:
        for known in self.matches:
            self.require_same(known)

    # What is done

    @initialize(how=ways, setup=setups)
    def begin_first(self, how: How, setup: JsonObject) -> None:
        self.begin(how, setup, 0)

    @precondition(lambda self: len(self.matches) < MAX_MATCHES)
    @rule(how=ways, setup=setups, number=numbers)
    def begin_another(self, how: How, setup: JsonObject, number: int) -> None:
        self.begin(how, setup, number)

    def begin(self, how: How, setup: JsonObject, number: int) -> None:
        names = [NAMES[(number + index) % 3] for index in range(2)]
        details = {"venue": "club night", "tags": ["league"]}
        players = [{"seat": seat, "name": name} for seat, name in zip(GAME.seats, names, strict=True)]
        body = {"game": GAME.id, "players": players, "setup": setup, **details}
        made = ok(self.services[how.worker].post("/matches", body, how.headers(0)), 201)
        people = [Player(player["seat"], player["player_id"]) for player in made["players"]]
        for name, (_, player_id) in zip(names, people, strict=True):
            assert self.people.setdefault(name, player_id) == player_id
        change = create(GAME, EDITION, people, GAME.setup.parse(setup))
        self.present = Known(made["id"], change.timeline, list(change.drafts), details)
        self.matches.append(self.present)
        self.require_same(self.present)

    @precondition(lambda self: len(self.matches) > 1)
    @rule(number=numbers)
    def turn_to_another(self, number: int) -> None:
        self.present = self.matches[number % len(self.matches)]

    @rule(how=ways, number=numbers, slip=slips)
    def record_one(self, how: How, number: int, slip: tuple[bool, str | None]) -> None:
        entry = self.drawn(self.present.timeline.head.state, number, slip)
        self.act(how, "/moves", sent(entry, slip[1]), lambda timeline: record(timeline, [entry]))

    @rule(how=ways, chance=chances, size=st.integers(1, 40), spoilt=st.sampled_from([False, False, True]))
    def record_several(self, how: How, chance: Random, size: int, spoilt: bool) -> None:
        entries = list(drawn_line(self.present.timeline.head.state, chance, size)) or [passing("orange")]
        if spoilt:
            entries.insert(chance.randint(0, len(entries)), chance.choice(entries))
        body = {"moves": [sent(entry) for entry in entries]}
        self.act(how, "/moves", body, lambda timeline: record(timeline, entries))

    @rule(how=ways, number=numbers)
    def take_back(self, how: How, number: int) -> None:
        to_ply = number % (self.present.timeline.ply + 2)
        self.act(how, "/undo", {"to_ply": to_ply}, lambda timeline: undo(timeline, to_ply))

    @rule(how=ways, number=numbers)
    def bring_back(self, how: How, number: int) -> None:
        version = number % (self.present.timeline.version + 2)
        self.act(how, "/restore", {"version": version}, lambda timeline: restore(timeline, version))

    @rule(
        how=ways,
        action=st.sampled_from(Action),
        places=st.tuples(numbers, numbers),
        named_seat=st.booleans(),
        slip=slips,
        policy=policies,
        dry_run=st.booleans(),
    )
    def correct_one(
        self,
        how: How,
        action: Action,
        places: tuple[int, int],
        named_seat: bool,
        slip: tuple[bool, str | None],
        policy: OnConflict,
        dry_run: bool,
    ) -> None:
        timeline = self.present.timeline
        ply = places[0] % (timeline.ply + 3)
        body: JsonObject = {"ply": ply, "action": str(action), "on_conflict": str(policy), "dry_run": dry_run}
        entry = None
        if action is not Action.REMOVE:
            before = timeline.frame(max(0, min(ply, timeline.ply + 1) - 1)).state
            entry = self.drawn(before, places[1], slip)
            body |= sent(entry, slip[1])
            if not named_seat:
                del body["seat"]
                entry = Entry(None, entry.move, entry.ruling)
        self.amend(how, body, lambda timeline: correct(timeline, ply, action, entry, policy))

    @rule(how=ways, setup=setups, policy=policies, dry_run=st.booleans(), same=st.booleans())
    def correct_the_setup(self, how: How, setup: JsonObject, policy: OnConflict, dry_run: bool, same: bool) -> None:
        old = dump_setup(GAME, self.present.timeline.setup)
        new = {**old, "postcards": setup["postcards"]} if same else setup
        body = {"ply": 0, "setup": new, "on_conflict": str(policy), "dry_run": dry_run}
        self.amend(how, body, lambda timeline: correct_setup(timeline, GAME.setup.parse(new), policy))

    @rule(how=ways)
    def abandon_it(self, how: How) -> None:
        self.act(how, "/abandon", None, abandon)

    @rule(how=ways)
    def reopen_it(self, how: How) -> None:
        self.act(how, "/reopen", None, reopen)

    @rule(how=ways, number=numbers)
    def assign(self, how: How, number: int) -> None:
        ids = sorted(self.people.values())
        seated = [Player(seat, ids[(number + index) % len(ids)]) for index, seat in enumerate(GAME.seats)]
        body = {"players": [{"seat": seat, "player_id": player_id} for seat, player_id in seated]}
        self.act(how, "/players", body, lambda timeline: assign_players(timeline, seated))

    @rule(
        how=ways,
        changes=st.fixed_dictionaries(
            {},
            optional={"venue": st.none() | st.sampled_from(["at home", "library"]), "tags": st.just(["final"])},
        ),
    )
    def change_details(self, how: How, changes: dict[str, Any]) -> None:
        known = self.present
        headers = how.headers(known.timeline.version, known.revision)
        response = self.services[how.worker].patch(known.path, changes, headers)
        if how.guard == "stale":
            problem(response, 412, "stale-version")
        else:
            ok(response)
            after = {**known.details, **changes}
            known.revision += after != known.details
            known.details = after
        self.require_same(known)

    @rule(how=ways, number=numbers, chance=chances, length=st.integers(0, 4), spoilt=st.booleans())
    def annotate(self, how: How, number: int, chance: Random, length: int, spoilt: bool) -> None:
        known = self.present
        ply = number % (known.timeline.ply + 2)
        state = known.timeline.frame(min(ply, known.timeline.ply)).state
        line = list(drawn_line(state, chance, length))
        line += [line[0]] if spoilt and line else []
        content = {"text": "a note", "glyph": "!?", "marks": [], "line": [sent(entry) for entry in line]}
        path = f"{known.path}/annotations"
        response = self.services[how.worker].post(path, {"ply": ply, **content}, how.headers(0) if how.keyed else None)
        try:
            what_if(known.timeline, ply, line)
        except HistoryError as error:
            require_problem(response, error, in_batch=True)
        else:
            made = ok(response, 201)
            known.notes.append(Note(made["id"], known.timeline.frame(ply).seq or 1, content))
        self.require_same(known)

    @precondition(lambda self: bool(self.present.notes))
    @rule(worker=st.sampled_from([0, 1]), number=numbers, deleted=st.booleans())
    def change_note(self, worker: int, number: int, deleted: bool) -> None:
        note = self.present.notes[number % len(self.present.notes)]
        if deleted:
            assert self.services[worker].delete(f"/annotations/{note.id}").status_code == 204
            self.present.notes.remove(note)
        else:
            changes = {"text": f"note {number % 3}"}
            ok(self.services[worker].patch(f"/annotations/{note.id}", changes))
            note.revision += note.content["text"] != changes["text"]
            note.content |= changes
        self.require_same(self.present)

    def drawn(self, state: Any, number: int, slip: tuple[bool, str | None]) -> Entry:
        """A legal move by its number, perhaps of the other seat, perhaps with a ruling that it needs or not."""
        other_seat, reason = slip
        moves = list(GAME.rules.legal_moves(state))
        seat = state.to_move or GAME.seats[0]
        move = moves[number % len(moves)] if moves else passing(seat).move
        if other_seat:
            seat = next(other for other in GAME.seats if other != seat)
        if reason is None:
            return Entry(seat, move)
        digest = reason_digest("", reason)
        self.present.reasons[digest] = reason
        return Entry(seat, move, digest)

    # What it comes to

    def act(self, how: How, path: str, body: Any, judge: Callable[[Timeline], Change]) -> None:
        """Send something to the present match, tell the domain, and compare."""
        known = self.present
        before, headers = known.timeline, how.headers(known.timeline.version)
        response = self.send(how, path, body, headers)
        change: Change | None = None
        if how.guard == "stale":
            stale = problem(response, 412, "stale-version")
            assert (stale["version"], response.headers["ETag"]) == (before.version, known.tag)
        else:
            try:
                change = judge(before)
            except HistoryError as error:
                require_problem(response, error, in_batch=bool(body) and "moves" in body)
            else:
                self.require_answer(response, path, change)
        if change is not None and not (body and body.get("dry_run")):
            known.take(change)
        if how.keyed and path != "/players":
            self.require_same_again(how, path, body, headers, response)
        self.require_same(known)

    def amend(self, how: How, body: JsonObject, judge: Callable[[Timeline], Correction]) -> None:
        self.act(how, "/corrections", body, judge)

    def send(self, how: How, path: str, body: Any, headers: Mapping[str, str]) -> TestResponse:
        method = "PUT" if path == "/players" else "POST"
        return self.services[how.worker].send(method, self.present.path + path, body, headers)

    def require_answer(self, response: TestResponse, path: str, change: Change) -> None:
        timeline = change.timeline
        if path in {"/abandon", "/reopen", "/players"}:
            answer = ok(response)
            assert (answer["version"], answer["status"]) == (timeline.version, timeline.status)
            return
        dry = response.status_code == 200
        answer = ok(response, 200 if dry else 201)
        expected = position(timeline)
        if isinstance(change, Correction):
            expected |= {"dropped": change.dropped, "verdicts": verdicts(change.verdicts)}
            answer["verdicts"] = bare(answer["verdicts"])
        assert answer == expected

    def require_same_again(
        self, how: How, path: str, body: Any, headers: Mapping[str, str], first: TestResponse
    ) -> None:
        """The same request once more, at the other worker: the first answer again, or judged anew if there was none."""
        if first.status_code >= 300 or (body and body.get("dry_run")):
            return
        again = self.send(How(1 - how.worker, how.guard, how.keyed), path, body, headers)
        assert again.headers["Idempotent-Replayed"] == "true"
        assert (again.status_code, again.get_json()) == (first.status_code, first.get_json())

    def require_same(self, known: Known) -> None:
        """Assert that the service tells of a match what the domain does, whichever worker is asked."""
        one, other = (Match(service, known.id) for service in self.services)
        timeline = known.timeline
        response = one.get()
        document = ok(response)
        assert response.headers["ETag"] == known.tag
        found = {name: document[name] for name in ("version", "ply", "to_move", "status", "result")}
        assert found == {name: value for name, value in position(timeline).items() if name != "state"}
        assert document["setup"] == dump_setup(GAME, timeline.setup)
        assert [(player["seat"], player["player_id"]) for player in document["players"]] == list(timeline.players)
        assert {name: document[name] for name in known.details} == {
            **known.details,
            "tags": known.details["tags"] or [],
        }
        legal = (
            [] if timeline.abandoned else [GAME.move.dump(move) for move in GAME.rules.legal_moves(timeline.head.state)]
        )
        to_move = None if timeline.abandoned else timeline.to_move
        assert ok(other.get("/legal-moves")) == {"ply": timeline.ply, "to_move": to_move, "moves": legal}
        self.require_same_frames(known, other)
        assert ok(other.get("/state"))["state"] == GAME.view.dump(timeline.head.state)
        verified = ok(one.get("/verify"))
        assert (verified["valid"], verified["events"]) == (True, timeline.version)
        assert [without_reason(event.kind, event.payload) for event in log_of(other)] == [
            without_reason(draft.kind, draft.payload) for draft in known.drafts
        ]

    def require_same_frames(self, known: Known, match: Match) -> None:
        by_ply: dict[int | None, list[str]] = {}
        listed = ok(match.get("/annotations"))["items"]
        assert sorted(note["id"] for note in listed) == sorted(note.id for note in known.notes)
        found = {note["id"]: note for note in listed}
        for note in known.notes:
            frame = note.frame(known.timeline)
            document = found[note.id]
            assert {name: document[name] for name in note.content} == note.content
            assert document["revision"] == note.revision
            assert document["ply"] == (None if frame is None else frame.ply)
            assert document["detached"] is (frame is None)
            assert document["outdated"] is (frame is not None and frame.seq != note.seq)
            assert (document["line_problem"] is None) is line_holds(known.timeline, frame, note)
            by_ply.setdefault(document["ply"], []).append(note.id)
        frames = match.frames()
        recorded = {event["seq"]: event["recorded_at"] for event in match.events()}
        for frame in frames:
            assert [note["id"] for note in frame.pop("annotations")] == by_ply.get(frame["ply"], [])
            assert frame.pop("text")
            assert frame.pop("recorded_at") == recorded[frame["seq"]]
        assert frames == [frame_document(frame, known.reasons) for frame in known.timeline.frames()]
        version = (known.timeline.version + 1) // 2
        earlier = match.frames(f"?version={version}&fields=seq,state")
        expected = known.timeline.at(version).frames()
        assert earlier == [{"seq": frame.seq, "state": GAME.view.dump(frame.state)} for frame in expected]


def passing(seat: str) -> Entry:
    return Entry(seat, GAME.move.parse({"type": "pass"}))


def drawn_line(state: Any, chance: Random, length: int) -> Iterator[Entry]:
    """So many legal moves, or fewer if the match ends."""
    for _ in range(length):
        seat = state.to_move
        if seat is None:
            return
        move = chance.choice(list(GAME.rules.legal_moves(state)))
        yield Entry(seat, move)
        state = GAME.rules.apply(state, seat, move)


def sent(entry: Entry, reason: str | None = None) -> JsonObject:
    """An entry as it is posted."""
    ruling = {} if reason is None else {"ruling": {"reason": reason}}
    return {"seat": entry.seat, "move": GAME.move.dump(entry.move), **ruling}


def position(timeline: Timeline) -> dict[str, Any]:
    """Where a match stands, in the words of the wire."""
    state = GAME.view.dump(timeline.head.state)
    return {
        "version": timeline.version,
        "ply": timeline.ply,
        "to_move": timeline.to_move,
        "status": str(timeline.status),
        "result": state["result"],
        "state": state,
    }


def frame_document(frame: Frame, reasons: Mapping[str, str]) -> dict[str, Any]:
    """A frame in the words of the wire, without its sentence and its annotations."""
    return {
        "ply": frame.ply,
        "seq": frame.seq,
        "seat": frame.seat,
        "move": None if frame.move is None else GAME.move.dump(frame.move),
        "ruling": None if frame.ruling is None else {"reason": reasons[frame.ruling]},
        "state": GAME.view.dump(frame.state),
    }


def verdicts(found: Sequence[Verdict]) -> list[dict[str, Any]]:
    """Verdicts in the words of the wire, of their problems only the code."""
    return [
        {
            "old_ply": verdict.old_ply,
            "ply": verdict.ply,
            "status": str(verdict.status),
            **({} if verdict.refusal is None else {"problem": verdict.refusal.code}),
        }
        for verdict in found
    ]


def bare(documents: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Verdicts of an answer, of their problems only the code."""
    return [
        {**document, "problem": document["problem"]["code"]} if "problem" in document else document
        for document in documents
    ]


def without_reason(kind: str, payload: JsonObject) -> tuple[str, JsonObject]:
    """An event, of its ruling only whether there is one: each reason has a salt of its own."""
    if "ruling" not in payload:
        return str(kind), payload
    return str(kind), {**payload, "ruling": payload["ruling"] is not None}


def line_holds(timeline: Timeline, frame: Frame | None, note: Note) -> bool:
    """Tell if the line of an annotation holds where its move stands now, if it stands anywhere."""
    if frame is None:
        return True
    try:
        what_if(
            timeline, frame.ply, [Entry(made["seat"], GAME.move.parse(made["move"])) for made in note.content["line"]]
        )
    except HistoryError:
        return False
    return True


def require_problem(response: TestResponse, error: HistoryError, *, in_batch: bool) -> None:
    """Assert that the service refuses what the domain refuses, and for the same reason."""
    document = problem(response, *PROBLEMS[type(error)])
    if isinstance(error, MoveRefused):
        assert (document["code"], document["kind"]) == (error.refusal.code, str(error.refusal.kind))
        assert document["rule"] == error.refusal.rule
    if isinstance(error, MoveRefused | RulingNotNeeded):
        assert (document["ply"], document["seat"]) == (error.ply, error.seat)
        assert document.get("index") == (error.index if in_batch else None)
    if isinstance(error, CorrectionConflict):
        assert document["first_ply"] == error.first_ply
        assert bare(document["verdicts"]) == verdicts(error.verdicts)


@pytest.fixture
def workers(dsn: str) -> Iterator[tuple[Flask, Flask]]:
    with two_workers(dsn, SMALL_CACHE) as workers:
        yield workers


def compare(workers: tuple[Flask, Flask], examples: int, steps: int) -> int:
    """Compare after so many steps of so many examples; tell how often that was."""
    compared = 0
    dose = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )

    class ComparisonHere(Comparison):
        def __init__(self) -> None:
            super().__init__(workers)

        def require_same(self, known: Known) -> None:
            nonlocal compared
            super().require_same(known)
            compared += 1

    run_state_machine_as_test(ComparisonHere, settings=dose)
    return compared


COMPARED = "matches compared with the domain, chains of hashes included"


@pytest.mark.slow
def test_the_service_and_the_domain_agree_after_every_act(
    workers: tuple[Flask, Flask], record_property: Callable[[str, object], None]
) -> None:
    record_property(COMPARED, compare(workers, examples=6, steps=25))


@pytest.mark.soak
def test_the_service_and_the_domain_agree_after_many_acts(
    workers: tuple[Flask, Flask], record_property: Callable[[str, object], None]
) -> None:
    record_property(COMPARED, compare(workers, examples=100, steps=50))
