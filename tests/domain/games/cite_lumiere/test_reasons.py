"""For every reason of a refusal a refused move with its legal twin, and what table rulings do."""

from operator import attrgetter

import pytest

from domain.game import Kind
from domain.games.cite_lumiere.reasons import REASONS
from domain.games.cite_lumiere.state import State
from tests.domain.cases import Case, assert_told_in_every_language
from tests.domain.games.cite_lumiere.positions import (
    GAME,
    HALVES,
    OTHERS,
    begin,
    card_of,
    code,
    drawn,
    edition_with,
    legal,
    paved,
    piece_of,
    play,
    refusal,
    score_of,
    seat_of,
    written,
)

PHYSICAL, RULE = Kind.PHYSICAL, Kind.RULE

OPENING = begin()
SPENT_BY_ORANGE = ("orange sacre_coeur", "orange levitation", "orange lampadaire", "orange le_peintre")
LAST_TOKEN = play(
    *(paved(),),
    *("chartier", "metropolitain", "sacre_coeur", "levitation", "lampadaire", "le_peintre", "bouquinistes"),
)
OVER = play(LAST_TOKEN, "blue jardin_des_plantes")
ORANGE_PAVED = play(
    OPENING,
    *(f"orange pave O{n} {at} 0" for n, at in zip(range(1, 9), "a1 c1 e1 g1 a3 c3 e3 g3".split(), strict=True)),
    ruled=True,
)
READY = drawn(HALVES, orange="L4 I3 V3", blue="X5")
"""Orange to move with three buildings, blue with one, all tokens there."""
ARMED = drawn(HALVES, "orange metropolitain", "orange chartier", orange="L4 I3 V3", blue="X5")
ONLY_METROPOLITAIN = drawn(HALVES, "orange metropolitain", orange="I3")
ONLY_CHARTIER = drawn(HALVES, "orange chartier", orange="I3")
BUILT = drawn(HALVES, "orange build L4 a1 b1 b2 b3", "blue build X5 g1 f2 g2 h2 g3", orange="L4 I3 V3", blue="X5")
TWO_BUILT = drawn(HALVES, "orange build I3 a1 a2 a3", "orange build V3 d1 c2 d2", orange="L4 I3 V3", blue="X5")
ONE_CHIMNEY = drawn(HALVES, "orange build I3 a1 a2 a3", orange="L4 I3 V3", edition=edition_with({"chimneys": 1}))
COVERED = drawn(HALVES, "orange metropolitain", "orange build I3 a4 b4 c4", orange="I3", cards=OTHERS)
STATUES = drawn(HALVES, "orange build I3 a1 a2 a3", orange="I3 L4", blue="X5", cards=OTHERS)
STUCK = drawn(HALVES, *SPENT_BY_ORANGE, blue="X5", turn="blue")
"""Orange has neither token nor building."""
NO_TOKEN = drawn(HALVES, *SPENT_BY_ORANGE, orange="L4", blue="X5")
LAMPS = drawn("l" * 64, "orange metropolitain", *SPENT_BY_ORANGE[:3], orange="L4", blue="X5", turn="blue")
"""Orange could cover one lamp, and every space is one."""
BY_RIGHT = drawn(
    "oollllll ollllllx" + "l" * 48, "orange metropolitain", *SPENT_BY_ORANGE[:3], orange="O4 L4", blue="X5"
)
"""Orange can build at a1 only by covering the lamp at b2."""


NAME = attrgetter("name")

