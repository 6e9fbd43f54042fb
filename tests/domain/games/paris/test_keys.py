"""Placing and moving keys: where to, what for, landmarks, benefits, tiles that help, and scoring tiles."""

import pytest

from domain.game import JsonObject
from domain.games.paris.parts import DISTRICTS
from domain.games.paris.state import State
from tests.domain.games.paris.positions import (
    GAME,
    code,
    drawn,
    edition_with,
    having,
    keys_on,
    legal,
    lists,
    play,
    ruled,
    score_of,
    seat_of,
    turn_of,
    types,
    whole_turn,
    with_market,
    with_scoring,
)

RICH = "wood=3 marble=3 gold=3"
VALUES = (1, 2, 3, 4, 5, 8)


def rich(state: State, tiles: str = "") -> State:
    """The position in which red can pay everything."""
    return having(state, francs=50, stock=RICH, tiles=tiles)


def key_moves(state: State) -> list[JsonObject]:
    """The legal moves of keys."""
    return [choice for choice in legal(state) if choice["type"] == "move_key"]


def targets(state: State) -> set[str]:
    """Where keys can go."""
    return {choice["to"] for choice in key_moves(state)}


# Placing a key


@pytest.mark.parametrize(
    ("bank", "francs"),
    [("belleville", 2), ("batignolles", 3), ("la_villette", 4), ("montmartre", 5), ("saint_germain", 6),
     ("chaillot", 7)],
)  # fmt: skip
def test_a_bank_pays_its_amount_at_once(bank: str, francs: int) -> None:
    after = play(drawn(), f"key bank:{bank}")
    assert (seat_of(after)["francs"], seat_of(after)["keys"]) == (3 + francs, 9)
    assert keys_on(after, f"bank:{bank}") == ["red"]


def test_the_arc_pays_nothing() -> None:
    after = play(drawn(), "key arc")
    assert (seat_of(after)["francs"], seat_of(after)["keys"], keys_on(after, "arc")) == (3, 9, ["red"])


@pytest.mark.parametrize("place", ["arc", *(f"bank:{district}" for district in DISTRICTS)])
def test_a_place_takes_one_key_of_each_player(place: str) -> None:
    state = play(drawn("", place, players=3), f"key {place}")
    assert keys_on(state, place) == ["blue", "red"]
    again = drawn(place)
    assert (code(again, f"key {place}"), lists(again, f"key {place}")) == ("key_already_there", False)


@pytest.mark.parametrize("place", ["belleville-1", "landmark-9", "landmark-10"])
def test_keys_from_the_hand_go_to_banks_and_the_arc_alone(place: str) -> None:
    state = drawn(free="belleville-1 landmark-9@belleville")
    assert code(state, f"key {place}") == "not_a_bank"
    assert sum(choice["type"] == "place_key" for choice in legal(state)) == 7


def test_without_a_key_in_the_hand_none_is_placed() -> None:
    state = having(drawn(), keys=0)
    assert (code(state, "key arc"), "place_key" in types(state)) == ("no_key_in_hand", False)
    assert play(having(drawn(), keys=1), "key arc").side.keys == 0


def test_a_key_that_moved_leaves_room_for_another_and_does_not_return_to_the_hand() -> None:
    state = rich(drawn("bank:belleville", free="belleville-1"))
    after = play(state, "move bank:belleville belleville-1")
    assert (seat_of(after)["keys"], keys_on(after, "bank:belleville")) == (9, [])
    later = whole_turn(play(after, "end"))
    assert lists(play(later, "reveal 1 chaillot-8"), "key bank:belleville")


# Where a key goes


@pytest.mark.parametrize("value", VALUES)
def test_from_a_bank_a_key_goes_to_any_building_of_its_district_for_its_value(value: int) -> None:
    state = having(drawn("bank:chaillot", free=f"chaillot-{value}"), francs=value, stock="wood=1")
    after = play(state, f"move bank:chaillot chaillot-{value}")
    assert (seat_of(after)["francs"], keys_on(after, f"chaillot-{value}")) == (0, ["red"])
    poorer = having(state, francs=value - 1)
    assert code(poorer, f"move bank:chaillot chaillot-{value}") == "cannot_pay"
    assert targets(poorer) == set()


@pytest.mark.parametrize(("source", "value"), [("belleville-1", 1), ("belleville-4", 4), ("belleville-5", 5)])
def test_from_a_building_a_key_goes_higher_for_the_difference(source: str, value: int) -> None:
    free = " ".join(f"belleville-{v}" for v in VALUES if v != value)
    state = rich(drawn(source, free=f"{free} landmark-10@belleville montmartre-8 landmark-16@montmartre"))
    higher = {f"belleville-{v}": v for v in VALUES if v > value} | {"landmark-10": 10}
    assert targets(state) - {f"landmark-{v}" for v in range(11, 16)} == set(higher)
    for target, worth in higher.items():
        assert seat_of(play(state, f"move {source} {target}"))["francs"] == 50 - (worth - value)
    for lower in (v for v in VALUES if v < value):
        assert code(state, f"move {source} belleville-{lower}") == "not_higher"


