"""Editions that users make from others, and how many of them."""

from typing import Final

from domain.game import AnyGame, Edition, Malformed
from service.access.asking import asker
from service.identity import new_id
from service.problems import Problem, malformed
from service.store import editions
from service.store.database import Connection

MAX_EDITIONS: Final = 50
"""That an account may make: each takes up to 0.4 MB in the memory of a process that reads it."""
MAX_EDITIONS_WITHOUT_SIGN_IN: Final = 500
"""Where everybody at the machine is one."""


def require_room_for_edition(connection: Connection) -> None:
    """Refuse one more edition of an account that has made as many as it may; others wait until this one is made."""
    owner_id = asker().account_id
    most = MAX_EDITIONS if owner_id is not None else MAX_EDITIONS_WITHOUT_SIGN_IN
    if editions.count(connection, owner_id) >= most:
        raise Problem("too-many-editions", f"There are {most} editions of yours already, which is the most.")


def amend_edition(game: AnyGame, base: Edition, title: str, changes: object, pointer: str) -> Edition:
    """An edition that differs from another by the merge patch at a pointer of the request; it is stored nowhere."""
    try:
        edition: Edition = game.amend_edition(base, str(new_id()), title, changes)
    except Malformed as error:
        raise malformed(error.errors, prefix=pointer) from None
    return edition
