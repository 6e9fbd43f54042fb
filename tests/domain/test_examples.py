"""The examples in docstrings say what happens."""

import doctest

from domain import game, match


def test_the_example_of_the_contract_is_true() -> None:
    assert doctest.testmod(game) == (0, 7)


def test_the_example_of_the_history_is_true() -> None:
    assert doctest.testmod(match) == (0, 16)