def test_from_a_landmark_a_key_goes_to_a_higher_landmark_for_the_difference() -> None:
    state = having(
        drawn("landmark-11@belleville", free="landmark-9@belleville landmark-14@belleville belleville-8"),
        francs=3,
        stock="marble=1 gold=1",
    )
    assert targets(state) == {"landmark-14"}
    after = play(state, "move landmark-11 landmark-14")
    assert (seat_of(after)["francs"], keys_on(after, "landmark-11"), keys_on(after, "landmark-14")) == (0, [], ["red"])
    assert code(state, "move landmark-11 landmark-9") == "not_higher"
    assert code(state, "move landmark-11 belleville-8") == "not_higher"


@pytest.mark.parametrize("source", ["bank:belleville", "belleville-1", "landmark-9"])
@pytest.mark.parametrize("target", ["montmartre-8", "landmark-16"])
def test_only_from_the_arc_a_key_goes_to_another_district(source: str, target: str) -> None:
    named = "landmark-9@belleville" if source == "landmark-9" else source
    state = rich(drawn(f"{named} arc", free="montmartre-8 landmark-16@montmartre"))
    assert code(state, f"move {source} {target}") == "wrong_district"
    assert not lists(state, f"move {source} {target}")
    assert keys_on(play(state, f"move arc {target}"), target) == ["red"]


def test_from_the_arc_a_key_goes_to_any_district_for_the_whole_value() -> None:
    state = rich(drawn("arc", free=" ".join(f"{district}-4" for district in DISTRICTS)))
    for district in DISTRICTS:
        assert seat_of(play(state, f"move arc {district}-4"))["francs"] == 46
    assert {f"{district}-4" for district in DISTRICTS} <= targets(state)


def test_a_key_moves_to_buildings_and_landmarks_alone() -> None:
    state = rich(drawn("arc bank:belleville", free="belleville-4"))
    for line in ("move bank:belleville arc", "move arc bank:chaillot", "move arc bank:belleville"):
        assert code(state, line) == "not_a_property"
    assert all(not target.startswith(("bank", "arc")) for target in targets(state))


def test_a_building_that_was_not_revealed_is_no_target() -> None:
    state = rich(drawn("bank:belleville", free="belleville-4"))
    assert (code(state, "move bank:belleville belleville-5"), lists(state, "move bank:belleville belleville-5")) == (
        "no_building",
        False,
    )


def test_a_player_moves_his_own_keys_alone() -> None:
    state = rich(drawn("", "bank:belleville belleville-1", free="belleville-4"))
    for source in ("bank:belleville", "belleville-1", "arc", "landmark-9"):
        assert code(state, f"move {source} belleville-4") == "no_key_there"
    assert key_moves(state) == []


def test_a_target_with_a_key_is_occupied() -> None:
    state = rich(drawn("bank:belleville belleville-5", "belleville-4 landmark-9@belleville"))
    for target in ("belleville-4", "belleville-5", "landmark-9"):
        assert code(state, f"move bank:belleville {target}") == "target_occupied"
    assert not targets(state) & {"belleville-4", "belleville-5", "landmark-9"}


def test_what_a_key_leaves_is_free_again() -> None:
    state = rich(drawn("belleville-2", "bank:belleville", free="belleville-4"))
    state = play(state, "move belleville-2 belleville-4", "end", "reveal 1 chaillot-8")
    assert keys_on(state, "belleville-2") == []
    assert keys_on(play(state, "move bank:belleville belleville-2"), "belleville-2") == ["blue"]


# What a move costs


def test_the_extra_cost_is_paid_in_full_and_lies_in_the_supply() -> None:
    state = with_market(having(drawn("arc", free="landmark-15@belleville"), francs=15, stock="marble=1 gold=3"), gold=1)
    after = play(state, "move arc landmark-15")
    assert seat_of(after)["resources"] == {"wood": 0, "marble": 0, "gold": 1}
    assert GAME.view.dump(after)["market"] == {"wood": 0, "marble": 1, "gold": 3}
    later = having(play(after, "end"), "blue", francs=9)
    assert lists(later, "buy gold") and lists(later, "buy marble") and not lists(later, "buy wood")


@pytest.mark.parametrize("stock", ["gold=2", "marble=1 gold=1", "marble=3", "wood=3 gold=2"])
def test_without_every_resource_the_move_is_illegal(stock: str) -> None:
    state = having(drawn("arc", free="landmark-15@belleville"), francs=15, stock=stock)
    assert (code(state, "move arc landmark-15"), "landmark-15" in targets(state)) == ("cannot_pay", False)


def test_resources_are_paid_in_full_when_coming_from_a_building_too() -> None:
    state = having(drawn("belleville-2", free="belleville-3"), francs=1, stock="wood=1")
    after = play(state, "move belleville-2 belleville-3")
    assert (seat_of(after)["francs"], seat_of(after)["resources"]["wood"]) == (0, 0)


SPENDER = having(drawn("arc", free="landmark-15@belleville"), francs=15)
"""Red needs a marble and two gold."""


