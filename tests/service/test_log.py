"""The log as people read it: what came and went with each event, who did it, and in which words."""

from typing import Any

import pytest

from domain.catalogue import GAMES
from scripts.other_rules import other_rules_version
from tests.service.harness import NDJSON, OPENING, Match, entry, lines, ok, problem


def told(match: Match) -> list[Any]:
    return match.service.all_items(f"{match.path}/log?limit=2")


def texts(moves: list[Any]) -> list[str]:
    return [f"{move['ply']} {move['move'].get('building') or move['move']['tile']}" for move in moves]


def test_each_event_says_what_came_and_what_went(match: Match) -> None:
    match.record(*OPENING)
    match.undo(4)
    ok(match.correct(2, "replace", **entry("blue take V3")), 201)
    ok(match.correct(4, "remove"), 201)
    ok(match.post("/restore", {"version": 7}), 201)
    told_lines = told(match)
    assert [line["seq"] for line in told_lines] == list(range(1, 12))
    assert [(line["kind"], texts(line["gone"]), texts(line["came"])) for line in told_lines[6:]] == [
        ("move_made", [], ["6 I3"]),
        ("moves_undone", ["5 O2", "6 I3"], []),
        ("move_corrected", ["2 L4"], ["2 V3"]),
        ("move_corrected", ["4 B1"], []),
        ("timeline_restored", ["2 V3"], ["2 L4", "4 B1", "5 O2", "6 I3"]),
    ]
    assert [line["action"] for line in told_lines[6:]] == [None, None, "replace", "remove", None]
    assert [line["ply"] for line in told_lines[6:]] == [6, 4, 4, 3, 6]
    assert told_lines[10]["version"] == 7
    assert told_lines[2]["came"][0]["text"] == match.frames()[2]["text"]


def test_people_are_told_where_they_were_seated(match: Match) -> None:
    players = [{"seat": "orange", "name": "Jan"}, {"seat": "blue", "name": "Ana"}]
    ok(match.service.put(f"{match.path}/players", {"players": players}))
    created, assigned = told(match)
    assert created["players"] == [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]
    assert assigned["players"] == [{"seat": "orange", "name": "Jan"}, {"seat": "blue", "name": "Ana"}]


def test_a_ruling_keeps_its_reason_when_its_move_is_gone(match: Match) -> None:
    ok(match.post("/moves", {**entry("blue take L4"), "ruling": {"reason": "It was late."}}), 201)
    match.undo(0)
    made, undone = told(match)[1:]
    assert made["came"][0]["ruling"] == undone["gone"][0]["ruling"] == {"reason": "It was late."}


def test_only_what_was_recorded_since_a_version_is_told(match: Match) -> None:
    match.record(*OPENING)
    since = ok(match.get("/log?after=5"))
    assert ([line["seq"] for line in since["items"]], since["next"]) == ([6, 7], None)
    assert ok(match.get("/log?after=7"))["items"] == []
    assert [line["seq"] for line in lines(match.get("/log?after=5", NDJSON))] == [6, 7]
    problem(match.get("/log?after=-1"), 422, "malformed")


def test_a_move_that_the_rules_no_longer_know_is_told_without_a_sentence(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    match.record(*OPENING)

    def describe(state: Any, seat: str, move: Any, language: str) -> str:
        if seat == "blue":
            raise LookupError
        return language

    game = GAMES["cite-lumiere"]
    monkeypatch.setattr(game.telling, "describe", describe)
    with other_rules_version(game):
        assert [line["came"][0]["text"] for line in told(match)[1:5]] == ["en", None, "en", None]


def test_nobody_is_named_where_nobody_signs_in(match: Match) -> None:
    match.record(*OPENING)
    assert {(line["actor"], line["by"]) for line in told(match)} == {(None, None)}


def test_of_many_moves_a_line_lists_the_first_and_says_how_many_there_are(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    match.record(*OPENING)
    for _ in range(2):
        match.undo(1)
        ok(match.post("/restore", {"version": 7}), 201)
    monkeypatch.setattr("service.matches.log.MAX_LISTED", 6)
    told_lines = lines(match.get("/log?after=7", NDJSON))
    assert [(line["gone_count"], line["came_count"]) for line in told_lines] == [(5, 0), (0, 5)] * 2
    assert [(len(line["gone"]), len(line["came"])) for line in told_lines] == [(5, 0), (0, 3), (1, 0), (0, 1)]


def test_an_answer_plays_no_more_moves_than_it_may(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    match.record(*OPENING)
    for building in ("V3", "X5", "V3", "X5"):
        ok(match.correct(2, "replace", **entry(f"blue take {building}")), 201)
    whole = told(match)[7:]
    played = []
    game = GAMES["cite-lumiere"]
    apply = game.rules.apply

    def apply_and_count(state: Any, *arguments: Any) -> Any:
        played.append(state)
        return apply(state, *arguments)

    monkeypatch.setattr(game.rules, "apply", apply_and_count)
    monkeypatch.setattr("service.matches.log.MAX_PLAYED", 12)
    told_lines = lines(match.get("/log?after=7", NDJSON))
    assert len(played) <= 12
    assert [line["came"][0]["move"] for line in told_lines] == [line["came"][0]["move"] for line in whole]
    assert told_lines[0] == whole[0]
    assert None in {line["status"] for line in told_lines}
    assert None in {move["text"] for line in told_lines for move in line["came"]}


def test_only_the_reasons_of_listed_moves_are_read(match: Match, reasons_read: list[int]) -> None:
    ok(match.post("/moves", {**entry("blue take L4"), "ruling": {"reason": "It was late."}}), 201)
    ok(match.post("/moves", {**entry("blue take U6"), "ruling": {"reason": "It was later."}}), 201)
    ok(match.get("/log?limit=1"))
    ok(match.get("/log?after=2"))
    assert reasons_read == [2, 3]
