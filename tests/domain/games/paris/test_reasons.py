"""For every reason of a refusal a refused move with its legal twin, and what table rulings record."""

from operator import attrgetter

import pytest

from domain.game import Kind
from domain.games.paris.moves import PlaceKey
from domain.games.paris.parts import PLACE_INDEX
from domain.games.paris.reasons import REASONS
from domain.games.paris.state import Phase, State
from tests.domain.cases import Case, assert_told_in_every_language
from tests.domain.games.paris.positions import (
    GAME,
    begin,
    code,
    drawn,
    emptied,
    having,
    keys_on,
    lists,
    phase,
    play,
    refusal,
    ruled,
    seat_of,
    turn_of,
    with_market,
    with_scoring,
)

PHYSICAL, RULE = Kind.PHYSICAL, Kind.RULE

OPENING = begin()
REVEALED = play(OPENING, "reveal 1 montmartre-5")
FREE = play(begin(variant="free_placement"), "reveal 1 montmartre-5 chaillot", "key arc", "end")
FINAL = drawn(turn="blue")._replace(phase=Phase.FINAL_TURNS)
OVER = play(FINAL, "end")
RICH = having(
    drawn(
        "arc bank:belleville belleville-4",
        "belleville-2 bank:chaillot",
        free="belleville-1 belleville-5 chaillot-5 landmark-12@belleville landmark-10@montmartre",
    ),
    francs=50,
    stock="wood=3 marble=3 gold=3 bronze=4 gilt=1",
    tiles="2 8 9 10 16 17 21 23 25",
    used="7",
    track=12,
    half="21",
)
"""Red has keys on the Arc, in Belleville's bank and on its 4, everything needed, and some tiles."""
ACTED = play(RICH, "move arc chaillot-5")
ADVANCING = RICH._replace(turn=RICH.turn._replace(may_advance=True))
SCORING = with_scoring(RICH._replace(turn=RICH.turn._replace(may_score_tile=True)), chaillot="18-9-4")
HALF = having(drawn("arc", free="landmark-13@chaillot"), francs=13, tiles="10 21", half="21")
LANDMARK = "move arc landmark-10"
"""Landmark 10 costs a marble and lists bronze."""


NAME = attrgetter("name")

