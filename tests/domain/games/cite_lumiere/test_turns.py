"""Whose turn it is: phases, passes, skipped turns and the end of a match."""

import pytest

from domain.game import Refusal
from domain.games.cite_lumiere.state import State
from tests.domain.games.cite_lumiere.positions import (
    EDITION,
    FIRST_GAME,
    GAME,
    HALVES,
    RIVAL,
    begin,
    code,
    drawn,
    edition_with,
    legal,
    paved,
    play,
    seat_of,
)

SQUARES = [f"{column}{row}" for row in "1357" for column in "aceg"]
ALL_TAKES = "I3 L4 L6 O4 P5 S4 T4 T5 U6 V3 W5 X5".split()
SPENT = ("orange sacre_coeur", "orange levitation", "orange lampadaire", "orange le_peintre")
RIVAL_SPENT = ("blue jardin_des_plantes", "blue bouquinistes", "blue metropolitain", "blue chartier")


def phase(state: State) -> str:
    """The phase as the wire says."""
    name: str = GAME.view.dump(state)["phase"]
    return name


def types(state: State) -> set[str]:
    """The types of the legal moves."""
    return {move["type"] for move in legal(state)}


def paving(*seats: str) -> State:
    """A match after so many tiles of these seats in this order, whoever was to move."""
    counts = dict.fromkeys(RIVAL, 0)
    state = begin()
    for square, seat in zip(SQUARES, seats, strict=False):
        counts[seat] += 1
        state = play(state, f"{seat} pave {seat[0].upper()}{counts[seat]} {square} 0", ruled=True)
    return state


# Set-up


@pytest.mark.parametrize("seat", ["orange", "blue"])
def test_the_first_player_of_the_set_up_begins(seat: str) -> None:
    state = begin(first=seat)
    assert (state.to_move, state.to_move, state.ply, phase(state)) == (seat, seat, 0, "paving")


def test_the_order_in_which_the_seats_are_named_does_not_matter() -> None:
    setup = GAME.setup.parse({"first": "blue", "postcards": list(FIRST_GAME)})
    assert GAME.view.dump(GAME.rules.start(setup, ("blue", "orange"), EDITION)) == GAME.view.dump(begin(first="blue"))


# Phase 1


def test_turns_of_the_first_phase_alternate() -> None:
    state = begin()
    for line in ("pave O1 a1 0", "take U6", "take L4", "pave B1 c1 0"):
        seat = state.to_move
        state = play(state, line)
        assert state.to_move != seat


def test_a_seat_may_take_as_many_buildings_as_there_are() -> None:
    state = begin()
    for building, tile in zip(ALL_TAKES[:8], range(1, 9), strict=True):
        state = play(state, f"take {building}", f"pave B{tile} {SQUARES[tile - 1]} 0")
    for building in ALL_TAKES[8:]:
        state = play(state, f"take {building}", "pass")
    assert seat_of(state, "orange")["reserve"] == ALL_TAKES
    assert GAME.view.dump(state)["supply"] == []


def test_with_tiles_left_a_seat_paves_or_takes() -> None:
    assert types(begin()) == {"pave", "take"}


def test_with_tiles_left_and_an_empty_supply_a_seat_must_pave() -> None:
    state = play(begin(), *(f"orange take {building}" for building in ALL_TAKES), ruled=True)
    assert types(state) == {"pave"}
    assert (code(state, "pass"), code(state, "take I3")) == ("pass_with_tiles", "not_in_supply")


def test_without_tiles_a_seat_takes_or_passes() -> None:
    state = play(paving(*["orange"] * 8), "blue take U6")
    assert types(state) == {"take", "pass"}


def test_without_tiles_and_with_an_empty_supply_a_seat_can_only_pass() -> None:
    state = play(paving(*["orange"] * 8), *(f"blue take {building}" for building in ALL_TAKES), ruled=True)
    assert state.to_move == "orange"
    assert legal(state) == [{"type": "pass"}]


def test_a_pass_of_the_first_phase_is_not_final() -> None:
    state = play(paving(*["orange"] * 8), "blue pave B1 a5 0", "pass", "blue take I3")
    assert (state.to_move, seat_of(state, "orange")["passed"]) == ("orange", False)
    assert play(state, "take U6").to_move == "blue"


# The change of phase


def test_the_first_phase_ends_with_the_sixteenth_tile() -> None:
    fifteen = paving(*["orange"] * 8, *["blue"] * 7)
    assert phase(fifteen) == "paving"
    last = play(fifteen, f"blue pave B8 {SQUARES[15]} 0", ruled=True)
    assert phase(last) == "building"
    assert types(last) == {"postcard"}


@pytest.mark.parametrize("last", ["orange", "blue"])
def test_who_first_placed_his_eighth_tile_begins_the_second_phase(last: str) -> None:
    state = paving(*[RIVAL[last]] * 8, *[last] * 8)
    assert (phase(state), state.to_move) == ("building", RIVAL[last])


def test_the_second_phase_begins_alike_after_alternating_turns() -> None:
    state = begin()
    for number, (one, two) in enumerate(zip(SQUARES[::2], SQUARES[1::2], strict=True), 1):
        state = play(state, f"pave O{number} {one} 0", f"pave B{number} {two} 0")
    assert (phase(state), state.to_move) == ("building", "orange")


