"""What the postcards do, how their effects meet, and what they are worth."""

import pytest

from domain.games.cite_lumiere.moves import Levitate
from domain.games.cite_lumiere.state import State
from tests.domain.games.cite_lumiere.positions import (
    GAME,
    HALVES,
    OTHERS,
    card_of,
    code,
    drawn,
    edition_with,
    legal,
    legal_cells,
    piece_of,
    play,
    score_of,
    seat_of,
)

ORANGE_ROOM = "o" * 64
RIGHTS = ("orange metropolitain", "orange chartier")


def points(state: State, seat: str = "orange") -> int:
    """The points of a seat's stamped cards."""
    worth: int = score_of(state, seat)["postcards"]
    return worth


def lamps(state: State, piece: str, seat: str = "orange") -> int:
    """How many lamps light a building."""
    (number,) = (row["lamps"] for row in score_of(state, seat)["buildings"] if row["piece"] == piece)
    assert isinstance(number, int)
    return number


# Taking a card


@pytest.mark.parametrize("card", ["levitation", "jardin_des_plantes", "le_peintre", "bouquinistes", "lampadaire"])
def test_a_declined_card_is_taken_and_does_nothing(card: str) -> None:
    before = drawn(HALVES, orange="L4")
    after = play(before, card)
    assert card_of(after, card) == ("taken", "orange")
    assert (seat_of(after, "orange")["tokens"], GAME.view.dump(after)["pieces"]) == (3, [])
    assert seat_of(after, "orange")["reserve"] == ["L4"]
    assert (points(after), code(after, f"blue {card}")) == (0, "card_taken")


def test_a_declined_stamped_card_is_worth_nothing() -> None:
    for card in ("moulin_rouge", "fontaine_des_mers", "le_penseur"):
        assert points(play(drawn(HALVES, cards=OTHERS), card)) == 0


def test_every_card_can_be_declined_when_its_effect_is_impossible() -> None:
    nowhere = drawn("l" * 64)
    cards = [move for move in legal(nowhere) if move["type"] == "postcard"]
    assert len(cards) == 8 and all(set(move) == {"type", "card"} for move in cards)


# Levitation


def test_levitation_gives_a_building_back_and_builds_the_other() -> None:
    after = play(drawn(HALVES, orange="L4 I3"), "levitation L4 O4 a1 b1 a2 b2")
    assert piece_of(after, "O4") == {"piece": "O4", "owner": "orange", "cells": ["a1", "a2", "b1", "b2"]}
    assert (seat_of(after, "orange")["reserve"], seat_of(after, "orange")["chimneys"]) == (["I3"], 6)
    assert "L4" in GAME.view.dump(after)["supply"] and "O4" not in GAME.view.dump(after)["supply"]


def test_a_building_given_back_costs_nothing_and_is_nobody_s() -> None:
    before = drawn(HALVES, orange="L4")
    assert score_of(before, "orange")["unbuilt"] == -3
    after = play(before, "levitation L4 O4 a1 b1 a2 b2")
    assert score_of(after, "orange")["unbuilt"] == 0
    after = play(after, "chartier")
    assert code(after, "take L4") == "wrong_phase"
    assert code(after, "build L4 a5 b5 b6 b7") == "not_in_reserve"


def test_levitation_without_a_reserve_can_only_be_declined() -> None:
    bare = drawn(HALVES)
    assert [move for move in legal(bare) if move.get("card") == "levitation"] == [
        {"type": "postcard", "card": "levitation"}
    ]
    assert code(bare, "levitation L4 O4 a1 b1 a2 b2") == "not_in_reserve"


def test_levitation_cannot_build_the_building_it_gives() -> None:
    assert code(drawn(HALVES, orange="L4"), "levitation L4 L4 a1 b1 b2 b3") == "not_in_supply"


