"""Moves drawn at random, without listing them, in every game."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from domain.catalogue import GAMES
from domain.chance import bits
from domain.game import AnyGame
from scripts.random_play import play

MAX_DRAWS = 20_000
SEEDS = range(3)


def positions(game: AnyGame) -> Iterator[Any]:
    """Every position of some random matches in which somebody is to move."""
    for seed in SEEDS:
        yield from play(game, Random(seed), listed=False).states[:-1]


def missed(game: AnyGame, state: Any, random: Random) -> set[Any]:
    """The legal moves that were not drawn in many draws."""
    left = set(game.rules.legal_moves(state))
    for _ in range(MAX_DRAWS):
        left.discard(game.rules.random_move(state, random))
        if not left:
            break
    return left


@pytest.mark.uncounted
@pytest.mark.parametrize("game_id", GAMES)
def test_a_drawn_move_is_one_of_the_listed_ones(game_id: str) -> None:
    game, random = GAMES[game_id], Random(1)
    for state in positions(game):
        listed = set(game.rules.legal_moves(state))
        assert {game.rules.random_move(state, random) for _ in range(3)} <= listed


@pytest.mark.uncounted
@pytest.mark.slow
@pytest.mark.parametrize("game_id", GAMES)
def test_every_listed_move_is_drawn_sooner_or_later(game_id: str) -> None:
    game, random = GAMES[game_id], Random(1)
    every_length: dict[int, Any] = {}
    for state in positions(game):
        every_length.setdefault(len(list(game.rules.legal_moves(state))), state)
    tried = [state for length, state in every_length.items() if length <= 40]
    assert len(tried) > 12
    assert all(missed(game, state, random) == set() for state in tried)


@pytest.mark.parametrize("game_id", GAMES)
def test_the_same_seed_draws_the_same_moves_and_leaves_the_position_alone(game_id: str) -> None:
    game = GAMES[game_id]
    state = play(game, Random(1)).states[10]
    before = game.view.dump(state)
    first, again = ([game.rules.random_move(state, random) for _ in range(20)] for random in (Random(1), Random(1)))
    assert first == again
    assert len(set(first)) > 1
    assert game.view.dump(state) == before


@pytest.mark.parametrize("game_id", GAMES)
def test_nothing_is_drawn_when_the_match_is_over(game_id: str) -> None:
    game = GAMES[game_id]
    over = play(game, Random(1)).states[-1]
    assert game.rules.random_move(over, Random(1)) is None


def test_bits_come_in_ascending_order_and_each_once_when_drawn() -> None:
    assert list(bits(0b101_0001)) == [0, 4, 6]
    drawn = [list(bits(0b101_0001, Random(seed))) for seed in range(20)]
    assert all(sorted(order) == [0, 4, 6] for order in drawn)
    assert {order[0] for order in drawn} == {0, 4, 6}
