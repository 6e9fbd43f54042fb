"""The signs of Paris: colours, and the symbols for tokens, buildings and seats that a picture defines once.

The symbols lie in a file that pages load too. Each seat has a shape and a letter besides its hue; it is the head of its
keys and of its pawn.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from service.drawing.svg import INK, NIGHT, PAPER, mixed

SEATS: Final = {"red": "#b3402e", "blue": "#2c6db6", "green": "#57b884", "yellow": "#f2c53d"}
LETTERING: Final = {"red": PAPER, "blue": PAPER, "green": INK, "yellow": INK}
"""What is written on the colour of a seat."""
OWNED: Final = {seat: mixed(colour, PAPER, 62) for seat, colour in SEATS.items()}
"""The ground of a tile that belongs to one seat."""

DISTRICTS: Final = {
    "batignolles": "#6b4a7d",
    "montmartre": "#8a5226",
    "la_villette": "#2b686e",
    "chaillot": "#3d5688",
    "saint_germain": "#566528",
    "belleville": "#8f3d57",
}
ZONES: Final = {"A": "#e9dfc6", "B": "#dde3d3", "C": "#d6dfe9"}
STONE: Final = "#d9cfba"
RIBBON: Final = "#f3e3ad"
SLATE: Final = mixed(NIGHT, PAPER, 14)
FAINT: Final = mixed(NIGHT, PAPER, 62)
"""What is written small on the night."""

_FILE = (Path(__file__).parents[2] / "web" / "games" / "paris" / "static" / "signs.svg").read_text()

SYMBOLS: Mapping[str, str] = {
    symbol["name"]: symbol[0] for symbol in re.finditer(r'<symbol id="paris-(?P<name>[a-z-]+)".*?</symbol>', _FILE)
}
"""By name; every seat has a badge, a key and a pawn. Most are drawn in a square of 24 around 0 0."""
