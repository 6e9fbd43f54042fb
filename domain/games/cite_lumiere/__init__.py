"""Paris: La Cité de la Lumière, a game for two."""

from domain.editions import Editions
from domain.game import Game
from domain.games.cite_lumiere import board, features, moves, rules, scoring, setup, telling, wire
from domain.games.cite_lumiere.edition import load_edition
from domain.games.cite_lumiere.refusals import REASONS

CITE_LUMIERE = Game(
    id="cite-lumiere",
    title="Paris: La Cité de la Lumière",
    seats=moves.SEATS,
    players=range(2, 3),
    rules_version=1,
    tie_breaks=scoring.TIE_BREAKS,
    spaces=frozenset(board.NAMES),
    reasons=REASONS,
    editions=Editions(__file__, load_edition, default="devir-2019"),
    setup=setup,
    move=moves,
    view=wire,
    rules=rules,
    telling=telling,
    statistics=features,
)
