"""Editions of Paris: the printed values of a box, validated, as tables by the numbers of places and tiles."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from domain import editions
from domain.editions import read_sheet
from domain.fields import Record, every, nested, number, number_among, word
from domain.forms import Form
from domain.games.paris import parts
from domain.games.paris.parts import Tile, Tokens, tokens

AMOUNTS: Final = range(100)
"""What a sheet may say of francs and points."""
KINDS_OWNED: Final = range(4, 8)
"""The numbers of kinds of building and landmark that may be worth points."""


class Effect:
    """What a bonus tile or an end tile does."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Gain(Effect):
    francs: int
    points: int


@dataclass(frozen=True, slots=True)
class StandsFor(Effect):
    """One or two tokens, each of any of the kinds."""

    kinds: tuple[int, ...]
    count: int


@dataclass(frozen=True, slots=True)
class PerBuilding(Effect):
    value: int
    points: int


@dataclass(frozen=True, slots=True)
class PerLandmark(Effect):
    points: int


@dataclass(frozen=True, slots=True)
class PerUnusedTile(Effect):
    """Points per other bonus tile that is held unused, by the number of players."""

    points: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class ForKinds(Effect):
    """Points for a number of kinds of building and landmark."""

    points: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class PerPair(Effect):
    """Points per pair of equal tokens given away, by the number of players."""

    points: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class PerFranc(Effect):
    points: int


@dataclass(frozen=True, slots=True)
class KeyPrice(Effect):
    """A key of the reserve for some francs."""

    francs: int


@dataclass(frozen=True, slots=True)
class TakeAny(Effect):
    """Any bonus tile that lies on the track."""


@dataclass(frozen=True, slots=True)
class WayBack(Effect):
    """Some spaces back on the track, for the tile that lies there."""

    most: int


@dataclass(frozen=True, slots=True)
class Occupy(Effect):
    """Moving a key onto a tile that is occupied; which tile does what is a rule."""


COPIED_NUMBERS = 12
"""How many bonus tiles there are twice."""
RANKED = 3
"""How many players a scoring tile can give points to."""
ZONES = ("A", "B", "C")

_DEAREST = range(1, parts.TOKENS_OF_A_KIND + 1)
_AMOUNT = number(AMOUNTS)


@dataclass(frozen=True, slots=True, eq=False)
class Edition(editions.Edition):
    """The values of one box. `token_tiles` and `franc_tiles` are computed from them."""

    start_francs: int
    keys_in_hand: Mapping[int, int]
    """By the number of players, as `copies`."""
    keys_in_reserve: int
    tiles_set_aside: int
    advance_fee_on_3: int
    points_on_8: int
    banks: tuple[int, ...]
    """By district."""
    types: tuple[str, ...]
    """By building tile."""
    extras: tuple[Tokens, ...]
    """What buildings and landmarks cost besides francs, by building tile, then by landmark."""
    prestige: tuple[Tokens, ...]
    """The points of a landmark for one token of each kind, zero for a kind that it does not list."""
    effects: Mapping[Tile, Effect]
    copies: Mapping[int, int]
    """The numbers whose second copies are used."""
    zones: tuple[range, range, range]
    scoring_tiles: tuple[tuple[int, ...], ...]
    """The points of the first three."""
    space_tokens: tuple[int, ...]
    """The kind of token on each building space in the basic game."""
    buy: tuple[int, ...]
    """By kind, resources only."""
    sell: tuple[int, ...]
    """By kind."""
    token_tiles: tuple[tuple[Tile, StandsFor], ...]
    """The tiles that stand for tokens, those for one certain kind first."""
    franc_tiles: tuple[tuple[Tile, PerFranc], ...]
    """The tiles that count francs, in ascending order."""


