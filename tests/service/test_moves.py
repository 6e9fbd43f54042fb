"""Recording, checking and listing moves: what is stored, what is refused and how, and table rulings."""

from typing import Any

import orjson
import psycopg
import pytest
from psycopg.rows import dict_row

from domain.match import reason_digest
from tests.service.harness import (
    OPENING,
    TO_BUILDING,
    UNKNOWN_ID,
    Match,
    Service,
    entries,
    entry,
    finished_match,
    nothing_changes,
    ok,
    pointers,
    problem,
)

POSITION = {"version", "ply", "to_move", "status", "result", "state"}
PLACED = {"type", "title", "status", "detail", "code", "kind", "rule", "ply", "seat"}
PASSES = [{**entry(f"{seat} pass"), "ruling": {"reason": "tired"}} for seat in ("orange", "blue")] * 100
"""As many moves as a batch may have, each against the rules."""


# Recording


def test_a_recorded_move_answers_with_the_state_after_it(match: Match) -> None:
    response = match.post("/moves", entry("orange pave O1 a1 90"))
    position = ok(response, 201)
    assert set(position) == POSITION
    assert (position["version"], position["ply"], position["to_move"]) == (2, 1, "blue")
    assert (position["status"], position["result"]) == ("in_progress", None)
    assert position["state"] == ok(match.get("/state"))["state"]
    assert position["state"]["board"] == ["xb......", "oo......", *["........"] * 6]
    assert response.headers["ETag"] == '"2"'
    assert match.moves() == [entry("orange pave O1 a1 90")]


def test_a_batch_answers_with_the_state_after_its_last_move(match: Match) -> None:
    position = match.record(*OPENING)
    assert (position["version"], position["ply"], position["to_move"]) == (7, 6, "orange")
    assert position["state"]["seats"]["blue"]["reserve"] == ["I3", "L4"]
    assert match.moves() == entries(OPENING)
    assert [event["kind"] for event in match.events()] == ["match_created", *["move_made"] * 6]


@pytest.mark.parametrize(
    ("query", "languages", "detail"),
    [
        ("", "pl", "Budynku L4 nie ma w puli."),
        ("", "cs-CZ,cs;q=0.9,en;q=0.8", "Budova L4 není v banku."),
        ("?lang=pt", "pl", "L4 não está na provisão geral."),
        ("", "fr", "L4 is not in the supply."),
    ],
)
def test_a_refusal_is_said_in_the_language_that_was_asked_for(
    match: Match, query: str, languages: str, detail: str
) -> None:
    match.record("orange take L4")
    again, headers = entry("blue take L4"), {"Accept-Language": languages}
    assert problem(match.post(f"/moves{query}", again, headers), 422, "illegal-move")["detail"] == detail
    checked = ok(match.post(f"/moves/check{query}", again, headers))
    assert checked["problem"]["detail"] == detail


def test_the_verdicts_of_a_correction_are_said_in_the_language_that_was_asked_for(match: Match) -> None:
    match.record("orange take L4", "blue take I3")
    correction = {"ply": 1, "action": "replace", **entry("orange take I3")}
    refused = problem(match.post("/corrections", correction, {"Accept-Language": "pl"}), 409, "correction-conflict")
    assert refused["verdicts"][0]["problem"]["detail"] == "Budynku I3 nie ma w puli."


def test_a_batch_of_one_is_a_batch(match: Match) -> None:
    assert match.record("orange take L4")["version"] == 2
    refused = problem(match.post("/moves", {"moves": entries(["orange take V3"])}), 422, "illegal-move")
    assert refused["index"] == 0


def test_the_head_frame_is_the_last_move(match: Match) -> None:
    match.record(*OPENING)
    frame = ok(match.get("/state"))
    assert set(frame) == {"ply", "seq", "recorded_at", "seat", "move", "ruling", "text", "state"}
    assert (frame["ply"], frame["seq"]) == (6, 7)
    assert {"seat": frame["seat"], "move": frame["move"]} == entry(OPENING[-1])


