"""The picture that other programs show of a link to a match: its board beside names and points, as PNG."""

import io
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from domain.game import Seat
from service.drawing import PreviewRow
from service.drawing.raster import rasterize
from service.drawing.svg import INK, LAMP, NIGHT, PAPER, house_paints, mixed, page_file

WIDTH, HEIGHT = 1200, 630
"""The size that the Open Graph protocol's readers show without cutting."""
MARGIN: Final = 30
BOARD: Final = HEIGHT - 2 * MARGIN
ROW_GAP: Final = 14
MAX_ROW: Final = 128
HEAD, FOOT = 34, 28
"""The size of the letters above and below the rows."""
CARD: Final = mixed(NIGHT, PAPER, 12)
QUIET: Final = mixed(NIGHT, PAPER, 66)
FONT: Final = Path(__file__).parent / "fonts" / "carnet-sans-bold.ttf"
NOT_DRAWN: Final = re.compile("[^ -~\u00a0-\u024f\u0370-\u03ff\u0400-\u045f\u2010-\u2026\u2212]")
"""Characters that the font does not have."""
SIGN: Final = re.compile(r'<symbol id="(\w+)".*?</symbol>', re.DOTALL)


def draw_preview(game: str, board: str | None, rows: Sequence[PreviewRow], *, head: str, foot: str) -> bytes:
    """Draw a small board, if there is one, and lines above and below the seats; `game` is the folder of the game."""
    image = Image.new("RGB", (WIDTH, HEIGHT), NIGHT)
    left = MARGIN
    if board is not None:
        drawn = rasterize(board, BOARD)
        image.paste(drawn, (MARGIN, MARGIN + (BOARD - drawn.height) // 2), drawn)
        left += BOARD + MARGIN
    draw, right = ImageDraw.Draw(image), WIDTH - MARGIN
    _write(draw, head, (left, MARGIN), right - left, HEAD, QUIET)
    _write(draw, foot, (left, HEIGHT - MARGIN - FOOT), right - left, FOOT, QUIET)
    space = HEIGHT - 2 * MARGIN - HEAD - FOOT - 2 * ROW_GAP
    height = min(MAX_ROW, (space + ROW_GAP) // len(rows) - ROW_GAP)
    top = MARGIN + HEAD + ROW_GAP + (space - len(rows) * (height + ROW_GAP) + ROW_GAP) // 2
    for row in rows:
        _draw_row(image, game, row, (left, top, right, top + height))
        top += height + ROW_GAP
    file = io.BytesIO()
    image.quantize(128, Image.Quantize.FASTOCTREE).save(file, "PNG", optimize=True)
    return file.getvalue()


def _draw_row(image: Image.Image, game: str, row: PreviewRow, box: tuple[int, int, int, int]) -> None:
    left, top, right, bottom = box
    draw, height = ImageDraw.Draw(image), bottom - top
    ink = INK if row.is_winner else PAPER
    draw.rounded_rectangle(box, 14, fill=LAMP if row.is_winner else CARD)
    sign = _sign(game, row.seat, height // 2, ink)
    image.paste(sign, (left + 20, top + (height - sign.height) // 2), sign)
    points = "" if row.points is None else str(row.points).replace("-", "\N{MINUS SIGN}")
    size = height * 3 // 7
    across = _font(size).getlength(points)
    draw.text((right - 24, top + height // 2), points, fill=ink, font=_font(size), anchor="rm")
    name_left = left + sign.width + 40
    name_size = height * 2 // 7
    name_top = top + (height - name_size) // 2
    _write(draw, row.name, (name_left, name_top), right - 44 - across - name_left, name_size, ink)


def _write(
    draw: ImageDraw.ImageDraw, text: str, corner: tuple[float, float], width: float, size: int, fill: str
) -> None:
    """Write a line, cut where it does not fit."""
    font = _font(size)
    shown = NOT_DRAWN.sub("", text).strip()
    if font.getlength(shown) > width:
        while shown and font.getlength(f"{shown}…") > width:
            shown = shown[:-1].rstrip()
        shown += "…"
    draw.text((corner[0], corner[1] + size / 2), shown, fill=fill, font=font, anchor="lm")


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONT, size, layout_engine=ImageFont.Layout.BASIC)


@cache
def _sign(game: str, seat: Seat, size: int, ink: str) -> Image.Image:
    """The sign of a seat, as pages show it."""
    symbols = {symbol[1]: symbol[0] for symbol in SIGN.finditer(page_file(game, "signs.svg"))}
    paints = {f"var(--{name})": paint for name, paint in house_paints().items()}
    return rasterize(symbols[seat], size, paints={**paints, "currentColor": ink})
