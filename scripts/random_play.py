"""Random matches of every game: how a set-up is drawn, and play with legal moves drawn uniformly."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Generic

from domain.cite_lumiere.edition import CARDS_IN_PLAY
from domain.cite_lumiere.moves import CARDS
from domain.game import EditionT, Game, JsonObject, MoveT, Seat, SetupT, StateT

LONGEST_MATCH = 400
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


def play(game: Game[EditionT, SetupT, StateT, MoveT], random: Random) -> RandomMatch[StateT, MoveT]:
    """Play a match of the default edition with every check; raise `EndlessMatch`."""
    seats = game.seats[: random.randint(game.min_players, game.max_players)]
    setup = draw_setup(game.id, seats, random)
    states = [game.start(game.parse_setup(setup), seats, game.editions[game.default_edition])]
    plies: list[tuple[Seat, MoveT]] = []
    while (seat := game.to_move(states[-1])) is not None:
        if len(plies) == LONGEST_MATCH:
            raise EndlessMatch(f"the match goes on after {LONGEST_MATCH} plies")
        move = random.choice(list(game.legal(states[-1])))
        states.append(game.apply(states[-1], seat, move))
        plies.append((seat, move))
    return RandomMatch(setup, seats, tuple(states), tuple(plies))


def _draw_cite_lumiere(seats: Sequence[Seat], random: Random) -> JsonObject:
    return {"first": random.choice(seats), "postcards": random.sample(CARDS, CARDS_IN_PLAY)}


_SETUPS: Mapping[str, Callable[[Sequence[Seat], Random], JsonObject]] = {"cite-lumiere": _draw_cite_lumiere}
