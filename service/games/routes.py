"""Routes of games and of their editions, built-in ones and those of users."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypedDict
from uuid import UUID

from flask import Response
from marshmallow import Schema, fields

from domain.catalogue import GAMES
from domain.game import AnyGame, JsonObject, Kind
from service.auth.authentication import current_principal, viewer
from service.context import services
from service.db import editions
from service.db.pool import Connection
from service.errors import UnknownEdition
from service.games.editions import (
    MAX_EDITIONS,
    Edition,
    amend_edition,
    edition_document,
    readable_edition,
    require_room_for_edition,
)
from service.http.errors import not_found
from service.http.fields import MAX_NAME, Json, Paging, QueryLanguage, Text
from service.http.idempotency import Fresh, IdempotentWrite
from service.http.locale import request_language
from service.http.pagination import answer_items, answer_page, read_position, write_position
from service.http.responses import answer, lines, wants_lines
from service.http.routing import Blueprint
from service.http.shapes import Count, GameId, Page, Seat, Time
from service.identity import text_of
from service.permissions import Right

blueprint = Blueprint("games", __name__, url_prefix="/api/v1/games", description="Games and their editions.")


class Game(TypedDict):
    """A game, with its seats and editions."""

    id: GameId
    title: str
    seats: Sequence[Seat]
    min_players: Count
    max_players: Count
    editions: list[str]
    default_edition: str
    """The edition of matches that name none."""
    rules_version: Count
    """The version of the rules that the service plays by."""


class Refusal(TypedDict):
    """A reason for which the rules refuse a move: its kind, and the section of the rules."""

    kind: Kind
    """A table ruling can record a move that breaks only rules of kind `rule`."""
    rule: str
    """The section of the written rules."""


class GameDetails(Game):
    """A game with the JSON Schemas of its set-up, moves and state, and with its refusals."""

    tie_breaks: Sequence[str]
    """What decides between equal points, in this order."""
    schemas: Mapping[str, JsonObject]
    """JSON Schemas of its set-up, moves and state."""
    definitions: Mapping[str, str]
    """Each feature of statistics, `lead_changes` and `opening` in one sentence."""
    refusals: dict[str, Refusal]
    """Every code that an illegal move can carry."""


class EditionSummary(TypedDict):
    """An edition in a list, without its values."""

    id: str
    title: str
    based_on: str | None
    """The edition that it was made from, if a user made it."""
    own: bool
    """Whether it is offered to the reader for new matches."""
    created_at: Time | None


class GameQuery(Schema):
    """The language of definitions."""

    lang = QueryLanguage()


class NewEdition(Schema):
    """An edition that differs from another in some values."""

    title = Text(MAX_NAME, required=True)
    based_on = fields.String(required=True)
    changes = Json("EditionChanges", required=True)


@blueprint.get("", Right.VISIT, query=Paging, answer=Page[Game])
def list_games(query: dict[str, Any]) -> Response:
    """All games.

    `editions` has the built-in ones and the reader's own, the latest 50 of them.
    """
    with services().database.reading() as connection:
        items = [_document(connection, game) for game in GAMES.values()]
    return answer_items(items, query)


@blueprint.get("/<game_id>", Right.VISIT, query=GameQuery, answer=GameDetails)
def get_game(query: dict[str, Any], game_id: str) -> Response:
    """One game, with the JSON Schemas of its set-up, moves and state.

    `refusals` lists every code that an illegal move can carry, with its kind and the section of the rules it
    breaks. `definitions` say what each feature of statistics is, and what changes of the lead and openings are here.
    """
    del query  # the language is that of the request
    game = services().game(game_id)
    with services().database.reading() as connection:
        document = _document(connection, game)
    details: GameDetails = {
        **document,
        "tie_breaks": game.tie_breaks,
        "schemas": game.schemas,
        "refusals": {code: {"kind": why.kind, "rule": why.rule} for code, why in game.reasons.items()},
        "definitions": game.statistics.definitions(request_language()),
    }
    return answer(details)


@blueprint.get("/<game_id>/editions", Right.VISIT, query=Paging, answer=Page[EditionSummary])
def list_editions(query: dict[str, Any], game_id: str) -> Response:
    """The editions of a game that the reader may read.

    The built-in ones first, then those of users.
    """
    game = services().game(game_id)
    shipped = [_summary(edition.id, edition.title) for edition in game.editions.values()]
    first, limit = (0, None) if wants_lines() else (read_position(query.get("cursor")), query["limit"])
    with services().database.reading() as connection:
        last = None if limit is None else limit + 1
        rows = editions.page(connection, game.id, viewer(), max(0, first - len(shipped)), last)
    items = shipped[first:] + [
        _summary(str(row["edition_id"]), row["title"], row["based_on"], row["own"], row["created_at"]) for row in rows
    ]
    if limit is None:
        return lines(lambda: iter(items))
    return answer_page(items, limit, lambda: write_position(first + limit))


@blueprint.get("/<game_id>/editions/<edition_id>", Right.VISIT, answer=Edition)
def get_edition(game_id: str, edition_id: str) -> Response:
    """An edition: every value with its source.

    Editions are immutable. Each value says where it comes from: the rulebook, a public source, an assumption or a
    user. One that a user made is for its maker and for who finds a match in lists that is played with it; other readers
    of such a match read it by `/matches/{match_id}/edition`.
    """
    game = services().game(game_id)
    with services().database.reading() as connection:
        try:
            edition = readable_edition(connection, game, edition_id)
        except UnknownEdition:
            raise not_found("edition") from None
    return answer(edition_document(edition))


@blueprint.post(
    "/<game_id>/editions",
    Right.RECORD,
    body=NewEdition,
    answer=Edition,
    status=201,
    location="/api/v1/games/{game}/editions/{edition}",
    idempotent=True,
    problems=("too-many-editions", "unknown-edition"),
)
def create_edition(body: dict[str, Any], game_id: str, idempotently: IdempotentWrite) -> Response:
    """Make an edition of one's own box.

    It is for new matches, and for those that are taken to it by a correction. `changes` is a merge patch on the bare
    values; what it touches gets the source `user`.
    """
    game = services().game(game_id)

    def act(connection: Connection) -> Fresh[None]:
        require_room_for_edition(connection)
        base = readable_edition(connection, game, body["based_on"])
        edition = amend_edition(game, base, body["title"], body["changes"], "/changes")
        editions.insert(connection, UUID(edition.id), base.id, edition.document, current_principal().account_id)
        return Fresh(None, {"edition_id": edition.id})

    stored = idempotently(act).stored
    with services().database.transaction() as connection:
        edition = services().edition(connection, game, stored["edition_id"])
    return answer(edition_document(edition))


def _summary(
    edition_id: str, title: str, based_on: str | None = None, own: bool = False, created_at: datetime | None = None
) -> EditionSummary:
    return {"id": edition_id, "title": title, "based_on": based_on, "own": own, "created_at": text_of(created_at)}


def _document(connection: Connection, game: AnyGame) -> Game:
    return {
        "id": game.id,
        "title": game.title,
        "seats": game.seats,
        "min_players": game.players[0],
        "max_players": game.players[-1],
        "editions": [*game.editions, *editions.latest_own(connection, game.id, viewer(), MAX_EDITIONS)],
        "default_edition": game.editions.default.id,
        "rules_version": game.rules_version,
    }
