"""What bonus and end tiles do, in signs: short rows of symbols and figures, read from the edition."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from service.drawing.svg import page_file

_FILE = json.loads(page_file("paris", "effects.json"))
SIGNS: Mapping[str, str] = _FILE["signs"]
"""By member of a tile; `{}` is its figure. Pages read the same file."""
RULES: Mapping[str, str] = _FILE["rules"]


def bare(document: Any) -> Any:
    """The values of an edition without their sources."""
    if not isinstance(document, Mapping):
        return document
    return document["value"] if "value" in document else {name: bare(member) for name, member in document.items()}


def effect(tile: Mapping[str, Any], players: int) -> list[str]:
    """What a tile gives, in a match of so many players."""
    return [part for name, value in tile.items() for part in _signs(name, value, str(players))]


def _signs(name: str, value: Any, players: str) -> Iterator[str]:
    if name == "stands_for":
        yield from value
    elif name == "rule":
        yield from RULES[value].split()
    elif name == "kinds":
        yield from (f"{min(value.values())}–{max(value.values())}", "point", "/", "building")
    elif isinstance(value, Mapping):
        yield from SIGNS[name].format(value.get(players), **value).split()
    else:
        yield from SIGNS[name].format(value).split()
