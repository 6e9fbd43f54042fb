"""The games there are."""

from collections.abc import Mapping

from domain.cite_lumiere import CiteLumiere
from domain.game import AnyGame

GAMES: Mapping[str, AnyGame] = {game.id: game for game in (CiteLumiere(),)}
