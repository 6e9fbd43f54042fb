"""The set-up of a match of La Cité de la Lumière: who begins, and the postcards in play."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from domain.fields import Record, distinct, name
from domain.game import Seat
from domain.games.cite_lumiere.edition import Edition
from domain.games.cite_lumiere.parts import CARDS, CARDS_IN_PLAY, SEATS


@dataclass(frozen=True, slots=True)
class Setup:
    first: Seat
    postcards: frozenset[str]


_RECORD = Record(
    Setup,
    {
        "first": name(SEATS),
        "postcards": distinct({card: card for card in CARDS}, CARDS_IN_PLAY, CARDS_IN_PLAY, frozenset, sorted),
    },
)
parse, dump, SCHEMA = _RECORD.parse, _RECORD.dump, _RECORD.schema


def draw(edition: Edition, seats: Sequence[Seat], random: Random) -> Setup:
    return Setup(random.choice(seats), frozenset(random.sample(CARDS, CARDS_IN_PLAY)))
