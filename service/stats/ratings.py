"""Ratings: a model of strengths in the order of playing, recomputed from the last month that still holds."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import groupby
from typing import Any, Final
from uuid import UUID

from service.identity import as_text
from service.stats import plackett_luce
from service.store import ratings, statistics
from service.store.access import IN_POPULATION
from service.store.database import Connection, Database, is_alone
from service.store.ratings import ALL_GAMES, Line, Ranking, Rated
from service.store.statistics import Scope

LIKELY: Final = 1.96
"""Standard deviations to either side within which a strength lies with 95 %."""


def settle(database: Database) -> bool:
    """Bring all ratings up to date, unless somebody else is about it; whether anything was done."""
    with database.transaction() as connection:
        if not is_alone(connection, "carnet ratings"):
            return False
        marks = ratings.take_marks(connection)
        if marks:
            for population in IN_POPULATION:
                _recompute(connection, population, {**marks, ALL_GAMES: min(marks.values())})
        return bool(marks)


def _recompute(connection: Connection, population: str, marks: Mapping[str, date]) -> None:
    """Rate all matches of a month and later ones again, for each scope of its own, on top of those before."""
    since = {}
    for scope, month in marks.items():
        since[scope] = month if ratings.last_run(connection, population, scope) else date.min
        ratings.forget(connection, population, scope, since[scope])
        if not ratings.is_needed(connection, population, scope):
            ratings.forget(connection, population, scope, date.min)
            del since[scope]
    if not since:
        return
    rated = {scope: ratings.checkpoint(connection, population, scope) for scope in since}
    matches = ratings.rankings(connection, population, min(since.values()))
    for month, played in groupby(matches, key=lambda ranking: ranking.month):
        lines: dict[str, dict[str, list[Line]]] = {
            scope: defaultdict(list) for scope, first in since.items() if month >= first
        }
        for ranking in played:
            for scope in (ranking.game, ALL_GAMES):
                if scope in lines:
                    _keep(lines[scope], ranking, rate(rated[scope], ranking))
        for scope, of_scope in lines.items():
            ratings.keep_month(connection, population, scope, month, of_scope, rated[scope])
    for scope, of_all in rated.items():
        ratings.keep(connection, population, scope, of_all)


def _keep(lines: dict[str, list[Line]], ranking: Ranking, after: Sequence[Rated]) -> None:
    for player, (mu, sigma, _) in zip(ranking.players, after, strict=True):
        lines[player].append((ranking.match_id, ranking.played_at, mu, sigma))


def rate(rated: dict[str, Rated], ranking: Ranking) -> list[Rated]:
    """Let a match change the ratings of those who played it; what they are then."""
    before = [rated.get(player, UNKNOWN) for player in ranking.players]
    strengths = plackett_luce.rate(before, ranking.places)
    after = [Rated(mu, sigma, one.matches + 1) for (mu, sigma), one in zip(strengths, before, strict=True)]
    rated.update(zip(ranking.players, after, strict=True))
    return after


UNKNOWN: Final = Rated(*plackett_luce.UNKNOWN, 0)


def listed(connection: Connection, scope: Scope) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The players of the matches asked about by their rating, the certainly best first, and how up to date that is."""
    population, state = _state(connection, scope)
    rows = ratings.present(connection, population, state["scope"])
    if not scope.is_whole:
        among = statistics.players_in(connection, scope)
        rows = [row for row in rows if row["player_id"] in among]
    rows.sort(key=lambda row: (LIKELY * row["sigma"] - row["mu"], str(row["player_id"])))
    return [
        {
            "place": place,
            "player": {"id": str(row["player_id"]), "name": row["name"]},
            "matches": row["matches"],
            **_rating(row["mu"], row["sigma"]),
        }
        for place, row in enumerate(rows, 1)
    ], state


def history(connection: Connection, scope: Scope, player_id: UUID) -> dict[str, Any]:
    """How a player was rated after each of his matches."""
    population, state = _state(connection, scope)
    return {
        **state,
        "items": [
            {"match_id": match_id, "played_at": played_at, **_rating(mu, sigma)}
            for match_id, played_at, mu, sigma in ratings.history(
                connection, population, state["scope"], player_id, scope.since, scope.until
            )
        ],
    }


def _state(connection: Connection, scope: Scope) -> tuple[str, dict[str, Any]]:
    """The population whose ratings are to be told, and as of when they are."""
    of = scope.game or ALL_GAMES
    population = scope.population or "club"
    as_of = ratings.last_run(connection, population, of)
    if as_of is None:
        population = "public"
        as_of = ratings.last_run(connection, population, of)
    pending = ratings.count_marks(connection, of)
    return population, {"scope": of, "as_of": None if as_of is None else as_text(as_of), "pending": pending}


def _rating(mu: float, sigma: float) -> Mapping[str, Any]:
    """A rating as it is answered: where the strength lies in all likelihood."""
    return {"rating": mu, "sigma": sigma, "interval": [mu - LIKELY * sigma, mu + LIKELY * sigma]}
