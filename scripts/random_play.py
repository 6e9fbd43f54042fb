"""Random matches of every game: how a set-up is drawn, and play with legal moves drawn at random."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Generic

from domain.game import EditionT, Game, JsonObject, MoveT, Seat, SetupT, StateT
from domain.games.cite_lumiere import CITE_LUMIERE
from domain.games.cite_lumiere import setup as cite_lumiere_setup
from domain.games.paris import PARIS
from domain.games.paris import setup as paris_setup

LONGEST_MATCH = 1000
"""No match of any game comes near so many plies."""


class EndlessMatch(Exception):
    """A match that should long be over."""


@dataclass(frozen=True, slots=True)
class RandomMatch(Generic[StateT, MoveT]):
    """A match played to its end: `states[n]` is the state after the first n of `plies`."""

    setup: JsonObject
    seats: tuple[Seat, ...]
    states: tuple[StateT, ...]
    plies: tuple[tuple[Seat, MoveT], ...]


def draw_setup(game_id: str, seats: Sequence[Seat], random: Random) -> JsonObject:
    """A set-up of a game for these seats."""
    return _SETUPS[game_id](seats, random)


def play(
    game: Game[EditionT, SetupT, StateT, MoveT],
    random: Random,
    edition: EditionT | None = None,
    *,
    listed: bool = True,
) -> RandomMatch[StateT, MoveT]:
    """Play a match of an edition, by default the default one, with every check; raise `EndlessMatch`.

    Moves are drawn uniformly from the list of legal ones, or by the game without a list, which takes a fraction of the
    time. The two give different matches for the same `random`.
    """
    seats = tuple(random.sample(game.seats, random.randint(game.players[0], game.players[-1])))
    setup = draw_setup(game.id, seats, random)
    states = [game.rules.start(game.setup.parse(setup), seats, edition or game.editions.default)]
    plies: list[tuple[Seat, MoveT]] = []
    while (seat := states[-1].to_move) is not None:
        if len(plies) == LONGEST_MATCH:
            raise EndlessMatch(f"the match goes on after {LONGEST_MATCH} plies")
        move = (
            random.choice(list(game.rules.legal_moves(states[-1])))
            if listed
            else game.rules.random_move(states[-1], random)
        )
        assert move is not None
        game.rules.check(states[-1], seat, move)
        states.append(game.rules.apply(states[-1], seat, move))
        plies.append((seat, move))
    return RandomMatch(setup, seats, tuple(states), tuple(plies))


def _draw_cite_lumiere(seats: Sequence[Seat], random: Random) -> JsonObject:
    return cite_lumiere_setup.dump(cite_lumiere_setup.draw(CITE_LUMIERE.editions.default, seats, random))


def _draw_paris(seats: Sequence[Seat], random: Random) -> JsonObject:
    return paris_setup.dump(paris_setup.draw(PARIS.editions.default, seats, random))


_SETUPS: Mapping[str, Callable[[Sequence[Seat], Random], JsonObject]] = {
    "cite-lumiere": _draw_cite_lumiere,
    "paris": _draw_paris,
}