CASES = (
    Case("match_over", PHYSICAL, "7.1", OVER, "blue end", "blue end", FINAL),
    Case("match_over", PHYSICAL, "7.1", OVER, "red key arc", "blue key arc", FINAL),
    Case("not_your_turn", RULE, "3.1", OPENING, "blue reveal 1 montmartre-5", "red reveal 1 montmartre-5"),
    Case("not_your_turn", RULE, "3.1", with_market(having(OPENING, "blue", francs=3), wood=1), "blue buy wood",
         "red buy wood"),
    Case("not_your_turn", RULE, "3.1", OPENING, "blue end", "red end", play(REVEALED, "key arc")),
    Case("cannot_pay", RULE, "1.8", having(RICH, francs=4), "red move arc chaillot-5", "red move arc chaillot-5", RICH),
    Case("cannot_pay", RULE, "1.8", having(RICH, stock="marble=0"), "red move arc landmark-12",
         "red move arc landmark-12", RICH),
    Case("cannot_pay", RULE, "1.8", with_market(having(RICH, francs=2), wood=1), "red buy wood", "red buy wood",
         with_market(RICH, wood=1)),
    Case("cannot_pay", RULE, "1.8", having(drawn(), tiles="13", francs=2), "red activate 13", "red activate 13",
         having(drawn(), tiles="13")),
    Case("cannot_pay", RULE, "1.8", having(ADVANCING, francs=1)._replace(
         turn=ADVANCING.turn._replace(advance_fee=2)), "red advance 13", "red advance 13", ADVANCING),
    Case("already_revealed", PHYSICAL, "3.2", REVEALED, "red reveal 1 chaillot-1", "red reveal 1 chaillot-1", OPENING),
    Case("stack_empty", PHYSICAL, "3.2", OPENING._replace(board=OPENING.board._replace(stacks=(0, 11, 11))),
         "red reveal 1 chaillot-1", "red reveal 2 chaillot-1"),
    Case("tile_drawn", PHYSICAL, "3.2", play(REVEALED, "key arc", "end"), "blue reveal 2 montmartre-5",
         "blue reveal 2 montmartre-4"),
    Case("variant_mismatch", PHYSICAL, "2.3", OPENING, "red reveal 1 chaillot-1 chaillot", "red reveal 1 chaillot-1"),
    Case("variant_mismatch", PHYSICAL, "2.3", OPENING, "red reveal 1 chaillot-1 away", "red reveal 1 chaillot-1"),
    Case("variant_mismatch", PHYSICAL, "2.3", FREE, "blue reveal 1 chaillot-1", "blue reveal 1 chaillot-1 belleville"),
    Case("space_not_free", PHYSICAL, "2.3", FREE, "blue reveal 1 chaillot-5 chaillot",
         "blue reveal 1 chaillot-5 montmartre"),
    Case("type_in_district", PHYSICAL, "2.3", FREE, "blue reveal 1 belleville-8 chaillot",
         "blue reveal 1 montmartre-8 chaillot"),
    Case("tile_fits", PHYSICAL, "2.3", FREE, "blue reveal 1 chaillot-1 away", "blue reveal 1 chaillot-1 chaillot"),
    Case("not_revealed", RULE, "3.2", OPENING, "red key arc", "red key arc", REVEALED),
    Case("not_revealed", RULE, "3.2", OPENING, "red end", "red end", play(REVEALED, "key arc")),
    Case("already_acted", RULE, "3.3", ACTED, "red key bank:batignolles", "red key bank:batignolles", RICH),
    Case("already_acted", RULE, "3.3", ACTED, "red move belleville-4 belleville-5",
         "red move belleville-4 belleville-5", RICH),
    Case("already_acted", RULE, "3.3", play(emptied(RICH), "end_tile e01"), "red end_tile e02", "red end_tile e02",
         emptied(RICH)),
    Case("must_act", PHYSICAL, "3.4", REVEALED, "red end", "red end", play(REVEALED, "key arc")),
    Case("no_key_in_hand", PHYSICAL, "4.1", having(RICH, keys=0), "red key bank:batignolles",
         "red key bank:batignolles", RICH),
    Case("not_a_bank", PHYSICAL, "4.1", RICH, "red key chaillot-5", "red key bank:chaillot"),
    Case("key_already_there", PHYSICAL, "4.1", RICH, "red key arc", "red key bank:chaillot"),
    Case("key_already_there", PHYSICAL, "4.1", RICH, "red key bank:belleville", "red key bank:montmartre"),
    Case("no_key_there", PHYSICAL, "4.2", RICH, "red move bank:chaillot chaillot-5", "red move arc chaillot-5"),
    Case("no_key_there", PHYSICAL, "4.2", RICH, "red move belleville-2 belleville-5",
         "red move belleville-4 belleville-5"),
    Case("not_a_property", PHYSICAL, "4.2", RICH, "red move arc bank:chaillot", "red move arc chaillot-5"),
    Case("not_a_property", PHYSICAL, "4.2", RICH, "red move bank:belleville arc",
         "red move bank:belleville belleville-1"),
    Case("no_building", PHYSICAL, "4.2", RICH, "red move arc belleville-3", "red move arc belleville-1"),
    Case("target_occupied", PHYSICAL, "4.2", RICH, "red move arc belleville-2", "red move arc belleville-2 using 16"),
    Case("target_occupied", PHYSICAL, "4.2", RICH, "red move arc belleville-4", "red move arc belleville-4 using 9"),
    Case("wrong_district", RULE, "4.2", RICH, "red move belleville-4 chaillot-5", "red move belleville-4 belleville-5"),
    Case("wrong_district", RULE, "4.2", RICH, "red move bank:belleville landmark-10",
         "red move bank:belleville landmark-12"),
    Case("not_higher", RULE, "4.2", RICH, "red move belleville-4 belleville-1", "red move belleville-4 belleville-5"),
    Case("landmark_not_placed", PHYSICAL, "4.3", RICH, "red move arc landmark-13",
         "red move arc landmark-13 place 13 belleville"),
    Case("landmark_placed", PHYSICAL, "4.3", RICH, "red move arc landmark-12 place 12 chaillot",
         "red move arc landmark-13 place 13 chaillot"),
    Case("landmark_elsewhere", PHYSICAL, "4.3", RICH, "red move belleville-4 landmark-13 place 13 chaillot",
         "red move belleville-4 landmark-13 place 13 belleville"),
    Case("landmark_not_higher", RULE, "4.3", RICH, "red move arc landmark-11 place 11 belleville",
         "red move arc landmark-11 place 11 montmartre"),
    Case("prestige_not_wanted", PHYSICAL, "4.4", RICH, f"red {LANDMARK} prestige gilt=1",
         f"red {LANDMARK} prestige bronze=3"),
    Case("too_many_prestige", PHYSICAL, "4.4", RICH, f"red {LANDMARK} prestige bronze=4",
         f"red {LANDMARK} prestige bronze=3"),
    Case("no_such_prestige", PHYSICAL, "4.4", having(RICH, stock="bronze=0"), f"red {LANDMARK} prestige bronze=1",
         f"red {LANDMARK} prestige bronze=3", RICH),
    Case("no_scoring_right", PHYSICAL, "4.5", RICH, "red score 20-10-5 belleville", "red score 20-10-5 belleville",
         SCORING),
    Case("scoring_tile_placed", PHYSICAL, "4.5", SCORING, "red score 18-9-4 belleville",
         "red score 20-10-5 belleville"),
    Case("district_has_tile", PHYSICAL, "4.5", SCORING, "red score 20-10-5 chaillot", "red score 20-10-5 belleville"),
    Case("no_right_to_advance", RULE, "5.1", RICH, "red advance 13", "red advance 13", ADVANCING),
    Case("not_forward", PHYSICAL, "5.1", ADVANCING, "red advance 12", "red advance 13"),
    Case("no_bonus_tile", PHYSICAL, "5.1", ADVANCING, "red advance 25", "red advance 26"),
    Case("no_bonus_tile", PHYSICAL, "5.1", RICH, "red activate 17 take 10", "red activate 17 take 11"),
    Case("number_had", PHYSICAL, "5.1", having(ADVANCING, track=0)._replace(
         board=RICH.board._replace(bonus=begin().board.bonus)), "red advance 7", "red advance 6"),
    Case("tile_not_held", PHYSICAL, "5.2", RICH, "red activate 7", "red activate 7", having(drawn(), tiles="7")),
    Case("tile_not_held", PHYSICAL, "5.2", RICH, "red sell gilt with 19", "red sell gilt with 8"),
    Case("tile_not_held", PHYSICAL, "5.2", having(drawn("arc", "chaillot-5"), francs=9),
         "red move arc chaillot-5 using 16", "red move arc belleville-2 using 16", RICH),
    Case("not_activated", PHYSICAL, "5.2", RICH, "red activate 2", "red sell wood with 2"),
    Case("not_that_token", PHYSICAL, "5.3", RICH, "red sell gold with 2", "red sell wood with 2"),
    Case("not_that_token", PHYSICAL, "5.3", having(RICH, stock="marble=0"), f"red {LANDMARK} spend 2=marble",
         f"red {LANDMARK} spend 10=marble"),
    Case("tile_used_up", PHYSICAL, "5.3", HALF, "red move arc landmark-13 spend 21=marble 21=marble",
         "red move arc landmark-13 spend 10=marble 21=marble"),
    Case("not_needed", PHYSICAL, "5.3", RICH, f"red {LANDMARK} spend 10=gold", f"red {LANDMARK}"),
    Case("using_mismatch", PHYSICAL, "5.4", RICH, "red move arc belleville-2 using 9",
         "red move arc belleville-2 using 16"),
    Case("using_mismatch", PHYSICAL, "5.4", RICH, "red move arc belleville-1 using 9", "red move arc belleville-1"),
    Case("no_reserve_key", PHYSICAL, "5.5", having(drawn(), tiles="13", reserve=0), "red activate 13",
         "red activate 13", having(drawn(), tiles="13", reserve=1)),
    Case("no_pair", PHYSICAL, "5.5", RICH, "red activate 23 pairs gilt=1", "red activate 23 pairs bronze=2"),
    Case("not_back", PHYSICAL, "5.5", RICH, "red activate 25 to 6", "red activate 25 to 11"),
    Case("not_back", PHYSICAL, "5.5", RICH, "red activate 25 to 12", "red activate 25 to 11"),
    Case("not_for_sale", PHYSICAL, "6.1", RICH, "red buy wood", "red buy wood", with_market(RICH, wood=1)),
    Case("nothing_to_sell", PHYSICAL, "6.1", RICH, "red sell silver", "red sell bronze"),
    Case("stacks_not_empty", PHYSICAL, "6.2", RICH, "red end_tile e01", "red end_tile e01", emptied(RICH)),
    Case("end_tile_taken", PHYSICAL, "6.2", having(emptied(RICH), "blue", tiles="e08"), "red end_tile e08",
         "red end_tile e07"),
)  # fmt: skip


