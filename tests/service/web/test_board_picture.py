"""The picture of a board: all that is on it once, well-formed and inert, and readable whatever colours one sees."""

import random
import re
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from itertools import pairwise
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from domain.catalogue import GAMES
from domain.game import JsonObject
from domain.games.cite_lumiere.board import NAMES
from domain.games.cite_lumiere.parts import BUILDINGS, CARDS, CARDS_IN_PLAY, PIECE_OF_CARD
from service.drawing import PICTURES
from service.drawing.cite_lumiere.board import GROUND, PRINT, ROOF, SPACE, draw_board
from service.drawing.svg import NIGHT, PAPER

GAME = GAMES["cite-lumiere"]
EDITION = GAME.editions.default
SVG = "{http://www.w3.org/2000/svg}"

STRIPES = ["oobbxxll"] * 8
"""Orange a and b, blue c and d, mixed e and f, lamps g and h."""
SHAPES = {
    "one": ["d4"],
    "square": ["c3", "c4", "d3", "d4"],
    "stairs": ["a1", "b1", "b2", "c2", "c3"],
    "cross": ["b3", "c2", "c3", "c4", "d3"],
    "ring": ["a1", "a2", "a3", "b1", "b3", "c1", "c2", "c3"],
    "corner to corner": ["g7", "h8"],
}


def state_with(*pieces: JsonObject, board: list[str] = STRIPES) -> JsonObject:
    """A dumped state with this board and these pieces."""
    start = GAME.rules.start(
        GAME.setup.parse({"first": "orange", "postcards": list(CARDS[:CARDS_IN_PLAY])}), GAME.seats, EDITION
    )
    return GAME.view.dump(start) | {"board": board, "pieces": list(pieces)}


def piece(name: str, *cells: str, owner: str = "orange", **more: str) -> JsonObject:
    """A piece as a state lists it."""
    return {"piece": name, "owner": owner, "cells": list(cells), **more}


def svg(state: JsonObject, last_move: JsonObject | None = None, title: str = "A board") -> str:
    """What is drawn."""
    return draw_board(state, last_move, edition=EDITION.document, title=title)


def picture(state: JsonObject, last_move: JsonObject | None = None, title: str = "A board") -> Element:
    """The root of what is drawn."""
    return ElementTree.fromstring(svg(state, last_move, title))  # noqa: S314 our own text


def drawn_pieces(root: Element) -> list[JsonObject]:
    """The pieces of a picture as a state lists them."""
    return [
        {"piece": group.attrib["data-piece"], "owner": group.attrib["data-owner"]}
        | {"cells": group.attrib["data-cells"].split()}
        | {key: group.attrib[f"data-{key}"] for key in ("joins", "facing") if f"data-{key}" in group.attrib}
        for group in root.iter(f"{SVG}g")
        if "data-piece" in group.attrib
    ]


def used(element: Element) -> list[str]:
    """The symbols that are used under an element, with their definitions left out."""
    return [use.attrib["href"].removeprefix("#cite-") for use in element.iter(f"{SVG}use")]


def board_of(root: Element) -> Element:
    """Everything that stands on the board."""
    (board,) = (group for group in root.findall(f"{SVG}g") if "transform" in group.attrib)
    return board


def symbols_on(root: Element, space: str) -> set[str]:
    """What the ground shows at a space."""
    x, y = SPACE * "abcdefgh".index(space[0]), SPACE * (int(space[1]) - 1)
    uses = (
        use for use in board_of(root).findall(f"{SVG}use") if use.attrib["x"] == f"{x}" and use.attrib["y"] == f"{y}"
    )
    return {use.attrib["href"].removeprefix("#cite-") for use in uses}


def marks(root: Element) -> list[Element]:
    """The outlines of the last move."""
    return [group for group in root.iter(f"{SVG}g") if "data-last-move" in group.attrib]


def area(path: str) -> float:
    """The spaces within a path whose bends have their control points at its corners."""
    twice = 0
    for loop in path.split("z"):
        corners = [(int(x), int(y)) for x, y in re.findall(r"Q(-?\d+) (-?\d+)", loop)]
        twice += sum(a * d - b * c for (a, b), (c, d) in pairwise([*corners, *corners[:1]]))
    return twice / 2 / SPACE**2


