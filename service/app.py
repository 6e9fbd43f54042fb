"""The application: which parts answer which addresses."""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from math import ceil
from typing import TYPE_CHECKING, Any

from flask import Flask, Request
from flask.ctx import RequestContext
from flask_smorest import Api
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import Map, MapAdapter, Rule, UUIDConverter
from werkzeug.wsgi import get_host

from service import health, problems
from service.access import asking
from service.access import routes as access
from service.access.asking import LARGEST_BODY, SMALL_BODY, Asked, asked
from service.anchors import routes as anchors
from service.annotations import routes as annotations
from service.api import parts_read
from service.carnet import Carnet
from service.compression import compress
from service.config import Config
from service.door import Door
from service.games import routes as games
from service.matches import log, moves, replay, stream
from service.matches import routes as matches
from service.openapi import problem_types
from service.openapi import routes as document
from service.openapi.requests import Plugin
from service.players import routes as players
from service.problems import Problem
from service.rates import Rates, network_of
from service.requests import require_nothing_unread
from service.stats import routes as stats
from service.store.database import Database
from service.store.notices import Notices
from service.streams import Streams
from service.vary import add_vary
from service.web.pages import show_problems
from service.web.site import AREAS

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment


STRANGERS_SHARE = 0.5
"""The part of the rate limit that those have who share one address and show no account."""


class OneSpelling(UUIDConverter):
    """An id in an address, in lower case as everywhere."""

    regex = UUIDConverter.regex.replace("A-F", "")


class Context(RequestContext):
    """A request whose route is known from the last one to its address: all moves of a match go to the same."""

    def match_request(self) -> None:
        """Find the route, or why there is none."""
        asked = self.request
        try:
            asked.url_rule, values = _find_route(self.app.url_map, asked.path, asked.method)
            asked.view_args = dict(values)
        except HTTPException as error:
            asked.routing_exception = error


@lru_cache(maxsize=2**11)
def _find_route(routes: Map, path: str, method: str) -> tuple[Rule, Mapping[str, Any]]:
    return routes.bind("").match(path, method, return_rule=True)


class Application(Flask):
    """Flask without the questions to which the answer is the same for every request."""

    request_class = Asked

    def request_context(self, environ: "WSGIEnvironment") -> Context:
        """What is known of a request as long as it is answered."""
        return Context(self, environ)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """None of the functions that Flask calls is asynchronous."""
        return func

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """What finds the route of a request: whatever the host is called, it has the same ones."""
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
    """The host and port that a request names; few are ever met."""
    environ = {"wsgi.url_scheme": scheme, "SERVER_NAME": server, "SERVER_PORT": port}
    return get_host(environ if named is None else {**environ, "HTTP_HOST": named})


def create_app(config: Config, database: Database) -> Flask:
    """The application on an open database."""
    app = Application(__name__, static_folder=None)
    app.extensions["carnet"] = Carnet(config, database, Notices(database.dsn), Streams(database.dsn))
    app.config.update(
        API_TITLE="Carnet",
        API_VERSION="1",
        OPENAPI_VERSION="3.1.1",
    )
    app.wsgi_app = Door(app.wsgi_app)  # type: ignore[method-assign]
    if config.proxies:
        # Proxies add to the first header and set the second; what else they may say of the request is not asked.
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=config.proxies, x_proto=1)  # type: ignore[method-assign]
    # A link of a match may be in many hands, and whoever has one may have others: its holders count by their address.
    by_account = Rates(config.rate)
    by_address = Rates(config.rate if config.is_open else ceil(config.rate * STRANGERS_SHARE))
    is_called = lru_cache(maxsize=256)(config.is_called)
    app.url_map.converters["uuid"] = OneSpelling
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False
    _add_parts(app)

    def hold_up(account_id: str | None) -> None:
        if not config.rate:
            return
        request = asked()
        rates = by_address if account_id is None else by_account
        client = account_id or network_of(request.remote_addr)
        seconds = rates.take(client)
        if seconds:
            detail = "Too many requests, or too expensive ones; wait a moment."
            raise Problem("too-many-requests", detail, {"Retry-After": str(ceil(seconds))})
        request.charge = partial(rates.charge, client)

    find_out = asking.guard(app, hold_up)
    rules = [rule for rule in app.url_map.iter_rules() if rule.rule.startswith("/api/")]
    read = {rule.endpoint: parts_read(app.view_functions[rule.endpoint]) for rule in rules}
    max_bodies = {rule.endpoint: _max_body(app, rule) for rule in app.url_map.iter_rules()}

    @app.before_request
    def admit() -> None:
        request = asked()
        if not is_called(request.host):
            raise Problem("bad-request", "The service does not go by this name; set CARNET_URL to what it is called.")
        most = request.max_content_length = max_bodies.get(request.endpoint or "", LARGEST_BODY)
        if (request.content_length or 0) > most:
            raise RequestEntityTooLarge  # also where nobody reads the body
        find_out(request)
        if request.endpoint in read:
            require_nothing_unread(request, read[request.endpoint])

    app.after_request(compress)  # the last of the hooks, which run in the opposite order
    app.after_request(add_vary)
    show_problems(app)
    return app


def _add_parts(app: Flask) -> None:
    """Let the application answer all addresses, and every error."""
    api = Api(app, spec_kwargs={"marshmallow_plugin": Plugin()})
    problems.register(app)  # after smorest, which registers an answer of its own to every HTTPException
    recorded = (games, matches, log, moves, replay, stream, players, stats, annotations, anchors)
    for part in (*recorded, access, document, problem_types, health):
        api.register_blueprint(part.blueprint)
    for pages in AREAS:
        app.register_blueprint(pages)


def _max_body(app: Flask, rule: Rule) -> int:
    """The bytes that the body of a request to a route may have; pages have none but small forms."""
    blueprint, _, name = rule.endpoint.rpartition(".")
    declared: Mapping[str, int] = getattr(app.blueprints.get(blueprint), "max_bodies", {})
    return declared.get(name, SMALL_BODY)