def test_every_reason_has_a_case() -> None:
    assert {case.code for case in CASES} == set(REASONS) == set(GAME.reasons)


@pytest.mark.parametrize("case", CASES, ids=NAME)
def test_a_wrong_move_is_refused_with_its_reason(case: Case) -> None:
    refused = refusal(case.state, case.move)
    assert (refused.code, refused.kind, refused.rule) == (case.code, case.kind, case.rule)
    assert_told_in_every_language(GAME, refused)
    assert (GAME.reasons[case.code].kind, GAME.reasons[case.code].rule) == (case.kind, case.rule)


@pytest.mark.parametrize("case", CASES, ids=NAME)
def test_a_wrong_move_is_not_among_the_legal_ones(case: Case) -> None:
    seat, _, words = case.move.partition(" ")
    assert seat != case.state.to_move or not lists(case.state, words)


@pytest.mark.parametrize("case", CASES, ids=NAME)
def test_the_legal_twin_is_accepted(case: Case) -> None:
    state = case.twin_state or case.state
    seat, _, words = case.twin.partition(" ")
    assert state.to_move == seat
    assert play(state, case.twin).ply == state.ply + 1
    assert lists(state, words) or "prestige" in words or "spend" in words


@pytest.mark.parametrize("case", [case for case in CASES if case.kind is PHYSICAL], ids=NAME)
def test_a_ruling_never_records_what_cannot_happen(case: Case) -> None:
    assert code(case.state, case.move, ruled=True) == case.code


