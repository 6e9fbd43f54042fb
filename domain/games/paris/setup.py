"""Set-ups of Paris: reading, writing and drawing them, and the state at ply 0."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from domain.forms import FieldError, Form, Malformed
from domain.game import JsonObject, Seat
from domain.games.paris.edition import ZONES, Edition
from domain.games.paris.parts import (
    ALL_END_TILES,
    ALL_NUMBERS,
    DISTRICTS,
    GOLD,
    KIND_INDEX,
    KINDS,
    LANDMARKS,
    NO_TOKENS,
    PLACE_VALUE,
    PLACES,
    SPACES,
    STACKS,
    TOKENS_OF_A_KIND,
    TRACK,
)
from domain.games.paris.state import FRESH_TURN, NOTHING, Board, Phase, Side, State, Table
from domain.json_schema import integer, members, one_of

FREE_PLACEMENT = "free_placement"
VARIANTS = {FREE_PLACEMENT: True}


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
    free_placement = named and form.choice("variant", VARIANTS)
    tokens: tuple[int, ...] = ()
    track: tuple[int, ...] = ()
    if form.has("advanced") and form.boolean("advanced"):
        for member in ("tokens", "track"):
            form.anything(member)
        form.require()
        tokens, track = _read_tokens(form.form("tokens")), _read_track(form.form("track"))
    form.finish()
    return Setup(free_placement, tokens, track)


def _read_tokens(form: Form) -> tuple[int, ...]:
    kinds = tuple(
        form.choice(space, {KINDS[GOLD]: GOLD} if _bears_gold(index) else _KINDS_BESIDES_GOLD)
        for index, space in enumerate(SPACES)
    )
    form.close()
    return kinds


def _bears_gold(space: int) -> bool:
    """Whether a space has gold in every advanced game."""
    return bool(PLACE_VALUE[space] == 8)


_KINDS_BESIDES_GOLD = {kind: index for kind, index in KIND_INDEX.items() if index != GOLD}


def _read_track(form: Form) -> tuple[int, ...]:
    numbers = tuple(form.integer(str(space), TRACK) for space in TRACK)
    form.close()
    return numbers


def dump(setup: Setup) -> JsonObject:
    """The set-up as JSON."""
    json: JsonObject = {
        "advanced": bool(setup.track),
        "variant": FREE_PLACEMENT if setup.free_placement else None,
    }
    if setup.track:
        json["tokens"] = {space: KINDS[kind] for space, kind in zip(SPACES, setup.tokens, strict=True)}
        json["track"] = {str(space): number for space, number in zip(TRACK, setup.track, strict=True)}
    return json


def draw(edition: Edition, players: Sequence[Seat], random: Random) -> Setup:
    """A set-up drawn at random: basic or advanced, in either variant."""
    free_placement = random.choice((False, True))
    if random.random() < 0.5:
        return Setup(free_placement)
    kinds = [kind for kind in KIND_INDEX.values() if kind != GOLD] * TOKENS_OF_A_KIND
    random.shuffle(kinds)
    tokens = tuple(GOLD if _bears_gold(space) else kinds.pop() for space in range(len(SPACES)))
    track = tuple(number for zone in edition.zones for number in random.sample(zone, len(zone)))
    return Setup(free_placement, tokens, track)


def start(setup: Setup, seats: Sequence[Seat], edition: Edition) -> State:
    """The state at ply 0; raise `Malformed` if the parts do not lie as they must."""
    errors = [*_wrong_tokens(setup), *_wrong_track(setup, edition)]
    if errors:
        raise Malformed(errors)
    players = len(seats)
    table = Table(
        edition=edition,
        seats=tuple(seats),
        free_placement=setup.free_placement,
        token_on=setup.tokens or edition.space_tokens,
        number_on=(0, *(setup.track or TRACK)),
    )
    stacked = len(SPACES) - (0 if setup.free_placement else edition.tiles_set_aside)
    board = Board(
        stacks=((stacked + 2) // STACKS, (stacked + 1) // STACKS, stacked // STACKS),
        drawn=0,
        discarded=0,
        buildings=(NOTHING,) * len(SPACES),
        tokens=(1 << len(SPACES)) - 1,
        keys=((),) * len(PLACES),
        landmarks=(NOTHING,) * len(LANDMARKS),
        crowded=0,
        scoring=(NOTHING,) * len(DISTRICTS),
        bonus=ALL_NUMBERS,
        second_bonus=edition.copies[players],
        end_tiles=ALL_END_TILES,
        market=(0, 0, 0),
    )
    side = Side(
        francs=edition.start_francs,
        keys=edition.keys_in_hand[players],
        reserve=edition.keys_in_reserve,
        tokens=NO_TOKENS,
        held=0,
        used=0,
        half=0,
        track=0,
        awards=(),
    )
    return State(table, 0, Phase.MAIN, 0, FRESH_TURN, board, (side,) * players)


def _wrong_tokens(setup: Setup) -> list[FieldError]:
    if not setup.tokens or all(setup.tokens.count(kind) == TOKENS_OF_A_KIND for kind in KIND_INDEX.values()):
        return []
    return [FieldError("/tokens", f"must have {TOKENS_OF_A_KIND} tokens of every kind")]


def _wrong_track(setup: Setup, edition: Edition) -> list[FieldError]:
    errors = []
    for space, number in zip(TRACK, setup.track, strict=False):
        if setup.track.index(number) + 1 != space:
            errors.append(FieldError(f"/track/{space}", f"{number} lies on another space already"))
        for zone, numbers in zip(ZONES, edition.zones, strict=True):
            if space in numbers and number not in numbers:
                errors.append(FieldError(f"/track/{space}", f"must be a number of zone {zone}"))
    return errors


_VARIANT: JsonObject = {"variant": one_of([None, FREE_PLACEMENT])}
SCHEMA: JsonObject = {
    "oneOf": [
        members({}, {"advanced": {"const": False}, **_VARIANT}),
        members(
            {
                "advanced": {"const": True},
                "tokens": members(
                    {
                        space: {"const": KINDS[GOLD]}
                        if value == 8
                        else one_of([kind for kind in KINDS if kind != KINDS[GOLD]])
                        for space, value in zip(SPACES, PLACE_VALUE, strict=False)
                    }
                ),
                "track": members({str(space): integer(TRACK) for space in TRACK}),
            },
            _VARIANT,
        ),
    ]
}
