"""WSGI middleware: request ids, security headers, the access log, metrics and the rate limit.

It wraps Flask instead of using its hooks, which would take longer over this than most routes over their responses.
Content of requests and responses is never logged, and of a path only its route: paths, query strings, headers and
bodies can hold secrets.
"""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator
from time import perf_counter
from typing import TYPE_CHECKING, Any

from service.http.cors import cors_headers
from service.http.headers import by_name, headers_for
from service.http.ratelimit import SECONDS_PER_REQUEST
from service.http.request import current_request
from service.identity import new_label
from service.metrics import METRICS

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

EVENT_STREAM = "text/event-stream"
MAX_REQUEST_ID = 100
REQUEST_ID = "carnet.request_id"
"""The key of the request id in the WSGI environment."""

_log = logging.getLogger("carnet.requests")


class Middleware:
    """Middleware around a WSGI application."""

    def __init__(self, inside: "WSGIApplication", origins: Collection[str] = (), *, pins_tls: bool = True) -> None:
        self._inside = inside
        self._origins = origins
        self._pins_tls = pins_tls

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        exchange = _Exchange(environ, start_response, self._origins, pins_tls=self._pins_tls)
        exchange.body = self._inside(environ, exchange.start)
        exchange.handled()
        return exchange


class _Exchange:
    """A request and its response."""

    __slots__ = (
        "_began",
        "_charge",
        "_environ",
        "_is_stream",
        "_origins",
        "_pins_tls",
        "_receiving",
        "_request_id",
        "_route",
        "_start_response",
        "_status",
        "_uncharged",
        "body",
    )

    body: Iterable[bytes]
    _charge: Callable[[float], None] | None

    def __init__(
        self,
        environ: "WSGIEnvironment",
        start_response: "StartResponse",
        origins: Collection[str],
        *,
        pins_tls: bool,
    ) -> None:
        self._began = perf_counter()
        self._origins = origins
        self._pins_tls = pins_tls
        self._uncharged = -SECONDS_PER_REQUEST  # as one was taken from the bucket when the request came
        self._environ = environ
        self._start_response = start_response
        self._request_id = _assign_request_id(environ)

    def start(self, status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
        """Start the response with its security headers; headers that it sets itself are stricter."""
        own = by_name(headers)
        content_type = own.get("content-type", "")
        request = current_request()
        protective = headers_for(request.path, content_type, is_secure=self._pins_tls and request.is_secure)
        if self._origins:
            origin = self._environ.get("HTTP_ORIGIN")
            protective = {**protective, **cors_headers(self._origins, request.method, request.path, origin)}
            if "Vary" in protective and "vary" in own:
                headers.append(("Vary", protective["Vary"]))
        headers += [(name, value) for name, value in protective.items() if name.lower() not in own]
        headers += request.limits.items()
        if "cache-control" not in own and request.principal is not None:  # the response may depend on the principal
            headers.append(("Cache-Control", "private, no-cache"))
        headers.append(("X-Request-ID", self._request_id))
        rule = request.url_rule
        self._route = None if rule is None else rule.rule
        self._status = int(status[:3])
        self._is_stream = content_type.startswith(EVENT_STREAM)
        self._charge = request.charge
        self._receiving = request.receiving
        return self._start_response(status, headers, *error)

    def handled(self) -> None:
        """Record the time until the response could begin, without the time in which the client sent its body."""
        self._uncharged += perf_counter() - self._began - self._receiving
        self._settle()

    def __iter__(self) -> Iterator[bytes]:
        if self._charge is None or self._is_stream:  # most of which is waiting
            return iter(self.body)
        return self._measured()

    def _measured(self) -> Iterator[bytes]:
        """The parts of the response; only the time to make them counts, not the time to send them."""
        parts = iter(self.body)
        while True:
            began = perf_counter()
            part = next(parts, None)
            self._uncharged += perf_counter() - began
            self._settle()
            if part is None:
                return
            yield part

    def _settle(self) -> None:
        """Charge the response to the rate limit."""
        if self._charge is not None and self._uncharged >= SECONDS_PER_REQUEST:
            self._charge(self._uncharged)
            self._uncharged = 0.0

    def close(self) -> None:
        """Log and measure the request when the response has been sent."""
        if hasattr(self.body, "close"):
            self.body.close()
        seconds = perf_counter() - self._began
        method = self._environ["REQUEST_METHOD"]
        if not self._is_stream:
            METRICS.observe_request(method, self._route, self._status, seconds)
        _log_request(self._request_id, method, self._route, self._status, seconds)


def _assign_request_id(environ: dict[str, Any]) -> str:
    """Give a request the id of its `X-Request-ID` if that is safe in a log, otherwise a new one."""
    label: str = environ.get("HTTP_X_REQUEST_ID", "")
    is_plain = 0 < len(label) <= MAX_REQUEST_ID and label.isascii() and label.isprintable()
    environ[REQUEST_ID] = request_id = label if is_plain else new_label()
    return request_id


def _log_request(request_id: str, method: str, route: str | None, status: int, seconds: float) -> None:
    """Log a request when its response has been sent."""
    level = logging.INFO if status < 500 else logging.WARNING
    if _log.isEnabledFor(level):
        facts = {
            "request_id": request_id,
            "method": method,
            "route": route,
            "status": status,
            "duration_ms": round(1000 * seconds, 1),
        }
        _log.log(level, "answered", extra={"facts": facts})
