"""The Flask application: hooks, blueprints and error handlers."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from service import health
from service.anchors import routes as anchors
from service.annotations import routes as annotations
from service.auth import routes as auth
from service.auth.hooks import before_request
from service.config import Config
from service.context import Services
from service.db.pool import Database
from service.exchange import exports, imports
from service.games import routes as games
from service.http import errors, fast
from service.http.compression import compress
from service.http.middleware import Middleware
from service.http.request import Request
from service.http.routing import OneSpelling
from service.http.vary import add_vary
from service.matches import log, moves, paper, results, stream, times
from service.matches import routes as matches
from service.openapi import problem_types
from service.openapi import routes as document
from service.players import routes as players
from service.replay import routes as replay
from service.stats import routes as stats
from service.web import trust
from service.web.pages import show_problem
from service.web.replay_file import render_replay
from service.web.site import AREAS

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication


BLUEPRINTS = (
    *(
        part.blueprint
        for part in (
            *(games, matches, exports, imports, log, moves, paper, times, results, replay, stream, players, stats),
            *(annotations, anchors),
        )
    ),
    *(part.blueprint for part in (auth, document, problem_types, health)),
    *AREAS,
)


def create_app(config: Config, database: Database) -> Flask:
    """Make the application on an open database."""
    app = (Flask if config.is_plain else fast.Application)(__name__, static_folder=None)
    if config.is_plain:
        app.request_class = Request
    app.extensions["carnet"] = Services.on(config, database)
    app.extensions["replay_file"] = render_replay
    app.url_map.converters["uuid"] = OneSpelling
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False
    errors.register(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    if config.has_own_authority:
        app.register_blueprint(trust.blueprint)
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
    ours = partial(Middleware, origins=config.cors, pins_tls=config.is_pinned_to_tls)
    return [behind_proxies, ours] if config.proxies else [ours]
