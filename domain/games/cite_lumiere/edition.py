"""Editions of La Cité de la Lumière: the printed values of a box, validated, with the tables computed from them."""

from collections.abc import Mapping
from dataclasses import dataclass

from domain import editions
from domain.editions import read_sheet
from domain.forms import Form
from domain.games.cite_lumiere import parts
from domain.games.cite_lumiere.board import NAMES, SQUARES, Outline, flood, outline, shifted
from domain.games.cite_lumiere.moves import Build, Pave

Face = tuple[int, int, int, int]
"""The spaces of a tile by layer, with its square at a1."""

_CLOCKWISE = (1, 1 << 1, 1 << 9, 1 << 8)
"""The spaces of the square at a1, from the top left one."""


@dataclass(frozen=True, slots=True, eq=False)
class Edition(editions.Edition):
    """The values of one box, and tables that are computed from them once."""

    chimneys: int
    action_tokens: int
    first_game_set: tuple[str, ...]
    faces: Mapping[tuple[str, int], Face]
    """By tile and rotation."""
    paves: Mapping[str, Mapping[int, tuple[Pave, ...]]]
    """Every way to place a tile, by tile and square."""
    outlines: Mapping[str, Outline]
    """Of the buildings, the garden among them, and of the fountain."""
    builds: Mapping[str, Mapping[int, Build]]
    """Every way to build a building, by building and spaces."""
    grand_lamp_reach: tuple[int, ...]
    """The spaces that the large lamp may light, by the index of its own."""


def load_edition(json: object) -> Edition:
    header, values = read_sheet(json, "cite-lumiere")
    form = Form(values)
    chimneys = form.integer("chimneys", range(1, len(parts.BUILDINGS) + 2))
    action_tokens = form.integer("action_tokens", range(1, parts.CARDS_IN_PLAY // 2 + 1))
    first_game_set = form.words("first_game_set", parts.CARDS, parts.CARDS_IN_PLAY, parts.CARDS_IN_PLAY)
    printed = form.form("faces")
    letters = {number: _read_face(printed, number) for number in "12345678"}
    printed.close()
    drawn = form.form("buildings")
    shapes = {building: _read_shape(drawn, building) for building in parts.BUILDINGS}
    drawn.close()
    flip = form.boolean("flip_buildings")
    fountain_cells = form.integer("fountain_cells", range(1, 5))
    offsets = _read_offsets(form)
    form.finish()
    outlines = {building: outline(shapes[building], flip) for building in parts.BUILDINGS}
    outlines[parts.GARDEN] = outline(("##",), flip=False)
    outlines["fountain"] = outline(("#" * fountain_cells,), flip=False)
    return Edition(
        **header,
        chimneys=chimneys,
        action_tokens=action_tokens,
        first_game_set=first_game_set,
        faces={
            (tile, rotation): _face(tile, letters[tile[1]], rotation)
            for tile in parts.TILES
            for rotation in parts.ROTATIONS
        },
        paves={
            tile: {square: tuple(Pave(tile, square, rotation) for rotation in parts.ROTATIONS) for square in SQUARES}
            for tile in parts.TILES
        },
        outlines=outlines,
        builds={
            building: {cells: Build(building, cells) for cells in outlines[building].placements}
            for building in parts.BUILDINGS
        },
        grand_lamp_reach=tuple(
            sum(shifted(1 << space, columns, rows) for columns, rows in offsets) for space in range(len(NAMES))
        ),
    )


def _read_face(form: Form, number: str) -> str:
    """A face is four letters of `srxl`, clockwise from the top left space."""
    face = form.text(number, 4)
    if face and not (len(face) == 4 and set(face) <= set("srxl")):
        form.note(number, "must be four of the letters s, r, x, l")
    return face.ljust(4, "s")


def _read_shape(form: Form, building: str) -> tuple[str, ...]:
    """A shape is rows of `#` and `.` without an empty margin, as many `#` as the building's id says, in one piece."""
    rows = tuple(entry.json for entry in form.list(building, 1, 6))
    if not rows:
        return ("#",)
    lines = tuple(row for row in rows if isinstance(row, str) and 1 <= len(row) <= 6 and set(row) <= {"#", "."})
    whole = len(lines) == len(rows) and len({len(line) for line in lines}) == 1
    if not whole or not _is_building(lines, int(building[1])):
        form.note(building, f"must be rows of # and . that draw one piece of {building[1]} spaces without a margin")
        return ("#",)
    return lines


def _is_building(lines: tuple[str, ...], size: int) -> bool:
    drawn = sum(
        1 << row * 8 + column for row, line in enumerate(lines) for column, mark in enumerate(line) if mark == "#"
    )
    tight = all("#" in line for line in lines) and all("#" in column for column in zip(*lines, strict=True))
    return tight and drawn.bit_count() == size and flood(drawn & -drawn, drawn) == drawn


def _read_offsets(form: Form) -> tuple[tuple[int, int], ...]:
    """The spaces around the large lamp: columns to the right, rows down."""
    offsets: dict[tuple[int, int], None] = {}
    for entry in form.list("grand_lamp_spaces", 0, 15 * 15 - 1):
        match entry.json:
            case [int(columns), int(rows)] if {type(columns), type(rows)} == {int} and (columns, rows) != (0, 0):
                if max(abs(columns), abs(rows)) > 7:
                    entry.note("lies beyond any board")
                if (columns, rows) in offsets:
                    entry.note("is named twice")
                offsets[columns, rows] = None
            case _:
                entry.note("must be [columns, rows] and not the lamp's own space")
    return tuple(offsets)


def _face(tile: str, letters: str, rotation: int) -> Face:
    own, rival = (0, 1) if tile in parts.TILES_OF[0] else (1, 0)
    layer_of = {"s": own, "r": rival, "x": parts.MIXED, "l": parts.LAMPS}
    face = [0, 0, 0, 0]
    for position, space in enumerate(_CLOCKWISE):
        face[layer_of[letters[(position - rotation // 90) % 4]]] |= space
    return face[0], face[1], face[2], face[3]