def random_match(seed: int) -> Iterator[tuple[JsonObject, JsonObject | None]]:
    """The states of a match with the moves before them; most moves put something on the board."""
    chance = random.Random(seed)
    setup = {"first": chance.choice(GAME.seats), "postcards": chance.sample(CARDS, CARDS_IN_PLAY)}
    state = GAME.rules.start(GAME.setup.parse(setup), GAME.seats, EDITION)
    yield GAME.view.dump(state), None
    while state.to_move is not None:
        moves = list(GAME.rules.legal_moves(state))
        by_weight: dict[int, list[object]] = {}
        for move in moves:
            by_weight.setdefault(len(GAME.move.dump(move)), []).append(move)
        move = chance.choice(by_weight[chance.choice(sorted(by_weight))])
        state = GAME.rules.apply(state, state.to_move, move)
        yield GAME.view.dump(state), GAME.move.dump(move)


SEEDS = range(6)


# Played by the first test that looks, not by every process that collects the tests.
@cache
def played(seed: int) -> list[tuple[JsonObject, JsonObject | None]]:
    """The states of a match with the moves before them."""
    return list(random_match(seed))


def frames() -> list[tuple[JsonObject, JsonObject | None]]:
    """The states of all matches."""
    return [frame for seed in SEEDS for frame in played(seed)]


def test_every_game_has_a_picture() -> None:
    assert set(PICTURES) == set(GAMES)
    assert PICTURES["cite-lumiere"] is draw_board


def test_the_matches_below_show_every_piece() -> None:
    shown = {piece["piece"] for state, _ in frames() for piece in state["pieces"]}
    assert shown >= {*PIECE_OF_CARD.values()}
    assert len(shown) > 16


@pytest.mark.parametrize("seed", SEEDS)
def test_every_state_of_a_match_is_drawn_whole(seed: int) -> None:
    for state, move in played(seed):
        root = picture(state, move)
        assert drawn_pieces(root) == state["pieces"]
        grounds = [symbol for symbol in used(board_of(root)) if symbol in "obxl"]
        assert grounds == [letter for row in state["board"] for letter in row if letter != "."]


def test_a_picture_stays_small() -> None:
    assert max(len(svg(state, move).encode()) for state, move in frames()) < 25_000


def test_the_same_state_gives_the_same_picture() -> None:
    state, move = frames()[-1]
    assert svg(state, move) == svg(deepcopy(state), deepcopy(move))


@pytest.mark.parametrize(("seed", "at"), [(0, 0), *((seed, -2) for seed in SEEDS)])
def test_nothing_in_a_picture_runs_or_is_loaded(seed: int, at: int) -> None:
    root = picture(*played(seed)[at])
    defined = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert len(set(defined)) == len(defined)
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in (
            *("svg", "title", "desc", "defs", "pattern", "radialGradient", "stop", "symbol", "use", "g"),
            *("path", "rect", "circle", "text"),
        )
        for name, value in element.attrib.items():
            assert name not in {"style", "class"} and not name.startswith("on")
            if name == "href" or "url" in value:
                reference = re.fullmatch(r"#(.+)|url\(#(.+)\)", value)
                assert reference and {*reference.groups()} & {*defined}


def test_every_definition_is_used() -> None:
    drawn = {svg(state, move) for state, move in frames()}
    for name in set(re.findall(r'id="(.*?)"', min(drawn))):
        assert any(f"#{name}" in text for text in drawn), name


@pytest.mark.parametrize("title", ["</title><script>alert(1)</script>", "A & B \"'<>", "]]>", "Zoë ☾ 日本 😀", ""])
def test_a_title_is_text(title: str) -> None:
    assert picture(state_with(), title=title).findtext(f"{SVG}title") == title


def test_what_no_xml_may_hold_is_replaced() -> None:
    title = "".join(map(chr, (0, 1, 8, 9, 11, 31, 0xD800, 0xFFFE, 0x41)))
    assert picture(state_with(), title=title).findtext(f"{SVG}title") == "���\t����A"


def test_a_picture_is_named_and_described() -> None:
    state = state_with(piece("I3", "a1", "a2", "a3"), piece("lamp", "c1", owner="blue"))
    root = picture(state, {"type": "build", "building": "I3", "cells": ["a1", "a2", "a3"]})
    assert root.attrib["role"] == "img"
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert root.findtext(f"{SVG}desc") == (
        "The board after ply 0. I3 of orange on a1 a2 a3. lamp of blue on c1. Last move: build on a1 a2 a3."
    )
    assert str(picture(state, {"type": "pass"}).findtext(f"{SVG}desc")).endswith("Last move: pass.")


