"""The moves of Paris, their JSON form and its schema."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from domain.forms import Form
from domain.game import JsonObject
from domain.games.paris.parts import (
    DISTRICT_INDEX,
    DISTRICTS,
    END_TILE_INDEX,
    END_TILES,
    FIRST_END_TILE,
    KIND_INDEX,
    KINDS,
    LANDMARKS,
    NO_TOKENS,
    PLACE_INDEX,
    PLACE_VALUE,
    PLACES,
    PRESTIGE,
    PRESTIGE_PAIRS,
    RESOURCE_PAIRS,
    RESOURCES,
    SCORING_TILE_INDEX,
    SCORING_TILES,
    SECOND_KEY,
    SHARING,
    SPACE_INDEX,
    SPACES,
    STACKS,
    STEP_BACK,
    TAKE_ANY,
    TILE_NAMES,
    TOKENS_OF_A_KIND,
    TRACK,
    Tokens,
    tokens,
)
from domain.json_schema import array, integer, members, one_of

OCCUPYING: Final = (SECOND_KEY, SHARING)
PAIRED_KINDS: Final = {PRESTIGE_PAIRS: PRESTIGE, RESOURCE_PAIRS: RESOURCES}
PAIRS_OF_A_KIND: Final = range(1, TOKENS_OF_A_KIND // 2 + 1)
MOST_SPENT: Final = 2 * (len(TRACK) + len(END_TILES))
"""No tile stands for more than two tokens."""


class StandIn(NamedTuple):
    """A tile that stands in for one token of a kind."""

    tile: int
    kind: int


class Placing(NamedTuple):
    """A landmark that is placed before a key moves."""

    landmark: int
    """Its place, as a place of keys."""
    district: int


@dataclass(frozen=True, slots=True)
class Reveal:
    """Draw a building tile and put it on its own space, in a district, or away if it fits nowhere."""

    stack: int
    tile: int
    district: int | None = None
    discard: bool = False


@dataclass(frozen=True, slots=True)
class PlaceKey:
    """Put a key from the hand on a bank or the Arc."""

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
    """Take an end tile."""

    tile: int


@dataclass(frozen=True, slots=True)
class Advance:
    """Go forward on the bonus track and take the tile that lies there."""

    to: int


@dataclass(frozen=True, slots=True)
class ScoreTile:
    """Put a scoring tile in a district."""

    tile: int
    district: int


@dataclass(frozen=True, slots=True)
class Buy:
    """Buy a resource of the supply."""

    kind: int


@dataclass(frozen=True, slots=True)
class Sell:
    """Sell a token, or what a tile stands for."""

    kind: int
    tile: int | None = None


@dataclass(frozen=True, slots=True)
class Activate:
    """Use a bonus tile for its effect; some name a bonus tile to take, a space to step back to or pairs of tokens."""

    tile: int
    take: int | None = None
    to: int | None = None
    pairs: Tokens = NO_TOKENS


@dataclass(frozen=True, slots=True)
class EndTurn:
    """End one's turn."""


Move: TypeAlias = Reveal | PlaceKey | MoveKey | TakeEndTile | Advance | ScoreTile | Buy | Sell | Activate | EndTurn

_MOVE_TYPES = {
    name: name
    for name in (
        "reveal",
        "place_key",
        "move_key",
        "take_end_tile",
        "advance",
        "score_tile",
        "trade",
        "activate",
        "end_turn",
    )
}
_RESOURCE_INDEX = {KINDS[kind]: kind for kind in RESOURCES}
_NUMBERED_STACKS = range(1, STACKS + 1)


def parse(json: object) -> Move:
    """Read a move; raise `Malformed`."""
    form = Form(json)
    kind = form.choice("type", _MOVE_TYPES)
    form.require()
    move = _read(form, kind)
    form.finish()
    return move


def _read(form: Form, kind: str) -> Move:
    match kind:
        case "reveal":
            return _read_reveal(form)
        case "place_key":
            return PlaceKey(form.choice("at", PLACE_INDEX))
        case "move_key":
            return _read_move_key(form)
        case "take_end_tile":
            return TakeEndTile(form.choice("tile", END_TILE_INDEX))
        case "advance":
            return Advance(form.integer("to", TRACK))
        case "score_tile":
            return ScoreTile(form.choice("tile", SCORING_TILE_INDEX), form.choice("district", DISTRICT_INDEX))
        case "trade" if form.has("sell"):
            return Sell(form.choice("sell", KIND_INDEX), _read_tile(form) if form.has("tile") else None)
        case "trade":
            return Buy(form.choice("buy", _RESOURCE_INDEX))
        case "activate":
            return _read_activate(form)
        case _:
            return EndTurn()


