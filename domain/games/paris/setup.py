"""Set-ups of Paris: reading, writing and drawing them, and the state at ply 0."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from domain.fields import every, number, word
from domain.forms import FieldError, Form, Malformed
from domain.game import JsonObject, Seat
from domain.games.paris import parts
from domain.games.paris.edition import ZONES, Edition
from domain.games.paris.state import Board, Phase, Side, State, Table, Turn
from domain.json_schema import members, one_of

FREE_PLACEMENT = "free_placement"

_GOLD = word({parts.KINDS[parts.GOLD]: parts.GOLD})
_OTHER_KIND = word({kind: index for kind, index in parts.KIND_INDEX.items() if index != parts.GOLD})
_TOKENS = {
    space: _GOLD if value == 8 else _OTHER_KIND for space, value in zip(parts.SPACES, parts.PLACE_VALUE, strict=False)
}
"""Spaces of value 8 have gold in every advanced game."""
_NUMBER = number(parts.TRACK)
_LAYOUT: JsonObject = {"-8$": _GOLD.schema, "-[1-5]$": _OTHER_KIND.schema}
_EVERY_SPACE: JsonObject = {"type": "object", "propertyNames": one_of(parts.SPACES), "minProperties": len(parts.SPACES)}
_VARIANT: JsonObject = {"variant": one_of([None, FREE_PLACEMENT])}

SCHEMA: JsonObject = {
    "oneOf": [
        members({}, {"advanced": {"const": False}, **_VARIANT}),
        members(
            {
                "advanced": {"const": True},
                "tokens": {**_EVERY_SPACE, "patternProperties": _LAYOUT, "additionalProperties": False},
                "track": members({str(space): _NUMBER.schema for space in parts.TRACK}),
            },
            _VARIANT,
        ),
    ]
}


@dataclass(frozen=True, slots=True)
class Setup:
    """What is decided before the first move. Tokens and track are listed in the advanced game alone."""

    free_placement: bool
    tokens: tuple[int, ...] = ()
    """The kind of token on each building space."""
    track: tuple[int, ...] = ()
    """The number on each space of the track, from the first."""


def parse(json: object) -> Setup:
    """Read a set-up; raise `Malformed`. Whether each thing occurs as often as it should is for `start` to say."""
    form = Form(json)
    named = form.has("variant") and form.anything("variant") is not None
    free_placement = named and form.choice("variant", {FREE_PLACEMENT: True})
    tokens: tuple[int, ...] = ()
    track: tuple[int, ...] = ()
    if form.has("advanced") and form.boolean("advanced"):
        for member in ("tokens", "track"):
            form.anything(member)
        form.require()
        tokens = tuple(
            every(form.form("tokens"), parts.SPACES, lambda named, space: _TOKENS[space].read(named, space)).values()
        )
        track = tuple(every(form.form("track"), parts.TRACK, _NUMBER.read).values())
    form.finish()
    return Setup(free_placement, tokens, track)


def dump(setup: Setup) -> JsonObject:
    json: JsonObject = {
        "advanced": bool(setup.track),
        "variant": FREE_PLACEMENT if setup.free_placement else None,
    }
    if setup.track:
        json["tokens"] = {space: parts.KINDS[kind] for space, kind in zip(parts.SPACES, setup.tokens, strict=True)}
        json["track"] = {str(space): number for space, number in zip(parts.TRACK, setup.track, strict=True)}
    return json


def draw(edition: Edition, seats: Sequence[Seat], random: Random) -> Setup:
    free_placement = random.choice((False, True))
    if random.random() < 0.5:
        return Setup(free_placement)
    kinds = [kind for kind in parts.KIND_INDEX.values() if kind != parts.GOLD] * parts.TOKENS_OF_A_KIND
    random.shuffle(kinds)
    tokens = tuple(parts.GOLD if field is _GOLD else kinds.pop() for field in _TOKENS.values())
    track = tuple(number for zone in edition.zones for number in random.sample(zone, len(zone)))
    return Setup(free_placement, tokens, track)


def start(setup: Setup, seats: Sequence[Seat], edition: Edition) -> State:
    errors = [*_wrong_tokens(setup), *_wrong_track(setup, edition)]
    if errors:
        raise Malformed(errors)
    players = len(seats)
    table = Table(
        edition=edition,
        seats=tuple(seats),
        free_placement=setup.free_placement,
        token_on=setup.tokens or edition.space_tokens,
        number_on=(0, *(setup.track or parts.TRACK)),
    )
    stacked = len(parts.SPACES) - (0 if setup.free_placement else edition.tiles_set_aside)
    stacks = ((stacked + 2) // parts.STACKS, (stacked + 1) // parts.STACKS, stacked // parts.STACKS)
    board = Board(stacks, second_bonus=edition.copies[players])
    side = Side(edition.start_francs, edition.keys_in_hand[players], edition.keys_in_reserve)
    return State(table, 0, Phase.MAIN, 0, Turn(), board, (side,) * players)


def _wrong_tokens(setup: Setup) -> list[FieldError]:
    counts = {setup.tokens.count(kind) for kind in parts.KIND_INDEX.values()}
    if not setup.tokens or counts == {parts.TOKENS_OF_A_KIND}:
        return []
    return [FieldError("/tokens", f"must have {parts.TOKENS_OF_A_KIND} tokens of every kind")]


def _wrong_track(setup: Setup, edition: Edition) -> list[FieldError]:
    errors = []
    for space, tile in zip(parts.TRACK, setup.track, strict=False):
        if setup.track.index(tile) + 1 != space:
            errors.append(FieldError(f"/track/{space}", f"{tile} lies on another space already"))
        for zone, numbers in zip(ZONES, edition.zones, strict=True):
            if space in numbers and tile not in numbers:
                errors.append(FieldError(f"/track/{space}", f"must be a number of zone {zone}"))
    return errors
