"""Editions: what each printed value changes, where it comes from, and which values are refused."""

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from domain.canonical import digest
from domain.forms import Malformed
from domain.game import JsonObject, Refusal
from domain.games.paris.edition import Edition
from domain.games.paris.parts import DISTRICTS, END_TILES, KINDS, LANDMARKS, SCORING_TILES, SPACES, TRACK, TYPES
from domain.games.paris.state import State
from tests.domain.cases import enter
from tests.domain.games.paris.positions import (
    EDITION,
    GAME,
    SEATS,
    advanced,
    begin,
    document_with,
    drawn,
    edition_with,
    emptied,
    having,
    play,
    score_of,
    seat_of,
    turn_of,
    with_market,
    with_scoring,
)

HEADER = ("game", "edition", "title", "note")
STOCK = " ".join(f"{kind}=6" for kind in KINDS)


def leaves(group: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, JsonObject]]:
    """The printed values of a document with their paths."""
    for name, member in group.items():
        here = f"{path}/{name}" if path else name
        if here in HEADER:
            continue
        if "value" in member:
            yield here, member
        else:
            yield from leaves(member, here)


SHEET = dict(leaves(EDITION.document))
"""Every printed value of the built-in edition, with its source, by its path."""


def test_the_built_in_edition_is_known_by_its_id() -> None:
    assert set(GAME.editions) == {GAME.editions.default.id} == {"rulebook-2020"}
    assert EDITION.id == "rulebook-2020" and EDITION.title.startswith("Paris")
    assert EDITION.digest == digest(dict(EDITION.document))


def test_the_sheet_has_every_printed_value_once() -> None:
    assert set(SHEET) == {
        "start_francs", "keys_in_hand/2", "keys_in_hand/3", "keys_in_hand/4", "keys_in_reserve", "tiles_set_aside",
        "advance_fee_on_3", "points_on_8", "bonus_copies/3", "bonus_copies/4", "zones/A", "zones/B", "zones/C",
        *(f"banks/{district}" for district in DISTRICTS),
        *(f"buildings/{space}/{member}" for space in SPACES for member in ("type", "extra")),
        *(f"landmarks/{value}/{member}" for value in LANDMARKS for member in ("extra", "prestige")),
        *(f"bonus/{number}" for number in TRACK),
        *(f"end_tiles/{tile}" for tile in END_TILES),
        *(f"scoring_tiles/{tile}" for tile in SCORING_TILES),
        *(f"space_tokens/{value}" for value in (1, 2, 3, 4, 5, 8)),
        *(f"prices/buy/{kind}" for kind in KINDS[:3]),
        *(f"prices/sell/{kind}" for kind in KINDS),
    }  # fmt: skip


def test_each_value_has_one_source() -> None:
    for path, leaf in SHEET.items():
        assert set(leaf) <= {"value", "source", "note"}, path
        assert leaf["source"] in ("rulebook", "public source", "assumed"), path


def test_what_the_rulebook_states_is_told_from_what_is_assumed() -> None:
    stated = {path for path, leaf in SHEET.items() if leaf["source"] == "rulebook"}
    assert stated == {
        "start_francs", "keys_in_hand/2", "keys_in_hand/3", "keys_in_hand/4", "keys_in_reserve", "tiles_set_aside",
        "advance_fee_on_3", "points_on_8", "buildings/montmartre-2/type", "buildings/montmartre-5/type",
        "buildings/montmartre-5/extra", "buildings/la_villette-8/type", "landmarks/12/extra", "landmarks/15/extra",
        "landmarks/15/prestige",
        *(f"bonus/{number}" for number in (8, 9, 10, 16, 17, 18, 19, 20, 21, 23, 24, 25, 27, 29, 30)),
        "scoring_tiles/20-10-5",
    }  # fmt: skip
    public = {path for path, leaf in SHEET.items() if leaf["source"] == "public source"}
    assert public == {"landmarks/16/extra", "landmarks/16/prestige"}


# What each value changes: how it shows in play, and for every value of the sheet another one

