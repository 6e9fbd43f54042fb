"""Editions that a match brings, and those that the importer may read."""

from typing import Any
from uuid import UUID

from domain.game import AnyGame
from service.auth.authentication import current_principal
from service.db import editions
from service.db.pool import Connection
from service.exchange.arriving.report import Refused
from service.games.editions import has_room_for_edition, readable_edition
from service.identity import is_id


class ReadableEditions:
    """The editions of a game that the importer may read; others are as if they were not here."""

    def __init__(self, connection: Connection, game: AnyGame) -> None:
        self._connection = connection
        self._game = game

    def __getitem__(self, edition_id: str, /) -> Any:
        return readable_edition(self._connection, self._game, edition_id)


def keep_edition(connection: Connection, game: AnyGame, edition: Any, base: str, line: int | None = None) -> None:
    """Keep an edition that came along unless it is built in; one that is here must be the same."""
    if edition.id in game.editions:
        return
    if not is_id(edition.id):
        raise Refused("unknown-edition", "The id of its edition is no UUID.", line)
    here = editions.find(connection, game.id, UUID(edition.id))
    if here is not None:
        if game.editions.load(here).digest != edition.digest:
            raise Refused("edition-differs", "The edition of this id is another one here.", line)
        return
    if not has_room_for_edition(connection):
        raise Refused("too-many-editions", "You have as many editions as an account may have.", line)
    editions.insert(connection, UUID(edition.id), base, edition.document, current_principal().account_id)