CASES = (
    Case("match_over", PHYSICAL, "5.5", OVER, "blue jardin_des_plantes", "blue jardin_des_plantes", LAST_TOKEN),
    Case("match_over", PHYSICAL, "5.5", OVER, "orange pass", "blue jardin_des_plantes", LAST_TOKEN),
    Case("wrong_phase", PHYSICAL, "3.2", OPENING, "orange build L4 a1 b1 b2 b3", "orange build L4 a1 b1 b2 b3", READY),
    Case("wrong_phase", PHYSICAL, "3.2", OPENING, "orange chartier", "orange chartier", READY),
    Case("wrong_phase", PHYSICAL, "3.2", READY, "orange pave O1 a1 0", "orange pave O1 a1 0", OPENING),
    Case("wrong_phase", PHYSICAL, "3.2", READY, "orange take U6", "orange take U6", OPENING),
    Case("not_your_turn", RULE, "3.2", OPENING, "blue take U6", "orange take U6"),
    Case("not_your_turn", RULE, "3.2", OPENING, "blue pave B1 a1 0", "orange pave O1 a1 0"),
    Case("not_your_turn", RULE, "3.2", READY, "blue chartier", "orange chartier"),
    Case("not_your_turn", RULE, "3.2", READY, "blue build X5 g1 f2 g2 h2 g3", "orange build L4 a1 b1 b2 b3"),
    Case("not_a_square", PHYSICAL, "1.2", OPENING, "orange pave O1 b2 0", "orange pave O1 a1 0"),
    Case("not_a_square", PHYSICAL, "1.2", OPENING, "orange pave O1 b1 0", "orange pave O1 c1 0"),
    Case("not_a_square", PHYSICAL, "1.2", OPENING, "orange pave O1 g8 0", "orange pave O1 g7 0"),
    Case("square_taken", PHYSICAL, "4.1", play(OPENING, "pave O1 c3 0"), "blue pave B1 c3 0", "blue pave B1 c1 0"),
    Case("tile_not_yours", PHYSICAL, "4.1", OPENING, "orange pave B1 a1 0", "orange pave O1 a1 0"),
    Case(
        "tile_placed",
        PHYSICAL,
        "4.1",
        play(OPENING, "pave O1 a1 0", "pave B1 c1 0"),
        "orange pave O1 e1 0",
        "orange pave O2 e1 0",
    ),
    Case("not_in_supply", PHYSICAL, "4.2", play(OPENING, "take U6"), "blue take U6", "blue take L6"),
    Case("not_in_supply", PHYSICAL, "4.2", play(OPENING, "take U6", "take L6"), "orange take U6", "orange take O4"),
    Case(
        "not_in_supply",
        PHYSICAL,
        "4.2",
        READY,
        "orange levitation I3 L4 a1 b1 b2 b3",
        "orange levitation I3 O4 a1 b1 a2 b2",
    ),
    Case(
        "not_in_supply",
        PHYSICAL,
        "4.2",
        READY,
        "orange levitation I3 X5 b1 a2 b2 c2 b3",
        "orange levitation I3 O4 a1 b1 a2 b2",
    ),
    Case(
        "not_in_supply",
        PHYSICAL,
        "4.2",
        READY,
        "orange levitation I3 I3 a1 a2 a3",
        "orange levitation I3 O4 a1 b1 a2 b2",
    ),
    Case("pass_with_tiles", RULE, "4.3", OPENING, "orange pass", "orange pass", play(ORANGE_PAVED, "take U6")),
    Case("pass_with_tiles", RULE, "4.3", ORANGE_PAVED, "blue pass", "orange pass", play(ORANGE_PAVED, "take U6")),
    Case("not_in_reserve", PHYSICAL, "5.1", READY, "orange build O4 a1 b1 a2 b2", "orange build L4 a1 b1 b2 b3"),
    Case("not_in_reserve", PHYSICAL, "5.1", READY, "orange build X5 b1 a2 b2 c2 b3", "orange build L4 a1 b1 b2 b3"),
    Case("not_in_reserve", PHYSICAL, "5.1", BUILT, "orange build L4 a5 b5 b6 b7", "orange build I3 a5 b5 c5"),
    Case(
        "not_in_reserve",
        PHYSICAL,
        "5.1",
        READY,
        "orange levitation P5 O4 a1 b1 a2 b2",
        "orange levitation V3 O4 a1 b1 a2 b2",
    ),
    Case(
        "no_chimney", PHYSICAL, "5.1", ONE_CHIMNEY, "orange build L4 a5 b5 b6 b7", "orange build L4 a5 b5 b6 b7", READY
    ),
    Case(
        "no_chimney",
        PHYSICAL,
        "5.1",
        ONE_CHIMNEY,
        "orange jardin_des_plantes a5 a6",
        "orange jardin_des_plantes a5 a6",
        READY,
    ),
    Case(
        "no_chimney",
        PHYSICAL,
        "5.1",
        ONE_CHIMNEY,
        "orange levitation L4 O4 a5 b5 a6 b6",
        "orange levitation L4 O4 a5 b5 a6 b6",
        READY,
    ),
    Case("shape_mismatch", PHYSICAL, "5.1", READY, "orange build L4 a1 b1 a2 b2", "orange build L4 a1 b1 b2 b3"),
    Case("shape_mismatch", PHYSICAL, "5.1", READY, "orange build L4 a1 b1 a2 a3", "orange build L4 a1 a2 a3 b3"),
    Case("shape_mismatch", PHYSICAL, "5.1", READY, "orange build I3 a1 a2", "orange build I3 a1 a2 a3"),
    Case("shape_mismatch", PHYSICAL, "5.1", READY, "orange build I3 a1 a2 a3 a5", "orange build I3 a1 a2 a3"),
    Case("shape_mismatch", PHYSICAL, "5.1", READY, "orange build I3 g1 h1 a2", "orange build I3 a2 b2 c2"),
    Case(
        "shape_mismatch", PHYSICAL, "5.1", READY, "orange jardin_des_plantes a1 b2", "orange jardin_des_plantes a1 b1"
    ),
    Case(
        "shape_mismatch",
        PHYSICAL,
        "5.1",
        READY,
        "orange jardin_des_plantes a1 b1 c1",
        "orange jardin_des_plantes a1 a2",
    ),
    Case(
        "shape_mismatch",
        PHYSICAL,
        "5.1",
        READY,
        "orange levitation L4 O4 a1 b1 a2 a3",
        "orange levitation L4 O4 a1 b1 a2 b2",
    ),
    Case(
        "shape_mismatch", PHYSICAL, "5.1", STATUES, "orange fontaine_des_mers b1 b3", "orange fontaine_des_mers b1 b2"
    ),
    Case("space_not_free", PHYSICAL, "5.1", BUILT, "orange build I3 b3 b4 b5", "orange build I3 b4 b5 b6"),
    Case(
        "space_not_free", PHYSICAL, "5.1", BUILT, "orange jardin_des_plantes a1 a2", "orange jardin_des_plantes a2 a3"
    ),
    Case(
        "space_not_free",
        PHYSICAL,
        "5.1",
        BUILT,
        "orange levitation I3 O4 a1 b1 a2 b2",
        "orange levitation I3 O4 c1 c2 d1 d2",
    ),
    Case("space_not_free", PHYSICAL, "5.1", BUILT, "orange le_peintre b2", "orange le_peintre a2"),
    Case("space_not_free", PHYSICAL, "5.1", BUILT, "orange lampadaire b2", "orange lampadaire a2"),
    Case("space_not_free", PHYSICAL, "5.1", BUILT, "orange bouquinistes b2", "orange bouquinistes a2"),
    Case("space_not_free", PHYSICAL, "5.1", STATUES, "orange moulin_rouge a2", "orange moulin_rouge b2"),
    Case("space_not_free", PHYSICAL, "5.1", STATUES, "orange le_penseur a2 e", "orange le_penseur b2 e"),
    Case(
        "space_not_free", PHYSICAL, "5.1", STATUES, "orange fontaine_des_mers a3 b3", "orange fontaine_des_mers b3 c3"
    ),
    Case("space_not_free", PHYSICAL, "5.1", COVERED, "orange la_grande_lumiere c4", "orange la_grande_lumiere g4"),
    Case("wrong_colour", RULE, "5.1", READY, "orange build I3 c1 d1 e1", "orange build I3 b1 c1 d1"),
    Case("wrong_colour", RULE, "5.1", READY, "orange build I3 c1 d1 e1", "orange build I3 c1 d1 e1", ARMED),
    Case("wrong_colour", RULE, "5.1", ONLY_METROPOLITAIN, "orange build I3 c1 d1 e1", "orange build I3 a4 b4 c4"),
    Case("lamp_covered", RULE, "5.1", ONLY_CHARTIER, "orange build I3 a4 b4 c4", "orange build I3 c1 d1 e1"),
    Case("wrong_colour", RULE, "5.1", ARMED, "orange build I3 d1 e1 f1", "orange build I3 c1 d1 e1"),
    Case("wrong_colour", RULE, "5.1", READY, "orange jardin_des_plantes d1 e1", "orange jardin_des_plantes d3 e3"),
    Case(
        "wrong_colour", RULE, "5.1", READY, "orange levitation L4 O4 d1 e1 d2 e2", "orange levitation L4 O4 c1 d1 c2 d2"
    ),
    Case("wrong_colour", RULE, "5.1", STATUES, "orange fontaine_des_mers d1 e1", "orange fontaine_des_mers e3 e4"),
    Case("lamp_covered", RULE, "5.1", READY, "orange build I3 a4 b4 c4", "orange build I3 a5 b5 c5"),
    Case("lamp_covered", RULE, "5.1", READY, "orange build I3 a4 b4 c4", "orange build I3 a4 b4 c4", ARMED),
    Case("lamp_covered", RULE, "5.1", READY, "orange jardin_des_plantes c4 d4", "orange jardin_des_plantes d4 e4"),
    Case(
        "lamp_covered", RULE, "5.1", READY, "orange levitation I3 O4 c4 d4 c5 d5", "orange levitation I3 O4 c5 d5 c6 d6"
    ),
    Case(
        "lamp_covered",
        RULE,
        "5.1",
        drawn(HALVES, "orange metropolitain", cards=OTHERS),
        "orange fontaine_des_mers c4 d4",
        "orange fontaine_des_mers d4 e4",
    ),
    Case("card_not_in_play", PHYSICAL, "3.1", READY, "orange moulin_rouge", "orange moulin_rouge", STATUES),
    Case("card_not_in_play", PHYSICAL, "3.1", READY, "orange le_penseur b2 n", "orange le_penseur b2 n", STATUES),
    Case("card_taken", PHYSICAL, "5.2", ARMED, "orange chartier", "orange levitation"),
    Case("card_taken", PHYSICAL, "5.2", play(ARMED, "lampadaire b2"), "blue lampadaire h1", "blue le_peintre h1"),
    Case(
        "no_token",
        PHYSICAL,
        "5.2",
        NO_TOKEN,
        "orange chartier",
        "blue chartier",
        play(NO_TOKEN, "build L4 a1 b1 b2 b3"),
    ),
    Case("pass_with_token", RULE, "5.3", paved(), "orange pass", "orange pass", BY_RIGHT),
    Case("pass_with_building", RULE, "5.3", NO_TOKEN, "orange pass", "orange pass", BY_RIGHT),
    Case("skipped", PHYSICAL, "5.4", STUCK, "orange pass", "orange pass", BY_RIGHT),
    Case("skipped", PHYSICAL, "5.4", LAMPS, "orange pass", "orange pass", BY_RIGHT),
    Case("not_own_colour", RULE, "6.1", READY, "orange le_peintre c3", "orange le_peintre b3"),
    Case("not_own_colour", RULE, "6.1", READY, "orange le_peintre e1", "orange le_peintre d1"),
    Case("not_own_colour", RULE, "6.1", READY, "orange le_peintre c4", "orange le_peintre d4"),
    Case("not_own_colour", RULE, "6.1", READY, "orange lampadaire h8", "orange lampadaire d8"),
    Case("not_own_colour", RULE, "6.1", BUILT, "orange bouquinistes c3", "orange bouquinistes c2"),
    Case("not_own_colour", RULE, "6.1", STATUES, "orange moulin_rouge c3", "orange moulin_rouge b3"),
    Case("not_own_colour", RULE, "6.1", STATUES, "orange le_penseur c3 n", "orange le_penseur b3 n"),
    Case("not_your_building", PHYSICAL, "6.9", READY, "orange bouquinistes a2", "orange bouquinistes a2", BUILT),
    Case("not_your_building", PHYSICAL, "6.9", BUILT, "orange bouquinistes a2 I3", "orange bouquinistes a2 L4"),
    Case("not_your_building", PHYSICAL, "6.9", BUILT, "orange bouquinistes a2 X5", "orange bouquinistes a2 L4"),
    Case(
        "not_your_building",
        PHYSICAL,
        "6.9",
        BUILT,
        "orange bouquinistes a2 garden",
        "orange bouquinistes a2 garden",
        drawn(HALVES, "orange jardin_des_plantes a3 a4"),
    ),
    Case("annex_unclear", PHYSICAL, "6.9", TWO_BUILT, "orange bouquinistes b2", "orange bouquinistes b2 V3"),
    Case("annex_unclear", PHYSICAL, "6.9", TWO_BUILT, "orange bouquinistes b2", "orange bouquinistes b1"),
    Case("not_adjacent", RULE, "6.9", BUILT, "orange bouquinistes b5", "orange bouquinistes b4"),
    Case("not_adjacent", RULE, "6.9", BUILT, "orange bouquinistes a4", "orange bouquinistes b4"),
    Case("not_adjacent", RULE, "6.9", TWO_BUILT, "orange bouquinistes b1 V3", "orange bouquinistes b1 I3"),
    Case("front_not_free", RULE, "6.13", STATUES, "orange le_penseur b2 w", "orange le_penseur b2 e"),
    Case("front_not_free", RULE, "6.13", STATUES, "orange le_penseur b1 n", "orange le_penseur b1 s"),
    Case("front_not_free", RULE, "6.13", STATUES, "orange le_penseur d8 s", "orange le_penseur d8 e"),
    Case("not_a_lamp", PHYSICAL, "6.14", STATUES, "orange la_grande_lumiere c3", "orange la_grande_lumiere c4"),
)


