"""Session cookies, the refusal of cross-site requests, and the proof that a page was made for its session."""

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from flask import Request, Response, after_this_request, request

from service.auth import tokens
from service.context import services
from service.db import credentials
from service.db.credentials import Kind
from service.db.pool import Connection
from service.http.errors import Problem
from service.http.parsing import SAFE

COOKIE = "carnet_session"
SECURE_COOKIE = f"__Host-{COOKIE}"
"""The name over TLS. Browsers accept it only from this very host, so nobody else can plant one."""
LASTS = timedelta(days=90)


def begin(connection: Connection, account_id: UUID, scopes: Sequence[str], **made: Any) -> str:
    """Begin a new session in place of the browser's old one, so that no session is fixed before sign-in."""
    before = secret_sent()
    if before is not None:
        credentials.end(connection, tokens.digest(before))
    label = browser_of(request.user_agent.string)
    return tokens.make(connection, Kind.SESSION, LASTS, account_id=account_id, scopes=scopes, label=label, **made).text


def end(connection: Connection) -> Mapping[str, Any] | None:
    """End the browser's session and return its row, if there was one."""
    sent = secret_sent()
    return None if sent is None else credentials.end(connection, tokens.digest(sent))


def give_cookie(response: Response, secret: str) -> Response:
    """Set the session cookie."""
    name, secure = _cookie()
    response.set_cookie(name, secret, max_age=LASTS, path="/", httponly=True, samesite="Lax", secure=secure)
    return _clear_cache(response)


def take_cookie(response: Response) -> Response:
    """Delete the session cookie and clear the browser's cache."""
    name, secure = _cookie()
    response.delete_cookie(name, path="/", httponly=True, samesite="Lax", secure=secure)
    return _clear_cache(response)


def forget_ended() -> None:
    """Delete the cookie of a session that was ended elsewhere, when the browser next opens a page.

    Not with any request: one that was in progress during sign-in would delete the cookie of the new session.
    """
    if request.headers.get("Sec-Fetch-Mode") == "navigate":
        after_this_request(take_cookie)


def _clear_cache(response: Response) -> Response:
    # "storage" would also clear what pages store, and with it waiting moves, perhaps those of
    # another account. The pages delete what was read themselves.
    response.headers["Clear-Site-Data"] = '"cache"'
    return response


def has_cookie() -> bool:
    """Whether the browser sent a session cookie, even one of an ended session."""
    return _cookie()[0] in request.cookies


def _cookie() -> tuple[str, bool]:
    """The name of the cookie, and whether it is restricted to TLS.

    Where users know the service by an address with TLS, a proxy that does not say so makes no difference.
    """
    secure = request.is_secure or (services().config.url or "").startswith("https:")
    return (SECURE_COOKIE if secure else COOKIE), secure


def browser_of(user_agent: str) -> str | None:
    """The family of a browser and its system, as users know their devices; None if unknown."""
    family = _first_of(_BROWSERS, user_agent)
    system = _first_of(_SYSTEMS, user_agent)
    return " · ".join(filter(None, (family, system))) or None


_BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "Chrome/": "Chrome",
    "CriOS/": "Chrome",
    "Safari/": "Safari",
}
"""Markers in the User-Agent. Browsers whose markers others do not send come first."""
_SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}


def _first_of(known: Mapping[str, str], text: str) -> str | None:
    return next((name for mark, name in known.items() if mark in text), None)


def secret_sent() -> str | None:
    """The secret in the cookie of the request."""
    # Until 2026-11 a dot and a signature followed. Such cookies last for 90 days; a secret has no dot.
    return request.cookies.get(_cookie()[0], "").partition(".")[0] or None


def page_proof(secret: str) -> str:
    """The token by which a page shows for which session it was made, so that it cannot act in a later one.

    It tells nothing of the secret to who reads the page, and cannot be computed from the digest in the database.
    """
    made = hmac.digest(secret.encode("utf-8", "surrogatepass"), b"page", "sha256")
    return urlsafe_b64encode(made).decode().rstrip("=")


def require_page(secret: str) -> None:
    """Refuse a write in a session by a page that was not made for it."""
    sent = request.headers.get("X-CSRF-Token", "").encode("utf-8", "surrogatepass")
    if request.method not in SAFE and not hmac.compare_digest(sent, page_proof(secret).encode()):
        raise Problem("cross-site", "Send the csrf_token of /api/v1/me as X-CSRF-Token with every change.")


def require_same_site(request: Request) -> None:
    """Refuse a write that a page of another site makes the browser send, with a session or without sign-in."""
    headers = request.environ
    if request.method in SAFE or "HTTP_AUTHORIZATION" in headers:
        return
    site, origin = headers.get("HTTP_SEC_FETCH_SITE"), headers.get("HTTP_ORIGIN")
    if site is not None:
        is_ours = site in {"none", "same-origin"}
    else:  # Browsers send the first header only to trustworthy addresses, such as those with TLS.
        is_ours = origin is None or host_of(origin) == host_of(f"//{request.host}")
    if not is_ours:
        raise Problem("cross-site", "The request was sent by a page of another site.")


def host_of(address: str) -> tuple[str | None, int | None]:
    """Host and port of an address; None if it is invalid."""
    try:
        parts = urlsplit(address)
        return parts.hostname, parts.port
    except ValueError:
        return None, None
