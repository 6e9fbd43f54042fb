"""Authentication and authorization of requests."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NoReturn, cast

from flask import Flask
from werkzeug.routing import Rule

from service.auth import sessions, tokens
from service.context import services
from service.db import principals
from service.db.credentials import Kind, note_use
from service.db.pool import Connection
from service.db.principals import Viewer
from service.http.errors import Problem, not_found
from service.http.request import KEY, Credentials, Request, current_request
from service.http.vary import CREDENTIALS, note_varies
from service.permissions import Right, Standing, Visibility, may_outside, rights_on
from service.principals import LOCAL, Principal, Role, Scope

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing (RFC 9110), so that rows of a replica will do while there is no leader."""
CHALLENGE = 'Bearer realm="Carnet"'


class UnguardedRoute(Exception):
    """A route that does not declare its right."""


def rights_of(app: Flask) -> Mapping[str, Right]:
    """The right that each route requires, by its endpoint; raise `UnguardedRoute`."""
    return {rule.endpoint: right_of(app, rule) for rule in app.url_map.iter_rules()}


def right_of(app: Flask, rule: Rule) -> Right:
    """The right that a route requires."""
    blueprint, _, name = rule.endpoint.rpartition(".")
    right = getattr(app.blueprints.get(blueprint), "rights", {}).get(name)
    if right is None:
        raise UnguardedRoute(f"{rule.endpoint} does not say what it asks for")
    return cast(Right, right)


def needs_authentication(right: Right) -> bool:
    """Whether the principal matters: not for free routes, and while sign-in is switched off for embedded ones alone."""
    return right is Right.EMBED or (right is not Right.FREE and not services().config.is_open)


def read_credentials(request: Request, right: Right) -> None:
    """Read the credentials of a request without the database, and refuse those that another site makes a browser send.

    Raise `Problem`.
    """
    sessions.require_same_site(request)
    if right is Right.EMBED:
        request.credentials = _read_link(request)
    elif right is not Right.FREE:
        request.credentials = _read_credentials(request, is_open=services().config.is_open)


def authenticate(request: Request, right: Right) -> None:
    """Look up the principal of a request, and its relation to the match in the address."""
    if not needs_authentication(right):
        if right is not Right.FREE:  # the route itself checks that the match exists
            _set(request, LOCAL, _OPEN)
        return
    credentials = _credentials()
    if right is not Right.EMBED:  # which reads neither
        note_varies(*CREDENTIALS)
    row = services().database.leader.retried(lambda: _look_up(credentials, or_replica=request.method in SAFE))
    _set(request, _principal(row), _standing(row))
    if credentials.kind is Kind.SESSION and credentials.secret is not None and row["account_id"] is None:
        sessions.forget_ended()


def authorize(request: Request, right: Right) -> None:
    """Require that the credentials are valid, that the principal may know of the match, and has the right.

    Raise `Problem`.
    """
    credentials = _credentials()
    _require_valid_token(credentials)
    _require_page_of_session(credentials)
    if credentials.is_about_match and Right.READ not in request.rights:
        raise not_found("match" if credentials.match_id is not None else "annotation")
    require(right)


def current_principal() -> Principal:
    principal = current_request().principal
    assert principal is not None
    return principal


def credential() -> str | None:
    """The token or session that identifies the principal."""
    return _credentials().secret if current_principal().account_id is not None else None


def viewer() -> Viewer:
    """The viewer for whom queries select rows."""
    match_id = _credentials().match_id if current_principal().link_id is not None else None
    return Viewer(current_principal().account_id, match_id, sees_all=current_principal().is_local)


def viewer_of_players() -> Viewer:
    """The viewer for look-ups of players: owners look after all of them."""
    return replace(viewer(), sees_all=current_principal().is_owner)


def is_public() -> bool:
    """Whether a response about the match in the address may be cached by everybody."""
    standing = current_request().standing
    assert standing is not None
    return standing.visibility is Visibility.PUBLIC and not standing.withdrawn


def has(right: Right) -> bool:
    """Whether the principal has a right on the match in the address, or outside matches."""
    return (
        right in current_request().rights if _credentials().is_about_match else may_outside(current_principal(), right)
    )