def test_the_ground_shows_colour_texture_and_sign() -> None:
    root = picture(state_with(board=["obxl....", *["........"] * 7]))
    symbols = {symbol.attrib["id"]: ElementTree.tostring(symbol, "unicode") for symbol in root.iter(f"{SVG}symbol")}
    for letter, texture, signs in (
        ("o", {"hatch"}, {"sun"}),
        ("b", {"dots"}, {"moon"}),
        ("x", {"hatch", "dots"}, {"sun", "moon"}),
        ("l", set(), set()),
    ):
        assert symbols_on(root, f"{'abcd'['obxl'.index(letter)]}1") == {letter, f"print-{letter}"}
        assert set(re.findall(r"#cite-(hatch|dots)", symbols[f"cite-{letter}"])) == texture
        assert set(re.findall(r"#cite-(sun|moon)", symbols[f"cite-print-{letter}"])) == signs
    assert symbols_on(root, "e1") == symbols_on(root, "a2") == set()


def test_a_covered_space_shows_the_piece_alone() -> None:
    root = picture(state_with(piece("grand_lamp", "g1"), piece("I3", "a1", "b1", "c1"), piece("painter", "c5")))
    assert [symbols_on(root, space) for space in ("a1", "c1", "c5", "g1")] == [{"o"}, {"b"}, {"b"}, {"l"}]
    assert [symbols_on(root, space) for space in ("a2", "g2")] == [{"o", "print-o"}, {"l", "print-l"}]


@pytest.mark.parametrize("owner", GAME.seats)
@pytest.mark.parametrize("name", [*BUILDINGS, *sorted(PIECE_OF_CARD.values())])
def test_every_piece_has_a_drawing_and_its_owner_s_sign(name: str, owner: str) -> None:
    more = {"annex": {"joins": "I3"}, "statue": {"facing": "n"}}.get(name, {})
    root = picture(state_with(piece(name, "a1", owner=owner, **more)))
    (group,) = (group for group in root.iter(f"{SVG}g") if group.attrib.get("data-piece") == name)
    roofed = name in BUILDINGS or name == "garden"
    assert f"{'chimney' if roofed else 'badge'}-{owner}" in used(group)
    if name in BUILDINGS:
        assert group.findtext(f"{SVG}text") == name
    else:
        assert {"garden": "tree", "annex": "plus"}.get(name, name) in used(group)
    if name in BUILDINGS or name == "annex":
        assert f"url(#cite-roof-{owner})" in {path.attrib.get("fill") for path in group}
    symbols = {symbol.attrib["id"]: symbol for symbol in root.iter(f"{SVG}symbol")}
    assert {"orange": "sun", "blue": "moon"}[owner] in used(symbols[f"cite-badge-{owner}"])
    assert {"orange": "sun", "blue": "moon"}[owner] in used(symbols[f"cite-chimney-{owner}"])


@pytest.mark.parametrize(("facing", "angle"), [("n", 0), ("e", 90), ("s", 180), ("w", 270)])
def test_an_arrow_shows_where_the_statue_looks(facing: str, angle: int) -> None:
    root = picture(state_with(piece("statue", "b2", facing=facing)))
    assert f"translate(72 72) rotate({angle})" in {path.attrib.get("transform") for path in root.iter(f"{SVG}path")}


def wing(*pieces: JsonObject) -> tuple[dict[str, int], bool]:
    """Where the annex lies, and whether a line ties it to its building."""
    root = picture(state_with(*pieces))
    (group,) = (group for group in root.iter(f"{SVG}g") if group.attrib.get("data-piece") == "annex")
    rectangle = group.findall(f"{SVG}rect")[-1].attrib
    tied = any("stroke-dasharray" in path.attrib for path in group)
    return {side: int(rectangle[side]) for side in ("x", "y", "width", "height")}, tied


def test_an_annex_reaches_into_its_building() -> None:
    home = piece("I3", "b1", "b2", "b3")
    assert wing(home, piece("annex", "b4", joins="I3")) == ({"x": 55, "y": 140, "width": 34, "height": 45}, False)
    assert wing(home, piece("annex", "a2", joins="I3")) == ({"x": 7, "y": 55, "width": 45, "height": 34}, False)
    other = piece("L4", "c1", "c2", "c3", "d3", owner="orange")
    assert wing(home, other, piece("annex", "a2", joins="I3")) == wing(home, piece("annex", "a2", joins="I3"))


def test_an_annex_apart_from_its_building_is_tied_to_it() -> None:
    rectangle, tied = wing(piece("I3", "b1", "b2", "b3"), piece("annex", "f6", joins="I3"))
    assert tied
    assert rectangle["width"] == rectangle["height"] == 34


