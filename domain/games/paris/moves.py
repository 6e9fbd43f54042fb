"""The moves of Paris, their JSON form and its schema; `texts.schemas` says what each of them is."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

from domain.fields import Field, Record, ascending, maybe, nested, number, number_among, word
from domain.forms import Form
from domain.game import JsonObject
from domain.games.paris import parts
from domain.games.paris.edition import read_tokens
from domain.games.paris.parts import NO_TOKENS, Tile, Tokens
from domain.json_schema import integer, members


class StandIn(NamedTuple):
    tile: int
    kind: int


class Placing(NamedTuple):
    landmark: int
    """Its place, as a place of keys."""
    district: int


OCCUPYING: Final = (parts.SECOND_KEY, parts.SHARING)
PAIRED_KINDS: Final = {parts.PRESTIGE_PAIRS: parts.PRESTIGE, parts.RESOURCE_PAIRS: parts.RESOURCES}
_PAIRINGS: Final = {parts.PRESTIGE_PAIRS: "GivePrestigePairs", parts.RESOURCE_PAIRS: "GiveResourcePairs"}
PAIRS: Final = range(1, parts.TOKENS_OF_A_KIND // 2 + 1)
MAX_SPENT: Final = 2 * (len(parts.TRACK) + len(parts.END_TILES))
"""No tile stands for more than two tokens."""


@dataclass(frozen=True, slots=True)
class Reveal:
    stack: int
    tile: int


@dataclass(frozen=True, slots=True)
class RevealIn(Reveal):
    district: int


@dataclass(frozen=True, slots=True)
class Discard(Reveal):
    """Draw a building tile and put it away, as it fits nowhere."""


@dataclass(frozen=True, slots=True)
class PlaceKey:
    at: int


@dataclass(frozen=True, slots=True)
class MoveKey:
    source: int
    target: int
    placing: Placing | None = None
    spend: tuple[StandIn, ...] = ()
    """In ascending order."""
    prestige: Tokens = NO_TOKENS
    """The tokens discarded for a landmark's points, stand-ins included."""
    using: int | None = None


@dataclass(frozen=True, slots=True)
class TakeEndTile:
    tile: int


@dataclass(frozen=True, slots=True)
class Advance:
    to: int


@dataclass(frozen=True, slots=True)
class ScoreTile:
    tile: int
    district: int


@dataclass(frozen=True, slots=True)
class Buy:
    kind: int


@dataclass(frozen=True, slots=True)
class Sell:
    kind: int
    tile: int | None = None


@dataclass(frozen=True, slots=True)
class Activate:
    tile: int


@dataclass(frozen=True, slots=True)
class TakeTile(Activate):
    take: int


@dataclass(frozen=True, slots=True)
class StepBack(Activate):
    to: int


@dataclass(frozen=True, slots=True)
class GivePairs(Activate):
    pairs: Tokens


@dataclass(frozen=True, slots=True)
class EndTurn:
    """End one's turn."""


Move: TypeAlias = Reveal | PlaceKey | MoveKey | TakeEndTile | Advance | ScoreTile | Buy | Sell | Activate | EndTurn


# JSON


def _read_tile(form: Form, member: str) -> int:
    """A bonus tile by its number or an end tile by its id."""
    if form.has(member) and isinstance(form.anything(member), str):
        return form.choice(member, parts.END_TILE_INDEX)
    return form.integer(member, parts.TRACK)


def _dump_tile(tile: int) -> int | str:
    return tile if tile < parts.FIRST_END_TILE else parts.TILE_NAMES[tile]


def _read_target(form: Form, member: str) -> int:
    target = _PLACE.read(form, member)
    if not form.errors and form.anything("from") == form.anything(member):
        form.note(member, "must be another place than that of the key")
    return target


def _counts(kinds: range, allowed: range) -> Field[Tokens]:
    """Tokens of some kinds, at least one of them named."""
    named = members({}, {parts.KINDS[kind]: integer(allowed) for kind in kinds})
    return Field(partial(_read_counts, kinds, allowed), _dump_counts, {**named, "minProperties": 1})


def _read_counts(kinds: range, allowed: range, form: Form, member: str) -> Tokens:
    counted = form.form(member)
    if form.has(member) and form.anything(member) == {}:
        counted.note("", "must name a kind")
    return read_tokens(counted, kinds, allowed)


def _dump_counts(counts: Tokens) -> JsonObject:
    return {kind: count for kind, count in zip(parts.KINDS, counts, strict=True) if count}


