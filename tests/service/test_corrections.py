"""Undo, corrections, restoring, abandoning, and the log that keeps all of it."""

import json
from hashlib import sha256
from typing import Any

import psycopg
import pytest

from domain.catalogue import GAMES
from service.matches.outcomes import read_outcome
from tests.domain.games.cite_lumiere.positions import OTHERS, written
from tests.service.conftest import NewMatch
from tests.service.harness import (
    NDJSON,
    OPENING,
    SETUP,
    Match,
    Service,
    entries,
    entry,
    finished_match,
    lines,
    nothing_changes,
    ok,
    pointers,
    problem,
)

POSITION = {"version", "ply", "to_move", "status", "result", "state"}
OTHER_SETUP = {"first": "orange", "postcards": sorted(OTHERS)}
RULING = {"reason": "found out later"}


# Undo


def test_undo_goes_back_to_a_ply_and_the_log_keeps_the_moves(opened: Match) -> None:
    position = opened.undo(2)
    assert set(position) == POSITION
    assert (position["version"], position["ply"], position["to_move"]) == (8, 2, "orange")
    assert opened.moves() == entries(OPENING[:2])
    kinds = [event["kind"] for event in opened.events()]
    assert kinds == ["match_created", *["move_made"] * 6, "moves_undone"]
    assert opened.events()[-1]["payload"] == {"to_ply": 2}
    assert opened.record("orange take X5")["ply"] == 3


def test_undo_to_the_set_up_takes_back_all(opened: Match) -> None:
    assert opened.undo(0)["state"]["board"] == ["........"] * 8
    assert opened.document()["ply"] == 0


def test_undo_to_the_present_ply_changes_nothing(opened: Match) -> None:
    with nothing_changes(opened):
        problem(opened.post("/undo", {"to_ply": 6}), 422, "no-change")


@pytest.mark.unchanging
@pytest.mark.parametrize("to_ply", [7, -1, 2**60])
def test_undo_leads_to_a_ply_that_the_match_has(opened: Match, to_ply: int) -> None:
    with nothing_changes(opened):
        problem(opened.post("/undo", {"to_ply": to_ply}), 422, "out-of-range")


@pytest.mark.unchanging
@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/to_ply"),
        ({"to_ply": "2"}, "/to_ply"),
        ({"to_ply": 2.0}, "/to_ply"),
        ({"to_ply": True}, "/to_ply"),
        ({"to_ply": None}, "/to_ply"),
        ({"to_ply": 2, "why": "so"}, "/why"),
        ([], ""),
    ],
)
def test_the_form_of_an_undo_is_strict(opened: Match, body: Any, pointer: str) -> None:
    with nothing_changes(opened):
        assert pointers(problem(opened.post("/undo", body), 422, "malformed")) == [pointer]


def test_undo_takes_a_finished_match_on(match: Match) -> None:
    moves = finished_match()
    ok(match.post("/moves", {"moves": moves}), 201)
    position = match.undo(len(moves) - 1)
    assert (position["status"], position["result"]) == ("in_progress", None)
    assert position["to_move"] == moves[-1]["seat"]
    document = match.document()
    assert (document["status"], document["result"]) == ("in_progress", None)


# Corrections


def test_a_replacement_keeps_the_later_moves(opened: Match) -> None:
    response = opened.correct(3, "replace", move=written("take X5"))
    correction = ok(response, 201)
    assert set(correction) == {*POSITION, "verdicts", "dropped"}
    assert (correction["version"], correction["ply"], correction["dropped"]) == (8, 6, 0)
    assert correction["verdicts"] == [{"old_ply": ply, "ply": ply, "status": "ok"} for ply in (4, 5, 6)]
    assert correction["state"]["seats"]["orange"]["reserve"] == ["X5"]
    assert response.headers["ETag"] == '"8"'
    assert opened.moves() == entries([*OPENING[:2], "orange take X5", *OPENING[3:]])
    assert [frame["seq"] for frame in opened.frames()] == [1, 2, 3, 8, 5, 6, 7]


