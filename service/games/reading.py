"""Editions as JSON, and the right to read those that users made."""

from typing import Annotated, TypeAlias
from uuid import UUID

from domain.game import AnyGame, JsonObject
from domain.game import Edition as GameEdition
from service.auth.authentication import viewer
from service.context import services
from service.db import editions
from service.db.pool import Connection
from service.errors import UnknownEdition
from service.http.shapes import Component
from service.identity import is_id

Edition: TypeAlias = Annotated[JsonObject, Component("Edition")]


def readable_edition(connection: Connection, game: AnyGame, edition_id: str) -> GameEdition:
    """An edition that the principal may read; raise `UnknownEdition` otherwise, as if it did not exist."""
    is_custom = edition_id not in game.editions and is_id(edition_id)
    if is_custom and not editions.is_readable(connection, game.id, UUID(edition_id), viewer()):
        raise UnknownEdition(game.title)
    return services().edition(connection, game, edition_id)


def edition_document(edition: GameEdition) -> Edition:
    """An edition as JSON with its id and digest."""
    return {"id": edition.id, **edition.document, "digest": edition.digest}
