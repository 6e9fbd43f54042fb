"""The moves of Paris, their JSON form and its schema."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

from domain.fields import Field, Record, ascending, constant, flag, maybe, nested, number, number_among, word
from domain.forms import Form
from domain.game import JsonObject
from domain.games.paris import parts
from domain.games.paris.parts import NO_TOKENS, Tokens, tokens
from domain.json_schema import integer, members


class StandIn(NamedTuple):
    """A tile that stands in for one token of a kind."""

    tile: int
    kind: int


class Placing(NamedTuple):
    """A landmark that is placed before a key moves."""

    landmark: int
    """Its place, as a place of keys."""
    district: int


OCCUPYING: Final = (parts.SECOND_KEY, parts.SHARING)
PAIRED_KINDS: Final = {parts.PRESTIGE_PAIRS: parts.PRESTIGE, parts.RESOURCE_PAIRS: parts.RESOURCES}
PAIRS: Final = range(1, parts.TOKENS_OF_A_KIND // 2 + 1)
MAX_SPENT: Final = 2 * (len(parts.TRACK) + len(parts.END_TILES))
"""No tile stands for more than two tokens."""


@dataclass(frozen=True, slots=True)
class Reveal:
    """Draw a building tile and put it on its own space."""

    stack: int
    tile: int


@dataclass(frozen=True, slots=True)
class RevealIn(Reveal):
    """Draw a building tile and put it in a district."""

    district: int


@dataclass(frozen=True, slots=True)
class Discard(Reveal):
    """Draw a building tile and put it away, as it fits nowhere."""


@dataclass(frozen=True, slots=True)
class PlaceKey:
    at: int


@dataclass(frozen=True, slots=True)
class MoveKey:
    """Move a key onto a building or a landmark and become its owner."""

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
    """Go forward on the bonus track and take the tile that lies there."""

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
    """Sell a token, or what a tile stands for."""

    kind: int
    tile: int | None = None


@dataclass(frozen=True, slots=True)
class Activate:
    """Use a bonus tile for its effect."""

    tile: int


@dataclass(frozen=True, slots=True)
class TakeTile(Activate):
    """Use a bonus tile to take another."""

    take: int


@dataclass(frozen=True, slots=True)
class StepBack(Activate):
    """Use a bonus tile to step back on the bonus track and take the tile that lies there."""

    to: int


@dataclass(frozen=True, slots=True)
class GivePairs(Activate):
    """Use a bonus tile to give pairs of tokens for points."""

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
    counts = [
        counted.integer(name, allowed) if kind in kinds and counted.has(name) else 0
        for kind, name in enumerate(parts.KINDS)
    ]
    counted.close()
    return tokens(counts)


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


def _move(name: str, kind: type[Move], fields: Mapping[str, Field[Any]]) -> Record[Move]:
    return Record(kind, {"type": constant(name), **fields})


def _activation(kind: type[Move], tile: int, fields: Mapping[str, Field[Any]]) -> Record[Move]:
    return _move("activate", kind, {"tile": number_among([tile]), **fields})


_ACTIVATIONS = {
    parts.TAKE_ANY: _activation(TakeTile, parts.TAKE_ANY, {"take": _NUMBER}),
    parts.STEP_BACK: _activation(StepBack, parts.STEP_BACK, {"to": _NUMBER}),
    **{tile: _activation(GivePairs, tile, {"pairs": _counts(kinds, PAIRS)}) for tile, kinds in PAIRED_KINDS.items()},
}
"""The use of tiles that names something besides the tile."""
_OTHER_TILE = replace(_NUMBER, schema=number_among([tile for tile in parts.TRACK if tile not in _ACTIVATIONS]).schema)

_RECORDS = (
    _move("reveal", Reveal, _REVEAL),
    _move("reveal", RevealIn, {**_REVEAL, "district": _DISTRICT}),
    _move("reveal", Discard, {**_REVEAL, "discard": flag()}),
    _move("place_key", PlaceKey, {"at": _PLACE}),
    _move("move_key", MoveKey, _MOVE_KEY),
    _move("take_end_tile", TakeEndTile, {"tile": _END_TILE}),
    _move("advance", Advance, {"to": _NUMBER}),
    _move("score_tile", ScoreTile, {"tile": word(parts.SCORING_TILE_INDEX), "district": _DISTRICT}),
    _move("trade", Buy, {"buy": _RESOURCE}),
    _move("trade", Sell, {"sell": _KIND, "tile": maybe(_TILE)}),
    _move("activate", Activate, {"tile": _OTHER_TILE}),
    *_ACTIVATIONS.values(),
    _move("end_turn", EndTurn, {}),
)
_RECORD_OF = {record.kind: record for record in _RECORDS}
_KIND_OF: Final[Mapping[str, type[Move]]] = {
    "reveal": Reveal,
    "place_key": PlaceKey,
    "move_key": MoveKey,
    "take_end_tile": TakeEndTile,
    "advance": Advance,
    "score_tile": ScoreTile,
    "trade": Buy,
    "activate": Activate,
    "end_turn": EndTurn,
}
"""By the type of a move, the kind of move that it is unless a member says otherwise."""

_STAYING = {"anyOf": [{"properties": {"from": {"const": place}, "to": {"const": place}}} for place in parts.PLACES]}
SCHEMA: JsonObject = {
    "oneOf": [{**record.schema, "not": _STAYING} if record.kind is MoveKey else record.schema for record in _RECORDS]
}


def parse(json: object) -> Move:
    form = Form(json)
    kind = form.choice("type", _KIND_OF)
    form.require()
    move = _record(form, kind).read(form)
    form.finish()
    return move


def _record(form: Form, kind: type[Move]) -> Record[Move]:
    if kind is Reveal and form.has("district"):
        return _RECORD_OF[RevealIn]
    if kind is Reveal and form.has("discard"):
        return _RECORD_OF[Discard]
    if kind is Buy and form.has("sell"):
        return _RECORD_OF[Sell]
    if kind is Activate and form.has("tile"):
        tile = form.anything("tile")
        return _ACTIVATIONS.get(tile, _RECORD_OF[kind]) if type(tile) is int else _RECORD_OF[kind]
    return _RECORD_OF[kind]


def dump(move: Move) -> JsonObject:
    return _RECORD_OF[type(move)].dump(move)