def test_legal_moves_come_with_the_answer_when_asked_for(match: Match) -> None:
    position = ok(match.post("/moves?include=legal_moves", entry("orange take L4")), 201)
    assert set(position) == {*POSITION, "legal_moves"}
    assert position["legal_moves"] == ok(match.get("/legal-moves"))["moves"]
    with nothing_changes(match):
        refused = problem(match.post("/moves?include=everything", entry("blue take V3")), 422, "malformed")
        assert pointers(refused) == ["/include"]


def test_points_of_legal_moves_come_in_words_of_the_request(match: Match) -> None:
    plain = ok(match.get("/legal-moves"))
    document = ok(match.get("/legal-moves?include=points&lang=cs"))
    assert {name: document[name] for name in plain} == plain
    gains = dict(zip(map(str, document["moves"]), document["points"], strict=True))
    lost = {"points": -3, "items": [{"category": "unbuilt", "points": -3, "text": "nepostavené \N{MINUS SIGN}3"}]}
    assert gains[str(entry("orange take L4")["move"])] == lost
    assert gains[str(document["moves"][0])] == {"points": 0, "items": []}
    match.record(*OPENING)
    assert ok(match.get("/legal-moves?ply=0&include=points&lang=cs"))["points"] == document["points"]
    ok(match.post("/abandon"))
    assert ok(match.get("/legal-moves?include=points"))["points"] == []
    assert pointers(problem(match.get("/legal-moves?include=legal_moves"), 422, "malformed")) == ["/include"]


def test_a_match_ends_with_its_last_move_and_takes_no_more(match: Match) -> None:
    moves = finished_match()
    position = ok(match.post("/moves", {"moves": moves}), 201)
    assert (position["ply"], position["status"], position["to_move"]) == (len(moves), "finished", None)
    result = position["result"]
    assert result == position["state"]["result"]
    assert set(result) == {"winners", "ranking", "decided_by"}
    assert {ranked["seat"] for ranked in result["ranking"]} == {"orange", "blue"}
    assert all(set(ranked) == {"seat", "place", "points"} for ranked in result["ranking"])
    totals = {seat: score["total"] for seat, score in position["state"]["score"].items()}
    assert {ranked["seat"]: ranked["points"] for ranked in result["ranking"]} == totals
    document = match.document()
    assert (document["status"], document["to_move"], document["result"]) == ("finished", None, result)
    assert ok(match.get("/legal-moves")) == {"ply": len(moves), "to_move": None, "moves": []}
    with nothing_changes(match):
        refused = problem(match.post("/moves", entry("orange pass")), 422, "illegal-move")
        assert (refused["code"], refused["kind"]) == ("match_over", "physical")


def test_spaces_come_back_by_column_then_row_whatever_their_order(match: Match) -> None:
    match.record(*TO_BUILDING)
    moves = ok(match.get("/legal-moves"))["moves"]
    build = next(move for move in moves if move["type"] == "build" and move["building"] == "I3")
    shuffled = {**build, "cells": build["cells"][::-1]}
    ok(match.post("/moves", {"seat": "orange", "move": shuffled}), 201)
    assert match.moves()[-1]["move"] == build
    assert match.events()[-1]["payload"]["move"] == build


# What the rules refuse


def test_an_illegal_move_says_what_it_breaks_and_leaves_the_log(match: Match) -> None:
    match.record(*OPENING)
    with nothing_changes(match):
        refused = problem(match.post("/moves", entry("orange take L4")), 422, "illegal-move")
    assert set(refused) == PLACED
    assert (refused["code"], refused["kind"], refused["rule"]) == ("not_in_supply", "physical", "4.2")
    assert (refused["ply"], refused["seat"]) == (7, "orange")