def test_levitation_offers_every_building_of_the_reserve_for_every_one_of_the_supply() -> None:
    moves = [move for move in legal(drawn(HALVES, orange="L4 I3", blue="X5")) if "give" in move]
    assert {move["give"] for move in moves} == {"L4", "I3"}
    assert {move["take"] for move in moves} == {"L6", "O4", "P5", "S4", "T4", "T5", "U6", "V3", "W5"}


def test_what_levitation_would_give_does_not_depend_on_the_building_that_it_gives_back() -> None:
    state = drawn(HALVES, orange="L4 I3")
    moves = [move for move in GAME.rules.legal_moves(state) if isinstance(move, Levitate)]
    before = GAME.rules.totals(state)["orange"]
    for move, gain in zip(moves, GAME.telling.gains(state, moves), strict=True):
        assert gain.points == GAME.rules.totals(GAME.rules.apply(state, "orange", move))["orange"] - before
    assert {move.give for move in moves} == {"L4", "I3"}


def test_levitation_with_chartier_builds_on_one_rival_space() -> None:
    after = play(drawn(HALVES, "orange chartier", orange="L4"), "levitation L4 I3 c1 d1 e1")
    assert card_of(after, "chartier") == ("taken", "orange")
    assert card_of(after, "levitation") == ("taken", "orange")


def test_levitation_with_metropolitain_covers_one_lamp() -> None:
    after = play(drawn(HALVES, "orange metropolitain", orange="L4"), "levitation L4 I3 a4 b4 c4")
    assert card_of(after, "metropolitain") == ("taken", "orange")
    assert card_of(after, "levitation") == ("taken", "orange")


# Metropolitain and Chartier


def test_a_right_is_armed_when_taken_and_stays_so_if_unused() -> None:
    state = play(drawn(HALVES, orange="I3"), "metropolitain", "chartier", "build I3 a1 b1 c1")
    assert card_of(state, "metropolitain") == ("armed", "orange")
    assert card_of(state, "chartier") == ("armed", "blue")
    assert score_of(state, "orange")["postcards"] == 0


def test_a_right_is_only_its_owner_s() -> None:
    state = drawn(HALVES, "orange chartier", blue="I3", turn="blue")
    assert code(state, "build I3 d1 e1 f1") == "wrong_colour"


def test_a_right_cannot_be_used_before_it_is_taken() -> None:
    state = drawn(HALVES, orange="I3")
    assert code(state, "build I3 a4 b4 c4") == "lamp_covered"
    later = play(state, "metropolitain", "sacre_coeur")
    assert card_of(play(later, "build I3 a4 b4 c4"), "metropolitain") == ("taken", "orange")


def test_a_right_is_used_once() -> None:
    state = play(drawn(HALVES, *RIGHTS, orange="I3 V3 L4"), "build I3 a4 b4 c4", "blue sacre_coeur")
    assert code(state, "build V3 c7 c8 d8") == "lamp_covered"
    state = play(state, "build V3 d2 e2 d1", "blue levitation")
    assert (card_of(state, "metropolitain"), card_of(state, "chartier")) == (("taken", "orange"),) * 2
    assert code(state, "build L4 d5 e5 e6 e7") == "wrong_colour"


def test_both_rights_serve_one_building() -> None:
    board = "olb" + "o" * 61
    after = play(drawn(board, *RIGHTS, orange="I3"), "build I3 a1 b1 c1")
    assert (card_of(after, "metropolitain"), card_of(after, "chartier")) == (("taken", "orange"),) * 2


def test_a_building_may_use_one_of_two_rights() -> None:
    after = play(drawn(HALVES, *RIGHTS, orange="I3"), "build I3 c1 d1 e1")
    assert (card_of(after, "metropolitain"), card_of(after, "chartier")) == (("armed", "orange"), ("taken", "orange"))


