"""The baseline: what python-chess takes to do the same for random games of chess."""

from collections.abc import Sequence
from random import Random
from typing import Any

import chess

from bench.timing import Task

MAX_PLIES = 200
"""Random games of chess go on for long with few pieces, which no player would call a game."""


def tasks(count: int, seed: int) -> dict[str, Task]:
    """The tasks over so many random games, by name."""
    games = random_games(count, seed)

    def at_start() -> list[tuple[Any, list[Any]]]:
        return [(chess.Board(), moves) for moves in games]

    everything = (
        Task("push", "ply", at_start, _push),
        Task("is_legal and push", "ply", at_start, _check_and_push),
        Task("legal_moves", "listed move", lambda: _positions(games), _list),
    )
    return {task.name: task for task in everything}


def random_games(count: int, seed: int) -> list[list[Any]]:
    """The moves of so many random games."""
    random = Random(seed)
    return [_play(random) for _ in range(count)]


def _play(random: Random) -> list[Any]:
    board = chess.Board()
    while len(board.move_stack) < MAX_PLIES and (moves := list(board.legal_moves)):
        board.push(random.choice(moves))
    return list(board.move_stack)


def _positions(games: Sequence[Sequence[Any]]) -> list[Any]:
    """The position before each ply."""
    positions = []
    for moves in games:
        board = chess.Board()
        for move in moves:
            positions.append(board.copy(stack=False))
            board.push(move)
    return positions


def _push(games: Sequence[tuple[Any, Sequence[Any]]]) -> int:
    for board, moves in games:
        for move in moves:
            board.push(move)
    return sum(len(moves) for _, moves in games)


def _check_and_push(games: Sequence[tuple[Any, Sequence[Any]]]) -> int:
    for board, moves in games:
        for move in moves:
            if not board.is_legal(move):
                raise ValueError(f"{move} is not legal")
            board.push(move)
    return sum(len(moves) for _, moves in games)


def _list(positions: Sequence[Any]) -> int:
    return sum(len(list(position.legal_moves)) for position in positions)
