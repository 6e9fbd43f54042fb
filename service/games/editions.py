"""Editions as JSON, the right to read those that users made, and limits on their number."""

from typing import Annotated, Final, TypeAlias
from uuid import UUID

from domain.forms import Malformed
from domain.game import AnyGame, JsonObject
from domain.game import Edition as GameEdition
from service.auth.authentication import current_principal, viewer
from service.context import services
from service.db import editions
from service.db.pool import Connection
from service.errors import UnknownEdition
from service.http.errors import Problem, malformed
from service.http.shapes import Component
from service.identity import is_id, new_id

MAX_EDITIONS: Final = 50
"""Of an account: each takes up to 0.4 MB in the memory of a process that reads it."""
MAX_EDITIONS_WITHOUT_SIGN_IN: Final = 500
"""All users of the machine count as one then."""
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


def require_room_for_edition(connection: Connection) -> None:
    """Refuse an edition beyond the limit of an account. Concurrent requests of the account wait for each other."""
    if not has_room_for_edition(connection):
        detail = f"You have {_max_editions()} editions already, which is the maximum."
        raise Problem("too-many-editions", detail)


def has_room_for_edition(connection: Connection) -> bool:
    """Whether an account may add another edition. Concurrent requests of the account wait for each other."""
    return editions.count(connection, current_principal().account_id) < _max_editions()


def _max_editions() -> int:
    return MAX_EDITIONS if current_principal().account_id is not None else MAX_EDITIONS_WITHOUT_SIGN_IN


def amend_edition(game: AnyGame, base: GameEdition, title: str, changes: object, pointer: str) -> GameEdition:
    """An edition with a merge patch applied, whose pointer in the request errors refer to; it is not stored."""
    try:
        edition: GameEdition = game.editions.amend(base, str(new_id()), title, changes)
    except Malformed as error:
        raise malformed(error.errors, prefix=pointer) from None
    return edition
