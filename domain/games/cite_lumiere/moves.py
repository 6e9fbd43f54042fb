"""The moves of La Cité de la Lumière and their JSON."""

from dataclasses import dataclass
from typing import TypeAlias

from domain.forms import Form
from domain.game import JsonObject
from domain.games.cite_lumiere.board import FACINGS, INDEX, MASK, NAMES, names
from domain.games.cite_lumiere.parts import BUILDINGS, CARDS, OWNABLE, RIGHTS, ROTATIONS, TILES
from domain.json_schema import array, members, one_of


@dataclass(frozen=True, slots=True)
class Pave:
    """Place a tile with its top left space at `at`, turned clockwise."""

    tile: str
    at: int
    rotation: int


@dataclass(frozen=True, slots=True)
class Take:
    """Take a building from the supply."""

    building: str


@dataclass(frozen=True, slots=True)
class Pass:
    """Do nothing."""


@dataclass(frozen=True, slots=True)
class Build:
    """Put a building of one's reserve on a set of spaces."""

    building: str
    cells: int


@dataclass(frozen=True, slots=True)
class Postcard:
    """Take a postcard; `cells` are the spaces of its effect and 0 when it is declined or is a right."""

    card: str
    cells: int = 0
    facing: str | None = None
    building: str | None = None
    give: str | None = None
    take: str | None = None


Move: TypeAlias = Pave | Take | Pass | Build | Postcard

_MOVE_TYPES = {name: name for name in ("pave", "take", "pass", "build", "postcard")}
_TILES = {tile: tile for tile in TILES}
_BUILDINGS = {building: building for building in BUILDINGS}
_OWNABLE = {building: building for building in OWNABLE}
_CARDS = {card: card for card in CARDS}
_FACINGS = {facing: facing for facing in FACINGS}

EFFECT_MEMBERS = {card: ("cell",) for card in CARDS if card not in RIGHTS} | {
    "bouquinistes": ("cell", "building"),
    "fontaine_des_mers": ("cells",),
    "jardin_des_plantes": ("cells",),
    "le_penseur": ("cell", "facing"),
    "levitation": ("give", "take", "cells"),
}
"""The members of each card's effect in JSON; all of them or none, but for the annex's `building`."""


def parse(json: object) -> Move:
    """Read a move; raise `Malformed`."""
    form = Form(json)
    move = _read(form)
    form.finish()
    return move


def _read(form: Form) -> Move:
    kind = form.choice("type", _MOVE_TYPES)
    form.require()
    match kind:
        case "pave":
            return Pave(form.choice("tile", _TILES), form.choice("at", INDEX), form.integer("rotation", ROTATIONS))
        case "take":
            return Take(form.choice("building", _BUILDINGS))
        case "build":
            return Build(form.choice("building", _BUILDINGS), _cells(form))
        case "postcard":
            card = form.choice("card", _CARDS)
            form.require()
            members = EFFECT_MEMBERS.get(card, ())
            if any(form.has(member) for member in members):
                return _read_effect(form, card)
            return Postcard(card)
        case _:
            return Pass()


def _read_effect(form: Form, card: str) -> Postcard:
    match card:
        case "levitation":
            give, take = form.choice("give", _BUILDINGS), form.choice("take", _BUILDINGS)
            return Postcard(card, _cells(form), give=give, take=take)
        case "fontaine_des_mers" | "jardin_des_plantes":
            return Postcard(card, _cells(form))
        case "le_penseur":
            return Postcard(card, form.choice("cell", MASK), facing=form.choice("facing", _FACINGS))
        case "bouquinistes":
            building = form.choice("building", _OWNABLE) if form.has("building") else None
            return Postcard(card, form.choice("cell", MASK), building=building)
        case _:
            return Postcard(card, form.choice("cell", MASK))


def _cells(form: Form) -> int:
    return sum(form.choices("cells", MASK, 1, 64))


def dump(move: Move) -> JsonObject:
    """The JSON form of a move, with spaces by column, then row."""
    match move:
        case Pave(tile, at, rotation):
            return {"type": "pave", "tile": tile, "at": NAMES[at], "rotation": rotation}
        case Take(building):
            return {"type": "take", "building": building}
        case Pass():
            return {"type": "pass"}
        case Build(building, cells):
            return {"type": "build", "building": building, "cells": names(cells)}
    return _dump_postcard(move)


def _dump_postcard(move: Postcard) -> JsonObject:
    json: JsonObject = {"type": "postcard", "card": move.card}
    if spaces := names(move.cells):
        json |= {"cells": spaces} if "cells" in EFFECT_MEMBERS[move.card] else {"cell": spaces[0]}
    for member in ("facing", "building", "give", "take"):
        if (value := getattr(move, member)) is not None:
            json[member] = value
    return json


_SPACE = one_of(NAMES)
_SPACES = array(_SPACE, minItems=1, maxItems=64, uniqueItems=True)
_BUILDING = one_of(BUILDINGS)

_EFFECT_SCHEMAS = {
    "cell": _SPACE,
    "cells": _SPACES,
    "facing": one_of(list(FACINGS)),
    "building": one_of(OWNABLE),
    "give": _BUILDING,
    "take": _BUILDING,
}


def _effect_schema(card: str) -> JsonObject:
    effect = {member: _EFFECT_SCHEMAS[member] for member in EFFECT_MEMBERS[card]}
    optional = {"building": effect.pop("building")} if "building" in effect else {}
    return members({"type": {"const": "postcard"}, "card": {"const": card}, **effect}, optional)


SCHEMA: JsonObject = {
    "oneOf": [
        members(
            {
                "type": {"const": "pave"},
                "tile": one_of(TILES),
                "at": _SPACE,
                "rotation": {"type": "integer", **one_of(ROTATIONS)},
            }
        ),
        members({"type": {"const": "take"}, "building": _BUILDING}),
        members({"type": {"const": "pass"}}),
        members({"type": {"const": "build"}, "building": _BUILDING, "cells": _SPACES}),
        members({"type": {"const": "postcard"}, "card": one_of(CARDS)}),
        *(_effect_schema(card) for card in EFFECT_MEMBERS),
    ]
}
