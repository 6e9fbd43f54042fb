"""The Flask application: hooks, blueprints and error handlers."""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from math import ceil
from typing import TYPE_CHECKING, Any

import flask
from flask import Flask
from flask.ctx import RequestContext
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import Map, MapAdapter, Rule, UUIDConverter
from werkzeug.wsgi import get_host

from service import health
from service.anchors import routes as anchors
from service.annotations import routes as annotations
from service.auth import authentication
from service.auth import routes as access
from service.config import Config
from service.context import Services
from service.db.notifications import Notifier
from service.db.pool import Database
from service.games import routes as games
from service.http import errors
from service.http.compression import compress
from service.http.errors import Problem
from service.http.middleware import Middleware
from service.http.parsing import require_nothing_unread
from service.http.ratelimit import Rates, network_of
from service.http.request import MAX_BODY, SMALL_BODY, Request, current_request
from service.http.routing import routes_of
from service.http.vary import add_vary
from service.live import routes as live
from service.live.subscribers import Streams
from service.matches import log, moves, replay
from service.matches import routes as matches
from service.openapi import problem_types
from service.openapi import routes as document
from service.players import routes as players
from service.stats import routes as stats
from service.web.pages import show_problems
from service.web.site import AREAS

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment


STRANGERS_SHARE = 0.5
"""The share of the rate limit for an address without an account."""


class OneSpelling(UUIDConverter):
    """A UUID in a path, in lower case only."""

    regex = UUIDConverter.regex.replace("A-F", "")


class Context(RequestContext):
    """A request context that finds its route in a cache by path: all moves of a match have the same one."""

    def match_request(self) -> None:
        """Match the route, or store the routing error."""
        request = self.request
        try:
            request.url_rule, values = _find_route(self.app.url_map, request.path, request.method)
            request.view_args = dict(values)
        except HTTPException as error:
            request.routing_exception = error


@lru_cache(maxsize=2**11)
def _find_route(routes: Map, path: str, method: str) -> tuple[Rule, Mapping[str, Any]]:
    return routes.bind("").match(path, method, return_rule=True)


class Application(Flask):
    """Flask without the work that has the same result for every request."""

    request_class = Request

    def request_context(self, environ: "WSGIEnvironment") -> Context:
        """Make the context of a request."""
        return Context(self, environ)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function: none that Flask calls is asynchronous."""
        return func

    def create_url_adapter(self, request: flask.Request | None) -> MapAdapter | None:
        """Make the URL adapter of a request. All hosts have the same routes."""
        if request is None:
            return super().create_url_adapter(None)
        environ = request.environ
        host = environ.get("HTTP_HOST"), environ["SERVER_NAME"], environ["SERVER_PORT"], request.scheme
        request.host = _read_host(*host)
        return MapAdapter(
            self.url_map,
            server_name=request.host,
            script_name=request.root_path,
            subdomain="",
            url_scheme=request.scheme,
            path_info=request.path,
            default_method=request.method,
            query_args=environ["QUERY_STRING"],
        )


@lru_cache(maxsize=256)
def _read_host(named: str | None, server: str, port: str, scheme: str) -> str:
    """The host and port of a request; the cache is small because few hosts occur."""
    environ = {"wsgi.url_scheme": scheme, "SERVER_NAME": server, "SERVER_PORT": port}
    return get_host(environ if named is None else {**environ, "HTTP_HOST": named})


def create_app(config: Config, database: Database) -> Flask:
    """Make the application on an open database."""
    app = Application(__name__, static_folder=None)
    app.extensions["carnet"] = Services(config, database, Notifier(database.dsn), Streams(database.dsn))
    app.wsgi_app = Middleware(app.wsgi_app)  # type: ignore[method-assign]
    if config.proxies:
        # Proxies append to the first header and set the second; other headers of theirs are ignored.
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=config.proxies, x_proto=1)  # type: ignore[method-assign]
    # A link of a match may be in many hands, and a client may have many links: their holders are limited by address.
    by_account = Rates(config.rate)
    by_address = Rates(config.rate if config.is_open else ceil(config.rate * STRANGERS_SHARE))
    is_called = lru_cache(maxsize=256)(config.is_called)
    app.url_map.converters["uuid"] = OneSpelling
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False
    _add_parts(app)

    def enforce_rate_limit(account_id: str | None) -> None:
        if not config.rate:
            return
        request = current_request()
        rates = by_address if account_id is None else by_account
        client = account_id or network_of(request.remote_addr)
        seconds = rates.take(client)
        if seconds:
            detail = "Too many requests, or too expensive ones; wait a moment."
            raise Problem("too-many-requests", detail, {"Retry-After": str(ceil(seconds))})
        request.charge = partial(rates.charge, client)

    authenticate = authentication.guard(app, enforce_rate_limit)
    routes = dict(routes_of(app))
    read = {endpoint: route.parts_read for endpoint, route in routes.items() if route.rule.startswith("/api/")}
    max_bodies = {rule.endpoint: SMALL_BODY for rule in app.url_map.iter_rules()}  # pages have only small forms
    max_bodies |= {endpoint: route.max_body for endpoint, route in routes.items()}

    @app.before_request
    def admit() -> None:
        request = current_request()
        if not is_called(request.host):
            raise Problem("bad-request", "The service does not answer to this host; set CARNET_URL to its address.")
        most = request.max_content_length = max_bodies.get(request.endpoint or "", MAX_BODY)
        if (request.content_length or 0) > most:
            raise RequestEntityTooLarge  # even if no route reads the body
        authenticate(request)
        if request.endpoint in read:
            require_nothing_unread(request, read[request.endpoint])

    app.after_request(compress)  # the last of the hooks, which run in the opposite order
    app.after_request(add_vary)
    show_problems(app)
    return app


def _add_parts(app: Flask) -> None:
    """Register all blueprints and error handlers."""
    errors.register(app)
    recorded = (games, matches, log, moves, replay, live, players, stats, annotations, anchors)
    for part in (*recorded, access, document, problem_types, health):
        app.register_blueprint(part.blueprint)
    for pages in AREAS:
        app.register_blueprint(pages)
