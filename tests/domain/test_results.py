"""Matches of which only the result is known: read strictly, ranked by points, without moves."""

from typing import Any

import pytest

from domain.catalogue import GAMES
from domain.game import Malformed, Ranked
from domain.history import (
    Action,
    Entry,
    MatchFinished,
    MatchResultOnly,
    NoChange,
    Player,
    ResultOnly,
    Status,
    Timeline,
    abandon,
    correct,
    correct_setup,
    create,
    dump_setup,
    parse_setup,
    record,
    restore,
    undo,
    what_if,
)
from tests.domain.logs import Log

GAME = GAMES["cite-lumiere"]
EDITION = GAME.editions[GAME.default_edition]
PLAYERS = [Player("orange", "ana"), Player("blue", "jan")]
PASS = Entry("orange", GAME.parse({"type": "pass"}))


def noted(orange: int = 48, blue: int = 57) -> Timeline:
    json = {"result_only": True, "points": {"orange": orange, "blue": blue}}
    return create(GAME, EDITION, PLAYERS, parse_setup(GAME, GAME.seats, json)).timeline


def test_the_points_alone_make_a_finished_match() -> None:
    timeline = noted()
    assert (timeline.status, timeline.to_move, timeline.ply) == (Status.FINISHED, None, 0)
    assert timeline.head.state is None
    result = timeline.result
    assert result is not None
    assert result.winners == ("blue",)
    assert result.ranking == (Ranked("blue", 1, 57), Ranked("orange", 2, 48))
    assert result.decided_by == "points"


def test_equal_points_share_the_place_and_skip_the_next() -> None:
    result = ResultOnly((("red", 30), ("blue", 40), ("green", 40), ("yellow", 7))).result()
    assert result.winners == ("blue", "green")
    assert [(ranked.seat, ranked.place) for ranked in result.ranking] == [
        ("blue", 1),
        ("green", 1),
        ("red", 3),
        ("yellow", 4),
    ]
    assert result.decided_by == "shared"


@pytest.mark.parametrize(
    ("json", "pointers"),
    [
        ({"result_only": False, "points": {"orange": 1, "blue": 2}}, ["/result_only"]),
        ({"result_only": 1, "points": {"orange": 1, "blue": 2}}, ["/result_only", "/result_only"]),
        ({"result_only": True}, ["/points", "/points/orange", "/points/blue"]),
        ({"result_only": True, "points": {"orange": 1}}, ["/points/blue"]),
        ({"result_only": True, "points": {"orange": 1.0, "blue": "2"}}, ["/points/orange", "/points/blue"]),
        ({"result_only": True, "points": {"orange": 1, "blue": 2, "red": 3}}, ["/points/red"]),
        ({"result_only": True, "points": {"orange": 1, "blue": 20000}}, ["/points/blue"]),
        ({"result_only": True, "points": {"orange": 1, "blue": 2}, "first": "orange"}, ["/first"]),
    ],
)
def test_a_result_is_read_strictly(json: Any, pointers: list[str]) -> None:
    with pytest.raises(Malformed) as caught:
        parse_setup(GAME, GAME.seats, json)
    assert [error.pointer for error in caught.value.errors] == pointers


@pytest.mark.parametrize("json", [None, [], "result_only", {"first": "orange"}])
def test_anything_else_is_read_by_the_game(json: Any) -> None:
    with pytest.raises(Malformed):
        parse_setup(GAME, GAME.seats, json)


def test_such_a_match_takes_no_moves() -> None:
    timeline = noted()
    for act in (
        lambda: record(timeline, [PASS]),
        lambda: correct(timeline, 1, Action.INSERT, PASS),
        lambda: what_if(timeline, 0, [PASS]),
    ):
        with pytest.raises(MatchResultOnly):
            act()
    with pytest.raises(NoChange):
        undo(timeline, 0)
    with pytest.raises(MatchFinished):
        abandon(timeline)
    assert what_if(timeline, 0, []) == ()


def test_wrongly_noted_points_are_corrected_and_brought_back() -> None:
    log = Log()
    log.append(create(GAME, EDITION, PLAYERS, ResultOnly((("orange", 48), ("blue", 75)))))
    correction = correct_setup(log.timeline, ResultOnly((("orange", 48), ("blue", 57))))
    assert (correction.verdicts, correction.dropped) == ((), 0)
    log.append(correction)
    assert dump_setup(GAME, log.timeline.setup) == {"result_only": True, "points": {"orange": 48, "blue": 57}}
    log.require_same_fold(GAME, EDITION)
    log.append(restore(log.timeline, 1))
    assert dump_setup(GAME, log.timeline.setup)["points"]["blue"] == 75
    log.require_same_fold(GAME, EDITION)


def test_a_played_match_never_becomes_a_bare_result_nor_the_other_way_round() -> None:
    setup = GAME.parse_setup({"first": "orange", "postcards": sorted(EDITION.first_game_set)})
    played = create(GAME, EDITION, PLAYERS, setup).timeline
    with pytest.raises(MatchResultOnly):
        correct_setup(played, ResultOnly((("orange", 1), ("blue", 2))))
    with pytest.raises(MatchResultOnly):
        correct_setup(noted(), setup)
