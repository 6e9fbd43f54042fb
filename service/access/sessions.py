"""The cookie that a browser stays signed in with: a secret, signed, and the proof that a page of ours sends it."""

import hmac
import secrets as chance
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from flask import Request, Response, request

from service.access import tokens
from service.carnet import carnet
from service.problems import Problem
from service.store import secrets
from service.store.database import Connection
from service.store.secrets import Kind

COOKIE = "carnet_session"
LASTS = timedelta(days=90)
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""The methods that change nothing."""


def begin(connection: Connection, account_id: UUID, scopes: Sequence[str], **made: Any) -> str:
    """A new session in the place of the one that the browser has; a secret from before sign-in is never kept."""
    before = secret_sent()
    if before is not None:
        secrets.end(connection, tokens.digest(before))
    return tokens.make(connection, Kind.SESSION, LASTS, account_id=account_id, scopes=scopes, **made).text


def end(connection: Connection) -> Mapping[str, Any] | None:
    """End the session that the browser has; answers with its row if there was one."""
    sent = secret_sent()
    return None if sent is None else secrets.end(connection, tokens.digest(sent))


def give_cookie(response: Response, secret: str) -> Response:
    """Let the browser keep a session."""
    value = f"{secret}.{_sign('session', secret)}"
    response.set_cookie(COOKIE, value, max_age=LASTS, path="/", httponly=True, samesite="Lax", secure=request.is_secure)
    return response


def take_cookie(response: Response) -> Response:
    """Let the browser forget its session."""
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="Lax", secure=request.is_secure)
    return response


def secret_sent() -> str | None:
    """The secret in the cookie of the request, if we have signed it."""
    secret, dot, signature = request.cookies.get(COOKIE, "").rpartition(".")
    if not dot or not _is_same(signature, _sign("session", secret)):
        return None
    return secret


def page_proof(secret: str) -> str:
    """What only a page that may read our answers can send along with the cookie."""
    return _sign("page", secret)


def require_page(secret: str) -> None:
    """Refuse a write that a browser sends with its cookie though no page of ours asked for it."""
    if request.method not in SAFE and not _is_same(request.headers.get("X-CSRF-Token", ""), page_proof(secret)):
        raise Problem("cross-site", "Send the csrf_token of /api/v1/me as X-CSRF-Token with every change.")


def require_same_site(asked: Request) -> None:
    """Refuse a write that a browser sends for a page of another site."""
    headers = asked.environ
    if asked.method in SAFE or "HTTP_AUTHORIZATION" in headers:
        return
    site, origin = headers.get("HTTP_SEC_FETCH_SITE"), headers.get("HTTP_ORIGIN")
    if site is not None:
        is_ours = site in {"none", "same-origin"}
    else:  # Browsers send the first to trustworthy addresses only, such as those with TLS.
        is_ours = origin is None or host_of(origin) == host_of(f"//{asked.host}")
    if not is_ours:
        raise Problem("cross-site", "This was asked by a page of another site.")


def host_of(address: str) -> tuple[str | None, int | None]:
    """The name and the port in an address; neither if it is none."""
    try:
        parts = urlsplit(address)
        return parts.hostname, parts.port
    except ValueError:
        return None, None


def _sign(purpose: str, text: str) -> str:
    made = hmac.digest(signing_key(), f"{purpose}:{text}".encode("utf-8", "surrogatepass"), "sha256")
    return urlsafe_b64encode(made).decode().rstrip("=")


def _is_same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "surrogatepass"), other.encode())


def signing_key() -> bytes:
    """The key of the installation, which is read once by each process."""
    known = carnet().signing_keys
    if not known:
        with carnet().database.transaction() as connection:
            known.append(secrets.signing_key(connection, chance.token_bytes(32)))
    return known[0]