@pytest.mark.parametrize(
    ("move", "cells"),
    [
        ({"type": "pave", "tile": "O1", "at": "c5", "rotation": 90}, "c5 c6 d5 d6"),
        ({"type": "build", "building": "L4", "cells": ["c3", "d3", "d4", "d5"]}, "c3 d3 d4 d5"),
        ({"type": "postcard", "card": "lampadaire", "cell": "h8"}, "h8"),
        ({"type": "postcard", "card": "le_penseur", "cell": "b2", "facing": "n"}, "b2"),
        ({"type": "postcard", "card": "bouquinistes", "cell": "b2", "building": "U6"}, "b2"),
        ({"type": "postcard", "card": "fontaine_des_mers", "cells": ["a1", "a2"]}, "a1 a2"),
        (
            {"type": "postcard", "card": "levitation", "give": "L4", "take": "I3", "cells": ["a1", "b1", "c1"]},
            "a1 b1 c1",
        ),
    ],
)
def test_the_last_move_is_outlined_on_exactly_its_spaces(move: JsonObject, cells: str) -> None:
    root = picture(state_with(), move)
    (mark,) = marks(root)
    assert (mark.attrib["data-last-move"], mark.attrib["data-cells"]) == (move["type"], cells)
    for path in mark:
        assert area(path.attrib["d"]) == len(cells.split())
    corners = [(int(x), int(y)) for x, y in re.findall(r"Q(-?\d+) (-?\d+)", mark[0].attrib["d"])]
    columns, rows = ["abcdefgh".index(cell[0]) for cell in cells.split()], [int(cell[1]) - 1 for cell in cells.split()]
    assert (min(corners)[0], max(corners)[0]) == (SPACE * min(columns), SPACE * (max(columns) + 1))
    assert min(y for _, y in corners) == SPACE * min(rows) and max(y for _, y in corners) == SPACE * (max(rows) + 1)


@pytest.mark.parametrize(
    "move",
    [
        None,
        {"type": "pass"},
        {"type": "take", "building": "L4"},
        {"type": "postcard", "card": "sacre_coeur"},
        {"type": "postcard", "card": "levitation"},
    ],
)
def test_a_move_beside_the_board_outlines_nothing(move: JsonObject | None) -> None:
    assert marks(picture(state_with(), move)) == []


@pytest.mark.parametrize("cells", SHAPES.values(), ids=SHAPES)
def test_the_outline_of_any_shape_holds_its_spaces(cells: list[str]) -> None:
    (mark,) = marks(picture(state_with(), {"type": "build", "building": "I3", "cells": cells}))
    assert area(mark[0].attrib["d"]) == len(cells)


def test_the_coordinates_name_every_space() -> None:
    root = picture(state_with())
    labels = [str(text.text) for text in root.iter(f"{SVG}text")]
    assert {column + row for column in labels[:8] for row in labels[8:16]} == set(NAMES)


def linear(colour: str) -> tuple[float, ...]:
    """A colour as shares of light."""
    shares = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return tuple(share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)


def contrast(colour: str, other: str) -> float:
    """The contrast of WCAG."""
    weights = (0.2126, 0.7152, 0.0722)
    lights = sorted(sum(w * share for w, share in zip(weights, linear(it), strict=True)) for it in (colour, other))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


DICHROMACIES = {
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "tritanopia": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
"""What is left of linear light, after Machado, Oliveira and Fernandes (2009)."""


@pytest.mark.parametrize("seen", DICHROMACIES.values(), ids=DICHROMACIES)
def test_the_two_colours_differ_for_the_colour_blind(seen: tuple[tuple[float, ...], ...]) -> None:
    for pair in ((GROUND["o"], GROUND["b"]), (ROOF["orange"], ROOF["blue"])):
        one, other = (
            [max(0.0, sum(f * share for f, share in zip(row, linear(it), strict=True))) ** (1 / 2.2) for row in seen]
            for it in pair
        )
        assert max(abs(a - b) for a, b in zip(one, other, strict=True)) > 0.2


def test_names_and_signs_can_be_read() -> None:
    for roof in ROOF.values():
        assert contrast(roof, PAPER) >= 4.5
        assert min(contrast(roof, ground) for ground in GROUND.values()) >= 2
    for letter, ground in GROUND.items():
        assert contrast(PRINT[letter], ground) >= 3
        assert contrast(NIGHT, ground) >= 7