def test_a_batch_with_an_illegal_move_records_none_and_names_its_index(match: Match) -> None:
    with nothing_changes(match):
        body = {"moves": entries([*OPENING[:2], "orange pave O3 b2 0", *OPENING[3:]])}
        refused = problem(match.post("/moves", body), 422, "illegal-move")
    assert set(refused) == {*PLACED, "index"}
    assert (refused["code"], refused["index"], refused["ply"], refused["seat"]) == ("not_a_square", 2, 3, "orange")


@pytest.mark.unchanging
@pytest.mark.parametrize(
    ("line", "code", "kind"),
    [
        ("blue take V3", "not_your_turn", "rule"),
        ("orange pave O3 b2 0", "not_a_square", "physical"),
        ("orange pave O3 a1 0", "square_taken", "physical"),
        ("orange pave O1 g1 0", "tile_placed", "physical"),
        ("orange pave B2 g1 0", "tile_not_yours", "physical"),
        ("orange pass", "pass_with_tiles", "rule"),
        ("orange build U6 a1 a2 b1 c1 d1 d2", "wrong_phase", "physical"),
        ("orange moulin_rouge", "wrong_phase", "physical"),
    ],
)
def test_each_illegal_move_has_a_code_and_a_kind(opened: Match, line: str, code: str, kind: str) -> None:
    refused = problem(opened.post("/moves", entry(line)), 422, "illegal-move")
    assert (refused["code"], refused["kind"]) == (code, kind)


def test_a_known_card_that_is_not_in_play_is_illegal_and_not_malformed(match: Match) -> None:
    match.record(*TO_BUILDING)
    refused = problem(match.post("/moves", entry("orange moulin_rouge")), 422, "illegal-move")
    assert (refused["code"], refused["kind"]) == ("card_not_in_play", "physical")


# Strict forms

PAVE = {"type": "pave", "tile": "O1", "at": "a1", "rotation": 90}


@pytest.mark.unchanging
@pytest.mark.parametrize(
    ("move", "pointer"),
    [
        ({**PAVE, "rotation": "90"}, "/move/rotation"),
        ({**PAVE, "rotation": 90.0}, "/move/rotation"),
        ({**PAVE, "rotation": True}, "/move/rotation"),
        ({**PAVE, "rotation": 45}, "/move/rotation"),
        ({**PAVE, "rotation": None}, "/move/rotation"),
        ({**PAVE, "at": "z9"}, "/move/at"),
        ({**PAVE, "at": ["a1"]}, "/move/at"),
        ({**PAVE, "tile": "O9"}, "/move/tile"),
        ({**PAVE, "colour": "red"}, "/move/colour"),
        ({**PAVE, "a/b~c": 1}, "/move/a~1b~0c"),
        ({"type": "pave", "tile": "O1", "at": "a1"}, "/move/rotation"),
        ({"type": "jump"}, "/move/type"),
        ({"type": ["pass"]}, "/move/type"),
        ({}, "/move/type"),
        ({"type": "pass", "why": "tired"}, "/move/why"),
        ({"type": "take", "building": "Z4"}, "/move/building"),
        ({"type": "build", "building": "V3", "cells": []}, "/move/cells"),
        ({"type": "build", "building": "V3", "cells": "a1"}, "/move/cells"),
        ({"type": "build", "building": "V3", "cells": ["a1", "a2", "a1"]}, "/move/cells/2"),
        ({"type": "postcard", "card": "le_penseur", "cell": "b2"}, "/move/facing"),
        ({"type": "postcard", "card": "bouquinistes", "building": "U6"}, "/move/cell"),
        ({"type": "postcard", "card": "bouquinistes", "cell": "b2", "building": None}, "/move/building"),
        ({"type": "postcard", "card": "metropolitain", "cell": "b2"}, "/move/cell"),
        ({"type": "postcard", "card": "eiffel"}, "/move/card"),
    ],
)
def test_a_move_of_the_wrong_form_is_malformed_whatever_the_match(match: Match, move: Any, pointer: str) -> None:
    with nothing_changes(match):
        alone = problem(match.post("/moves", {"seat": "orange", "move": move}), 422, "malformed-move")
        body = {"moves": [entry("orange take L4"), {"seat": "blue", "move": move}]}
        batch = problem(match.post("/moves", body), 422, "malformed-move")
    assert pointer in pointers(alone)
    assert f"/moves/1{pointer}" in pointers(batch)


