"""Changing the edition of a match: to an existing one, or to an amended one that is made with the change."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from domain import match as history
from domain.forms import FieldError, Malformed
from domain.game import Edition
from domain.match import Timeline
from service.auth.authentication import current_principal, require
from service.db import editions
from service.db.pool import Connection
from service.games.editions import amend_edition, readable_edition, require_room_for_edition
from service.http.errors import malformed
from service.permissions import Right


def require_edition_right(connection: Connection, body: Mapping[str, Any]) -> None:
    """Refuse to amend an edition by a link, which has no account to count it for, or beyond the limit of an account."""
    if "edition_changes" in body:
        require(Right.EDIT)
        require_room_for_edition(connection)


def change_edition(connection: Connection, timeline: Timeline, body: Mapping[str, Any]) -> history.Correction:
    """The change by a correction of the edition; an amended edition is not stored yet."""
    if "edition" in body:
        pointer, edition = "/edition", readable_edition(connection, timeline.game, body["edition"])
    else:
        pointer, edition = "/edition_changes", _amended(timeline, body)
    try:
        return history.change_edition(timeline, edition, body["on_conflict"])
    except Malformed as error:
        raise malformed([FieldError(pointer, f"does not go with the set-up of the match: {error}")]) from None


def _amended(timeline: Timeline, body: Mapping[str, Any]) -> Edition:
    base = timeline.edition
    title = body.get("edition_title", base.title)
    edition = amend_edition(timeline.game, base, title, body["edition_changes"], "/edition_changes")
    if not history.differences(base.document, edition.document):
        raise history.NoChange
    return edition


def keep_amended(connection: Connection, timeline: Timeline) -> None:
    """Store the edition that the last event of a match made."""
    edition, base = timeline.edition, timeline.outline_at(timeline.version - 1).edition
    editions.insert(connection, UUID(edition.id), base.id, edition.document, current_principal().account_id)
