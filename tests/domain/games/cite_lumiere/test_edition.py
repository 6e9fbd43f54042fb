"""Editions: what each value changes, and which values are refused."""

from collections import Counter
from functools import cache

import pytest

from domain.canonical import digest
from domain.forms import Malformed
from domain.games.cite_lumiere.edition import Edition
from tests.domain.games.cite_lumiere.positions import (
    EDITION,
    FIRST_GAME,
    GAME,
    HALVES,
    OTHERS,
    SEATS,
    begin,
    code,
    document_with,
    drawn,
    edition_with,
    legal,
    legal_cells,
    play,
    score_of,
    seat_of,
)

BUILDINGS = "I3 L4 L6 O4 P5 S4 T4 T5 U6 V3 W5 X5".split()


def test_the_built_in_edition_is_known_by_its_id() -> None:
    assert set(GAME.editions) == {GAME.editions.default.id} == {"devir-2019"}
    assert (EDITION.id, EDITION.title) == ("devir-2019", "Paris: La Cité de la Lumière (Devir, 2019)")
    assert EDITION.digest == digest(dict(EDITION.document))


@pytest.mark.parametrize("colour", ["O", "B"])
def test_the_totals_of_the_faces_are_those_of_two_sources(colour: str) -> None:
    own, rival = ("o", "b") if colour == "O" else ("b", "o")
    spaces: Counter[str] = Counter()
    for number in range(1, 9):
        state = begin(first="orange" if colour == "O" else "blue")
        spaces += Counter("".join(GAME.view.dump(play(state, f"pave {colour}{number} a1 0"))["board"]).replace(".", ""))
    assert spaces == {own: 16, rival: 7, "x": 5, "l": 4}


def test_the_sizes_of_the_buildings_are_those_of_the_box() -> None:
    shapes = EDITION.document["buildings"]
    sizes = sorted("".join(shapes[building]["value"]).count("#") for building in shapes)
    assert sizes == [3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6]


@pytest.mark.parametrize(
    ("building", "number"),
    [("I3", 96), ("V3", 196), ("O4", 49), ("L4", 168), ("T4", 168), ("S4", 84), ("X5", 36), ("T5", 144), ("W5", 144),
     ("P5", 168), ("U6", 140), ("L6", 120)],
)  # fmt: skip
def test_every_building_lies_wherever_its_turned_shape_fits(building: str, number: int) -> None:
    assert places(building, EDITION) == number


def places(building: str, edition: Edition) -> int:
    """In how many ways a building can be built on an empty board."""
    return sum(move["type"] == "build" for move in legal(drawn("x" * 64, orange=building, edition=edition)))


@cache
def usual_places(building: str) -> int:
    """The same with the usual edition."""
    return places(building, EDITION)


# What each value changes


def test_a_face_changes_the_pavement() -> None:
    changed = edition_with({"faces/1": "ssss"})
    for seat, row in zip(SEATS, ("oo......", "bb......"), strict=True):
        board = GAME.view.dump(play(begin(first=seat, edition=changed), f"pave {seat[0].upper()}1 a1 0"))["board"]
        assert board[:2] == [row, row]


@pytest.mark.parametrize("number", range(1, 9))
def test_each_face_changes_its_own_tile_alone(number: int) -> None:
    changed = edition_with({f"faces/{number}": "xlxl"})
    for tile in range(1, 9):
        boards = [
            GAME.view.dump(play(begin(edition=edition), f"pave O{tile} a1 0"))["board"]
            for edition in (EDITION, changed)
        ]
        assert (boards[0] != boards[1]) == (tile == number)
    assert GAME.view.dump(play(begin(edition=changed), f"pave O{number} a1 90"))["board"][:2] == [
        "lx......",
        "xl......",
    ]


@pytest.mark.parametrize("building", BUILDINGS)
def test_each_shape_changes_its_own_building_alone(building: str) -> None:
    size = int(building[1])
    straight = ["#" * size] if building != "I3" else ["##", "#."]
    changed = edition_with({f"buildings/{building}": straight})
    for other in BUILDINGS:
        assert (places(other, changed) != usual_places(other)) == (other == building)


def test_turning_over_adds_the_mirrored_shapes() -> None:
    flipped = edition_with({"flip_buildings": True})
    mirrored = "build L4 a1 b1 a2 a3"
    assert code(drawn(HALVES, orange="L4"), mirrored) == "shape_mismatch"
    assert play(drawn(HALVES, orange="L4", edition=flipped), mirrored).to_move == "blue"
    found = {building: places(building, flipped) for building in ("I3", "O4", "L4", "S4", "T5", "P5", "W5", "L6")}
    assert found == {"I3": 96, "O4": 49, "L4": 336, "S4": 168, "T5": 144, "P5": 336, "W5": 144, "L6": 240}


