"""The small picture of a board of Paris for lists: who owns which spaces of the six districts, in about two kilobytes.

Without ids, so that many can stand on one page. Each seat has a shape besides its colour, as in its keys.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from domain.game import JsonObject, Seat
from service.drawing.paris.layout import CARDS, VALUES
from service.drawing.paris.signs import DISTRICTS, SEATS, STONE
from service.drawing.svg import INK, LAMP, NIGHT, PAPER, mixed

WIDTH, HEIGHT = 136, 136
CARD: Final = (62, 38)
PLACES: Final = {
    district: (4 + 66 * column, 4 + 45 * row)
    for district, (column, row) in zip(CARDS, ((0, 0), (1, 0), (1, 1), (0, 1), (0, 2), (1, 2)), strict=True)
}
"""The corner of each district: in two columns, about in the order in which they lie round the Arc."""
SHAPES: Final = {
    "red": "m0-4l4 4-4 4-4-4z",
    "blue": "m-3.6 0a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0-7.2 0z",
    "green": "m0-4l4 7h-8z",
    "yellow": "m-3.3-3.3h6.6v6.6h-6.6z",
}
"""Around a point."""


def draw_small(state: JsonObject, last_move: JsonObject | None) -> str:
    """Draw the districts with their owners, and a frame of light where the last move was."""
    keys: dict[Seat, list[str]] = {seat: [] for seat in SEATS}
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" fill="none">',
            f'<path d="M0 0h{WIDTH}v{HEIGHT}H0z" fill="{NIGHT}"/>',
            *(part for district in CARDS for part in _draw_district(district, state, keys)),
            *_draw_last_move(last_move),
            *(
                f'<path d="{"".join(places)}" fill="{SEATS[seat]}" stroke="{INK}" stroke-width=".8"/>'
                for seat, places in keys.items()
                if places
            ),
            "</svg>",
        )
    )


def _draw_district(district: str, state: JsonObject, keys: dict[Seat, list[str]]) -> Iterator[str]:
    """The card of a district: the bank and the six spaces, the landmarks below."""
    (x, y), (width, height), colour = PLACES[district], CARD, DISTRICTS[district]
    yield f'<path d="M{x} {y}h{width}v{height}h-{width}z" fill="{mixed(colour, PAPER, 72)}"/>'
    yield f'<path d="M{x} {y}h{width}v5h-{width}z" fill="{colour}"/>'
    free: list[str] = []
    unknown: list[str] = []
    for value in VALUES:
        column, line = _space(district, value)
        building = state["buildings"].get(f"{district}-{value}")
        (unknown if building is None else free).append(f"M{column - 4.5:g} {line - 4.5:g}h9v9h-9z")
        _put(building["keys"] if building else (), column, line, keys)
    if unknown:
        yield f'<path d="{"".join(unknown)}" stroke="{mixed(colour, PAPER, 45)}" stroke-dasharray="1.5 1.5"/>'
    if free:
        yield f'<path d="{"".join(free)}" fill="{PAPER}" stroke="{colour}" stroke-width=".7"/>'
    _put(state["banks"][district], x + 55, y + 12, keys)
    landmarks = [tile for tile in state["landmarks"]["placed"].values() if tile["district"] == district]
    for at, tile in enumerate(landmarks):
        top = y + 25 + 9 * at
        yield f'<path d="M{x + 50} {top + 5}v-7l5-3 5 3v7z" fill="{STONE}" stroke="{INK}" stroke-width=".6"/>'
        _put(tile["keys"], x + 55, top, keys)


def _draw_last_move(move: JsonObject | None) -> Iterator[str]:
    if move is None:
        return
    names = [move[key] for key in ("at", "to", "tile") if isinstance(move.get(key), str)]
    for name in names:
        district, _, value = name.rpartition("-")
        if district in CARDS and value.isdigit() and int(value) in VALUES:
            x, y = _space(district, int(value))
            yield f'<path d="M{x - 5.5:g} {y - 5.5:g}h11v11h-11z" stroke="{LAMP}" stroke-width="2"/>'
            return


def _space(district: str, value: int) -> tuple[float, float]:
    """The middle of a space: three in a row."""
    x, y = PLACES[district]
    row, column = divmod(VALUES.index(value), 3)
    return x + 9 + 15.5 * column, y + 14 + 15 * row


def _put(owners: Sequence[Seat], x: float, y: float, keys: dict[Seat, list[str]]) -> None:
    """Note the keys that stand at a point, side by side."""
    for at, owner in enumerate(owners):
        shift = 3.2 * (at - (len(owners) - 1) / 2)
        keys[owner].append(f"M{x + shift:g} {y:g}{SHAPES[owner]}")
