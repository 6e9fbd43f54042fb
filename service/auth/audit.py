"""The audit trail: sign-ins and changes of rights.

Entries are written in the transaction of the act and hold only ids: no names, secrets or network addresses.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC
from enum import StrEnum
from typing import Any, TypedDict
from uuid import UUID

from service.db import audit
from service.db.audit import Entry
from service.db.pool import Connection
from service.http.shapes import Id, Time
from service.identity import as_text, is_id, new_id, text_of
from service.principals import Principal


class AuditAction(StrEnum):
    """The kinds of entries; their docstrings say what the subject is."""

    SIGNED_IN = "signed_in"
    """The link that was opened."""
    SIGN_IN_REFUSED = "sign_in_refused"
    """A link that no longer works; none if there was never such a link."""
    SIGNED_OUT = "signed_out"
    """The session."""
    SESSION_ENDED = "session_ended"
    """The session."""
    SESSIONS_ENDED = "sessions_ended"
    """The account of the sessions."""
    SIGN_IN_LINK_MADE = "sign_in_link_made"
    """The account that it opens."""
    SIGN_IN_LINK_REVOKED = "sign_in_link_revoked"
    """The account that it opened."""
    TOKEN_MADE = "token_made"  # noqa: S105 - the name of an act
    TOKEN_REVOKED = "token_revoked"  # noqa: S105
    INVITATION_MADE = "invitation_made"
    INVITATION_REVOKED = "invitation_revoked"
    JOINED = "joined"
    """The new account."""
    ROLE_CHANGED = "role_changed"
    """The account."""
    PLAYER_CHANGED = "player_changed"
    """The account, which has another player now, or none."""
    ACCOUNT_CLOSED = "account_closed"
    MATCHES_ADOPTED = "matches_adopted"
    """The account that now owns what was recorded without sign-in."""
    LINK_MADE = "link_made"
    LINK_REVOKED = "link_revoked"
    SEAT_GIVEN = "seat_given"
    """The account that plays in the match from now on."""
    SEAT_TAKEN = "seat_taken"
    """The account that no longer plays in the match."""
    ANNOTATIONS_HIDDEN = "annotations_hidden"
    VISIBILITY_CHANGED = "visibility_changed"
    PLAYER_ANONYMISED = "player_anonymised"
    PLAYERS_MERGED = "players_merged"
    """The player who was merged into another."""
    PLAYERS_UNMERGED = "players_unmerged"
    """The player who is on their own again."""


MACHINE = Principal()
"""The actor of the command line and of the start of the service."""


def note(
    connection: Connection,
    action: AuditAction,
    by: Principal,
    subject_id: UUID | None = None,
    *,
    match_id: UUID | None = None,
    details: Mapping[str, Any] | None = None,
) -> None:
    """Add an entry to the trail."""
    audit.insert(connection, Entry(new_id(), action, by.account_id, by.secret_id, subject_id, match_id, details or {}))


def note_refusal(connection: Connection, link_id: UUID | None) -> None:
    """Record a refused link, at most once a minute for each, so that guessing does not fill the trail."""
    entry = Entry(new_id(), AuditAction.SIGN_IN_REFUSED, None, None, link_id, None, {})
    audit.insert_rarely(connection, entry)


class AuditEntry(TypedDict):
    """Who signed in, or gave or took a right."""

    id: Id
    act: AuditAction
    happened_at: Time
    account_id: Id | None
    """Who did it; null is the machine, or nobody."""
    secret_id: Id | None
    """The token or session by which it was asked for."""
    subject_id: Id | None
    """The account, link, token, session or player it is about."""
    match_id: Id | None
    details: Mapping[str, Any]
    """Such as roles, scopes and visibilities before and after."""


def entry_document(row: Mapping[str, Any]) -> AuditEntry:
    return {
        "id": str(row["entry_id"]),
        "act": row["act"],
        "happened_at": as_text(row["happened_at"]),
        "account_id": text_of(row["account_id"]),
        "secret_id": text_of(row["secret_id"]),
        "subject_id": text_of(row["subject_id"]),
        "match_id": text_of(row["match_id"]),
        "details": row["details"],
    }


def names_in(connection: Connection, rows: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The names of those in the entries, by their ids."""
    mentioned = (value for row in rows for value in (row["account_id"], row["subject_id"], *row["details"].values()))
    ids = {UUID(str(value)) for value in mentioned if is_id(str(value))}
    return {str(value): name for value, name in audit.names(connection, ids).items()}


def entry_line(row: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """An entry as a line for a terminal: time, act, actor, subject and the rest, with names where there are any."""

    def called(value: object) -> str:
        values = value if isinstance(value, list) else [value]
        name = ",".join("-" if part is None else names.get(str(part), str(part)) for part in values)
        # The label of a token comes from a client and must not control the terminal.
        return "".join(character if character.isprintable() else "?" for character in name)

    happened_at = row["happened_at"].astimezone(UTC).strftime("%Y-%m-%d %H:%M:%SZ")
    match = [] if row["match_id"] is None else [f"match={row['match_id']}"]
    details = [f"{name}={called(value)}" for name, value in row["details"].items()]
    columns = [happened_at, f"{row['act']:<20}", called(row["account_id"]), called(row["subject_id"])]
    return "  ".join([*columns, *match, *details])
