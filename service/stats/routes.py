"""Statistics: who wins and why, each figure with how much is known of it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, TypedDict
from uuid import UUID

from flask import Response
from marshmallow import Schema, fields, validate

from domain.catalogue import GAMES
from domain.forms import FieldError
from service.auth.authentication import current_principal, refuse
from service.context import services
from service.db import statistics
from service.db.pool import Connection
from service.db.principals import IN_POPULATION
from service.http.errors import malformed
from service.http.fields import Id, Paging, QueryInteger, QueryLanguage
from service.http.locale import request_language
from service.http.pagination import read_position, write_position
from service.http.responses import answer
from service.http.routing import Blueprint
from service.permissions import Right
from service.players.people import require_met
from service.stats import games, players, ratings
from service.stats.conventions import CONVENTIONS, About
from service.stats.facts import MAX_OPENING_DEPTH, ROOT
from service.stats.filters import StatisticsQuery, counted, envelope, filters_of
from service.stats.games import FeatureStatistics, GameStatistics, OpeningStatistics
from service.stats.players import HeadToHead, NamedPlayer, PlayerStatistics, PlayerStatisticsPage
from service.stats.ratings import RatingCalibration, RatingHistory, RatingPage
from service.stats.tables import answer_openings, answer_statistics, answer_statistics_page, wants_table

blueprint = Blueprint("stats", __name__, url_prefix="/api/v1/stats", description="Who wins, and why.")
_statistic = partial(blueprint.get, right=Right.VISIT, csv=True, problems=("sign-in-needed",))


class Convention(TypedDict):
    """A term with what it means."""

    term: str
    """The name of a member of statistics."""
    about: About


class Conventions(TypedDict):
    """The terms of statistics, each with what it means."""

    items: list[Convention]


class ConventionsQuery(Schema):
    """The language of the sentences."""

    lang = QueryLanguage()


class PlayersQuery(StatisticsQuery, Paging):
    """Which matches to count, and in which order to list whom."""

    sort = fields.String(load_default="matches", validate=validate.OneOf(players.SORTS))


class RatingsQuery(StatisticsQuery, Paging):
    """Whose ratings to list: of those who sat in these matches."""


class LanguageQuery(StatisticsQuery):
    """Which matches to count, and the language in which features are defined."""

    lang = QueryLanguage()


class CalibrationQuery(Schema):
    """Whose ratings to look at; they rest on all matches of a game."""

    game = fields.String(validate=validate.OneOf(list(GAMES)))
    population = fields.String(validate=validate.OneOf(list(IN_POPULATION)))


class Pair(StatisticsQuery):
    """Which matches to count, and the two players."""

    a = Id(required=True)
    b = Id(required=True)


class OpeningsQuery(StatisticsQuery, Paging):
    """Which matches to count, and which part of the tree to show."""

    depth = QueryInteger(load_default=1, validate=validate.Range(1, MAX_OPENING_DEPTH))
    under = fields.String(validate=validate.Regexp("^[0-9a-f]{16}$"))


@_statistic("/players", query=PlayersQuery, answer=PlayerStatisticsPage)
def list_player_statistics(query: dict[str, Any]) -> Response:
    """All players: matches, wins, and wins beyond what chance would give.

    A shared win counts as a part for each of those who share it. Points are told where one game is asked for. As CSV it
    is the whole list, whatever `limit` and `cursor` are.
    """
    first, limit = read_position(query.get("cursor")), query["limit"]
    with _snapshot(query) as connection:
        filters = filters_of(connection, query)
        bounds = (0, None) if wants_table() else (first, first + limit + 1)
        items = players.table(connection, filters, query["sort"], *bounds)
        document: PlayerStatisticsPage = {**envelope(connection, filters, query), "items": items, "next": None}
        return answer_statistics_page(document, PlayerStatisticsPage, first, limit)


@_statistic("/players/<uuid:player_id>", query=LanguageQuery, answer=PlayerStatistics)
def get_player_statistics(query: dict[str, Any], player_id: UUID) -> Response:
    """One player: results by seat, mover and number of players, streaks and opponents.

    Points and features are told where one game is asked for. Features compare the win rate less what chance gives, one
    by the number of players a match, with and without them. Those met as first player are others than those met as a
    later one, since the loser begins; so the two are not compared.
    """
    with _snapshot(query) as connection:
        named, ids = _player(connection, player_id)
        filters = filters_of(connection, query)
        figures = players.player(connection, filters, ids, request_language())
        document: PlayerStatistics = {**envelope(connection, filters, query), "player": named, **figures}
        return answer_statistics(document, PlayerStatistics)


@_statistic("/players/<uuid:player_id>/ratings", query=StatisticsQuery, answer=RatingHistory)
def get_rating_history(query: dict[str, Any], player_id: UUID) -> Response:
    """How a player was rated after each match, in one game or over all.

    `from` and `to` choose the stretch; a rating itself rests on all matches before.
    """
    with _snapshot(query) as connection:
        named, _ = _player(connection, player_id)
        filters = filters_of(connection, query)
        history = ratings.history(connection, filters, UUID(named["id"]))
        document: RatingHistory = {**counted(connection, filters, query), "player": named, **history}
        return answer_statistics(document, RatingHistory)


@_statistic("/head-to-head", query=Pair, answer=HeadToHead, problems=("not-found", "sign-in-needed"))
def get_head_to_head(query: dict[str, Any]) -> Response:
    """Two players in the matches in which both sat.

    Who was placed before the other how often, and by how many points where one game is asked for. Wins stand beside
    what chance would give, since others won too where there were more players.
    """
    with _snapshot(query) as connection:
        (a, ids), (b, others) = _player(connection, query["a"]), _player(connection, query["b"])
        if a["id"] == b["id"]:
            raise malformed([FieldError("/b", "must be another player than a")])
        filters = filters_of(connection, query)
        figures = players.head_to_head(connection, filters, ids, others)
        document: HeadToHead = {**envelope(connection, filters, query), "a": a, "b": b, **figures}
        return answer_statistics(document, HeadToHead)


@_statistic("/games/<game_id>", query=StatisticsQuery, answer=GameStatistics)
def get_game_statistics(query: dict[str, Any], game_id: str) -> Response:
    """One game: length, points, lead changes, draws, and the advantage of whoever begins.

    Variants are kept apart; without `variant` it is the plain game.
    """
    with _snapshot(query) as connection:
        filters = filters_of(connection, query, game_id)
        figures = games.game(connection, filters)
        document: GameStatistics = {**envelope(connection, filters, query), "game": game_id, **figures}
        return answer_statistics(document, GameStatistics)


@_statistic("/games/<game_id>/features", query=LanguageQuery, answer=FeatureStatistics)
def list_feature_statistics(query: dict[str, Any], game_id: str) -> Response:
    """How often each feature is had, and how seats with it and without it fare.

    Seats are compared within a match only, in matches in which some have the feature and others do not. The intervals
    of the differences hold for all features together (Bonferroni).
    """
    with _snapshot(query) as connection:
        filters = filters_of(connection, query, game_id)
        items = games.features(connection, filters, request_language())
        document: FeatureStatistics = {**envelope(connection, filters, query), "items": items}
        return answer_statistics(document, FeatureStatistics)


@_statistic("/games/<game_id>/openings", query=OpeningsQuery, answer=OpeningStatistics)
def get_opening_statistics(query: dict[str, Any], game_id: str) -> Response:
    """The tree of first moves.

    `depth` moves below the root or the node `under`, six moves from the start at most. Nodes that fewer than five
    matches went through are pooled. The moves that follow on the node come in pages; further down the `limit` most
    frequent ones are shown, and the others pooled too. As CSV it is the whole tree.
    """
    first, limit = read_position(query.get("cursor")), query["limit"]
    under = int(query["under"], 16) if "under" in query else ROOT
    with _snapshot(query) as connection:
        filters = filters_of(connection, query, game_id)
        bounds = (0, None) if wants_table() else (first, limit)
        openings, has_more = games.openings(connection, filters, under, query["depth"], *bounds)
        document: OpeningStatistics = {
            **envelope(connection, filters, query),
            "game": game_id,
            **openings,
            "next": None,
        }
        return answer_openings(document, write_position(first + limit) if has_more else None)


@blueprint.get("/conventions", Right.FREE, query=ConventionsQuery, answer=Conventions)
def list_conventions(query: dict[str, Any]) -> Response:
    """What the terms of statistics mean, in one sentence each.

    `term` is the name that members of the answers have. `definitions` of a game say what features, changes of the lead
    and openings are there.
    """
    del query  # the language is that of the request
    terms = CONVENTIONS[request_language()]
    document: Conventions = {"items": [{"term": term, "about": about} for term, about in terms.items()]}
    return answer(document)


@_statistic("/ratings", query=RatingsQuery, answer=RatingPage)
def list_ratings(query: dict[str, Any]) -> Response:
    """All players by their rating in one game or over all, highest cautious rating first.

    The filters choose whose ratings are listed; a rating rests on all matches of the game. As CSV it is the whole list,
    whatever `limit` and `cursor` are.
    """
    first, limit = read_position(query.get("cursor")), query["limit"]
    with _snapshot(query) as connection:
        filters = filters_of(connection, query)
        bounds = (0, None) if wants_table() else (first, first + limit + 1)
        items, state = ratings.listed(connection, filters, *bounds)
        document: RatingPage = {**counted(connection, filters, query), **state, "items": items, "next": None}
        return answer_statistics_page(document, RatingPage, first, limit)


@_statistic("/ratings/calibration", query=CalibrationQuery, answer=RatingCalibration)
def get_rating_calibration(query: dict[str, Any]) -> Response:
    """What ratings predicted of the matches of each game, and how these ended.

    So one sees how far they can be relied on. A match is predicted from the ratings before it, and counts if none of
    them was provisional.
    """
    with statistics.read_only_snapshot(services().database) as connection:
        filters = filters_of(connection, query)
        items = ratings.calibration(connection, filters)
        document: RatingCalibration = {**envelope(connection, filters, query), "items": items}
        return answer_statistics(document, RatingCalibration)


@contextmanager
def _snapshot(query: Mapping[str, Any]) -> Iterator[Connection]:
    """The database as it is now; those of whom nothing is known are refused their own matches.

    Without sign-in all matches are one's own.
    """
    with statistics.read_only_snapshot(services().database) as connection:
        if "mine" in query and current_principal().account_id is None and not current_principal().is_local:
            refuse()
        yield connection


def _player(connection: Connection, player_id: UUID) -> tuple[NamedPlayer, list[UUID]]:
    """A player whom the principal knows or finds in matches, and all their ids."""
    row = require_met(connection, player_id)
    return {"id": str(row["player_id"]), "name": row["name"]}, statistics.ids_of(connection, [row["player_id"]])[0]