def test_a_right_covers_no_more_than_one_space() -> None:
    state = drawn("bbollo" + "o" * 58, *RIGHTS, orange="I3 L4")
    assert code(state, "build I3 a1 b1 c1") == "wrong_colour"
    assert code(state, "build I3 d1 e1 f1") == "lamp_covered"
    assert legal_cells_of(state, "I3").isdisjoint({"a1b1c1", "d1e1f1", "c1d1e1"})
    assert {"b1c1d1", "a1a2a3"} <= legal_cells_of(state, "I3")


def legal_cells_of(state: State, building: str) -> set[str]:
    """Where a building may be built, its spaces joined."""
    return {"".join(move["cells"]) for move in legal(state) if move.get("building") == building and "cells" in move}


def test_mixed_spaces_need_no_right() -> None:
    after = play(drawn(HALVES, *RIGHTS, orange="I3"), "build I3 c3 d3 e3")
    assert (card_of(after, "metropolitain"), card_of(after, "chartier")) == (("armed", "orange"),) * 2


@pytest.mark.parametrize(
    ("spaces", "used"),
    [("c4 d4", "metropolitain"), ("d1 e1", "chartier")],
)
def test_the_garden_may_use_a_right(spaces: str, used: str) -> None:
    after = play(drawn(HALVES, *RIGHTS), f"jardin_des_plantes {spaces}")
    assert [card for card in ("metropolitain", "chartier") if card_of(after, card)[0] == "taken"] == [used]


def test_the_garden_may_use_both_rights() -> None:
    after = play(drawn("lb" + "o" * 62, *RIGHTS), "jardin_des_plantes a1 b1")
    assert (card_of(after, "metropolitain"), card_of(after, "chartier")) == (("taken", "orange"),) * 2


def test_a_covered_lamp_lights_nothing_more() -> None:
    before = drawn("olo" + "o" * 61, "orange metropolitain", orange="I3 O4")
    lit = play(before, "build O4 a2 b2 a3 b3", "sacre_coeur")
    assert lamps(lit, "O4") == 1
    assert lamps(play(lit, "build I3 a1 b1 c1"), "O4") == 0


@pytest.mark.parametrize("card", ["la_grande_lumiere", "lampadaire"])
def test_the_lamps_of_cards_cannot_be_covered(card: str) -> None:
    space = "c4" if card == "la_grande_lumiere" else "c5"
    state = drawn(HALVES, "orange metropolitain", f"blue {card} {space}", orange="I3 L4", cards=OTHERS)
    row = space[1]
    assert code(state, f"build I3 a{row} b{row} c{row}") == "space_not_free"
    assert not any(space in move["cells"] for move in legal(state) if move["type"] == "build")


# Jardin des Plantes


def test_the_garden_is_a_building_with_a_chimney() -> None:
    after = play(drawn(HALVES), "jardin_des_plantes c3 c2")
    assert piece_of(after, "garden") == {"piece": "garden", "owner": "orange", "cells": ["c2", "c3"]}
    assert seat_of(after, "orange")["chimneys"] == 6
    assert score_of(after, "orange")["buildings"] == [{"piece": "garden", "size": 2, "lamps": 1, "points": 2}]
    assert score_of(after, "orange")["group"] == 2


def test_the_garden_lies_in_a_row_or_in_a_column() -> None:
    board = "oob" + "b" * 5 + "o" + "b" * 55
    assert legal_cells(drawn(board), "jardin_des_plantes") == {"a1b1", "a1a2"}


# Chimneys


def test_without_a_chimney_nothing_more_is_built() -> None:
    seven = "I3 V3 L4 T4 O4 S4 T5"
    built = (
        *("orange build I3 a1 b1 c1", "orange build V3 e1 d2 e2", "orange build O4 g1 h1 g2 h2"),
        *("orange build T4 a3 a4 b4 a5", "orange build S4 c3 c4 d4 d5", "orange build L4 e4 f4 f5 f6"),
    )
    board = ORANGE_ROOM
    six = drawn(board, *built, orange=f"{seven} X5")
    assert seat_of(six, "orange")["chimneys"] == 1
    assert {"build", "postcard"} == {move["type"] for move in legal(six)}
    full = play(six, "build T5 b6 b7 a8 b8 c8", "blue sacre_coeur")
    assert seat_of(full, "orange")["chimneys"] == 0
    assert {move["type"] for move in legal(full)} == {"postcard"}
    assert legal_cells(full, "jardin_des_plantes") == legal_cells(full, "levitation") == set()
    for line in ("build X5 g6 f7 g7 h7 g8", "jardin_des_plantes h8 h7", "levitation X5 P5 g7 h7 f8 g8 h8"):
        assert code(full, line) == "no_chimney"


