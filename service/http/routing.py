"""Declarations of routes. What a declaration says is what the route does, and what the API document says of it."""

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial, wraps
from typing import Any, TypeVar, cast, get_args, get_origin

import flask
from flask import Flask, Response
from marshmallow import Schema
from werkzeug.routing import UUIDConverter

from service.http.document import Document
from service.http.headers import by_name
from service.http.idempotency import IdempotentWrite
from service.http.parsing import read_arguments
from service.http.preconditions import IfMatch, read_precondition
from service.http.request import MAX_BODY, SMALL_BODY
from service.http.responses import CSV, HTML, NDJSON, tag_by_digest
from service.http.shapes import Page
from service.permissions import Right

View = TypeVar("View", bound=Callable[..., Any])

PATH_PARAMETER = re.compile(r"<(?:(\w+):)?(\w+)>")
"""A variable of a rule with its converter."""


class OneSpelling(UUIDConverter):
    """A UUID in a path, in lower case only."""

    regex = UUIDConverter.regex.replace("A-F", "")


class MisdeclaredRoute(TypeError):
    """A view whose parameters are not those that its declaration names."""


@dataclass(frozen=True, kw_only=True)
class Route:
    """The declaration of a route.

    The view is called with what the declaration names, besides the variables of the rule: the parsed `body` and
    `query`, the version or tag that the client `expected`, and `idempotently` to run its write in. A response that goes
    beyond the declaration is refused.
    """

    rule: str
    method: str
    right: Right
    name: str
    """The name of the view and of the operation in the API document."""
    about: str
    """The docstring of the view: a summary, and a description after a blank line."""
    body: type[Schema] | None = None
    upload: Sequence[str] = ()
    """The media types of a body that the view reads as a stream."""
    is_body_lazy: bool = False
    """Whether the view gets a function that parses the body, since it answers malformed ones itself."""
    max_body: int = MAX_BODY
    """Bytes of a body at most; a route without one reads no more than an empty object."""
    query: type[Schema] | None = None
    status: int = 200
    answer: Any = None
    """The shape of the response."""
    media_type: str = "application/json"
    lines: Any = None
    """The shape of a line, if the response is available as NDJSON too, as pages are."""
    csv: bool = False
    """Whether the response is available as CSV too."""
    forms: Sequence[str] = ()
    """Further media types of files, which a parameter chooses."""
    page: bool = False
    """Whether the response is available as an HTML page too."""
    location: str | None = None
    """The `Location` of what was made, with members of the response in braces."""
    etag: bool = False
    """Whether the response has an ETag although it is no list; lists always have one, and so has what `If-Match` may
    name."""
    if_match: IfMatch | None = None
    """What `If-Match` compares, if it applies."""
    idempotent: bool = False
    """Whether `Idempotency-Key` applies."""
    stored: bool = True
    """Whether the response needs the database."""
    dry_run: bool = False
    """Whether the body may ask for a dry run, which returns the same response with status 200."""
    problems: Sequence[str] = ()
    """Further problems, besides those that follow from the declaration."""

    @property
    def media_types(self) -> Sequence[str]:
        """The media types in which the response is available."""
        more = {NDJSON: self.lines, CSV: self.csv, HTML: self.page}
        return [self.media_type, *(name for name, applies in more.items() if applies)]

    @cached_property
    def described(self) -> frozenset[str]:
        """The media types of all bodies that it may answer with."""
        return frozenset({*self.media_types, *self.forms})

    @cached_property
    def is_tagged(self) -> bool:
        """Whether the response has an ETag."""
        return self.etag or self.lines is not None or self.if_match is not None

    @cached_property
    def is_conditional(self) -> bool:
        """Whether `If-None-Match` applies."""
        return self.is_tagged and self.method == "GET"

    @property
    def variables(self) -> frozenset[str]:
        """The names of the variables in the rule."""
        return frozenset(name for _, name in PATH_PARAMETER.findall(self.rule))

    @property
    def parameters(self) -> frozenset[str]:
        """The names of the parameters with which the view is called."""
        declared = {"body": self.body, "query": self.query, "expected": self.if_match, "idempotently": self.idempotent}
        return self.variables | {name for name, value in declared.items() if value}

    def finish(self, response: Response, *, is_dry: bool, is_replayed: bool) -> Response:
        """Give the response of a view the status and the headers that are declared, and refuse what is not.

        Raise `MisdeclaredRoute`.
        """
        if response.status_code >= 300:
            return response
        own = by_name(response.headers)
        if self.is_conditional and "etag" not in own and isinstance(response, Document):
            return tag_by_digest(response)
        if response.status_code == 200 != self.status and not is_dry:
            response.status_code = self.status
        if self.location is not None and isinstance(response, Document):
            response.headers["Location"] = self.location.format_map(response.document)
        if is_replayed:
            response.headers["Idempotent-Replayed"] = "true"
        media_type = own.get("content-type", "").partition(";")[0]
        is_declared = {
            "Content-Type": response.status_code == 204 or media_type in self.described,
            "ETag": self.is_tagged or "etag" not in own,
            "Location": self.location is not None or "location" not in own,
        }
        undeclared = [name for name, declared in is_declared.items() if not declared]
        if undeclared:
            raise MisdeclaredRoute(f"{self.name} answers with {undeclared}, which it does not declare")
        return response

    @property
    def parts_read(self) -> frozenset[str]:
        """The parts of a request that the route reads; whatever else is sent is refused."""
        return frozenset({"json"} if self.body or self.upload else ()) | frozenset({"query"} if self.query else ())