@pytest.mark.unchanging
@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"seat": "green"}, "/seat"),
        ({"seat": None}, "/seat"),
        ({"seat": 1}, "/seat"),
        ({"seat": ...}, "/seat"),
        ({"move": ...}, "/move"),
        ({"move": None}, "/move"),
        ({"move": "pass"}, "/move"),
        ({"move": [PAVE]}, "/move"),
        ({"comment": "nice"}, "/comment"),
        ({"ruling": None}, "/ruling"),
        ({"ruling": "because"}, "/ruling"),
        ({"ruling": {}}, "/ruling/reason"),
        ({"ruling": {"reason": ""}}, "/ruling/reason"),
        ({"ruling": {"reason": "  \n"}}, "/ruling/reason"),
        ({"ruling": {"reason": "x" * 4001}}, "/ruling/reason"),
        ({"ruling": {"reason": "so", "by": "Ana"}}, "/ruling/by"),
    ],
)
def test_what_stands_around_a_move_is_strict_too(match: Match, changes: dict[str, Any], pointer: str) -> None:
    body = {name: value for name, value in (entry("orange take L4") | changes).items() if value is not ...}
    with nothing_changes(match):
        alone = problem(match.post("/moves", body), 422, "malformed-move")
        batch = problem(match.post("/moves", {"moves": [entry("orange take L4"), body]}), 422, "malformed-move")
    assert pointer in pointers(alone)
    assert f"/moves/1{pointer}" in pointers(batch)


@pytest.mark.unchanging
@pytest.mark.parametrize(
    "body",
    [
        {},
        {"moves": []},
        {"moves": {}},
        {"moves": None},
        {"moves": [None]},
        {"moves": ["pass"]},
        {"moves": [entry("orange take L4")], "seat": "orange"},
        {"moves": [entry("orange take L4")], **entry("orange take L4")},
        {"moves": [entry("orange take L4")] * 201},
        [entry("orange take L4")],
        "pass",
        None,
    ],
)
def test_a_body_is_one_move_or_a_list_of_1_to_200(match: Match, body: Any) -> None:
    with nothing_changes(match):
        response = match.service.raw("POST", f"{match.path}/moves", orjson.dumps(body))
        assert problem(response, 422, "malformed-move")["errors"]


@pytest.mark.slow
def test_a_match_holds_2000_moves_and_not_one_more(match: Match) -> None:
    for _ in range(10):
        ok(match.post("/moves", {"moves": PASSES}), 201)
    one_more = {**entry("orange pass"), "ruling": {"reason": "tired"}}
    problem(match.post("/moves", one_more), 422, "match-too-long")
    checked = ok(match.post("/moves/check", one_more))
    assert (checked["legal"], checked["problem"]["type"]) == (False, "/problems/match-too-long")
    inserted = match.correct(1, "insert", move={"type": "pass"}, ruling={"reason": "tired"})
    problem(inserted, 422, "match-too-long")
    assert (match.document()["ply"], match.document()["version"]) == (2000, 2001)


# Table rulings


def test_a_ruling_records_a_move_that_only_breaks_a_rule(match: Match) -> None:
    body = {**entry("blue take L4"), "ruling": {"reason": "Jan was faster"}}
    position = ok(match.post("/moves", body), 201)
    assert (position["ply"], position["to_move"]) == (1, "orange")
    assert position["state"]["seats"]["blue"]["reserve"] == ["L4"]
    assert match.frames()[1]["ruling"] == {"reason": "Jan was faster"}
    assert ok(match.get("/state"))["ruling"] == {"reason": "Jan was faster"}


