"""The Flask application: hooks, blueprints and error handlers."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import flask
from flask import Flask
from flask.ctx import RequestContext
from werkzeug.exceptions import HTTPException
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import Map, MapAdapter, Rule
from werkzeug.wsgi import get_host

from service import health
from service.anchors import routes as anchors
from service.annotations import routes as annotations
from service.auth import routes as auth
from service.config import Config
from service.context import Services
from service.db.notifications import Notifier
from service.db.pool import Database
from service.games import routes as games
from service.http import errors
from service.http.compression import compress
from service.http.hooks import before_request
from service.http.middleware import Middleware
from service.http.request import Request
from service.http.routing import OneSpelling
from service.http.vary import add_vary
from service.live import routes as live
from service.live.subscribers import Streams
from service.matches import log, moves, replay
from service.matches import routes as matches
from service.openapi import problem_types
from service.openapi import routes as document
from service.players import routes as players
from service.stats import routes as stats
from service.web.pages import show_problem
from service.web.site import AREAS

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication, WSGIEnvironment


BLUEPRINTS = (
    *(part.blueprint for part in (games, matches, log, moves, replay, live, players, stats, annotations, anchors)),
    *(part.blueprint for part in (auth, document, problem_types, health)),
    *AREAS,
)


def create_app(config: Config, database: Database) -> Flask:
    """Make the application on an open database."""
    app = Application(__name__, static_folder=None)
    app.extensions["carnet"] = Services(config, database, Notifier(database.dsn), Streams(database.dsn))
    app.url_map.converters["uuid"] = OneSpelling
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False
    errors.register(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    app.before_request(before_request(app, config))
    for hook in reversed([show_problem, add_vary, compress]):  # Flask runs the last one first
        app.after_request(hook)
    for middleware in reversed(middleware_of(config)):
        app.wsgi_app = middleware(app.wsgi_app)  # type: ignore[method-assign, assignment]
    return app


def middleware_of(config: Config) -> Sequence[Callable[["WSGIApplication"], "WSGIApplication"]]:
    """The middleware around Flask, from the outside in."""
    # Proxies append to the first header and set the second; other headers of theirs are ignored.
    behind_proxies = partial(ProxyFix, x_for=config.proxies, x_proto=1)
    return [behind_proxies, Middleware] if config.proxies else [Middleware]


# Overrides of Flask for speed


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
