"""What the engine of La Cité de la Lumière takes for its own random matches."""

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

from bench.timing import Task
from domain.cite_lumiere import CiteLumiere
from domain.cite_lumiere.moves import Move
from domain.cite_lumiere.state import State
from domain.game import Mode
from scripts.random_play import RandomMatch, play

Match: TypeAlias = RandomMatch[State, Move]

GAME = CiteLumiere()


def tasks(count: int, seed: int) -> dict[str, Task]:
    """The tasks over so many random matches, by name."""
    random = Random(seed)
    matches = [play(GAME, random) for _ in range(count)]
    states = [state for match in matches for state in match.states[:-1]]
    paving = [state for state in states if state.is_paving]
    building = [state for state in states if not state.is_paving]
    moves = [json.dumps(GAME.dump_move(move)) for match in matches for _, move in match.plies]
    everything = (
        Task("trusted", "ply", lambda: matches, _applying(Mode.TRUSTED)),
        Task("checked", "ply", lambda: matches, _applying(Mode.CHECKED)),
        Task("listing, paving", "listed move", lambda: paving, _list),
        Task("listing, building", "listed move", lambda: building, _list),
        Task("parsing JSON", "ply", lambda: moves, _parse),
        Task("dumping a state", "ply", lambda: states, _dump),
    )
    return {task.name: task for task in everything}


def _applying(mode: Mode) -> Callable[[Sequence[Match]], int]:
    def apply(matches: Sequence[Match]) -> int:
        for match in matches:
            state = match.states[0]
            for seat, move in match.plies:
                state = GAME.apply(state, seat, move, mode)
        return sum(len(match.plies) for match in matches)

    return apply


def _list(states: Sequence[State]) -> int:
    return sum(len(list(GAME.legal(state))) for state in states)


def _parse(texts: Sequence[str]) -> int:
    for text in texts:
        GAME.parse(json.loads(text))
    return len(texts)


def _dump(states: Sequence[State]) -> int:
    for state in states:
        GAME.dump(state)
    return len(states)
