"""Paris, a game of Wolfgang Kramer and Michael Kiesling for two to four."""

from domain.editions import Editions
from domain.game import Game
from domain.games.paris import board, features, moves, rules, scoring, setup, telling, wire
from domain.games.paris.edition import load_edition
from domain.games.paris.refusals import REASONS

PARIS = Game(
    id="paris",
    title="Paris",
    seats=board.SEATS,
    players=board.PLAYERS,
    rules_version=1,
    tie_breaks=scoring.TIE_BREAKS,
    spaces=frozenset(board.TABLE),
    reasons=REASONS,
    editions=Editions(__file__, load_edition, default="rulebook-2020"),
    setup=setup,
    move=moves,
    view=wire,
    rules=rules,
    telling=telling,
    statistics=features,
)
