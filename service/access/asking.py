"""Who asks, found out once before each request, and whether he may do what the route is for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import IO, Any, NoReturn, TypeAlias, cast
from uuid import UUID

from flask import Flask, Request
from flask.globals import request_ctx
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.routing import Rule
from werkzeug.utils import cached_property
from werkzeug.wsgi import LimitedStream

from service.access import sessions, tokens
from service.access.rights import LOCAL, Asker, Right, Role, Scope, Standing, Visibility, may_outside, rights_on
from service.carnet import carnet
from service.problems import Problem, not_found
from service.store import access, secrets
from service.store.access import Viewer
from service.store.database import Connection
from service.store.secrets import Kind
from service.vary import CREDENTIALS, note_varies

KEY = "key"
"""The member of the query string that holds the link of a match."""
CHALLENGE = 'Bearer realm="Carnet"'
LARGEST_BODY = 2**20
SMALL_BODY = 2**12
"""Bytes that a form with a few short members takes at most."""
HoldUp: TypeAlias = Callable[[str | None], None]
"""Refuses an account with too many requests; None is for a client without one, which is known by its address."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """What a request shows of who asks, and the match or annotation in its address."""

    kind: Kind
    digest: bytes | None
    key: bytes | None
    match_id: UUID | None
    annotation_id: UUID | None
    secret: str | None = field(default=None, repr=False)
    """The text of the token or session."""

    @property
    def is_about_match(self) -> bool:
        """Whether the address is one within a match."""
        return self.match_id is not None or self.annotation_id is not None


class _Bounded(LimitedStream):
    """A body that comes in chunks: one that is too large is refused, where Werkzeug would cut it off."""

    def __init__(self, body: IO[bytes], limit: int) -> None:
        super().__init__(body, limit, is_max=True)

    def readall(self) -> bytes:
        body = super().readall()
        if self.is_exhausted and self._stream.read(1):
            raise RequestEntityTooLarge
        return body


class Asked(Request):
    """A request, and with it what was found out about who asks."""

    max_content_length: int = LARGEST_BODY
    """Less for routes that say so."""
    asker: Asker | None = None
    credentials: Credentials | None = None
    standing: Standing | None = None
    rights: frozenset[Right] = frozenset()
    charge: Callable[[float], None] | None = None
    """Counts the seconds that the answer took against the rate limit, if there is one."""
    receiving: float = 0.0
    """Seconds that it took to receive the body, which are the client's and not counted."""

    @cached_property
    def stream(self) -> IO[bytes]:
        """The body; where its length was said, that was looked at, and the server sees that it is no longer."""
        if "wsgi.input_terminated" not in self.environ:
            return super().stream
        body = self.environ["wsgi.input"]
        return cast(IO[bytes], _Bounded(body, self.max_content_length) if self.content_length is None else body)


def asked() -> Asked:
    """The present request."""
    return cast(Asked, request_ctx.request)


class UnguardedRoute(Exception):
    """A route of which nobody has said what it asks for."""


def guard(app: Flask, hold_up: HoldUp) -> Callable[[Asked], None]:
    """What lets no request pass before it is known who asks, that it is not too often, and that he may.

    Raise `UnguardedRoute`.
    """
    rights = {rule.endpoint: right_of(app, rule) for rule in app.url_map.iter_rules()}

    def find_out(request: Asked) -> None:
        rule = request.url_rule
        if rule is None:
            hold_up(None)
        else:
            _admit(request, rights.get(rule.endpoint) or right_of(app, rule), hold_up)

    return find_out


def right_of(app: Flask, rule: Rule) -> Right:
    """What a route asks for."""
    blueprint, _, name = rule.endpoint.rpartition(".")
    right = getattr(app.blueprints.get(blueprint), "rights", {}).get(name)
    if right is None:
        raise UnguardedRoute(f"{rule.endpoint} does not say what it asks for")
    return cast(Right, right)


def asker() -> Asker:
    """Who asks."""
    found = asked().asker
    assert found is not None
    return found


def credential() -> str | None:
    """The token or the session by which the asker is known."""
    return _credentials().secret if asker().account_id is not None else None


def viewer() -> Viewer:
    """For whom rows are looked up and listed."""
    match_id = _credentials().match_id if asker().link_id is not None else None
    return Viewer(asker().account_id, match_id, sees_all=asker().is_local)


def is_public() -> bool:
    """Whether what is said of the match in the address may be kept for everybody."""
    standing = asked().standing
    assert standing is not None
    return standing.visibility is Visibility.PUBLIC and not standing.withdrawn


def has(right: Right) -> bool:
    """Whether the asker has a right on the match in the address, or outside of matches."""
    return right in asked().rights if _credentials().is_about_match else may_outside(asker(), right)


def rights_held() -> list[Scope]:
    """The rights on the match in the address, or outside of matches, as `GET /matches/{id}/rights` answers them."""
    return [scope for scope in Scope if has(Right[scope.name])]