@pytest.mark.parametrize(
    ("stock", "tiles", "spend"),
    [
        ("gold=2", "3", "3=marble"),
        ("gold=2", "10", "10=marble"),
        ("gold=2", "e09", "e09=marble"),
        ("marble=1 gold=1", "4", "4=gold"),
        ("marble=1 gold=1", "e10", "e10=gold"),
        ("marble=1", "21", "21=gold 21=gold"),
        ("gold=1", "21", "21=marble 21=gold"),
        ("", "3 4 10", "3=marble 4=gold 10=gold"),
        ("", "10 21", "10=marble 21=gold 21=gold"),
        ("", "10 21", "10=gold 21=gold 21=marble"),
        ("marble=1 gold=2", "10", "10=gold"),
        ("marble=1 gold=2", "10 21", "10=marble 21=gold 21=gold"),
    ],
)
def test_tiles_stand_for_resources_in_paying(stock: str, tiles: str, spend: str) -> None:
    state = having(SPENDER, stock=stock, tiles=tiles)
    after = play(state, f"move arc landmark-15 spend {spend}")
    spent = [entry.partition("=") for entry in spend.split()]
    had = dict(entry.split("=") for entry in stock.split())
    for kind, price in (("wood", 0), ("marble", 1), ("gold", 2)):
        paid = price - sum(entry[2] == kind for entry in spent)
        assert seat_of(after)["resources"][kind] == int(had.get(kind, 0)) - paid
        assert GAME.view.dump(after)["market"][kind] == paid
    assert seat_of(after)["bonus"] == seat_of(after)["end_tiles"] == []
    assert keys_on(after, "landmark-15") == ["red"]


def test_a_half_that_is_not_needed_stays() -> None:
    state = having(SPENDER, stock="gold=2", tiles="21")
    after = play(state, "move arc landmark-15 spend 21=marble")
    assert (seat_of(after)["bonus"], seat_of(after)["half_used"], seat_of(after)["used_bonus"]) == ([21], {"21": 1}, [])
    again = having(after, "red", stock="gold=0 marble=0")
    assert lists(again, "sell gold with 21")
    assert seat_of(play(again, "sell gold with 21"))["used_bonus"] == [21]


@pytest.mark.parametrize(
    ("tiles", "spend", "expected"),
    [
        ("10", "3=marble", "tile_not_held"),
        ("10", "e09=marble", "tile_not_held"),
        ("3", "3=gold", "not_that_token"),
        ("10", "10=gilt", "not_that_token"),
        ("8", "8=gold", "not_that_token"),
        ("1", "1=gold", "not_that_token"),
        ("10", "10=gold 10=gold", "tile_used_up"),
        ("21", "21=gold 21=gold 21=marble", "tile_used_up"),
        ("10", "10=wood", "not_needed"),
        ("10 3", "10=marble 3=marble", "not_needed"),
        ("8", "8=gilt", "not_needed"),
        ("21 10 4", "21=gold 10=gold 4=gold", "not_needed"),
    ],
)
def test_tiles_stand_in_only_for_what_they_are_and_what_is_needed(tiles: str, spend: str, expected: str) -> None:
    state = having(SPENDER, stock="marble=1 gold=2", tiles=tiles)
    assert code(state, f"move arc landmark-15 spend {spend}") == expected
    assert lists(state, "move arc landmark-15")


def test_half_a_tile_stands_for_one_token() -> None:
    state = having(SPENDER, stock="marble=1", tiles="21", half="21")
    assert code(state, "move arc landmark-15 spend 21=gold 21=gold") == "tile_used_up"
    assert "landmark-15" not in targets(state)
    more = having(state, stock="gold=1")
    after = play(more, "move arc landmark-15 spend 21=gold")
    assert (seat_of(after)["bonus"], seat_of(after)["used_bonus"], seat_of(after)["half_used"]) == ([], [21], {})


def test_the_listed_move_spends_tiles_only_for_what_is_missing() -> None:
    state = having(SPENDER, stock="gold=1", tiles="10 3 21")
    assert [choice for choice in key_moves(state) if choice["to"] == "landmark-15"] == [
        {
            "type": "move_key",
            "from": "arc",
            "to": "landmark-15",
            "spend": [{"tile": 3, "as": "marble"}, {"tile": 10, "as": "gold"}],
        }
    ]
    enough = having(state, stock="gold=2 marble=1")
    assert ["spend" in choice for choice in key_moves(enough) if choice["to"] == "landmark-15"] == [False]


def test_tiles_for_one_kind_are_kept_for_it_where_there_is_a_choice() -> None:
    state = having(drawn("arc", free="landmark-14@belleville"), francs=14, tiles="10 4")
    after = play(state, "move arc landmark-14 spend 4=gold 10=marble")
    assert keys_on(after, "landmark-14") == ["red"]
    assert lists(state, "move arc landmark-14 spend 4=gold 10=marble")


# Landmarks


def test_a_landmark_is_placed_in_the_district_of_the_key_and_entered() -> None:
    state = having(drawn("belleville-8"), francs=1, stock="marble=1")
    line = "move belleville-8 landmark-9 place 9 belleville"
    assert lists(state, line)
    after = play(state, line)
    assert GAME.view.dump(after)["landmarks"]["placed"] == {"9": {"district": "belleville", "keys": ["red"]}}
    assert GAME.view.dump(after)["landmarks"]["available"] == list(range(10, 17))
    assert seat_of(after)["francs"] == 0


