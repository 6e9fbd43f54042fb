"""The bonus track and what all thirty numbers do."""

import pytest

from domain.games.paris.state import State
from tests.domain.games.paris.positions import (
    GAME,
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
    play,
    ruled,
    score_of,
    seat_of,
    with_scoring,
)


def ready(state: State, track: int = 0) -> State:
    """The position in which red has the right to advance, with the pawn on a space."""
    return having(state._replace(turn=state.turn._replace(may_advance=True)), track=track)


def spaces(state: State) -> list[int]:
    """Where the pawn may advance to."""
    return [choice["to"] for choice in legal(state) if choice["type"] == "advance"]


def activations(state: State, tile: int) -> list[dict[str, object]]:
    """The legal ways to activate a tile, with what each names."""
    named = [choice for choice in legal(state) if choice["type"] == "activate" and choice["tile"] == tile]
    return [{member: value for member, value in choice.items() if member not in ("type", "tile")} for choice in named]


# Advancing


@pytest.mark.parametrize("to", [1, 2, 17, 30])
def test_a_pawn_advances_by_any_number_of_spaces_and_takes_the_tile(to: int) -> None:
    after = play(ready(drawn()), f"advance {to}")
    held = seat_of(after)
    assert (held["track"], held["bonus"], held["used_bonus"]) == (to, [to], [])
    assert GAME.view.dump(after)["track"][str(to)] == []


def test_a_pawn_goes_forward_only() -> None:
    state = ready(drawn(), track=7)
    assert spaces(state) == list(range(8, 31))
    assert (code(state, "advance 7"), code(state, "advance 6")) == ("not_forward", "not_forward")


def test_a_space_without_a_tile_is_skipped() -> None:
    state = having(ready(drawn()), "blue", tiles="5")
    assert (code(state, "advance 5"), 5 in spaces(state)) == ("no_bonus_tile", False)
    assert seat_of(play(state, "advance 6"))["track"] == 6


@pytest.mark.parametrize("used", [False, True])
def test_a_number_is_had_once_whether_used_or_not(used: bool) -> None:
    state = having(ready(drawn(players=3)), used="5") if used else having(ready(drawn(players=3)), tiles="5")
    assert GAME.view.dump(state)["track"]["5"] == [5]
    assert (code(state, "advance 5"), 5 in spaces(state)) == ("number_had", False)
    other = having(drawn(players=3), "blue", tiles="5")
    assert seat_of(play(ready(other), "advance 5"))["bonus"] == [5]


def test_of_two_copies_the_top_one_is_taken_and_the_other_left() -> None:
    state = ready(drawn(players=3))
    assert GAME.view.dump(state)["track"]["5"] == [5, 5]
    after = play(state, "advance 5")
    assert (GAME.view.dump(after)["track"]["5"], seat_of(after)["bonus"]) == ([5], [5])
    green = ruled(after, "green advance 5")
    assert (GAME.view.dump(green)["track"]["5"], seat_of(green, "green")["bonus"]) == ([], [5])


def test_pawns_may_share_a_space() -> None:
    state = ruled(ready(drawn(players=3)), "red advance 5", "blue advance 5")
    assert [seat_of(state, seat)["track"] for seat in ("red", "blue")] == [5, 5]


def test_from_the_last_space_there_is_no_advance() -> None:
    state = ready(drawn(), track=30)
    assert (spaces(state), code(state, "advance 30")) == ([], "not_forward")


def test_without_the_right_nobody_advances() -> None:
    assert (code(drawn(), "advance 5"), spaces(drawn())) == ("no_right_to_advance", [])


# Numbers that give francs and points, one line of the sheet each


@pytest.mark.parametrize(("tile", "francs", "points"), [(1, 2, 0), (5, 4, 0), (7, 0, 4), (12, 6, 0), (22, 3, 6)])
def test_francs_and_points_are_given_when_the_tile_is_activated(tile: int, francs: int, points: int) -> None:
    state = having(drawn(), tiles=str(tile))
    assert activations(state, tile) == [{}]
    held = seat_of(play(state, f"activate {tile}"))
    assert (held["francs"], held["points"], held["bonus"], held["used_bonus"]) == (3 + francs, points, [], [tile])