ROYAL = "belleville-1 belleville-2 belleville-3 belleville-4 belleville-5 belleville-8 landmark-9@belleville"


def buyer(edition: Edition, free: str) -> State:
    """Red with a key on the Arc and everything that may be needed, and a free building or landmark."""
    return having(drawn("arc", free=free, edition=edition), francs=50, stock=STOCK)


def extra_of(edition: Edition, place: str) -> dict[str, int]:
    """The resources that a move to a place costs."""
    state = buyer(edition, f"{place}@chaillot" if place.startswith("landmark") else place)
    market = GAME.view.dump(play(state, f"move arc {place}"))["market"]
    return {kind: count for kind, count in market.items() if count}


def prestige_of(edition: Edition, landmark: str) -> dict[str, int]:
    """The points of a landmark for one token of each kind that it takes."""
    points = {}
    for kind in KINDS[3:]:
        try:
            after = play(
                buyer(edition, f"landmark-{landmark}@chaillot"), f"move arc landmark-{landmark} prestige {kind}=1"
            )
        except Refusal as refused:
            assert refused.code == "prestige_not_wanted"
        else:
            points[kind] = seat_of(after)["points"]
    return points


def second_copies(edition: Edition, players: int) -> list[int]:
    """The numbers of which two tiles lie on the track."""
    return [numbers[0] for numbers in GAME.view.dump(begin(players, edition))["track"].values() if len(numbers) == 2]


def zone_of(edition: Edition, space: int) -> list[int]:
    """The first and the last number that may lie on a space of the track."""
    allowed = []
    for number in TRACK:
        try:
            begin(edition=edition, **advanced(track={space: number, number: space}))
        except Malformed:
            continue
        allowed.append(number)
    return [allowed[0], allowed[-1]]


def uses(edition: Edition, number: int) -> list[object]:
    """What comes of every legal move that uses a bonus tile, and what the tile is worth at the end."""
    keys = f"arc bank:chaillot {ROYAL}"
    state = drawn(keys, "chaillot-8", free="landmark-15@chaillot", edition=edition)
    state = having(state, francs=20, tiles=f"{number} {1 if number != 1 else 5}", stock=STOCK, track=20)
    outcomes: list[object] = [score_of(state)["francs_tile"]]
    for choice in GAME.rules.legal_moves(state):
        json = GAME.move.dump(choice)
        if number in (json.get("tile"), json.get("using")):
            after = seat_of(enter(GAME, state, "red", choice))
            outcomes.append((json, after["francs"], after["points"], after["keys"], after["half_used"]))
    return outcomes


def taken(edition: Edition, tile: str) -> object:
    """What red has after taking an end tile, and for what it can be sold."""
    state = play(emptied(begin(edition=edition)), f"end_tile {tile}")
    sales = [json for json in map(GAME.move.dump, GAME.rules.legal_moves(state)) if json.get("tile") == tile]
    held = seat_of(state)
    return held["francs"], held["points"], sales


def points_of(edition: Edition, tile: str) -> list[int]:
    """The points of the first three in a district with a scoring tile."""
    state = drawn("belleville-8", "belleville-5", "belleville-4", players=3, edition=edition)
    return [score_of(with_scoring(state, belleville=tile), seat)["total"] for seat in SEATS[:3]]


def price_of(edition: Edition, side: str, kind: str) -> int:
    """How many francs a trade moves."""
    state = with_market(having(drawn(edition=edition), francs=50, stock=STOCK), 1, 1, 1)
    return abs(50 - int(seat_of(play(state, f"{side} {kind}"))["francs"]))


def building_of(edition: Edition, space: str, member: str) -> object:
    """The type or the extra cost of a building."""
    if member == "extra":
        return extra_of(edition, space)
    return GAME.view.dump(drawn(free=space, edition=edition))["buildings"][space]["type"]


def landmark_of(edition: Edition, value: str, member: str) -> dict[str, int]:
    """The extra cost or the prestige of a landmark."""
    return extra_of(edition, f"landmark-{value}") if member == "extra" else prestige_of(edition, value)