@pytest.mark.parametrize("source", ["bank:belleville", "belleville-1", "landmark-9"])
def test_a_key_that_is_not_on_the_arc_places_a_landmark_in_its_own_district(source: str) -> None:
    named = "landmark-9@belleville" if source == "landmark-9" else source
    state = rich(drawn(f"{named} arc"))
    assert code(state, f"move {source} landmark-10 place 10 montmartre") == "landmark_elsewhere"
    assert keys_on(play(state, f"move {source} landmark-10 place 10 belleville"), "landmark-10") == ["red"]
    assert GAME.view.dump(play(state, "move arc landmark-10 place 10 montmartre"))["landmarks"]["placed"]["10"] == {
        "district": "montmartre",
        "keys": ["red"],
    }


def test_with_a_key_on_the_arc_a_landmark_may_lie_in_any_district() -> None:
    state = rich(drawn("arc"))
    for district in DISTRICTS:
        assert lists(state, f"move arc landmark-16 place 16 {district}")
        assert keys_on(play(state, f"move arc landmark-16 place 16 {district}"), "landmark-16") == ["red"]


def test_a_landmark_may_be_placed_and_not_entered() -> None:
    state = rich(drawn("bank:belleville", free="belleville-1"))
    after = play(state, "move bank:belleville belleville-1 place 16 belleville")
    assert GAME.view.dump(after)["landmarks"]["placed"] == {"16": {"district": "belleville", "keys": []}}
    assert (keys_on(after, "belleville-1"), seat_of(after)["francs"]) == (["red"], 49)
    assert seat_of(after)["resources"] == {"wood": 3, "marble": 3, "gold": 3}


def test_a_key_on_the_arc_may_go_to_another_district_than_its_landmark() -> None:
    state = rich(drawn("arc", free="chaillot-1"))
    after = play(state, "move arc chaillot-1 place 9 montmartre")
    assert GAME.view.dump(after)["landmarks"]["placed"] == {"9": {"district": "montmartre", "keys": []}}
    assert keys_on(after, "chaillot-1") == ["red"]


def test_a_landmark_that_lies_on_the_board_is_not_placed_again() -> None:
    state = rich(drawn("arc bank:montmartre", free="landmark-12@belleville montmartre-1"))
    for line in (
        "move arc landmark-12 place 12 montmartre",
        "move arc landmark-12 place 12 belleville",
        "move bank:montmartre montmartre-1 place 12 montmartre",
    ):
        assert code(state, line) == "landmark_placed"
    assert lists(state, "move arc landmark-12")


def test_a_landmark_that_was_not_placed_is_no_target() -> None:
    state = rich(drawn("arc", free="landmark-12@belleville"))
    assert code(state, "move arc landmark-13") == "landmark_not_placed"
    assert code(state, "move arc landmark-13 place 14 belleville") == "landmark_not_placed"


@pytest.mark.parametrize(("landmark", "legal_here"), [(9, False), (11, False), (13, False), (15, True), (16, True)])
def test_a_landmark_is_worth_more_than_all_that_lie_in_its_district(landmark: int, legal_here: bool) -> None:
    state = rich(drawn("arc", "landmark-14@belleville", free="landmark-10@belleville landmark-12@chaillot"))
    line = f"move arc landmark-{landmark} place {landmark} belleville"
    assert lists(state, line) == legal_here
    if legal_here:
        assert keys_on(play(state, line), f"landmark-{landmark}") == ["red"]
    else:
        assert code(state, line) == "landmark_not_higher"
    assert lists(state, f"move arc landmark-{landmark} place {landmark} montmartre")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("move bank:belleville montmartre-1 place 16 belleville", "wrong_district"),
        ("move bank:belleville belleville-5 place 16 belleville", "no_building"),
        ("move bank:belleville landmark-16 place 16 belleville", "cannot_pay"),
        ("move arc montmartre-1 place 16 montmartre", "no_key_there"),
        ("move bank:belleville belleville-2 place 16 belleville", "target_occupied"),
    ],
)
def test_a_landmark_is_placed_only_with_a_legal_move_of_a_key(line: str, expected: str) -> None:
    state = having(drawn("bank:belleville", "belleville-2", free="belleville-1 montmartre-1"), francs=15)
    assert code(state, line) == expected
    assert lists(state, "move bank:belleville belleville-1")


def test_every_landmark_that_can_be_entered_is_listed() -> None:
    state = having(drawn("belleville-8", free="landmark-10@chaillot"), francs=5, stock="marble=2 gold=1")
    placed = {choice["to"]: choice["landmark"] for choice in key_moves(state)}
    assert placed == {
        f"landmark-{value}": {"tile": value, "district": "belleville"} for value in (9, 11, 12, 13)
    }  # 10 lies elsewhere, 14 is too dear


# Benefits