def test_every_reason_has_a_case() -> None:
    assert {case.code for case in CASES} == set(REASONS) == set(GAME.reasons)


@pytest.mark.parametrize("case", CASES, ids=NAME)
def test_a_wrong_move_is_refused_with_its_reason(case: Case) -> None:
    refused = refusal(case.state, case.move)
    assert (refused.code, refused.kind, refused.rule) == (case.code, case.kind, case.rule)
    assert_told_in_every_language(GAME, refused)
    assert GAME.reasons[case.code].kind is case.kind and GAME.reasons[case.code].rule == case.rule


@pytest.mark.parametrize("case", CASES, ids=NAME)
def test_a_wrong_move_is_not_among_the_legal_ones(case: Case) -> None:
    seat, _, words = case.move.partition(" ")
    assert seat != case.state.to_move or GAME.move.dump(GAME.move.parse(written(words))) not in legal(case.state)


@pytest.mark.parametrize("case", CASES, ids=NAME)
def test_the_legal_twin_is_accepted_and_listed(case: Case) -> None:
    state = case.twin_state or case.state
    seat, _, words = case.twin.partition(" ")
    assert state.to_move == seat
    assert GAME.move.dump(GAME.move.parse(written(words))) in legal(state)
    assert GAME.view.dump(play(state, case.twin))["ply"] == state.ply + 1