@pytest.mark.parametrize("tile", [1, 5, 6, 7, 11, 12, 15, 18, 20, 22, 26, 28, 29, 30])
def test_a_tile_is_used_once_and_even_for_nothing(tile: int) -> None:
    state = having(drawn(), tiles=str(tile))
    after = play(state, f"activate {tile}")
    assert (seat_of(after)["bonus"], seat_of(after)["used_bonus"]) == ([], [tile])
    assert (code(after, f"activate {tile}"), activations(after, tile)) == ("tile_not_held", [])
    assert code(drawn(), f"activate {tile}") == "tile_not_held"


def test_a_tile_may_be_used_in_the_turn_in_which_it_is_taken_or_later() -> None:
    state = play(ready(drawn(free="belleville-1")), "advance 5")
    assert seat_of(play(state, "activate 5"))["francs"] == 7
    later = play(state, "key arc", "end", "reveal 1 chaillot-1", "key arc", "end")
    assert seat_of(play(later, "activate 5"))["francs"] == 7


def test_only_the_seat_to_move_uses_tiles() -> None:
    state = having(drawn(), "blue", tiles="5")
    assert (code(state, "blue activate 5"), code(state, "activate 5")) == ("not_your_turn", "tile_not_held")


@pytest.mark.parametrize("tile", [2, 3, 4, 8, 9, 10, 16, 19, 21, 27])
def test_tiles_that_are_used_otherwise_are_not_activated(tile: int) -> None:
    state = having(drawn("arc belleville-4", "belleville-5"), tiles=str(tile))
    assert (code(state, f"activate {tile}"), activations(state, tile)) == ("not_activated", [])
    assert seat_of(state)["bonus"] == [tile]


# Points for what is owned


@pytest.mark.parametrize(
    ("tile", "value", "each"), [(6, 1, 2), (11, 2, 3), (15, 3, 4), (18, 4, 5), (26, 5, 6), (28, 8, 7)]
)
@pytest.mark.parametrize("number", [0, 1, 2, 4])
def test_points_per_building_of_a_value(tile: int, value: int, each: int, number: int) -> None:
    districts = ("belleville", "montmartre", "chaillot", "la_villette")
    owned = " ".join(f"{district}-{value}" for district in districts[:number])
    others = " ".join(f"{district}-{value}" for district in districts[number:])
    besides = "batignolles-1 batignolles-2 batignolles-3 batignolles-4 batignolles-5 batignolles-8"
    state = having(drawn(owned, f"{others} {besides}"), tiles=str(tile))
    assert seat_of(play(state, f"activate {tile}"))["points"] == each * number


def test_two_keys_on_a_building_count_twice() -> None:
    state = having(drawn("belleville-4 belleville-4 chaillot-4", "belleville-4"), tiles="18")
    assert seat_of(play(state, "activate 18"))["points"] == 15


def test_points_per_building_count_what_is_owned_now() -> None:
    state = having(drawn("belleville-4", free="belleville-5"), tiles="18", francs=1)
    assert seat_of(play(state, "activate 18"))["points"] == 5
    assert seat_of(play(state, "move belleville-4 belleville-5", "activate 18"))["points"] == 0


@pytest.mark.parametrize(
    ("owned", "points"),
    [
        ("", 0),
        ("belleville-8", 0),
        ("landmark-9@belleville", 8),
        ("landmark-9@belleville landmark-16@chaillot belleville-8", 16),
        ("landmark-9@belleville landmark-9@belleville", 16),
    ],
)
def test_tile_29_gives_8_points_per_landmark(owned: str, points: int) -> None:
    state = having(drawn(owned, "landmark-12@chaillot"), tiles="29")
    assert seat_of(play(state, "activate 29"))["points"] == points


