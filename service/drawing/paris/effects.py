"""What bonus and end tiles do, in signs: short rows of symbols and figures, read from the edition."""

from collections.abc import Iterator, Mapping
from typing import Any

SIGNS: Mapping[str, str] = {
    "francs": "{} coin",
    "points": "{} point",
    "per_building": "{points} point / {value} building",
    "per_landmark": "{} point / landmark",
    "per_unused_bonus": "{} point / tile",
    "per_prestige_pair": "{} point / prestige prestige",
    "per_resource_pair": "{} point / resource resource",
    "per_franc_at_end": "{} point / coin",
    "key_price": "{} coin → key",
    "most": "←{} pawn tile",
}
"""By member of a tile; `{}` is its figure."""
RULES: Mapping[str, str] = {
    "second_key_on_own": "building ×2 key",
    "share_with_rival": "building pawn pawn",
    "take_any_bonus": "1–30 tile",
    "step_back": "",
}


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