def test_an_insertion_puts_a_move_before_its_ply(opened: Match) -> None:
    correction = ok(opened.correct(1, "insert", seat="blue", move=written("take V3"), ruling=RULING), 201)
    assert (correction["ply"], correction["to_move"]) == (7, "orange")
    assert correction["verdicts"] == [{"old_ply": ply, "ply": ply + 1, "status": "ok"} for ply in range(1, 7)]
    assert opened.moves() == entries(["blue take V3", *OPENING])
    assert opened.frames()[1]["ruling"] == RULING


def test_an_insertion_behind_the_last_ply_appends(opened: Match) -> None:
    correction = ok(opened.correct(7, "insert", move=written("take X5")), 201)
    assert (correction["ply"], correction["verdicts"], correction["dropped"]) == (7, [], 0)
    assert opened.moves()[-1] == entry("orange take X5")


def test_a_removal_moves_the_later_plies_up(opened: Match) -> None:
    ok(opened.correct(1, "insert", seat="blue", move=written("take V3"), ruling=RULING), 201)
    correction = ok(opened.correct(1, "remove"), 201)
    assert correction["verdicts"] == [{"old_ply": ply, "ply": ply - 1, "status": "ok"} for ply in range(2, 8)]
    assert opened.moves() == entries(OPENING)
    assert all(frame["ruling"] is None for frame in opened.frames())


def test_a_replacement_is_by_the_seat_that_it_replaces_unless_told(opened: Match) -> None:
    ok(opened.correct(2, "replace", move=written("take X5")), 201)
    assert opened.moves()[1]["seat"] == "blue"
    refused = problem(opened.correct(2, "replace", seat="orange", move=written("take T5")), 422, "illegal-move")
    assert (refused["code"], refused["ply"], refused["seat"]) == ("not_your_turn", 2, "orange")


def test_a_misfit_is_refused_with_a_verdict_for_every_later_move(opened: Match) -> None:
    with nothing_changes(opened):
        conflict = problem(opened.correct(2, "replace", move=written("take U6")), 409, "correction-conflict")
    assert conflict["first_ply"] == 3
    assert [(v["old_ply"], v["ply"], v["status"]) for v in conflict["verdicts"]] == [
        (3, 3, "refused"),
        (4, 4, "not_reached"),
        (5, 5, "not_reached"),
        (6, 6, "not_reached"),
    ]
    refused, *others = conflict["verdicts"]
    assert all(set(verdict) == {"old_ply", "ply", "status"} for verdict in others)
    why = refused["problem"]
    assert (why["type"], why["code"], why["kind"], why["rule"]) == (
        "/problems/illegal-move",
        "not_in_supply",
        "physical",
        "4.2",
    )


def test_a_misfit_behind_moves_that_fit_names_its_first_ply(opened: Match) -> None:
    conflict = problem(opened.correct(3, "replace", move=written("take I3")), 409, "correction-conflict")
    assert conflict["first_ply"] == 6
    assert [verdict["status"] for verdict in conflict["verdicts"]] == ["ok", "ok", "refused"]


def test_a_removal_that_changes_the_turns_is_a_misfit(opened: Match) -> None:
    conflict = problem(opened.correct(1, "remove"), 409, "correction-conflict")
    assert (conflict["first_ply"], conflict["verdicts"][0]["ply"]) == (2, 1)
    assert conflict["verdicts"][0]["problem"]["code"] == "not_your_turn"


def test_truncating_cuts_from_the_first_misfit_on(opened: Match) -> None:
    correction = ok(opened.correct(2, "replace", move=written("take U6"), on_conflict="truncate"), 201)
    assert (correction["ply"], correction["dropped"], correction["to_move"]) == (2, 4, "orange")
    assert [verdict["status"] for verdict in correction["verdicts"]] == ["refused", *["not_reached"] * 3]
    assert opened.moves() == entries([OPENING[0], "blue take U6"])


def test_truncating_where_all_fits_cuts_nothing(opened: Match) -> None:
    correction = ok(opened.correct(3, "replace", move=written("take X5"), on_conflict="truncate"), 201)
    assert (correction["ply"], correction["dropped"]) == (6, 0)