@pytest.mark.parametrize("case", [case for case in CASES if case.kind is RULE], ids=NAME)
def test_a_ruling_records_what_the_rules_forbid(case: Case) -> None:
    recorded = ruled(case.state, case.move)
    assert (recorded.ply, phase(recorded)) == (case.state.ply + 1, phase(case.state))


def test_the_reasons_that_can_be_ruled_are_known() -> None:
    assert {name for name, reason in REASONS.items() if reason.kind is RULE} == {
        "not_your_turn",
        "not_revealed",
        "already_acted",
        "cannot_pay",
        "wrong_district",
        "not_higher",
        "landmark_not_higher",
        "no_right_to_advance",
    }


@pytest.mark.parametrize(
    ("state", "line", "expected"),
    [
        pytest.param(OPENING, "blue move arc montmartre-5", "no_key_there", id="turn and key"),
        pytest.param(OPENING, "blue end_tile e01", "stacks_not_empty", id="turn and stacks"),
        pytest.param(OPENING, "red move arc montmartre-5", "no_key_there", id="reveal and key"),
        pytest.param(ACTED, "red move belleville-4 belleville-2", "target_occupied", id="second action and occupied"),
        pytest.param(having(RICH, francs=0), "red move belleville-4 belleville-3", "no_building", id="francs and tile"),
        pytest.param(RICH, "red move bank:belleville landmark-13", "landmark_not_placed", id="district and landmark"),
        pytest.param(RICH, "red move belleville-4 landmark-11 place 11 chaillot", "landmark_elsewhere",
                     id="higher and elsewhere"),
        pytest.param(RICH, "red advance 10", "not_forward", id="right and forward"),
        pytest.param(having(drawn(), tiles="13", francs=0, reserve=0), "red activate 13", "no_reserve_key",
                     id="francs and reserve"),
        pytest.param(having(drawn(), francs=0), "red buy gold", "not_for_sale", id="francs and supply"),
        pytest.param(OVER, "red end", "match_over", id="over"),
    ],
)  # fmt: skip
def test_what_cannot_happen_is_told_before_what_must_not(state: State, line: str, expected: str) -> None:
    assert (code(state, line), code(state, line, ruled=True)) == (expected, expected)


# A move out of turn


def test_whoever_moves_out_of_turn_starts_a_fresh_turn() -> None:
    state = play(begin(3), "reveal 1 montmartre-5", "key arc")
    after = ruled(state, "green reveal 1 chaillot-1")
    assert (after.to_move, turn_of(after)["revealed"], turn_of(after)["acted"]) == ("green", True, False)
    ended = play(after, "key arc", "end")
    assert (ended.to_move, any(turn_of(ended).values())) == ("red", False)


