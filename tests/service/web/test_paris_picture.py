"""The picture of Paris: all that is on the table once, where it belongs, told by sign as well as by colour."""

import random
import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from functools import cache
from itertools import combinations, pairwise
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from domain.catalogue import GAMES
from domain.game import JsonObject
from domain.games.paris.parts import DISTRICTS, KINDS, LANDMARKS, SEATS, SPACES, TRACK, TYPES
from service.drawing import PICTURES
from service.drawing.paris.board import draw_board
from service.drawing.paris.effects import effect
from service.drawing.paris.layout import CARDS, HEIGHT, WIDTH, spread
from service.drawing.paris.signs import DISTRICTS as DISTRICT_COLOURS
from service.drawing.paris.signs import LETTERING, OWNED, SYMBOLS
from service.drawing.paris.signs import SEATS as SEAT_COLOURS
from service.drawing.svg import INK, PAPER
from tests.service.harness import Service, ok
from tests.service.web.test_board_picture import DICHROMACIES, contrast, linear

GAME = GAMES["paris"]
EDITION = GAME.editions.default
SVG = "{http://www.w3.org/2000/svg}"
SHAPES = {
    "red": '<path d="M0-12.5L12.5 0 0 12.5-12.5 0z"/>',
    "blue": '<circle r="11"/>',
    "green": '<path d="M0-13L13 10H-13z"/>',
    "yellow": '<path d="M-10-10H10V10H-10z"/>',
}
"""The shape of each seat besides its colour."""


def start_of(players: int, setup: JsonObject | None = None) -> Any:
    return GAME.rules.start(GAME.setup.parse(setup or {}), SEATS[:players], EDITION)


def state_with(players: int = 4, /, **changes: Any) -> JsonObject:
    """The dumped state of a set-up, with some members changed, those of a seat by its name."""
    state = GAME.view.dump(start_of(players))
    for name, change in changes.items():
        if name in SEATS:
            state["seats"][name] |= change
        elif isinstance(state[name], dict):
            state[name] |= change
        else:
            state[name] = change
    return state


def building(space: str, *keys: str, tile: str | None = None, kind: str = "cafe") -> JsonObject:
    return {space: {"tile": tile or space, "type": kind, "keys": list(keys)}}


def landmarks(district: str, **keys: list[str]) -> JsonObject:
    """Landmarks of a district by value and keys; all others are available."""
    placed = {name.removeprefix("v"): {"district": district, "keys": owners} for name, owners in keys.items()}
    return {"available": [value for value in LANDMARKS if str(value) not in placed], "placed": placed}


def svg(
    state: JsonObject,
    last_move: JsonObject | None = None,
    *,
    title: str = "A table",
    document: Any = EDITION.document,
) -> str:
    return draw_board(state, last_move, edition=document, title=title)


def picture(state: JsonObject, last_move: JsonObject | None = None, **more: Any) -> Element:
    """The root of what is drawn."""
    return ElementTree.fromstring(svg(state, last_move, **more))  # noqa: S314 our own text


def amended(changes: JsonObject) -> Any:
    """The document of an edition with other printed values."""
    return GAME.editions.amend(EDITION, "ours", "Ours", changes).document


def groups(root: Element, name: str) -> list[Element]:
    """All groups that carry some data."""
    return [group for group in root.iter(f"{SVG}g") if f"data-{name}" in group.attrib]


def one(root: Element, name: str, value: str) -> Element:
    """The only group with this data."""
    (group,) = (group for group in groups(root, name) if group.attrib[f"data-{name}"] == value)
    return group


def told(root: Element, name: str, value: str, *members: str) -> list[str]:
    """What a group carries besides."""
    return [one(root, name, value).attrib[f"data-{member}"] for member in members]