@pytest.mark.parametrize(
    "body",
    [
        {"ply": 3, "action": "replace", "move": written("take X5")},
        {"ply": 2, "action": "replace", "move": written("take U6"), "on_conflict": "truncate"},
        {"ply": 1, "action": "insert", "seat": "blue", "move": written("take V3"), "ruling": RULING},
        {"ply": 6, "action": "remove"},
        {"ply": 0, "setup": OTHER_SETUP},
    ],
)
def test_a_dry_run_answers_as_the_correction_would_and_stores_nothing(opened: Match, body: dict[str, Any]) -> None:
    with nothing_changes(opened):
        tried = ok(opened.post("/corrections", {**body, "dry_run": True}))
    assert tried == ok(opened.post("/corrections", {**body, "dry_run": False}), 201)


def test_a_dry_run_meets_the_same_refusals(opened: Match) -> None:
    for status, slug, body in (
        (409, "correction-conflict", {"ply": 2, "action": "replace", "move": written("take U6")}),
        (422, "no-change", {"ply": 2, "action": "replace", "move": written("take L4")}),
        (422, "illegal-move", {"ply": 4, "action": "replace", "move": written("take L4")}),
    ):
        with nothing_changes(opened):
            tried = problem(opened.post("/corrections", {**body, "dry_run": True}), status, slug)
            assert tried == problem(opened.post("/corrections", body), status, slug)
    stale = {"ply": 6, "action": "remove", "dry_run": True}
    problem(opened.post("/corrections", stale, {"If-Match": '"6"'}), 412, "stale-version")


def test_a_dry_run_keeps_nothing_under_its_key(opened: Match) -> None:
    body = {"ply": 6, "action": "remove"}
    key = {"Idempotency-Key": "dry"}
    ok(opened.post("/corrections", {**body, "dry_run": True}, key))
    assert ok(opened.post("/corrections", body, key), 201)["ply"] == 5


def test_a_dry_run_refuses_a_malformed_key(opened: Match) -> None:
    body = {"ply": 6, "action": "remove", "dry_run": True}
    problem(opened.post("/corrections", body, {"Idempotency-Key": ""}), 400, "bad-request")


def test_the_same_move_again_changes_nothing(opened: Match) -> None:
    with nothing_changes(opened):
        problem(opened.correct(2, "replace", move=written("take L4")), 422, "no-change")


def test_an_illegal_correction_is_refused_like_an_illegal_move(opened: Match) -> None:
    with nothing_changes(opened):
        refused = problem(opened.correct(4, "replace", move=written("take L4")), 422, "illegal-move")
    assert (refused["code"], refused["kind"], refused["rule"]) == ("not_in_supply", "physical", "4.2")
    assert (refused["ply"], refused["seat"]) == (4, "blue")
    assert "index" not in refused


def test_a_ruling_stands_beside_a_correction(opened: Match, dsn: str) -> None:
    ok(opened.correct(6, "replace", move=written("pass"), ruling=RULING), 201)
    assert opened.frames()[6]["ruling"] == RULING
    assert RULING["reason"] not in opened.get("/events").text
    with nothing_changes(opened):
        problem(opened.correct(6, "replace", move=written("take X5"), ruling=RULING), 422, "ruling-not-needed")
        refused = problem(opened.correct(6, "replace", move=written("take L4"), ruling=RULING), 422, "illegal-move")
        assert refused["kind"] == "physical"


def test_a_ruled_move_still_fits_after_a_correction_before_it(opened: Match) -> None:
    ok(opened.correct(6, "replace", move=written("pass"), ruling=RULING), 201)
    correction = ok(opened.correct(3, "replace", move=written("take X5")), 201)
    assert [verdict["status"] for verdict in correction["verdicts"]] == ["ok", "ok", "ok"]
    assert opened.frames()[6]["ruling"] == RULING


