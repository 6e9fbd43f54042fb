"""Security headers of all responses."""

from collections.abc import Mapping

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
SUBRESOURCE = {"Cross-Origin-Resource-Policy": "same-origin", "X-Content-Type-Options": "nosniff"}
"""What browsers obey in answers that are scripts or styles. The rest costs 500 bytes for each of 60 files of a page."""

UNUSED = ("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "microphone", "payment", "usb")
"""Browser features that no page uses."""

ALWAYS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in UNUSED),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


def headers_for(path: str, content_type: str, *, is_secure: bool = False) -> Mapping[str, str]:
    """The security headers of a path, for responses without a stricter header of the same name."""
    if path.startswith(STATIC) and content_type.partition(";")[0] in SUBRESOURCES:
        return SUBRESOURCE | _tls(is_secure=is_secure)
    policy = PAGE_POLICY if content_type.startswith("text/html") else DOCUMENT_POLICY
    headers = dict(ALWAYS)
    if path.startswith(EMBEDDED):
        headers |= {"Content-Security-Policy": policy, "Cross-Origin-Resource-Policy": "cross-origin"}
    else:
        headers |= {
            "Content-Security-Policy": f"{policy}; frame-ancestors 'none'",
            "Cross-Origin-Resource-Policy": "same-origin",
            "X-Frame-Options": "DENY",
        }
    return headers | _tls(is_secure=is_secure)


def _tls(*, is_secure: bool) -> dict[str, str]:
    return {"Strict-Transport-Security": f"max-age={TLS_FOR}"} if is_secure else {}
