"""The city in the picture of Paris: the Arc, and round it the six districts with all that stands in them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import cos, pi, sin
from typing import Any, Final

from domain.game import JsonObject, Seat
from service.drawing.paris.layout import (
    ARC,
    CARDS,
    KINDS,
    STAR,
    VALUES,
    Box,
    bank,
    landmark,
    ribbon,
    space,
    spread,
)
from service.drawing.paris.signs import DISTRICTS, OWNED, RIBBON, SLATE, STONE
from service.drawing.paris.strokes import block, group, keys, put, row, write
from service.drawing.svg import INK, NIGHT, PAPER, mixed

AVENUES: Final = 12
NAMES: Final = {name: name.replace("_", "-" if name == "saint_germain" else " ").title() for name in CARDS}
FREE_TILE: Final = "#fffdf8"


def draw_city(state: JsonObject, sheet: Mapping[str, Any]) -> Iterator[str]:
    """The Arc and the districts."""
    yield _draw_star()
    yield group([put("arc", STAR[0], STAR[1] - 22, 180, 168), _arc_keys(state)], place="arc")
    for district in CARDS:
        yield _draw_district(district, state, sheet)


def draw_landmark(value: str, state: JsonObject, sheet: Mapping[str, Any]) -> str:
    """A landmark: what it asks for, what it gives, and who has it."""
    box, printed = landmark(value, state), sheet["landmarks"][value]
    owners = state["landmarks"]["placed"].get(value, {}).get("keys", [])
    cost = [kind for kind in KINDS for _ in range(printed["extra"].get(kind, 0))]
    gains = [part for kind, points in printed["prestige"].items() for part in (kind, str(points))]
    drawing = [
        block(box, _ground(owners, mixed(STONE, PAPER, 45)), 5, INK),
        write(value, box.x + 16, box.y + 20, 19, bold=True),
        put("landmark", box.x + 38, box.y + 14, 23),
        row(cost, box.x + 25, box.y + 36, 46, 15),
        keys(owners, Box(box.x + 2, box.y + 43, 46, 37)) if owners else row(gains, box.x + 25, box.y + 62, 45, 18),
    ]
    return group(drawing, place=f"landmark-{value}", keys=" ".join(owners))


def points_of(tile: str, sheet: Mapping[str, Any]) -> Sequence[int]:
    """What a scoring tile gives to the first, second and third."""
    points: Sequence[int] = sheet["scoring_tiles"][tile]
    return points


def _draw_star() -> str:
    """The avenues that run towards the Arc, and the round square on which it stands."""
    x, y = STAR
    ends = ((cos(2 * pi * at / AVENUES), sin(2 * pi * at / AVENUES)) for at in range(AVENUES))
    rays = "".join(f"M{x} {y}L{x + 680 * across:.0f} {y + 300 * down:.0f}" for across, down in ends)
    return (
        f'<path d="{rays}" stroke="{SLATE}" stroke-width="15" stroke-linecap="round"/>'
        f'<circle cx="{x}" cy="{y}" r="107" fill="{SLATE}"/>'
        f'<circle cx="{x}" cy="{y}" r="100" fill="none" stroke="{mixed(NIGHT, PAPER, 30)}" stroke-width="2"/>'
    )


def _arc_keys(state: JsonObject) -> str:
    plinth = Box(STAR[0] - 60, ARC.y + 158, 120, 40)
    standing = [block(plinth, mixed(STONE, NIGHT, 12), 8), keys(state["arc"], plinth)] if state["arc"] else []
    return group(standing, keys=" ".join(state["arc"]))


def _draw_district(district: str, state: JsonObject, sheet: Mapping[str, Any]) -> str:
    card, colour = CARDS[district], DISTRICTS[district]
    head = f'<path d="M{card.x} {card.y + 34}v-24q0-10 10-10h{card.width - 20}q10 0 10 10v24z" fill="{colour}"/>'
    drawing = [
        block(card, mixed(colour, PAPER, 84), 10, colour),
        head,
        write(NAMES[district], card.x + 12, card.y + 23, 16, fill=PAPER, bold=True, anchor="start"),
        *_draw_sums(district, state),
        _draw_bank(district, state["banks"][district], sheet),
        *(_draw_space(f"{district}-{value}", state, sheet) for value in VALUES),
    ]
    landmarks, scoring = state["landmarks"]["placed"], state["scoring_tiles"]["placed"]
    drawing.append(_draw_park(card, mixed(colour, PAPER, 50)))
    drawing += [draw_landmark(value, state, sheet) for value in landmarks if landmarks[value]["district"] == district]
    if district in scoring:
        drawing.append(_draw_ribbon(scoring[district], district, sheet))
    return group(drawing, district=district)


def _draw_ribbon(tile: str, district: str, sheet: Mapping[str, Any]) -> str:
    """The scoring tile of a district, across its heading."""
    x, y, width, height = ribbon(district)
    fold = f"{height / 2:g}"
    drawing = [
        f'<path d="M{x:g} {y:g}h{width:g}l-7 {fold} 7 {fold}h-{width:g}l7-{fold}z" fill="{RIBBON}" stroke="{INK}"/>',
        write(" · ".join(map(str, points_of(tile, sheet))), x + width / 2, y + 18.5, 15, bold=True),
    ]
    return group(drawing, place=f"scoring:{district}", scoring_tile=tile)


def _draw_park(card: Box, colour: str) -> str:
    """The room for landmarks."""
    park = Box(card.x + 6, card.y + 165, card.width - 12, 84)
    tower = put("landmark", park.x + park.width - 34, park.y + 44, 70)
    return block(park, "none", 6, colour, "2 5") + f'<g opacity=".13">{tower}</g>'


def sums(district: str, state: JsonObject) -> dict[Seat, int]:
    """The value of what each seat owns in a district."""
    properties = [
        *((name.rpartition("-")[2], tile) for name, tile in state["buildings"].items() if name.startswith(district)),
        *((value, tile) for value, tile in state["landmarks"]["placed"].items() if tile["district"] == district),
    ]
    values: Counter[Seat] = Counter()
    for value, owner in chain.from_iterable(((value, key) for key in tile["keys"]) for value, tile in properties):
        values[owner] += int(value)
    return {seat: values[seat] for seat in state["seats"] if values[seat]}


def _draw_sums(district: str, state: JsonObject) -> Iterator[str]:
    """Who owns how much, beside the name."""
    values = sums(district, state)
    left = CARDS[district].x + 153
    for (seat, value), offset in zip(values.items(), spread(len(values), 174, 43, 0), strict=True):
        drawing = put(f"badge-{seat}", left + offset + 8, CARDS[district].y + 17, 21) + write(
            value, left + offset + 20, CARDS[district].y + 22.5, 15, fill=PAPER, bold=True, anchor="start"
        )
        yield group([drawing], sum=value, seat=seat)


def _draw_bank(district: str, standing: Sequence[Seat], sheet: Mapping[str, Any]) -> str:
    box, colour = bank(district), DISTRICTS[district]
    top = box.y + 14
    drawing = [
        f'<path d="M{box.x} {top}l{box.width / 2}-14 {box.width / 2} 14z" fill="{colour}"/>',
        block(Box(box.x + 3, top, box.width - 6, 104), mixed(colour, PAPER, 62), 2, colour),
        put("coin", box.x + box.width / 2 + 11, top + 17, 24),
        write(sheet["banks"][district], box.x + box.width / 2 - 11, top + 24, 20, bold=True),
        keys(standing, Box(box.x + 4, top + 32, box.width - 8, 71)) if standing else "",
    ]
    return group(drawing, place=f"bank:{district}", keys=" ".join(standing))


def _draw_space(name: str, state: JsonObject, sheet: Mapping[str, Any]) -> str:
    """A space with the token above it and, once revealed, its building."""
    box, value = space(name), name.rpartition("-")[2]
    tile = box.inside(0, 26, 0, 0)
    token = state["tokens"].get(name)
    data = {"place": name} | ({"token": token} if token else {})
    drawing = [put(token, box.x + box.width / 2, box.y + 12, 25)] if token else []
    building = state["buildings"].get(name)
    if building is None:
        drawing += [
            block(tile, "none", 5, mixed(INK, PAPER, 40), "4 4"),
            write(value, tile.x + tile.width / 2, tile.y + 55, 26, fill=mixed(INK, PAPER, 38)),
        ]
        return group(drawing, **data)
    extra = sheet["buildings"][building["tile"]]["extra"]
    owners = building["keys"]
    drawing += [
        block(tile, _ground(owners, FREE_TILE), 5, INK),
        write(value, tile.x + 14, tile.y + 23, 22, bold=True),
        put(building["type"], tile.x + 40, tile.y + 16, 25),
        row([kind for kind in KINDS for _ in range(extra.get(kind, 0))], tile.x + 28, tile.y + 41, 53, 17),
        keys(owners, tile.inside(2, 52, 2, 2)) if owners else "",
    ]
    return group(drawing, **data, type=building["type"], tile=building["tile"], keys=" ".join(owners))


def _ground(owners: Sequence[Seat], free: str) -> str:
    """A tile takes the tint of its owner; one that several own stays as it is."""
    return OWNED[owners[0]] if len(set(owners)) == 1 else free
