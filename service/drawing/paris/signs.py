"""The signs of Paris: colours, and the symbols for tokens, buildings and seats that a picture defines once.

The symbols lie in a file that pages load too. Each seat has a shape and a letter besides its hue; it is the head of its
keys and of its pawn.
"""

import re
from collections.abc import Mapping
from typing import Final

from service.drawing.svg import INK, NIGHT, PAPER, mixed, page_file, paints

_FILE: Final = page_file("paris", "signs.svg")
_PAINTS: Final = paints("paris", "paris")

SEATS: Final = dict(re.findall(r'id="paris-badge-([a-z]+)".*?fill="(#[0-9a-f]{6})"', _FILE))
LETTERING: Final = {"red": PAPER, "blue": PAPER, "green": INK, "yellow": INK}
"""What is written on the colour of a seat."""
OWNED: Final = {seat: _PAINTS[f"own-{seat}"] for seat in SEATS}
"""The ground of a tile that belongs to one seat."""

DISTRICTS: Final = {
    name: _PAINTS[name]
    for name in ("batignolles", "montmartre", "la_villette", "chaillot", "saint_germain", "belleville")
}
ZONES: Final = {zone: _PAINTS[f"zone-{zone.lower()}"] for zone in "ABC"}
STONE: Final = _PAINTS["stone"]
RIBBON: Final = _PAINTS["ribbon"]
SLATE: Final = mixed(NIGHT, PAPER, 14)
FAINT: Final = mixed(NIGHT, PAPER, 62)
"""What is written small on the night."""

SYMBOLS: Mapping[str, str] = {
    symbol["name"]: symbol[0] for symbol in re.finditer(r'<symbol id="paris-(?P<name>[a-z-]+)".*?</symbol>', _FILE)
}
"""By name; every seat has a badge, a key and a pawn. Most are drawn in a square of 24 around 0 0."""