def require(right: Right) -> None:
    """Refuse an asker without a right; raise `Problem`."""
    if not has(right):
        refuse()


def refuse() -> NoReturn:
    """Say that the asker may not do this, which he may read; raise `Problem`."""
    if asker().is_anonymous:
        raise Problem("sign-in-needed", "Sign in first, or send a token.", {"WWW-Authenticate": CHALLENGE})
    raise Problem("not-allowed", "You may look at this but not do that.")


def still_reads(connection: Connection) -> bool:
    """Whether the asker may still read the match in the address, after he may have waited for long."""
    if asker().is_local:
        return True
    row = _ask(connection, _credentials())
    return Right.READ in rights_on(_asker(row), _standing(row))


def _credentials() -> Credentials:
    shown = asked().credentials
    assert shown is not None
    return shown


def _admit(request: Asked, right: Right, hold_up: HoldUp) -> None:
    is_open = carnet().config.is_open
    is_asked_for = right is Right.EMBED or (right is not Right.FREE and not is_open)
    if not is_asked_for:
        hold_up(None)
    sessions.require_same_site(request)
    if right is Right.FREE:
        return
    credentials = _read_link(request) if right is Right.EMBED else _read_credentials(request, is_open=is_open)
    request.credentials = credentials
    if not is_asked_for:
        # Whether there is such a match is for the route to say.
        _set(request, LOCAL, _OPEN)
        return
    is_anonymous = credentials.digest is None and credentials.key is None
    if is_anonymous:
        hold_up(None)  # before anything is asked of the database
    if right is not Right.EMBED:  # for which neither is read
        note_varies(*CREDENTIALS)
    with carnet().database.statements() as connection:
        row = _ask(connection, credentials)
        if row["account_id"] is not None and row["is_use_old"]:
            secrets.note_use(connection, row["secret_id"])
    _set(request, _asker(row), _standing(row))
    if credentials.kind is Kind.SESSION and credentials.secret is not None and row["account_id"] is None:
        sessions.forget_ended()
    if not is_anonymous:
        account_id = asker().account_id
        hold_up(None if account_id is None else str(account_id))
    _require_valid_token(credentials)
    if credentials.is_about_match and Right.READ not in request.rights:
        raise not_found("match" if credentials.match_id is not None else "annotation")
    require(right)


_OPEN = Standing(Visibility.PUBLIC)


def _set(request: Asked, asker: Asker, standing: Standing) -> None:
    request.asker, request.standing, request.rights = asker, standing, rights_on(asker, standing)


def _read_link(request: Asked) -> Credentials:
    """What the address shows, and no more: a page of another site may have asked for it with our cookies."""
    key, views = request.args.get(KEY), request.view_args or {}
    return Credentials(Kind.SESSION, None, None if key is None else tokens.digest(key), views.get("match_id"), None)


def _read_credentials(request: Asked, *, is_open: bool) -> Credentials:
    views = request.view_args or {}
    annotation_id = views.get("annotation_id")
    if is_open:  # so that nobody would look at more
        return Credentials(Kind.SESSION, None, None, views.get("match_id"), annotation_id)
    kind, secret = Kind.SESSION, None
    if "Authorization" in request.headers:
        scheme, _, said = request.headers["Authorization"].partition(" ")
        kind, secret = Kind.TOKEN, said.strip() if scheme.lower() == "bearer" else ""
    elif (secret := sessions.secret_sent()) is not None:
        sessions.require_page(secret)
    digest = None if secret is None else tokens.digest(secret)
    return replace(_read_link(request), kind=kind, digest=digest, annotation_id=annotation_id, secret=secret)


def _require_valid_token(credentials: Credentials) -> None:
    if credentials.kind is Kind.TOKEN and asker().account_id is None:
        challenge = f'{CHALLENGE}, error="invalid_token"'
        detail = "This token is not known, has expired or was revoked."
        raise Problem("wrong-token", detail, {"WWW-Authenticate": challenge})


def _ask(connection: Connection, credentials: Credentials) -> Mapping[str, Any]:
    return access.ask(
        connection,
        digest=credentials.digest,
        kind=credentials.kind,
        key=credentials.key,
        match_id=credentials.match_id,
        annotation_id=credentials.annotation_id,
    )


def _asker(row: Mapping[str, Any]) -> Asker:
    if row["account_id"] is None:
        return Asker(link_id=row["link_id"])
    scopes = frozenset(Scope(scope) for scope in row["scopes"])
    return Asker(row["account_id"], Role(row["role"]), scopes, row["secret_id"], row["link_id"])


def _standing(row: Mapping[str, Any]) -> Standing:
    """How the asker stands to the match; one that is not there is nobody's."""
    return Standing(
        Visibility(row["visibility"] or Visibility.PRIVATE),
        owns=bool(row["owns"]),
        plays=row["plays"],
        has_link=row["link_kind"] == Kind.READING,
        is_invited=row["link_kind"] == Kind.RECORDING,
        withdrawn=bool(row["withdrawn"]),
    )