def test_what_the_other_had_left_undone_is_gone() -> None:
    state = having(drawn("bank:belleville", free="belleville-1"), francs=1)
    state = play(state, "move bank:belleville belleville-1")
    assert turn_of(state)["may_advance"]
    back = ruled(state, "blue reveal 1 chaillot-1", "red reveal 1 chaillot-2")
    assert (back.to_move, code(back, "advance 5")) == ("red", "no_right_to_advance")


def test_a_free_action_out_of_turn_begins_a_turn_too() -> None:
    state = having(play(REVEALED, "key arc"), "blue", stock="gilt=1")
    after = ruled(state, "blue sell gilt")
    assert (after.to_move, any(turn_of(after).values())) == ("blue", False)
    assert seat_of(after, "blue")["francs"] == 6
    assert code(after, "red end") == "not_your_turn"


def test_a_turn_ended_out_of_turn_goes_on_behind_that_seat() -> None:
    state = begin(4)
    assert ruled(state, "blue end").to_move == "green"
    assert ruled(state, "yellow end").to_move == "red"
    last = drawn(players=4)._replace(phase=Phase.LAST_ROUND)
    assert phase(ruled(last, "yellow end")) == Phase.FINAL_TURNS
    assert phase(ruled(last, "blue end")) == Phase.LAST_ROUND
    final = drawn(players=4)._replace(phase=Phase.FINAL_TURNS)
    assert ruled(final, "yellow end").to_move is None


def test_out_of_turn_one_main_action_of_the_own_turn_is_possible() -> None:
    state = ruled(play(REVEALED, "key arc"), "blue key arc")
    assert (state.to_move, turn_of(state)["acted"], turn_of(state)["revealed"]) == ("blue", True, False)
    assert code(state, "key bank:chaillot") == "not_revealed"
    assert play(state, "reveal 1 chaillot-1", "end").to_move == "red"


# Reveal and main action


def test_a_main_action_before_the_reveal_is_recorded_and_the_reveal_still_due() -> None:
    state = ruled(OPENING, "key arc")
    assert (keys_on(state, "arc"), turn_of(state)["revealed"], turn_of(state)["acted"]) == (["red"], False, True)
    assert code(state, "end") == "not_revealed"
    assert play(state, "reveal 1 chaillot-1", "end").to_move == "blue"


def test_a_turn_without_a_reveal_is_ended_by_a_ruling() -> None:
    state = ruled(OPENING, "end")
    assert (state.to_move, GAME.view.dump(state)["stacks"]) == ("blue", [11, 11, 11])
    assert ruled(OPENING, "key arc", "end").to_move == "blue"


def test_a_second_main_action_is_recorded() -> None:
    state = ruled(play(REVEALED, "key bank:chaillot"), "key bank:montmartre", "key arc")
    assert (seat_of(state)["francs"], seat_of(state)["keys"]) == (3 + 7 + 5, 7)
    assert play(state, "end").to_move == "blue"


def test_of_two_rights_to_advance_the_newer_one_counts() -> None:
    state = having(drawn("arc bank:chaillot", free="belleville-1 chaillot-3"), francs=9, stock="wood=1")
    after = ruled(state, "move arc belleville-1", "move bank:chaillot chaillot-3")
    assert (turn_of(after)["may_advance"], turn_of(after)["advance_fee"]) == (True, 2)
    other = ruled(state, "move bank:chaillot chaillot-3", "move arc belleville-1")
    assert (turn_of(other)["may_advance"], turn_of(other)["advance_fee"]) == (True, 0)
    kept = ruled(after, "key arc")
    assert (turn_of(kept)["may_advance"], turn_of(kept)["advance_fee"]) == (True, 2)


# Too poor


def test_who_has_too_few_francs_pays_what_there_is() -> None:
    after = ruled(having(RICH, francs=2), "move arc chaillot-5")
    assert (seat_of(after)["francs"], keys_on(after, "chaillot-5")) == (0, ["red"])


def test_who_has_too_few_resources_pays_what_there_is_and_only_that_reaches_the_supply() -> None:
    state = having(drawn("arc", free="landmark-15@chaillot"), francs=15, stock="gold=1 wood=1")
    after = ruled(state, "move arc landmark-15")
    assert seat_of(after)["resources"] == {"wood": 1, "marble": 0, "gold": 0}
    assert GAME.view.dump(after)["market"] == {"wood": 0, "marble": 0, "gold": 1}
    assert seat_of(after)["francs"] == 0