def symbols(element: Element, prefix: str = "") -> list[str]:
    """The symbols used under an element, of those with a prefix, in the order in which they are drawn."""
    used = [use.attrib["href"].removeprefix("#paris-") for use in element.iter(f"{SVG}use")]
    return [name.removeprefix(prefix) for name in used if name.startswith(prefix)]


def words(element: Element) -> list[str]:
    return [str(text.text) for text in element.iter(f"{SVG}text")]


def bounds(element: Element) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the rectangles and symbols under an element."""
    corners = [
        tuple(float(item.attrib[name]) for name in ("x", "y", "width", "height"))
        for item in element.iter()
        if "width" in item.attrib and "x" in item.attrib
    ]
    return (
        *(min(corner[axis] for corner in corners) for axis in (0, 1)),  # type: ignore[return-value]
        *(max(corner[axis] + corner[axis + 2] for corner in corners) for axis in (0, 1)),
    )


def random_match(seed: int, players: int, setup: JsonObject) -> Iterator[tuple[JsonObject, JsonObject | None]]:
    """Some states of a match with the moves before them; rare types of move come as often as others."""
    chance = random.Random(seed)
    state = start_of(players, setup)
    yield GAME.view.dump(state), None
    while state.to_move is not None:
        by_type: dict[str, list[Any]] = {}
        for move in GAME.rules.legal_moves(state):
            by_type.setdefault(GAME.move.dump(move)["type"], []).append(move)
        move = chance.choice(by_type[chance.choice(sorted(by_type))])
        state = GAME.rules.apply(state, state.to_move, move)
        yield GAME.view.dump(state), GAME.move.dump(move)


MATCHES: dict[str, tuple[int, int, JsonObject]] = {
    "two players": (1, 2, {}),
    "three players": (2, 3, {"variant": "free_placement"}),
    "four players": (3, 4, {}),
}


# Played and drawn by the first test that looks, not by every process that collects the tests.
@cache
def played(name: str) -> list[tuple[JsonObject, JsonObject | None]]:
    """The states of a match with the moves before them."""
    return list(random_match(*MATCHES[name]))


@cache
def frames() -> list[tuple[JsonObject, JsonObject | None]]:
    """Some states of all matches."""
    return [frame for match in map(played, MATCHES) for frame in match[::5] + match[-1:]]


@cache
def drawn_frames() -> list[str]:
    """Their pictures."""
    return [svg(state, move) for state, move in frames()]


def test_the_game_has_its_picture() -> None:
    assert PICTURES["paris"] is draw_board


@pytest.mark.parametrize("name", MATCHES)
def test_every_state_of_a_match_is_drawn_whole(name: str) -> None:
    match = played(name)
    for state, move in [*match[::9], match[-1]]:
        root = picture(state, move)
        assert_everything_has_its_place(root, state)
        assert_the_city_is_right(root, state)
        assert_the_supply_is_right(root, state)
        assert_the_hands_are_right(root, state)


def assert_everything_has_its_place(root: Element, state: JsonObject) -> None:
    assert sorted(group.attrib["data-place"] for group in groups(root, "place")) == sorted(
        [
            *("arc", *SPACES),
            *(f"bank:{district}" for district in DISTRICTS),
            *(f"landmark-{value}" for value in LANDMARKS),
            *(f"scoring:{district}" for district in state["scoring_tiles"]["placed"]),
            *(f"track:{space}" for space in TRACK),
            *(f"stack:{number}" for number in (1, 2, 3)),
            *(f"market:{kind}" for kind in KINDS),
        ]
    )


def assert_the_city_is_right(root: Element, state: JsonObject) -> None:
    for space in SPACES:
        group, revealed = one(root, "place", space), state["buildings"].get(space)
        assert group.attrib.get("data-token") == state["tokens"].get(space)
        if revealed:
            assert [group.attrib["data-tile"], group.attrib["data-type"]] == [revealed["tile"], revealed["type"]]
            assert revealed["type"] in symbols(group)
        assert symbols(group, "key-") == (revealed["keys"] if revealed else [])
    for district, standing in state["banks"].items():
        assert symbols(one(root, "place", f"bank:{district}"), "key-") == standing
        drawn = groups(one(root, "district", district), "scoring-tile")
        assert [group.attrib["data-scoring-tile"] for group in drawn] == [
            tile for place, tile in state["scoring_tiles"]["placed"].items() if place == district
        ]
    assert symbols(one(root, "place", "arc"), "key-") == state["arc"]
    for value, placed in state["landmarks"]["placed"].items():
        group = one(one(root, "district", placed["district"]), "place", f"landmark-{value}")
        assert symbols(group, "key-") == placed["keys"]


def assert_the_supply_is_right(root: Element, state: JsonObject) -> None:
    drawn = {group.attrib["data-scoring-tile"] for group in groups(root, "scoring-tile")}
    assert drawn == {*state["scoring_tiles"]["available"], *state["scoring_tiles"]["placed"].values()}
    assert [group.attrib["data-end-tile"] for group in groups(root, "end-tile")] == state["end_tiles"]
    assert [told(root, "place", f"stack:{at}", "left") for at in (1, 2, 3)] == [[f"{left}"] for left in state["stacks"]]
    for kind, stock in state["market"].items():
        assert told(root, "place", f"market:{kind}", "stock") == [f"{stock}"]
    for space, tiles in state["track"].items():
        group = one(root, "place", f"track:{space}")
        assert group.attrib["data-tiles"] == " ".join(map(str, tiles))
        assert not tiles or str(tiles[-1]) in words(group)
        assert symbols(group, "pawn-")[::-1] == [
            seat for seat, owned in state["seats"].items() if owned["track"] == int(space)
        ]


def assert_the_hands_are_right(root: Element, state: JsonObject) -> None:
    assert [group.attrib["data-hand"] for group in groups(root, "hand")] == list(state["seats"])
    for seat, owned in state["seats"].items():
        panel = one(root, "hand", seat)
        assert panel.attrib["data-to-move"] == str(seat == state["to_move"]).lower()
        counts = {name: owned[name] for name in ("francs", "keys", "reserve")} | owned["resources"] | owned["prestige"]
        for name, count in counts.items():
            (group,) = groups(panel, name)
            assert group.attrib[f"data-{name}"] == str(count)
            assert f"{'+' if name == 'reserve' else ''}{count}" in words(group)
        (total,) = groups(panel, "total")
        assert words(total) == [str(state["score"][seat]["total"])]
        tiles = [group.attrib["data-tile"] for group in groups(panel, "tile")]
        assert tiles == [*map(str, owned["bonus"]), *owned["end_tiles"]]
        used = [group.attrib["data-used"] for group in groups(panel, "used")]
        assert used == ([" ".join(map(str, owned["used_bonus"]))] if owned["used_bonus"] else [])


def test_the_matches_show_most_of_the_game() -> None:
    states = [state for state, _ in frames()]
    assert any(state["scoring_tiles"]["placed"] for state in states)
    assert any(state["landmarks"]["placed"] for state in states)
    assert any(len(state["arc"]) > 1 for state in states)
    assert {move["type"] for _, move in (frame for match in map(played, MATCHES) for frame in match) if move} == {
        *("reveal", "place_key", "move_key", "take_end_tile", "advance", "score_tile", "trade", "activate", "end_turn")
    }


def test_nothing_lies_outside_of_the_picture() -> None:
    for text in drawn_frames():
        left, top, right, bottom = bounds(ElementTree.fromstring(text))  # noqa: S314 our own text
        assert 0 <= left < right <= WIDTH and 0 <= top < bottom <= HEIGHT


def test_a_picture_stays_small() -> None:
    assert max(len(text.encode()) for text in drawn_frames()) < 120_000


def test_the_same_state_gives_the_same_picture() -> None:
    state, move = frames()[-1]
    assert svg(state, move) == svg(deepcopy(state), deepcopy(move))


def test_nothing_in_a_picture_runs_or_is_loaded() -> None:
    for state, move in frames()[:: len(frames()) // 7]:
        root = picture(state, move)
        defined = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
        assert len(set(defined)) == len(defined)
        for element in root.iter():
            assert element.tag.removeprefix(SVG) in (
                *("svg", "title", "desc", "defs", "symbol", "use", "g"),
                *("path", "rect", "circle", "ellipse", "text"),
            )
            for name, value in element.attrib.items():
                assert name not in {"style", "class"} and not name.startswith("on") and "url" not in value
                assert name != "href" or value.removeprefix("#") in defined


def test_every_symbol_is_used() -> None:
    for name in re.findall(r'<symbol id="(.*?)"', drawn_frames()[0]):
        assert any(f'"#{name}"' in text for text in drawn_frames()), name


@pytest.mark.parametrize("title", ["</title><script>alert(1)</script>", "A & B \"'<>", "]]>", "Zoë ☾ 日本 😀", ""])
def test_a_title_is_text(title: str) -> None:
    assert picture(state_with(), title=title).findtext(f"{SVG}title") == title


def test_what_no_xml_may_hold_is_replaced() -> None:
    assert picture(state_with(), title="\x00a\ud800").findtext(f"{SVG}title") == "�a�"


def test_a_picture_is_named_and_described() -> None:
    state = state_with(
        2,
        buildings=building("montmartre-5", "red", "blue", kind="theatre") | building("montmartre-2", kind="bakery"),
        banks={"montmartre": ["red"]},
        arc=["blue"],
        landmarks=landmarks("montmartre", v12=["red"]),
        scoring_tiles={"placed": {"montmartre": "20-10-5"}},
        red={"francs": 7, "keys": 6, "track": 18, "bonus": [18], "end_tiles": ["e08"]},
    )
    root = picture(state, {"type": "move_key", "from": "arc", "to": "montmartre-5"})
    assert root.attrib["role"] == "img"
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    description = str(root.findtext(f"{SVG}desc"))
    assert description.startswith("The table after ply 0. Red to move. ")
    for sentence in (
        "Montmartre: bank red, 5 theatre red and blue, 2 bakery free, landmark 12 red, scores 20-10-5, red 17 in all, "
        "blue 5 in all.",
        "Saint-Germain: empty.",
        "On the Arc: blue.",
        "Red: 0 points, 7 francs, 6 keys, space 18 of the track, tiles: 18 e08.",
        "Last move: move key at arc, montmartre-5.",
    ):
        assert sentence in description


def test_a_match_is_drawn_with_the_edition_that_it_is_played_with(service: Service) -> None:
    body = {"title": "Ours", "based_on": "rulebook-2020", "changes": {"banks": {"montmartre": 9}}}
    edition = ok(service.post("/games/paris/editions", body), 201)["id"]
    players = [{"seat": "green", "name": "Ana"}, {"seat": "red", "name": "Jan"}]
    begun = {"game": "paris", "edition": edition, "players": players, "setup": {}}
    match = ok(service.post("/matches", begun), 201)["id"]
    moves: list[JsonObject] = [
        {"type": "reveal", "stack": 1, "tile": "montmartre-5"},
        {"type": "place_key", "at": "bank:montmartre"},
    ]
    entered = {"moves": [{"seat": "green", "move": move} for move in moves]}
    ok(service.post(f"/matches/{match}/moves", entered), 201)
    response = service.get(f"/matches/{match}/replay/2/board.svg")
    root = ElementTree.fromstring(response.text)  # noqa: S314 our own text
    bank = one(root, "place", "bank:montmartre")
    assert words(bank) == ["9"]
    assert symbols(bank, "key-") == ["green"]
    assert words(groups(one(root, "hand", "green"), "francs")[0]) == ["12"]
    assert groups(root, "last-move")[0].attrib["data-places"] == "bank:montmartre"


# What stands in the city


@pytest.mark.parametrize("seat", SEATS)
def test_a_key_shows_shape_letter_and_colour_of_its_owner(seat: str) -> None:
    root = picture(state_with(buildings=building("chaillot-8", seat)))
    assert symbols(one(root, "place", "chaillot-8"), "key-") == [seat]
    for name in ("key", "pawn", "badge"):
        (symbol,) = (it for it in root.iter(f"{SVG}symbol") if it.attrib["id"] == f"paris-{name}-{seat}")
        drawing = ElementTree.tostring(symbol, "unicode").replace("ns0:", "").replace(" />", "/>")
        assert SHAPES[seat] in drawing
        assert SEAT_COLOURS[seat] in drawing
        assert words(symbol) == [seat[0].upper()]


def test_the_ground_of_a_tile_tells_its_only_owner() -> None:
    owners: dict[str, list[str]] = {"1": ["red"], "2": ["red", "red"], "3": ["red", "blue"], "4": []}
    buildings: JsonObject = {}
    for at, keys in owners.items():
        buildings |= building(f"chaillot-{at}", *keys)
    root = picture(state_with(buildings=buildings))
    grounds = [one(root, "place", f"chaillot-{at}").findall(f"{SVG}rect")[0].attrib["fill"] for at in owners]
    assert grounds[0] == grounds[1] == OWNED["red"]
    assert grounds[2] == grounds[3]
    assert grounds[2] not in OWNED.values()


@pytest.mark.parametrize(
    ("place", "count"),
    [(place, count) for place in ("chaillot-3", "landmark-9") for count in range(1, 9)]
    + [(place, count) for place in ("bank:chaillot", "arc") for count in range(1, 5)],
)
def test_each_of_many_keys_can_be_seen(place: str, count: int) -> None:
    standing = [SEATS[at % 4] for at in range(count)]
    places: JsonObject = {
        "chaillot-3": {"buildings": building("chaillot-3", *standing)},
        "landmark-9": {"landmarks": landmarks("chaillot", v9=standing)},
        "bank:chaillot": {"banks": {"chaillot": standing}},
        "arc": {"arc": standing},
    }
    group = one(picture(state_with(**places[place])), "place", place)
    assert symbols(group, "key-") == standing
    keys = [use for use in group.iter(f"{SVG}use") if "key-" in use.attrib["href"]]
    middles = [(float(use.attrib["x"]), float(use.attrib["y"])) for use in keys]
    assert all(abs(a - c) + abs(b - d) >= 3.5 for (a, b), (c, d) in combinations(middles, 2))
    left, top, right, bottom = (round(side) for side in bounds(group))
    for use in keys:
        x, y, width, height = (float(use.attrib[name]) for name in ("x", "y", "width", "height"))
        assert left <= x and x + width <= right and top <= y and y + height <= bottom + 6


def test_all_landmarks_fit_into_one_district() -> None:
    every = {f"v{value}": ["blue"] for value in LANDMARKS}
    root = picture(state_with(landmarks=landmarks("saint_germain", **every)))
    card = CARDS["saint_germain"]
    boxes = [bounds(one(root, "place", f"landmark-{value}")) for value in LANDMARKS]
    assert all(box[2] <= other[0] for box, other in pairwise(boxes))
    assert card.x <= boxes[0][0] and boxes[-1][2] <= card.x + card.width
    assert all(card.y <= box[1] and box[3] <= card.y + card.height for box in boxes)
    assert words(one(root, "sum", "100")) == ["100"]


def test_a_district_tells_what_everybody_owns_there() -> None:
    owned = building("belleville-8", "red", "red") | building("belleville-3", "red", "blue") | building("chaillot-5")
    root = picture(state_with(3, buildings=owned, landmarks=landmarks("belleville", v11=["green"])))
    drawn = groups(one(root, "district", "belleville"), "sum")
    sums = {group.attrib["data-seat"]: words(group) for group in drawn}
    assert sums == {"red": ["19"], "blue": ["3"], "green": ["11"]}
    assert groups(one(root, "district", "chaillot"), "sum") == []


def test_a_building_that_came_from_elsewhere_brings_its_type_and_cost() -> None:
    state = state_with(buildings=building("chaillot-3", tile="belleville-3", kind="residence"))
    dearer = amended({"buildings": {"belleville-3": {"extra": {"wood": 1, "gold": 2}}}})
    group = one(picture(state, document=dearer), "place", "chaillot-3")
    assert symbols(group) == [state["tokens"]["chaillot-3"], "residence", "wood", "gold", "gold"]


@pytest.mark.parametrize("kind", TYPES)
def test_every_type_of_building_has_a_symbol(kind: str) -> None:
    assert kind in symbols(one(picture(state_with(buildings=building("chaillot-3", kind=kind))), "place", "chaillot-3"))


# What is printed


def test_printed_values_are_those_of_the_edition() -> None:
    ours = amended(
        {
            "banks": {"montmartre": 9},
            "landmarks": {"13": {"extra": {"wood": 3, "marble": None}, "prestige": {"silver": None, "bronze": 7}}},
            "prices": {"buy": {"gold": 17}, "sell": {"gilt": 13}},
            "bonus": {"5": {"francs": 11}},
            "end_tiles": {"e01": {"points": 19}},
        }
    )
    root = picture(state_with(), document=ours)
    assert words(one(root, "place", "bank:montmartre")) == ["9"]
    landmark = one(root, "place", "landmark-13")
    assert symbols(landmark) == ["landmark", "wood", "wood", "wood", "bronze"]
    assert words(landmark) == ["13", "7"]
    assert "17" in words(one(root, "place", "market:gold"))
    assert "13" in words(one(root, "place", "market:gilt"))
    assert {"5", "11"} <= set(words(one(root, "place", "track:5")))
    assert "19" in words(one(root, "end-tile", "e01"))


EFFECTS = {
    "1": "2 coin",
    "2": "wood",
    "7": "4 point",
    "8": "prestige",
    "9": "building ×2 key",
    "10": "resource",
    "13": "3 coin → key",
    "16": "building pawn pawn",
    "17": "1–30 tile",
    "18": "5 point / 4 building",
    "19": "prestige prestige",
    "20": "2 point / tile",
    "22": "3 coin 6 point",
    "23": "3 point / prestige prestige",
    "24": "3 point / resource resource",
    "25": "←5 pawn tile",
    "27": "1 point / coin",
    "29": "8 point / landmark",
    "30": "10–25 point / building",
}


@pytest.mark.parametrize("number", [str(space) for space in TRACK])
def test_a_bonus_tile_shows_its_effect(number: str) -> None:
    group = one(picture(state_with(3, track={number: [int(number)]})), "place", f"track:{number}")
    if number in EFFECTS:
        expected = EFFECTS[number].split()
        assert symbols(group) == [part for part in expected if part in SYMBOLS]
        assert words(group)[2:] == [part for part in expected if part not in SYMBOLS]
    assert symbols(group)


def test_effects_that_depend_on_the_players_show_those_of_the_match() -> None:
    tile = {"per_unused_bonus": {"2": 1, "3": 2, "4": 3}}
    assert [effect(tile, players)[0] for players in (2, 3, 4)] == ["1", "2", "3"]


def test_a_second_copy_is_announced() -> None:
    root = picture(state_with(track={"7": [7, 7], "8": [8]}))
    assert "×2" in words(one(root, "place", "track:7"))
    assert "×2" not in words(one(root, "place", "track:8"))


# The hands


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_panels_stand_side_by_side(players: int) -> None:
    root = picture(state_with(players))
    boxes = [bounds(panel) for panel in groups(root, "hand")]
    assert len(boxes) == players
    assert all(one[2] < other[0] for one, other in pairwise(boxes))


def test_a_hand_full_of_tiles_stays_in_its_panel() -> None:
    tiles = list(TRACK)
    root = picture(state_with(red={"bonus": tiles, "end_tiles": ["e08", "e11"], "used_bonus": tiles}))
    panel = one(root, "hand", "red")
    paper = {name: float(panel[0].attrib[name]) for name in ("x", "y", "width", "height")}
    left, top, right, bottom = paper["x"], paper["y"], paper["x"] + paper["width"], paper["y"] + paper["height"]
    shown = [bounds(group) for group in groups(panel, "tile")]
    assert len(shown) == 32
    assert len({(box[0], box[1]) for box in shown}) == 32
    assert all(left <= box[0] and top <= box[1] and box[2] <= right and box[3] <= bottom for box in shown)


def test_half_a_tile_is_told_from_a_whole_one() -> None:
    root = picture(state_with(red={"bonus": [19, 21], "half_used": {"21": 1}}))
    panel = one(root, "hand", "red")
    assert "½" in words(one(panel, "tile", "21"))
    assert "½" not in words(one(panel, "tile", "19"))


# Turn and end


def test_the_heading_says_whose_turn_it_is_and_what_is_open() -> None:
    turn = {"revealed": True, "acted": True, "may_advance": True, "advance_fee": 2, "may_score_tile": True}
    shown = words(picture(state_with(to_move="blue", turn=turn, phase="last_round", ply=61)))
    assert {"ply 61", "Blue to move", "last round", "building revealed", "action done"} <= {*shown}
    assert {"may advance for 2 francs", "may place a scoring tile"} <= {*shown}
    fresh = words(picture(state_with()))
    assert "no building revealed" in fresh and "no action yet" in fresh
    assert not any(text.startswith("may ") for text in fresh)
    assert "no building revealed" not in words(picture(state_with(stacks=[0, 0, 0])))


def test_the_heading_says_who_has_won() -> None:
    ranking = [{"seat": "blue", "place": 1, "points": 57}, {"seat": "red", "place": 2, "points": 40}]
    result = {"winners": ["blue"], "ranking": ranking, "decided_by": "points"}
    over = state_with(2, phase="over", to_move=None, result=result)
    shown = words(picture(over))
    assert "Blue wins" in shown and "1. Blue 57" in shown and "2. Red 40" in shown
    assert not any("to move" in text for text in shown)
    assert not any(text.startswith("decided") for text in shown)
    close = over | {"result": result | {"decided_by": "francs"}}
    assert "decided by francs" in words(picture(close))
    shared = over | {"result": result | {"winners": ["red", "blue"]}}
    assert "Red and Blue share the victory" in words(picture(shared))


# The last move


@pytest.mark.parametrize(
    ("move", "places"),
    [
        ({"type": "reveal", "stack": 1, "tile": "montmartre-5"}, "montmartre-5"),
        ({"type": "reveal", "stack": 1, "tile": "montmartre-5", "district": "chaillot"}, "chaillot-5"),
        ({"type": "reveal", "stack": 3, "tile": "montmartre-5", "discard": True}, "stack:3"),
        ({"type": "place_key", "at": "bank:la_villette"}, "bank:la_villette"),
        ({"type": "place_key", "at": "arc"}, "arc"),
        ({"type": "move_key", "from": "bank:belleville", "to": "belleville-2"}, "bank:belleville belleville-2"),
        (
            {"type": "move_key", "from": "arc", "to": "chaillot-8", "landmark": {"tile": 9, "district": "belleville"}},
            "arc chaillot-8 landmark-9",
        ),
        (
            {"type": "move_key", "from": "arc", "to": "landmark-9", "landmark": {"tile": 9, "district": "belleville"}},
            "arc landmark-9",
        ),
        ({"type": "take_end_tile", "tile": "e07"}, "end_tiles hand:red"),
        ({"type": "advance", "to": 18}, "track:18"),
        ({"type": "score_tile", "tile": "20-10-5", "district": "belleville"}, "scoring:belleville"),
        ({"type": "trade", "buy": "wood"}, "market:wood"),
        ({"type": "trade", "sell": "gilt"}, "market:gilt"),
        ({"type": "trade", "sell": "wood", "tile": 10}, "hand:red"),
        ({"type": "activate", "tile": 18}, "hand:red"),
        ({"type": "activate", "tile": 25, "to": 11}, "hand:red track:11"),
    ],
)
def test_the_last_move_is_outlined_where_it_was_made(move: JsonObject, places: str) -> None:
    state = state_with(
        arc=["red"],
        landmarks=landmarks("belleville", v9=["red"]),
        scoring_tiles={"placed": {"belleville": "20-10-5"}},
    )
    root = picture(state, move)
    (mark,) = groups(root, "last-move")
    assert (mark.attrib["data-last-move"], mark.attrib["data-places"]) == (move["type"], places)
    frames = mark.findall(f"{SVG}rect")[1::2]
    for place, frame in zip(places.split(), frames, strict=True):
        outer = [float(frame.attrib[name]) for name in ("x", "y", "width", "height")]
        for left, top, right, bottom in drawn_at(root, place):
            assert outer[0] <= left and right <= outer[0] + outer[2]
            assert outer[1] - 3 <= top and bottom <= outer[1] + outer[3] + 3
    dashed = ["stroke-dasharray" in frame.attrib for frame in frames]
    assert dashed == [move["type"] == "move_key", *[False] * (len(frames) - 1)]


def drawn_at(root: Element, place: str) -> Iterator[tuple[float, float, float, float]]:
    """The bounds of what is drawn at a place, as far as it has rectangles or symbols."""
    if place == "end_tiles":
        yield from (bounds(group) for group in groups(root, "end-tile"))
    elif place.startswith("hand:"):
        yield bounds(one(root, "hand", place.removeprefix("hand:")))
    elif not place.startswith("scoring:"):
        yield bounds(one(root, "place", place))


@pytest.mark.parametrize("move", [None, {"type": "end_turn"}])
def test_where_nothing_was_touched_nothing_is_outlined(move: JsonObject | None) -> None:
    assert groups(picture(state_with(), move), "last-move") == []


# For all eyes


def seen_as(colour: str, matrix: Sequence[Sequence[float]]) -> list[float]:
    light = linear(colour)
    return [max(0.0, sum(f * share for f, share in zip(row, light, strict=True))) ** (1 / 2.2) for row in matrix]


@pytest.mark.parametrize("matrix", DICHROMACIES.values(), ids=DICHROMACIES)
def test_the_seats_differ_for_the_colour_blind(matrix: tuple[tuple[float, ...], ...]) -> None:
    for one_seat, other in combinations(SEATS, 2):
        pair = zip(seen_as(SEAT_COLOURS[one_seat], matrix), seen_as(SEAT_COLOURS[other], matrix), strict=True)
        assert max(abs(a - b) for a, b in pair) > 0.15, (one_seat, other)


def test_letters_and_names_can_be_read() -> None:
    for seat in SEATS:
        assert contrast(SEAT_COLOURS[seat], LETTERING[seat]) >= 4.5
        assert contrast(OWNED[seat], INK) >= 7
    for colour in DISTRICT_COLOURS.values():
        assert contrast(colour, PAPER) >= 4.5


# What lies side by side


def test_things_overlap_only_without_room() -> None:
    assert list(spread(3, 100, 20, 4)) == [0, 24, 48]
    assert list(spread(3, 50, 20, 4)) == [0, 15, 30]
    assert list(spread(1, 10, 20, 4)) == [0]
    assert list(spread(0, 10, 20, 4)) == []