@pytest.mark.parametrize(
    ("owned", "points"),
    [
        ("", 0),
        ("belleville-1 belleville-2 belleville-3", 0),
        ("belleville-1 chaillot-1 belleville-2 belleville-3 belleville-3", 0),
        ("belleville-1 belleville-2 belleville-3 belleville-4", 10),
        ("belleville-1 belleville-2 belleville-3 landmark-9@belleville landmark-10@belleville", 10),
        ("belleville-1 belleville-2 belleville-3 belleville-4 belleville-5", 15),
        ("belleville-1 belleville-2 belleville-3 belleville-4 belleville-5 montmartre-8", 15),
        ("belleville-1 belleville-2 belleville-3 belleville-4 belleville-5 montmartre-5", 20),
        ("belleville-1 belleville-2 belleville-3 belleville-4 belleville-5 belleville-8", 20),
        ("belleville-1 belleville-2 belleville-3 belleville-4 belleville-5 belleville-8 landmark-9@chaillot", 25),
    ],
)
def test_tile_30_gives_points_for_kinds_of_building_and_landmark(owned: str, points: int) -> None:
    state = having(drawn(owned, "chaillot-1 chaillot-2 chaillot-3 chaillot-4 chaillot-5", players=2), tiles="30")
    assert seat_of(play(state, "activate 30"))["points"] == points


def test_in_free_placement_kinds_are_those_of_the_tiles() -> None:
    state = having(begin(variant="free_placement"), francs=50)
    placed = {"1": "belleville-1", "2": "belleville-2", "4": "belleville-4", "5": "belleville-5", "8": "montmartre-8"}
    for seat, (value, tile) in zip(("red", "blue", "red", "blue", "red"), placed.items(), strict=True):
        state = ruled(
            state, f"{seat} reveal 1 {tile} chaillot" if value == "8" else f"{seat} reveal 1 {tile} belleville"
        )
    for value in placed:
        target = "chaillot-8" if value == "8" else f"belleville-{value}"
        state = ruled(state, "red key arc", f"red move arc {target}")
    assert GAME.view.dump(state)["buildings"]["chaillot-8"] == {
        "tile": "montmartre-8",
        "type": "hotel",
        "keys": ["red"],
    }
    before = seat_of(state)["points"]
    after = play(having(state, tiles="30"), "activate 30")
    assert seat_of(after)["points"] - before == 10  # café, bakery, restaurant and two hotels


# Keys of the reserve


@pytest.mark.parametrize(("tile", "price"), [(13, 3), (14, 2)])
def test_a_key_of_the_reserve_comes_into_the_hand_for_the_price(tile: int, price: int) -> None:
    state = having(drawn(), tiles=str(tile), francs=price)
    assert activations(state, tile) == [{}]
    held = seat_of(play(state, f"activate {tile}"))
    assert (held["francs"], held["keys"], held["reserve"], held["used_bonus"]) == (0, 11, 1, [tile])
    poor = having(state, francs=price - 1)
    assert (code(poor, f"activate {tile}"), activations(poor, tile)) == ("cannot_pay", [])


@pytest.mark.parametrize("tile", [13, 14])
def test_an_empty_reserve_gives_no_key(tile: int) -> None:
    state = having(drawn(), tiles=str(tile), francs=9, reserve=0)
    assert (code(state, f"activate {tile}"), activations(state, tile)) == ("no_reserve_key", [])


def test_a_key_of_the_reserve_is_placed_like_any_other() -> None:
    state = having(drawn(), tiles="14", keys=0)
    assert code(state, "key arc") == "no_key_in_hand"
    assert keys_on(play(state, "activate 14", "key arc"), "arc") == ["red"]


# Tile 17


@pytest.mark.parametrize("track", [0, 9, 30])
def test_tile_17_takes_any_tile_of_the_track_and_the_pawn_stays(track: int) -> None:
    state = having(drawn(), tiles="17 3", used="4", track=track)
    state = having(state, "blue", tiles="8")
    assert [choice["take"] for choice in activations(state, 17)] == [
        number for number in range(1, 31) if number not in (3, 4, 8, 17)
    ]
    after = play(state, "activate 17 take 21")
    held = seat_of(after)
    assert (held["bonus"], held["used_bonus"], held["track"]) == ([3, 21], [4, 17], track)
    assert GAME.view.dump(after)["track"]["21"] == []


