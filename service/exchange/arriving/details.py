"""Details of matches that are taken over: their form, who may change them, and their rows."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from domain.match.document import Details
from service.auth import audit
from service.auth.authentication import current_principal
from service.db.categories import RULINGS_SETTINGS
from service.db.matches import MatchDetails
from service.db.pool import Connection
from service.exchange.arriving.report import Refused
from service.http.fields import MAX_NAME
from service.identity import now
from service.matches.schemas import MAX_AHEAD, MAX_TAGS
from service.names import has_ink
from service.permissions import Right, Visibility

DETAILS: Final = ("played_at", "venue", "tags", "withdrawn", "visibility", "rulings_in_statistics")
_MANAGED: Final = frozenset({"withdrawn", "visibility", "rulings_in_statistics"})
"""The details that only who manages a match may change."""


def new_details(
    played_at: datetime, venue: str | None, tags: Iterable[str], visibility: Visibility | None
) -> MatchDetails:
    """The details of a new match from a file of people or of other programs, cut to what the API takes."""
    require_past(played_at)
    return MatchDetails(
        played_at,
        storable(venue[:MAX_NAME]) if venue and has_ink(venue) else None,
        tuple(dict.fromkeys(tag[:MAX_NAME] for tag in tags))[:MAX_TAGS],
        withdrawn=False,
        visibility=visibility or Visibility.CLUB,
    )


def storable(text: str) -> str:
    """A text without the characters that PostgreSQL does not keep."""
    return text.replace("\0", "").encode(errors="ignore").decode()


def require_details(details: Sequence[Details]) -> None:
    """Require that the details of a document are those of the API; raise `Refused`."""
    for number, revision in enumerate(details):
        is_right = (
            (number == 0 or revision.revision > details[number - 1].revision)
            and revision.visibility in set(Visibility)
            and revision.rulings_in_statistics in RULINGS_SETTINGS
            and len(revision.tags) <= MAX_TAGS
            and (revision.venue is None or has_ink(revision.venue))
        )
        if not is_right:
            raise Refused("malformed", f"/details/{number}: is of another form.")
    require_past(datetime.fromisoformat(details[-1].played_at))


def require_past(moment: datetime) -> None:
    """Refuse a match that is to be played."""
    if moment > now() + MAX_AHEAD:
        raise Refused("wrong-date", "Its date lies more than a day ahead.")


def values_of(details: Details) -> tuple[Any, ...]:
    """What details say, without who wrote them and when."""
    return tuple(getattr(details, name) for name in DETAILS)


def right_to_change(names: Iterable[str]) -> Right:
    """The right that a change of some details takes."""
    return Right.EDIT if _MANAGED.isdisjoint(names) else Right.MANAGE


def match_details(details: Details) -> MatchDetails:
    """The details of a document as they are stored."""
    return MatchDetails(
        datetime.fromisoformat(details.played_at),
        details.venue,
        details.tags,
        details.withdrawn,
        details.visibility,
        rulings_in_statistics=details.rulings_in_statistics,
    )


def details_row(match_id: UUID, details: Details) -> tuple[Any, ...]:
    """The row of details in their history."""
    return (match_id, details.revision, *_columns(details), details.actor, details.changed_at)


def first_details_row(match_id: UUID, details: MatchDetails, recorded_at: str) -> tuple[Any, ...]:
    """The row of details that the importer gives to a new match."""
    return (match_id, 0, *_columns(details), current_principal().actor, recorded_at)


def _columns(details: Details | MatchDetails) -> tuple[Any, ...]:
    return (
        *(details.played_at, details.venue, list(details.tags), details.withdrawn),
        *(str(details.visibility), details.rulings_in_statistics),
    )


def note_visibility(connection: Connection, match_id: UUID, before: str, after: str) -> None:
    """Tell in the audit trail who sees a match from now on, if that is another visibility than before."""
    if after != before:
        seen = {"before": before, "visibility": after}
        audit.note(
            connection, audit.AuditAction.VISIBILITY_CHANGED, current_principal(), match_id=match_id, details=seen
        )
