"""Matches of which only the result is known: read strictly, ranked by points, without moves."""

from random import Random
from typing import Any

import pytest

from domain.catalogue import GAMES
from domain.forms import Malformed
from domain.game import AnyGame, Ranked, Result
from domain.match import (
    Entry,
    MatchFinished,
    MatchResultOnly,
    NoChange,
    Player,
    ResultOnly,
    Status,
    Timeline,
    abandon,
    correct_setup,
    create,
    dump_setup,
    insert,
    parse_setup,
    record,
    restore,
    undo,
    what_if,
)
from domain.match.result_only import Tie
from scripts.random_play import draw_setup
from tests.domain.logs import Log

GAME = GAMES["cite-lumiere"]
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


def players_of(game: AnyGame) -> list[Player]:
    return [Player(seat, f"player of {seat}") for seat in game.seats[: game.players[0]]]


def noted(game: AnyGame, *points: int) -> Timeline:
    """A match of the first seats with these points."""
    players = players_of(game)
    json = {"result_only": True, "points": {player.seat: own for player, own in zip(players, points, strict=True)}}
    setup = parse_setup(game, [player.seat for player in players], json)
    return create(game, game.editions.default, players, setup).timeline


def winners_of(timeline: Timeline) -> tuple[str, ...]:
    """Who won a finished match."""
    assert timeline.result is not None
    return timeline.result.winners


def begun(game: AnyGame) -> Timeline:
    """A match that is played."""
    players = players_of(game)
    setup = game.setup.parse(draw_setup(game.id, [player.seat for player in players], Random(1)))
    return create(game, game.editions.default, players, setup).timeline


@every_game
def test_the_points_alone_make_a_finished_match(game: AnyGame) -> None:
    timeline = noted(game, 48, 57)
    first, second, *_ = game.seats
    assert (timeline.status, timeline.to_move, timeline.ply) == (Status.FINISHED, None, 0)
    assert timeline.game.rules.totals(timeline.head.state) == {first: 48, second: 57}
    assert list(timeline.game.rules.legal_moves(timeline.head.state)) == []
    assert timeline.game.rules.random_move(timeline.head.state, Random(1)) is None
    result = timeline.result
    assert result is not None
    assert result.winners == (second,)
    assert result.ranking == (Ranked(second, 1, 57), Ranked(first, 2, 48))
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


@every_game
def test_a_decided_tie_has_one_winner_and_the_others_share_the_next_place(game: AnyGame) -> None:
    first, second, *_ = game.seats
    for tie_break in game.tie_breaks:
        json = {
            "result_only": True,
            "points": {first: 40, second: 40},
            "tie": {"winner": second, "decided_by": tie_break},
        }
        setup = parse_setup(game, (first, second), json)
        assert setup.result() == Result((second,), (Ranked(second, 1, 40), Ranked(first, 2, 40)), tie_break)
        assert dump_setup(game, setup) == json
    three = ResultOnly((("red", 30), ("blue", 40), ("green", 40), ("yellow", 40)), Tie("green", "francs")).result()
    assert [(ranked.seat, ranked.place) for ranked in three.ranking] == [
        ("green", 1),
        ("blue", 2),
        ("yellow", 2),
        ("red", 4),
    ]


@pytest.mark.parametrize(
    ("points", "tie", "pointers"),
    [
        ((3, 3), None, ["/tie"]),
        ((3, 3), {}, ["/tie/winner", "/tie/decided_by"]),
        ((3, 3), {"winner": "red", "decided_by": "free_spaces"}, ["/tie/winner"]),
        ((3, 3), {"winner": "blue", "decided_by": "francs"}, ["/tie/decided_by"]),
        ((3, 3), {"winner": "blue", "decided_by": "shared"}, ["/tie/decided_by"]),
        ((3, 3), {"winner": "blue", "decided_by": "free_spaces", "why": ""}, ["/tie/why"]),
        ((3, 2), {"winner": "orange", "decided_by": "free_spaces"}, ["/tie"]),
        ((3, 2), {"winner": "blue", "decided_by": "free_spaces"}, ["/tie", "/tie/winner"]),
        ((3, "3"), {"winner": "blue", "decided_by": "free_spaces"}, ["/points/blue"]),
    ],
)
def test_only_a_tie_that_the_points_have_is_decided_by_the_games_own_words(
    points: tuple[Any, Any], tie: Any, pointers: list[str]
) -> None:
    json = {"result_only": True, "points": dict(zip(GAME.seats, points, strict=True)), "tie": tie}
    with pytest.raises(Malformed) as caught:
        parse_setup(GAME, GAME.seats, json)
    assert [error.pointer for error in caught.value.errors] == pointers


