"""What a move would give is the difference that it makes to the total of its seat, told item by item."""

from random import Random
from typing import Any

import pytest

from domain.catalogue import GAMES
from domain.game import AnyGame, Gain
from scripts.random_play import play

POSITIONS = 24
"""Positions of each match whose moves are all tried."""

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


def positions(game: AnyGame, seeds: range) -> list[Any]:
    """States of random matches in which a seat is to move."""
    drawn = []
    for seed in seeds:
        random = Random(seed)
        states = play(game, random, listed=False).states[:-1]
        drawn += random.sample(states, min(POSITIONS, len(states)))
    return drawn


def gains_of(game: AnyGame, state: Any, language: str = "en") -> dict[Any, Gain]:
    moves = list(game.rules.legal_moves(state))
    return dict(zip(moves, game.telling.gains(state, moves, language), strict=True))


@every_game
def test_a_gain_is_the_difference_that_the_move_makes(game: AnyGame) -> None:
    categories = set()
    for state in positions(game, range(6)):
        before = game.rules.totals(state)[state.to_move]
        for move, gain in gains_of(game, state).items():
            after = game.rules.totals(game.rules.apply(state, state.to_move, move))[state.to_move]
            assert gain.points == after - before == sum(item.points for item in gain.items), (state.ply, move)
            categories |= {item.category for item in gain.items}
    expected = {
        "cite-lumiere": {"lit", "group", "unbuilt", "postcards"},
        "paris": {"points", "district", "francs_tile"},
    }
    assert categories == expected[game.id]


@every_game
@pytest.mark.parametrize("language", ["en", "pl", "cs", "pt"])
def test_gains_are_told_in_a_few_words(game: AnyGame, language: str) -> None:
    gains = {
        item.text
        for state in positions(game, range(2))
        for gain in gains_of(game, state, language).values()
        for item in gain.items
    }
    assert gains
    assert all(len(text) < 40 and not set(text) & set("{}_[]") and "None" not in text for text in gains)
    if game.id == "cite-lumiere":
        lamp = {"en": "1 lamp × ", "pl": "1 latarnia × ", "cs": "1 lampa × ", "pt": "1 candeeiro × "}[language]
        assert any(text.startswith(lamp) for text in gains)