def copies_of(edition: Edition, players: str) -> list[int]:
    """The numbers whose second copies come in with a number of players."""
    fewer = second_copies(edition, int(players) - 1)
    return [number for number in second_copies(edition, int(players)) if number not in fewer]


SEEN: dict[str, Callable[..., object]] = {
    "start_francs": lambda edition: seat_of(begin(edition=edition))["francs"],
    "keys_in_hand": lambda edition, players: seat_of(begin(int(players), edition))["keys"],
    "keys_in_reserve": lambda edition: seat_of(begin(edition=edition))["reserve"],
    "tiles_set_aside": lambda edition: 36 - sum(GAME.view.dump(begin(edition=edition))["stacks"]),
    "advance_fee_on_3": lambda edition: turn_of(play(buyer(edition, "chaillot-3"), "move arc chaillot-3"))[
        "advance_fee"
    ],
    "points_on_8": lambda edition: seat_of(play(buyer(edition, "chaillot-8"), "move arc chaillot-8"))["points"],
    "banks": lambda edition, bank: seat_of(play(having(drawn(edition=edition), francs=0), f"key bank:{bank}"))[
        "francs"
    ],
    "buildings": building_of,
    "landmarks": landmark_of,
    "bonus": lambda edition, number: uses(edition, int(number)),
    "bonus_copies": copies_of,
    "zones": lambda edition, zone: zone_of(edition, {"A": 1, "B": 15, "C": 30}[zone]),
    "end_tiles": taken,
    "scoring_tiles": points_of,
    "space_tokens": lambda edition, value: GAME.view.dump(begin(edition=edition))["tokens"][f"chaillot-{value}"],
    "prices": price_of,
}
"""How a value of the sheet shows in play: as itself, where it is a number, a word or an amount."""


def seen(path: str, edition: Edition) -> object:
    """How the value at a path shows in play."""
    group, *names = path.split("/")
    return SEEN[group](edition, *names)


OTHER_BONUS: dict[int, JsonObject] = {
    1: {"francs": 3},
    2: {"stands_for": ["gold"]},
    3: {"stands_for": ["marble", "marble"]},
    4: {"stands_for": ["gilt"]},
    5: {"points": 4},
    6: {"per_building": {"value": 1, "points": 3}},
    7: {"points": 5},
    8: {"stands_for": ["prestige", "prestige"]},
    10: {"stands_for": ["prestige"]},
    11: {"per_building": {"value": 2, "points": 9}},
    12: {"francs": 6, "points": 1},
    13: {"key_price": 4},
    14: {"key_price": 0},
    15: {"per_landmark": 3},
    18: {"per_building": {"value": 4, "points": 4}},
    19: {"stands_for": ["prestige"]},
    20: {"per_unused_bonus": {"2": 4, "3": 2, "4": 3}},
    21: {"stands_for": ["gold", "gold"]},
    22: {"francs": 3, "points": 7},
    23: {"per_prestige_pair": {"2": 5, "3": 3, "4": 4}},
    24: {"per_resource_pair": {"2": 1, "3": 3, "4": 4}},
    25: {"rule": "step_back", "most": 7},
    26: {"kinds": {"4": 1, "5": 2, "6": 3, "7": 4}},
    27: {"per_franc_at_end": 3},
    28: {"per_building": {"value": 8, "points": 8}},
    29: {"per_landmark": 7},
    30: {"kinds": {"4": 10, "5": 15, "6": 20, "7": 26}},
}
TIED = ("bonus/9", "bonus/16", "bonus/17")
"""The tiles of which only the rule is printed, and that is tied to the number."""
OTHERS: dict[str, dict[str, object]] = {
    "bonus_copies/3": {"bonus_copies/3": [1, 5, 7, 10, 12, 22]},
    "bonus_copies/4": {"bonus_copies/4": [2, 3, 4, 6, 8, 19]},
    "zones/A": {"zones/A": [1, 9], "zones/B": [10, 20]},
    "zones/B": {"zones/B": [11, 21], "zones/C": [22, 30]},
    "zones/C": {"zones/B": [11, 19], "zones/C": [20, 30]},
    **{f"bonus/{number}": {f"bonus/{number}": value} for number, value in OTHER_BONUS.items()},
    **{
        f"space_tokens/{value}": {f"space_tokens/{value}": other, f"space_tokens/{partner}": own}
        for value, own, partner, other in (
            *((1, "bronze", 2, "silver"), (2, "silver", 1, "bronze"), (3, "gilt", 4, "wood")),
            *((4, "wood", 3, "gilt"), (5, "marble", 8, "gold"), (8, "gold", 5, "marble")),
        )
    },
}