def test_the_garden_takes_the_last_chimney() -> None:
    one = edition_with({"chimneys": 1})
    state = play(drawn(HALVES, orange="I3", edition=one), "jardin_des_plantes a1 a2", "sacre_coeur")
    assert code(state, "build I3 b1 c1 d1") == "no_chimney"


def test_a_seat_without_chimney_and_token_is_skipped() -> None:
    one = edition_with({"chimneys": 1, "action_tokens": 1})
    state = play(drawn(HALVES, orange="I3 L4", edition=one), "levitation I3 O4 a1 b1 a2 b2")
    state = play(state, "sacre_coeur")
    assert (state.to_move, GAME.view.dump(state)["phase"]) == (None, "over")


# Sacré-Cœur


def test_sacre_coeur_spares_the_unbuilt() -> None:
    before = drawn(HALVES, orange="L4 I3", blue="X5")
    assert score_of(before, "orange")["unbuilt"] == -6
    after = play(before, "sacre_coeur")
    assert card_of(after, "sacre_coeur") == ("taken", "orange")
    assert (score_of(after, "orange")["unbuilt"], score_of(after, "blue")["unbuilt"]) == (0, -3)


# Le Peintre


PAINTED = """
    oooooolo
    oooooooo
    bbbbbbbb
    oooooooo
    ooolxxoo
    oooooooo
    oooooooo
    loooooob
"""
"""A blue row between two orange parts; lamps at g1, d5 and a8."""


def test_the_painter_sees_all_lamps_on_an_open_board() -> None:
    assert points(play(drawn(PAINTED), "le_peintre a1")) == 6


def test_an_own_building_bounds_the_painter() -> None:
    closed = drawn(PAINTED, "orange build V3 b7 a7 b8", orange="V3")
    assert points(play(closed, "le_peintre a1")) == 4
    assert lamps(closed, "V3") == 1


def test_the_rival_s_building_bounds_the_painter() -> None:
    closed = drawn(PAINTED, "blue build V3 b7 a7 b8", blue="V3")
    assert points(play(closed, "le_peintre a1")) == 4


def test_the_painter_is_bounded_by_garden_and_annex() -> None:
    garden = drawn(PAINTED, "orange jardin_des_plantes b7 b8")
    assert points(play(garden, "le_peintre a1")) == 6
    annex = drawn(PAINTED, "orange jardin_des_plantes b7 b8", "orange bouquinistes a7")
    assert points(play(annex, "le_peintre a1")) == 4


def test_corners_do_not_let_the_painter_through() -> None:
    diagonal = drawn(PAINTED, "orange jardin_des_plantes a6 a7", "blue build I3 b8 c8 d8", blue="I3")
    assert points(play(diagonal, "le_peintre a1")) == 4


def test_other_pieces_and_colours_do_not_bound_the_painter() -> None:
    cards = ("le_peintre", "moulin_rouge", "fontaine_des_mers", "le_penseur", *OTHERS[4:])
    corner = drawn(PAINTED, "blue fontaine_des_mers b8 b7", "blue moulin_rouge a7", cards=cards)
    assert points(play(corner, "le_peintre a1")) == 6


def test_the_painter_sees_the_lamp_of_lampadaire() -> None:
    assert points(play(drawn(PAINTED, "blue lampadaire b3"), "le_peintre a1")) == 8


