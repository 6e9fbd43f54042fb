"""The longest log that a match can have: nothing more enters it, and nothing else ends."""

from collections.abc import Callable

import pytest
from werkzeug.test import TestResponse

from tests.domain.games.cite_lumiere.positions import GAME
from tests.service.harness import OPENING, SETUP, Match, entries, entry, nothing_changes, ok, problem

FULL = 9
"""Events of a full match here: its creation, six moves, an undo and a restore."""
SWAPPED = {"players": [{"seat": "orange", "name": "Jan"}, {"seat": "blue", "name": "Ana"}]}

CARDS = GAME.schemas["setup"]["properties"]["postcards"]["items"]["enum"]

WRITES: dict[str, Callable[[Match], TestResponse]] = {
    "move": lambda match: match.post("/moves", entry("orange take V3")),
    "moves": lambda match: match.post("/moves", {"moves": entries(["orange take V3", "blue take X5"])}),
    "undo": lambda match: match.post("/undo", {"to_ply": 2}),
    "restore": lambda match: match.post("/restore", {"version": 3}),
    "correction": lambda match: match.correct(6, "remove"),
    "dry run": lambda match: match.correct(6, "remove", dry_run=True),
    "set-up": lambda match: match.post("/corrections", {"ply": 0, "setup": {**SETUP, "postcards": CARDS[:8]}}),
    "players": lambda match: match.service.put(f"{match.path}/players", SWAPPED),
    "abandon": lambda match: match.post("/abandon"),
}


@pytest.fixture
def full(match: Match, monkeypatch: pytest.MonkeyPatch) -> Match:
    monkeypatch.setattr("service.matches.commands.MAX_EVENTS", FULL)
    match.record(*OPENING)
    match.undo(3)
    assert ok(match.post("/restore", {"version": 7}), 201)["version"] == FULL
    return match


@pytest.mark.parametrize("name", WRITES)
def test_nothing_more_enters_a_full_log(full: Match, name: str) -> None:
    with nothing_changes(full):
        assert "9 events" in problem(WRITES[name](full), 409, "match-full")["detail"]


def test_a_full_match_that_was_abandoned_stays_so(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.matches.commands.MAX_EVENTS", 2)
    ok(match.post("/abandon"))
    with nothing_changes(match):
        problem(match.post("/reopen"), 409, "match-full")


def test_of_several_moves_none_is_recorded_if_not_all_have_room(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.matches.commands.MAX_EVENTS", 6)
    with nothing_changes(match):
        problem(match.post("/moves", {"moves": entries(OPENING)}), 409, "match-full")
    match.record(*OPENING[:5])
    problem(match.post("/moves", entry(OPENING[5])), 409, "match-full")


def test_a_move_for_a_full_match_is_judged_as_it_would_be_recorded(full: Match) -> None:
    judged = ok(full.post("/moves/check", entry("orange take V3")))
    assert (judged["legal"], judged["problem"]["type"]) == (False, "/problems/match-full")
    assert ok(full.post("/moves/check?ply=6", entry("orange take V3")))["legal"]


def test_what_stands_outside_the_log_of_a_full_match_goes_on(full: Match) -> None:
    full.annotate(3, text="late")
    assert ok(full.service.patch(full.path, {"venue": "club"}))["venue"] == "club"
    assert ok(full.post("/withdraw"))["withdrawn"]
    assert ok(full.get("/verify"))["valid"]
