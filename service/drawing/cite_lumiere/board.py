"""The picture of a board of La Cité de la Lumière: one standalone SVG, drawn from a dumped state and move.

Each colour has a sign and a texture besides its hue: orange a sun and hatching, blue a moon and dots.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, TypeAlias

from domain.game import JsonObject, Seat
from service.drawing.svg import INK, LAMP, NIGHT, PAPER, mixed, page_file, paints, plain

Point: TypeAlias = tuple[int, int]
"""A space as column and row from 0, a corner between spaces, or a step."""

SPACE: Final = 48
MARGIN: Final = 24
"""Left and above, where the coordinates stand."""
EDGE: Final = 10
"""Right and below."""
BOARD: Final = 8 * SPACE
SIZE: Final = MARGIN + BOARD + EDGE

PAINTS: Final = paints("cite_lumiere", "cite")

OWN: Final = {seat: PAINTS[f"chimney-{seat}"] for seat in ("orange", "blue")}
ROOF: Final = {seat: PAINTS[f"roof-{seat}"] for seat in OWN}
"""Dark enough for a name in the colour of paper, and distinct from every ground."""
GROUND: Final = {letter: PAINTS[f"ground-{letter}"] for letter in "obx"}
"""By printed letter, like the next one."""
PRINT: Final = {letter: PAINTS[f"print-{letter}"] for letter in "obx"}
UNPAVED: Final = "."
LAWN, LEAVES = PAINTS["lawn"], PAINTS["leaves"]

GARDEN: Final = "garden"
ANNEX: Final = "annex"
GRAND_LAMP: Final = "grand_lamp"
SMALL: Final = ("dancer", "fountain", GRAND_LAMP, "lamp", "painter", "statue")
"""The pieces drawn as a symbol of their name; all others but the garden are roofs."""

SIDES: Final = {
    (0, -1): ((0, 0), (1, 0)),
    (1, 0): ((1, 0), (0, 1)),
    (0, 1): ((1, 1), (-1, 0)),
    (-1, 0): ((0, 1), (0, -1)),
}
"""By the step to a neighbour: the corner at which the border to it begins, and the step along it."""
QUARTERS: Final = {"n": 0, "e": 90, "s": 180, "w": 270}


def _use(name: str, x: int, y: int, size: int = SPACE, fill: str = "") -> str:
    """A symbol around a point."""
    paint = f' fill="{fill}" stroke="{fill}"' if fill else ""
    corner = f'x="{x - size / 2:g}" y="{y - size / 2:g}"'
    return f'<use href="#cite-{name}" {corner} width="{size}" height="{size}"{paint}/>'


ON_CARDS: Final = frozenset({"annex", "church", "exchange", "garden", "metro", "table"})
"""The symbols that only postcards show."""
DEFINITIONS: Final = "\n".join(
    (
        "<defs>",
        *(
            re.sub(r"var\(--cite-([\w-]+)\)", lambda paint: PAINTS[paint[1]], symbol[0])
            for symbol in re.finditer(r'<\w+ id="cite-(?P<name>[\w-]+)".*', page_file("cite_lumiere", "symbols.svg"))
            if symbol["name"] not in ON_CARDS
        ),
        "</defs>",
    )
)

FRAME: Final = "".join(
    (
        f'<rect width="{SIZE}" height="{SIZE}" rx="10" fill="{NIGHT}"/>',
        f'<g fill="{mixed(PAPER, NIGHT, 35)}" font-family="system-ui, sans-serif" font-size="12" text-anchor="middle">',
        *(f'<text x="{MARGIN + SPACE * at + 24}" y="16">{"abcdefgh"[at]}</text>' for at in range(8)),
        *(f'<text x="12" y="{MARGIN + SPACE * at + 28}">{at + 1}</text>' for at in range(8)),
        "</g>",
    )
)
LINES: Final = "".join(
    (
        f'<path d="{"".join(f"M{SPACE * at} 0V{BOARD}M0 {SPACE * at}H{BOARD}" for at in (1, 3, 5, 7))}" '
        f'stroke="{INK}" stroke-opacity=".22"/>',
        f'<path d="{"".join(f"M{SPACE * at} 0V{BOARD}M0 {SPACE * at}H{BOARD}" for at in (0, 2, 4, 6, 8))}" '
        f'stroke="{NIGHT}" stroke-width="3" stroke-linecap="square"/>',
    )
)


def draw_board(state: JsonObject, last_move: JsonObject | None, *, edition: Mapping[str, Any], title: str) -> str:
    """Draw the board, with the spaces of the last move outlined; everything printed is in the state."""
    spaces_of = {piece["piece"]: piece["cells"] for piece in state["pieces"]}
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" role="img">',
            f"<title>{plain(title)}</title>",
            f'<desc lang="en">{_description(state, last_move)}</desc>',
            DEFINITIONS,
            FRAME,
            f'<g transform="translate({MARGIN} {MARGIN})">',
            f'<rect width="{BOARD}" height="{BOARD}" fill="{PAPER}"/>',
            *_draw_ground(state["board"], {cell for cells in spaces_of.values() for cell in cells}),
            LINES,
            *(_draw_piece(piece, spaces_of.get(piece.get("joins"), ())) for piece in state["pieces"]),
            *_draw_last_move(last_move),
            "</g>",
            "</svg>",
        )
    )


def _description(state: JsonObject, last_move: JsonObject | None) -> str:
    pieces = (f"{piece['piece']} of {piece['owner']} on {' '.join(piece['cells'])}" for piece in state["pieces"])
    sentences = [f"The board after ply {state['ply']}", *pieces]
    if last_move is not None:
        cells = _touched(last_move)
        sentences.append(f"Last move: {last_move['type']}" + (f" on {' '.join(cells)}" if cells else ""))
    return ". ".join(sentences) + "."


def _draw_ground(board: Sequence[str], covered: set[str]) -> Iterator[str]:
    for row, letters in enumerate(board):
        for column, letter in enumerate(letters):
            if letter != UNPAVED:
                x, y = _middle((column, row))
                yield _use(letter, x, y)
                if _name((column, row)) not in covered:
                    yield _use(f"print-{letter}", x, y)


def _draw_piece(piece: JsonObject, home: Sequence[str]) -> str:
    name, seat = piece["piece"], piece["owner"]
    cells = [_point(cell) for cell in piece["cells"]]
    if name == GARDEN:
        drawing = _draw_garden(cells, seat)
    elif name == ANNEX:
        drawing = _draw_annex(cells[0], [_point(cell) for cell in home], seat)
    elif name in SMALL:
        drawing = _draw_small(name, cells, seat, piece.get("facing"))
    else:
        drawing = _draw_building(name, cells, seat)
    more = "".join(f' data-{key}="{piece[key]}"' for key in ("joins", "facing") if key in piece)
    return f'<g data-piece="{name}" data-owner="{seat}" data-cells="{" ".join(piece["cells"])}"{more}>{drawing}</g>'


def _draw_building(name: str, cells: Sequence[Point], seat: Seat) -> str:
    """A roof, its name where most of it meets, its chimney at an end."""
    neighbours = {cell: sum(abs(cell[0] - x) + abs(cell[1] - y) == 1 for x, y in cells) for cell in cells}
    x, y = _middle(max(cells, key=lambda cell: neighbours[cell]))
    chimney = _middle(min(reversed(cells), key=lambda cell: neighbours[cell]))
    return (
        _block(f'path d="{_outline(cells, 3, 8)}"', f"url(#cite-roof-{seat})")
        + f'<text x="{x}" y="{y + 6}" fill="{PAPER}" font-family="system-ui, sans-serif" font-size="18" '
        + f'font-weight="700" text-anchor="middle">{name}</text>'
        + _use(f"chimney-{seat}", *chimney, 32)
    )


def _draw_garden(cells: Sequence[Point], seat: Seat) -> str:
    middle = _between(cells)
    # Trees give way to the chimney between them.
    trees = (
        _use("tree", x + (x - middle[0]) // 4, y + (y - middle[1]) // 4, 36, LEAVES) for x, y in map(_middle, cells)
    )
    return _block(f'path d="{_outline(cells, 3, 14)}"', LAWN) + "".join(trees) + _use(f"chimney-{seat}", *middle, 28)


def _draw_annex(cell: Point, home: Sequence[Point], seat: Seat) -> str:
    """A wing that reaches over the border of its space into the building, or is tied to one that it does not touch."""
    x, y = _middle(cell)
    touched = [(column - cell[0], row - cell[1]) for column, row in home]
    left, top, right, bottom = (28 if step in touched else 17 for step in ((-1, 0), (0, -1), (1, 0), (0, 1)))
    wing = f'rect x="{x - left}" y="{y - top}" width="{left + right}" height="{top + bottom}" rx="5"'
    tie = ""
    if home and max(left, top, right, bottom) == 17:
        far = _middle(min(home, key=lambda other: abs(other[0] - cell[0]) + abs(other[1] - cell[1])))
        end = [goal + max(-17, min(17, here - goal)) for here, goal in zip((x, y), far, strict=True)]
        tie = f'<path d="M{x} {y}L{end[0]} {end[1]}" stroke="{ROOF[seat]}" stroke-width="5" stroke-dasharray="7 4"/>'
    marks = _use("plus", x - 4, y - 4) + _use(f"badge-{seat}", x + 10, y + 10, 21)
    return tie + _block(wing, f"url(#cite-roof-{seat})") + marks


def _draw_small(name: str, cells: Sequence[Point], seat: Seat, facing: str | None) -> str:
    """A symbol on a plate with the owner's badge; the large lamp shines on its printed one instead."""
    x, y = _between(cells)
    plate = "" if name == GRAND_LAMP else _block(f'path d="{_outline(cells, 4, 18)}"', PAPER, OWN[seat])
    arrow = ""
    if facing is not None:
        arrow = (
            f'<path d="M0-29L8-17H-8z" transform="translate({x} {y}) rotate({QUARTERS[facing]})" fill="{INK}" '
            f'stroke="{PAPER}" stroke-width="1.5" stroke-linejoin="round"/>'
        )
    last = _middle(cells[-1])
    symbol = _use(name, x - 2, y - 2) if len(cells) == 1 else _use(name, x, y, 60)
    return plate + symbol + _use(f"badge-{seat}", last[0] + 12, last[1] + 12, 20) + arrow


