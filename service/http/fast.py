"""Overrides of Flask and Werkzeug for speed alone. `CARNET_PLAIN=1` leaves them out, and nothing else changes."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import IO, TYPE_CHECKING, Any, cast

import flask
from flask import Flask
from flask.ctx import RequestContext
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Map, MapAdapter, Rule
from werkzeug.utils import cached_property
from werkzeug.wsgi import get_host

from service.http import request

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment


class Request(request.Request):
    """A request that reads a body of declared length from the server without counting it again."""

    @cached_property
    def stream(self) -> IO[bytes]:
        """The body. Its declared length was checked, and the server enforces it."""
        if "wsgi.input_terminated" in self.environ and self.content_length is not None:
            return cast(IO[bytes], self.environ["wsgi.input"])
        return super().stream


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
