"""Shared parts of the pictures of all games: the colours of the house, and text that XML can contain."""

import re
from functools import cache
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

NIGHT, PAPER, INK, LAMP = "#16213a", "#faf6ee", "#1c2230", "#f5c451"

NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot contain, not even escaped."""


_WEB: Final = Path(__file__).parents[1] / "web"


def page_file(game: str, name: str) -> str:
    """A file that the pages of a game load, and pictures read too, so that both draw alike."""
    return (_WEB / "games" / game / "static" / name).read_text("utf-8")


@cache
def paints(game: str, prefix: str) -> dict[str, str]:
    """The colours of a game by their names, as its style sheet declares them for the light theme."""
    return dict(re.findall(rf"--{prefix}-([\w-]+):\s*(?:light-dark\()?(#[0-9a-f]{{6}})", page_file(game, "game.css")))


@cache
def house_paints() -> dict[str, str]:
    """The colours of all pages by their names, for the light theme."""
    sheet = (_WEB / "static" / "css" / "base" / "tokens.css").read_text("utf-8")
    return dict(re.findall(r"--([\w-]+):\s*light-dark\((#[0-9a-f]{6})", sheet))


def mixed(colour: str, other: str, percent: int) -> str:
    """A colour mixed with a percentage of another one."""
    pairs = ((int(colour[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{(first * (100 - percent) + second * percent) // 100:02x}" for first, second in pairs)


def plain(text: str) -> str:
    """Escape a text for the content of an XML element, or for an attribute in double quotes."""
    return escape(NOT_XML.sub(chr(0xFFFD), text), {'"': "&quot;"})