@pytest.mark.parametrize(
    ("value", "kind"), [(1, "bronze"), (2, "silver"), (3, "gilt"), (4, "wood"), (5, "marble"), (8, "gold")]
)
def test_the_first_owner_takes_the_token_beside_a_building(value: int, kind: str) -> None:
    state = having(
        drawn("arc", "arc", free=f"chaillot-{value} landmark-9@chaillot"), francs=20, stock="wood=1 marble=1"
    )
    state = having(state, "blue", francs=20, stock="wood=1")
    after = play(state, f"move arc chaillot-{value}")
    held = {**seat_of(after)["resources"], **seat_of(after)["prestige"]}
    before = {**seat_of(state)["resources"], **seat_of(state)["prestige"]}
    if value == 3:
        before["wood"] -= 1
    assert held == {**before, kind: before[kind] + 1}
    assert f"chaillot-{value}" not in GAME.view.dump(after)["tokens"] and len(GAME.view.dump(after)["tokens"]) == 35
    second = play(after, "end", "reveal 1 belleville-1", "key bank:chaillot", "end", "reveal 1 belleville-2")
    second = play(second, f"move chaillot-{value} landmark-9", "end", "reveal 1 belleville-3")
    later = play(second, f"move arc chaillot-{value}")
    assert keys_on(later, f"chaillot-{value}") == ["blue"]
    assert {**seat_of(later, "blue")["resources"], **seat_of(later, "blue")["prestige"]}[kind] == (
        1 if kind == "wood" else 0
    )


@pytest.mark.parametrize(
    ("target", "right", "fee"),
    [("1", True, 0), ("2", True, 0), ("3", True, 2), ("4", False, 0), ("5", False, 0), ("8", False, 0)],
)
def test_the_values_1_2_and_3_let_the_owner_advance(target: str, right: bool, fee: int) -> None:
    state = having(drawn("bank:chaillot", free=f"chaillot-{target}"), francs=9, stock="wood=1")
    after = play(state, f"move bank:chaillot chaillot-{target}")
    assert (turn_of(after)["may_advance"], turn_of(after)["advance_fee"]) == (right, fee)
    assert ("advance" in types(after)) == right
    if right:
        advanced = play(after, "advance 30")
        assert seat_of(advanced)["francs"] == 9 - int(target) - fee
        assert (seat_of(advanced)["track"], seat_of(advanced)["bonus"]) == (30, [30])
    else:
        assert code(after, "advance 30") == "no_right_to_advance"


def test_a_landmark_gives_no_right_to_advance() -> None:
    after = play(rich(drawn("arc", free="landmark-9@belleville")), "move arc landmark-9")
    assert not turn_of(after)["may_advance"]


def test_the_value_8_gives_two_points() -> None:
    state = rich(drawn("bank:chaillot", free="chaillot-8 chaillot-5"))
    assert seat_of(play(state, "move bank:chaillot chaillot-8"))["points"] == 2
    assert seat_of(play(state, "move bank:chaillot chaillot-5"))["points"] == 0


def test_the_right_to_advance_lasts_until_the_end_of_the_turn() -> None:
    state = having(drawn("bank:chaillot", free="chaillot-1"), francs=3, stock="gilt=1", tiles="1")
    after = play(state, "move bank:chaillot chaillot-1", "sell gilt", "activate 1")
    assert lists(after, "advance 5")
    ended = play(after, "end")
    assert not any(turn_of(ended).values())
    again = play(whole_turn(ended), "reveal 1 batignolles-8")
    assert (again.to_move, code(again, "advance 5")) == ("red", "no_right_to_advance")


def test_the_right_to_advance_is_used_once() -> None:
    state = play(rich(drawn("bank:chaillot", free="chaillot-1")), "move bank:chaillot chaillot-1", "advance 5")
    assert (code(state, "advance 6"), turn_of(state)["may_advance"]) == ("no_right_to_advance", False)


def test_the_fee_is_due_with_the_advance() -> None:
    state = having(drawn("bank:chaillot", free="chaillot-3"), francs=4, stock="wood=1 gold=1")
    after = play(state, "move bank:chaillot chaillot-3")
    assert (seat_of(after)["francs"], turn_of(after)["may_advance"]) == (1, True)
    assert (code(after, "advance 5"), "advance" in types(after)) == ("cannot_pay", False)
    paid = play(after, "sell gold", "advance 5")
    assert (seat_of(paid)["francs"], seat_of(paid)["track"]) == (2, 5)
    assert turn_of(paid)["advance_fee"] == 0


# Prestige at a landmark

COLLECTOR = rich(drawn("arc", free="landmark-10@belleville landmark-15@belleville belleville-1"))
"""Landmark 10 lists bronze for 3, landmark 15 gilt for 5."""


@pytest.mark.parametrize(
    ("stock", "tiles", "line", "points", "left", "tiles_left"),
    [
        ("bronze=1", "", "landmark-10 prestige bronze=1", 3, 0, []),
        ("bronze=4", "", "landmark-10 prestige bronze=3", 9, 1, []),
        ("bronze=4", "", "landmark-10", 0, 4, []),
        ("gilt=3", "", "landmark-15 prestige gilt=2", 10, 1, []),
        ("", "8", "landmark-10 spend 8=bronze prestige bronze=1", 3, 0, []),
        ("", "8 19", "landmark-15 spend 8=gilt 19=gilt 19=gilt prestige gilt=3", 15, 0, []),
        ("gilt=2", "e11", "landmark-15 spend e11=gilt prestige gilt=3", 15, 0, []),
        ("gilt=1", "19", "landmark-15 spend 19=gilt prestige gilt=2", 10, 0, [19]),
        ("gilt=2", "19", "landmark-15 spend 19=gilt prestige gilt=1", 5, 2, [19]),
    ],
)
def test_prestige_is_discarded_for_the_points_of_the_landmark_and_leaves_the_game(
    stock: str, tiles: str, line: str, points: int, left: int, tiles_left: list[int]
) -> None:
    state = having(COLLECTOR, stock=stock, tiles=tiles)
    after = play(state, f"move arc {line}")
    held = seat_of(after)
    assert (held["points"], sum(held["prestige"].values())) == (points, left)
    assert (held["bonus"], held["end_tiles"], list(held["half_used"])) == (tiles_left, [], [str(n) for n in tiles_left])
    plain = play(state, f"move arc {line.partition(' ')[0]}")
    assert GAME.view.dump(after)["market"] == GAME.view.dump(plain)["market"]


