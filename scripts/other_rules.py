"""Other rules of a game for a while, as after an upgrade of the service."""

from collections.abc import Iterator
from contextlib import contextmanager

from domain.game import AnyGame


@contextmanager
def other_rules_version(game: AnyGame) -> Iterator[None]:
    """Give the rules of a game the next version. Timelines of the game see it too."""
    present = game.rules_version
    object.__setattr__(game, "rules_version", present + 1)
    try:
        yield
    finally:
        object.__setattr__(game, "rules_version", present)