def _draw_last_move(move: JsonObject | None) -> Iterator[str]:
    cells = [] if move is None else _touched(move)
    if move is not None and cells:
        d = _outline([_point(cell) for cell in cells], 0, 6)
        yield (
            f'<g data-last-move="{move["type"]}" data-cells="{" ".join(cells)}" fill="none" stroke-linejoin="round">'
            f'<path d="{d}" stroke="{NIGHT}" stroke-width="7"/><path d="{d}" stroke="{LAMP}" stroke-width="4"/></g>'
        )


def _touched(move: JsonObject) -> list[str]:
    """The spaces that a move has changed."""
    if move["type"] == "pave":
        column, row = _point(move["at"])
        return [_name((column + across, row + down)) for across in (0, 1) for down in (0, 1)]
    return move.get("cells") or [move[key] for key in ("cell",) if key in move]


def _block(form: str, fill: str, stroke: str = NIGHT) -> str:
    """A solid form with a shadow."""
    return (
        f'<{form} transform="translate(1 3)" fill="{NIGHT}" fill-opacity=".45"/>'
        f'<{form} fill="{fill}" stroke="{stroke}" stroke-width="2"/>'
    )


def _outline(cells: Sequence[Point], inset: int, radius: int) -> str:
    """The border of a set of spaces as a path, inset and with rounded corners."""
    loops = []
    for loop in _borders(cells):
        bends = []
        for (_, (back, up)), ((column, row), (across, down)) in pairwise((loop[-1], *loop)):
            if (back, up) != (across, down):
                x, y = SPACE * column - inset * (up + down), SPACE * row + inset * (back + across)
                before, after = (x - radius * back, y - radius * up), (x + radius * across, y + radius * down)
                bends.append(f"{before[0]} {before[1]}Q{x} {y} {after[0]} {after[1]}")
        loops.append(f"M{'L'.join(bends)}z")
    return "".join(loops)


