"""The games there are."""

from collections.abc import Mapping

from domain.cite_lumiere import CiteLumiere
from domain.game import AnyGame
from domain.paris import Paris

GAMES: Mapping[str, AnyGame] = {game.id: game for game in (CiteLumiere(), Paris())}