@pytest.mark.parametrize(("spaces", "places"), [(1, 64), (2, 112), (3, 96), (4, 80)])
def test_the_fountain_has_as_many_spaces_in_a_row_as_the_edition_says(spaces: int, places: int) -> None:
    changed = edition_with({"fountain_cells": spaces})
    found = legal_cells(drawn("x" * 64, cards=OTHERS, edition=changed), "fontaine_des_mers")
    assert len(found) == places and {len(cells) for cells in found} == {2 * spaces}


def test_the_spaces_of_the_large_lamp_are_those_of_the_edition() -> None:
    board = "l" + "o" * 63
    pieces = ("orange build I3 c1 d1 e1", "orange la_grande_lumiere a1")
    for offsets, lamps in (
        (EDITION.document["grand_lamp_spaces"]["value"], 1),
        ([[1, 0]], 0),
        ([[1, 0], [2, 0]], 1),
        ([[2, 0]], 0),
        ([[1, 0], [0, 2]], 0),
        ([], 0),
    ):
        changed = edition_with({"grand_lamp_spaces": offsets})
        state = drawn(board, *pieces, orange="I3", cards=OTHERS, edition=changed)
        assert [row["lamps"] for row in score_of(state, "orange")["buildings"]] == [lamps]


def test_offsets_of_the_large_lamp_are_columns_then_rows() -> None:
    changed = edition_with({"grand_lamp_spaces": [[1, 0], [1, 1], [1, 2]]})
    board = "l" + "o" * 63
    for line, lamps in (("orange build I3 b3 c3 d3", 1), ("orange build I3 c2 d2 e2", 0)):
        state = drawn(board, line, "orange la_grande_lumiere a1", orange="I3", cards=OTHERS, edition=changed)
        assert [row["lamps"] for row in score_of(state, "orange")["buildings"]] == [lamps]


def test_light_of_the_large_lamp_ends_at_the_edge_of_the_board() -> None:
    board = "o" * 7 + "l" + "o" * 56
    state = drawn(board, "orange build I3 a2 b2 c2", "orange la_grande_lumiere h1", orange="I3", cards=OTHERS)
    assert [row["lamps"] for row in score_of(state, "orange")["buildings"]] == [0]


@pytest.mark.parametrize("chimneys", [1, 13])
def test_the_chimneys_are_those_of_the_edition(chimneys: int) -> None:
    state = drawn(HALVES, orange="I3 L4", edition=edition_with({"chimneys": chimneys}))
    after = play(state, "build I3 a1 b1 c1", "chartier")
    assert seat_of(after, "orange")["chimneys"] == chimneys - 1
    assert ("build" in {move["type"] for move in legal(after)}) == (chimneys > 1)


@pytest.mark.parametrize("tokens", [1, 2, 3, 4])
def test_the_action_tokens_are_those_of_the_edition(tokens: int) -> None:
    state = drawn(HALVES, edition=edition_with({"action_tokens": tokens}))
    assert seat_of(state, "blue")["tokens"] == tokens
    taken = 0
    while state.to_move is not None:
        state, taken = play(state, FIRST_GAME[taken]), taken + 1
    assert taken == 2 * tokens


def test_the_first_game_set_is_that_of_the_edition() -> None:
    assert EDITION.first_game_set == FIRST_GAME
    assert edition_with({"first_game_set": list(OTHERS)}).first_game_set == OTHERS


def test_every_value_shows_in_the_digest() -> None:
    changes: list[dict[str, object]] = [
        {"chimneys": 6}, {"action_tokens": 3}, {"flip_buildings": True}, {"fountain_cells": 3}, {"faces/1": "rssl"},
        {"grand_lamp_spaces": []}, {"first_game_set": list(OTHERS)}, {"buildings/I3": ["#", "#", "#"]},
    ]  # fmt: skip
    digests = {EDITION.digest, *(edition_with(change).digest for change in changes)}
    assert len(digests) == len(changes) + 1


def test_a_changed_source_or_title_shows_too() -> None:
    document = document_with({})
    document["chimneys"]["source"] = "user"
    document["title"] = "Another box"
    changed: Edition = GAME.editions.load(document)
    assert (changed.title, changed.digest == EDITION.digest) == ("Another box", False)


# What is refused