@pytest.mark.unchanging
@pytest.mark.parametrize(
    ("ply", "action"),
    [(0, "replace"), (7, "replace"), (0, "insert"), (8, "insert"), (0, "remove"), (7, "remove"), (-1, "remove")],
)
def test_a_correction_is_of_a_ply_that_the_match_has(opened: Match, ply: int, action: str) -> None:
    members = {} if action == "remove" else {"move": written("take X5")}
    with nothing_changes(opened):
        problem(opened.correct(ply, action, **members), 422, "out-of-range")


@pytest.mark.unchanging
@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"action": "remove"}, "/ply"),
        ({"ply": "1", "action": "remove"}, "/ply"),
        ({"ply": 1.0, "action": "remove"}, "/ply"),
        ({"ply": 1}, "/action"),
        ({"ply": 1, "action": "swap", "move": written("pass")}, "/action"),
        ({"ply": 1, "action": "REMOVE"}, "/action"),
        ({"ply": 1, "action": "replace"}, "/move"),
        ({"ply": 1, "action": "remove", "move": written("pass")}, "/move"),
        ({"ply": 1, "action": "remove", "seat": "orange"}, "/seat"),
        ({"ply": 1, "action": "remove", "ruling": RULING}, "/ruling"),
        ({"ply": 1, "action": "replace", "move": written("pass"), "setup": SETUP}, "/setup"),
        ({"ply": 1, "setup": SETUP}, "/setup"),
        ({"ply": 0, "setup": SETUP, "move": written("pass")}, "/move"),
        ({"ply": 0, "setup": []}, "/setup"),
        ({"ply": 1, "action": "remove", "on_conflict": "cut"}, "/on_conflict"),
        ({"ply": 1, "action": "remove", "dry_run": "true"}, "/dry_run"),
        ({"ply": 1, "action": "remove", "dry_run": 1}, "/dry_run"),
        ({"ply": 1, "action": "remove", "dry_run": None}, "/dry_run"),
        ({"ply": 1, "action": "remove", "force": True}, "/force"),
    ],
)
def test_the_form_of_a_correction_is_strict(opened: Match, body: Any, pointer: str) -> None:
    with nothing_changes(opened):
        assert pointer in pointers(problem(opened.post("/corrections", body), 422, "malformed"))


def test_a_malformed_move_in_a_correction_is_malformed(opened: Match) -> None:
    with nothing_changes(opened):
        refused = problem(opened.correct(1, "replace", move={"type": "take"}), 422, "malformed-move")
        assert pointers(refused) == ["/move/building"]
        refused = problem(opened.correct(1, "insert", seat="green", move=written("pass")), 422, "malformed-move")
        assert pointers(refused) == ["/seat"]


def test_a_finished_match_can_be_corrected(match: Match) -> None:
    moves = finished_match()
    ok(match.post("/moves", {"moves": moves}), 201)
    correction = ok(match.correct(len(moves), "remove"), 201)
    assert (correction["status"], correction["ply"]) == ("in_progress", len(moves) - 1)
    corrected = ok(match.correct(len(moves), "insert", move=moves[-1]["move"]), 201)
    assert corrected["status"] == "finished"
    assert match.document()["result"] == corrected["result"]


# The set-up


def test_a_correction_of_the_set_up_keeps_the_moves(opened: Match) -> None:
    correction = ok(opened.post("/corrections", {"ply": 0, "setup": OTHER_SETUP}), 201)
    assert set(correction) == {*POSITION, "verdicts", "dropped"}
    assert correction["verdicts"] == [{"old_ply": ply, "ply": ply, "status": "ok"} for ply in range(1, 7)]
    assert [card["card"] for card in correction["state"]["postcards"]] == OTHER_SETUP["postcards"]
    assert opened.document()["setup"] == OTHER_SETUP
    assert opened.moves() == entries(OPENING)
    assert opened.events()[-1]["kind"] == "setup_corrected"