def others(path: str) -> dict[str, object]:
    """Another value at a path, with what must change together with it."""
    if path in OTHERS:
        return OTHERS[path]
    value = SHEET[path]["value"]
    match path.split("/"):
        case [("keys_in_hand" | "keys_in_reserve"), *_]:
            return {path: value - 1}
        case ["buildings", _, "type"]:
            return {path: TYPES[(TYPES.index(value) + 1) % len(TYPES)]}
        case [_, _, "extra"]:
            return {path: {**value, "gold": value.get("gold", 0) + 1}}
        case [_, _, "prestige"]:
            return {path: {**value, "silver": value.get("silver", 0) + 2}}
        case ["scoring_tiles", _]:
            return {path: [number + 1 for number in value]}
        case ["end_tiles", _]:
            return {path: {"stands_for": ["resource"]} if "stands_for" in value else {"francs": 1, "points": 9}}
    return {path: value + 1}


def shows_itself(path: str) -> bool:
    """Whether a value is seen in play as it is written on the sheet."""
    return not path.startswith(("bonus/", "end_tiles/"))


CHANGEABLE = [path for path in SHEET if path not in TIED]


@cache
def changed(path: str) -> Edition:
    """The built-in edition with another value at a path."""
    return edition_with(others(path))


@pytest.mark.parametrize("path", CHANGEABLE)
def test_another_value_changes_what_it_is_about_and_not_its_neighbours(path: str) -> None:
    before, after = seen(path, EDITION), seen(path, changed(path))
    assert before != after
    if shows_itself(path):
        assert (before, after) == (SHEET[path]["value"], others(path)[path])
    index, paths = CHANGEABLE.index(path), {*others(path)}
    for neighbour in {*CHANGEABLE[max(0, index - 1) : index + 2]} - paths:
        assert seen(neighbour, changed(path)) == seen(neighbour, EDITION), neighbour


@pytest.mark.parametrize("path", TIED)
def test_what_needs_a_word_from_the_player_is_tied_to_its_number(path: str) -> None:
    value = SHEET[path]["value"]
    assert list(value) == ["rule"]
    for other in ("second_key_on_own", "share_with_rival", "take_any_bonus", "step_back", "none"):
        if other != value["rule"]:
            assert f"/{path}/rule" in wrong(document_with({path: {"rule": other}}))
    assert f"/{path}/rule" in wrong(document_with({path: {"points": 3}}))
    assert uses(EDITION, int(path.partition("/")[2]))[1:]


def test_every_value_shows_in_the_digest() -> None:
    documents = {str(sorted(others(path))): changed(path) for path in CHANGEABLE}
    assert len({EDITION.digest, *(edition.digest for edition in documents.values())}) == len(documents) + 1


def test_a_changed_source_or_title_shows_too() -> None:
    document = document_with({})
    document["start_francs"]["source"] = "user"
    document["title"] = "Another box"
    other = GAME.editions.load(document)
    assert (other.title, other.digest == EDITION.digest) == ("Another box", False)


def test_tiles_of_an_edition_may_change_their_roles() -> None:
    swapped = edition_with({"bonus/2": {"francs": 9}, "bonus/1": {"stands_for": ["wood"]}})
    state = having(drawn("arc", free="belleville-3", edition=swapped), francs=3, tiles="1 2")
    after = play(state, "activate 2", "move arc belleville-3 spend 1=wood")
    assert (seat_of(after)["francs"], seat_of(after)["used_bonus"]) == (9, [1, 2])


