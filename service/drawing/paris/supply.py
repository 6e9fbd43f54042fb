"""What lies beside the city in the picture of Paris: stacks, market, landmarks, end tiles, scoring tiles, the track."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from domain.game import JsonObject
from service.drawing.paris.city import draw_landmark, points_of
from service.drawing.paris.effects import effect
from service.drawing.paris.layout import (
    END_TILES,
    KINDS,
    LANDMARKS,
    SCORING_TILES,
    SPACES,
    STACKS,
    Box,
    market,
    spread,
    stack,
    track_space,
    track_start,
)
from service.drawing.paris.signs import FAINT, RIBBON, SLATE, STONE, ZONES
from service.drawing.paris.strokes import block, group, put, row, write
from service.drawing.svg import INK, NIGHT, PAPER, mixed

BACK: Final = mixed(STONE, NIGHT, 30)
"""The back of a tile."""


def draw_supply(state: JsonObject, sheet: Mapping[str, Any]) -> Iterator[str]:
    """The four corners around the city."""
    for corner in (STACKS, LANDMARKS, END_TILES, SCORING_TILES):
        yield block(corner, SLATE, 8)
    yield from _draw_stacks(state)
    yield from _draw_market(state, sheet["prices"])
    yield from (draw_landmark(str(value), state, sheet) for value in state["landmarks"]["available"])
    yield from _draw_end_tiles(state, sheet)
    yield from _draw_scoring_tiles(state["scoring_tiles"]["available"], sheet)


def draw_tile(
    number: str, parts: list[str], box: Box, *, fill: str = PAPER, note: str = "", size: float = 17
) -> Iterator[str]:
    """A bonus or end tile: its name and what it does."""
    size = min(size, (box.width - 7) / (0.65 * len(number)))
    yield block(box, fill, 4, INK)
    yield write(number, box.x + 5, box.y + box.height * 0.42, size, bold=True, anchor="start")
    if note:
        yield write(note, box.x + 9 + 0.62 * size * len(number), box.y + box.height * 0.42, 12, anchor="start")
    yield row(parts, box.x + box.width / 2, box.y + box.height * 0.73, box.width - 6, 15)


def draw_track(state: JsonObject, sheet: Mapping[str, Any]) -> Iterator[str]:
    """The bonus track with the tiles that are left and the pawns."""
    start = track_start()
    yield block(start.inside(0, 20, 0, 0), SLATE, 6)
    yield _pawns(0, Box(start.x, start.y + 26, start.width, 38), state)
    for number in range(1, SPACES + 1):
        box, tiles = track_space(number), state["track"][str(number)]
        card = box.inside(0, 22, 2, 2)
        zone = next(zone for zone, (first, last) in sheet["zones"].items() if first <= number <= last)
        drawing = [write(f"{number} {zone}", box.x + 3, box.y + 16, 12, fill=FAINT, anchor="start")]
        if tiles:
            fill, copies = ZONES[zone], f"×{len(tiles)}" if len(tiles) > 1 else ""
            if copies:
                drawing.append(block(Box(card.x + 3, card.y - 3, card.width, card.height), fill, 4, INK))
            parts = effect(sheet["bonus"][str(tiles[-1])], len(state["seats"]))
            drawing += draw_tile(str(tiles[-1]), parts, card, fill=fill, note=copies)
        else:
            drawing.append(block(card, "none", 4, mixed(NIGHT, PAPER, 35), "4 4"))
        drawing.append(_pawns(number, Box(box.x + 30, box.y - 2, box.width - 32, 38), state))
        yield group(drawing, place=f"track:{number}", tiles=" ".join(map(str, tiles)))


def _pawns(number: int, box: Box, state: JsonObject) -> str:
    seats = [seat for seat, owned in state["seats"].items() if owned["track"] == number]
    offsets = spread(len(seats), box.width, 24, -2)
    # On the track they stand to the right, where the number of the tile is not in their way.
    pawns = (
        put(f"pawn-{seat}", box.x + box.width - 12 - offset, box.y + 18, 25, 36)
        for seat, offset in zip(reversed(seats), offsets, strict=True)
    )
    return group(pawns, pawns=" ".join(seats)) if seats else ""


def _title(text: str, corner: Box) -> str:
    return write(text, corner.x + 8, corner.y + 16, 13, fill=PAPER, anchor="start")


def _draw_stacks(state: JsonObject) -> Iterator[str]:
    gone = state["discarded"]
    yield _title("Buildings to come" + (f", {len(gone)} out" if gone else ""), STACKS)
    for number, left in enumerate(state["stacks"], 1):
        box = stack(number)
        top = Box(box.x, box.y + 7, 38, 54)
        drawing = [block(top, "none", 4, FAINT, "4 4")]
        if left:
            # Three edges at most show that a stack has a height.
            edges = range(min(left, 4) - 1, -1, -1)
            drawing = [block(Box(top.x + 2 * at, top.y - 2 * at, 38, 54), BACK, 4, INK) for at in edges]
            drawing.append(write(left, top.x + 19, top.y + 35, 22, bold=True))
        yield group(drawing, place=f"stack:{number}", left=left)


def _draw_market(state: JsonObject, prices: Mapping[str, Any]) -> Iterator[str]:
    left = market(KINDS[0]).x - 6
    for text, y in (("in stock", 45), ("buy", 62), ("sell", 79)):
        yield write(text, left, STACKS.y + y, 12, fill=FAINT, anchor="end")
    for kind in KINDS:
        box = market(kind)
        middle = box.x + box.width / 2
        drawing = [put(kind, middle, box.y + 13, 25)]
        if kind in state["market"]:
            stock = state["market"][kind]
            plate = block(Box(middle - 13, box.y + 27, 26, 18), RIBBON, 9) if stock else ""
            drawing += [plate, write(stock, middle, box.y + 41, 15, fill=INK if stock else FAINT, bold=True)]
            drawing.append(write(prices["buy"][kind], middle, box.y + 58, 13, fill=PAPER))
        drawing.append(write(prices["sell"][kind], middle, box.y + 75, 13, fill=PAPER))
        yield group(drawing, place=f"market:{kind}", stock=state["market"].get(kind, 0))


def _draw_end_tiles(state: JsonObject, sheet: Mapping[str, Any]) -> Iterator[str]:
    tiles = state["end_tiles"]
    yield _title(f"End tiles, {len(tiles)} left", END_TILES)
    offsets = spread(len(tiles), END_TILES.width - 16, 33, 2)
    for name, offset in zip(tiles, offsets, strict=True):
        box = Box(END_TILES.x + 8 + offset, END_TILES.y + 24, 33, 56)
        drawing = [
            block(box, "#e5d9ef", 4, INK),
            write(name, box.x + 16.5, box.y + 16, 11),
            row(effect(sheet["end_tiles"][name], len(state["seats"])), box.x + 16.5, box.y + 37, 30, 20),
        ]
        yield group(drawing, end_tile=name)


def _draw_scoring_tiles(tiles: Sequence[str], sheet: Mapping[str, Any]) -> Iterator[str]:
    yield _title("Scoring tiles", SCORING_TILES)
    for name, offset in zip(tiles, spread(len(tiles), SCORING_TILES.width - 16, 62, 10), strict=True):
        x, y = SCORING_TILES.x + 8 + offset, SCORING_TILES.y + 22
        first, *others = points_of(name, sheet)
        drawing = [
            f'<path d="M{x:g} {y:g}h62v58l-31-8-31 8z" fill="{RIBBON}" stroke="{INK}"/>',
            write(first, x + 31, y + 22, 20, bold=True),
            write(" · ".join(map(str, others)), x + 31, y + 39, 13),
        ]
        yield group(drawing, scoring_tile=name)