def test_the_reason_of_a_ruling_stands_outside_the_log(match: Match, dsn: str) -> None:
    reason = "Łódź rules: 今度だけ"
    ok(match.post("/moves", {**entry("blue take L4"), "ruling": {"reason": reason}}), 201)
    logged = match.events()[-1]["payload"]["ruling"]["reason"]
    with psycopg.connect(dsn, row_factory=dict_row) as connection:
        kept = connection.execute("SELECT * FROM ruling_reasons").fetchone()
    assert kept is not None
    assert (kept["seq"], kept["reason"]) == (2, reason)
    assert logged == reason_digest(kept["salt"], reason)
    assert "Łódź" not in match.get("/events").text


def test_the_same_reason_enters_the_log_in_two_forms(match: Match) -> None:
    ok(match.post("/moves", {"moves": PASSES[:2]}), 201)
    one, other = (event["payload"]["ruling"]["reason"] for event in match.events()[1:])
    assert one != other
    assert [frame["ruling"] for frame in match.frames()[1:]] == [{"reason": "tired"}] * 2


def test_a_ruling_does_not_make_the_impossible_possible(match: Match) -> None:
    match.record("orange take L4")
    with nothing_changes(match):
        body = {**entry("blue take L4"), "ruling": {"reason": "please"}}
        refused = problem(match.post("/moves", body), 422, "illegal-move")
    assert (refused["code"], refused["kind"]) == ("not_in_supply", "physical")


def test_a_ruling_beside_a_legal_move_is_not_needed(match: Match) -> None:
    with nothing_changes(match):
        body = {**entry("orange take L4"), "ruling": {"reason": "why not"}}
        alone = problem(match.post("/moves", body), 422, "ruling-not-needed")
        batch = problem(match.post("/moves", {"moves": [PASSES[0], entry("blue take L4"), body]}), 422, "illegal-move")
        assert (batch["index"], batch["ply"]) == (2, 3)
        batch = problem(match.post("/moves", {"moves": [PASSES[0], PASSES[1], body]}), 422, "ruling-not-needed")
    assert (alone["ply"], alone["seat"]) == (1, "orange")
    assert (batch["index"], batch["ply"]) == (2, 3)


def test_a_ruling_stays_marked_after_later_corrections(match: Match) -> None:
    ok(match.post("/moves", {"moves": [PASSES[0], *entries(["blue take L4", "orange take V3"])]}), 201)
    ok(match.correct(2, "replace", move={"type": "take", "building": "X5"}), 201)
    assert [frame["ruling"] for frame in match.frames()] == [None, {"reason": "tired"}, None, None]


# Checking


def test_a_check_says_whether_moves_would_be_recorded_and_stores_nothing(match: Match) -> None:
    with nothing_changes(match):
        checked = ok(match.post("/moves/check", {"moves": entries(OPENING)}))
        assert set(checked) == {"legal", "text", "state"}
        assert checked["legal"] is True
    assert checked["state"] == match.record(*OPENING)["state"]


def test_a_check_of_an_illegal_move_holds_the_problem_of_recording_it(match: Match) -> None:
    bodies: tuple[Any, ...] = (
        entry("blue take L4"),
        {"moves": entries(["orange take L4", "blue take L4"])},
        {**entry("orange take L4"), "ruling": {"reason": "so"}},
        {"seat": "orange", "move": {**PAVE, "rotation": "90"}},
        {"seat": "green", "move": PAVE},
        {"seat": "orange"},
        {"moves": []},
        {},
    )
    for body in bodies:
        with nothing_changes(match):
            checked = ok(match.post("/moves/check", body))
        assert checked == {"legal": False, "problem": match.post("/moves", body).get_json(force=True)}


def test_a_check_with_a_ruling_keeps_no_reason(match: Match, dsn: str) -> None:
    body = {**entry("blue take L4"), "ruling": {"reason": "so"}}
    assert ok(match.post("/moves/check", body))["legal"] is True
    with psycopg.connect(dsn) as connection:
        assert connection.execute("SELECT count(*) FROM ruling_reasons").fetchone() == (0,)


