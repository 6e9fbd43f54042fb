"""Accounts of an installation, and the one-time links by which people join and sign in."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

from service.auth import sessions, tokens
from service.auth.audit import MACHINE, AuditAction, note, note_refusal
from service.auth.tokens import Made
from service.context import services
from service.db import accounts, credentials, players
from service.db.credentials import Kind
from service.db.pool import Connection
from service.http.errors import Problem, not_found
from service.identity import new_id
from service.principals import Principal, Role, Scope

OWNER_LINK_LASTS = timedelta(days=1)
INVITATION_LASTS = timedelta(days=7)
SIGN_IN_LINK_LASTS = timedelta(minutes=15)


def first_owner(connection: Connection) -> UUID | None:
    """The account that has owned the installation for longest, if there is one."""
    return next(iter(accounts.lock_owners(connection)), None)


def welcome(connection: Connection) -> str | None:
    """Make the link that makes its opener the first owner, while there is none; return its secret.

    An owner that is there is given what was recorded meanwhile without sign-in.
    """
    owner = first_owner(connection)
    if owner is not None:
        _adopt(connection, owner)
        return None
    credentials.end_first_links(connection)
    return tokens.make(connection, Kind.INVITATION, OWNER_LINK_LASTS, role=Role.OWNER).text


def invite(connection: Connection, name: str, role: Role, player_id: UUID | None, by: Principal, text: str) -> Made:
    """Make an invitation, perhaps for an existing player; raise `Problem`."""
    if by.scopes != frozenset(Scope):
        raise Problem(
            "not-allowed", "An account has all scopes, so inviting takes a session or a token with all of them."
        )
    if player_id is not None:
        _require_unlinked(connection, player_id)
    members = {"label": name, "role": role, "player_id": player_id, **made_by(by)}
    made = tokens.make(connection, Kind.INVITATION, INVITATION_LASTS, text, **members)
    note(connection, AuditAction.INVITATION_MADE, by, made.row["secret_id"], details={"role": role})
    return made


def sign_in_link(connection: Connection, account_id: UUID, by: Principal, text: str | None = None) -> Made:
    """Make a link that signs its opener in to an existing account, with the scopes of its maker."""
    note(connection, AuditAction.SIGN_IN_LINK_MADE, by, account_id)
    members = {"account_id": account_id, "scopes": sorted(by.scopes), **made_by(by)}
    return tokens.make(connection, Kind.SIGN_IN, SIGN_IN_LINK_LASTS, text, **members)


def made_by(by: Principal) -> dict[str, Any]:
    """The members of a secret that record its maker."""
    return {"created_by": by.account_id, "made_with": by.secret_id}


def look_at_link(connection: Connection, secret: str) -> Mapping[str, Any]:
    """The row of a link that can still be opened; raise `Problem`."""
    row = credentials.find_link(connection, tokens.digest(secret))
    if row is None:
        raise _no_link()
    return row


class SignedIn(NamedTuple):
    """An account, and the session that was begun for it."""

    account: Mapping[str, Any]
    secret: str
    scopes: Sequence[str]


def sign_in(secret: str, name: str | None) -> SignedIn:
    """Redeem a link: begin a session for its opener; raise `Problem`."""
    database = services().database
    try:
        with database.transaction() as connection:
            return _open_link(connection, secret, name)
    except Problem:
        with database.transaction() as connection:
            note_refusal(connection, credentials.id_of_link(connection, tokens.digest(secret)))
        raise


def _open_link(connection: Connection, secret: str, name: str | None) -> SignedIn:
    """Redeem a link, and begin a session for the account of its opener; raise `Problem`."""
    waiting = look_at_link(connection, secret)
    if waiting["created_by"] is not None:  # so that a concurrent demotion of the maker finds the session
        accounts.find(connection, waiting["created_by"], locked=True)
    link = credentials.use_up_link(connection, tokens.digest(secret))
    if link is None:
        raise _no_link()
    is_new = link["kind"] == Kind.INVITATION
    account_id = _join(connection, link, name) if is_new else link["account_id"]
    account = accounts.find(connection, account_id)
    if account is None:
        raise _no_link()
    note(connection, AuditAction.SIGNED_IN, Principal(account_id), link["secret_id"])
    if is_new:
        return SignedIn(account, sessions.begin(connection, account_id, list(Scope)), list(Scope))
    by = {"created_by": link["created_by"], "made_with": link["secret_id"]}
    return SignedIn(account, sessions.begin(connection, account_id, link["scopes"], **by), link["scopes"])


def change(connection: Connection, account_id: UUID, changes: Mapping[str, Any], by: Principal) -> Mapping[str, Any]:
    """Change the name, role or player of an account; raise `Problem`.

    What somebody made as an owner ends when they become a member.
    """
    owners = accounts.lock_owners(connection)
    before = require_account(connection, account_id)
    after = {name: changes.get(name, before[name]) for name in ("name", "role", "player_id")}
    if after["role"] == Role.MEMBER:
        _require_other_owner(owners, account_id)
    if after["player_id"] not in {None, before["player_id"]}:
        _require_unlinked(connection, after["player_id"])
    accounts.change(connection, account_id, **after)
    if before["role"] == Role.OWNER and after["role"] != Role.OWNER:
        credentials.end_made_as_owner(connection, account_id)
    for member, act in (("role", AuditAction.ROLE_CHANGED), ("player_id", AuditAction.PLAYER_CHANGED)):
        if after[member] != before[member]:
            note(connection, act, by, account_id, details={"before": before[member], member: after[member]})
    return require_account(connection, account_id)


def close(connection: Connection, account_id: UUID, by: Principal) -> None:
    """Close an account, its credentials and everything that it made for others; raise `Problem`."""
    owners = accounts.lock_owners(connection)
    require_account(connection, account_id)
    _require_other_owner(owners, account_id)
    accounts.close(connection, account_id)
    credentials.end_all(connection, account_id)
    note(connection, AuditAction.ACCOUNT_CLOSED, by, account_id)


def require_account(connection: Connection, account_id: UUID) -> Mapping[str, Any]:
    """An account; raise `Problem`."""
    account = accounts.find(connection, account_id)
    if account is None:
        raise not_found("account")
    return account


def _join(connection: Connection, link: Mapping[str, Any], name: str | None) -> UUID:
    if link["player_id"] is not None:
        _require_invited(connection, link["player_id"])
    account_id = new_id()
    is_first = link["created_by"] is None
    called = name or link["label"] or Role(link["role"]).capitalize()
    accounts.insert(connection, account_id, called, link["role"], link["player_id"])
    note(connection, AuditAction.JOINED, Principal(account_id), account_id, details={"role": link["role"]})
    if is_first:
        credentials.end_first_links(connection)
        _adopt(connection, account_id)
    return account_id


def _adopt(connection: Connection, account_id: UUID) -> None:
    adopted = accounts.adopt(connection, account_id)
    if adopted:
        note(connection, AuditAction.MATCHES_ADOPTED, MACHINE, account_id, details={"matches": adopted})


def _require_unlinked(connection: Connection, player_id: UUID) -> None:
    if accounts.of_player(connection, player_id):
        raise Problem("already-so", "This player has an account already.")


def _require_invited(connection: Connection, player_id: UUID) -> None:
    """Refuse an invitation whose player was merged or got an account meanwhile; raise `Problem`."""
    players.hold_merges(connection)
    _require_unlinked(connection, player_id)
    row = players.find(connection, player_id)
    if row is None or row["player_id"] != player_id:
        raise Problem("already-so", "This player was merged into another meanwhile; ask for a new invitation.")


def _require_other_owner(owners: list[UUID], account_id: UUID) -> None:
    if owners == [account_id]:
        raise Problem("last-owner", "Make somebody else an owner first.")


def _no_link() -> Problem:
    return Problem("not-found", "This link is unknown, was used before or has expired.")
