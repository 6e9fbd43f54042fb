"""Editions made by users, and limits on their number."""

from typing import Final

from domain.forms import Malformed
from domain.game import AnyGame, Edition
from service.auth.authentication import current_principal
from service.db import editions
from service.db.pool import Connection
from service.http.errors import Problem, malformed
from service.identity import new_id

MAX_EDITIONS: Final = 50
"""Of an account: each takes up to 0.4 MB in the memory of a process that reads it."""
MAX_EDITIONS_WITHOUT_SIGN_IN: Final = 500
"""All users of the machine count as one then."""


def require_room_for_edition(connection: Connection) -> None:
    """Refuse an edition beyond the limit of an account. Concurrent requests of the account wait for each other."""
    owner_id = current_principal().account_id
    most = MAX_EDITIONS if owner_id is not None else MAX_EDITIONS_WITHOUT_SIGN_IN
    if editions.count(connection, owner_id) >= most:
        raise Problem("too-many-editions", f"You have {most} editions already, which is the maximum.")


def amend_edition(game: AnyGame, base: Edition, title: str, changes: object, pointer: str) -> Edition:
    """An edition with a merge patch applied, whose pointer in the request errors refer to; it is not stored."""
    try:
        edition: Edition = game.editions.amend(base, str(new_id()), title, changes)
    except Malformed as error:
        raise malformed(error.errors, prefix=pointer) from None
    return edition