def test_a_match_keeps_the_edition_with_which_it_began() -> None:
    own = begin(edition=edition_with({"banks/chaillot": 1}))
    after = [play(state, "reveal 1 chaillot-1", "key bank:chaillot") for state in (own, begin())]
    assert [seat_of(state)["francs"] for state in after] == [4, 10]


# Amending


def test_an_amended_edition_plays_by_its_own_values() -> None:
    changes = {"banks": {"belleville": 3}, "landmarks": {"13": {"extra": {"marble": 1, "gold": 1}}}}
    amended = GAME.editions.amend(EDITION, "own", "House rules", changes)
    assert (amended.id, amended.title) == ("own", "House rules")
    assert amended.document["banks"]["belleville"] == {"value": 3, "source": "user"}
    assert amended.document["banks"]["chaillot"] == EDITION.document["banks"]["chaillot"]
    assert amended.document["landmarks"]["13"]["extra"] == {"value": {"marble": 1, "gold": 1}, "source": "user"}
    assert amended.digest not in ("", EDITION.digest)
    assert seen("banks/belleville", amended) == 3
    assert seen("banks/belleville", EDITION) == 2


def test_null_takes_an_entry_out_of_an_extra_cost() -> None:
    free = GAME.editions.amend(EDITION, "own", "House rules", {"buildings": {"chaillot-3": {"extra": {"wood": None}}}})
    assert (seen("buildings/chaillot-3/extra", EDITION), seen("buildings/chaillot-3/extra", free)) == ({"wood": 1}, {})


@pytest.mark.parametrize(
    ("changes", "pointers"),
    [
        ({"start_francs": -1}, ["/start_francs"]),
        ({"banks": {"belleville": "3"}}, ["/banks/belleville"]),
        ({"banks": {"paris": 3}}, ["/banks/paris"]),
        ({"landmarks": {"17": {"extra": {}}}}, ["/landmarks/17"]),
        ({"landmarks": {"9": {"extra": {"wood": 7}}}}, ["/landmarks/9/extra/wood"]),
        ({"buildings": {"chaillot-3": {"type": "castle"}}}, ["/buildings/chaillot-3/type"]),
        ({"bonus": {"9": {"francs": 1}}}, ["/bonus/9/francs"]),
        ({"points_on_8": None}, ["/points_on_8"]),
        ({"banks": 3}, ["/banks"]),
        ({"towers": 3}, ["/towers"]),
        ({"banks": {"belleville": 100, "chaillot": -1}}, ["/banks/belleville", "/banks/chaillot"]),
        ([], [""]),
        (None, [""]),
    ],
    ids=repr,
)
def test_wrong_amendments_are_refused_at_their_place(changes: object, pointers: list[str]) -> None:
    with pytest.raises(Malformed) as caught:
        GAME.editions.amend(EDITION, "own", "House rules", changes)
    assert [error.pointer for error in caught.value.errors] == pointers


# What is refused


def wrong(document: object) -> list[str]:
    """Where an edition document is wrong; fail if it is not."""
    with pytest.raises(Malformed) as caught:
        GAME.editions.load(document)
    assert all(error.detail for error in caught.value.errors)
    return [error.pointer for error in caught.value.errors]


