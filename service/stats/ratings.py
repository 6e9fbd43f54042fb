"""Ratings: a model of strengths in the order of playing, recomputed from the last month that still holds."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date
from itertools import groupby
from operator import attrgetter
from typing import Annotated, Final, TypedDict
from uuid import UUID

from domain.catalogue import GAMES
from service.db import ratings, statistics
from service.db.pool import Connection, Database, lift_limits, limit_lock_wait, try_lock
from service.db.ratings import (
    ALL_GAMES,
    LINE_BYTES,
    Absence,
    Forecasts,
    PlayerMonth,
    Ranking,
    Rated,
    as_line,
)
from service.db.statistics import FactFilters
from service.http.shapes import Count, Id, Keywords, Time
from service.identity import text_of
from service.stats import plackett_luce
from service.stats.calibration import GameCalibration, MonthOfForecasts, described
from service.stats.filters import Counted, Envelope
from service.stats.intervals import Ends, Z
from service.stats.plackett_luce import UNKNOWN, Strength, after_absence
from service.stats.players import NamedPlayer
from service.stats.rating_points import PROVISIONAL_ABOVE, RatingPoints, is_provisional, points_of


class Rating(TypedDict):
    """Where a strength lies in all likelihood."""

    rating: float
    """The strength in the units of the model, where a newcomer has 25."""
    sigma: float
    """Its standard deviation."""
    interval: Ends
    points: RatingPoints
    provisional: Annotated[bool, Keywords(description=f"Whether `plus_minus` is above {PROVISIONAL_ABOVE:g} points.")]


class PresentRating(Rating):
    """A rating with the number of matches that it rests on."""

    matches: Count


class PlayerRating(PresentRating):
    """A player with their place and rating."""

    place: Count
    player: NamedPlayer


class PastRating(Rating):
    """The rating after one match."""

    match_id: Id
    played_at: Time


class RatingState(TypedDict):
    """Which ratings these are, and how up to date."""

    as_of: Time | None
    """When the ratings were computed; null before that was ever done."""
    scope: Annotated[
        str,
        Keywords(
            enum=[*GAMES, ALL_GAMES],
            description="`all` says how somebody does whatever is played; it compares nobody's skill in a game.",
        ),
    ]
    pending: Count
    """How many changes of matches they do not know of yet."""


class RatingPage(Counted, RatingState):
    """A page of a list of `Rating`."""

    items: list[PlayerRating]
    next: str | None


class RatedPlayer(RatingState):
    """How a player is rated now, and was after each of their matches."""

    present: PresentRating | None
    """The rating now, less certain by the months since the last match."""
    items: list[PastRating]


class RatingHistory(Counted, RatedPlayer):
    """The rating of a player after each match."""

    player: NamedPlayer


class RatingCalibration(Envelope):
    """What ratings predicted of the matches of each game."""

    items: list[GameCalibration]


MAX_WAIT_FOR_LOCKS: Final = "10s"
"""How long somebody may hold the matches before ratings are left for later."""


def settle(database: Database) -> bool:
    """Bring all ratings up to date, unless somebody else is about it; whether anything was done."""
    with database.transaction() as connection, database.snapshot() as reading:
        if not try_lock(connection, "carnet ratings"):
            return False
        lift_limits(connection)
        marks = ratings.take_marks(connection)
        # What is read is as of now, after the marks. PostgreSQL cannot see a circle of waiting that leads through us.
        lift_limits(reading)
        for waiting in (connection, reading):
            limit_lock_wait(waiting, MAX_WAIT_FOR_LOCKS)
        for population, months in marks.items():
            _recompute(connection, reading, population, {**months, ALL_GAMES: min(months.values())})
        return bool(marks)


def _recompute(connection: Connection, reading: Connection, population: str, marks: Mapping[str, date]) -> None:
    """Rate all matches of a month and later ones again, for each scope of its own, on top of those before."""
    since: dict[str, date] = {}
    standings: dict[str, _Standing] = {}
    for scope, month in marks.items():
        if not ratings.is_needed(connection, population, scope):
            ratings.forget(connection, population, scope, date.min)
            continue
        since[scope] = month if ratings.last_run(connection, population, scope) else date.min
        standings[scope] = _Standing(ratings.checkpoint(connection, population, scope, since[scope]))
        ratings.forget(connection, population, scope, since[scope])
    if not since:
        return
    matches = ratings.rankings(reading, population, min(since.values()))
    forecasts: list[Forecasts] = []
    ratings.keep_months(connection, population, _rate_months(matches, since, standings, forecasts))
    ratings.keep_forecasts(connection, population, forecasts)
    for scope, standing in standings.items():
        ratings.keep(connection, population, scope, standing.rated())


def _rate_months(
    matches: Iterable[Ranking],
    since: Mapping[str, date],
    standings: Mapping[str, "_Standing"],
    forecasts: list[Forecasts],
) -> Iterator[PlayerMonth]:
    """Let matches change the ratings of each scope from a month of its own on; what is to be kept of each month.

    What the ratings of one game predicted is added to the forecasts.
    """
    for month, of_month in groupby(matches, key=attrgetter("month")):
        played = list(of_month)
        for scope, first in since.items():
            if month >= first:
                standing = standings[scope]
                if scope == ALL_GAMES:
                    standing.rate(month, played)
                else:
                    predicted = MonthOfForecasts()
                    standing.rate(month, [match for match in played if match.game == scope], predicted)
                    forecasts.extend(predicted.rows(scope, month))
                yield from (PlayerMonth(scope, month, *lines) for lines in standing.take_lines())


class _Standing:
    """How all players are rated in one scope, and how they were after each match that is not kept yet."""

    def __init__(self, stored: Iterable[Rated]) -> None:
        self._strengths: defaultdict[bytes, Strength] = defaultdict(lambda: UNKNOWN)
        self._matches: Counter[bytes] = Counter()
        self._months: dict[bytes, date] = {}
        self._lines: defaultdict[bytes, bytearray] = defaultdict(bytearray)
        for rated in stored:
            self._strengths[rated.player] = (rated.mu, rated.sigma)
            self._matches[rated.player] = rated.matches
            self._months[rated.player] = rated.month

    def rate(self, month: date, played: Sequence[Ranking], predicted: MonthOfForecasts | None = None) -> None:
        """Update the ratings of the players of the matches of a month, and note what these predicted."""
        strengths, lines = self._strengths, self._lines
        for player in {player for match in played for player in match.players}:
            if missed := months_without(self._months.get(player, month), month):
                strengths[player] = after_absence(strengths[player], missed)
            self._months[player] = month
        for key, _, _, players, places in played:
            before = [*map(strengths.__getitem__, players)]
            after, chances = plackett_luce.rate(before, places)
            if predicted is not None:
                predicted.add(before, chances, places)
            for player, (mu, sigma) in zip(players, after, strict=True):
                strengths[player] = mu, sigma
                lines[player] += as_line(key, mu, sigma)

    def take_lines(self) -> Iterator[tuple[bytes, int, bytearray]]:
        """The pending rows: each player with their number of matches so far and their lines."""
        for player, lines in sorted(self._lines.items()):
            self._matches[player] += len(lines) // LINE_BYTES
            yield player, self._matches[player], lines
        self._lines.clear()

    def rated(self) -> Iterator[Rated]:
        """How all players are rated now."""
        for player, strength in sorted(self._strengths.items()):
            yield Rated(player, self._matches[player], self._months[player], *strength)


def months_without(last: date, month: date) -> int:
    """How many months lie between that of somebody's last match and another one."""
    return max(0, 12 * (month.year - last.year) + month.month - last.month - 1)


