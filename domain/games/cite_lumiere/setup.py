"""The set-up of a match of La Cité de la Lumière: who begins, and the postcards in play."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from domain.forms import Form
from domain.game import JsonObject, Seat
from domain.games.cite_lumiere.edition import Edition
from domain.games.cite_lumiere.parts import CARDS, CARDS_IN_PLAY, SEATS
from domain.json_schema import array, members, one_of


@dataclass(frozen=True, slots=True)
class Setup:
    """What is decided before the first move."""

    first: Seat
    postcards: frozenset[str]


def parse(json: object) -> Setup:
    """Read a set-up; raise `Malformed`."""
    form = Form(json)
    first = form.choice("first", {seat: seat for seat in SEATS})
    postcards = form.choices("postcards", {card: card for card in CARDS}, CARDS_IN_PLAY, CARDS_IN_PLAY)
    form.finish()
    return Setup(first, frozenset(postcards))


def draw(edition: Edition, players: Sequence[Seat], random: Random) -> Setup:
    """A set-up drawn at random."""
    return Setup(random.choice(players), frozenset(random.sample(CARDS, CARDS_IN_PLAY)))


def dump(setup: Setup) -> JsonObject:
    """The set-up as JSON."""
    return {"first": setup.first, "postcards": sorted(setup.postcards)}


SCHEMA = members(
    {
        "first": one_of(SEATS),
        "postcards": array(one_of(CARDS), minItems=CARDS_IN_PLAY, maxItems=CARDS_IN_PLAY, uniqueItems=True),
    }
)