def wrong(document: object) -> list[str]:
    """Where an edition document is wrong; fail if it is not."""
    with pytest.raises(Malformed) as caught:
        GAME.editions.load(document)
    return [error.pointer for error in caught.value.errors]


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("chimneys", [0, 14, -1, "7", True, None, [7]]),
        ("action_tokens", [0, 5, "4", None]),
        ("fountain_cells", [0, 5, None]),
        ("flip_buildings", [0, 1, "false", None]),
        ("first_game_set", [None, [], list(FIRST_GAME[:7]), [*FIRST_GAME, "le_penseur"], "levitation"]),
        ("faces/1", ["", "sss", "sssss", "sssa", "SSSX", 4, None, ["s", "s", "s", "x"]]),
        ("faces/8", ["ssr", None]),
        ("buildings/I3", [None, "###", [], ["#"] * 7, ["####"], ["##"], ["###", "..."], [".###"], ["#.#", "#.."]]),
        ("buildings/V3", [[".#", "#."], ["#", "##"], ["##", "# "], ["##", "#", ""], [["#", "#"], ["#"]], ["##", 1]]),
        (
            "buildings/L4",
            [["##..", "..##"], ["#.", "..", "##", "#."], ["####", "####"], ["#######"], [""], ["#..", "#..", "##."]],
        ),
        ("grand_lamp_spaces", [None, 12, {"0": 1}]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_wrong_value_is_refused_at_its_place(path: str, values: list[object]) -> None:
    for value in values:
        assert wrong(document_with({path: value})) == [f"/{path}"], value


@pytest.mark.parametrize(
    "offset", [[0, 0], [1], [1, 2, 3], "ab", [1, "2"], [True, 1], None, 3, [8, 0], [0, -8]], ids=repr
)
def test_a_wrong_offset_of_the_large_lamp_is_refused_at_its_place(offset: object) -> None:
    assert wrong(document_with({"grand_lamp_spaces": [[1, 0], offset]})) == ["/grand_lamp_spaces/1"]


@pytest.mark.parametrize(
    ("path", "value"), [("chimneys", 7.0), ("fountain_cells", 2.0), ("grand_lamp_spaces", [[1.0, 0]])], ids=repr
)
def test_a_fraction_is_no_integer(path: str, value: object) -> None:
    assert wrong(document_with({path: value}))


def test_an_offset_named_twice_is_refused() -> None:
    assert wrong(document_with({"grand_lamp_spaces": [[1, 0], [0, 1], [1, 0]]})) == ["/grand_lamp_spaces/2"]


def test_a_card_named_twice_or_unknown_is_refused() -> None:
    assert wrong(document_with({"first_game_set": [*FIRST_GAME[:7], FIRST_GAME[0]]})) == ["/first_game_set/7"]
    assert wrong(document_with({"first_game_set": [*FIRST_GAME[:7], "eiffel"]})) == ["/first_game_set/7"]


@pytest.mark.parametrize(
    "member", ["chimneys", "action_tokens", "first_game_set", "flip_buildings", "fountain_cells", "grand_lamp_spaces"]
)
def test_a_missing_value_is_refused(member: str) -> None:
    document = document_with({})
    del document[member]
    assert wrong(document) == [f"/{member}"]


@pytest.mark.parametrize(("group", "member"), [("faces", "1"), ("faces", "8"), ("buildings", "U6")])
def test_a_missing_value_of_a_group_is_refused(group: str, member: str) -> None:
    document = document_with({})
    del document[group][member]
    assert wrong(document) == [f"/{group}/{member}"]


@pytest.mark.parametrize("group", ["faces", "buildings"])
def test_a_missing_group_is_refused(group: str) -> None:
    document = document_with({})
    del document[group]
    assert f"/{group}" in wrong(document)


def test_unknown_values_are_refused() -> None:
    document = document_with({})
    leaf = {"value": 1, "source": "user"}
    document["bridges"] = leaf
    document["faces"]["9"] = leaf
    document["buildings"]["Z9"] = leaf
    assert sorted(wrong(document)) == ["/bridges", "/buildings/Z9", "/faces/9"]


def test_another_game_is_refused() -> None:
    document = document_with({})
    document["game"] = "paris"
    assert wrong(document) == ["/game"]


# Amending


def test_an_amended_edition_plays_by_its_own_values() -> None:
    amended = GAME.editions.amend(EDITION, "own", "House rules", {"action_tokens": 1, "faces": {"1": "ssss"}})
    assert (amended.id, amended.title, amended.action_tokens) == ("own", "House rules", 1)
    assert amended.document["action_tokens"] == {"value": 1, "source": "user"}
    assert amended.document["faces"]["2"] == EDITION.document["faces"]["2"]
    assert amended.digest not in ("", EDITION.digest)
    assert GAME.view.dump(play(begin(edition=amended), "pave O1 a1 0"))["board"][0] == "oo......"
    assert seat_of(begin(edition=amended), "orange")["tokens"] == 1
    assert seat_of(begin(), "orange")["tokens"] == 4


@pytest.mark.parametrize(
    ("changes", "pointers"),
    [
        ({"chimneys": 99}, ["/chimneys"]),
        ({"faces": {"1": "oooo"}}, ["/faces/1"]),
        ({"faces": {"9": "ssss"}}, ["/faces/9"]),
        ({"bridges": 1}, ["/bridges"]),
        ({"flip_buildings": None}, ["/flip_buildings"]),
        (None, [""]),
    ],
    ids=repr,
)
def test_wrong_amendments_are_refused_at_their_place(changes: object, pointers: list[str]) -> None:
    with pytest.raises(Malformed) as caught:
        GAME.editions.amend(EDITION, "own", "House rules", changes)
    assert [error.pointer for error in caught.value.errors] == pointers
