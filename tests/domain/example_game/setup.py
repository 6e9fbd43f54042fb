"""The set-up of tic-tac-toe and its JSON form; draws one at random."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from domain.forms import Form
from domain.game import JsonObject, Seat
from domain.json_schema import members, one_of
from tests.domain.example_game.edition import Edition
from tests.domain.example_game.parts import SEATS


@dataclass(frozen=True, slots=True)
class Setup:
    """What is decided before the first move."""

    first: Seat


def parse(json: object) -> Setup:
    """Read a set-up; raise `Malformed`."""
    form = Form(json)
    first = form.word("first", SEATS)
    form.finish()
    return Setup(first)


def draw(edition: Edition, seats: Sequence[Seat], random: Random) -> Setup:
    """A set-up drawn at random."""
    return Setup(random.choice(seats))


def dump(setup: Setup) -> JsonObject:
    """The set-up as JSON."""
    return {"first": setup.first}


SCHEMA = members({"first": one_of(SEATS)})
