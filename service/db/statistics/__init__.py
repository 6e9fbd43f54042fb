"""Questions to what statistics know of matches: from sums where those are enough, else from the facts of each match."""

from service.db.statistics.figures import Counted, counts
from service.db.statistics.filters import FactFilters
from service.db.statistics.openings import Node, opening_depth, opening_tree
from service.db.statistics.pairs import Begun, Met, begun, meetings, opponents
from service.db.statistics.players import (
    PLAYER_ORDERS,
    Alike,
    Page,
    Totals,
    latest,
    latest_wins,
    played,
    player_points,
    player_totals,
    players_in,
)
from service.db.statistics.populations import has_sums, ids_of, now, population, read_only_snapshot, unfinished

__all__ = [
    "PLAYER_ORDERS",
    "Alike",
    "Begun",
    "Counted",
    "FactFilters",
    "Met",
    "Node",
    "Page",
    "Totals",
    "begun",
    "counts",
    "has_sums",
    "ids_of",
    "latest",
    "latest_wins",
    "meetings",
    "now",
    "opening_depth",
    "opening_tree",
    "opponents",
    "played",
    "player_points",
    "player_totals",
    "players_in",
    "population",
    "read_only_snapshot",
    "unfinished",
]
