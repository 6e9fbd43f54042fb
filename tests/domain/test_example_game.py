"""Tic-tac-toe: its rules, its JSON and its texts, and a match of it played, corrected and replayed."""

from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from domain.forms import Malformed
from domain.game import Feature, JsonObject, Kind, Refusal, Step
from domain.match import (
    Entry,
    MoveRefused,
    OnConflict,
    Player,
    Timeline,
    create,
    describe,
    record,
    replace,
    restore,
    undo,
)
from scripts.random_play import play
from tests.domain.example_game import EXAMPLE_GAME
from tests.domain.example_game.moves import Mark
from tests.domain.example_game.parts import SEATS, SPACES
from tests.domain.example_game.state import State
from tests.domain.logs import Log

GAME = EXAMPLE_GAME
EDITION = GAME.editions.default
PLAYERS = (Player("cross", "ana"), Player("nought", "jan"))
SETUP = GAME.setup.parse({"first": "cross"})
WON = "b2 a1 c1 a2 a3"
"""Cross has the line a3 b2 c1."""
SHARED = "b2 a1 c1 a3 a2 c2 b1 b3 c3"


def mark(space: str) -> Mark:
    return GAME.move.parse({"type": "mark", "at": space})


def entries(line: str) -> list[Entry]:
    return [Entry(None, mark(space)) for space in line.split()]


def begun() -> Timeline:
    return create(GAME, EDITION, PLAYERS, SETUP).timeline


def played(line: str) -> Timeline:
    return record(begun(), entries(line)).timeline


def position(line: str = "") -> State:
    """The position after moves of both seats in turn."""
    state = GAME.rules.start(SETUP, SEATS, EDITION)
    for space in line.split():
        assert state.to_move is not None
        state = GAME.rules.apply(state, state.to_move, mark(space))
    return state


# Rules


@pytest.mark.parametrize("line", ["a1 a2 b1 b2 c1", "a1 b1 a2 b2 a3", "a1 a2 b2 b1 c3", WON])
def test_three_marks_in_a_row_win(line: str) -> None:
    result = GAME.rules.result(position(line))
    assert result is not None
    assert (result.winners, result.decided_by) == (("cross",), "points")
    assert [(ranked.seat, ranked.place, ranked.points) for ranked in result.ranking] == [
        ("cross", 1, 1),
        ("nought", 2, 0),
    ]


def test_a_full_board_without_a_line_is_shared() -> None:
    result = GAME.rules.result(position(SHARED))
    assert result is not None
    assert (set(result.winners), result.decided_by) == ({"cross", "nought"}, "shared")
    assert [ranked.place for ranked in result.ranking] == [1, 1]


def test_there_is_no_result_before_the_end() -> None:
    assert GAME.rules.result(position("b2 a1")) is None


@pytest.mark.parametrize(
    ("line", "seat", "space", "code"),
    [
        (WON, "nought", "c3", "match_over"),
        ("b2", "nought", "b2", "space_taken"),
        ("b2", "cross", "b2", "space_taken"),
        ("b2", "cross", "a1", "not_your_turn"),
    ],
)
def test_an_illegal_move_is_refused_for_a_physical_reason_if_there_is_one(
    line: str, seat: str, space: str, code: str
) -> None:
    with pytest.raises(Refusal) as caught:
        GAME.rules.check(position(line), seat, mark(space))
    reason = GAME.reasons[code]
    assert (caught.value.code, caught.value.kind, caught.value.rule) == (code, reason.kind, reason.rule)
    assert str(caught.value).endswith(".")


def test_the_legal_moves_are_those_that_are_not_refused() -> None:
    state, random = position("b2 a1"), Random(1)
    listed = list(GAME.rules.legal_moves(state))
    assert [SPACES[move.at] for move in listed] == ["b1", "c1", "a2", "c2", "a3", "b3", "c3"]
    for move in listed:
        GAME.rules.check(state, "cross", move)
    assert {GAME.rules.random_move(state, random) for _ in range(200)} == set(listed)


def test_a_drawn_match_begins_with_either_seat_and_comes_to_an_end() -> None:
    matches = [play(GAME, Random(seed), listed=False) for seed in range(20)]
    assert {match.setup["first"] for match in matches} == set(SEATS)
    assert all(GAME.rules.result(match.states[-1]) for match in matches)


def test_nothing_is_legal_when_the_match_is_over() -> None:
    assert list(GAME.rules.legal_moves(position(WON))) == []
    assert GAME.rules.random_move(position(WON), Random(1)) is None


# JSON and texts


