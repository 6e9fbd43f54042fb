"""The districts of Paris for a terminal."""

from collections.abc import Iterator, Mapping
from typing import Final

from click import style

from domain.game import JsonObject

_SEATS: Final = {"red": 160, "blue": 33, "green": 34, "yellow": 220}
_TYPES: Final = {"cafe": "ca", "bakery": "ba", "residence": "re", "restaurant": "rt", "hotel": "ho", "theatre": "th"}
_TOKENS: Final = {"wood": "w", "marble": "m", "gold": "g", "bronze": "B", "silver": "S", "gilt": "G"}
_VALUES: Final = (1, 2, 3, 4, 5, 8)


def draw_text(state: JsonObject) -> Iterator[str]:
    """The lines of the districts, with the bank of each, and the seats below."""
    yield f"  {'':<15}" + "".join(f"{value:^9}" for value in _VALUES) + " bank"
    for district, bank in state["banks"].items():
        spaces = "".join(_space(state, f"{district}-{value}") for value in _VALUES)
        yield f"  {district:<15}{spaces} {_keys(bank)}"
    placed = state["landmarks"]["placed"]
    marks = [f"{number} {place['district']} {_keys(place['keys'])}".strip() for number, place in placed.items()]
    yield f"  landmarks      {', '.join(marks) or '–'}"
    yield f"  arc            {_keys(state['arc']) or '–'}"
    yield ""
    for seat, side in state["seats"].items():
        held = _counts({**side["resources"], **side["prestige"]})
        total = state["score"][seat]["total"]
        name = style(f"{seat:<8}", fg=_SEATS[seat], bold=True)
        yield f"  {name}{total:>4}   {side['francs']} francs, keys {side['keys']}, track {side['track']}{held}"


def _space(state: JsonObject, space: str) -> str:
    token = _TOKENS.get(state["tokens"].get(space, ""), " ")
    building = state["buildings"].get(space)
    if building is None:
        return f"  {style('·', fg=240)}   {token}  "
    keys = _keys(building["keys"])
    return f" {_TYPES[building['type']]} {keys}{' ' * (2 - min(2, len(building['keys'])))} {token}  "


def _keys(seats: list[str]) -> str:
    return "".join(style("●", fg=_SEATS[seat]) for seat in seats)


def _counts(tokens: Mapping[str, int]) -> str:
    return "".join(f", {kind} {count}" for kind, count in tokens.items() if count)
