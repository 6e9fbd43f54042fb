"""What becomes of a timeline when the rules of its game change: the line is judged anew and ends before a misfit."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest

from domain.game import Refusal
from domain.match import (
    CorrectionConflict,
    Entry,
    EventKind,
    MoveUnplayable,
    Status,
    abandon,
    create,
    cut,
    describe,
    fold,
    parse_setup,
    record,
    rejudge,
    restore,
    undo,
)
from scripts.other_rules import other_rules_version
from tests.domain.logs import Log
from tests.domain.test_history import EDITION, GAME, OPENING, PLAYERS, SETUP

FORBIDDEN = OPENING[2].move
"""The move of ply 3."""


@contextmanager
def forbidding(*, trusted: bool = False) -> Iterator[None]:
    """Other rules, by which a move is forbidden, or cannot even be followed."""
    check, apply = GAME.rules.check, GAME.rules.apply

    def forbid(state: Any, seat: str, move: Any) -> None:
        if move == FORBIDDEN:
            raise Refusal("not_your_turn", GAME.reasons["not_your_turn"], {}, lambda _: "Not any more.")
        check(state, seat, move)

    def follow(state: Any, seat: str, move: Any) -> Any:
        if move == FORBIDDEN and trusted:
            raise KeyError(move)
        return apply(state, seat, move)

    with (
        patch.object(GAME.rules, "check", forbid),
        patch.object(GAME.rules, "apply", follow),
        other_rules_version(GAME),
    ):
        yield


def a_log() -> Log:
    log = Log()
    log.append(create(GAME, EDITION, PLAYERS, SETUP))
    log.append(record(log.timeline, OPENING))
    return log


def test_by_the_same_rules_a_timeline_is_the_same() -> None:
    timeline = a_log().timeline
    assert rejudge(timeline).timeline is timeline
    assert rejudge(timeline).ply is None


def test_the_line_ends_before_the_first_misfit() -> None:
    timeline = a_log().timeline
    with forbidding():
        refolding = rejudge(timeline)
    assert (refolding.ply, str(refolding.refusal)) == (3, "Not any more.")
    assert refolding.timeline.head is timeline.frame(2)
    assert refolding.timeline.version == timeline.version


def test_a_result_has_no_moves_to_judge() -> None:
    setup = parse_setup(GAME, ["orange", "blue"], {"result_only": True, "points": {"orange": 48, "blue": 57}})
    timeline = create(GAME, EDITION, PLAYERS, setup).timeline
    assert rejudge(timeline).timeline is timeline


@pytest.mark.parametrize("trusted", [False, True])
def test_a_log_is_folded_past_moves_that_no_longer_fit(trusted: bool) -> None:
    log = a_log()
    with forbidding(trusted=trusted):
        timeline = fold(GAME, GAME.editions, log.events)
        assert [frame.ply for frame in timeline.frames()] == list(range(len(OPENING) + 1))
        assert [frame.ply for frame in timeline.frames() if frame.is_unplayable] == ([3] if trusted else [])
        assert rejudge(timeline).ply == 3
        log.append(cut(timeline, 2))
        log.append(record(log.timeline, [Entry(None, next(GAME.rules.legal_moves(log.timeline.head.state)))]))
        log.require_same_fold(GAME, GAME.editions)
        assert rejudge(log.timeline).ply is None


def failing(move: Any) -> Any:
    """A game with a bug, on which one of its moves runs."""
    apply = GAME.rules.apply

    def fail(state: Any, seat: str, made: Any) -> Any:
        if made == move:
            raise TypeError("a bug")
        return apply(state, seat, made)

    return patch.object(GAME.rules, "apply", fail)


def test_a_bug_of_a_game_is_not_taken_for_other_rules() -> None:
    log = a_log()
    log.append(undo(log.timeline, 2))
    reads: list[Callable[[], object]] = [lambda: fold(GAME, GAME.editions, log.events), lambda: log.timeline.at(4)]
    with failing(FORBIDDEN):
        for read in reads:
            with pytest.raises(MoveUnplayable) as caught:
                read()
            assert (caught.value.ply, caught.value.seq) == (3, 4)
            assert isinstance(caught.value.__cause__, TypeError)


def test_what_no_other_rules_explain_is_a_bug_in_an_older_log_too() -> None:
    log = a_log()
    with (
        other_rules_version(GAME),
        patch.object(GAME.rules, "apply", side_effect=RecursionError),
        pytest.raises(MoveUnplayable),
    ):
        fold(GAME, GAME.editions, log.events)


def test_a_move_is_told_as_far_as_the_present_rules_can_tell_it() -> None:
    log = a_log()
    sentence = describe(log.timeline, log.timeline.frame(3), "pl")
    assert sentence is not None and "U6" in sentence
    with forbidding(trusted=True):
        folded = fold(GAME, GAME.editions, log.events)
        assert [describe(folded, folded.frame(ply), "pl") is None for ply in (2, 3, 4)] == [False, True, False]
        with patch.object(GAME.telling, "describe", side_effect=KeyError("U6")):
            assert describe(folded, folded.frame(2), "pl") is None
    with patch.object(GAME.telling, "describe", side_effect=KeyError("U6")), pytest.raises(KeyError):
        describe(log.timeline, log.timeline.frame(3), "pl")


def test_a_cut_match_stays_abandoned() -> None:
    log = a_log()
    log.append(abandon(log.timeline))
    change = cut(log.timeline, 2)
    kinds = [draft.kind for draft in change.drafts]
    assert kinds == [EventKind.MATCH_REOPENED, EventKind.MOVES_UNDONE, EventKind.MATCH_ABANDONED]
    log.append(change)
    assert (log.timeline.status, log.timeline.ply) == (Status.ABANDONED, 2)
    log.require_same_fold(GAME, GAME.editions)


def test_a_match_that_is_over_where_it_is_cut_is_not_abandoned() -> None:
    log = a_log()
    log.append(abandon(log.timeline))
    state = log.timeline.head.state
    over = property(lambda state: None if state.ply == 2 else state._asdict()["to_move"])
    with patch.object(type(state), "to_move", over):
        log.append(cut(log.timeline, 2))
        assert log.timeline.status is Status.FINISHED
        log.require_same_fold(GAME, GAME.editions)


def test_what_no_longer_fits_is_not_brought_back() -> None:
    log = a_log()
    version = log.timeline.version
    log.append(undo(log.timeline, 2))
    with forbidding():
        with pytest.raises(CorrectionConflict) as caught:
            restore(log.timeline, version)
        assert caught.value.first_ply == 3
        assert restore(log.timeline, 2).timeline.ply == 1
    assert restore(log.timeline, version).timeline.ply == len(OPENING)
