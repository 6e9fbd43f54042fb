"""The course of a match: the reveal, the main action, the end of a turn, end tiles and the end."""

import pytest

from domain.games.paris.parts import DISTRICTS, SPACES
from domain.games.paris.state import State
from tests.domain.games.paris.positions import (
    GAME,
    SEATS,
    advanced,
    begin,
    code,
    drawn,
    edition_with,
    emptied,
    having,
    keys_on,
    legal,
    lists,
    phase,
    play,
    refusal,
    ruled,
    seat_of,
    turn_of,
    types,
    whole_turn,
    with_market,
)

REVEALED = play(begin(), "reveal 1 montmartre-5")
ACTED = play(REVEALED, "key arc")
FREE = begin(variant="free_placement")


# The reveal


def test_a_revealed_tile_lies_on_its_space_and_has_left_its_stack() -> None:
    dumped = GAME.view.dump(REVEALED)
    assert dumped["buildings"] == {"montmartre-5": {"tile": "montmartre-5", "type": "theatre", "keys": []}}
    assert (dumped["stacks"], dumped["ply"], dumped["to_move"]) == ([10, 11, 11], 1, "red")
    assert turn_of(REVEALED) == {
        "revealed": True,
        "acted": False,
        "may_advance": False,
        "advance_fee": 0,
        "may_score_tile": False,
    }
    assert dumped["tokens"]["montmartre-5"] == "marble"


@pytest.mark.parametrize("stack", [1, 2, 3])
def test_each_stack_can_be_drawn_from(stack: int) -> None:
    stacks = [11, 11, 11]
    stacks[stack - 1] = 10
    assert GAME.view.dump(play(begin(), f"reveal {stack} chaillot-8"))["stacks"] == stacks


def test_any_tile_that_was_not_drawn_may_come_from_any_stack() -> None:
    reveals = [choice for choice in legal(begin()) if choice["type"] == "reveal"]
    assert [(choice["stack"], choice["tile"]) for choice in reveals] == [
        (n, tile) for n in (1, 2, 3) for tile in SPACES
    ]
    second = legal(play(ACTED, "end"))
    assert {choice["tile"] for choice in second if choice["type"] == "reveal"} == {*SPACES} - {"montmartre-5"}


def test_a_tile_is_drawn_once() -> None:
    assert code(play(ACTED, "end"), "reveal 2 montmartre-5") == "tile_drawn"


def test_there_is_one_reveal_in_a_turn() -> None:
    for state in (REVEALED, ACTED):
        assert code(state, "reveal 1 montmartre-4") == "already_revealed"
        assert "reveal" not in types(state)
    assert "reveal" in types(play(ACTED, "end"))


def test_an_empty_stack_has_no_tile() -> None:
    state = begin()
    for tile in SPACES[:11]:
        state = whole_turn(play(state, f"reveal 2 {tile}"))
    assert GAME.view.dump(state)["stacks"] == [11, 0, 11]
    assert code(state, "reveal 2 chaillot-8") == "stack_empty"
    assert {choice["stack"] for choice in legal(state) if choice["type"] == "reveal"} == {1, 3}
    assert GAME.view.dump(play(state, "reveal 3 chaillot-8"))["stacks"] == [11, 0, 10]


def test_without_tiles_the_reveal_falls_away() -> None:
    state = emptied(begin())
    assert turn_of(state)["revealed"] is False
    assert "reveal" not in types(state) and {"place_key", "take_end_tile"} <= types(state)
    after = play(state, "key arc", "end")
    assert (after.to_move, turn_of(after)["revealed"]) == ("blue", False)
    assert code(state, "reveal 1 chaillot-8") == "stack_empty"


def test_the_three_tiles_set_aside_never_come() -> None:
    state = emptied(begin())
    assert len(GAME.view.dump(state)["buildings"]) == 33


@pytest.mark.parametrize("where", [" belleville", " montmartre", " away"])
def test_without_free_placement_a_tile_goes_to_its_own_space(where: str) -> None:
    assert code(begin(), f"reveal 1 montmartre-5{where}") == "variant_mismatch"


# The reveal in free placement


def test_in_free_placement_the_player_chooses_the_district() -> None:
    for district in DISTRICTS:
        after = play(FREE, f"reveal 1 montmartre-5 {district}")
        assert GAME.view.dump(after)["buildings"] == {
            f"{district}-5": {"tile": "montmartre-5", "type": "theatre", "keys": []},
        }
    assert code(FREE, "reveal 1 montmartre-5") == "variant_mismatch"