def _read_reveal(form: Form) -> Reveal:
    stack, tile = form.integer("stack", _NUMBERED_STACKS) - 1, form.choice("tile", SPACE_INDEX)
    if form.has("district"):
        return Reveal(stack, tile, form.choice("district", DISTRICT_INDEX))
    discard = form.has("discard")
    if discard and not form.boolean("discard"):
        form.note("discard", "must be true or absent")
    return Reveal(stack, tile, discard=discard)


def _read_move_key(form: Form) -> MoveKey:
    source, target = form.choice("from", PLACE_INDEX), form.choice("to", PLACE_INDEX)
    if source == target and not form.errors:
        form.note("to", "must be another place than that of the key")
    return MoveKey(
        source,
        target,
        _read_placing(form.form("landmark")) if form.has("landmark") else None,
        _read_spend(form) if form.has("spend") else (),
        _read_counts(form, "prestige", PRESTIGE, range(1, TOKENS_OF_A_KIND + 1)) if form.has("prestige") else NO_TOKENS,
        form.integer("using", OCCUPYING) if form.has("using") else None,
    )


def _read_placing(form: Form) -> Placing:
    landmark = PLACE_INDEX[f"landmark-{form.integer('tile', LANDMARKS)}"]
    placing = Placing(landmark, form.choice("district", DISTRICT_INDEX))
    form.close()
    return placing


def _read_spend(form: Form) -> tuple[StandIn, ...]:
    spend = []
    for entry in form.forms("spend", 1, MOST_SPENT):
        spend.append(StandIn(_read_tile(entry), entry.choice("as", KIND_INDEX)))
        entry.close()
    return tuple(sorted(spend))


def _read_tile(form: Form) -> int:
    """A bonus tile by its number or an end tile by its id."""
    if form.has("tile") and isinstance(form.anything("tile"), str):
        return form.choice("tile", END_TILE_INDEX)
    return form.integer("tile", TRACK)


def _read_counts(form: Form, member: str, kinds: Iterable[int], allowed: range) -> Tokens:
    counted = form.form(member)
    if form.has(member) and form.anything(member) == {}:
        counted.note("", "must name a kind")
    counts = [0] * len(KINDS)
    for kind in kinds:
        if counted.has(KINDS[kind]):
            counts[kind] = counted.integer(KINDS[kind], allowed)
    counted.close()
    return tokens(counts)


def _read_activate(form: Form) -> Activate:
    tile = form.integer("tile", TRACK)
    if tile == TAKE_ANY:
        return Activate(tile, take=form.integer("take", TRACK))
    if tile == STEP_BACK:
        return Activate(tile, to=form.integer("to", TRACK))
    if tile in PAIRED_KINDS:
        return Activate(tile, pairs=_read_counts(form, "pairs", PAIRED_KINDS[tile], PAIRS_OF_A_KIND))
    return Activate(tile)


def dump(move: Move) -> JsonObject:
    """The JSON form of a move."""
    match move:
        case Reveal():
            return _dump_reveal(move)
        case PlaceKey(at):
            return {"type": "place_key", "at": PLACES[at]}
        case MoveKey():
            return _dump_move_key(move)
        case TakeEndTile(tile):
            return {"type": "take_end_tile", "tile": TILE_NAMES[tile]}
        case Advance(to):
            return {"type": "advance", "to": to}
        case ScoreTile(tile, district):
            return {"type": "score_tile", "tile": SCORING_TILES[tile], "district": DISTRICTS[district]}
        case Buy(kind):
            return {"type": "trade", "buy": KINDS[kind]}
        case Sell(kind, None):
            return {"type": "trade", "sell": KINDS[kind]}
        case Sell(kind, int(tile)):
            return {"type": "trade", "sell": KINDS[kind], "tile": _dump_tile(tile)}
        case Activate():
            return _dump_activate(move)
    return {"type": "end_turn"}


def _dump_reveal(move: Reveal) -> JsonObject:
    json: JsonObject = {"type": "reveal", "stack": move.stack + 1, "tile": SPACES[move.tile]}
    if move.district is not None:
        json["district"] = DISTRICTS[move.district]
    if move.discard:
        json["discard"] = True
    return json