@pytest.mark.parametrize("case", [case for case in CASES if case.kind is PHYSICAL], ids=NAME)
def test_a_ruling_never_records_what_cannot_happen(case: Case) -> None:
    assert code(case.state, case.move, ruled=True) == case.code


@pytest.mark.parametrize("case", [case for case in CASES if case.kind is RULE], ids=NAME)
def test_a_ruling_records_what_the_rules_forbid(case: Case) -> None:
    ruled = play(case.state, case.move, ruled=True)
    assert ruled.ply == case.state.ply + 1
    assert GAME.view.dump(ruled)["phase"] in ("paving", "building")


@pytest.mark.parametrize(
    ("state", "line", "expected"),
    [
        pytest.param(play(OPENING, "take U6"), "orange take U6", "not_in_supply", id="turn and supply"),
        pytest.param(OPENING, "blue pave B1 b2 0", "not_a_square", id="turn and square"),
        pytest.param(BUILT, "orange le_peintre g2", "space_not_free", id="colour and free"),
        pytest.param(BUILT, "orange build I3 e1 f1 g1", "space_not_free", id="colour and free of a building"),
        pytest.param(BUILT, "orange bouquinistes g2", "space_not_free", id="colour and free of an annex"),
        pytest.param(
            TWO_BUILT, "orange bouquinistes h8", "annex_unclear", id="colour and several buildings of an annex"
        ),
        pytest.param(BUILT, "orange bouquinistes h8 V3", "not_your_building", id="colour and building of an annex"),
        pytest.param(STATUES, "orange le_penseur a1 n", "space_not_free", id="front and free"),
        pytest.param(READY, "blue build U6 a1 b1 c1 d1 a2 d2", "not_in_reserve", id="turn and reserve"),
        pytest.param(ARMED, "blue chartier", "card_taken", id="turn and card"),
        pytest.param(STUCK, "orange pass", "skipped", id="turn and skipped"),
    ],
)
def test_physical_reasons_come_before_the_rules(state: State, line: str, expected: str) -> None:
    assert code(state, line) == code(state, line, ruled=True) == expected