def rights_held() -> list[Scope]:
    """The rights on the match in the address, or outside matches, as `GET /matches/{id}/rights` returns them."""
    return [scope for scope in Scope if has(Right[scope.name])]


def require(right: Right) -> None:
    """Require a right; raise `Problem`."""
    if not has(right):
        refuse()


def refuse() -> NoReturn:
    """Refuse a principal who may read, but not do this; raise `Problem`."""
    if current_principal().is_anonymous:
        raise Problem("sign-in-needed", "Sign in first, or send a token.", {"WWW-Authenticate": CHALLENGE})
    raise Problem("not-allowed", "You may read this, but not change it.")


def still_reads(connection: Connection) -> bool:
    """Whether the principal may still read the match in the address, checked again after a long wait."""
    if current_principal().is_local:
        return True
    row = _find_principal(connection, _credentials())
    return Right.READ in rights_on(_principal(row), _standing(row))


def _credentials() -> Credentials:
    shown = current_request().credentials
    assert shown is not None
    return shown


_OPEN = Standing(Visibility.PUBLIC)


def _set(request: Request, principal: Principal, standing: Standing) -> None:
    request.principal, request.standing, request.rights = principal, standing, rights_on(principal, standing)


def _look_up(credentials: Credentials, *, or_replica: bool) -> Mapping[str, Any]:
    with services().database.authoritative(or_replica=or_replica) as connection:
        row = _find_principal(connection, credentials)
        if row["account_id"] is not None and row["is_use_old"] and not connection.is_replica:
            note_use(connection, row["secret_id"])
        return row


def _read_link(request: Request) -> Credentials:
    """Only what the address shows: a page of another site may have made the request with our cookies."""
    key, views = request.args.get(KEY), request.view_args or {}
    return Credentials(Kind.SESSION, None, None if key is None else tokens.digest(key), views.get("match_id"), None)


def _read_credentials(request: Request, *, is_open: bool) -> Credentials:
    views = request.view_args or {}
    annotation_id = views.get("annotation_id")
    if is_open:  # nothing else is read then
        return Credentials(Kind.SESSION, None, None, views.get("match_id"), annotation_id)
    kind, secret = Kind.SESSION, None
    if "Authorization" in request.headers:
        scheme, _, value = request.headers["Authorization"].partition(" ")
        kind, secret = Kind.TOKEN, value.strip() if scheme.lower() == "bearer" else ""
    else:
        secret = sessions.secret_sent()
    digest = None if secret is None else tokens.digest(secret)
    return replace(_read_link(request), kind=kind, digest=digest, annotation_id=annotation_id, secret=secret)


def _require_valid_token(credentials: Credentials) -> None:
    if credentials.kind is Kind.TOKEN and current_principal().account_id is None:
        challenge = f'{CHALLENGE}, error="invalid_token"'
        detail = "The token is unknown, expired or revoked."
        raise Problem("wrong-token", detail, {"WWW-Authenticate": challenge})


def _require_page_of_session(credentials: Credentials) -> None:
    if (
        credentials.kind is Kind.SESSION
        and credentials.secret is not None
        and current_principal().secret_id is not None
    ):
        sessions.require_page(credentials.secret)


def _find_principal(connection: Connection, credentials: Credentials) -> Mapping[str, Any]:
    return principals.find_principal(
        connection,
        digest=credentials.digest,
        kind=credentials.kind,
        key=credentials.key,
        match_id=credentials.match_id,
        annotation_id=credentials.annotation_id,
    )


def _principal(row: Mapping[str, Any]) -> Principal:
    if row["account_id"] is None:
        return Principal(link_id=row["link_id"])
    scopes = frozenset(Scope(scope) for scope in row["scopes"])
    return Principal(row["account_id"], Role(row["role"]), scopes, row["secret_id"], row["link_id"])


def _standing(row: Mapping[str, Any]) -> Standing:
    """The relation of the principal to the match; a match that does not exist has none."""
    return Standing(
        Visibility(row["visibility"] or Visibility.PRIVATE),
        owns=bool(row["owns"]),
        plays=row["plays"],
        has_link=row["link_kind"] == Kind.READING,
        is_invited=row["link_kind"] == Kind.RECORDING,
        withdrawn=bool(row["withdrawn"]),
    )