class Blueprint(flask.Blueprint):
    """The routes of one resource, each with its declaration; the options of a route are members of `Route`."""

    def __init__(self, name: str, import_name: str, *, description: str, url_prefix: str = "") -> None:
        super().__init__(name, import_name, url_prefix=url_prefix)
        self.prefix = url_prefix
        self.description = description
        self.routes: dict[str, Route] = {}

    @property
    def rights(self) -> Mapping[str, Right]:
        """The right that each route requires, by the name of its view."""
        return {name: route.right for name, route in self.routes.items()}

    def get(self, rule: str, right: Right, **declared: Any) -> Callable[[View], View]:  # type: ignore[override]
        """Declare a GET route."""
        return self._declare(rule, "GET", right, declared)

    def post(self, rule: str, right: Right, **declared: Any) -> Callable[[View], View]:  # type: ignore[override]
        """Declare a POST route."""
        return self._declare(rule, "POST", right, declared)

    def put(self, rule: str, right: Right, **declared: Any) -> Callable[[View], View]:  # type: ignore[override]
        """Declare a PUT route."""
        return self._declare(rule, "PUT", right, declared)

    def patch(self, rule: str, right: Right, **declared: Any) -> Callable[[View], View]:  # type: ignore[override]
        """Declare a PATCH route."""
        return self._declare(rule, "PATCH", right, declared)

    def delete(self, rule: str, right: Right, **declared: Any) -> Callable[[View], View]:  # type: ignore[override]
        """Declare a DELETE route."""
        return self._declare(rule, "DELETE", right, declared)

    def _declare(self, rule: str, method: str, right: Right, declared: Mapping[str, Any]) -> Callable[[View], View]:
        def register(view: View) -> View:
            name = view.__name__
            about = inspect.getdoc(view) or ""
            route = Route(rule=self.prefix + rule, method=method, right=right, name=name, about=about, **declared)
            if route.body is None and not route.upload:
                route = replace(route, max_body=SMALL_BODY)
            if get_origin(route.answer) is Page:
                route = replace(route, lines=get_args(route.answer)[0])
            taken = inspect.signature(view).parameters.keys()
            if taken != route.parameters:
                raise MisdeclaredRoute(
                    f"{name} takes {sorted(taken)}, its declaration names {sorted(route.parameters)}"
                )

            body = None if route.body is None else route.body()
            query = None if route.query is None else route.query()

            @wraps(view)
            def call(**given: Any) -> Any:
                if body is not None:
                    parse = partial(read_arguments, body)
                    given["body"] = parse if route.is_body_lazy else parse()
                if query is not None:
                    given["query"] = read_arguments(query, "query")
                if route.if_match is not None:
                    given["expected"] = read_precondition(route.if_match)
                idempotently = IdempotentWrite()
                if route.idempotent:
                    given["idempotently"] = idempotently
                response = view(**given) or Response(status=204)
                is_dry = route.dry_run and given["body"]["dry_run"]
                return route.finish(response, is_dry=is_dry, is_replayed=idempotently.is_replayed)

            self.routes[name] = route
            self.add_url_rule(rule, name, call, methods=[method])
            return cast(View, call)

        return register


def routes_of(app: Flask) -> Iterator[tuple[str, Route]]:
    """The declared routes of an application with their endpoints, in the order of their blueprints."""
    for blueprint in app.blueprints.values():
        if isinstance(blueprint, Blueprint):
            yield from ((f"{blueprint.name}.{name}", route) for name, route in blueprint.routes.items())