def test_the_painter_sees_the_large_lamp_as_one() -> None:
    cards = ("le_peintre", *OTHERS[:7])
    assert points(play(drawn(PAINTED, "blue la_grande_lumiere d5", cards=cards), "le_peintre a1")) == 6


def test_the_painter_does_not_see_a_covered_lamp() -> None:
    covered = drawn(PAINTED, "orange metropolitain", "orange build I3 b5 c5 d5", orange="I3")
    assert points(play(covered, "le_peintre a1")) == 4


def test_the_painter_is_paid_to_its_owner() -> None:
    after = play(drawn(PAINTED), "le_peintre a1")
    assert (points(after, "orange"), points(after, "blue")) == (6, 0)


# Bouquinistes


def test_the_annex_makes_its_building_larger() -> None:
    state = drawn(HALVES, "orange build I3 b4 b5 b6", orange="I3")
    after = play(state, "bouquinistes b3")
    assert piece_of(after, "annex") == {"piece": "annex", "owner": "orange", "cells": ["b3"], "joins": "I3"}
    assert score_of(after, "orange")["buildings"] == [{"piece": "I3", "size": 4, "lamps": 1, "points": 4}]
    assert (score_of(after, "orange")["group"], seat_of(after, "orange")["chimneys"]) == (4, 6)


def test_the_annex_brings_light_to_its_building_alone() -> None:
    board = "o" * 12 + "l" + "o" * 51
    state = drawn(board, "orange build I3 b1 c1 d1", "orange build O4 a2 b2 a3 b3", orange="I3 O4")
    assert (lamps(state, "I3"), lamps(state, "O4")) == (0, 0)
    after = play(state, "bouquinistes e1")
    assert (lamps(after, "I3"), lamps(after, "O4")) == (1, 0)


def test_the_annex_may_join_the_garden() -> None:
    state = drawn(HALVES, "orange jardin_des_plantes a1 b1")
    after = play(state, "bouquinistes c1")
    assert piece_of(after, "annex")["joins"] == "garden"
    assert score_of(after, "orange")["buildings"] == [{"piece": "garden", "size": 3, "lamps": 0, "points": 0}]


def test_an_annex_between_two_buildings_can_join_either() -> None:
    state = drawn(HALVES, "orange build I3 a1 a2 a3", "orange build V3 c1 d1 d2", orange="I3 V3")
    for building, sizes in (("I3", [4, 3]), ("V3", [3, 4])):
        after = play(state, f"bouquinistes b1 {building}")
        assert [row["size"] for row in score_of(after, "orange")["buildings"]] == sizes
    assert code(state, "bouquinistes b1") == "annex_unclear"
    named = [move for move in legal(state) if move.get("cell") == "b1" and move.get("card") == "bouquinistes"]
    assert sorted(move["building"] for move in named) == ["I3", "V3"]


def test_an_annex_next_to_one_building_may_name_it_or_not() -> None:
    state = drawn(HALVES, "orange build I3 a1 a2 a3", orange="I3")
    forms = [move for move in legal(state) if move.get("cell") == "b1" and move.get("card") == "bouquinistes"]
    assert [move.get("building") for move in forms] == [None, "I3"]
    assert GAME.view.dump(play(state, "bouquinistes b1")) == GAME.view.dump(play(state, "bouquinistes b1 I3"))


def test_the_rival_s_building_takes_no_annex() -> None:
    state = drawn(HALVES, "blue build I3 e1 e2 e3", "orange build V3 a1 b1 a2", orange="V3", blue="I3")
    assert code(state, "bouquinistes d1") == "not_adjacent"
    assert code(state, "bouquinistes d1 I3") == "not_your_building"


# Lampadaire


def test_the_lamp_of_lampadaire_lights_both_seats() -> None:
    built = drawn(HALVES, "orange build I3 b1 c1 d1", "blue build O4 e2 f2 e3 f3", orange="I3", blue="O4")
    after = play(built, "lampadaire d2")
    assert (lamps(after, "I3"), lamps(after, "O4", "blue")) == (1, 1)
    assert piece_of(after, "lamp")["owner"] == "orange"


