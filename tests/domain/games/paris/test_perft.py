"""Counts of all sequences of legal moves from pinned positions, as chess programs check their rules."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import pytest

from domain.games.paris.state import State
from tests.domain.cases import enter
from tests.domain.games.paris.matches import Match
from tests.domain.games.paris.positions import GAME, advanced, begin

pytestmark = pytest.mark.uncounted


def perft(state: State, depth: int) -> int:
    """How many sequences of so many legal moves there are; a match that is over has none left."""
    if depth == 1:
        return sum(1 for _ in GAME.rules.legal_moves(state))
    seat = state.to_move
    if seat is None:
        return 0
    return sum(perft(enter(GAME, state, seat, move), depth - 1) for move in GAME.rules.legal_moves(state))


class Position(NamedTuple):
    """A position, which its test reaches, with the number of sequences by depth."""

    name: str
    reach: Callable[[], State]
    counts: tuple[int, ...]


def after(plies: int, seed: int) -> Callable[[], State]:
    """The position after so many plies of a random match."""
    return lambda: Match(seed).states[plies]


OTHER_LAYOUT = advanced({"montmartre-1": "wood", "montmartre-4": "bronze"}, {1: 2, 2: 1, 29: 30, 30: 29})
BASIC = Position("opening of two", partial(begin, 2), (108, 756, 756, 79380))
FREE = Position("opening of four in free placement", partial(begin, 4, variant="free_placement"), (648, 4536, 4536))
POSITIONS = (
    BASIC,
    Position("opening of three in the advanced game", partial(begin, 3, **OTHER_LAYOUT), (108, 756, 756)),
    FREE,
    Position("three early in free placement", after(40, seed=16), (352,)),
    Position("four with every right of a turn", after(95, seed=6), (70, 2761)),
    Position("three who can buy keys and give pairs", after(161, seed=7), (31, 579, 8285)),
    Position("two with prestige to choose", after(132, seed=3), (52, 1526, 36540)),
    Position("three with five landmarks and a scoring tile to place", after(180, seed=13), (55, 1858)),
    Position("two near the end", after(192, seed=2), (44, 574, 5609)),
    Position("four with tiles that stand for tokens", after(211, seed=10), (50, 974, 14375)),
    Position("two with pairs and a second key", after(214, seed=18), (20, 131, 780, 4003, 21608)),
    Position("four in the last round of free placement", after(212, seed=19), (33, 666, 11269)),
    Position("four in the final turns", after(205, seed=5), (17, 295, 5141)),
    Position("four in the final turns with a second key", after(218, seed=19), (14, 178, 2188, 25395)),
    Position("the last turn of three", after(281, seed=9), (42, 885, 4205, 9578, 21197)),
)


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.name)
def test_the_number_of_sequences_is_as_pinned(position: Position) -> None:
    state = position.reach()
    counts = tuple(perft(state, depth) for depth in range(1, len(position.counts) + 1))
    assert counts == position.counts


def test_the_first_moves_are_as_many_as_multiplying_gives() -> None:
    stacks, banks_and_arc = 3, 7
    first, second = stacks * 36, stacks * 35
    assert BASIC.counts == (first, first * banks_and_arc, first * banks_and_arc, first * banks_and_arc * second)
    assert FREE.counts == (first * 6, first * 6 * banks_and_arc, first * 6 * banks_and_arc)
