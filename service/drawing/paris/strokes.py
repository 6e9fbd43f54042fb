"""The few ways in which the picture of Paris puts things down: words, symbols, blocks, rows of symbols and words."""

from collections.abc import Iterable, Sequence
from typing import Any

from domain.game import Seat
from service.drawing.paris.layout import Box, spread
from service.drawing.paris.signs import SYMBOLS
from service.drawing.svg import INK, NIGHT, PAPER, plain

KEY_WIDTH, KEY_HEIGHT = 24, 37


def write(
    text: Any, x: float, y: float, size: float = 13, *, fill: str = INK, bold: bool = False, anchor: str = "middle"
) -> str:
    """Some words on a base line."""
    weight = ' font-weight="700"' if bold else ""
    where = "" if anchor == "middle" else f' text-anchor="{anchor}"'
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{fill}"{weight}{where}>{plain(str(text))}</text>'


def put(symbol: str, x: float, y: float, width: float = 24, height: float | None = None) -> str:
    """A symbol around a point."""
    height = width if height is None else height
    corner = f'x="{x - width / 2:g}" y="{y - height / 2:g}"'
    return f'<use href="#paris-{symbol}" {corner} width="{width:g}" height="{height:g}"/>'


def block(box: Box, fill: str, radius: float = 6, stroke: str = "", dash: str = "") -> str:
    """A rectangle with rounded corners."""
    border = f' stroke="{stroke}" stroke-width="1.5"' if stroke else ""
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    place = f'x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{box.height:g}"'
    return f'<rect {place} rx="{radius:g}" fill="{fill}"{border}{dashes}/>'


def outline(box: Box, colour: str, width: float, dash: str = "") -> str:
    """A frame around something."""
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    place = f'x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{box.height:g}"'
    return f'<rect {place} rx="8" fill="none" stroke="{colour}" stroke-width="{width:g}"{dashes}/>'


def group(drawing: Iterable[str], **data: object) -> str:
    """A drawing with what it stands for as data attributes."""
    attributes = "".join(f' data-{name.replace("_", "-")}="{plain(str(value))}"' for name, value in data.items())
    return f"<g{attributes}>{''.join(drawing)}</g>"


def keys(seats: Sequence[Seat], box: Box) -> str:
    """Keys standing in a box: side by side, in two rows if it is high enough, else overlapping."""
    rows = [seats]
    if len(seats) > 2 and box.height >= 2 * KEY_HEIGHT - 6:
        rows = [seats[: (len(seats) + 1) // 2], seats[(len(seats) + 1) // 2 :]]
    drawn = []
    for at, row in enumerate(rows):
        offsets = list(spread(len(row), box.width, KEY_WIDTH, 1))
        left = box.x + (box.width - offsets[-1]) / 2 if row else 0
        middle = box.y + box.height * (2 * at + 1) / (2 * len(rows))
        # Heads that would hide each other stand at two heights.
        crowded = len(row) > 1 and offsets[1] < KEY_WIDTH
        drawn += [
            put(f"key-{seat}", left + offset, middle + (6 * (-1) ** number if crowded else 0), KEY_WIDTH, KEY_HEIGHT)
            for number, (seat, offset) in enumerate(zip(row, offsets, strict=True))
        ]
    return "".join(drawn)


def row(parts: Sequence[str], x: float, y: float, room: float, size: float = 15, fill: str = INK) -> str:
    """Symbols, by their name, and words side by side around a point, made smaller if there is too little room."""
    widths = [1.12 if part in SYMBOLS else 0.62 * len(part) + 0.08 for part in parts]
    size = min(size, room / max(sum(widths), 0.1))
    left = x - size * sum(widths) / 2
    drawn = []
    for part, width in zip(parts, widths, strict=True):
        middle = left + size * width / 2
        if part in SYMBOLS:
            drawn.append(put(part, round(middle, 1), y, round(size * 1.08, 1)))
        else:
            drawn.append(write(part, round(middle, 1), round(y + size * 0.36, 1), round(size, 1), fill=fill, bold=True))
        left += size * width
    return "".join(drawn)


def label(text: str, x: float, y: float, *, lit: bool = False) -> tuple[str, float]:
    """A word in a rounded frame, and where it ends."""
    width = 7.4 * len(text) + 20
    fill, ink = (PAPER, NIGHT) if lit else ("none", PAPER)
    frame = block(Box(x, y - 17, width, 25), fill, 12, PAPER)
    return frame + write(text, x + width / 2, y, 14, fill=ink), x + width + 8