def test_the_lamp_of_lampadaire_is_no_place_for_the_large_lamp() -> None:
    state = drawn(HALVES, "orange lampadaire b2", cards=OTHERS)
    assert code(state, "la_grande_lumiere b2") == "space_not_free"
    assert legal_cells(state, "la_grande_lumiere") == {"c4", "g4", "c7", "f7"}


# Moulin Rouge


DANCING = """
    ooloblxb
    ooloblxb
    ooloblxb
    xblobbbb
    lllobbbb
    oooooooo
    bbbbbbbb
    bbbbbbbb
"""
"""A room of eight spaces at the top left, walled by lamps."""


def test_the_dancer_has_her_own_space_and_the_free_ones_of_any_colour() -> None:
    assert points(play(drawn(DANCING, cards=OTHERS), "moulin_rouge a1")) == 8


@pytest.mark.parametrize(
    ("line", "worth"),
    [
        pytest.param("orange jardin_des_plantes a2 b2", 2, id="garden"),
        pytest.param("blue lampadaire b4", 7, id="lamp piece"),
        pytest.param("blue le_penseur b4 n", 7, id="statue"),
        pytest.param("blue fontaine_des_mers a4 b4", 6, id="fountain"),
        pytest.param("blue la_grande_lumiere c1", 8, id="large lamp"),
        pytest.param("orange build V3 b2 a3 b3", 3, id="building"),
        pytest.param("blue le_peintre b4", 7, id="painter"),
    ],
)
def test_every_piece_bounds_the_dancer(line: str, worth: int) -> None:
    cards = ("moulin_rouge", "jardin_des_plantes", "le_peintre", *OTHERS[1:4], "lampadaire", "chartier")
    state = drawn(DANCING, line, orange="V3", cards=cards)
    assert points(play(state, "moulin_rouge a1")) == worth


def test_corners_do_not_let_the_dancer_through() -> None:
    board = "ollllllllooooolloooooooo" + "o" * 40
    assert points(play(drawn(board, cards=OTHERS), "moulin_rouge a1")) == 1


def test_the_dancer_loses_what_is_built_later() -> None:
    after = play(drawn(DANCING, orange="O4", cards=OTHERS), "moulin_rouge a1", "blue chartier")
    assert points(play(after, "build O4 a2 b2 a3 b3")) == 2


def test_a_covered_lamp_still_bounds_the_dancer() -> None:
    state = play(drawn(DANCING, "orange metropolitain", orange="I3", cards=OTHERS), "moulin_rouge a1", "blue chartier")
    assert points(play(state, "build I3 b2 c2 d2")) == 7


# Fontaine des Mers


def test_the_fountain_gives_three_points_for_each_own_building_beside_it() -> None:
    state = drawn(
        ORANGE_ROOM,
        "orange build I3 a1 b1 c1",
        "orange build O4 c3 d3 c4 d4",
        "blue build V3 b4 a5 b5",
        orange="I3 O4 L4",
        blue="V3",
        cards=OTHERS,
    )
    assert points(play(state, "fontaine_des_mers b2 c2")) == 6


def test_a_building_that_touches_the_fountain_twice_counts_once() -> None:
    state = drawn(ORANGE_ROOM, "orange build U6 a1 b1 c1 d1 a2 d2", orange="U6", cards=OTHERS)
    assert points(play(state, "fontaine_des_mers b2 c2")) == 3


def test_corners_and_the_rival_s_buildings_do_not_touch_the_fountain() -> None:
    state = drawn(
        ORANGE_ROOM,
        *("orange build I3 a1 b1 c1", "blue build O4 d3 e3 d4 e4"),
        orange="I3",
        blue="O4",
        cards=OTHERS,
    )
    assert points(play(state, "fontaine_des_mers d2 e2")) == 0