def test_a_set_up_with_which_the_moves_do_not_fit_is_a_misfit(opened: Match) -> None:
    body = {"ply": 0, "setup": {**SETUP, "first": "blue"}}
    with nothing_changes(opened):
        conflict = problem(opened.post("/corrections", body), 409, "correction-conflict")
        assert conflict["first_ply"] == 1
    correction = ok(opened.post("/corrections", {**body, "on_conflict": "truncate"}), 201)
    assert (correction["ply"], correction["dropped"], correction["to_move"]) == (0, 6, "blue")


def test_the_same_set_up_again_changes_nothing(opened: Match) -> None:
    with nothing_changes(opened):
        body = {"ply": 0, "setup": {**SETUP, "postcards": SETUP["postcards"][::-1]}}
        problem(opened.post("/corrections", body), 422, "no-change")


@pytest.mark.unchanging
@pytest.mark.parametrize(
    ("setup", "pointer"),
    [
        ({"first": "green"}, "/setup/first"),
        ({"postcards": [*SETUP["postcards"][:7], SETUP["postcards"][0]]}, "/setup/postcards/7"),
        ({"postcards": SETUP["postcards"][:7]}, "/setup/postcards"),
        ({"hour": 12}, "/setup/hour"),
    ],
)
def test_a_malformed_set_up_is_pointed_at(opened: Match, setup: Any, pointer: str) -> None:
    with nothing_changes(opened):
        body = {"ply": 0, "setup": {**SETUP, **setup}}
        assert pointers(problem(opened.post("/corrections", body), 422, "malformed")) == [pointer]


# Restoring


def test_restoring_redoes_what_was_undone(opened: Match) -> None:
    before = opened.frames()
    opened.undo(2)
    position = ok(opened.post("/restore", {"version": 7}), 201)
    assert set(position) == POSITION
    assert (position["version"], position["ply"]) == (9, 6)
    assert opened.frames() == before
    assert opened.events()[-1]["kind"] == "timeline_restored"


def test_restoring_takes_back_a_correction_and_brings_back_what_it_cut(opened: Match) -> None:
    ok(opened.correct(2, "replace", move=written("take U6"), on_conflict="truncate"), 201)
    opened.record("orange take X5")
    ok(opened.post("/restore", {"version": 7}), 201)
    assert opened.moves() == entries(OPENING)
    ok(opened.post("/restore", {"version": 9}), 201)
    assert opened.moves() == entries([OPENING[0], "blue take U6", "orange take X5"])


def test_restoring_brings_back_the_set_up_and_leaves_the_people(opened: Match) -> None:
    ok(opened.post("/corrections", {"ply": 0, "setup": OTHER_SETUP}), 201)
    people = [{"seat": "orange", "name": "Zoë"}, {"seat": "blue", "name": "Jan"}]
    ok(opened.service.put(f"{opened.path}/players", {"players": people}))
    ok(opened.post("/restore", {"version": 3}), 201)
    document = opened.document()
    assert document["setup"]["postcards"] == sorted(SETUP["postcards"])
    assert document["ply"] == 2
    assert [player["name"] for player in document["players"]] == ["Zoë", "Jan"]


def test_restoring_what_is_there_changes_nothing(opened: Match) -> None:
    with nothing_changes(opened):
        problem(opened.post("/restore", {"version": 7}), 422, "no-change")
    opened.undo(2)
    with nothing_changes(opened):
        problem(opened.post("/restore", {"version": 3}), 422, "no-change")


@pytest.mark.unchanging
@pytest.mark.parametrize("version", [0, 8, -1, 2**60])
def test_restoring_leads_to_a_version_that_the_match_had(opened: Match, version: int) -> None:
    with nothing_changes(opened):
        problem(opened.post("/restore", {"version": version}), 422, "out-of-range")


@pytest.mark.unchanging
@pytest.mark.parametrize("body", [{}, {"version": "1"}, {"version": 1.0}, {"version": True}, {"version": None}])
def test_the_form_of_restoring_is_strict(opened: Match, body: Any) -> None:
    with nothing_changes(opened):
        assert pointers(problem(opened.post("/restore", body), 422, "malformed")) == ["/version"]


# Abandoning