def test_a_landmark_takes_several_kinds_and_three_tokens_in_all() -> None:
    edition = edition_with({"landmarks/9/prestige": {"bronze": 1, "silver": 2, "gilt": 4}})
    table = drawn("arc", free="landmark-9@belleville", edition=edition)
    state = having(table, francs=9, stock="marble=1 bronze=2 silver=2 gilt=1")
    assert seat_of(play(state, "move arc landmark-9 prestige bronze=1 silver=1 gilt=1"))["points"] == 7
    assert code(state, "move arc landmark-9 prestige bronze=1 silver=2 gilt=1") == "too_many_prestige"
    assert lists(state, "move arc landmark-9 prestige silver=2 gilt=1")


@pytest.mark.parametrize(
    ("stock", "tiles", "line", "expected"),
    [
        ("silver=1", "", "landmark-10 prestige silver=1", "prestige_not_wanted"),
        ("bronze=1 gilt=1", "", "landmark-10 prestige bronze=1 gilt=1", "prestige_not_wanted"),
        ("bronze=1", "", "belleville-1 prestige bronze=1", "prestige_not_wanted"),
        ("", "", "landmark-10 prestige bronze=1", "no_such_prestige"),
        ("bronze=1", "", "landmark-10 prestige bronze=2", "no_such_prestige"),
        ("", "8", "landmark-10 prestige bronze=1", "no_such_prestige"),
        ("", "8", "landmark-10 spend 8=bronze prestige bronze=2", "no_such_prestige"),
        ("bronze=4", "", "landmark-10 prestige bronze=4", "too_many_prestige"),
        ("bronze=3", "8", "landmark-10 spend 8=bronze prestige bronze=4", "too_many_prestige"),
        ("bronze=1", "8", "landmark-10 spend 8=bronze", "not_needed"),
        ("bronze=1", "8 19", "landmark-10 spend 8=bronze 19=bronze prestige bronze=1", "not_needed"),
        ("bronze=1", "19", "landmark-10 spend 19=silver prestige bronze=1", "not_needed"),
        ("bronze=1", "10", "landmark-10 spend 10=bronze prestige bronze=1", "not_that_token"),
    ],
)
def test_prestige_that_does_not_count_is_not_discarded(stock: str, tiles: str, line: str, expected: str) -> None:
    assert code(having(COLLECTOR, stock=stock, tiles=tiles), f"move arc {line}") == expected


def test_a_landmark_is_listed_without_prestige_and_with_as_much_as_counts() -> None:
    state = having(COLLECTOR, stock="gilt=2 bronze=2", tiles="19")
    moves = [choice for choice in key_moves(state) if choice["to"] == "landmark-15"]
    assert [(choice.get("prestige"), choice.get("spend")) for choice in moves] == [
        (None, None),
        ({"gilt": 3}, [{"tile": 19, "as": "gilt"}]),
    ]
    without = [choice for choice in key_moves(having(COLLECTOR, stock="silver=2")) if choice["to"] == "landmark-15"]
    assert [choice.get("prestige") for choice in without] == [None]


# Tile 9: a second key on what one owns

DOUBLE = having(drawn("arc belleville-4", "belleville-5", free="belleville-1"), francs=4, tiles="9")


def test_with_tile_9_a_key_joins_another_of_its_owner_at_normal_cost_and_with_its_benefits() -> None:
    state = having(drawn("arc belleville-8"), francs=8, tiles="9")
    after = play(state, "move arc belleville-8 using 9")
    held = seat_of(after)
    assert (keys_on(after, "belleville-8"), held["francs"], held["points"]) == (["red", "red"], 0, 2)
    assert (held["bonus"], held["used_bonus"]) == ([], [9])
    assert code(having(state, francs=7), "move arc belleville-8 using 9") == "cannot_pay"
    right = play(having(drawn("arc belleville-1"), tiles="9"), "move arc belleville-1 using 9")
    assert turn_of(right)["may_advance"]


def test_tile_9_lets_a_key_onto_what_is_shared_with_others() -> None:
    state = having(drawn("arc belleville-4", "belleville-4", "belleville-4", players=3), francs=4, tiles="9")
    assert lists(state, "move arc belleville-4 using 9")
    assert keys_on(play(state, "move arc belleville-4 using 9"), "belleville-4") == ["red", "blue", "green", "red"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("move arc belleville-4", "target_occupied"),
        ("move arc belleville-4 using 16", "tile_not_held"),
        ("move arc belleville-5 using 9", "using_mismatch"),
        ("move arc belleville-1 using 9", "using_mismatch"),
        ("move bank:belleville belleville-4 using 9", "no_key_there"),
    ],
)
def test_tile_9_needs_a_target_with_a_key_of_one_s_own(line: str, expected: str) -> None:
    assert code(DOUBLE, line) == expected
    assert lists(DOUBLE, "move arc belleville-4 using 9")
    assert not lists(DOUBLE, "move arc belleville-5 using 9")