_PLACE = word(parts.PLACE_INDEX)
_DISTRICT = word(parts.DISTRICT_INDEX)
_KIND = word(parts.KIND_INDEX)
_RESOURCE = word({parts.KINDS[kind]: kind for kind in parts.RESOURCES})
_NUMBER = number(parts.TRACK)
_END_TILE = word(parts.END_TILE_INDEX)
_TILE = Field(_read_tile, _dump_tile, {"oneOf": [_NUMBER.schema, _END_TILE.schema]})
_LANDMARK = Record(Placing, {"tile": number(parts.LANDMARKS, parts.FIRST_LANDMARK), "district": _DISTRICT})
_STAND_IN = Record(StandIn, {"tile": _TILE, "as": _KIND})
_REVEAL = {"stack": number(range(1, parts.STACKS + 1), 0), "tile": word(parts.SPACE_INDEX)}
_MOVE_KEY: Mapping[str, Field[Any]] = {
    "from": _PLACE,
    "to": replace(_PLACE, read=_read_target),
    "landmark": maybe(nested(_LANDMARK)),
    "spend": maybe(ascending(_STAND_IN, 1, MAX_SPENT), ()),
    "prestige": maybe(_counts(parts.PRESTIGE, range(1, parts.TOKENS_OF_A_KIND + 1)), NO_TOKENS),
    "using": maybe(number_among(OCCUPYING)),
}
_NAMING: Mapping[Tile, tuple[type[Move], str, Field[Any]]] = {
    parts.TAKE_ANY: (TakeTile, "take", _NUMBER),
    parts.STEP_BACK: (StepBack, "to", _NUMBER),
    **{tile: (GivePairs, "pairs", _counts(kinds, PAIRS)) for tile, kinds in PAIRED_KINDS.items()},
}
"""The tiles whose use names something besides the tile."""
_OTHER_TILE = replace(_NUMBER, schema=number_among([tile for tile in parts.TRACK if tile not in _NAMING]).schema)

_MOVES: Final[Mapping[str, Record[Move]]] = {
    "reveal": Record(Reveal, _REVEAL, type="reveal"),
    "place_key": Record(PlaceKey, {"at": _PLACE}, type="place_key"),
    "move_key": Record(MoveKey, _MOVE_KEY, type="move_key"),
    "take_end_tile": Record(TakeEndTile, {"tile": _END_TILE}, type="take_end_tile"),
    "advance": Record(Advance, {"to": _NUMBER}, type="advance"),
    "score_tile": Record(ScoreTile, {"tile": word(parts.SCORING_TILE_INDEX), "district": _DISTRICT}, type="score_tile"),
    "trade": Record(Buy, {"buy": _RESOURCE}, type="trade"),
    "activate": Record(Activate, {"tile": _OTHER_TILE}, type="activate"),
    "end_turn": Record(EndTurn, {}, type="end_turn"),
}
"""The moves by their types, unless a member says that they are one of those below."""
_REVEAL_IN: Final[Record[Move]] = Record(RevealIn, {**_REVEAL, "district": _DISTRICT}, type="reveal")
_DISCARD: Final[Record[Move]] = Record(Discard, _REVEAL, type="reveal", discard=True)
_SALE: Final[Record[Move]] = Record(Sell, {"sell": _KIND, "tile": maybe(_TILE)}, type="trade")
_ACTIVATIONS: Final[Mapping[Tile, Record[Move]]] = {
    tile: Record(kind, {"tile": number_among([tile]), name: field}, title=_PAIRINGS.get(tile, ""), type="activate")
    for tile, (kind, name, field) in _NAMING.items()
}
_RECORDS = (*_MOVES.values(), _REVEAL_IN, _DISCARD, _SALE, *_ACTIVATIONS.values())
_RECORD_OF = {record.kind: record for record in _RECORDS}

_STAYING = {"anyOf": [{"properties": {"from": {"const": place}, "to": {"const": place}}} for place in parts.PLACES]}
SCHEMA: JsonObject = {
    "oneOf": [{**record.schema, "not": _STAYING} if record.kind is MoveKey else record.schema for record in _RECORDS]
}


def parse(json: object) -> Move:
    form = Form(json)
    record = form.choice("type", _MOVES)
    form.require()
    move = _chosen(form, record).read(form)
    if isinstance(move, Discard):
        form.flag("discard")
    form.finish()
    return move


def _chosen(form: Form, record: Record[Move]) -> Record[Move]:
    """The record of a move of this type by its members."""
    if record.kind is Reveal and form.has("district"):
        return _REVEAL_IN
    if record.kind is Reveal and form.has("discard"):
        return _DISCARD
    if record.kind is Buy and form.has("sell"):
        return _SALE
    if record.kind is Activate and form.has("tile") and type(tile := form.anything("tile")) is int:
        return _ACTIVATIONS.get(tile, record)
    return record


def dump(move: Move) -> JsonObject:
    return _RECORD_OF[type(move)].dump(move)