def test_tiles_that_are_spent_are_used_though_it_is_not_enough() -> None:
    state = having(drawn("arc", free="landmark-15@chaillot"), francs=20, stock="marble=1", tiles="10")
    assert code(state, "move arc landmark-15 spend 10=gold") == "cannot_pay"
    after = ruled(state, "move arc landmark-15 spend 10=gold")
    assert (seat_of(after)["used_bonus"], seat_of(after)["resources"]["marble"]) == ([10], 0)
    assert GAME.view.dump(after)["market"] == {"wood": 0, "marble": 1, "gold": 0}


def test_too_few_francs_for_a_resource_a_key_or_an_advance() -> None:
    bought = ruled(with_market(having(RICH, francs=1), gold=1), "buy gold")
    assert (
        seat_of(bought)["francs"],
        seat_of(bought)["resources"]["gold"],
        GAME.view.dump(bought)["market"]["gold"],
    ) == (
        0,
        4,
        0,
    )
    key = ruled(having(drawn(), tiles="13", francs=1), "activate 13")
    assert (seat_of(key)["francs"], seat_of(key)["keys"], seat_of(key)["reserve"]) == (0, 11, 1)
    state = having(drawn("bank:chaillot", free="chaillot-3"), francs=4, stock="wood=1")
    advanced = ruled(play(state, "move bank:chaillot chaillot-3"), "advance 5")
    assert (seat_of(advanced)["francs"], seat_of(advanced)["bonus"]) == (0, [5])


# Keys and landmarks


def test_a_key_downwards_costs_no_francs_but_the_extra_cost() -> None:
    state = having(drawn("belleville-5", free="belleville-3"), francs=4, stock="wood=1")
    after = ruled(state, "move belleville-5 belleville-3")
    assert (seat_of(after)["francs"], seat_of(after)["resources"]["wood"]) == (4, 0)
    assert (keys_on(after, "belleville-3"), turn_of(after)["may_advance"]) == (["red"], True)
    assert seat_of(after)["prestige"]["gilt"] == 1


def test_a_key_to_another_district_costs_the_same_difference() -> None:
    after = ruled(having(RICH, francs=9), "move belleville-4 chaillot-5")
    assert (seat_of(after)["francs"], keys_on(after, "chaillot-5")) == (8, ["red"])
    fourth = having(drawn("chaillot-4", "belleville-1 belleville-2 belleville-3", free="belleville-5"), francs=9)
    assert turn_of(ruled(fourth, "move chaillot-4 belleville-5"))["may_score_tile"]


def test_a_landmark_that_is_not_higher_lies_there_like_any_other() -> None:
    after = ruled(RICH, "move arc landmark-11 place 11 belleville")
    assert GAME.view.dump(after)["landmarks"]["placed"]["11"] == {"district": "belleville", "keys": ["red"]}
    ended = having(play(after, "end", "reveal 1 chaillot-1", "key arc", "end"), francs=50, stock="marble=3 gold=3")
    later = play(ended, "reveal 1 chaillot-2")
    assert lists(later, "move landmark-11 landmark-13 place 13 belleville")
    assert lists(later, "move landmark-11 landmark-12")
    assert code(later, "move belleville-4 landmark-9 place 9 belleville") == "landmark_not_higher"


def test_a_landmark_may_be_placed_with_a_move_that_is_ruled() -> None:
    after = ruled(RICH, "move belleville-4 chaillot-5 place 14 belleville")
    assert GAME.view.dump(after)["landmarks"]["placed"]["14"] == {"district": "belleville", "keys": []}


# The track


def test_an_advance_without_the_right_takes_the_tile_without_a_fee() -> None:
    after = ruled(having(RICH, francs=0), "advance 13")
    assert (seat_of(after)["track"], seat_of(after)["francs"]) == (13, 0)
    assert 13 in seat_of(after)["bonus"] and GAME.view.dump(after)["track"]["13"] == []
    again = ruled(after, "advance 14")
    assert seat_of(again)["track"] == 14


def test_a_ruled_move_is_judged_as_legal_where_it_is_legal() -> None:
    assert play(REVEALED, "key arc") == ruled(REVEALED, "key arc")
    assert play(REVEALED, "key arc") == GAME.rules.apply(REVEALED, "red", PlaceKey(PLACE_INDEX["arc"]))