def test_in_free_placement_every_district_is_listed_where_a_tile_fits() -> None:
    state = whole_turn(play(FREE, "reveal 1 montmartre-5 chaillot"))
    fitting = {
        tile: {choice["district"] for choice in legal(state) if choice["tile"] == tile}
        for tile in ("belleville-5", "belleville-8", "belleville-1", "montmartre-8")
    }
    others = {*DISTRICTS} - {"chaillot"}
    assert fitting == {
        "belleville-5": others,  # the space is taken
        "belleville-8": others,  # a theatre is there
        "belleville-1": {*DISTRICTS},
        "montmartre-8": {*DISTRICTS},
    }
    assert not any("discard" in choice for choice in legal(state))


def test_in_free_placement_a_space_takes_one_building_and_a_district_one_of_a_type() -> None:
    state = whole_turn(play(FREE, "reveal 1 montmartre-5 chaillot"))
    assert code(state, "reveal 1 belleville-5 chaillot") == "space_not_free"
    assert code(state, "reveal 1 belleville-8 chaillot") == "type_in_district"
    assert code(state, "reveal 1 montmartre-5 belleville") == "tile_drawn"
    assert (
        GAME.view.dump(play(state, "reveal 1 belleville-8 belleville"))["buildings"]["belleville-8"]["type"]
        == "theatre"
    )


def test_in_free_placement_only_a_tile_that_fits_nowhere_is_discarded() -> None:
    cafes = edition_with({f"buildings/{tile}/type": "cafe" for tile in SPACES if tile[-1] in "15"})
    state = begin(edition=cafes, variant="free_placement")
    for tile, district in zip((tile for tile in SPACES if tile.endswith("-5")), DISTRICTS, strict=True):
        assert code(state, "reveal 1 belleville-1 away") == "tile_fits"
        state = whole_turn(play(state, f"reveal 1 {tile} {district}"))
    assert [choice for choice in legal(state) if choice.get("tile") == "belleville-1"] == [
        {"type": "reveal", "stack": stack, "tile": "belleville-1", "discard": True} for stack in (1, 2, 3)
    ]
    after = play(state, "reveal 3 belleville-1 away")
    dumped = GAME.view.dump(after)
    assert (dumped["discarded"], "belleville-1" in dumped["buildings"]) == (["belleville-1"], False)
    assert (dumped["stacks"], turn_of(after)["revealed"]) == ([6, 12, 11], True)
    assert "place_key" in types(after)
    assert code(whole_turn(after), "reveal 1 belleville-1 away") == "tile_drawn"


def test_type_and_extra_cost_go_with_the_tile_and_the_token_with_the_space() -> None:
    setup = advanced({"chaillot-3": "wood", "chaillot-4": "gilt"}, variant="free_placement")
    state = having(begin(**setup), francs=10, stock="wood=1")
    state = play(state, "reveal 1 belleville-3 chaillot", "key arc", "end")
    state = play(state, "reveal 1 belleville-1 batignolles", "key arc", "end")
    assert GAME.view.dump(state)["buildings"]["chaillot-3"]["type"] == "residence"
    state = play(state, "reveal 1 batignolles-1 chaillot")
    after = play(state, "move arc chaillot-3")
    assert seat_of(after)["resources"] == {"wood": 1, "marble": 0, "gold": 0}
    assert GAME.view.dump(after)["market"] == {"wood": 1, "marble": 0, "gold": 0}
    assert (seat_of(after)["francs"], turn_of(after)["may_advance"]) == (7, True)
    assert code(having(state, stock="wood=0"), "move arc chaillot-3") == "cannot_pay"


def test_a_tile_on_a_foreign_space_costs_what_it_bears_itself() -> None:
    dear = edition_with({"buildings/montmartre-5/extra": {"gold": 2}})
    state = begin(edition=dear, variant="free_placement")
    state = having(play(state, "reveal 1 montmartre-5 chaillot", "key arc", "end"), francs=9, stock="gold=2")
    state = whole_turn(play(state, "reveal 1 chaillot-5 montmartre"))
    state = play(state, "reveal 1 belleville-1 belleville")
    assert seat_of(play(state, "move arc chaillot-5"))["resources"]["gold"] == 0
    assert seat_of(play(state, "move arc montmartre-5"))["resources"]["gold"] == 2


# One main action


@pytest.mark.parametrize("line", ["key arc", "key bank:chaillot"])
def test_the_reveal_comes_before_the_main_action(line: str) -> None:
    assert code(begin(), line) == "not_revealed"
    assert types(begin()) == {"reveal"}
    assert lists(REVEALED, line)