def test_after_a_paving_out_of_turn_the_rival_of_the_mover_is_next() -> None:
    assert play(OPENING, "blue take U6", ruled=True).to_move == "orange"
    assert play(OPENING, "take U6", "orange pave O1 a1 0", ruled=True).to_move == "blue"


def test_after_a_building_out_of_turn_the_rival_of_the_mover_is_next() -> None:
    assert play(READY, "blue build X5 g1 f2 g2 h2 g3", ruled=True).to_move == "orange"
    assert play(play(READY, "chartier"), "orange levitation", ruled=True).to_move == "blue"


def test_after_any_move_a_rival_who_cannot_move_is_skipped() -> None:
    assert play(STUCK, "blue build X5 g1 f2 g2 h2 g3", ruled=True).to_move == "blue"


def test_a_ruled_pass_with_tiles_keeps_them() -> None:
    ruled = play(OPENING, "orange pass", ruled=True)
    assert (ruled.to_move, len(seat_of(ruled, "orange")["tiles"])) == ("blue", 8)
    assert not seat_of(ruled, "orange")["passed"]


@pytest.mark.parametrize("early", [paved(blue="X5"), NO_TOKEN], ids=["with tokens", "with a building"])
def test_an_early_pass_of_the_second_phase_is_final(early: State) -> None:
    ruled = play(early, "orange pass", ruled=True)
    assert seat_of(ruled, "orange")["passed"] and ruled.to_move == "blue"
    assert play(ruled, "blue chartier").to_move == "blue"


