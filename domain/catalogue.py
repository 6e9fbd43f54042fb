"""The games there are."""

from collections.abc import Mapping

from domain.game import AnyGame
from domain.games.cite_lumiere import CiteLumiere
from domain.games.paris import Paris

GAMES: Mapping[str, AnyGame] = {game.id: game for game in (CiteLumiere(), Paris())}