def test_seats_may_be_unknown() -> None:
    json: dict[str, Any] = {"result_only": True, "seats_unknown": True, "points": {"orange": 1, "blue": 2}}
    setup = parse_setup(GAME, GAME.seats, json)
    assert dump_setup(GAME, setup) == json
    people = [Player(seat, seat) for seat in GAME.seats]
    assert not create(GAME, GAME.editions.default, people, setup).timeline.seats_known
    told = parse_setup(GAME, GAME.seats, {"result_only": True, "points": json["points"]})
    assert create(GAME, GAME.editions.default, people, told).timeline.seats_known


def test_only_seats_with_the_most_points_can_have_won_a_tie() -> None:
    json = {
        "result_only": True,
        "points": {"red": 9, "blue": 9, "green": 8},
        "tie": {"winner": "green", "decided_by": "francs"},
    }
    with pytest.raises(Malformed) as caught:
        parse_setup(GAMES["paris"], ("red", "blue", "green"), json)
    assert [(error.pointer, error.detail) for error in caught.value.errors] == [
        ("/tie/winner", "must be one of red, blue")
    ]


@pytest.mark.parametrize(
    ("json", "pointers"),
    [
        ({"result_only": False, "points": {"orange": 1, "blue": 2}}, ["/result_only"]),
        ({"result_only": True, "seats_unknown": False, "points": {"orange": 1, "blue": 2}}, ["/seats_unknown"]),
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


@every_game
def test_such_a_match_takes_no_moves(game: AnyGame) -> None:
    timeline = noted(game, 48, 57)
    entry = Entry(game.seats[0], next(game.rules.legal_moves(begun(game).head.state)))
    for act in (
        lambda: record(timeline, [entry]),
        lambda: insert(timeline, 1, entry),
        lambda: what_if(timeline, 0, [entry]),
        lambda: timeline.game.rules.check(timeline.head.state, game.seats[0], entry.move),
        lambda: timeline.game.rules.apply(timeline.head.state, game.seats[0], entry.move),
    ):
        with pytest.raises(MatchResultOnly):
            act()
    with pytest.raises(NoChange):
        undo(timeline, 0)
    with pytest.raises(MatchFinished):
        abandon(timeline)
    assert what_if(timeline, 0, []) == ()


@every_game
def test_wrongly_noted_points_are_corrected_and_brought_back(game: AnyGame) -> None:
    first, second, *_ = game.seats
    edition, log = game.editions.default, Log()
    log.append(create(game, edition, players_of(game), ResultOnly(((first, 48), (second, 75)))))
    correction = correct_setup(log.timeline, ResultOnly(((first, 48), (second, 57))))
    assert (correction.verdicts, correction.dropped) == ((), 0)
    log.append(correction)
    assert dump_setup(game, log.timeline.setup) == {"result_only": True, "points": {first: 48, second: 57}}
    log.require_same_fold(game, game.editions)
    log.append(restore(log.timeline, 1))
    assert dump_setup(game, log.timeline.setup)["points"][second] == 75
    log.require_same_fold(game, game.editions)


@every_game
def test_a_tie_is_decided_and_left_open_again_by_corrections(game: AnyGame) -> None:
    first, second, *_ = game.seats
    edition, log = game.editions.default, Log()
    points = ((first, 48), (second, 48))
    log.append(create(game, edition, players_of(game), ResultOnly(points)))
    assert '"tie"' not in log.events[0].text
    log.append(correct_setup(log.timeline, ResultOnly(points, Tie(second, game.tie_breaks[-1]))))
    assert winners_of(log.timeline) == (second,)
    log.require_same_fold(game, game.editions)
    with pytest.raises(NoChange):
        correct_setup(log.timeline, ResultOnly(points, Tie(second, game.tie_breaks[-1])))
    log.append(correct_setup(log.timeline, ResultOnly(points)))
    assert winners_of(log.timeline) == (first, second)
    log.require_same_fold(game, game.editions)


@every_game
def test_a_played_match_never_becomes_a_bare_result_nor_the_other_way_round(game: AnyGame) -> None:
    played, (first, second, *_) = begun(game), game.seats
    with pytest.raises(MatchResultOnly):
        correct_setup(played, ResultOnly(((first, 1), (second, 2))))
    with pytest.raises(MatchResultOnly):
        correct_setup(noted(game, 48, 57), played.setup)