def test_a_second_pass_is_out_of_turn_and_not_skipped() -> None:
    passed = play(paved(), "orange pass", ruled=True)
    assert code(passed, "orange pass") == "not_your_turn"
    assert play(passed, "orange pass", ruled=True).to_move == "blue"


def test_a_move_after_a_pass_can_be_ruled_and_leaves_the_pass_final() -> None:
    passed = play(paved(), "orange pass", ruled=True)
    ruled = play(passed, "orange chartier", ruled=True)
    assert card_of(ruled, "chartier") == ("armed", "orange")
    assert play(ruled, "blue levitation").to_move == "blue"


def test_a_lamp_covered_by_ruling_lights_nothing() -> None:
    lit = drawn(HALVES, "orange build O4 c5 c6 d5 d6", orange="O4 I3", turn="orange")
    assert score_of(lit, "orange")["lit"] == 4 * 2
    ruled = play(lit, "orange build I3 a4 b4 c4", ruled=True)
    assert score_of(ruled, "orange")["lit"] == 4 * 1


def test_a_ruled_building_stands_on_the_rival_s_colour() -> None:
    ruled = play(READY, "orange build I3 e1 f1 g1", ruled=True)
    assert piece_of(ruled, "I3") == {"piece": "I3", "owner": "orange", "cells": ["e1", "f1", "g1"]}
    assert seat_of(ruled, "orange")["chimneys"] == 6