def listed(
    connection: Connection, filters: FactFilters, first: int, end: int | None
) -> tuple[list[PlayerRating], RatingState]:
    """The players of the matches asked about, highest cautious rating first, and how up to date that is.

    From one position up to another or to the last one.
    """
    population, state = _state(connection, filters)
    among = None if filters.is_whole else statistics.players_in(connection, filters)
    limit = None if end is None else end - first
    rows = ratings.present(connection, population, state["scope"], _absence(connection), Z, among, first, limit)
    return [
        {
            "place": place,
            "player": {"id": str(row.player_id), "name": row.name},
            "matches": row.matches,
            **_rating(row.mu, row.sigma),
        }
        for place, row in enumerate(rows, first + 1)
    ], state


def history(connection: Connection, filters: FactFilters, player_id: UUID) -> RatedPlayer:
    """How a player is rated now, and was after each of their matches."""
    population, state = _state(connection, filters)
    rows = ratings.present(connection, population, state["scope"], _absence(connection), Z, f"{{{player_id}}}")
    return {
        **state,
        "present": {"matches": rows[0].matches, **_rating(rows[0].mu, rows[0].sigma)} if rows else None,
        "items": [
            {"match_id": match_id, "played_at": played_at, **_rating(mu, sigma)}
            for match_id, played_at, mu, sigma in ratings.history(
                connection, population, state["scope"], player_id, filters.since, filters.until
            )
        ],
    }


def around_match(
    connection: Connection, population: str, game: str, player_id: UUID, match_id: UUID
) -> tuple[RatingPoints, RatingPoints] | None:
    """How a player was rated in a game before and after a match; None if the match is not rated, or not yet."""
    if ratings.last_run(connection, population, game) is None:
        population = "public"
    before = points_of(*UNKNOWN)
    for line in ratings.history(connection, population, game, player_id, None, None):
        after = points_of(line.mu, line.sigma)
        if line.match_id == str(match_id):
            return before, after
        before = after
    return None


def calibration(connection: Connection, filters: FactFilters) -> list[GameCalibration]:
    """For a game or for each, what ratings predicted of its matches beside how they ended."""
    items: list[GameCalibration] = []
    for game in GAMES if filters.game is None else [filters.game]:
        population, state = _state(connection, replace(filters, game=game))
        rows = ratings.forecasts(connection, population, game)
        items.append({"game": game, "as_of": state["as_of"], "pending": state["pending"], **described(rows)})
    return items


def _absence(connection: Connection) -> Absence:
    """How ratings of players who have not played lately become less certain until today."""
    today = next(statistics.now(connection)).astimezone(UTC).date()
    return Absence(today, plackett_luce.ABSENCE_SQUARED, UNKNOWN[1])


def _state(connection: Connection, filters: FactFilters) -> tuple[str, RatingState]:
    """The population whose ratings are returned, and their date."""
    of = filters.game or ALL_GAMES
    population = filters.population or "club"
    pending = ratings.count_marks(connection, population, of)
    as_of = ratings.last_run(connection, population, of)
    if as_of is None:
        population = "public"
        as_of = ratings.last_run(connection, population, of)
    return population, {"scope": of, "as_of": text_of(as_of), "pending": pending}


def _rating(mu: float, sigma: float) -> Rating:
    """A rating as it is answered: where the strength lies in all likelihood."""
    return {
        "rating": mu,
        "sigma": sigma,
        "interval": [mu - Z * sigma, mu + Z * sigma],
        "points": points_of(mu, sigma),
        "provisional": is_provisional(sigma),
    }
