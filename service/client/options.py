"""What the client takes where it is easier to write than what the API takes: times as `datetime`, and options."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Literal, TypeAlias, TypedDict

from .documents import Status, Visibility

Moment: TypeAlias = str | date | datetime
"""A time as a text in the form of RFC 3339 or as an aware `datetime`; in filters also a plain date."""


class NewDetails(TypedDict, total=False):
    """Details of a new match."""

    played_at: Moment | None
    venue: str | None
    tags: Sequence[str]
    visibility: Visibility


class Change(TypedDict):
    """Something that happened to a match.

    The data of `changed` are `version`, `ply`, `from_ply` (the first frame to fetch again), `kind` and `status`.
    """

    event: str
    data: dict[str, Any]


class MatchFilters(TypedDict, total=False):
    """Filters of lists of matches; all of several players or tags must match, and `until` is exclusive."""

    game: str
    edition: str
    player: Sequence[str]
    status: Status
    tag: Sequence[str]
    venue: str
    visibility: Visibility
    since: Moment
    until: Moment
    sort: Literal["played_at", "activity"]
    mine: bool
    include: Literal["board"]


class GameStatisticsFilters(TypedDict, total=False):
    """Filters of the statistics of a game; all of several players or tags must match, and `until` is exclusive."""

    edition: str
    variant: str
    player: Sequence[str]
    tag: Sequence[str]
    venue: str
    player_count: Sequence[int]
    recorded: Literal["moves", "result"]
    rulings: Literal["include", "exclude"]
    since: Moment
    until: Moment
    tz: str
    population: Literal["public", "club"]
    mine: bool


class StatisticsFilters(GameStatisticsFilters, total=False):
    """Filters of statistics, over all games or one."""

    game: str


StatisticsOrder: TypeAlias = Literal["matches", "name", "win_rate", "wins_above_expectation"]


class CorrectionOptions(TypedDict, total=False):
    """Options of a correction: whether later moves may be cut off, and whether it is only a preview."""

    truncate: bool
    dry_run: bool
    if_match: int | None