def test_a_ruling_beyond_a_right_uses_it_up() -> None:
    ruled = play(ARMED, "orange build I3 e1 f1 g1", ruled=True)
    assert (card_of(ruled, "chartier"), card_of(ruled, "metropolitain")) == (("taken", "orange"), ("armed", "orange"))


def test_a_fountain_ruled_onto_a_lamp_leaves_metropolitain_unused() -> None:
    armed = drawn(HALVES, "orange metropolitain", cards=OTHERS)
    ruled = play(armed, "orange fontaine_des_mers c4 d4", ruled=True)
    assert (piece_of(ruled, "fountain")["cells"], card_of(ruled, "metropolitain")) == (
        ["c4", "d4"],
        ("armed", "orange"),
    )


def test_a_ruled_painter_stands_on_a_lamp_and_puts_it_out() -> None:
    ruled = play(READY, "orange le_peintre c4", ruled=True)
    assert piece_of(ruled, "painter")["cells"] == ["c4"]
    assert score_of(ruled, "orange")["postcards"] == 2 * 3


def test_a_ruled_annex_joins_the_building_it_names() -> None:
    ruled = play(TWO_BUILT, "orange bouquinistes a8 V3", ruled=True)
    assert piece_of(ruled, "annex")["joins"] == "V3"
    sizes = {building["piece"]: building["size"] for building in score_of(ruled, "orange")["buildings"]}
    assert sizes == {"I3": 3, "V3": 4}


def test_a_ruled_annex_that_touches_nothing_joins_the_only_building() -> None:
    assert piece_of(play(BUILT, "orange bouquinistes a8", ruled=True), "annex")["joins"] == "L4"


def test_a_ruled_annex_on_another_colour_joins_what_it_touches() -> None:
    joined = drawn(HALVES, "orange jardin_des_plantes a8 b8", "orange build I3 d1 d2 d3", orange="I3")
    assert piece_of(play(joined, "orange bouquinistes e1", ruled=True), "annex")["joins"] == "I3"


def test_an_annex_that_touches_none_of_several_buildings_must_name_one_to_be_ruled() -> None:
    assert code(TWO_BUILT, "orange bouquinistes a8", ruled=True) == "annex_unclear"
    assert code(TWO_BUILT, "orange bouquinistes a8 I3") == "not_adjacent"


@pytest.mark.parametrize("line", ["orange le_penseur b2 w", "orange le_penseur b1 n"])
def test_a_ruled_statue_with_a_blocked_front_stands_and_scores_nothing(line: str) -> None:
    ruled = play(STATUES, line, ruled=True)
    assert piece_of(ruled, "statue")["facing"] == line[-1]
    assert score_of(ruled, "orange")["postcards"] == 0


def test_trusted_moves_are_not_checked() -> None:
    assert GAME.rules.apply(OPENING, "blue", GAME.move.parse(written("pass"))).to_move == "orange"
    assert GAME.rules.apply(OVER, "orange", GAME.move.parse(written("pass"))).ply == OVER.ply + 1
