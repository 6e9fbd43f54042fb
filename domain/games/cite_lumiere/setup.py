"""The set-up of a match of La Cité de la Lumière: who begins, and the postcards in play."""

from dataclasses import dataclass

from domain.forms import Form
from domain.game import JsonObject, Seat
from domain.games.cite_lumiere.edition import CARDS_IN_PLAY
from domain.games.cite_lumiere.moves import CARDS, SEATS
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


def dump(setup: Setup) -> JsonObject:
    """The set-up as JSON."""
    return {"first": setup.first, "postcards": sorted(setup.postcards)}


SCHEMA = members(
    {
        "first": one_of(SEATS),
        "postcards": array(one_of(CARDS), minItems=CARDS_IN_PLAY, maxItems=CARDS_IN_PLAY, uniqueItems=True),
    }
)
