"""Where everything lies in the picture of Paris, in units of its view box."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from domain.game import JsonObject, Seat


class Box(NamedTuple):
    """A rectangle by its top left corner and its size."""

    x: float
    y: float
    width: float
    height: float

    def inside(self, left: float, top: float, right: float, bottom: float) -> "Box":
        """What is left of it between these margins."""
        return Box(self.x + left, self.y + top, self.width - left - right, self.height - top - bottom)


WIDTH: Final = 1400
HEIGHT: Final = 1216
MARGIN: Final = 20

CARD: Final = (440, 256)
"""The size of a district."""
CARDS: Final = {
    "batignolles": Box(20, 170, *CARD),
    "montmartre": Box(480, 72, *CARD),
    "la_villette": Box(940, 170, *CARD),
    "chaillot": Box(20, 450, *CARD),
    "saint_germain": Box(480, 548, *CARD),
    "belleville": Box(940, 450, *CARD),
}
"""The districts round the Arc, about where they lie in the city."""
ARC: Final = Box(590, 338, 220, 200)
STAR: Final = (700, 438)
"""The middle of the square on which the Arc stands."""

STACKS, LANDMARKS = Box(20, 72, 440, 88), Box(940, 72, 440, 88)
END_TILES, SCORING_TILES = Box(20, 716, 440, 88), Box(940, 716, 440, 88)
"""What is beside the board lies in the four corners that the hexagon leaves."""

VALUES: Final = (1, 2, 3, 4, 5, 8)
KINDS: Final = ("wood", "marble", "gold", "bronze", "silver", "gilt")
SPACES: Final = 30
IN_A_ROW: Final = 15
"""Spaces of the bonus track in one of its two rows."""

COLUMN: Final = 61
LANDMARK: Final = (50, 80)


def spread(count: int, room: float, size: float, gap: float = 4) -> Iterator[float]:
    """How far from the left each of so many things lies: side by side if there is room, else overlapping."""
    step = min(size + gap, (room - size) / max(count - 1, 1))
    yield from (step * at for at in range(count))


def bank(district: str) -> Box:
    """The bank of a district, to the left of its buildings."""
    card = CARDS[district]
    return Box(card.x + 8, card.y + 40, 57, 118)


def space(name: str) -> Box:
    """The place of a building, with room for its token above."""
    district, _, value = name.rpartition("-")
    card = CARDS[district]
    return Box(card.x + 8 + COLUMN * (1 + VALUES.index(int(value))), card.y + 40, 57, 118)


def ribbon(district: str) -> Box:
    """Where the scoring tile of a district hangs."""
    card = CARDS[district]
    return Box(card.x + card.width - 112, card.y + 4, 104, 26)


def landmark(value: str, state: JsonObject) -> Box:
    """Where a landmark lies, in a district or beside the board."""
    available, placed = state["landmarks"]["available"], state["landmarks"]["placed"]
    if value in placed:
        district = placed[value]["district"]
        row = sorted((other for other in placed if placed[other]["district"] == district), key=int)
        card = CARDS[district]
        left, top = card.x + 8, card.y + 167
    else:
        row = [str(other) for other in available]
        left, top = LANDMARKS.x + 6, LANDMARKS.y + 4
    offset = list(spread(len(row), 428, LANDMARK[0]))[row.index(value)]
    return Box(left + offset, top, *LANDMARK)


def track_space(number: int) -> Box:
    """A space of the bonus track."""
    row, column = divmod(number - 1, IN_A_ROW)
    return Box(72 + 87 * column, 818 + 74 * row, 84, 70)


def track_start() -> Box:
    """Where the pawns stand before space 1."""
    return Box(MARGIN, 818, 46, 70)


def stack(number: int) -> Box:
    """One of the three stacks of building tiles, counted from 1."""
    return Box(STACKS.x + 7 + 46 * (number - 1), STACKS.y + 20, 44, 62)


def market(kind: str) -> Box:
    """The column of one kind of token in the market."""
    return Box(STACKS.x + 202 + 39 * KINDS.index(kind), STACKS.y + 4, 37, 80)


def hand(seat: Seat, state: JsonObject) -> Box:
    """The panel of a seat."""
    seats = list(state["seats"])
    width = (WIDTH - 2 * MARGIN - 16 * (len(seats) - 1)) / len(seats)
    return Box(MARGIN + (width + 16) * seats.index(seat), 978, width, 222)