@pytest.mark.parametrize(
    ("take", "expected"), [(3, "no_bonus_tile"), (5, "number_had"), (12, "number_had"), (17, "no_bonus_tile")]
)
def test_tile_17_takes_no_number_that_was_had_or_is_gone(take: int, expected: str) -> None:
    state = having(drawn(players=3), tiles="17 3 5", used="12")
    assert code(state, f"activate 17 take {take}") == expected
    assert lists(state, "activate 17 take 21")


def test_tile_17_takes_the_top_copy() -> None:
    after = play(having(drawn(players=4), tiles="17"), "activate 17 take 18")
    assert GAME.view.dump(after)["track"]["18"] == [18]


def test_tile_17_takes_a_number_wherever_it_lies() -> None:
    state = having(begin(**advanced(track={21: 30, 30: 21})), tiles="17")
    after = play(state, "activate 17 take 21")
    assert (GAME.view.dump(after)["track"]["30"], seat_of(after)["bonus"]) == ([], [21])


# Tile 20


@pytest.mark.parametrize(("players", "each"), [(2, 1), (3, 2), (4, 3)])
@pytest.mark.parametrize(
    ("tiles", "half", "used", "number"),
    [
        ("20", "", "", 0),
        ("20", "", "1 5 7", 0),
        ("20 1", "", "", 1),
        ("20 27 19 3", "19", "7", 3),
        ("20 5 e08 e11", "", "", 1),
    ],
)
def test_tile_20_gives_points_per_other_bonus_tile_that_is_unused(
    players: int, each: int, tiles: str, half: str, used: str, number: int
) -> None:
    state = having(emptied(drawn(players=players)), tiles=tiles, half=half, used=used)
    assert seat_of(play(state, "activate 20"))["points"] == each * number


# Tiles 23 and 24


@pytest.mark.parametrize(("players", "each"), [(2, 2), (3, 3), (4, 4)])
@pytest.mark.parametrize(
    ("pairs", "number", "left"),
    [
        ("bronze=1", 1, {"bronze": 3, "silver": 2, "gilt": 1}),
        ("bronze=2", 2, {"bronze": 1, "silver": 2, "gilt": 1}),
        ("bronze=2 silver=1", 3, {"bronze": 1, "silver": 0, "gilt": 1}),
    ],
)
def test_tile_23_gives_points_per_pair_of_prestige_that_leaves_the_game(
    players: int, each: int, pairs: str, number: int, left: dict[str, int]
) -> None:
    state = having(drawn(players=players), tiles="23", stock="bronze=5 silver=2 gilt=1")
    after = play(state, f"activate 23 pairs {pairs}")
    held = seat_of(after)
    assert (held["points"], held["prestige"], held["used_bonus"]) == (each * number, left, [23])
    assert GAME.view.dump(after)["market"] == {"wood": 0, "marble": 0, "gold": 0}


@pytest.mark.parametrize(("players", "each"), [(2, 2), (3, 3), (4, 4)])
@pytest.mark.parametrize(
    ("pairs", "number", "market"),
    [
        ("wood=1", 1, {"wood": 2, "marble": 0, "gold": 1}),
        ("wood=2", 2, {"wood": 4, "marble": 0, "gold": 1}),
        ("wood=1 gold=1", 2, {"wood": 2, "marble": 0, "gold": 3}),
    ],
)
def test_tile_24_gives_points_per_pair_of_resources_that_return_to_the_supply(
    players: int, each: int, pairs: str, number: int, market: dict[str, int]
) -> None:
    state = having(drawn(players=players), tiles="24", stock="wood=5 marble=1 gold=2")
    state = state._replace(board=state.board._replace(market=(0, 0, 1)))
    after = play(state, f"activate 24 pairs {pairs}")
    assert (seat_of(after)["points"], GAME.view.dump(after)["market"]) == (each * number, market)
    assert sum(seat_of(after)["resources"].values()) == 8 - 2 * number


