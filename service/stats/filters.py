"""Which matches statistics are asked about, and what every answer says of that."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Final, Literal, TypeAlias, TypedDict, cast, get_args

from marshmallow import fields, validate

from domain.catalogue import GAMES
from domain.forms import FieldError
from service.auth.authentication import current_principal, refuse, viewer
from service.db import statistics
from service.db.categories import REASONS
from service.db.pool import Connection
from service.db.principals import IN_POPULATION
from service.db.statistics import FactFilters
from service.http import shapes
from service.http.errors import malformed, not_found
from service.http.fields import FilterValues, Id, Period, QueryInteger, QueryText
from service.http.shapes import Count, GameId, Keywords, Time
from service.identity import as_text
from service.permissions import Population, population_for
from service.stats.codes import unpack_population

MIN_PLAYERS: Final = min(game.players[0] for game in GAMES.values())
MAX_PLAYERS: Final = max(game.players[-1] for game in GAMES.values())
VARIANTS: Final = sorted({variant for game in GAMES.values() for variant in game.statistics.VARIANTS})
Recorded: TypeAlias = Literal["moves", "result"]
Rulings: TypeAlias = Literal["include", "exclude"]


class StatisticsQuery(Period):
    """Which matches to count; repeated `tag` and `player` mean that all of them must be there.

    Repeated `player_count` means any of these numbers of players. `recorded` selects matches with moves, or those of
    which the result alone is known. Table rulings keep a match out of points, features and openings unless its owner
    wants it otherwise; `rulings` includes such matches in all figures or excludes them from all.
    """

    game = fields.String(validate=validate.OneOf(list(GAMES)))
    edition = QueryText()
    variant = fields.String(validate=validate.OneOf(VARIANTS))
    player = FilterValues(Id())
    tag = FilterValues(QueryText())
    venue = QueryText()
    player_count = FilterValues(QueryInteger(validate=validate.Range(MIN_PLAYERS, MAX_PLAYERS)))
    recorded = fields.String(validate=validate.OneOf(get_args(Recorded)))
    rulings = fields.String(validate=validate.OneOf(get_args(Rulings)))
    population = fields.String(validate=validate.OneOf(list(IN_POPULATION)))
    mine = fields.String(validate=validate.OneOf(["1"]))


class PopulationOutcomeOnly(TypedDict, total=False):
    """Those of them that do not count in points, length, features and openings, by reason."""

    ruling: Count
    """Those with a table ruling."""
    corrected_edition: Count
    """Those of an edition with a corrected value."""


class PopulationExcluded(TypedDict, total=False):
    """The matches that do not count, by reason.

    Of unfinished ones the latest 1,000 of each game and visibility are looked at.
    """

    in_progress: Count
    """Those that have not ended."""
    abandoned: Count
    withdrawn: Count
    """Those that were entered by mistake and hidden."""
    ruling: Count
    """Those with a table ruling."""
    custom_edition: Count
    """Those of an edition that a user made."""
    rules_conflict: Count
    """Those that no longer fit the rules."""


class PopulationDocument(TypedDict):
    """How many matches count, and how many do not, by the first reason that applies."""

    name: Annotated[str, Keywords(enum=[*IN_POPULATION, "mine"])]
    """Whether the matches of the club count beside the public ones."""
    included: Count
    """The matches that count in wins, places and ratings."""
    outcome_only: PopulationOutcomeOnly
    excluded: PopulationExcluded


StatisticsFilters = TypedDict(
    "StatisticsFilters",
    {
        "game": GameId | None,
        "edition": str | None,
        "variant": str | None,
        "player": list[shapes.Id],
        "from": Time | None,
        "to": Annotated[Time | None, Keywords(description="The first moment that no longer counts.")],
        "tag": list[str],
        "venue": str | None,
        "player_count": list[Annotated[int, Keywords(minimum=MIN_PLAYERS, maximum=MAX_PLAYERS)]],
        "recorded": Recorded | None,
        "rulings": Rulings | None,
    },
)
StatisticsFilters.__doc__ = "The filters that the figures were asked for with."


class Counted(TypedDict):
    """The matches that figures count."""

    filters: StatisticsFilters
    population: PopulationDocument


class Envelope(Counted):
    """The matches that figures count, and when they did."""

    as_of: Time
    """When this held."""


def filters_of(connection: Connection, query: Mapping[str, Any], game_id: str | None = None) -> FactFilters:
    """The matches that a query selects; for one game without a variant the plain one. Raise `Problem`."""
    if game_id is not None:
        if game_id not in GAMES:
            raise not_found("game")
        if query.get("game", game_id) != game_id:
            raise malformed([FieldError("/game", f"must be {game_id} or absent")])
    players = tuple(dict.fromkeys(query.get("player", ())))
    tags = tuple(query.get("tag", ()))
    return FactFilters(
        game=game_id or query.get("game"),
        edition=query.get("edition"),
        variant=query.get("variant", GAMES[game_id].statistics.VARIANTS[0] if game_id is not None else None),
        population=None if "mine" in query else _population(query.get("population")),
        viewer=viewer().account_id,
        sees_all=viewer().sees_all,
        since=query.get("since"),
        until=query.get("until"),
        tags=tags,
        has_tag_sums=statistics.has_sums(connection, tags),
        venue=query.get("venue"),
        players=tuple(map(tuple, statistics.ids_of(connection, players))),
        player_counts=tuple(sorted(set(query.get("player_count", ())))),
        recorded=query.get("recorded"),
        rulings=query.get("rulings"),
    )


def _population(wanted: str | None) -> str:
    """The widest population that the principal may see, or a narrower one on request."""
    widest = population_for(current_principal())
    if wanted == Population.CLUB and widest is Population.PUBLIC:
        refuse()
    return wanted or str(widest)


def envelope(connection: Connection, filters: FactFilters, query: Mapping[str, Any]) -> Envelope:
    """What an answer is about, as of when, and how many matches count or do not."""
    now = statistics.now(connection)
    numbers = counted(connection, filters, query)
    return {"as_of": as_text(next(now)), **numbers}


def counted(connection: Connection, filters: FactFilters, query: Mapping[str, Any]) -> Counted:
    """What an answer is about, and how many matches count or do not."""
    finished, others = statistics.population(connection, filters), statistics.unfinished(connection, filters)
    population, unfinished = unpack_population(dict(finished), filters.selection), dict(others)
    excluded = {reason: unfinished.get(reason, 0) + population.excluded.get(reason, 0) for reason in REASONS}
    return {
        "filters": _filters(filters, query),
        "population": {
            "name": "mine" if filters.population is None else filters.population,
            "included": population.included,
            "outcome_only": cast(PopulationOutcomeOnly, _counts(population.outcome_only)),
            "excluded": cast(PopulationExcluded, _counts(excluded)),
        },
    }


def _counts(numbers: Mapping[str, int]) -> dict[str, int]:
    return {reason: number for reason, number in numbers.items() if number}


def _filters(filters: FactFilters, query: Mapping[str, Any]) -> StatisticsFilters:
    return {
        "game": filters.game,
        "edition": filters.edition,
        "variant": filters.variant,
        "player": [str(player) for player in query.get("player", ())],
        "from": _time(filters.since),
        "to": _time(filters.until),
        "tag": list(filters.tags),
        "venue": filters.venue,
        "player_count": list(filters.player_counts),
        "recorded": cast(Recorded | None, filters.recorded),
        "rulings": cast(Rulings | None, filters.rulings),
    }


def _time(moment: datetime | None) -> str | None:
    """A moment as it is answered; one at the very ends of time has no form in UTC."""
    if moment is None:
        return None
    try:
        return as_text(moment)
    except OverflowError:
        return moment.isoformat()
