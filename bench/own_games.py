"""What our engines take for random matches of their own games."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import TypeAlias

from bench.timing import Task
from domain.game import EditionT, Game, MoveT, SetupT, StateT
from scripts.random_play import RandomMatch, play

Group: TypeAlias = Callable[[StateT], bool]
"""Whether a state belongs to a group whose moves are listed on their own."""


def tasks(
    game: Game[EditionT, SetupT, StateT, MoveT], groups: Mapping[str, Group[StateT]], count: int, seed: int
) -> dict[str, Task]:
    """The tasks over so many random matches, by what they do; moves are listed by groups of states."""
    random = Random(seed)
    matches = [play(game, random) for _ in range(count)]
    states = [state for match in matches for state in match.states[:-1]]
    moves = [json.dumps(game.move.dump(move)) for match in matches for _, move in match.plies]

    def task(name: str, unit: str, given: Sequence[object], run: Callable[..., int]) -> tuple[str, Task]:
        return name, Task(f"{game.id}: {name}", unit, lambda: given, partial(run, game))

    return dict(
        (
            task("trusted", "ply", matches, _follow),
            task("checked", "ply", matches, _enter),
            *(
                task(f"listing, {group}", "listed move", [state for state in states if belongs(state)], _list)
                for group, belongs in groups.items()
            ),
            task("listing, choosing", "position", states, _choose),
            task("drawing a move", "position", states, _draw),
            task("parsing JSON", "ply", moves, _parse),
            task("dumping a state", "ply", states, _dump),
        )
    )


def _follow(game: Game[EditionT, SetupT, StateT, MoveT], matches: Sequence[RandomMatch[StateT, MoveT]]) -> int:
    for match in matches:
        state = match.states[0]
        for seat, move in match.plies:
            state = game.rules.apply(state, seat, move)
    return sum(len(match.plies) for match in matches)


def _enter(game: Game[EditionT, SetupT, StateT, MoveT], matches: Sequence[RandomMatch[StateT, MoveT]]) -> int:
    for match in matches:
        state = match.states[0]
        for seat, move in match.plies:
            game.rules.check(state, seat, move)
            state = game.rules.apply(state, seat, move)
    return sum(len(match.plies) for match in matches)


def _list(game: Game[EditionT, SetupT, StateT, MoveT], states: Sequence[StateT]) -> int:
    return sum(len(list(game.rules.legal_moves(state))) for state in states)


def _choose(game: Game[EditionT, SetupT, StateT, MoveT], states: Sequence[StateT]) -> int:
    random = Random(1)
    for state in states:
        random.choice(list(game.rules.legal_moves(state)))
    return len(states)


def _draw(game: Game[EditionT, SetupT, StateT, MoveT], states: Sequence[StateT]) -> int:
    random = Random(1)
    for state in states:
        game.rules.random_move(state, random)
    return len(states)


def _parse(game: Game[EditionT, SetupT, StateT, MoveT], texts: Sequence[str]) -> int:
    for text in texts:
        game.move.parse(json.loads(text))
    return len(texts)


def _dump(game: Game[EditionT, SetupT, StateT, MoveT], states: Sequence[StateT]) -> int:
    for state in states:
        game.view.dump(state)
    return len(states)