def test_the_reveal_comes_before_a_move_of_a_key() -> None:
    state = having(whole_turn(play(ACTED, "end")), francs=5)
    assert (state.to_move, code(state, "move arc montmartre-5")) == ("red", "not_revealed")
    assert lists(play(state, "reveal 1 chaillot-8"), "move arc montmartre-5")


@pytest.mark.parametrize("line", ["key bank:chaillot", "move arc montmartre-5", "end_tile e01"])
def test_there_is_one_main_action_in_a_turn(line: str) -> None:
    state = having(emptied(drawn("arc", free="montmartre-5")), francs=20, stock="wood=1 marble=1 gold=1")
    assert lists(state, line)
    after = play(state, "key bank:belleville")
    assert (code(after, line), lists(after, line)) == ("already_acted", False)
    assert turn_of(after)["acted"] is True


@pytest.mark.parametrize("first", ["key bank:chaillot", "move arc montmartre-5", "end_tile e01"])
def test_each_main_action_is_the_one_of_the_turn(first: str) -> None:
    state = having(emptied(drawn("arc", free="montmartre-5")), francs=20)
    assert code(play(state, first), "key bank:belleville") == "already_acted"


FREE_ACTIONS = ("buy wood", "sell gilt", "sell wood with 10", "activate 1", "activate 25 to 4")


@pytest.mark.parametrize("line", FREE_ACTIONS)
def test_free_actions_may_be_done_at_any_point_of_one_s_turn(line: str) -> None:
    start = with_market(having(begin(), francs=9, tiles="1 10 25", stock="gilt=1", track=5), wood=1)
    revealed = play(start, "reveal 1 belleville-1")
    for state in (start, revealed, play(revealed, "key arc")):
        assert lists(state, line)
        after = play(state, line)
        assert (after.to_move, after.turn, after.ply) == ("red", state.turn, state.ply + 1)
    elsewhere = play(revealed, "key arc", "end")
    assert code(elsewhere, f"red {line}") == "not_your_turn"


# The end of a turn


def test_a_turn_is_ended_and_the_next_seat_begins_afresh() -> None:
    state = begin(3)
    for seat, tile in zip(("red", "blue", "green", "red"), SPACES, strict=False):
        assert (state.to_move, any(turn_of(state).values())) == (seat, False)
        bank = "arc" if seat not in keys_on(state, "arc") else "bank:chaillot"
        state = play(state, f"reveal 1 {tile}", f"key {bank}", "end")
    assert state.ply == 12


def test_a_turn_cannot_end_before_the_reveal() -> None:
    assert code(begin(), "end") == "not_revealed"
    assert not lists(begin(), "end")


def test_with_a_legal_main_action_the_turn_cannot_end() -> None:
    refused = refusal(REVEALED, "end")
    assert (refused.code, lists(REVEALED, "end")) == ("must_act", False)
    assert code(REVEALED, "end", ruled=True) == "must_act"
    assert lists(ACTED, "end")


POOR = having(drawn("bank:belleville", free="belleville-3"), francs=3, keys=0)
"""Red has one key, which could go to the residence with a wood."""
ALONE = having(drawn("bank:belleville belleville-2"), francs=2, keys=0)
"""Red could move onto a building of their own."""
BESIDE = having(drawn("bank:belleville", "belleville-2"), francs=2, keys=0)
"""Red could move onto a building of blue."""
ON_TOP = having(drawn("belleville-8"), francs=1, keys=0)
"""Red could move to a new landmark."""
LAST = having(emptied(drawn(free="belleville-1")), keys=0)
"""Red has no key anywhere, and the stacks are empty."""


