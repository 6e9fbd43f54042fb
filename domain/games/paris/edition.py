"""Editions of Paris: the printed values of a box, validated, as tables by the numbers of places and tiles."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from domain.editions import read_sheet
from domain.forms import Form
from domain.games.paris.parts import (
    DISTRICTS,
    END_TILES,
    KEYS_OF_A_COLOUR,
    KIND_INDEX,
    KINDS,
    LANDMARKS,
    PLAYERS,
    PRESTIGE,
    PRESTIGE_PAIRS,
    RESOURCE_PAIRS,
    RESOURCES,
    SCORING_TILES,
    SECOND_KEY,
    SHARING,
    SPACES,
    STEP_BACK,
    TAKE_ANY,
    TOKENS_OF_A_KIND,
    TRACK,
    TYPES,
    VALUES,
    Tokens,
    tokens,
)

AMOUNTS: Final = range(100)
"""What a sheet may say of francs and points."""
KINDS_OWNED: Final = range(4, 8)
"""The numbers of kinds of building and landmark that may be worth points."""


@dataclass(frozen=True, slots=True)
class Gain:
    """Francs and points."""

    francs: int
    points: int


@dataclass(frozen=True, slots=True)
class StandsFor:
    """One or two tokens, each of any of the kinds."""

    kinds: tuple[int, ...]
    count: int


@dataclass(frozen=True, slots=True)
class PerBuilding:
    """Points per building of a value."""

    value: int
    points: int


@dataclass(frozen=True, slots=True)
class PerLandmark:
    """Points per landmark."""

    points: int


@dataclass(frozen=True, slots=True)
class PerUnusedTile:
    """Points per other bonus tile that is held unused, by the number of players."""

    points: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class ForKinds:
    """Points for a number of kinds of building and landmark."""

    points: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class PerPair:
    """Points per pair of equal tokens given away, by the number of players."""

    points: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class PerFranc:
    """Points per franc at the end."""

    points: int


@dataclass(frozen=True, slots=True)
class KeyPrice:
    """A key of the reserve for some francs."""

    francs: int


@dataclass(frozen=True, slots=True)
class TakeAny:
    """Any bonus tile that lies on the track."""


@dataclass(frozen=True, slots=True)
class WayBack:
    """Some spaces back on the track, for the tile that lies there."""

    most: int


@dataclass(frozen=True, slots=True)
class Occupy:
    """Moving a key onto a tile that is occupied; which tile does what is a rule."""


Effect: TypeAlias = (
    Gain
    | StandsFor
    | PerBuilding
    | PerLandmark
    | PerUnusedTile
    | ForKinds
    | PerPair
    | PerFranc
    | KeyPrice
    | TakeAny
    | WayBack
    | Occupy
)

COPIED_NUMBERS = 12
"""How many bonus tiles there are twice."""
RANKED = 3
"""How many players a scoring tile can give points to."""
ZONES = ("A", "B", "C")

_DEAREST = range(1, TOKENS_OF_A_KIND + 1)
_TYPE_WORDS = {word: word for word in TYPES}


@dataclass(frozen=True, slots=True, eq=False)
class Edition:
    """The values of one box. `token_tiles` is computed from them."""

    id: str
    title: str
    digest: str
    document: Mapping[str, Any]
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
    effects: tuple[Effect, ...]
    """By tile; there is no number 0, and its entry means nothing."""
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
    token_tiles: tuple[tuple[int, StandsFor], ...]
    """The tiles that stand for tokens, those for one certain kind first."""


def load_edition(json: object) -> Edition:
    """Validate an edition document; raise `Malformed`."""
    sheet = read_sheet(json, "paris")
    form = Form(sheet.values)
    in_reserve = form.integer("keys_in_reserve", range(KEYS_OF_A_COLOUR + 1))
    types, building_extras = _read_buildings(form.form("buildings"))
    landmark_extras, prestige = _read_landmarks(form.form("landmarks"))
    effects = (*_read_bonus(form.form("bonus")), *_read_end_tiles(form.form("end_tiles")))
    prices = form.form("prices")
    edition = Edition(
        id=sheet.id,
        title=sheet.title,
        digest=sheet.digest,
        document=sheet.document,
        start_francs=form.integer("start_francs", AMOUNTS),
        keys_in_hand=_read_keys(form.form("keys_in_hand"), KEYS_OF_A_COLOUR - in_reserve),
        keys_in_reserve=in_reserve,
        tiles_set_aside=form.integer("tiles_set_aside", range(len(SPACES))),
        advance_fee_on_3=form.integer("advance_fee_on_3", AMOUNTS),
        points_on_8=form.integer("points_on_8", AMOUNTS),
        banks=_read_amounts(form.form("banks"), DISTRICTS),
        types=types,
        extras=(*building_extras, *landmark_extras),
        prestige=prestige,
        effects=effects,
        copies=_read_copies(form.form("bonus_copies")),
        zones=_read_zones(form.form("zones")),
        scoring_tiles=_read_scoring_tiles(form.form("scoring_tiles")),
        space_tokens=_read_space_tokens(form.form("space_tokens")),
        buy=_read_amounts(prices.form("buy"), KINDS[: RESOURCES.stop]),
        sell=_read_amounts(prices.form("sell"), KINDS),
        token_tiles=_token_tiles(effects),
    )
    prices.close()
    form.finish()
    return edition


def _read_amounts(form: Form, members: Iterable[str]) -> tuple[int, ...]:
    amounts = tuple(form.integer(member, AMOUNTS) for member in members)
    form.close()
    return amounts


def _read_keys(form: Form, most: int) -> Mapping[int, int]:
    keys = {players: form.integer(str(players), range(most + 1)) for players in PLAYERS}
    form.close()
    return keys


def _read_buildings(form: Form) -> tuple[tuple[str, ...], tuple[Tokens, ...]]:
    types, extras = [], []
    for space in SPACES:
        building = form.form(space)
        types.append(building.choice("type", _TYPE_WORDS))
        extras.append(_read_tokens(building.form("extra"), RESOURCES, _DEAREST))
        building.close()
    form.close()
    return tuple(types), tuple(extras)


def _read_landmarks(form: Form) -> tuple[tuple[Tokens, ...], tuple[Tokens, ...]]:
    extras, prestige = [], []
    for value in LANDMARKS:
        landmark = form.form(str(value))
        extras.append(_read_tokens(landmark.form("extra"), RESOURCES, _DEAREST))
        prestige.append(_read_tokens(landmark.form("prestige"), PRESTIGE, AMOUNTS[1:]))
        landmark.close()
    form.close()
    return tuple(extras), tuple(prestige)


def _read_tokens(form: Form, kinds: range, allowed: range) -> Tokens:
    """Numbers by kind of token; a kind that is not named has none."""
    numbers = [
        form.integer(kind, allowed) if index in kinds and form.has(kind) else 0 for index, kind in enumerate(KINDS)
    ]
    form.close()
    return tokens(numbers)


def _read_bonus(form: Form) -> tuple[Effect, ...]:
    effects = [read_bonus_effect(form.form(str(number)), number) for number in TRACK]
    form.close()
    return (effects[0], *effects)


def _read_end_tiles(form: Form) -> tuple[Effect, ...]:
    effects = tuple(read_end_effect(form.form(tile)) for tile in END_TILES)
    form.close()
    return effects


def _read_copies(form: Form) -> Mapping[int, int]:
    words = {number: 1 << number for number in TRACK}
    symbols: dict[int, int] = {}
    for players in PLAYERS[1:]:
        found = 0
        for entry in form.list(str(players), 0, COPIED_NUMBERS):
            bit = words.get(entry.json, 0) if type(entry.json) is int else 0
            if not bit or bit & (found | sum(symbols.values())):
                entry.note("must be a number from 1 to 30 that no other copy has")
            found |= bit
        symbols[players] = found
    form.close()
    if sum(symbols.values()).bit_count() != COPIED_NUMBERS:
        form.note("", f"must name {COPIED_NUMBERS} numbers in all")
    return {2: 0, 3: symbols[3], 4: symbols[3] | symbols[4]}


def _read_zones(form: Form) -> tuple[range, range, range]:
    """Three ranges that divide the track."""
    zones, first = [], TRACK.start
    for zone in ZONES:
        last = first
        match [entry.json for entry in form.list(zone, 2, 2)]:
            case [int(start), int(end)] if {type(start), type(end)} == {int} and first == start <= end < TRACK.stop:
                last = end
            case [_, _]:
                form.note(zone, f"must be [first, last], beginning with {first}")
        zones.append(range(first, last + 1))
        first = last + 1
    form.close()
    if first != TRACK.stop:
        form.note(ZONES[-1], f"must end with {TRACK[-1]}")
    return zones[0], zones[1], zones[2]


def _read_scoring_tiles(form: Form) -> tuple[tuple[int, ...], ...]:
    """The points of the first three on each tile."""
    tiles = [[entry.integer(AMOUNTS) for entry in form.list(tile, RANKED, RANKED)] for tile in SCORING_TILES]
    form.close()
    return tuple(map(tuple, tiles))


def _read_space_tokens(form: Form) -> tuple[int, ...]:
    """One kind for each value, so that there are six tokens of every kind."""
    by_value = [form.choice(str(value), KIND_INDEX) for value in VALUES]
    form.close()
    if len(set(by_value)) < len(KINDS):
        form.note("", "must name every kind once")
    return tuple(by_value * len(DISTRICTS))


def _token_tiles(effects: tuple[Effect, ...]) -> tuple[tuple[int, StandsFor], ...]:
    tiles = [(tile, effect) for tile, effect in enumerate(effects) if tile and isinstance(effect, StandsFor)]
    return tuple(sorted(tiles, key=lambda entry: len(entry[1].kinds)))


_KINDS_OF_WORD: Final = {
    **{kind: (index,) for kind, index in KIND_INDEX.items()},
    "resource": tuple(RESOURCES),
    "prestige": tuple(PRESTIGE),
}
_RULES: Final = {
    SECOND_KEY: "second_key_on_own",
    SHARING: "share_with_rival",
    TAKE_ANY: "take_any_bonus",
    STEP_BACK: "step_back",
}
_PAIRS: Final = {PRESTIGE_PAIRS: "per_prestige_pair", RESOURCE_PAIRS: "per_resource_pair"}


def read_bonus_effect(form: Form, number: int) -> Effect:
    """What a bonus tile does. What a move must say of it is part of the rules, so those numbers keep their effects."""
    if number in _RULES:
        effect = _read_rule(form, number)
    elif number in _PAIRS:
        effect = PerPair(_by_number(form.form(_PAIRS[number]), PLAYERS))
    else:
        effect = _read_free_effect(form)
    form.close()
    return effect


def read_end_effect(form: Form) -> Gain | StandsFor:
    """What an end tile does."""
    effect = _read_stands_for(form) if form.has("stands_for") else _read_gain(form)
    form.close()
    return effect


def _read_rule(form: Form, number: int) -> Effect:
    form.choice("rule", {_RULES[number]: None})
    if number == STEP_BACK:
        return WayBack(form.integer("most", range(1, len(TRACK))))
    return TakeAny() if number == TAKE_ANY else Occupy()


def _read_free_effect(form: Form) -> Effect:
    for member, read in _FREE.items():
        if form.has(member):
            return read(form)
    return _read_gain(form)


def _read_gain(form: Form) -> Gain:
    """Francs, points or both."""
    if not (form.has("francs") or form.has("points")):
        form.note("", "must say what the tile does")
    return Gain(*(form.integer(member, AMOUNTS) if form.has(member) else 0 for member in ("francs", "points")))


def _read_stands_for(form: Form) -> StandsFor:
    words = [entry.json for entry in form.list("stands_for", 1, 2)]
    if not all(isinstance(word, str) and word in _KINDS_OF_WORD and word == words[0] for word in words):
        form.note("stands_for", f"must be one of {', '.join(_KINDS_OF_WORD)}, once or twice")
        words = [KINDS[0]]
    return StandsFor(_KINDS_OF_WORD[str(words[0])] if words else (), len(words))


def _read_per_building(form: Form) -> PerBuilding:
    building = form.form("per_building")
    effect = PerBuilding(building.integer("value", VALUES), building.integer("points", AMOUNTS))
    building.close()
    return effect


def _by_number(form: Form, numbers: range) -> Mapping[int, int]:
    points = {number: form.integer(str(number), AMOUNTS) for number in numbers}
    form.close()
    return points


_FREE: Final[Mapping[str, Callable[[Form], Effect]]] = {
    "stands_for": _read_stands_for,
    "per_building": _read_per_building,
    "per_landmark": lambda form: PerLandmark(form.integer("per_landmark", AMOUNTS)),
    "per_unused_bonus": lambda form: PerUnusedTile(_by_number(form.form("per_unused_bonus"), PLAYERS)),
    "kinds": lambda form: ForKinds(_by_number(form.form("kinds"), KINDS_OWNED)),
    "per_franc_at_end": lambda form: PerFranc(form.integer("per_franc_at_end", AMOUNTS)),
    "key_price": lambda form: KeyPrice(form.integer("key_price", AMOUNTS)),
}