@pytest.mark.parametrize(
    ("tile", "pairs", "stock"),
    [
        (23, "gilt=1", "gilt=1"),
        (23, "bronze=2", "bronze=3"),
        (23, "bronze=1 silver=1", "bronze=2 silver=1"),
        (23, "gilt=1", "bronze=2"),
        (24, "gold=1", "gold=1"),
        (24, "wood=1 gold=1", "wood=2"),
    ],
)
def test_a_pair_has_two_equal_tokens(tile: int, pairs: str, stock: str) -> None:
    state = having(drawn(), tiles=str(tile), stock=stock)
    assert code(state, f"activate {tile} pairs {pairs}") == "no_pair"
    assert {"pairs": {kind: int(n) for kind, n in (word.split("=") for word in pairs.split())}} not in activations(
        state, tile
    )


@pytest.mark.parametrize(
    ("tile", "stands_for", "stock", "pairs"),
    [(23, "8", "gilt=1", "gilt=1"), (23, "19", "", "gilt=1"), (23, "e11", "gilt=1", "gilt=1"),
     (24, "10", "wood=1", "wood=1"), (24, "21", "", "gold=1"), (24, "2 e08", "", "wood=1")],
)  # fmt: skip
def test_tiles_that_stand_for_tokens_are_no_pair(tile: int, stands_for: str, stock: str, pairs: str) -> None:
    state = having(drawn(), tiles=f"{tile} {stands_for}", stock=stock)
    assert (code(state, f"activate {tile} pairs {pairs}"), activations(state, tile)) == ("no_pair", [])


def test_every_choice_of_pairs_is_listed() -> None:
    state = having(drawn(), tiles="23 24", stock="bronze=5 silver=2 gilt=1 wood=2 marble=1 gold=3")
    assert [choice["pairs"] for choice in activations(state, 23)] == [
        {"silver": 1},
        {"bronze": 1},
        {"bronze": 1, "silver": 1},
        {"bronze": 2},
        {"bronze": 2, "silver": 1},
    ]
    assert [choice["pairs"] for choice in activations(state, 24)] == [
        {"gold": 1},
        {"wood": 1},
        {"wood": 1, "gold": 1},
    ]


# Tile 25


@pytest.mark.parametrize(("track", "reach"), [(30, range(25, 30)), (12, range(7, 12)), (3, range(1, 3))])
def test_tile_25_takes_the_pawn_back_by_1_to_5_spaces(track: int, reach: range) -> None:
    state = having(drawn(), tiles="25", track=track)
    there = [space for space in reach if space != 25]
    assert [choice["to"] for choice in activations(state, 25)] == there
    for space in there:
        held = seat_of(play(state, f"activate 25 to {space}"))
        assert (held["track"], held["bonus"], held["used_bonus"]) == (space, [space], [25])
    for space in {1, 2, 6, 7, 13, 24, 30} - set(reach):
        assert code(state, f"activate 25 to {space}") == "not_back"


@pytest.mark.parametrize("track", [0, 1])
def test_tile_25_does_not_leave_the_track(track: int) -> None:
    state = having(drawn(), tiles="25", track=track)
    assert (activations(state, 25), code(state, "activate 25 to 1")) == ([], "not_back")


def test_tile_25_takes_no_number_that_was_had_or_is_gone_and_empty_spaces_count() -> None:
    state = having(having(drawn(players=3), tiles="25 10", used="7", track=12), "blue", tiles="9 11")
    assert [choice["to"] for choice in activations(state, 25)] == [8]
    assert [code(state, f"activate 25 to {space}") for space in (7, 9, 10, 11)] == [
        "number_had",
        "no_bonus_tile",
        "number_had",
        "no_bonus_tile",
    ]
    assert code(state, "activate 25 to 6") == "not_back"


def test_where_the_track_is_shuffled_tile_25_takes_what_lies_there() -> None:
    setup = advanced(track={8: 10, 10: 8, 11: 18, 18: 11})
    state = having(begin(3, **setup), tiles="25", used="10", track=12)
    assert [choice["to"] for choice in activations(state, 25)] == [7, 9, 10, 11]
    assert code(state, "activate 25 to 8") == "number_had"
    held = seat_of(play(state, "activate 25 to 11"))
    assert (held["track"], held["bonus"]) == (11, [18])
    assert GAME.view.dump(play(state, "activate 25 to 11"))["track"]["11"] == []