def test_a_check_never_looks_at_a_key(match: Match) -> None:
    key = {"Idempotency-Key": "once"}
    assert ok(match.post("/moves/check", entry("orange take L4"), key))["legal"] is True
    match.record("orange take L4")
    assert ok(match.post("/moves/check", entry("orange take L4"), key))["legal"] is False
    assert ok(match.post("/moves/check", entry("blue take V3"), key))["legal"] is True


def test_a_check_can_list_what_would_be_legal_then(match: Match) -> None:
    checked = ok(match.post("/moves/check?include=legal_moves", entry("orange take L4")))
    with_points = ok(match.post("/moves/check?include=points&lang=cs", entry("orange take L4")))
    match.record("orange take L4")
    assert checked["legal_moves"] == ok(match.get("/legal-moves"))["moves"]
    document = ok(match.get("/legal-moves?include=points&lang=cs"))
    assert (with_points["legal_moves"], with_points["points"]) == (document["moves"], document["points"])


def test_moves_are_tried_after_an_earlier_ply(match: Match) -> None:
    match.record(*OPENING)
    with nothing_changes(match):
        line = {"moves": entries(["blue take V3", "orange take I3"])}
        checked = ok(match.post("/moves/check?ply=1&include=legal_moves", line))
        assert (checked["text"], checked["state"]["ply"]) == ("Orange takes building I3 from the supply.", 3)
        assert checked["state"]["seats"]["blue"]["reserve"] == ["V3"]
        assert entry("blue take L4")["move"] in checked["legal_moves"]
        assert entry("blue take V3")["move"] not in checked["legal_moves"]
        refused = ok(match.post("/moves/check?ply=1", entry("orange take V3")))["problem"]
        assert (refused["code"], refused["ply"]) == ("not_your_turn", 2)
        ruled = {**entry("orange take V3"), "ruling": {"reason": "so it was"}}
        assert ok(match.post("/moves/check?ply=1", ruled))["state"]["seats"]["orange"]["reserve"] == ["V3"]


def test_legal_moves_of_an_earlier_ply_are_those_of_then(match: Match) -> None:
    then = ok(match.get("/legal-moves"))
    match.record(*OPENING)
    assert ok(match.get("/legal-moves?ply=0")) == then
    assert ok(match.get("/legal-moves?ply=6")) == ok(match.get("/legal-moves"))


@pytest.mark.unchanging
@pytest.mark.parametrize("ply", [7, 10**9 - 1])
def test_a_ply_that_the_match_does_not_have_is_refused(opened: Match, ply: int) -> None:
    problem(opened.get(f"/legal-moves?ply={ply}"), 422, "out-of-range")
    problem(opened.post(f"/moves/check?ply={ply}", entry("orange take V3")), 422, "out-of-range")


def test_a_check_on_an_abandoned_match_finds_it_abandoned(match: Match) -> None:
    ok(match.post("/abandon"))
    checked = ok(match.post("/moves/check", entry("orange take L4")))
    assert (checked["legal"], checked["problem"]["type"]) == (False, "/problems/match-abandoned")


# Legal moves