def test_without_tile_9_a_player_does_not_join_himself() -> None:
    state = having(drawn("arc belleville-4"), francs=9, used="9")
    assert (code(state, "move arc belleville-4 using 9"), targets(state)) == ("tile_not_held", set())


def test_with_tile_9_values_and_districts_hold_as_ever() -> None:
    state = having(drawn("belleville-5 montmartre-8 belleville-4 bank:chaillot"), francs=20, tiles="9")
    assert code(state, "move belleville-5 belleville-4 using 9") == "not_higher"
    assert code(state, "move bank:chaillot montmartre-8 using 9") == "wrong_district"
    after = play(state, "move belleville-4 belleville-5 using 9")
    assert (keys_on(after, "belleville-5"), keys_on(after, "belleville-4"), seat_of(after)["francs"]) == (
        ["red", "red"],
        [],
        19,
    )


def test_each_key_of_tile_9_is_a_property_of_its_own() -> None:
    state = with_scoring(having(drawn("arc belleville-4", "belleville-8"), francs=4, tiles="9"), belleville="20-10-5")
    assert score_of(state)["districts"] == {"belleville": 10}
    after = having(play(state, "move arc belleville-4 using 9"), tiles="18")
    (item,) = (item for item in GAME.telling.explain(after)["red"] if item.category == "district")
    assert item.sources == ("belleville-4", "belleville-4")
    assert score_of(after)["districts"] == {"belleville": 10}  # 4 + 4 against a single 8
    assert seat_of(play(after, "activate 18"))["points"] == 10


def test_of_two_keys_on_a_tile_one_leaves_and_the_other_stays() -> None:
    state = rich(drawn("belleville-4 belleville-4", free="belleville-5"))
    after = play(state, "move belleville-4 belleville-5")
    assert (keys_on(after, "belleville-4"), keys_on(after, "belleville-5")) == (["red"], ["red"])
    rival = having(after, "blue", francs=4)
    assert code(ruled(rival, "blue reveal 1 chaillot-1", "key arc"), "move arc belleville-4") == "target_occupied"


def test_of_two_keys_of_a_seat_the_earlier_leaves_first() -> None:
    state = rich(drawn("arc belleville-4", "belleville-4", free="belleville-5"), tiles="9")
    state = play(state, "move arc belleville-4 using 9")
    assert keys_on(state, "belleville-4") == ["red", "blue", "red"]
    left = ruled(state, "red move belleville-4 belleville-5")
    assert keys_on(left, "belleville-4") == ["blue", "red"]


# Tile 16: beside a rival


def test_with_tile_16_a_key_joins_rivals_at_normal_cost_and_with_its_benefits() -> None:
    state = having(drawn("arc", "belleville-8", "belleville-8", players=3), francs=8, tiles="16")
    assert lists(state, "move arc belleville-8 using 16")
    after = play(state, "move arc belleville-8 using 16")
    held = seat_of(after)
    assert (keys_on(after, "belleville-8"), held["francs"], held["points"]) == (["blue", "green", "red"], 0, 2)
    assert (held["bonus"], held["used_bonus"]) == ([], [16])
    assert code(having(state, francs=7), "move arc belleville-8 using 16") == "cannot_pay"


def test_with_tile_16_a_landmark_is_shared_for_its_extra_cost_and_prestige() -> None:
    state = having(drawn("arc", "landmark-15@belleville"), francs=15, stock="marble=1 gold=2 gilt=1", tiles="16")
    after = play(state, "move arc landmark-15 prestige gilt=1 using 16")
    assert (keys_on(after, "landmark-15"), seat_of(after)["points"]) == (["blue", "red"], 5)
    assert sum(seat_of(after)["resources"].values()) == 0


SHARE = having(drawn("arc belleville-4", "belleville-4 belleville-5", free="belleville-1"), francs=8, tiles="16")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("move arc belleville-5", "target_occupied"),
        ("move arc belleville-5 using 9", "tile_not_held"),
        ("move arc belleville-4 using 16", "using_mismatch"),
        ("move arc belleville-1 using 16", "using_mismatch"),
    ],
)
def test_tile_16_needs_a_target_with_keys_of_others_only(line: str, expected: str) -> None:
    assert code(SHARE, line) == expected
    assert lists(SHARE, "move arc belleville-5 using 16")
    assert not lists(SHARE, "move arc belleville-4 using 16")


def test_a_shared_building_belongs_to_both() -> None:
    state = with_scoring(having(drawn("arc", "belleville-4"), francs=4, tiles="16"), belleville="20-10-5")
    after = play(state, "move arc belleville-4 using 16")
    assert [score_of(after, seat)["districts"] for seat in ("red", "blue")] == [{"belleville": 20}] * 2
    for seat in ("red", "blue"):
        owner = having(after, seat, tiles="18")._replace(mover=after.table.seats.index(seat))
        assert seat_of(play(owner, "activate 18"), seat)["points"] == 5