NO_INTEGERS = ["3", 3.0, True, None, [3], {}]
NO_AMOUNTS = [-1, 100, *NO_INTEGERS]


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("start_francs", NO_AMOUNTS),
        ("advance_fee_on_3", NO_AMOUNTS),
        ("points_on_8", NO_AMOUNTS),
        ("tiles_set_aside", [-1, 36, *NO_INTEGERS]),
        ("keys_in_hand/2", [-1, 11, *NO_INTEGERS]),
        ("keys_in_hand/4", [-1, 11, *NO_INTEGERS]),
        *((f"banks/{district}", NO_AMOUNTS) for district in DISTRICTS),
        ("buildings/chaillot-1/type", ["castle", "Cafe", "", 1, None, ["cafe"]]),
        ("buildings/chaillot-1/extra", [None, [], "wood", 1]),
        ("landmarks/9/extra", [None, [], "wood", 1]),
        ("landmarks/9/prestige", [None, [], "gilt", 1]),
        ("scoring_tiles/20-10-5", [None, {}, 20, [], [20, 10], [20, 10, 5, 0]]),
        ("prices/buy/wood", NO_AMOUNTS),
        ("prices/sell/gilt", NO_AMOUNTS),
        ("end_tiles/e01", [None, [], {}, 2, "points"]),
        ("bonus/1", [None, [], {}, 2, "francs"]),
        ("bonus/9", [None, [], 2]),
        ("bonus_copies/3", [None, {}, "1", list(range(1, 14))]),
        ("zones/A", [None, {}, [1], [1, 5, 10], "A"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_wrong_value_is_refused_at_its_place(path: str, values: list[object]) -> None:
    for value in values:
        pointers = wrong(document_with({path: value}))
        assert pointers and pointers[0] == f"/{path}", value


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("buildings/chaillot-1/extra", {"wood": 0}, ["/buildings/chaillot-1/extra/wood"]),
        ("buildings/chaillot-1/extra", {"wood": 7}, ["/buildings/chaillot-1/extra/wood"]),
        ("buildings/chaillot-1/extra", {"wood": "1"}, ["/buildings/chaillot-1/extra/wood"]),
        ("buildings/chaillot-1/extra", {"gilt": 1}, ["/buildings/chaillot-1/extra/gilt"]),
        ("buildings/chaillot-1/extra", {"stone": 1}, ["/buildings/chaillot-1/extra/stone"]),
        ("landmarks/9/extra", {"bronze": 1}, ["/landmarks/9/extra/bronze"]),
        ("landmarks/9/extra", {"gold": None}, ["/landmarks/9/extra/gold"]),
        ("landmarks/9/prestige", {"gold": 1}, ["/landmarks/9/prestige/gold"]),
        ("landmarks/9/prestige", {"gilt": 0}, ["/landmarks/9/prestige/gilt"]),
        ("landmarks/9/prestige", {"gilt": 100}, ["/landmarks/9/prestige/gilt"]),
        ("bonus/1", {"francs": -1}, ["/bonus/1/francs"]),
        ("bonus/1", {"francs": 1, "points": "1"}, ["/bonus/1/points"]),
        ("bonus/1", {"francs": 1, "key_price": 1}, ["/bonus/1/francs"]),
        ("bonus/1", {"gold": 1}, ["/bonus/1", "/bonus/1/gold"]),
        ("bonus/1", {"rule": "take_any_bonus"}, ["/bonus/1", "/bonus/1/rule"]),
        ("bonus/2", {"stands_for": "wood"}, ["/bonus/2/stands_for"]),
        ("bonus/2", {"stands_for": []}, ["/bonus/2/stands_for"]),
        ("bonus/2", {"stands_for": ["wood", "wood", "wood"]}, ["/bonus/2/stands_for"]),
        ("bonus/2", {"stands_for": ["wood", "gold"]}, ["/bonus/2/stands_for"]),
        ("bonus/2", {"stands_for": ["stone"]}, ["/bonus/2/stands_for"]),
        ("bonus/2", {"stands_for": [["wood"]]}, ["/bonus/2/stands_for"]),
        ("bonus/2", {"stands_for": [2]}, ["/bonus/2/stands_for"]),
        ("bonus/6", {"per_building": {"value": 6, "points": 1}}, ["/bonus/6/per_building/value"]),
        ("bonus/6", {"per_building": {"value": 1, "points": 100}}, ["/bonus/6/per_building/points"]),
        ("bonus/6", {"per_building": {"value": 1}}, ["/bonus/6/per_building/points"]),
        ("bonus/6", {"per_building": {"value": 1, "points": 1, "type": "cafe"}}, ["/bonus/6/per_building/type"]),
        ("bonus/6", {"per_building": 2}, ["/bonus/6/per_building"]),
        ("bonus/13", {"key_price": -1}, ["/bonus/13/key_price"]),
        ("bonus/17", {"rule": "step_back"}, ["/bonus/17/rule"]),
        ("bonus/17", {"rule": "take_any_bonus", "most": 5}, ["/bonus/17/most"]),
        ("bonus/20", {"per_unused_bonus": {"2": 1, "3": 2}}, ["/bonus/20/per_unused_bonus/4"]),
        ("bonus/20", {"per_unused_bonus": {"2": 1, "3": 2, "4": 3, "5": 4}}, ["/bonus/20/per_unused_bonus/5"]),
        ("bonus/23", {"per_prestige_pair": {"2": 1, "3": 2, "4": None}}, ["/bonus/23/per_prestige_pair/4"]),
        ("bonus/23", {"points": 5}, ["/bonus/23/per_prestige_pair", "/bonus/23/points"]),
        ("bonus/24", {"per_prestige_pair": {"2": 1, "3": 2, "4": 3}}, ["/bonus/24/per_resource_pair"]),
        ("bonus/25", {"rule": "step_back"}, ["/bonus/25/most"]),
        ("bonus/25", {"rule": "step_back", "most": 0}, ["/bonus/25/most"]),
        ("bonus/25", {"rule": "step_back", "most": 30}, ["/bonus/25/most"]),
        ("bonus/27", {"per_franc_at_end": "1"}, ["/bonus/27/per_franc_at_end"]),
        ("bonus/29", {"per_landmark": 100}, ["/bonus/29/per_landmark"]),
        ("bonus/30", {"kinds": {"4": 10, "5": 15, "6": 20}}, ["/bonus/30/kinds/7"]),
        ("bonus/30", {"kinds": {"3": 1, "4": 10, "5": 15, "6": 20, "7": 25}}, ["/bonus/30/kinds/3"]),
        *(
            ("scoring_tiles/20-10-5", [20, amount, 5], ["/scoring_tiles/20-10-5/1"])
            for amount in (-1, 100, "3", True, None)
        ),
        ("end_tiles/e01", {"key_price": 3}, ["/end_tiles/e01", "/end_tiles/e01/key_price"]),
        ("end_tiles/e01", {"points": 100}, ["/end_tiles/e01/points"]),
        ("end_tiles/e01", {"stands_for": ["stone"]}, ["/end_tiles/e01/stands_for"]),
        ("end_tiles/e01", {"stands_for": ["wood"], "points": 1}, ["/end_tiles/e01/points"]),
        ("bonus_copies/3", [1, 5, 7, 10, 12], ["/bonus_copies"]),
        ("bonus_copies/3", [1, 5, 7, 10, 12, 31], ["/bonus_copies/3/5"]),
        ("bonus_copies/3", [1, 5, 7, 10, 12, True], ["/bonus_copies/3/5"]),
        ("bonus_copies/3", [1, 5, 7, 10, 12, "21"], ["/bonus_copies/3/5"]),
        ("bonus_copies/3", [1, 5, 7, 10, 12, 12], ["/bonus_copies/3/5"]),
        ("bonus_copies/4", [2, 3, 4, 6, 8, 1], ["/bonus_copies/4/5"]),
        ("zones/A", [2, 10], ["/zones/A"]),
        ("zones/A", [1, 0], ["/zones/A"]),
        ("zones/A", [1, 9], ["/zones/B"]),
        ("zones/A", [1, 11], ["/zones/B"]),
        ("zones/B", [11, 21], ["/zones/C"]),
        ("zones/C", [21, 29], ["/zones/C"]),
        ("zones/C", [21, 31], ["/zones/C"]),
        ("zones/A", [True, 10], ["/zones/A"]),
        ("zones/A", [1, 10.0], ["/zones/A"]),
        ("zones/A", [1, "10"], ["/zones/A"]),
        ("space_tokens/1", "silver", ["/space_tokens"]),
        ("space_tokens/1", "stone", ["/space_tokens/1"]),
        ("space_tokens/8", 3, ["/space_tokens/8"]),
        ("keys_in_reserve", 3, ["/keys_in_hand/2"]),
        ("keys_in_reserve", 13, ["/keys_in_reserve"]),
        ("keys_in_reserve", -1, ["/keys_in_reserve"]),
        ("keys_in_reserve", "2", ["/keys_in_reserve"]),
    ],
    ids=lambda value: repr(value)[:50],
)
def test_a_wrong_part_of_a_value_is_refused_at_its_place(path: str, value: object, expected: list[str]) -> None:
    pointers = wrong(document_with({path: value}))
    assert set(expected) <= set(pointers)
    assert all(pointer.startswith(f"/{path.partition('/')[0]}") or path == "keys_in_reserve" for pointer in pointers)