@pytest.mark.parametrize("ply", [0, 13, 24, 38])
def test_each_legal_move_is_accepted_if_posted(match: Match, ply: int) -> None:
    moves = finished_match()
    if ply:
        ok(match.post("/moves", {"moves": moves[:ply]}), 201)
    listed = ok(match.get("/legal-moves"))
    assert set(listed) == {"ply", "to_move", "moves"}
    assert (listed["ply"], listed["to_move"]) == (ply, moves[ply]["seat"])
    assert moves[ply]["move"] in listed["moves"]
    for move in listed["moves"][:: max(1, len(listed["moves"]) // 40)]:
        assert ok(match.post("/moves/check", {"seat": listed["to_move"], "move": move}))["legal"] is True
    ok(match.post("/moves", {"seat": listed["to_move"], "move": listed["moves"][-1]}), 201)
    assert match.moves()[-1]["move"] == listed["moves"][-1]


def test_an_abandoned_match_has_no_legal_moves(match: Match) -> None:
    ok(match.post("/abandon"))
    assert ok(match.get("/legal-moves")) == {"ply": 0, "to_move": None, "moves": []}


# Versions


def test_a_write_for_the_present_version_is_done(match: Match) -> None:
    ok(match.post("/moves", entry("orange take L4"), {"If-Match": '"1"'}), 201)
    ok(match.post("/moves", entry("blue take V3"), {"If-Match": "*"}), 201)
    assert ok(match.post("/undo", {"to_ply": 0}, {"If-Match": '"3"'}), 201)["version"] == 4


@pytest.mark.unchanging
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/moves", entry("orange pave O3 g1 0")),
        ("/undo", {"to_ply": 0}),
        ("/restore", {"version": 1}),
        ("/corrections", {"ply": 1, "action": "remove", "on_conflict": "truncate"}),
        ("/corrections", {"ply": 1, "action": "remove", "on_conflict": "truncate", "dry_run": True}),
        ("/abandon", None),
        ("/reopen", None),
    ],
)
def test_a_write_for_another_version_is_refused_with_the_present_one(opened: Match, path: str, body: Any) -> None:
    for stale in ('"6"', '"8"', '"6.7"'):
        with nothing_changes(opened):
            response = opened.post(path, body, {"If-Match": stale})
        assert problem(response, 412, "stale-version")["version"] == 7
        assert response.headers["ETag"] == '"7"'


def test_of_if_match_the_version_alone_is_compared(match: Match) -> None:
    ok(match.service.patch(match.path, {"venue": "club"}))
    assert match.get().headers["ETag"] == '"1.1"'
    ok(match.post("/moves", entry("orange take L4"), {"If-Match": '"1"'}), 201)
    ok(match.post("/moves", entry("blue take V3"), {"If-Match": '"2.9"'}), 201)


@pytest.mark.unchanging
@pytest.mark.parametrize("header", ["1", "first", '"one"', '"-1"', '"1', '"1.2.3"', ""])
def test_an_if_match_that_is_no_etag_of_a_match_is_refused(match: Match, header: str) -> None:
    with nothing_changes(match):
        problem(match.post("/moves", entry("orange take L4"), {"If-Match": header}), 400, "bad-request")


# No such match


@pytest.mark.unchanging
@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "", None),
        ("GET", "/state", None),
        ("GET", "/legal-moves", None),
        ("GET", "/events", None),
        ("GET", "/verify", None),
        ("GET", "/details", None),
        ("GET", "/annotations", None),
        ("GET", "/replay", None),
        ("GET", "/replay/0", None),
        ("GET", "/replay/0/board.svg", None),
        ("GET", "/replay/0/score", None),
        ("POST", "/moves", entry("orange take L4")),
        ("POST", "/moves/check", entry("orange take L4")),
        ("POST", "/undo", {"to_ply": 0}),
        ("POST", "/restore", {"version": 1}),
        ("POST", "/corrections", {"ply": 1, "action": "remove"}),
        ("POST", "/abandon", None),
        ("POST", "/reopen", None),
        ("POST", "/withdraw", None),
        ("DELETE", "/withdraw", None),
        ("PATCH", "", {"venue": "club"}),
        (
            "PUT",
            "/players",
            {"players": [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]},
        ),
        ("POST", "/annotations", {"ply": 0, "text": "Hm."}),
    ],
)
def test_a_match_that_is_not_there_is_not_found(
    service: Service, match: Match, method: str, path: str, body: Any
) -> None:
    problem(service.send(method, f"/matches/{UNKNOWN_ID}{path}", body), 404, "not-found")
