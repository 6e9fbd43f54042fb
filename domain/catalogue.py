"""The games there are."""

from collections.abc import Mapping

from domain.game import AnyGame
from domain.games.cite_lumiere import CITE_LUMIERE
from domain.games.paris import PARIS

GAMES: Mapping[str, AnyGame] = {game.id: game for game in (CITE_LUMIERE, PARIS)}
