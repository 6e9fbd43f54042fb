"""Counts of all sequences of legal moves from pinned positions, as chess programs check their rules."""

from typing import NamedTuple

import pytest

from domain.games.cite_lumiere.state import State
from tests.domain.cases import enter
from tests.domain.games.cite_lumiere import conceivable
from tests.domain.games.cite_lumiere.positions import GAME, OTHERS, begin, drawn, paved, play
from tests.domain.games.cite_lumiere.test_scoring_example import BUILDING, ENDING, PAVING

pytestmark = pytest.mark.uncounted


def perft(state: State, depth: int) -> int:
    """How many sequences of so many legal moves there are; a match that is over has none left."""
    if depth == 1:
        return sum(1 for _ in GAME.rules.legal_moves(state))
    seat = state.to_move
    if seat is None:
        return 0
    return sum(perft(enter(GAME, state, seat, move), depth - 1) for move in GAME.rules.legal_moves(state))


SMALL = """
    ooxlbbbb
    oxxobbbb
    xxllllll
    llllllll
    llllllll
    llllllll
    llllllll
    llllbbxo
"""
"""Little room, so that turns are skipped and rights decide."""


class Position(NamedTuple):
    """A position with the number of sequences by depth."""

    name: str
    state: State
    counts: tuple[int, ...]


EXAMPLE = play(begin(), *PAVING)
POSITIONS = (
    Position("start", begin(), (524, 258180)),
    Position("end of paving", play(begin(), *PAVING[:-5]), (19, 73, 556, 45074)),
    Position("second phase without buildings", paved(), (84, 4885, 175132)),
    Position("second phase with the other cards", paved(orange="I3 O4", blue="X5", cards=OTHERS), (384, 68091)),
    Position("blue begins with many buildings", paved("blue", orange="L6 S4", blue="U6 T4 W5"), (268, 38333)),
    Position("example at half", play(EXAMPLE, *BUILDING[:9]), (28, 513, 5922, 44556, 228430)),
    Position("example near the end", play(EXAMPLE, *BUILDING, *ENDING[:1]), (2, 7, 5, 0)),
    Position(
        "armed rights",
        drawn(SMALL, "orange metropolitain", "orange chartier", "blue sacre_coeur", orange="I3 O4", blue="V3 L4"),
        (186, 10914, 384382),
    ),
    Position(
        "all tokens spent",
        drawn(
            SMALL,
            *("orange metropolitain", "orange chartier", "orange sacre_coeur", "orange levitation"),
            *("blue lampadaire", "blue le_peintre", "blue bouquinistes", "blue jardin_des_plantes"),
            orange="I3 O4 V3",
            blue="L4 S4 T4",
        ),
        (50, 494, 4301, 3794, 0),
    ),
)


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.name)
def test_the_number_of_sequences_is_as_pinned(position: Position) -> None:
    counts = tuple(perft(position.state, depth) for depth in range(1, len(position.counts) + 1))
    assert counts == position.counts


def test_the_first_moves_are_as_many_as_multiplying_gives() -> None:
    paves, takes = 8 * 16 * 4, 12
    second = paves * (8 * 15 * 4 + 12) + takes * (8 * 16 * 4 + 11)
    assert POSITIONS[0].counts == (paves + takes, second)


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.name)
def test_the_first_count_is_that_of_trying_every_conceivable_move(position: Position) -> None:
    assert len(conceivable.accepted(position.state)) == position.counts[0]