def load_edition(json: object) -> Edition:
    header, values = read_sheet(json, "paris")
    form = Form(values)
    in_reserve = form.integer("keys_in_reserve", range(parts.KEYS_OF_A_COLOUR + 1))
    buildings = every(form.form("buildings"), parts.SPACES, _read_building)
    landmarks = every(form.form("landmarks"), parts.LANDMARKS, _read_landmark)
    bonus = every(form.form("bonus"), parts.TRACK, _read_bonus_effect)
    end_tiles = every(form.form("end_tiles"), parts.END_TILES, _read_end_effect)
    effects = {**bonus, **{parts.END_TILE_INDEX[tile]: effect for tile, effect in end_tiles.items()}}
    token_tiles = [(tile, effect) for tile, effect in effects.items() if isinstance(effect, StandsFor)]
    prices = form.form("prices")
    edition = Edition(
        **header,
        start_francs=form.integer("start_francs", AMOUNTS),
        keys_in_hand=every(
            form.form("keys_in_hand"), parts.PLAYERS, number(range(parts.KEYS_OF_A_COLOUR - in_reserve + 1)).read
        ),
        keys_in_reserve=in_reserve,
        tiles_set_aside=form.integer("tiles_set_aside", range(len(parts.SPACES))),
        advance_fee_on_3=form.integer("advance_fee_on_3", AMOUNTS),
        points_on_8=form.integer("points_on_8", AMOUNTS),
        banks=tuple(every(form.form("banks"), parts.DISTRICTS, _AMOUNT.read).values()),
        types=tuple(kind for kind, _ in buildings.values()),
        extras=(*(extra for _, extra in buildings.values()), *(extra for extra, _ in landmarks.values())),
        prestige=tuple(prestige for _, prestige in landmarks.values()),
        effects=effects,
        copies=_read_copies(form.form("bonus_copies")),
        zones=_read_zones(form.form("zones")),
        scoring_tiles=tuple(every(form.form("scoring_tiles"), parts.SCORING_TILES, _read_scoring_tile).values()),
        space_tokens=_read_space_tokens(form.form("space_tokens")),
        buy=tuple(every(prices.form("buy"), parts.KINDS[: parts.RESOURCES.stop], _AMOUNT.read).values()),
        sell=tuple(every(prices.form("sell"), parts.KINDS, _AMOUNT.read).values()),
        token_tiles=tuple(sorted(token_tiles, key=lambda entry: len(entry[1].kinds))),
        franc_tiles=tuple((tile, effect) for tile, effect in sorted(effects.items()) if isinstance(effect, PerFranc)),
    )
    prices.close()
    form.finish()
    return edition


def _read_building(form: Form, space: str) -> tuple[str, Tokens]:
    building = form.form(space)
    read = building.word("type", parts.TYPES), read_tokens(building.form("extra"), parts.RESOURCES, _DEAREST)
    building.close()
    return read


def _read_landmark(form: Form, value: str) -> tuple[Tokens, Tokens]:
    landmark = form.form(value)
    extra = read_tokens(landmark.form("extra"), parts.RESOURCES, _DEAREST)
    prestige = read_tokens(landmark.form("prestige"), parts.PRESTIGE, AMOUNTS[1:])
    landmark.close()
    return extra, prestige


def read_tokens(form: Form, kinds: range, allowed: range) -> Tokens:
    """Numbers by kind of token; a kind that is not named has none."""
    numbers = [
        form.integer(name, allowed) if kind in kinds and form.has(name) else 0 for kind, name in enumerate(parts.KINDS)
    ]
    form.close()
    return tokens(numbers)


def _read_scoring_tile(form: Form, tile: str) -> tuple[int, ...]:
    return tuple(entry.integer(AMOUNTS) for entry in form.list(tile, RANKED, RANKED))


def _read_space_tokens(form: Form) -> tuple[int, ...]:
    """One kind for each value, so that there are six tokens of every kind."""
    by_value = tuple(every(form, parts.VALUES, word(parts.KIND_INDEX).read).values())
    if len(set(by_value)) < len(parts.KINDS):
        form.note("", "must name every kind once")
    return by_value * len(parts.DISTRICTS)


def _read_copies(form: Form) -> Mapping[int, int]:
    copies = dict.fromkeys(parts.PLAYERS, 0)
    """A number that comes in for three players stays for four."""
    for players in parts.PLAYERS[1:]:
        found = 0
        for entry in form.list(str(players), 0, COPIED_NUMBERS):
            bit = 1 << entry.json if type(entry.json) is int and entry.json in parts.TRACK else 0
            if not bit or bit & (found | copies[players - 1]):
                entry.note("must be a number from 1 to 30 that no other copy has")
            found |= bit
        copies[players] = copies[players - 1] | found
    form.close()
    if copies[parts.PLAYERS[-1]].bit_count() != COPIED_NUMBERS:
        form.note("", f"must name {COPIED_NUMBERS} numbers in all")
    return copies


