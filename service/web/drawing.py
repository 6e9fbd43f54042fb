"""What the pictures of all games share: the colours of the house, and text that an XML document may hold."""

import re
from typing import Final
from xml.sax.saxutils import escape

NIGHT, PAPER, INK, LAMP = "#16213a", "#faf6ee", "#1c2230", "#f5c451"

NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML document may hold, not even escaped."""


def mixed(colour: str, other: str, percent: int) -> str:
    """A colour with so many percent of another one in it."""
    pairs = ((int(colour[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{(first * (100 - percent) + second * percent) // 100:02x}" for first, second in pairs)


def plain(text: str) -> str:
    """Any text as the content of an XML element, or of an attribute in double quotes."""
    return escape(NOT_XML.sub(chr(0xFFFD), text), {'"': "&quot;"})
