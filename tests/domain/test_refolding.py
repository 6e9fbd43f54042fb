"""What becomes of a timeline when the rules of its game change: the line is judged anew and ends before a misfit."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest

from domain.game import IllegalMove, Kind
from domain.history import (
    CorrectionConflict,
    Entry,
    EventKind,
    Status,
    abandon,
    create,
    cut,
    describe,
    fold,
    parse_setup,
    record,
    refold,
    restore,
    undo,
)
from tests.domain.logs import Log
from tests.domain.test_history import EDITION, GAME, OPENING, PLAYERS, SETUP

FORBIDDEN = OPENING[2].move
"""The move of ply 3."""


@contextmanager
def forbidding(*, trusted: bool = False) -> Iterator[None]:
    """Other rules, by which a move is forbidden, or cannot even be followed."""
    check, apply = GAME.check, GAME.apply

    def forbid(state: Any, seat: str, move: Any) -> None:
        if move == FORBIDDEN:
            raise IllegalMove("not_your_turn", "3.2", Kind.RULE, lambda _: "Not any more.")
        check(state, seat, move)

    def follow(state: Any, seat: str, move: Any) -> Any:
        if move == FORBIDDEN and trusted:
            raise KeyError(move)
        return apply(state, seat, move)

    with patch.object(GAME, "check", forbid), patch.object(GAME, "apply", follow):
        yield


def a_log() -> Log:
    log = Log()
    log.append(create(GAME, EDITION, PLAYERS, SETUP))
    log.append(record(log.timeline, OPENING))
    return log


def test_by_the_same_rules_a_timeline_is_the_same() -> None:
    timeline = a_log().timeline
    assert refold(timeline).timeline is timeline
    assert refold(timeline).ply is None


def test_the_line_ends_before_the_first_misfit() -> None:
    timeline = a_log().timeline
    with forbidding():
        refolding = refold(timeline)
    assert (refolding.ply, str(refolding.refusal)) == (3, "Not any more.")
    assert refolding.timeline.head is timeline.frame(2)
    assert refolding.timeline.version == timeline.version


def test_a_result_has_no_moves_to_judge() -> None:
    setup = parse_setup(GAME, ["orange", "blue"], {"result_only": True, "points": {"orange": 48, "blue": 57}})
    timeline = create(GAME, EDITION, PLAYERS, setup).timeline
    assert refold(timeline).timeline is timeline


@pytest.mark.parametrize("trusted", [False, True])
def test_a_log_is_folded_past_moves_that_no_longer_fit(trusted: bool) -> None:
    log = a_log()
    with forbidding(trusted=trusted):
        timeline = fold(GAME, GAME.editions, log.events)
        assert [frame.ply for frame in timeline.frames()] == list(range(len(OPENING) + 1))
        assert refold(timeline).ply == 3
        log.append(cut(timeline, 2))
        log.append(record(log.timeline, [Entry(None, next(GAME.legal(log.timeline.head.state)))]))
        log.require_same_fold(GAME, GAME.editions)
        assert refold(log.timeline).ply is None


def test_a_move_is_told_as_far_as_the_present_rules_can_tell_it() -> None:
    frame = a_log().timeline.frame(3)
    told = describe(GAME, frame, "pl")
    assert told is not None and "U6" in told
    with patch.object(GAME, "describe", side_effect=KeyError("U6")):
        assert describe(GAME, frame, "pl") is None


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
    with patch.object(GAME, "to_move", lambda state: None if state.ply == 2 else state.to_move):
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
