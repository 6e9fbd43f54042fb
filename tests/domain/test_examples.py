"""The examples in docstrings say what happens."""

import doctest

from domain import match


def test_the_example_of_the_history_is_true() -> None:
    assert doctest.testmod(match) == (0, 16)