def test_the_annex_touches_the_fountain_for_its_building() -> None:
    cards = ("fontaine_des_mers", "bouquinistes", *OTHERS[2:])
    state = drawn(ORANGE_ROOM, "orange build I3 a1 b1 c1", "orange bouquinistes d1", orange="I3", cards=cards)
    assert points(play(state, "fontaine_des_mers d2 e2")) == 3


def test_the_fountain_may_use_chartier_and_not_metropolitain() -> None:
    state = drawn(HALVES, *RIGHTS, cards=OTHERS)
    after = play(state, "fontaine_des_mers d1 e1")
    assert (card_of(after, "chartier"), card_of(after, "metropolitain")) == (("taken", "orange"), ("armed", "orange"))
    assert code(state, "fontaine_des_mers c4 d4") == "lamp_covered"
    assert code(state, "fontaine_des_mers e1 f1") == "wrong_colour"
    spots = legal_cells(state, "fontaine_des_mers")
    assert "d1e1" in spots and not spots & {"c4d4", "e1f1", "b4c4"}


def test_the_fountain_needs_no_chimney_and_leaves_the_rights_on_mixed_spaces() -> None:
    bare = drawn(
        HALVES, *RIGHTS, "orange build I3 a1 b1 c1", orange="I3", cards=OTHERS, edition=edition_with({"chimneys": 1})
    )
    after = play(bare, "fontaine_des_mers c3 d3")
    assert piece_of(after, "fountain") == {"piece": "fountain", "owner": "orange", "cells": ["c3", "d3"]}
    assert (card_of(after, "chartier"), card_of(after, "metropolitain")) == (("armed", "orange"),) * 2


# Le Penseur


@pytest.mark.parametrize(
    ("cell", "facing", "worth"),
    [("a1", "e", 5), ("a4", "n", 8), ("d8", "w", 8), ("d4", "s", 12), ("h8", "n", 5)],
)
def test_the_statue_counts_two_for_an_edge_and_one_for_a_corner(cell: str, facing: str, worth: int) -> None:
    assert points(play(drawn(ORANGE_ROOM, cards=OTHERS), f"le_penseur {cell} {facing}")) == worth


def test_free_lamps_and_the_rival_s_spaces_are_free_for_the_statue() -> None:
    board = "lbxoooooboloooooxbl" + "o" * 45
    assert points(play(drawn(board, cards=OTHERS), "le_penseur b2 e")) == 12


def test_pieces_beside_the_statue_cost_their_points() -> None:
    state = drawn(ORANGE_ROOM, "orange build O4 a1 b1 a2 b2", "blue lampadaire d2", orange="O4", cards=OTHERS)
    assert points(play(state, "le_penseur c3 s")) == 12 - 1 - 1
    assert points(play(state, "le_penseur c2 s")) == 12 - 2 - 2 - 1


def test_a_front_built_over_later_makes_the_statue_worthless() -> None:
    state = play(drawn(ORANGE_ROOM, orange="O4", cards=OTHERS), "le_penseur d4 n", "blue chartier")
    assert points(state) == 12
    assert points(play(state, "build O4 d2 e2 d3 e3")) == 0
    assert points(play(state, "build O4 c5 d5 c6 d6")) == 12 - 2 - 1


@pytest.mark.parametrize(("facing", "front"), [("n", "d3"), ("e", "e4"), ("s", "d5"), ("w", "c4")])
def test_a_statue_faces_the_space_of_its_letter(facing: str, front: str) -> None:
    state = drawn(ORANGE_ROOM, f"blue lampadaire {front}", cards=OTHERS)
    faces = [move["facing"] for move in legal(state) if move.get("cell") == "d4" and "facing" in move]
    assert set(faces) == {"n", "e", "s", "w"} - {facing}
    assert code(state, f"le_penseur d4 {facing}") == "front_not_free"


# La Grande Lumière


