"""Applications for tests, most of which take less time than adding all routes to one does."""

from copy import copy
from functools import cache, partial

from flask import Flask

from service.app import create_app
from service.config import Config
from service.context import Services
from service.db.pool import Database
from service.http.middleware import Middleware


def application_on(database: Database, config: Config) -> Flask:
    """An application as `create_app` makes it, but with the routes of one that was built before; none can be added."""
    assert not config.proxies
    app = copy(_built(config))
    app.extensions = {
        **app.extensions,
        "carnet": Services.on(config, database),
    }
    app.wsgi_app = Middleware(partial(Flask.wsgi_app, app))  # type: ignore[method-assign]
    app._got_first_request = True  # so that Flask refuses whatever would change the routes of the others
    return app


@cache
def _built(config: Config) -> Flask:
    return create_app(config, Database(""))