def _dump_move_key(move: MoveKey) -> JsonObject:
    json: JsonObject = {"type": "move_key", "from": PLACES[move.source], "to": PLACES[move.target]}
    if move.placing is not None:
        landmark, district = move.placing
        json["landmark"] = {"tile": PLACE_VALUE[landmark], "district": DISTRICTS[district]}
    if move.spend:
        json["spend"] = [{"tile": _dump_tile(tile), "as": KINDS[kind]} for tile, kind in move.spend]
    if any(move.prestige):
        json["prestige"] = _dump_counts(move.prestige)
    if move.using is not None:
        json["using"] = move.using
    return json


def _dump_activate(move: Activate) -> JsonObject:
    json: JsonObject = {"type": "activate", "tile": move.tile}
    if move.take is not None:
        json["take"] = move.take
    if move.to is not None:
        json["to"] = move.to
    if any(move.pairs):
        json["pairs"] = _dump_counts(move.pairs)
    return json


def _dump_counts(counts: Tokens) -> JsonObject:
    return {kind: count for kind, count in zip(KINDS, counts, strict=True) if count}


def _dump_tile(tile: int) -> int | str:
    return tile if tile < FIRST_END_TILE else TILE_NAMES[tile]


def _move(
    name: str, required: Mapping[str, JsonObject], optional: Mapping[str, JsonObject] | None = None
) -> JsonObject:
    return members({"type": {"const": name}, **required}, optional)


def _counts(kinds: range, allowed: range) -> JsonObject:
    """Tokens of some kinds, at least one of them named."""
    return {**members({}, {KINDS[kind]: integer(allowed) for kind in kinds}), "minProperties": 1}


_SPACE = one_of(SPACES)
_PLACE = one_of(PLACES)
_DISTRICT = one_of(DISTRICTS)
_KIND = one_of(KINDS)
_RESOURCE = one_of([KINDS[kind] for kind in RESOURCES])
_NUMBER = integer(TRACK)
_END_TILE = one_of(END_TILES)
_TILE: JsonObject = {"oneOf": [_NUMBER, _END_TILE]}
_SCORING_TILE = one_of(SCORING_TILES)

_REVEAL = {"stack": integer(range(1, STACKS + 1)), "tile": _SPACE}
_ACTIVATED = {
    TAKE_ANY: {"take": _NUMBER},
    STEP_BACK: {"to": _NUMBER},
    **{tile: {"pairs": _counts(kinds, PAIRS_OF_A_KIND)} for tile, kinds in PAIRED_KINDS.items()},
}
"""What the activation of certain bonus tiles names."""

SCHEMA: JsonObject = {
    "oneOf": [
        _move("reveal", _REVEAL),
        _move("reveal", {**_REVEAL, "district": _DISTRICT}),
        _move("reveal", {**_REVEAL, "discard": {"const": True}}),
        _move("place_key", {"at": _PLACE}),
        {
            **_move(
                "move_key",
                {"from": _PLACE, "to": _PLACE},
                {
                    "landmark": members({"tile": integer(LANDMARKS), "district": _DISTRICT}),
                    "spend": array(members({"tile": _TILE, "as": _KIND}), minItems=1, maxItems=MOST_SPENT),
                    "prestige": _counts(PRESTIGE, range(1, TOKENS_OF_A_KIND + 1)),
                    "using": {"type": "integer", **one_of(OCCUPYING)},
                },
            ),
            "not": {"anyOf": [{"properties": {"from": {"const": place}, "to": {"const": place}}} for place in PLACES]},
        },
        _move("take_end_tile", {"tile": _END_TILE}),
        _move("advance", {"to": _NUMBER}),
        _move("score_tile", {"tile": _SCORING_TILE, "district": _DISTRICT}),
        _move("trade", {"buy": _RESOURCE}),
        _move("trade", {"sell": _KIND}, {"tile": _TILE}),
        _move(
            "activate",
            {"tile": {"type": "integer", **one_of([number for number in TRACK if number not in _ACTIVATED])}},
        ),
        *(
            _move("activate", {"tile": {"type": "integer", "const": tile}, **named})
            for tile, named in _ACTIVATED.items()
        ),
        _move("end_turn", {}),
    ]
}