def test_an_abandoned_match_takes_no_moves_until_it_is_reopened(opened: Match) -> None:
    abandoned = ok(opened.post("/abandon"))
    assert (abandoned["status"], abandoned["version"], abandoned["ply"]) == ("abandoned", 8, 6)
    for path, body in (
        ("/moves", entry("orange take X5")),
        ("/undo", {"to_ply": 0}),
        ("/restore", {"version": 1}),
        ("/corrections", {"ply": 6, "action": "remove"}),
        ("/corrections", {"ply": 6, "action": "remove", "dry_run": True}),
        ("/corrections", {"ply": 0, "setup": OTHER_SETUP}),
        ("/abandon", None),
    ):
        with nothing_changes(opened):
            problem(opened.post(path, body), 409, "match-abandoned")
    reopened = ok(opened.post("/reopen"))
    assert (reopened["status"], reopened["version"], reopened["ply"]) == ("in_progress", 9, 6)
    assert opened.record("orange take X5")["ply"] == 7
    assert [event["kind"] for event in opened.events()][7:9] == ["match_abandoned", "match_reopened"]


def test_only_an_abandoned_match_is_reopened(opened: Match) -> None:
    with nothing_changes(opened):
        problem(opened.post("/reopen"), 409, "match-not-abandoned")


def test_a_finished_match_is_neither_abandoned_nor_reopened(match: Match) -> None:
    ok(match.post("/moves", {"moves": finished_match()}), 201)
    with nothing_changes(match):
        problem(match.post("/abandon"), 409, "match-finished")
        problem(match.post("/reopen"), 409, "match-not-abandoned")


# The log


