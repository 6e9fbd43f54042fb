"""What bonus tiles and end tiles do, as an edition says it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from domain.forms import Form
from domain.games.paris.board import (
    KIND_INDEX,
    KINDS,
    PLAYERS,
    PRESTIGE,
    PRESTIGE_PAIRS,
    RESOURCE_PAIRS,
    RESOURCES,
    SECOND_KEY,
    SHARING,
    STEP_BACK,
    TAKE_ANY,
    TRACK,
    VALUES,
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
class StepBack:
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
    | StepBack
    | Occupy
)

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
        return StepBack(form.integer("most", range(1, len(TRACK))))
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
