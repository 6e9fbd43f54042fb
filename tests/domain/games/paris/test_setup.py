"""What lies where before the first move, and which set-ups are refused."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from domain.forms import Malformed
from domain.game import JsonObject
from domain.games.paris.parts import DISTRICTS
from tests.domain.games.paris.positions import (
    BASIC_TOKENS,
    BASIC_TRACK,
    EDITION,
    GAME,
    SEATS,
    advanced,
    begin,
    edition_with,
    legal,
    ruled,
    seat_of,
    whole_turn,
)

SECOND_COPIES = {2: set(), 3: {1, 5, 7, 10, 12, 21}, 4: {1, 5, 7, 10, 12, 21, 2, 3, 4, 6, 8, 18}}


# The basic game


def test_the_state_before_the_first_move() -> None:
    dumped = GAME.view.dump(begin())
    assert (dumped["ply"], dumped["phase"], dumped["to_move"], dumped["result"]) == (0, "main", "red", None)
    assert not any(dumped["turn"].values())
    assert (dumped["buildings"], dumped["discarded"], dumped["arc"]) == ({}, [], [])
    assert dumped["banks"] == {district: [] for district in DISTRICTS}
    assert dumped["landmarks"] == {"available": list(range(9, 17)), "placed": {}}
    assert dumped["scoring_tiles"] == {
        "available": ["10-5-2", "12-6-3", "14-7-3", "16-8-4", "18-9-4", "20-10-5"],
        "placed": {},
    }
    assert dumped["end_tiles"] == [f"e{number:02}" for number in range(1, 13)]
    assert dumped["market"] == {"wood": 0, "marble": 0, "gold": 0}


@pytest.mark.parametrize(("players", "hand"), [(2, 10), (3, 9), (4, 7)])
def test_every_seat_begins_alike_with_keys_by_the_number_of_players(players: int, hand: int) -> None:
    state = begin(players)
    for seat in SEATS[:players]:
        assert seat_of(state, seat) == {
            "francs": 3,
            "keys": hand,
            "reserve": 2,
            "resources": {"wood": 0, "marble": 0, "gold": 0},
            "prestige": {"bronze": 0, "silver": 0, "gilt": 0},
            "bonus": [],
            "used_bonus": [],
            "end_tiles": [],
            "half_used": {},
            "track": 0,
            "points": 0,
        }


@pytest.mark.parametrize("seats", [("yellow", "red"), ("green", "blue", "yellow"), ("blue", "yellow", "red", "green")])
def test_any_seats_play_in_the_order_in_which_they_are_named(seats: tuple[str, ...]) -> None:
    state = begin(seats)
    assert (state.to_move, state.to_move) == (seats[0], seats[0])
    assert tuple(GAME.view.dump(state)["seats"]) == seats
    order = []
    for _ in range(len(seats) + 1):
        order.append(state.to_move)
        state = whole_turn(state)
    assert order == [*seats, seats[0]]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_tile_n_lies_on_space_n_with_the_second_copies_for_the_number_of_players(players: int) -> None:
    track = GAME.view.dump(begin(players))["track"]
    expected = {str(n): [n, n] if n in SECOND_COPIES[players] else [n] for n in range(1, 31)}
    assert track == expected


def test_the_tokens_lie_by_the_value_of_the_space_and_six_of_every_kind() -> None:
    tokens = GAME.view.dump(begin())["tokens"]
    assert tokens == BASIC_TOKENS
    assert set(Counter(tokens.values()).values()) == {6}


@pytest.mark.parametrize(("variant", "stacks"), [(None, [11, 11, 11]), ("free_placement", [12, 12, 12])])
def test_three_tiles_are_set_aside_but_not_in_free_placement(variant: str | None, stacks: list[int]) -> None:
    assert GAME.view.dump(begin(variant=variant))["stacks"] == stacks


# The advanced game

SHUFFLED = advanced(
    {"montmartre-1": "silver", "montmartre-2": "bronze", "chaillot-4": "marble", "chaillot-5": "wood"},
    {1: 10, 10: 1, 11: 18, 18: 11, 27: 29, 29: 27},
)


def test_the_advanced_game_lists_tokens_and_track() -> None:
    state = begin(4, **SHUFFLED)
    dumped = GAME.view.dump(state)
    assert dumped["tokens"] == SHUFFLED["tokens"]
    assert (dumped["tokens"]["montmartre-1"], dumped["tokens"]["chaillot-5"]) == ("silver", "wood")
    assert (dumped["track"]["27"], dumped["track"]["29"], dumped["track"]["26"]) == ([29], [27], [26])


def test_second_copies_lie_on_the_tile_of_their_number() -> None:
    dumped = GAME.view.dump(begin(4, **SHUFFLED))
    assert (dumped["track"]["10"], dumped["track"]["1"]) == ([1, 1], [10, 10])
    assert (dumped["track"]["11"], dumped["track"]["18"]) == ([18, 18], [11])


def test_who_lands_on_a_space_takes_the_number_that_lies_there() -> None:
    after = ruled(begin(**SHUFFLED), "red advance 11")
    assert (seat_of(after)["bonus"], seat_of(after)["track"]) == ([18], 11)


def test_who_gets_a_building_takes_the_token_that_lies_there() -> None:
    after = ruled(begin(**SHUFFLED), "reveal 1 montmartre-1", "key arc", "move arc montmartre-1")
    assert seat_of(after)["prestige"] == {"bronze": 0, "silver": 1, "gilt": 0}


def test_free_placement_goes_with_the_advanced_game() -> None:
    state = begin(3, **advanced(track={1: 2, 2: 1}, variant="free_placement"))
    dumped = GAME.view.dump(state)
    assert (dumped["stacks"], dumped["track"]["1"]) == ([12, 12, 12], [2])
    assert all("district" in choice for choice in legal(state))


# Defaults and what is refused


@pytest.mark.parametrize(
    ("given", "normal"),
    [
        ({}, {"advanced": False, "variant": None}),
        ({"advanced": False}, {"advanced": False, "variant": None}),
        ({"variant": None}, {"advanced": False, "variant": None}),
        ({"variant": "free_placement"}, {"advanced": False, "variant": "free_placement"}),
        (SHUFFLED, {**SHUFFLED, "variant": None}),
        (advanced(variant="free_placement"), advanced(variant="free_placement")),
    ],
    ids=str,
)
def test_a_set_up_is_written_with_every_default(given: JsonObject, normal: JsonObject) -> None:
    parsed = GAME.setup.parse(given)
    assert GAME.setup.dump(parsed) == normal
    assert GAME.setup.parse(normal) == parsed


def pointers(setup: object) -> list[str]:
    """Where a set-up is malformed before anybody is seated; fail if it is not."""
    with pytest.raises(Malformed) as caught:
        GAME.setup.parse(setup)
    assert all(error.detail for error in caught.value.errors)
    return [error.pointer for error in caught.value.errors]


def without(member: str, name: str) -> JsonObject:
    """An advanced set-up that leaves something out."""
    setup = advanced()
    del setup[member][name]
    return setup


ADVANCED = advanced()


@pytest.mark.parametrize(
    ("setup", "expected"),
    [
        (None, [""]),
        ([], [""]),
        ("advanced", [""]),
        ({"advanced": "true"}, ["/advanced"]),
        ({"advanced": 1}, ["/advanced"]),
        ({"advanced": None}, ["/advanced"]),
        ({"variant": "free"}, ["/variant"]),
        ({"variant": True}, ["/variant"]),
        ({"variant": []}, ["/variant"]),
        ({"first": "red"}, ["/first"]),
        ({"tokens": BASIC_TOKENS}, ["/tokens"]),
        ({"advanced": False, "track": BASIC_TRACK}, ["/track"]),
        ({"advanced": False, "tokens": BASIC_TOKENS, "track": BASIC_TRACK}, ["/tokens", "/track"]),
        ({"advanced": True}, ["/tokens", "/track"]),
        ({"advanced": True, "tokens": BASIC_TOKENS}, ["/track"]),
        ({"advanced": True, "track": BASIC_TRACK}, ["/tokens"]),
        ({**ADVANCED, "tokens": None}, ["/tokens"]),
        ({**ADVANCED, "track": list(range(1, 31))}, ["/track"]),
        ({**ADVANCED, "seats": 2}, ["/seats"]),
        (advanced({"montmartre-1": "gold"}), ["/tokens/montmartre-1"]),
        (advanced({"montmartre-1": "stone"}), ["/tokens/montmartre-1"]),
        (advanced({"montmartre-8": "wood"}), ["/tokens/montmartre-8"]),
        (advanced({"montmartre-7": "wood"}), ["/tokens/montmartre-7"]),
        (advanced(track={7: 0}), ["/track/7"]),
        (advanced(track={7: 31}), ["/track/7"]),
        (advanced(track={31: 7}), ["/track/31"]),
        ({**ADVANCED, "track": {**BASIC_TRACK, "7": "7"}}, ["/track/7"]),
        ({**ADVANCED, "track": {**BASIC_TRACK, "7": 7.0}}, ["/track/7"]),
        ({**ADVANCED, "track": {**BASIC_TRACK, "7": True}}, ["/track/7"]),
        (without("tokens", "chaillot-5"), ["/tokens/chaillot-5"]),
        (without("track", "30"), ["/track/30"]),
    ],
    ids=lambda value: repr(value)[:60],
)
def test_a_malformed_set_up_is_refused_at_its_place(setup: object, expected: list[str]) -> None:
    assert pointers(setup) == expected


def wrong_start(setup: Mapping[str, Any], edition: Any = EDITION) -> list[str]:
    """Where a match cannot begin; fail if it can."""
    with pytest.raises(Malformed) as caught:
        begin(SEATS, edition, **setup)
    assert all(error.detail for error in caught.value.errors)
    return [error.pointer for error in caught.value.errors]


@pytest.mark.parametrize(
    "tokens",
    [{"montmartre-1": "silver"}, {"montmartre-3": "wood", "montmartre-4": "wood"}, {"chaillot-5": "gilt"}],
    ids=str,
)
def test_every_kind_of_token_occurs_six_times(tokens: dict[str, str]) -> None:
    assert wrong_start(advanced(tokens)) == ["/tokens"]


@pytest.mark.parametrize(
    ("track", "expected"),
    [
        ({2: 1}, ["/track/2"]),
        ({2: 1, 3: 1}, ["/track/2", "/track/3"]),
        ({10: 11, 11: 10}, ["/track/10", "/track/11"]),
        ({20: 21, 21: 20}, ["/track/20", "/track/21"]),
        ({1: 30, 30: 1}, ["/track/1", "/track/30"]),
        ({30: 20}, ["/track/30", "/track/30"]),
    ],
    ids=str,
)
def test_every_number_lies_once_and_in_its_zone(track: dict[int, int], expected: list[str]) -> None:
    assert wrong_start(advanced(track=track)) == expected


def test_the_zones_are_those_of_the_edition() -> None:
    swapped = advanced(track={10: 11, 11: 10})
    wider = edition_with({"zones/A": [1, 12], "zones/B": [13, 20]})
    assert GAME.view.dump(begin(edition=wider, **swapped))["track"]["10"] == [11]
    assert wrong_start(advanced(track={12: 13, 13: 12}), wider) == ["/track/12", "/track/13"]


def test_everything_that_is_wrong_is_told_at_once() -> None:
    setup = advanced({"montmartre-1": "silver"}, {2: 1})
    assert wrong_start(setup) == ["/tokens", "/track/2"]