def test_the_log_is_a_chain_of_hashes_that_anyone_can_check(opened: Match) -> None:
    ok(opened.correct(3, "replace", move=written("take X5")), 201)
    ok(opened.post("/moves", {**entry("orange pass"), "ruling": {"reason": "Zażółć"}}), 201)
    opened.undo(1)
    ok(opened.post("/restore", {"version": 9}), 201)
    ok(opened.post("/abandon"))
    before = None
    events = opened.events()
    for seq, event in enumerate(events, start=1):
        assert set(event) == {"seq", "kind", "payload", "actor", "recorded_at", "hash", "prev_hash"}
        assert (event["seq"], event["prev_hash"]) == (seq, before)
        hashed = {name: value for name, value in event.items() if name != "hash"} | {"match_id": opened.id}
        text = json.dumps(hashed, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert event["hash"] == sha256(text.encode()).hexdigest()
        assert len(event["recorded_at"]) == len("2026-11-14T19:30:00.000000Z")
        assert event["recorded_at"].endswith("Z")
        before = event["hash"]
    assert opened.document()["version"] == len(events) == 12


def test_the_first_event_holds_ids_and_the_digest_of_the_edition(match: Match, service: Service) -> None:
    (event,) = match.events()
    edition = ok(service.get("/games/cite-lumiere/editions/devir-2019"))
    document = match.document()
    assert event["kind"] == "match_created"
    assert event["payload"] == {
        "game": "cite-lumiere",
        "edition": "devir-2019",
        "edition_digest": edition["digest"],
        "rules_version": document["rules_version"],
        "players": [{"seat": p["seat"], "player_id": p["player_id"]} for p in document["players"]],
        "setup": document["setup"],
    }


def test_the_log_streams_one_event_a_line(opened: Match) -> None:
    opened.undo(2)
    assert lines(opened.get("/events", NDJSON)) == opened.events()


def test_a_whole_log_verifies(opened: Match) -> None:
    opened.undo(2)
    known: dict[str, Any] = {"valid": True, "events": 8, "first_broken": None, "detail": None, "findings": []}
    assert ok(opened.get("/verify")) == known


@pytest.mark.parametrize(
    ("statement", "first_broken"),
    [
        ("""UPDATE events SET payload = replace(payload, '"L4"', '"X5"') WHERE seq = 3""", 3),
        ("UPDATE events SET recorded_at = replace(recorded_at, '20', '19') WHERE seq = 1", 1),
        ("UPDATE events SET kind = 'match_abandoned' WHERE seq = 7", 7),
        ("UPDATE events SET actor = 'somebody' WHERE seq = 4", 4),
        ("DELETE FROM events WHERE seq = 5", 5),
        ("DELETE FROM events WHERE seq = 7", 7),
        ("DELETE FROM events", 1),
    ],
)
def test_a_log_that_was_tampered_with_does_not_verify(
    opened: Match, dsn: str, statement: str, first_broken: int
) -> None:
    with psycopg.connect(dsn) as connection:
        connection.execute("ALTER TABLE events DISABLE TRIGGER ALL")
        connection.execute(statement.encode())
    answer = ok(opened.get("/verify"))
    assert (answer["valid"], answer["first_broken"]) == (False, first_broken)
    assert answer["detail"]


def test_other_matches_stay_out_of_it(new_match: NewMatch) -> None:
    one, other = new_match(), new_match()
    with nothing_changes(other):
        one.record(*OPENING)
        one.undo(3)
        ok(one.correct(1, "replace", move=written("pave O2 a1 0")), 201)
        ok(one.post("/abandon"))


def test_little_is_kept_of_the_verdicts_of_a_correction_and_they_are_answered_again(opened: Match, dsn: str) -> None:
    replace = {"ply": 2, "action": "replace", "on_conflict": "truncate"}
    asked_for = (
        {**replace, "move": written("take V3")},
        {**replace, "move": written("take U6")},
        {**replace, "action": "remove"},
    )
    for number, correction in enumerate(asked_for):
        first = opened.post("/corrections", correction, {"Idempotency-Key": f"key {number}"})
        again = opened.post("/corrections", correction, {"Idempotency-Key": f"key {number}"})
        assert again.headers["Idempotent-Replayed"] == "true"
        assert ok(first, 201) == ok(again, 201)
        ok(opened.post("/restore", {"version": 7}), 201)
    with psycopg.connect(dsn) as connection:
        rows = connection.execute("SELECT answer FROM idempotency_keys").fetchall()
    kept = [json.loads(row[0]) for row in rows]
    assert {answer["judged"]["fitting"] for answer in kept} == {4, 0}
    assert [type(answer["judged"]["refused"]) for answer in kept] == [type(None), dict, dict]
    assert all("verdicts" not in answer for answer in kept)

    refused = [answer["judged"]["refused"] for answer in kept if answer["judged"]["refused"]]
    assert {"code": "not_in_supply", "values": {"building": "U6"}} in refused
    assert all(set(each) == {"code", "values"} for each in refused)


def test_verdicts_that_an_earlier_release_kept_are_answered_as_they_are() -> None:
    kept: Any = {"version": 8, "verdicts": [{"old_ply": 3, "ply": 3, "status": "ok"}], "dropped": 0}
    assert read_outcome(GAMES["cite-lumiere"], kept) == {"verdicts": kept["verdicts"], "dropped": 0}
    refused = {"old_ply": 3, "ply": 4, "status": "refused", "problem": {"type": "/problems/illegal-move"}}
    judged = {"old_ply": 2, "ply": 3, "fitting": 1, "refused": refused, "not_reached": 1}
    first, last = {"old_ply": 2, "ply": 3, "status": "ok"}, {"old_ply": 4, "ply": 5, "status": "not_reached"}
    assert read_outcome(GAMES["cite-lumiere"], {"judged": judged, "dropped": 2}) == {
        "verdicts": [first, refused, last],
        "dropped": 2,
    }


def test_a_refusal_of_a_former_reason_is_answered_without_its_values(opened: Match) -> None:
    refused = {"code": "of_old", "values": {"space": "a1"}}
    judged = {"old_ply": 2, "ply": 2, "fitting": 0, "refused": refused, "not_reached": 0}
    with opened.service.client.application.app_context():
        (verdict,) = read_outcome(GAMES["cite-lumiere"], {"judged": judged, "dropped": 1})["verdicts"]
    assert (verdict["problem"]["code"], verdict["problem"]["detail"]) == ("of_old", "The rules refuse this move.")
