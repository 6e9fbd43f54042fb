"""Cross-origin reading by scripts of other sites (CORS), where the operator allows it."""

from collections.abc import Collection, Mapping
from typing import Final

ANY_ORIGIN: Final = "*"
READ: Final = frozenset({"GET", "HEAD"})
EXPOSED: Final = (
    "Carnet-As-Of, Carnet-Population, Content-Disposition, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, "
    "X-Request-ID"
)
SENT: Final = "Accept, Accept-Language, If-None-Match, Last-Event-ID"
"""Headers that scripts may send: not `Authorization`, nor cookies, so they read what everybody may read."""
PREFLIGHT_FOR: Final = 24 * 60 * 60
"""Seconds for which a browser need not ask again what it may send."""


def cors_headers(origins: Collection[str], method: str, path: str, origin: str | None) -> Mapping[str, str]:
    """The headers that let a script of another site read a response of the API, if its origin is among some."""
    if not origins or not path.startswith("/api/"):
        return {}
    varies = {} if ANY_ORIGIN in origins else {"Vary": "Origin"}
    allowed = ANY_ORIGIN if ANY_ORIGIN in origins else origin if origin in origins else None
    if allowed is None:
        return varies
    headers = {"Access-Control-Allow-Origin": allowed, "Cross-Origin-Resource-Policy": "cross-origin", **varies}
    if method in READ:
        return {**headers, "Access-Control-Expose-Headers": EXPOSED}
    if method == "OPTIONS":
        return {
            **headers,
            "Access-Control-Allow-Headers": SENT,
            "Access-Control-Allow-Methods": "GET, HEAD",
            "Access-Control-Max-Age": str(PREFLIGHT_FOR),
        }
    return varies