@pytest.mark.parametrize("line", ["", "b2", WON, SHARED])
def test_what_is_written_fits_the_schemas_and_comes_back(line: str) -> None:
    validators = {name: Draft202012Validator(schema) for name, schema in GAME.schemas.items()}
    state = position(line)
    validators["state"].validate(GAME.view.dump(state))
    for space in line.split():
        validators["move"].validate(GAME.move.dump(mark(space)))
        assert GAME.move.dump(mark(space)) == {"type": "mark", "at": space}
    validators["setup"].validate(GAME.setup.dump(SETUP))
    assert GAME.setup.parse(GAME.setup.dump(SETUP)) == SETUP


@pytest.mark.parametrize(
    ("document", "pointers"),
    [({"type": "mark"}, ["/at"]), ({"type": "take", "at": "d4"}, ["/type", "/at"]), ({"at": "a1"}, ["/type"])],
)
def test_every_wrong_member_of_a_move_is_named(document: JsonObject, pointers: list[str]) -> None:
    with pytest.raises(Malformed) as caught:
        GAME.move.parse(document)
    assert [error.pointer for error in caught.value.errors] == pointers


def test_an_edition_decides_what_a_line_is_worth() -> None:
    edition = GAME.editions.amend(EDITION, "high", "For high stakes", {"points_for_line": 3})
    timeline = record(create(GAME, edition, PLAYERS, SETUP).timeline, entries(WON)).timeline
    assert GAME.rules.totals(timeline.head.state)["cross"] == 3
    with pytest.raises(Malformed):
        GAME.editions.load({**EDITION.document, "points_for_line": {"value": 0, "source": "assumed"}})


def test_points_are_explained_item_by_item() -> None:
    explained = GAME.telling.explain(position(WON))
    (item,) = explained["cross"]
    assert (item.points, item.cells, item.sentence) == (
        1,
        ("c1", "b2", "a3"),
        "The line of c1, b2 and a3 gives 1 point.",
    )
    assert explained["nought"] == ()


def test_each_move_tells_what_it_would_give() -> None:
    state = position("b2 a1 c1 a2")
    gains = dict(zip((mark("a3").at, mark("b1").at), GAME.telling.gains(state, [mark("a3"), mark("b1")]), strict=True))
    assert gains[mark("a3").at].points == 1
    assert gains[mark("b1").at].points == 0


# The history


def test_a_match_that_is_played_corrected_and_replayed_ends_as_it_was_meant() -> None:
    log = Log()
    log.append(create(GAME, EDITION, PLAYERS, SETUP))
    log.append(record(log.timeline, entries("b2 a1 c3 a2")))
    log.append(replace(log.timeline, 3, Entry("cross", mark("c1"))))
    log.append(record(log.timeline, entries("a3")))
    assert [SPACES[frame.move.at] for frame in log.timeline.frames()[1:]] == WON.split()
    assert log.timeline.result == GAME.rules.result(position(WON))
    log.require_same_fold(GAME, GAME.editions)


def test_a_correction_that_leaves_a_later_move_illegal_cuts_the_match_there() -> None:
    correction = replace(played("b2 a1 c1"), 1, Entry("cross", mark("a1")), OnConflict.TRUNCATE)
    assert [str(verdict.status) for verdict in correction.verdicts] == ["refused", "not_reached"]
    assert correction.timeline.ply == 1


def test_what_was_taken_back_can_be_restored() -> None:
    before = played("b2 a1 c1")
    shorter = undo(before, 1).timeline
    assert (shorter.ply, shorter.to_move) == (1, "nought")
    assert restore(shorter, before.version).timeline.head.state == before.head.state


def test_a_ruling_records_what_the_rules_alone_refuse() -> None:
    out_of_turn = Entry("cross", mark("a1"))
    with pytest.raises(MoveRefused) as caught:
        record(played("b2"), [out_of_turn])
    assert caught.value.refusal.kind is Kind.RULE
    ruled = record(played("b2"), [out_of_turn._replace(ruling="ab" * 32)]).timeline
    assert (ruled.ply, ruled.to_move) == (2, "nought")


def test_frames_are_described_and_counted() -> None:
    line: Any = played(WON).frames()
    timeline = played(WON)
    assert describe(timeline, timeline.frame(1), "en") == "Cross marks b2."
    assert GAME.statistics.features(line) == {"centre": {"cross": Feature(1)}}
    assert GAME.statistics.features(line).keys() < GAME.statistics.definitions().keys()
    assert [*GAME.statistics.standings(line)][-1] == {"cross": 1, "nought": 0}
    assert GAME.statistics.opening(line, 2) == (Step(1, mark("b2")), Step(2, mark("a1")))
    assert GAME.statistics.variant(SETUP) in GAME.statistics.VARIANTS