def test_the_second_phase_begins_with_who_paved_first_though_his_rival_then_took() -> None:
    state = play(paving(*["blue"] * 8, *["orange"] * 7), "blue take U6", "take L4", "pass", ruled=True)
    state = play(state, f"orange pave O8 {SQUARES[15]} 0")
    assert (phase(state), state.to_move) == ("building", "blue")


# Phase 2


def test_turns_of_the_second_phase_alternate() -> None:
    state = play(paved(), "chartier", "metropolitain", "sacre_coeur")
    assert state.to_move == "blue"


def test_with_a_token_a_seat_cannot_pass() -> None:
    assert types(paved()) == {"postcard"}
    assert types(paved(orange="I3")) == {"postcard", "build"}


def test_without_a_token_a_seat_must_build_what_it_can() -> None:
    state = drawn(HALVES, *SPENT, orange="I3")
    assert types(state) == {"build"}
    assert code(state, "pass") == "pass_with_building"


def test_a_seat_that_can_build_may_choose_a_build_that_uses_a_right() -> None:
    state = drawn(HALVES, "orange metropolitain", *SPENT[:3], orange="I3")
    assert {"type": "build", "building": "I3", "cells": ["a4", "b4", "c4"]} in legal(state)
    assert code(state, "pass") == "pass_with_building"


@pytest.mark.parametrize(("right", "other"), [("metropolitain", "l"), ("chartier", "b")])
def test_a_seat_that_can_build_only_by_a_right_builds_or_passes(right: str, other: str) -> None:
    board = f"oo{other}" + other * 61
    state = drawn(board, f"orange {right}", *SPENT[:3], orange="I3", blue="X5")
    assert legal(state) == [{"type": "build", "building": "I3", "cells": ["a1", "b1", "c1"]}, {"type": "pass"}]
    passed = play(state, "pass")
    assert (seat_of(passed, "orange")["passed"], passed.to_move) == (True, "blue")
    assert play(passed, "chartier" if right == "metropolitain" else "metropolitain").to_move == "blue"


def test_a_right_that_helps_nothing_is_no_reason_to_move() -> None:
    state = drawn("oo" + "l" * 62, "orange metropolitain", *SPENT[:3], orange="L4", turn="blue")
    assert play(state, "chartier").to_move == "blue"


def test_a_seat_that_can_do_nothing_is_skipped_without_a_pass() -> None:
    state = drawn(HALVES, *SPENT, "orange build I3 a1 b1 c1", orange="I3", turn="blue")
    after = play(state, "chartier")
    assert (after.to_move, after.ply) == ("blue", state.ply + 1)
    assert not seat_of(after, "orange")["passed"]
    assert code(after, "orange pass") == "skipped"


def test_a_seat_without_a_token_that_can_build_is_not_skipped() -> None:
    full = drawn(HALVES, *SPENT, orange="I3", turn="blue")
    assert play(full, "chartier").to_move == "orange"


def test_a_pass_is_final_even_if_a_build_becomes_possible() -> None:
    board = "ool" + "l" * 61
    state = drawn(board, "orange metropolitain", *SPENT[:3], orange="I3", blue="X5")
    passed = play(state, "pass")
    for card in ("chartier", "bouquinistes"):
        passed = play(passed, f"blue {card}")
        assert passed.to_move == "blue"
    assert code(passed, "orange build I3 a1 b1 c1") == "not_your_turn"


def test_a_seat_is_skipped_once_the_rival_has_covered_its_last_place() -> None:
    board = "ooxbb" + "l" * 59
    state = drawn(board, *SPENT, orange="I3", turn="blue")
    assert play(state, "jardin_des_plantes d1 e1").to_move == "orange"
    assert play(state, "jardin_des_plantes c1 d1").to_move == "blue"


# The end


def test_the_match_ends_when_neither_can_move() -> None:
    state = play(paved(), *(card.removeprefix("orange ") for card in SPENT[:3]), *(FIRST_GAME[1:2]), *FIRST_GAME[2:3])
    assert phase(state) == "building"
    state = play(state, "chartier", "bouquinistes", "le_peintre")
    assert (phase(state), state.to_move, legal(state)) == ("over", None, [])


def test_the_match_ends_with_the_last_building() -> None:
    state = drawn(HALVES, *SPENT, *RIVAL_SPENT, orange="I3")
    after = play(state, "build I3 a1 b1 c1")
    assert phase(after) == "over" and GAME.rules.result(after) is not None


def test_the_match_ends_with_the_last_pass() -> None:
    board = "ool" + "l" * 61
    state = drawn(
        board, "orange metropolitain", *SPENT[:3], "blue le_peintre", *RIVAL_SPENT[:2], "blue chartier", orange="I3"
    )
    after = play(state, "pass")
    assert (phase(after), seat_of(after, "blue")["passed"]) == ("over", False)


def test_the_match_does_not_end_while_a_token_is_left() -> None:
    one = edition_with({"action_tokens": 1})
    state = paved(edition=one)
    assert play(state, "chartier").to_move == "blue"
    assert play(state, "chartier", "levitation").to_move is None


def test_nothing_is_accepted_after_the_end() -> None:
    over = play(drawn(HALVES, *SPENT, *RIVAL_SPENT, orange="I3"), "build I3 a1 b1 c1")
    for ruled in (False, True):
        for line in ("orange pass", "blue pass", "orange build I3 a1 b1 c1", "blue chartier", "orange take U6"):
            with pytest.raises(Refusal) as caught:
                play(over, line, ruled=ruled)
            assert caught.value.code == "match_over"