def _borders(cells: Sequence[Point]) -> Iterator[list[tuple[Point, Point]]]:
    """The closed lines around a set of spaces: each corner with the step to the next, the spaces on the right hand."""
    edges = {
        ((column + across, row + down), step)
        for column, row in cells
        for (beside, below), ((across, down), step) in SIDES.items()
        if (column + beside, row + below) not in cells
    }
    while edges:
        (column, row), step = min(edges)
        loop = []
        while ((column, row), step) in edges:
            edges.remove(((column, row), step))
            loop.append(((column, row), step))
            across, down = step
            column, row = column + across, row + down
            # Where two spaces meet at a corner only, a turn to the right keeps to the one along which the line came.
            turns = [(-down, across), step, (down, -across)]
            step = next((turn for turn in turns if ((column, row), turn) in edges), step)
        yield loop


def _between(cells: Sequence[Point]) -> Point:
    """The middle of a row of spaces."""
    (left, top), (right, bottom) = _middle(cells[0]), _middle(cells[-1])
    return (left + right) // 2, (top + bottom) // 2


def _middle(cell: Point) -> Point:
    return SPACE * cell[0] + SPACE // 2, SPACE * cell[1] + SPACE // 2


def _point(name: str) -> Point:
    return "abcdefgh".index(name[0]), int(name[1]) - 1


def _name(cell: Point) -> str:
    return f"{'abcdefgh'[cell[0]]}{cell[1] + 1}"