def test_what_one_of_two_owners_leaves_stays_with_the_other() -> None:
    state = rich(drawn("belleville-4", "belleville-4", free="belleville-5"))
    after = play(state, "move belleville-4 belleville-5")
    assert keys_on(after, "belleville-4") == ["blue"]
    assert (
        code(rich(drawn("bank:belleville", "belleville-4")), "move bank:belleville belleville-4") == "target_occupied"
    )


# Scoring tiles

THREE = rich(drawn("arc belleville-1", "belleville-2 landmark-9@belleville", free="belleville-4 chaillot-4"))
"""Three keys on the buildings and landmarks of Belleville."""


def test_the_fourth_key_of_a_district_lets_a_scoring_tile_be_placed() -> None:
    after = play(THREE, "move arc belleville-4")
    assert turn_of(after)["may_score_tile"]
    offered = [(choice["tile"], choice["district"]) for choice in legal(after) if choice["type"] == "score_tile"]
    tiles = ("10-5-2", "12-6-3", "14-7-3", "16-8-4", "18-9-4", "20-10-5")
    assert offered == [(tile, district) for tile in tiles for district in DISTRICTS]


@pytest.mark.parametrize("district", DISTRICTS)
def test_the_scoring_tile_goes_to_any_district(district: str) -> None:
    after = play(THREE, "move arc belleville-4", f"score 20-10-5 {district}")
    assert GAME.view.dump(after)["scoring_tiles"]["placed"] == {district: "20-10-5"}
    assert "20-10-5" not in GAME.view.dump(after)["scoring_tiles"]["available"]
    assert (turn_of(after)["may_score_tile"], code(after, "score 18-9-4 chaillot")) == (False, "no_scoring_right")


@pytest.mark.parametrize(
    ("state", "line"),
    [
        pytest.param(THREE, "key bank:belleville", id="a key in the bank"),
        pytest.param(THREE, "move arc chaillot-4", id="another district"),
        pytest.param(THREE, "move belleville-1 belleville-4", id="a key within the district"),
        pytest.param(
            rich(drawn("arc belleville-1", "belleville-2 bank:belleville", free="belleville-4")),
            "move arc belleville-4",
            id="two keys and one in the bank",
        ),
        pytest.param(
            rich(drawn("arc belleville-1 belleville-2", "belleville-3 belleville-5", free="belleville-4")),
            "move arc belleville-4",
            id="the fifth key",
        ),
    ],
)
def test_nothing_but_the_fourth_key_lets_a_scoring_tile_be_placed(state: State, line: str) -> None:
    after = play(state, line)
    assert (turn_of(after)["may_score_tile"], "score_tile" in types(after)) == (False, False)
    assert code(after, "score 20-10-5 belleville") == "no_scoring_right"


def test_each_key_on_a_tile_counts_for_the_fourth() -> None:
    twice = rich(drawn("arc belleville-1 belleville-1", "belleville-1", free="belleville-4"))
    assert turn_of(play(twice, "move arc belleville-4"))["may_score_tile"]
    joined = rich(drawn("arc belleville-1", "belleville-2 belleville-3"), tiles="9")
    assert turn_of(play(joined, "move arc belleville-1 using 9"))["may_score_tile"]
    entered = rich(drawn("arc belleville-1", "belleville-2 belleville-3"))
    assert turn_of(play(entered, "move arc landmark-9 place 9 belleville"))["may_score_tile"]


def test_the_chance_is_gone_at_the_end_of_the_turn() -> None:
    after = play(THREE, "move arc belleville-4", "end")
    assert not turn_of(after)["may_score_tile"]
    assert code(after, "score 20-10-5 belleville") == "no_scoring_right"
    back = play(whole_turn(after), "reveal 1 chaillot-8")
    assert (back.to_move, code(back, "score 20-10-5 belleville")) == ("red", "no_scoring_right")


def test_a_district_gives_the_chance_once() -> None:
    after = play(THREE, "move arc belleville-4")
    gone = ruled(after, "move belleville-4 chaillot-4", "end")
    assert keys_on(gone, "belleville-4") == []
    back = ruled(gone, "red key arc", "red move arc belleville-4")
    assert (keys_on(back, "belleville-4"), turn_of(back)["may_score_tile"]) == (["red"], False)


def test_a_scoring_tile_and_a_district_are_used_once() -> None:
    after = play(with_scoring(THREE, chaillot="18-9-4"), "move arc belleville-4")
    assert code(after, "score 18-9-4 belleville") == "scoring_tile_placed"
    assert code(after, "score 20-10-5 chaillot") == "district_has_tile"
    offered = {(choice["tile"], choice["district"]) for choice in legal(after) if choice["type"] == "score_tile"}
    assert len(offered) == 25
    assert not any(tile == "18-9-4" or district == "chaillot" for tile, district in offered)


def test_free_actions_may_come_before_the_scoring_tile() -> None:
    state = having(THREE, tiles="1", stock="gilt=1")
    after = play(state, "move arc belleville-4", "activate 1", "sell gilt", "score 20-10-5 belleville")
    assert GAME.view.dump(after)["scoring_tiles"]["placed"] == {"belleville": "20-10-5"}
