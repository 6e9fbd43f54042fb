"""Routes: sign-in and sign-out, tokens, accounts, invitations, and the links of matches."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from flask import Response

from domain.forms import FieldError
from service.auth import accounts, schemas, sessions, tokens
from service.auth.audit import AuditAction, AuditEntry, entry_document, note
from service.auth.authentication import current_principal, has, refuse, require, rights_held, viewer_of_players
from service.auth.documents import (
    ALLOWS,
    Account,
    Invitation,
    MatchLink,
    Me,
    NewlyMadeInvitation,
    NewlyMadeMatchLink,
    NewlyMadeSignInLink,
    NewlyMadeToken,
    Rights,
    Session,
    SignInLink,
    Token,
    account_document,
    invitation_document,
    link_document,
    session_document,
    shown_link,
    shown_secret,
    sign_in_document,
    token_document,
)
from service.auth.shown_once import HEADERS, answer_secret
from service.auth.tokens import Made
from service.context import services
from service.db import accounts as account_rows
from service.db import audit, credentials, matches, players, principals
from service.db.credentials import Kind
from service.db.pool import Connection
from service.http.errors import Problem, malformed, not_found
from service.http.fields import Paging
from service.http.idempotency import IdempotentWrite
from service.http.pagination import answer_items, answer_list, read_cursor
from service.http.request import SMALL_BODY
from service.http.responses import answer
from service.http.routing import Blueprint
from service.http.shapes import Page
from service.identity import now
from service.permissions import Right
from service.principals import Principal, Scope

blueprint = Blueprint("access", __name__, url_prefix="/api/v1", description="Who may do what: people, tokens, links.")


@blueprint.get("/me", Right.VISIT, answer=Me)
def get_me() -> Response:
    """The principal and their rights.

    `csrf_token` is to be sent as `X-CSRF-Token` with every change that is asked for with the cookie of a session.
    """
    account = None
    if current_principal().account_id is not None:
        with services().database.transaction() as connection:
            account = account_document(accounts.require_account(connection, _own_id()))
    secret = sessions.secret_sent() if account is not None else None
    document: Me = {
        "account": account,
        "scopes": sorted(current_principal().scopes),
        "sign_in": not services().config.is_open,
        "csrf_token": None if secret is None else sessions.page_proof(secret),
    }
    return answer(document)


@blueprint.post(
    "/sign-in",
    Right.FREE,
    body=schemas.SignIn,
    answer=Me,
    problems=("already-so", "cross-site", "not-found", "sign-in-off"),
    max_body=SMALL_BODY,
)
def sign_in(body: dict[str, Any]) -> Response:
    """Open a one-time link.

    Answers with the cookie of a new session. The link of an invitation makes an account.
    """
    require_sign_in()
    signed_in = accounts.sign_in(body["link"], body.get("name"))
    document: Me = {
        "account": account_document(signed_in.account),
        "scopes": sorted(map(Scope, signed_in.scopes)),
        "sign_in": True,
        "csrf_token": sessions.page_proof(signed_in.secret),
    }
    return sessions.give_cookie(answer(document, HEADERS), signed_in.secret)


@blueprint.post("/sign-out", Right.VISIT, status=204)
def sign_out() -> Response:
    """End the session of this browser.

    Its cookie opens nothing any more.
    """
    with services().database.transaction() as connection:
        ended = sessions.end(connection)
        if ended is not None:
            note(connection, AuditAction.SIGNED_OUT, Principal(ended["account_id"]), ended["secret_id"])
    return sessions.take_cookie(Response(status=204))


@blueprint.get("/tokens", Right.MANAGE, query=Paging, answer=Page[Token], problems=("sign-in-off",))
def list_tokens(query: dict[str, Any]) -> Response:
    """One's own tokens.

    Those that were revoked or have expired are left out.
    """
    with services().database.transaction() as connection:
        rows = credentials.of(connection, [Kind.TOKEN], _own_id())
    return answer_items([token_document(row) for row in rows], query)


@blueprint.post(
    "/tokens",
    Right.MANAGE,
    body=schemas.NewToken,
    answer=NewlyMadeToken,
    status=201,
    idempotent=True,
    problems=("sign-in-off", "too-many-tokens"),
    max_body=SMALL_BODY,
)
def create_token(body: dict[str, Any], idempotently: IdempotentWrite) -> Response:
    """Make a token for a program.

    Its secret is shown this once. It can do no more than what asks for it; made by a token, it ends with that one.
    """
    if not set(body["scopes"]) <= current_principal().scopes:
        raise malformed([FieldError("/scopes", "goes beyond what you may do yourself")])
    if body.get("expires_at") is not None and body["expires_at"] <= now():
        raise malformed([FieldError("/expires_at", "lies in the past")])
    own_id = _own_id()

    def act(connection: Connection, text: str) -> Made:
        members = (body["scopes"], body["label"], body.get("expires_at"), text, current_principal().secret_id)
        made = tokens.create_token(connection, own_id, *members)
        note(
            connection,
            AuditAction.TOKEN_MADE,
            current_principal(),
            made.row["secret_id"],
            details={"scopes": made.row["scopes"]},
        )
        return made

    return answer_secret(Kind.TOKEN, act, token_document, shown_secret, idempotently)


@blueprint.delete("/tokens/<uuid:token_id>", Right.MANAGE, status=204, problems=("sign-in-off",))
def revoke_token(token_id: UUID) -> None:
    """Revoke a token.

    What was made with it ends too. This cannot be taken back.
    """
    _revoke(token_id, [Kind.TOKEN], "token", AuditAction.TOKEN_REVOKED, account_id=_own_id())


@blueprint.get("/sessions", Right.MANAGE, query=Paging, answer=Page[Session], problems=("sign-in-off",))
def list_sessions(query: dict[str, Any]) -> Response:
    """The browsers in which one is signed in.

    `label` is the family of the browser that signed in; `current` is true of the session that asks.
    """
    with services().database.transaction() as connection:
        rows = credentials.of(connection, [Kind.SESSION], _own_id())
    return answer_items([session_document(row) for row in rows], query)


@blueprint.delete("/sessions", Right.MANAGE, query=schemas.EndedSessions, status=204, problems=("sign-in-off",))
def end_sessions(query: dict[str, Any]) -> Response:
    """Sign out in all browsers.

    With `others=1` in all but the one that asks.
    """
    but = current_principal().secret_id if "others" in query else None
    with services().database.transaction() as connection:
        _end_sessions(connection, _own_id(), but)
    response = Response(status=204)
    return response if but is not None else sessions.take_cookie(response)


@blueprint.delete("/sessions/<uuid:session_id>", Right.MANAGE, status=204, problems=("sign-in-off",))
def end_session(session_id: UUID) -> Response:
    """Sign out in one browser.

    Streams that it reads end within fifteen seconds.
    """
    _revoke(session_id, [Kind.SESSION], "session", AuditAction.SESSION_ENDED, account_id=_own_id())
    response = Response(status=204)
    return sessions.take_cookie(response) if session_id == current_principal().secret_id else response


@blueprint.get("/accounts", Right.READ, query=Paging, answer=Page[Account])
def list_accounts(query: dict[str, Any]) -> Response:
    """The people of this installation.

    Owners see all, others themselves and those whom they met in a match. Those whose account was closed are left out.
    """
    with services().database.transaction() as connection:
        rows = account_rows.known(connection, viewer_of_players())
    return answer_items([account_document(row) for row in rows], query)


@blueprint.patch(
    "/accounts/<uuid:account_id>",
    Right.MANAGE,
    body=schemas.AccountChanges,
    answer=Account,
    problems=("already-so", "last-owner", "unknown-player"),
    max_body=SMALL_BODY,
)
def change_account(body: dict[str, Any], account_id: UUID) -> Response:
    """Change a name or a role, or say whose account it is among the players.

    Owners change all accounts, others the name of their own.
    """
    _require_own_or_owner(account_id, needs_owner=not body.keys() <= {"name"})
    with services().database.transaction() as connection:
        changes = {**body, "player_id": _player(connection, body["player_id"])} if "player_id" in body else body
        account = accounts.change(connection, account_id, changes, current_principal())
    return answer(account_document(account))


@blueprint.delete("/accounts/<uuid:account_id>", Right.ADMINISTER, status=204, problems=("last-owner",))
def close_account(account_id: UUID) -> None:
    """Close an account.

    Its sessions and tokens end, and all links that it made. What was recorded stays.
    """
    with services().database.transaction() as connection:
        accounts.close(connection, account_id, current_principal())


@blueprint.delete("/accounts/<uuid:account_id>/sessions", Right.ADMINISTER, status=204)
def end_sessions_of_account(account_id: UUID) -> None:
    """Sign an account out in all browsers.

    For an owner whose member has lost a phone. Tokens stay.
    """
    with services().database.transaction() as connection:
        accounts.require_account(connection, account_id)
        _end_sessions(connection, account_id)


@blueprint.post(
    "/accounts/<uuid:account_id>/sign-in-links",
    Right.MANAGE,
    answer=NewlyMadeSignInLink,
    status=201,
    idempotent=True,
    problems=("sign-in-off",),
)
def create_sign_in_link(account_id: UUID, idempotently: IdempotentWrite) -> Response:
    """Make a link to sign in with on another device.

    It works once, for a quarter of an hour. Owners make them for everybody, others for themselves. The session has no
    more scopes than what asks for the link, and ends with the token that asked for it, if one did.
    """
    require_sign_in()
    _require_own_or_owner(account_id)

    def act(connection: Connection, text: str) -> Made:
        accounts.require_account(connection, account_id)
        return accounts.sign_in_link(connection, account_id, current_principal(), text)

    return answer_secret(Kind.SIGN_IN, act, sign_in_document, shown_link, idempotently)


@blueprint.get(
    "/accounts/<uuid:account_id>/sign-in-links",
    Right.MANAGE,
    query=Paging,
    answer=Page[SignInLink],
    problems=("sign-in-off",),
)
def list_sign_in_links(query: dict[str, Any], account_id: UUID) -> Response:
    """The links to sign in to an account that were not opened yet.

    Owners see those of all accounts, others those of their own, whoever made them.
    """
    require_sign_in()
    _require_own_or_owner(account_id)
    with services().database.transaction() as connection:
        accounts.require_account(connection, account_id)
        rows = credentials.of(connection, [Kind.SIGN_IN], account_id)
    return answer_items([sign_in_document(row) for row in rows], query)


@blueprint.delete(
    "/accounts/<uuid:account_id>/sign-in-links/<uuid:link_id>", Right.MANAGE, status=204, problems=("sign-in-off",)
)
def revoke_sign_in_link(account_id: UUID, link_id: UUID) -> None:
    """Withdraw a link to sign in.

    It opens nothing any more.
    """
    require_sign_in()
    _require_own_or_owner(account_id)
    action = AuditAction.SIGN_IN_LINK_REVOKED
    _revoke(link_id, [Kind.SIGN_IN], "link", action, account_id=account_id, subject_id=account_id)


@blueprint.get("/invitations", Right.ADMINISTER, query=Paging, answer=Page[Invitation])
def list_invitations(query: dict[str, Any]) -> Response:
    """The invitations that can still be accepted.

    Their secrets were shown when they were made.
    """
    with services().database.transaction() as connection:
        rows = credentials.of(connection, [Kind.INVITATION])
    return answer_items([invitation_document(row) for row in rows if row["created_by"] is not None], query)


@blueprint.post(
    "/invitations",
    Right.ADMINISTER,
    body=schemas.NewInvitation,
    answer=NewlyMadeInvitation,
    status=201,
    idempotent=True,
    problems=("already-so", "sign-in-off", "unknown-player"),
    max_body=SMALL_BODY,
)
def create_invitation(body: dict[str, Any], idempotently: IdempotentWrite) -> Response:
    """Invite somebody.

    Opening the link makes an account, which is that of the player if one is named. It works once, for a week, while its
    maker is an owner. By a token this takes all scopes, as the new account has them.
    """
    require_sign_in()
    player_id = body.get("player_id")

    def act(connection: Connection, text: str) -> Made:
        return accounts.invite(
            connection, body["name"], body["role"], _player(connection, player_id), current_principal(), text
        )

    return answer_secret(Kind.INVITATION, act, invitation_document, shown_link, idempotently)


@blueprint.delete("/invitations/<uuid:invitation_id>", Right.ADMINISTER, status=204)
def revoke_invitation(invitation_id: UUID) -> None:
    """Withdraw an invitation.

    Its link opens nothing any more.
    """
    _revoke(invitation_id, [Kind.INVITATION], "invitation", AuditAction.INVITATION_REVOKED)


@blueprint.get("/matches/<uuid:match_id>/rights", Right.READ, answer=Rights)
def get_rights(match_id: UUID) -> Response:
    """What one may do with a match.

    For pages, so that they offer nothing that would be refused.
    """
    with services().database.statements() as connection:
        _require_match(connection, match_id)
    document: Rights = {"rights": rights_held()}
    return answer(document)


@blueprint.get("/matches/<uuid:match_id>/links", Right.MANAGE, query=Paging, answer=Page[MatchLink])
def list_links(query: dict[str, Any], match_id: UUID) -> Response:
    """The links of a match.

    Their secrets were shown when they were made.
    """
    with services().database.transaction() as connection:
        _require_match(connection, match_id)
        rows = principals.links_of_match(connection, match_id)
    return answer_items([link_document(row) for row in rows], query)


@blueprint.post(
    "/matches/<uuid:match_id>/links",
    Right.MANAGE,
    body=schemas.NewLink,
    answer=NewlyMadeMatchLink,
    status=201,
    idempotent=True,
    problems=("too-many-links",),
    max_body=SMALL_BODY,
)
def create_link(body: dict[str, Any], match_id: UUID, idempotently: IdempotentWrite) -> Response:
    """Make a link to a match, for people without an account.

    Its secret goes as `key` into the query string of everything under the match. To `read` it works as long as the
    match is unlisted, to `record` whatever the visibility, until a day after the match has ended or was withdrawn. It
    ends when its maker no longer manages the match, and grants what its maker may do: to `record` takes that right.
    """
    if body["allows"] == "record":
        require(Right.RECORD)
    kind = next(kind for kind, allowed in ALLOWS.items() if allowed == body["allows"])

    def act(connection: Connection, text: str) -> Made:
        _require_match(connection, match_id)
        members = {"label": body.get("label"), **accounts.made_by(current_principal())}
        made = tokens.create_link(connection, kind, match_id, text, **members)
        allows = {"allows": body["allows"]}
        note(
            connection,
            AuditAction.LINK_MADE,
            current_principal(),
            made.row["secret_id"],
            match_id=match_id,
            details=allows,
        )
        return made

    return answer_secret(kind, act, link_document, shown_secret, idempotently)


@blueprint.delete("/matches/<uuid:match_id>/links/<uuid:link_id>", Right.MANAGE, status=204)
def revoke_link(match_id: UUID, link_id: UUID) -> None:
    """Withdraw the link of a match.

    Who follows the match by it is told that it is gone.
    """
    _revoke(link_id, list(ALLOWS), "link", AuditAction.LINK_REVOKED, match_id=match_id)
    services().notifier.notify(match_id)


@blueprint.get("/audit", Right.ADMINISTER, query=schemas.AuditQuery, answer=Page[AuditEntry])
def list_audit(query: dict[str, Any]) -> Response:
    """Who signed in, and who gave or took which right, newest first.

    `account` selects acts by an account and acts about it. Secrets, names and network addresses are
    not in it, and nobody can change it.
    """
    position = read_cursor(query.get("cursor"), as_time=True)
    listing = audit.listing(query.get("account"), query.get("act"), position)
    return answer_list(listing, query["limit"], entry_document, lambda row: (row["happened_at"], row["entry_id"]))


def require_sign_in() -> None:
    """Refuse an operation that makes no sense without sign-in; raise `Problem`."""
    if services().config.is_open:
        raise Problem("sign-in-off", "Carnet was started with CARNET_OPEN=1, so there is no sign-in.")


def _require_match(connection: Connection, match_id: UUID) -> None:
    """Require that a match exists, which is not known where sign-in is off; raise `Problem`."""
    if matches.find(connection, match_id) is None:
        raise not_found("match")


def _end_sessions(connection: Connection, account_id: UUID, but: UUID | None = None) -> None:
    ended = credentials.end_sessions(connection, account_id, but)
    note(connection, AuditAction.SESSIONS_ENDED, current_principal(), account_id, details={"sessions": ended})


def _revoke(
    secret_id: UUID,
    kinds: Sequence[Kind],
    name: str,
    action: AuditAction,
    *,
    account_id: UUID | None = None,
    match_id: UUID | None = None,
    subject_id: UUID | None = None,
) -> None:
    """Revoke a credential of an account or a match, which the audit trail has as its subject unless told otherwise."""
    with services().database.transaction() as connection:
        if not credentials.revoke(connection, secret_id, kinds, account_id=account_id, match_id=match_id):
            raise not_found(name)
        note(connection, action, current_principal(), subject_id or secret_id, match_id=match_id)


def _own_id() -> UUID:
    require_sign_in()
    own_id = current_principal().account_id
    assert own_id is not None
    return own_id


def _player(connection: Connection, player_id: UUID | None) -> UUID | None:
    """The player of an account, never one who was merged into another; raise `Problem`."""
    if player_id is None:
        return None
    players.hold_merges(connection)
    row = players.find(connection, player_id)
    if row is None:
        raise Problem("unknown-player", "Player not found.")
    survivor_id: UUID = row["player_id"]
    return survivor_id


def _require_own_or_owner(account_id: UUID, *, needs_owner: bool = False) -> None:
    """Require an owner, or that the account is the principal's own."""
    if not has(Right.ADMINISTER) and (needs_owner or account_id != current_principal().account_id):
        refuse()
