"""The small picture of a board of La Cité de la Lumière for lists: colours, buildings and lamps, in about a kilobyte.

Without ids, so that many can stand on one page. Orange is hatched and blue is dotted, as on the large picture.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from domain.game import JsonObject
from service.drawing.cite_lumiere.board import GRAND_LAMP, GROUND, LAWN, OWN, PAINTS, ROOF, SMALL, UNPAVED
from service.drawing.svg import INK, LAMP, NIGHT, PAPER, mixed

LAMP_GROUND: Final = "l"
LETTERS: Final = {**GROUND, LAMP_GROUND: NIGHT}
PAVING: Final = "pave"


def draw_small(state: JsonObject, last_move: JsonObject | None) -> str:
    """Draw the board, with what the last move placed in a frame of light."""
    covered = {cell for piece in state["pieces"] for cell in piece["cells"]}
    return "".join(
        (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-.2 -.2 8.4 8.4" fill="none" stroke-linecap="round" '
            'stroke-linejoin="round">',
            f'<path d="M-.2-.2h8.4v8.4h-8.4z" fill="{NIGHT}"/><path d="M0 0h8v8H0z" fill="{PAPER}"/>',
            *_draw_ground(state["board"], covered),
            f'<path d="M2 0v8M4 0v8M6 0v8M0 2h8M0 4h8M0 6h8" stroke="{NIGHT}" stroke-width=".06"/>',
            *_draw_last_move(last_move),
            *_draw_pieces(state["pieces"]),
            "</svg>",
        )
    )


def _draw_ground(board: Sequence[str], covered: set[str]) -> Iterator[str]:
    """The paved spaces, those of one colour as one path, and the lamps that nothing covers."""
    spaces: dict[str, list[tuple[int, int]]] = {}
    for row, letters in enumerate(board):
        for column, letter in enumerate(letters):
            if letter != UNPAVED:
                spaces.setdefault(letter, []).append((column, row))
    for letter, cells in sorted(spaces.items()):
        yield f'<path d="{"".join(f"M{x} {y}h1v1h-1z" for x, y in cells)}" fill="{LETTERS[letter]}"/>'
    if "x" in spaces:
        halves = "".join(f"M{x} {y + 1}l1-1" for x, y in spaces["x"])
        yield f'<path d="{halves}" stroke="{PAINTS["texture-x"]}" stroke-width=".08"/>'
    printed = spaces.get(LAMP_GROUND, ())
    lamps = [f"M{x + 0.5} {y + 0.5}h0" for x, y in printed if f"{'abcdefgh'[x]}{y + 1}" not in covered]
    if lamps:
        yield f'<path d="{"".join(lamps)}" stroke="{LAMP}" stroke-width=".42"/>'


def _draw_pieces(pieces: Sequence[JsonObject]) -> Iterator[str]:
    """The buildings of each seat as strokes through the middles of their spaces, then the small pieces."""
    for seat in OWN:
        own = [piece for piece in pieces if piece["owner"] == seat and piece["piece"] not in SMALL]
        if own:
            d = "".join(_pipe(piece["cells"]) for piece in own)
            cells = [_middle(cell) for piece in own for cell in piece["cells"]]
            yield f'<path d="{d}" stroke="{NIGHT}" stroke-width=".9"/>'
            yield f'<path d="{d}" stroke="{ROOF[seat]}" stroke-width=".78"/>'
            texture = "M{:g} {:g}l.4-.4" if seat == "orange" else "M{:g} {:g}h0"
            shift = 0.2 if seat == "orange" else 0.0
            marks = "".join(texture.format(x - shift, y + shift) for x, y in cells)
            yield f'<path d="{marks}" stroke="{mixed(OWN[seat], PAPER, 45)}" stroke-width=".14"/>'
    gardens = "".join(_pipe(piece["cells"]) for piece in pieces if piece["piece"] == "garden")
    if gardens:
        yield f'<path d="{gardens}" stroke="{LAWN}" stroke-width=".6"/>'
    for piece in pieces:
        if piece["piece"] in SMALL:
            fill = LAMP if "lamp" in piece["piece"] else PAPER
            size = 0.62 if piece["piece"] == GRAND_LAMP else 0.46
            d = _pipe(piece["cells"])
            yield f'<path d="{d}" stroke="{OWN[piece["owner"]]}" stroke-width="{size + 0.2:g}"/>'
            yield f'<path d="{d}" stroke="{fill}" stroke-width="{size:g}"/>'


def _draw_last_move(move: JsonObject | None) -> Iterator[str]:
    if move is None:
        return
    if move["type"] == PAVING:
        x, y = _middle(move["at"])
        yield f'<path d="M{x - 0.5:g} {y - 0.5:g}h2v2h-2z" stroke="{INK}" stroke-width=".3"/>'
        yield f'<path d="M{x - 0.5:g} {y - 0.5:g}h2v2h-2z" stroke="{LAMP}" stroke-width=".18"/>'
    elif cells := move.get("cells") or [move[key] for key in ("cell",) if key in move]:
        yield f'<path d="{_pipe(cells)}" stroke="{LAMP}" stroke-width="1.15"/>'


def _pipe(cells: Sequence[str]) -> str:
    """Lines between the middles of neighbouring spaces; drawn thick they cover the shape."""
    middles = [_middle(cell) for cell in cells]
    known = set(middles)
    parts = []
    for x, y in middles:
        right, below = (x + 1, y) in known, (x, y + 1) in known
        parts.append(f"M{x:g} {y:g}" + ("h1" if right else ""))
        if below:
            parts.append(f"M{x:g} {y:g}v1")
        if right and below and (x + 1, y + 1) in known:
            parts.append(f"M{x:g} {y:g}l1 1")
        if not right and not below:
            parts.append("h0")
    return "".join(parts)


def _middle(name: str) -> tuple[float, float]:
    return "abcdefgh".index(name[0]) + 0.5, int(name[1]) - 0.5
