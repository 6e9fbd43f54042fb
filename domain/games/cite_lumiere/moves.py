"""The moves of La Cité de la Lumière and their JSON; `texts.schemas` says what each of them is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from domain.fields import Field, Record, distinct, maybe, name, number_among, word
from domain.forms import Form
from domain.game import JsonObject
from domain.games.cite_lumiere.board import INDEX, MASK, Space, Spaces, names
from domain.games.cite_lumiere.parts import BUILDINGS, CARDS, FACINGS, OWNABLE, RIGHTS, ROTATIONS, TILES


@dataclass(frozen=True, slots=True)
class Pave:
    tile: str
    at: Space
    rotation: int


@dataclass(frozen=True, slots=True)
class Take:
    building: str


@dataclass(frozen=True, slots=True)
class Pass:
    """Do nothing."""


@dataclass(frozen=True, slots=True)
class Build:
    building: str
    cells: Spaces


@dataclass(frozen=True, slots=True)
class Postcard:
    card: str


@dataclass(frozen=True, slots=True)
class Place(Postcard):
    cells: Spaces


@dataclass(frozen=True, slots=True)
class PlaceStatue(Place):
    facing: str


@dataclass(frozen=True, slots=True)
class AddAnnex(Place):
    building: str | None = None


@dataclass(frozen=True, slots=True)
class Levitate(Postcard):
    give: str
    take: str
    cells: Spaces


Move: TypeAlias = Pave | Take | Pass | Build | Postcard

_CELL = word(MASK)
CELLS = distinct(MASK, 1, 64, sum, names)
_BUILDING = name(BUILDINGS)

_MOVES: Final[Mapping[str, Record[Any]]] = {
    "pave": Record(Pave, {"tile": name(TILES), "at": word(INDEX), "rotation": number_among(ROTATIONS)}, type="pave"),
    "take": Record(Take, {"building": _BUILDING}, type="take"),
    "pass": Record(Pass, {}, type="pass"),
    "build": Record(Build, {"building": _BUILDING, "cells": CELLS}, type="build"),
    "postcard": Record(Postcard, {"card": name(CARDS)}, type="postcard"),
}
_RECORD_OF: Final = {record.kind: record for record in _MOVES.values()}

_EFFECT_FIELDS: Final[Mapping[str, Mapping[str, Field[Any]]]] = {
    **{card: {"cell": _CELL} for card in CARDS if card not in RIGHTS},
    "bouquinistes": {"cell": _CELL, "building": maybe(name(OWNABLE))},
    "fontaine_des_mers": {"cells": CELLS},
    "jardin_des_plantes": {"cells": CELLS},
    "le_penseur": {"cell": _CELL, "facing": name(FACINGS)},
    "levitation": {"give": _BUILDING, "take": _BUILDING, "cells": CELLS},
}
"""What a postcard move names if the effect of its card is used."""
_KIND_OF: Final = {"bouquinistes": AddAnnex, "le_penseur": PlaceStatue, "levitation": Levitate}
_EFFECTS: Final[Mapping[str, Record[Any]]] = {
    card: Record(_KIND_OF.get(card, Place), {"card": name([card]), **fields}, title=card, type="postcard")
    for card, fields in _EFFECT_FIELDS.items()
}

SCHEMA: JsonObject = {"oneOf": [record.schema for record in (*_MOVES.values(), *_EFFECTS.values())]}


def parse(json: object) -> Move:
    form = Form(json)
    record = form.choice("type", _MOVES)
    form.require()
    move: Move = record.read(form)
    if isinstance(move, Postcard):
        form.require()
        if any(form.has(member) for member in _EFFECT_FIELDS.get(move.card, ())):
            move = _EFFECTS[move.card].read(form)
    form.finish()
    return move


def dump(move: Move) -> JsonObject:
    if isinstance(move, Place | Levitate):
        return _EFFECTS[move.card].dump(move)
    return _RECORD_OF[type(move)].dump(move)
