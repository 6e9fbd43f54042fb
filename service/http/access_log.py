"""The id of a request, and its line in the log.

Content of requests and responses is never logged, and of a path only its route: paths, query strings, headers and
bodies can hold secrets.
"""

import logging
from typing import Any

from service.identity import new_label

MAX_REQUEST_ID = 100
REQUEST_ID = "carnet.request_id"
"""The key of the request id in the WSGI environment."""

requests = logging.getLogger("carnet.requests")


def assign_request_id(environ: dict[str, Any]) -> str:
    """Give a request the id of its `X-Request-ID` if that is safe in a log, otherwise a new one."""
    label: str = environ.get("HTTP_X_REQUEST_ID", "")
    is_plain = 0 < len(label) <= MAX_REQUEST_ID and label.isascii() and label.isprintable()
    environ[REQUEST_ID] = request_id = label if is_plain else new_label()
    return request_id


def log_request(request_id: str, method: str, route: str | None, status: int, seconds: float) -> None:
    """Log a request when its response has been sent."""
    level = logging.INFO if status < 500 else logging.WARNING
    if requests.isEnabledFor(level):
        facts = {
            "request_id": request_id,
            "method": method,
            "route": route,
            "status": status,
            "duration_ms": round(1000 * seconds, 1),
        }
        requests.log(level, "answered", extra={"facts": facts})