def test_after_tile_25_one_may_advance_again() -> None:
    state = ready(having(drawn(), tiles="25"), track=30)
    assert spaces(state) == []
    after = play(state, "activate 25 to 28", "advance 29")
    assert (seat_of(after)["track"], seat_of(after)["bonus"]) == (29, [28, 29])


# Tile 27


def test_tile_27_gives_a_point_per_franc_at_the_end() -> None:
    state = having(drawn(), tiles="27", francs=9)
    assert score_of(state) == {"points": 0, "francs_tile": 9, "districts": {}, "total": 9}
    assert score_of(state, "blue")["francs_tile"] == 0
    assert seat_of(state)["points"] == 0
    (item,) = GAME.telling.explain(state)["red"]
    assert (item.category, item.points, item.pieces) == ("francs_tile", 9, ("27",))


def test_tile_27_counts_the_francs_that_are_left() -> None:
    state = having(drawn(), tiles="27 5", francs=3)
    assert score_of(play(state, "activate 5"))["francs_tile"] == 7
    assert score_of(play(state, "key bank:chaillot"))["francs_tile"] == 10


def test_tile_27_and_the_districts_add_up() -> None:
    state = with_scoring(having(drawn("belleville-8"), tiles="27", francs=2), belleville="20-10-5")
    assert score_of(state) == {"points": 0, "francs_tile": 2, "districts": {"belleville": 20}, "total": 22}


# Tiles that stand for tokens


@pytest.mark.parametrize(
    ("tile", "kinds"),
    [
        ("2", ["wood"]), ("3", ["marble"]), ("4", ["gold"]), ("8", ["bronze", "silver", "gilt"]),
        ("10", ["wood", "marble", "gold"]), ("19", ["bronze", "silver", "gilt"]), ("21", ["wood", "marble", "gold"]),
        ("e08", ["wood"]), ("e09", ["marble"]), ("e10", ["gold"]), ("e11", ["bronze", "silver", "gilt"]),
    ],
)  # fmt: skip
def test_a_tile_stands_for_tokens_of_its_kinds(tile: str, kinds: list[str]) -> None:
    state = having(drawn(), tiles=tile)
    listed = [choice["sell"] for choice in legal(state) if choice["type"] == "trade"]
    assert listed == kinds
    for kind in ("wood", "marble", "gold", "bronze", "silver", "gilt"):
        if kind in kinds:
            assert seat_of(play(state, f"sell {kind} with {tile}"))["francs"] > 3
        else:
            assert code(state, f"sell {kind} with {tile}") == "not_that_token"


@pytest.mark.parametrize("tile", ["19", "21"])
def test_a_tile_of_two_is_used_by_halves(tile: str) -> None:
    kinds = ("gilt", "bronze") if tile == "19" else ("wood", "gold")
    state = having(drawn(), tiles=tile)
    half = play(state, f"sell {kinds[0]} with {tile}")
    assert (seat_of(half)["bonus"], seat_of(half)["half_used"]) == ([int(tile)], {tile: 1})
    later = play(half, "key arc", "end", "reveal 1 chaillot-1", "key arc", "end", f"sell {kinds[1]} with {tile}")
    assert (seat_of(later)["bonus"], seat_of(later)["half_used"]) == ([], {})
    assert (seat_of(later)["used_bonus"], code(later, f"sell {kinds[1]} with {tile}")) == ([int(tile)], "tile_not_held")


def test_one_half_may_pay_and_the_other_be_sold() -> None:
    state = having(drawn("arc", free="belleville-3"), tiles="21", francs=3)
    after = play(state, "move arc belleville-3 spend 21=wood", "sell gold with 21")
    assert (seat_of(after)["francs"], seat_of(after)["used_bonus"]) == (3, [21])


# Numbers keep to the sheet


def test_a_number_does_what_the_sheet_says() -> None:
    edition = edition_with({"bonus/1": {"stands_for": ["gold"]}, "bonus/27": {"points": 1}})
    state = having(drawn(edition=edition), tiles="1 27", francs=9)
    assert (code(state, "activate 1"), score_of(state)["francs_tile"]) == ("not_activated", 0)
    assert seat_of(play(state, "sell gold with 1", "activate 27"))["points"] == 1
