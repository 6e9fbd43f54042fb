"""Security headers of all responses."""

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Final

EMBEDDED = "/embed/"
"""Only pages under this path may be embedded in other sites."""
DOCUMENT_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'"
"""For responses that are not pages: they need nothing, and nothing in them may run."""
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'self'"
)
"""For pages: scripts and styles come only from our files."""
TLS_FOR = 365 * 24 * 60 * 60
"""Seconds for which a browser that used TLS uses nothing else (HSTS)."""

STATIC = "/static/"
"""Scripts and styles stand here, whose addresses are never opened as documents with a meaning."""
SUBRESOURCES = frozenset({"text/css", "text/javascript"})
SUBRESOURCE: Mapping[str, str] = {"Cross-Origin-Resource-Policy": "same-origin", "X-Content-Type-Options": "nosniff"}
"""What browsers obey in answers that are scripts or styles. The rest costs 500 bytes for each of 60 files of a page."""

UNUSED = ("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "microphone", "payment", "usb")
"""Browser features that no page uses."""

ALWAYS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in UNUSED),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


def _headers_of(*, is_page: bool, is_embedded: bool) -> Mapping[str, str]:
    policy = PAGE_POLICY if is_page else DOCUMENT_POLICY
    if is_embedded:
        return {**ALWAYS, "Content-Security-Policy": policy, "Cross-Origin-Resource-Policy": "cross-origin"}
    return {
        **ALWAYS,
        "Content-Security-Policy": f"{policy}; frame-ancestors 'none'",
        "Cross-Origin-Resource-Policy": "same-origin",
        "X-Frame-Options": "DENY",
    }


_HEADERS: Final = {
    kind: _headers_of(is_page=kind[0], is_embedded=kind[1]) for kind in product((False, True), (False, True))
}
"""The headers by whether a response is a page, and whether other sites may embed it."""


def headers_for(path: str, content_type: str, *, is_secure: bool = False) -> Mapping[str, str]:
    """The security headers of a path, for responses without a stricter header of the same name."""
    if path.startswith(STATIC) and content_type.partition(";")[0] in SUBRESOURCES:
        headers = SUBRESOURCE
    else:
        headers = _HEADERS[content_type.startswith("text/html"), path.startswith(EMBEDDED)]
    return {**headers, "Strict-Transport-Security": f"max-age={TLS_FOR}"} if is_secure else headers


def by_name(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Headers by their names in lower case: to find that Werkzeug's have none of a name takes 2.5 µs."""
    return {name.lower(): value for name, value in headers}
