"""The headers that every answer bears, so that a browser does with it what we mean and nothing else."""

from collections.abc import Iterator

from flask import Request

EMBEDDED = "/embed/"
"""Only what lies under this address may be shown inside pages of others."""
DOCUMENT_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'"
"""For what is no page: it needs nothing, and nothing in it may run."""
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'self'"
)
"""For pages: scripts and styles are files of ours."""
TLS_FOR = 365 * 24 * 60 * 60
"""Seconds for which a browser that came by TLS comes by nothing else."""

UNUSED = ("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "microphone", "payment", "usb")
"""What browsers can do and we never ask for."""

ALWAYS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in UNUSED),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


def protective_headers(request: Request, content_type: str) -> Iterator[tuple[str, str]]:
    """What the answer to a request is to bear unless it has a stricter header of the name."""
    yield from headers_for(request.path, content_type)
    if request.is_secure:
        yield "Strict-Transport-Security", f"max-age={TLS_FOR}"


def headers_for(path: str, content_type: str) -> Iterator[tuple[str, str]]:
    """What an answer at an address bears however it was asked for."""
    policy = PAGE_POLICY if content_type.startswith("text/html") else DOCUMENT_POLICY
    yield from ALWAYS.items()
    if path.startswith(EMBEDDED):
        yield "Content-Security-Policy", policy
        yield "Cross-Origin-Resource-Policy", "cross-origin"
    else:
        yield "Content-Security-Policy", f"{policy}; frame-ancestors 'none'"
        yield "Cross-Origin-Resource-Policy", "same-origin"
        yield "X-Frame-Options", "DENY"
