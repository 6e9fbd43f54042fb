"""The games there are, and their editions: those that come along and those that users make."""

from collections.abc import Mapping
from typing import Any

from flask import Response
from marshmallow import Schema, fields

from domain.catalogue import GAMES
from domain.game import AnyGame, Edition, Malformed
from service.access.rights import Right
from service.api import Blueprint
from service.carnet import carnet
from service.fields import LONGEST_NAME, Json, Paging, Text
from service.identity import new_id
from service.matches.reading import replay_header
from service.problems import Problem, malformed, not_found
from service.requests import once
from service.responses import answer, answer_items
from service.store import editions
from service.store.database import Connection

blueprint = Blueprint("games", __name__, url_prefix="/api/v1/games", description="Games and their editions.")


class NewEdition(Schema):
    """An edition that differs from another in some values."""

    title = Text(LONGEST_NAME, required=True)
    based_on = fields.String(required=True)
    changes = Json("EditionChanges", required=True)


@blueprint.get("", Right.FREE)
@blueprint.arguments(Paging, location="query")
@blueprint.response(200, "GamePage", lines="Game")
def list_games(query: dict[str, Any]) -> Response:
    """All games.

    Those that this service knows the rules of.
    """
    with carnet().database.transaction() as connection:
        items = [_document(game, editions.of_game(connection, game.id)) for game in GAMES.values()]
    return answer_items(items, query)


@blueprint.get("/<game_id>", Right.FREE)
@blueprint.response(200, "GameDetails")
def get_game(game_id: str) -> Response:
    """One game, with the JSON Schemas of its set-up, moves and state.

    `refusals` lists every code that an illegal move can carry, with its kind and the section of the rules it
    breaks.
    """
    game = carnet().game(game_id)
    with carnet().database.transaction() as connection:
        document = _document(game, editions.of_game(connection, game.id))
    refusals = {code: {"kind": str(why.kind), "rule": why.rule} for code, why in game.refusals.items()}
    return answer({**document, "schemas": game.schemas(), "refusals": refusals})


@blueprint.get("/<game_id>/editions/<edition_id>", Right.FREE)
@blueprint.response(200, "Edition")
def get_edition(game_id: str, edition_id: str) -> Response:
    """An edition: every value with its source.

    Editions are immutable. Each value says where it comes from: the rulebook, a public source, an assumption or a
    user.
    """
    game = carnet().game(game_id)
    with carnet().database.transaction() as connection:
        try:
            edition = carnet().edition(connection, game, edition_id)
        except Problem:
            raise not_found("edition") from None
    return answer(_edition_document(edition))


@blueprint.post("/<game_id>/editions", Right.RECORD)
@blueprint.arguments(NewEdition)
@blueprint.response(201, "Edition", location=True, keyed=True, problems=("unknown-edition",))
def create_edition(body: dict[str, Any], game_id: str) -> Response:
    """Make an edition of one's own box, for new matches.

    `changes` is a merge patch on the bare values; what it touches gets the source `user`.
    """
    game = carnet().game(game_id)

    def act(connection: Connection) -> Mapping[str, Any]:
        base = carnet().edition(connection, game, body["based_on"])
        edition_id = new_id()
        try:
            edition = game.amend_edition(base, str(edition_id), body["title"], body["changes"])
        except Malformed as error:
            raise malformed(error.errors, prefix="/changes") from None
        editions.insert(connection, edition_id, base.id, edition.document)
        return {"edition_id": str(edition_id)}

    kept, replayed = once(act)
    with carnet().database.transaction() as connection:
        edition = carnet().edition(connection, game, kept["edition_id"])
    headers = {"Location": f"/api/v1/games/{game.id}/editions/{edition.id}", **replay_header(replayed)}
    return answer(_edition_document(edition), 201, headers)


def _edition_document(edition: Edition) -> dict[str, Any]:
    return {"id": edition.id, **edition.document, "digest": edition.digest}


def _document(game: AnyGame, custom: list[str]) -> dict[str, Any]:
    return {
        "id": game.id,
        "title": game.title,
        "seats": game.seats,
        "min_players": game.min_players,
        "max_players": game.max_players,
        "editions": [*game.editions, *custom],
        "default_edition": game.default_edition,
        "rules_version": game.rules_version,
    }
