"""Results of finished matches as other programs want them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Played:
    """Who played, and how it ended for them."""

    player_id: str
    name: str
    points: int
    place: int
    winner: bool
    start: bool
    role: str
    """The colour, if it is known."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A finished match with its result."""

    match_id: str
    game: str
    game_name: str
    bgg_id: int | None
    ended_at: datetime
    """In the time zone of the installation, which says the day."""
    minutes: int | None
    """How long it took, if it was recorded at the table."""
    venue: str | None
    variant: str
    comments: str
    players: Sequence[Played]
    seats_known: bool = True
