"""Tic-tac-toe, the smallest whole game: what `scripts.new_game` copies, and what the history is tried on besides."""

from domain.editions import Editions
from domain.game import Game
from tests.domain.example_game import moves, notation, parts, rules, setup, statistics, telling, view
from tests.domain.example_game.edition import load_edition
from tests.domain.example_game.reasons import REASONS

EXAMPLE_GAME = Game(
    id="example-game",
    title="Tic-tac-toe",
    seats=parts.SEATS,
    players=range(2, 3),
    rules_version=1,
    tie_breaks=(),
    spaces=frozenset(parts.SPACES),
    reasons=REASONS,
    editions=Editions(__file__, load_edition, default="standard"),
    setup=setup,
    move=moves,
    notation=notation,
    view=view,
    rules=rules,
    telling=telling,
    schemas={"setup": setup.SCHEMA, "move": moves.SCHEMA, "state": view.SCHEMA},
    statistics=statistics,
)