def _read_zones(form: Form) -> tuple[range, range, range]:
    """Three ranges that divide the track."""
    zones, first, stop = [], parts.TRACK.start, parts.TRACK.stop
    for zone in ZONES:
        last = first
        match [entry.json for entry in form.list(zone, 2, 2)]:
            case [int(start), int(end)] if {type(start), type(end)} == {int} and first == start <= end < stop:
                last = end
            case [_, _]:
                form.note(zone, f"must be [first, last], beginning with {first}")
        zones.append(range(first, last + 1))
        first = last + 1
    form.close()
    if first != stop:
        form.note(ZONES[-1], f"must end with {parts.TRACK[-1]}")
    return zones[0], zones[1], zones[2]


# Effects


def _read_bonus_effect(form: Form, tile: str) -> Effect:
    """What a bonus tile does. What a move must say of it is part of the rules, so those tiles keep their effects."""
    named = form.form(tile)
    read = _BY_RULE.get(int(tile)) or next((read for member, read in _FREE.items() if named.has(member)), _read_gain)
    effect = read(named)
    named.close()
    return effect


def _read_end_effect(form: Form, tile: str) -> Gain | StandsFor:
    named = form.form(tile)
    effect = _read_stands_for(named) if named.has("stands_for") else _read_gain(named)
    named.close()
    return effect


def _read_gain(form: Form) -> Gain:
    if not (form.has("francs") or form.has("points")):
        form.note("", "must say what the tile does")
    return Gain(*(form.integer(member, AMOUNTS) if form.has(member) else 0 for member in ("francs", "points")))


def _read_stands_for(form: Form) -> StandsFor:
    words = [entry.json for entry in form.list("stands_for", 1, 2)]
    if not all(isinstance(word, str) and word in _KINDS_OF_WORD and word == words[0] for word in words):
        form.note("stands_for", f"must be one of {', '.join(_KINDS_OF_WORD)}, once or twice")
        words = [parts.KINDS[0]]
    return StandsFor(_KINDS_OF_WORD[str(words[0])] if words else (), len(words))


def _read_way_back(form: Form) -> WayBack:
    form.word("rule", ["step_back"])
    return WayBack(form.integer("most", range(1, len(parts.TRACK))))


def _rule(name: str, effect: Effect) -> Callable[[Form], Effect]:
    """Reads an effect of which an edition says nothing but its name."""
    return lambda form: form.choice("rule", {name: effect})


def _by_number(member: str, numbers: range, kind: Callable[[Mapping[int, int]], Effect]) -> Callable[[Form], Effect]:
    return lambda form: kind(every(form.form(member), numbers, _AMOUNT.read))


_KINDS_OF_WORD: Final = {
    **{kind: (index,) for kind, index in parts.KIND_INDEX.items()},
    "resource": tuple(parts.RESOURCES),
    "prestige": tuple(parts.PRESTIGE),
}
_PER_BUILDING = nested(Record(PerBuilding, {"value": number_among(parts.VALUES), "points": _AMOUNT}))
_BY_RULE: Final[Mapping[Tile, Callable[[Form], Effect]]] = {
    parts.SECOND_KEY: _rule("second_key_on_own", Occupy()),
    parts.SHARING: _rule("share_with_rival", Occupy()),
    parts.TAKE_ANY: _rule("take_any_bonus", TakeAny()),
    parts.STEP_BACK: _read_way_back,
    parts.PRESTIGE_PAIRS: _by_number("per_prestige_pair", parts.PLAYERS, PerPair),
    parts.RESOURCE_PAIRS: _by_number("per_resource_pair", parts.PLAYERS, PerPair),
}
_FREE: Final[Mapping[str, Callable[[Form], Effect]]] = {
    "stands_for": _read_stands_for,
    "per_building": lambda form: _PER_BUILDING.read(form, "per_building"),
    "per_landmark": lambda form: PerLandmark(form.integer("per_landmark", AMOUNTS)),
    "per_unused_bonus": _by_number("per_unused_bonus", parts.PLAYERS, PerUnusedTile),
    "kinds": _by_number("kinds", KINDS_OWNED, ForKinds),
    "per_franc_at_end": lambda form: PerFranc(form.integer("per_franc_at_end", AMOUNTS)),
    "key_price": lambda form: KeyPrice(form.integer("key_price", AMOUNTS)),
}