def test_all_keys_may_be_in_the_hand_and_none_in_the_reserve() -> None:
    edition = edition_with({"keys_in_reserve": 0, "keys_in_hand/2": 12})
    held = seat_of(begin(edition=edition))
    assert (held["keys"], held["reserve"]) == (12, 0)


@pytest.mark.parametrize(
    ("aside", "stacks"), [(0, [12, 12, 12]), (1, [12, 12, 11]), (2, [12, 11, 11]), (35, [1, 0, 0])]
)
def test_the_tiles_that_are_not_set_aside_form_stacks_as_even_as_possible(aside: int, stacks: list[int]) -> None:
    edition = edition_with({"tiles_set_aside": aside})
    assert GAME.view.dump(begin(edition=edition))["stacks"] == stacks
    assert GAME.view.dump(begin(edition=edition, variant="free_placement"))["stacks"] == [12, 12, 12]


@pytest.mark.parametrize("group", dict.fromkeys(path.partition("/")[0] for path in SHEET))
def test_a_missing_value_is_refused(group: str) -> None:
    document = document_with({})
    paths = [path for path in SHEET if path.partition("/")[0] == group]
    for path in paths:
        *groups, name = path.split("/")
        within = document
        for member in groups:
            within = within[member]
        del within[name]
    assert {f"/{path}" for path in paths} <= set(wrong(document))


