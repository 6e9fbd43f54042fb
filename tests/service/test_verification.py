"""Findings of `verify` beside a broken chain: reasons of rulings, and rows that differ from the log."""

from collections.abc import Sequence

import pytest

from tests.service.conftest import NewMatch
from tests.service.harness import Match, entry, finished_match, ok
from tests.service.tampering import tamper


def ruled(match: Match, *lines: str) -> Match:
    """A match in which all moves but the first were recorded as rulings."""
    match.record(lines[0])
    for line in lines[1:]:
        ok(match.post("/moves", {**entry(line), "ruling": {"reason": f"The table agreed on {line}."}}), 201)
    return match


def findings(match: Match) -> list[tuple[int, str]]:
    found = ok(match.get("/verify"))
    assert found["valid"] is not bool(found["findings"])
    first = (found["first_broken"], found["detail"])
    assert first == (found["findings"][0]["seq"], found["findings"][0]["detail"]) if found["findings"] else (None, None)
    return [(fault["seq"], fault["detail"]) for fault in found["findings"]]


@pytest.fixture
def rulings(match: Match) -> Match:
    return ruled(match, "orange take L4", "orange take U6", "orange take V3", "orange take O4")


def test_reasons_of_rulings_are_compared_with_their_digests(rulings: Match, dsn: str) -> None:
    assert findings(rulings) == []
    tamper(dsn, "UPDATE ruling_reasons SET reason = 'forged' WHERE seq = 3")
    tamper(dsn, "UPDATE ruling_reasons SET salt = reverse(salt) WHERE seq = 4")
    tamper(dsn, "UPDATE ruling_reasons SET seq = 2 WHERE seq = 5")
    assert findings(rulings) == [
        (2, "there is a reason, but no ruling"),
        (3, "the reason of its ruling is not the one that was recorded"),
        (4, "the reason of its ruling is not the one that was recorded"),
        (5, "the reason of its ruling is missing"),
    ]


def test_reasons_stay_well_through_corrections(rulings: Match) -> None:
    ok(rulings.correct(2, "replace", move={"type": "take", "building": "I3"}, ruling={"reason": "a slip"}), 201)
    rulings.undo(1)
    assert findings(rulings) == []


def test_events_beyond_the_version_of_the_row_are_found(match: Match, dsn: str) -> None:
    match.record("orange take L4", "blue take U6")
    tamper(dsn, "UPDATE matches SET version = 2")
    assert findings(match) == [(3, "the match ends with event 2")]


@pytest.mark.parametrize(
    ("statement", "wrong"),
    [
        ("UPDATE matches SET ply = 7", "ply"),
        ("UPDATE matches SET status = 'abandoned'", "status"),
        ("UPDATE matches SET to_move = 'blue'", "to_move"),
        ("UPDATE matches SET result = jsonb_set(result, '{winners}', '[\"orange\", \"blue\"]')", "result"),
        ("UPDATE match_seats SET points = 100 WHERE seat = 'blue'", "seats"),
        ("UPDATE match_seats SET player_id = (SELECT player_id FROM match_seats WHERE seat = 'blue')", "seats"),
    ],
)
def test_a_row_that_says_something_else_than_the_log_is_found(
    match: Match, dsn: str, statement: str, wrong: str
) -> None:
    moves: Sequence[object] = finished_match()
    ok(match.post("/moves", {"moves": moves}), 201)
    assert findings(match) == []
    tamper(dsn, statement)
    assert findings(match) == [(len(moves) + 1, f"after it the row of the match has another {wrong}")]
    tamper(dsn, "UPDATE matches SET rules_version = 0")
    assert findings(match) == [], "what other rules made of it is not known"


def test_results_abandoned_matches_and_other_seats_agree_with_their_rows(new_match: NewMatch) -> None:
    result_only = new_match(setup={"result_only": True, "points": {"orange": 40, "blue": 45}})
    abandoned, seated = new_match(), new_match()
    ok(abandoned.post("/abandon"))
    players = [{"seat": "orange", "name": "Eva"}, {"seat": "blue", "name": "Jan"}]
    ok(seated.service.put(f"{seated.path}/players", {"players": players}))
    for match in (result_only, abandoned, seated):
        assert findings(match) == []
