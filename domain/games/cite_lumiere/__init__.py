"""Paris: La Cité de la Lumière, a game for two."""

from domain.editions import Editions
from domain.game import Game
from domain.games.cite_lumiere import board, moves, notation, parts, rules, scoring, setup, statistics, telling, view
from domain.games.cite_lumiere.edition import load_edition
from domain.games.cite_lumiere.reasons import REASONS
from domain.games.cite_lumiere.texts.schemas import PARTS, TEXTS
from domain.json_schema import describe

CITE_LUMIERE = Game(
    id="cite-lumiere",
    title="Paris: La Cité de la Lumière",
    seats=parts.SEATS,
    players=range(2, 3),
    rules_version=1,
    tie_breaks=scoring.TIE_BREAKS,
    spaces=frozenset(board.NAMES),
    reasons=REASONS,
    editions=Editions(__file__, load_edition, default="devir-2019"),
    setup=setup,
    move=moves,
    notation=notation,
    view=view,
    rules=rules,
    telling=telling,
    schemas=describe(PARTS, TEXTS, setup=setup.SCHEMA, move=moves.SCHEMA, state=view.SCHEMA),
    statistics=statistics,
)