@pytest.mark.parametrize(
    ("state", "must"),
    [
        pytest.param(POOR, False, id="a resource is missing"),
        pytest.param(having(POOR, stock="wood=1"), True, id="the resource is there"),
        pytest.param(having(POOR, stock="wood=1", francs=2), False, id="a franc is missing"),
        pytest.param(having(POOR, tiles="2"), True, id="a tile for wood"),
        pytest.param(having(POOR, tiles="3"), False, id="a tile for marble"),
        pytest.param(having(POOR, tiles="10"), True, id="a tile for any resource"),
        pytest.param(having(POOR, tiles="8"), False, id="a tile for any prestige"),
        pytest.param(having(POOR, tiles="21", half="21"), True, id="half a tile for two resources"),
        pytest.param(having(POOR, tiles="e08"), True, id="an end tile for wood"),
        pytest.param(having(POOR, tiles="e09"), False, id="an end tile for marble"),
        pytest.param(with_market(having(POOR, francs=6), wood=1), False, id="wood for sale"),
        pytest.param(having(POOR, francs=2, stock="gilt=1 wood=1"), False, id="prestige that would sell"),
        pytest.param(having(POOR, francs=2, stock="wood=1", tiles="1"), False, id="a tile that would give francs"),
        pytest.param(having(POOR, tiles="14"), False, id="a tile that would give a key"),
        pytest.param(having(POOR, keys=1), True, id="a key in the hand"),
        pytest.param(ALONE, False, id="one's own building"),
        pytest.param(having(ALONE, tiles="9"), True, id="one's own building with tile 9"),
        pytest.param(having(ALONE, tiles="16"), False, id="one's own building with tile 16"),
        pytest.param(BESIDE, False, id="a rival's building"),
        pytest.param(having(BESIDE, tiles="16"), True, id="a rival's building with tile 16"),
        pytest.param(having(BESIDE, tiles="9"), False, id="a rival's building with tile 9"),
        pytest.param(ON_TOP, False, id="a landmark for a marble"),
        pytest.param(having(ON_TOP, stock="marble=1"), True, id="a landmark to be placed"),
        pytest.param(having(ON_TOP, tiles="3"), True, id="a landmark to be placed with a tile for marble"),
        pytest.param(having(ON_TOP, francs=0, stock="marble=1"), False, id="a landmark and no franc"),
        pytest.param(LAST, True, id="an end tile to be taken"),
        pytest.param(having(drawn(free="belleville-1"), keys=0), False, id="end tiles, but tiles to be drawn"),
    ],
)
def test_a_main_action_is_compulsory_if_one_is_legal(state: State, must: bool) -> None:
    assert (bool({"place_key", "move_key", "take_end_tile"} & types(state)), lists(state, "end")) == (must, not must)
    if must:
        assert code(state, "end") == "must_act"
    else:
        assert play(state, "end").to_move == "blue"


def test_a_key_in_the_hand_with_no_free_bank_is_no_main_action() -> None:
    everywhere = " ".join(["arc", *(f"bank:{district}" for district in DISTRICTS)])
    state = having(drawn(everywhere), keys=1, francs=0)
    assert types(state) == {"end_turn"}


def test_whether_a_main_action_is_compulsory_is_judged_at_the_end_of_the_turn() -> None:
    rich = having(POOR, stock="wood=1")
    assert code(rich, "end") == "must_act"
    assert play(rich, "sell wood", "end").to_move == "blue"
    market = with_market(having(POOR, francs=6), wood=1)
    assert lists(market, "end")
    assert code(play(market, "buy wood"), "end") == "must_act"


# End tiles


def test_end_tiles_are_taken_when_all_stacks_are_empty() -> None:
    assert code(REVEALED, "end_tile e01") == "stacks_not_empty"
    assert "take_end_tile" not in types(REVEALED)
    state = emptied(begin())
    offered = [choice["tile"] for choice in legal(state) if choice["type"] == "take_end_tile"]
    assert offered == [f"e{number:02}" for number in range(1, 13)]


def test_whoever_draws_the_last_tile_may_take_an_end_tile_in_the_same_turn() -> None:
    state = begin()
    while sum(GAME.view.dump(state)["stacks"]) > 1:
        state = whole_turn(state)
    tile = next(choice for choice in legal(state) if choice["type"] == "reveal")
    before = state
    state = play(state, f"reveal {tile['stack']} {tile['tile']}")
    assert not any(GAME.view.dump(state)["stacks"])
    after = play(state, "end_tile e05")
    assert (turn_of(after)["revealed"], turn_of(after)["acted"]) == (True, True)
    assert code(before, "end_tile e05") == "stacks_not_empty"


def test_an_end_tile_is_taken_once() -> None:
    state = play(emptied(begin()), "end_tile e05", "end")
    assert (code(state, "end_tile e05"), lists(state, "end_tile e05")) == ("end_tile_taken", False)
    assert "e05" not in GAME.view.dump(state)["end_tiles"]
    assert lists(state, "end_tile e06")