LARGE = """
    oooooooo
    oooooooo
    oooooooo
    ooolooob
    oooooooo
    oooooooo
    oooooooo
    oooooool
"""
"""Lamps at d4 and h8."""


@pytest.mark.parametrize(
    ("spaces", "lit"),
    [
        ("d2 d1", 1),
        ("d1 e1", 0),
        ("e3 f3", 1),
        ("e2 f2", 0),
        ("f4 g4", 1),
        ("g4 g5", 0),
        ("b4 a4", 1),
        ("d6 d7", 1),
        ("c5 b5", 1),
        ("b5 a5", 0),
    ],
)
def test_the_large_lamp_lights_the_listed_spaces(spaces: str, lit: int) -> None:
    cards = ("jardin_des_plantes", *OTHERS[:7])
    state = drawn(LARGE, f"orange jardin_des_plantes {spaces}", "orange la_grande_lumiere d4", cards=cards)
    assert lamps(state, "garden") == lit


def test_the_large_lamp_replaces_the_printed_one_and_counts_once() -> None:
    state = drawn(LARGE, "orange build U6 c3 d3 e3 f3 c4 f4", orange="U6", cards=OTHERS)
    assert lamps(state, "U6") == 1
    after = play(state, "la_grande_lumiere d4")
    assert lamps(after, "U6") == 1
    assert piece_of(after, "grand_lamp") == {"piece": "grand_lamp", "owner": "orange", "cells": ["d4"]}


def test_a_building_shades_what_lies_behind_it() -> None:
    built = ("orange build O4 d2 e2 d1 e1", "blue build I3 c3 d3 e3")
    assert lamps(large(built[:1], orange="O4"), "O4") == 1
    assert lamps(large(built, orange="O4", blue="I3"), "O4") == 0


def large(built: tuple[str, ...], orange: str = "", blue: str = "") -> State:
    """Buildings around the large lamp at d4."""
    return drawn(LARGE, *built, "orange la_grande_lumiere d4", cards=OTHERS, orange=orange, blue=blue)


def test_the_rival_s_buildings_profit_from_the_large_lamp() -> None:
    assert lamps(large(("blue build O4 d2 e2 d1 e1",), blue="O4"), "O4", "blue") == 1


def test_a_diagonal_space_is_dark_only_behind_two_buildings() -> None:
    diagonal = "orange build O4 e2 f2 e3 f3"
    beside = "blue build I3 e4 f4 g4"
    above = "blue build V3 c2 c3 d3"
    assert lamps(large((diagonal, beside), orange="O4", blue="I3 V3"), "O4") == 1
    assert lamps(large((diagonal, above), orange="O4", blue="I3 V3"), "O4") == 1
    assert lamps(large((diagonal, beside, above), orange="O4", blue="I3 V3"), "O4") == 0


def test_a_building_that_stands_in_its_own_light_is_lit() -> None:
    assert lamps(large(("orange build V3 d3 e3 e2",), orange="V3"), "V3") == 1


def test_pieces_that_are_no_buildings_do_not_shade() -> None:
    pieces = ("blue lampadaire d3", "orange moulin_rouge c3", "blue le_penseur e3 n")
    assert lamps(large(("orange build O4 d2 e2 d1 e1", *pieces), orange="O4"), "O4") == 2


@pytest.mark.parametrize(
    "shade", [("blue jardin_des_plantes c3 d3",), ("blue build I3 a3 b3 c3", "blue bouquinistes d3 I3")]
)
def test_garden_and_annex_shade(shade: tuple[str, ...]) -> None:
    cards = ("jardin_des_plantes", "bouquinistes", "la_grande_lumiere", "sacre_coeur", *OTHERS[4:])
    behind = ("blue la_grande_lumiere d4", "orange build O4 d1 e1 d2 e2")
    assert lamps(drawn(LARGE, *behind, orange="O4", blue="I3", cards=cards), "O4") == 1
    assert lamps(drawn(LARGE, *behind, *shade, orange="O4", blue="I3", cards=cards), "O4") == 0