@pytest.mark.parametrize(
    "group", ["keys_in_hand", "banks", "buildings", "buildings/chaillot-1", "landmarks", "landmarks/9", "bonus",
              "bonus_copies", "zones", "end_tiles", "scoring_tiles", "space_tokens", "prices", "prices/buy"],
)  # fmt: skip
def test_groups_hold_what_is_known_and_nothing_else(group: str) -> None:
    document = deepcopy(dict(EDITION.document))
    within: JsonObject = document
    for member in group.split("/"):
        within = within[member]
    within["towers"] = {"value": 1, "source": "user"}
    assert wrong(document) == [f"/{group}/towers"]
    within.clear()
    assert all(pointer.startswith(f"/{group}") for pointer in wrong(document))


def test_unknown_members_another_game_and_other_sources_are_refused() -> None:
    document = document_with({})
    document["towers"] = {"value": 1, "source": "user"}
    assert wrong(document) == ["/towers"]
    assert wrong({**document_with({}), "game": "cite-lumiere"}) == ["/game"]
    document = document_with({})
    document["start_francs"]["source"] = "heard"
    assert wrong(document) == ["/start_francs/source"]
    del document["start_francs"]["source"]
    assert wrong(document) == ["/start_francs/source"]


def test_everything_that_is_wrong_is_told_at_once() -> None:
    changes = {"start_francs": -1, "banks/chaillot": "7", "bonus/30": {"kinds": {}}, "zones/C": [1, 2]}
    assert set(wrong(document_with(changes))) >= {
        "/start_francs",
        "/banks/chaillot",
        "/bonus/30/kinds/4",
        "/bonus/30/kinds/7",
        "/zones/C",
    }