@pytest.mark.parametrize(
    ("tile", "francs", "points", "kept"),
    [
        ("e01", 0, 2, False), ("e02", 0, 3, False), ("e03", 0, 4, False), ("e04", 0, 5, False), ("e05", 0, 6, False),
        ("e06", 4, 0, False), ("e07", 6, 0, False), ("e08", 0, 0, True), ("e09", 0, 0, True), ("e10", 0, 0, True),
        ("e11", 0, 0, True), ("e12", 0, 7, False),
    ],
)  # fmt: skip
def test_an_end_tile_gives_points_or_francs_at_once_or_is_kept(tile: str, francs: int, points: int, kept: bool) -> None:
    after = play(having(emptied(begin()), francs=3), f"end_tile {tile}")
    held = seat_of(after)
    assert (held["francs"], held["points"], held["end_tiles"]) == (3 + francs, points, [tile] if kept else [])
    assert held["bonus"] == held["used_bonus"] == []


# The end


def before_the_last_end_tile(players: int, taker: str) -> State:
    """The start of the turn of a seat, with empty stacks and one end tile left."""
    state = emptied(begin(players))
    state = ruled(state, *(f"red end_tile e{number:02}" for number in range(1, 12)))._replace(turn=begin().turn)
    while state.to_move != taker:
        state = whole_turn(state)
    return state


LAST_TAKEN = [(players, taker) for players in (2, 3, 4) for taker in SEATS[:players]]


@pytest.mark.parametrize(("players", "taker"), LAST_TAKEN)
def test_after_the_last_end_tile_the_round_is_finished_and_everybody_has_one_more_turn(
    players: int, taker: str
) -> None:
    seats = SEATS[:players]
    state = before_the_last_end_tile(players, taker)
    assert phase(state) == "main"
    state = play(state, "end_tile e12")
    assert (phase(state), state.to_move, GAME.view.dump(state)["end_tiles"]) == ("last_round", taker, [])
    state = play(state, "end")
    turns = []
    while state.to_move is not None:
        turns.append((state.to_move, phase(state)))
        state = whole_turn(state)
    behind = seats[seats.index(taker) + 1 :]
    assert turns == [*((seat, "last_round") for seat in behind), *((seat, "final_turns") for seat in seats)]
    assert (phase(state), GAME.view.dump(state)["to_move"], list(GAME.rules.legal_moves(state))) == ("over", None, [])
    assert GAME.rules.result(state) is not None and not any(turn_of(state).values())


def test_before_the_end_there_is_no_result() -> None:
    state = play(before_the_last_end_tile(2, "blue"), "end_tile e12", "end")
    assert (GAME.rules.result(state), GAME.view.dump(state)["result"]) == (None, None)
    state = play(state, "end")
    assert GAME.rules.result(state) is None
    assert GAME.rules.result(play(state, "end")) is not None


def test_the_last_seat_that_takes_the_last_end_tile_is_followed_by_the_final_turns() -> None:
    state = play(before_the_last_end_tile(3, "green"), "end_tile e12", "end")
    assert (state.to_move, phase(state)) == ("red", "final_turns")


def test_the_last_round_has_the_usual_rules() -> None:
    state = play(before_the_last_end_tile(2, "red"), "end_tile e12", "end")
    assert (phase(state), code(state, "end")) == ("last_round", "must_act")
    assert phase(play(state, "key bank:chaillot", "end")) == "final_turns"


def test_in_the_final_turns_the_same_moves_are_possible_and_none_is_compulsory() -> None:
    state = having(play(before_the_last_end_tile(2, "blue"), "end_tile e12", "end"), tiles="1")
    assert phase(state) == "final_turns"
    assert {"place_key", "activate", "end_turn"} <= types(state)
    assert play(state, "end").to_move == "blue"
    acted = play(state, "activate 1", "key bank:chaillot")
    assert code(acted, "key arc") == "already_acted"
    assert play(acted, "end").to_move == "blue"
    assert code(state, "end_tile e12") == "end_tile_taken"


def test_a_match_that_does_as_little_as_it_may_ends_with_equal_turns() -> None:
    state, turns = begin(4), dict.fromkeys(SEATS, 0)
    while state.to_move is not None:
        turns[state.to_move] += 1
        state = whole_turn(state)
    assert len(set(turns.values())) == 1


@pytest.mark.parametrize("is_ruled", [False, True])
def test_nothing_is_accepted_after_the_end(is_ruled: bool) -> None:
    state = play(before_the_last_end_tile(2, "blue"), "end_tile e12", "end", "end", "end")
    state = with_market(having(state, tiles="1 25", stock="gilt=1", track=5, francs=9), wood=1)
    for line in (
        "key arc",
        "end",
        "buy wood",
        "sell gilt",
        "activate 1",
        "activate 25 to 4",
        "advance 7",
        "end_tile e12",
    ):
        for seat in ("red", "blue"):
            assert code(state, f"{seat} {line}", ruled=is_ruled) == "match_over"
