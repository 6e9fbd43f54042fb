"""What each seat has, in the picture of Paris: one panel per seat below the city."""

from collections.abc import Iterator, Mapping
from typing import Any

from domain.game import JsonObject, Seat
from service.drawing.paris.effects import effect
from service.drawing.paris.layout import KINDS, Box, hand
from service.drawing.paris.signs import LETTERING, OWNED, SEATS
from service.drawing.paris.strokes import block, group, outline, put, write
from service.drawing.paris.supply import draw_tile
from service.drawing.svg import INK, PAPER, mixed

SOFT = mixed(INK, PAPER, 30)
"""What is written small on paper."""


def draw_hands(state: JsonObject, sheet: Mapping[str, Any]) -> Iterator[str]:
    """The panels, in the order of turns."""
    for seat in state["seats"]:
        panel = hand(seat, state)
        drawing = [
            block(panel, PAPER, 10),
            *_draw_heading(seat, state, panel),
            *_draw_score(seat, state, panel),
            *_draw_goods(state["seats"][seat], panel),
            *_draw_tiles(state["seats"][seat], panel, sheet, len(state["seats"])),
            *_draw_used(seat, state),
        ]
        yield group(drawing, hand=seat, to_move=str(seat == state["to_move"]).lower())


def _draw_heading(seat: Seat, state: JsonObject, panel: Box) -> Iterator[str]:
    """The seat, in its full colour and framed by it as long as it is to move."""
    moves = seat == state["to_move"]
    yield block(Box(panel.x, panel.y, panel.width, 40), SEATS[seat] if moves else OWNED[seat], 10)
    if moves:
        yield outline(panel, SEATS[seat], 5)
        yield f'<circle cx="{panel.x + 22:g}" cy="{panel.y + 20:g}" r="18" fill="{PAPER}"/>'
    yield put(f"badge-{seat}", panel.x + 22, panel.y + 20, 30)
    name = seat.title() + (" ◂ to move" if moves else "")
    ink = LETTERING[seat] if moves else INK
    yield write(name, panel.x + 46, panel.y + 27, 20, fill=ink, bold=True, anchor="start")


def _draw_score(seat: Seat, state: JsonObject, panel: Box) -> Iterator[str]:
    """The points, and where they come from."""
    score, right = state["score"][seat], panel.x + panel.width
    plate = block(Box(right - 86, panel.y + 4, 82, 32), PAPER, 8)
    total = write(score["total"], right - 36, panel.y + 30, 27, bold=True, anchor="end")
    yield group([plate, total, put("point", right - 20, panel.y + 20, 25)], total=score["total"])
    districts = sum(score["districts"].values())
    text = f"{score['points']} now, {districts} by districts"
    yield write(
        text + (f", {score['francs_tile']} by francs" if score["francs_tile"] else ""),
        *(right - 10, panel.y + 55, 12.5),
        fill=SOFT,
        anchor="end",
    )


def _draw_goods(owned: JsonObject, panel: Box) -> Iterator[str]:
    """Francs, keys and tokens."""
    y = panel.y + 79
    yield _counted("coin", owned["francs"], panel.x + 24, y - 6, 27, 21, "francs")
    yield _counted("key", owned["keys"], panel.x + 108, y - 6, 24, 19, "keys")
    yield group(
        [write(f"+{owned['reserve']}", panel.x + 150, y, 14, fill=SOFT, anchor="start")], reserve=owned["reserve"]
    )
    counts = {**owned["resources"], **owned["prestige"]}
    step = min(52, (panel.width - 14) / len(KINDS))
    for at, kind in enumerate(KINDS):
        amount = counts[kind]
        drawing = _counted(kind, amount, panel.x + 24 + step * at, y + 26, 26, 17, kind)
        yield drawing if amount else f'<g opacity=".4">{drawing}</g>'


def _counted(symbol: str, amount: int, x: float, y: float, size: float, letters: float, name: str) -> str:
    drawing = [
        put(symbol, x, y, size),
        write(amount, x + size / 2 + 3, y + letters * 0.36, letters, bold=True, anchor="start"),
    ]
    return group(drawing, **{name: amount})


def _draw_tiles(owned: JsonObject, panel: Box, sheet: Mapping[str, Any], players: int) -> Iterator[str]:
    """The tiles that are still to be used: two rows, or more in a row if there are many."""
    halved = {str(tile) for tile in owned["half_used"]}
    tiles = [(str(number), sheet["bonus"][str(number)]) for number in owned["bonus"]]
    tiles += [(name, sheet["end_tiles"][name]) for name in owned["end_tiles"]]
    room = panel.width - 16
    columns = max(int(room // 76), (len(tiles) + 1) // 2)
    for at, (name, printed) in enumerate(tiles):
        box = Box(panel.x + 8 + room / columns * (at % columns), panel.y + 122 + 40 * (at // columns), 0, 37)
        box = box._replace(width=room / columns - 4)
        note = "½" if name in halved else ""
        yield group(draw_tile(name, effect(printed, players), box, fill="#f3ead2", note=note, size=14), tile=name)


def _draw_used(seat: Seat, state: JsonObject) -> Iterator[str]:
    used = state["seats"][seat]["used_bonus"]
    if used:
        panel, text = hand(seat, state), f"used: {' '.join(map(str, used))}"
        size = min(13, (panel.width - 20) / (0.56 * len(text)))
        drawing = [write(text, panel.x + 10, panel.y + 214, round(size, 1), fill=SOFT, anchor="start")]
        yield group(drawing, used=" ".join(map(str, used)))
