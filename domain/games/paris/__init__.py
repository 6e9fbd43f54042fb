"""Paris, a game of Wolfgang Kramer and Michael Kiesling for two to four."""

from domain.editions import Editions
from domain.game import Game
from domain.games.paris import moves, notation, parts, rules, scoring, setup, statistics, telling, view
from domain.games.paris.edition import load_edition
from domain.games.paris.reasons import REASONS
from domain.games.paris.texts.schemas import PARTS, TEXTS
from domain.json_schema import describe

PARIS = Game(
    id="paris",
    title="Paris",
    seats=parts.SEATS,
    players=parts.PLAYERS,
    rules_version=1,
    tie_breaks=scoring.TIE_BREAKS,
    spaces=frozenset(parts.TABLE),
    reasons=REASONS,
    editions=Editions(__file__, load_edition, default="rulebook-2020"),
    setup=setup,
    move=moves,
    notation=notation,
    view=view,
    rules=rules,
    telling=telling,
    schemas=describe(PARTS, TEXTS, setup=setup.SCHEMA, move=moves.SCHEMA, state=view.SCHEMA),
    statistics=statistics,
)
