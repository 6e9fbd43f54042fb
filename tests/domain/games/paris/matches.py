"""Random matches, in which some trade all they get and others keep it, and positions of theirs."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random

from domain.game import Seat
from domain.games.paris.edition import Edition
from domain.games.paris.moves import Activate, Advance, Buy, Move, MoveKey, Reveal, ScoreTile, Sell
from domain.games.paris.setup import Setup
from domain.games.paris.state import State
from scripts.random_play import draw_setup
from tests.domain.cases import enter
from tests.domain.games.paris.positions import EDITION, GAME, SEATS

MAX_PLIES = 2000
"""No match comes near so many plies."""


class Match:
    """A random legal match: its set-up, its states, and who made which move in each but the last."""

    def __init__(self, seed: int, edition: Edition = EDITION) -> None:
        chance = Random(seed)
        self.seats = tuple(chance.sample(SEATS, chance.randint(2, 4)))
        self.setup: Setup = GAME.setup.parse(draw_setup("paris", self.seats, chance))
        self.states = [GAME.rules.start(self.setup, self.seats, edition)]
        self.plies: list[tuple[Seat, Move]] = []
        thrift = chance.choice((1, 5, 20))
        while (seat := self.states[-1].to_move) is not None:
            assert len(self.plies) < MAX_PLIES
            move = drawn(chance, list(GAME.rules.legal_moves(self.states[-1])), thrift)
            self.plies.append((seat, move))
            self.states.append(enter(GAME, self.states[-1], seat, move))

    @property
    def played(self) -> Iterator[tuple[State, Seat, Move, State]]:
        """Each move with the states before and after it."""
        for (before, after), (seat, move) in zip(pairwise(self.states), self.plies, strict=True):
            yield before, seat, move, after


def drawn(chance: Random, moves: Sequence[Move], thrift: int) -> Move:
    """One of the moves: first a type of move; the thriftier, the less is traded and the more tiles are kept.

    Short advances and keys that use tiles or prestige are drawn more often, so that little stays unseen.
    """
    types: dict[type, list[Move]] = {}
    for move in moves:
        types.setdefault(next(kind for kind in (Reveal, Activate, type(move)) if isinstance(move, kind)), []).append(
            move
        )
    weights = [1 if kind in (Buy, Sell, Activate) else thrift * _LIKED.get(kind, 1) for kind in types]
    (kind,) = chance.choices(list(types), weights)
    return min(chance.choices(types[kind], k=3), key=_plainness)


_BASE_OF: Mapping[type, type] = {kind: base for base in (Reveal, Activate) for kind in base.__subclasses__()}
_LIKED: Mapping[type, int] = {Advance: 10, ScoreTile: 3, MoveKey: 3}


def _plainness(move: Move) -> int:
    match move:
        case Advance(to):
            return to
        case MoveKey():
            return -len(move.spend) - sum(move.prestige) - 9 * (move.using is not None)
    return 0


def somewhere(seed: int, fraction: float, edition: Edition = EDITION, *, at_choice: bool = False) -> State:
    """A state of a random match that is not over; if that is asked for, one where the main action is due."""
    states = [
        state
        for state in Match(seed, edition).states
        if state.to_move is not None and not (at_choice and (state.must_reveal or state.turn.acted))
    ]
    return states[int(fraction * len(states))]
