"""The hook before each request: authentication, the rate limit and authorization."""

from collections.abc import Callable
from urllib.parse import quote

from flask import Flask, Response

from service.auth.authentication import (
    authenticate,
    authorize,
    needs_authentication,
    read_credentials,
    right_of,
    rights_of,
)
from service.config import Config
from service.http.errors import Problem
from service.http.parsing import require_nothing_unread
from service.http.ratelimit import RateLimit
from service.http.request import MAX_BODY, SMALL_BODY, Request, current_request, limit_body
from service.http.routing import routes_of
from service.permissions import Right


def before_request(app: Flask, config: Config) -> Callable[[], Response | None]:
    """Return the hook that checks a request before its view is called; raise `UnguardedRoute`.

    It is made when the application has all its routes.
    """
    routes = dict(routes_of(app))
    rights = rights_of(app)
    max_bodies = dict.fromkeys(rights, SMALL_BODY)  # pages have only small forms
    max_bodies |= {endpoint: route.max_body for endpoint, route in routes.items()}
    parts_read = {endpoint: route.parts_read for endpoint, route in routes.items() if route.rule.startswith("/api/")}
    rate_limit = RateLimit(config)
    plain = frozenset(endpoint for endpoint in rights if is_for_plain_http(app, endpoint))

    def check() -> Response | None:
        request = current_request()
        if not config.is_called(request.host):
            raise Problem("bad-request", "The service does not answer to this host; set CARNET_URL to its address.")
        rule = request.url_rule
        if config.tls is not None and not request.is_secure and (rule is None or rule.endpoint not in plain):
            rate_limit.enforce(request)
            return lead_to_https(request, config)
        if rule is None:
            limit_body(request, MAX_BODY)
            rate_limit.enforce(request)
            return None
        limit_body(request, max_bodies.get(rule.endpoint, MAX_BODY))
        _admit(request, rights.get(rule.endpoint) or right_of(app, rule), rate_limit)
        if rule.endpoint in parts_read:
            require_nothing_unread(request, parts_read[rule.endpoint])
        return None

    return check


def lead_to_https(request: Request, config: Config) -> Response:
    """Redirect a reader to the same page over HTTPS; raise `Problem` for anything that should not have been sent."""
    if request.method not in {"GET", "HEAD"}:
        raise Problem("bad-request", f"This service is used over HTTPS: {config.address}")
    base = config.secure_address_for(request.host, request.environ["SERVER_PORT"])
    # What a browser remembers for good would lock it out when the service goes back to plain HTTP.
    status, caching = (308, "max-age=3600") if config.is_pinned_to_tls else (307, "no-store")
    query = request.query_string.decode("latin-1")
    path = quote(request.path, safe="/") + (f"?{query}" if query else "")
    return Response(status=status, headers={"Location": base + path, "Cache-Control": caching})


def is_for_plain_http(app: Flask, endpoint: str) -> bool:
    """Whether a route also answers over plain HTTP where the service speaks HTTPS."""
    return getattr(app.blueprints.get(endpoint.rpartition(".")[0]), "is_for_plain_http", False)


def _admit(request: Request, right: Right, rate_limit: RateLimit) -> None:
    """Authenticate a request, enforce the rate limit, and authorize it; raise `Problem`."""
    if not needs_authentication(right):
        rate_limit.enforce(request)
        read_credentials(request, right)
        authenticate(request, right)
        return
    read_credentials(request, right)
    assert request.credentials is not None
    if request.credentials.are_missing:
        rate_limit.enforce(request)  # before the database is queried
        authenticate(request, right)
    else:
        authenticate(request, right)
        rate_limit.enforce(request)
    authorize(request, right)
