"""Random matches of every game: a set-up and moves, drawn by the game or from the list of legal moves."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Generic

from domain.catalogue import GAMES
from domain.game import EditionT, Game, JsonObject, MoveT, Seat, SetupT, StateT

MAX_PLIES = 1000
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
    """A set-up of a game for these seats, by its default edition."""
    game = GAMES[game_id]
    return game.setup.dump(game.setup.draw(game.editions.default, seats, random))


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
    edition = edition or game.editions.default
    setup = game.setup.draw(edition, seats, random)
    states = [game.rules.start(setup, seats, edition)]
    plies: list[tuple[Seat, MoveT]] = []
    while (seat := states[-1].to_move) is not None:
        if len(plies) == MAX_PLIES:
            raise EndlessMatch(f"the match goes on after {MAX_PLIES} plies")
        move = (
            random.choice(list(game.rules.legal_moves(states[-1])))
            if listed
            else game.rules.random_move(states[-1], random)
        )
        assert move is not None
        game.rules.check(states[-1], seat, move)
        states.append(game.rules.apply(states[-1], seat, move))
        plies.append((seat, move))
    return RandomMatch(game.setup.dump(setup), seats, tuple(states), tuple(plies))
