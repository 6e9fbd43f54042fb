"""What all blueprints share: strict reading of arguments, and problem documents in the API document."""

from collections.abc import Callable, Mapping
from typing import Any, NoReturn, TypeVar, cast

import flask_smorest
from flask import Request
from marshmallow import RAISE, Schema, ValidationError
from webargs.flaskparser import FlaskParser
from webargs.multidictproxy import MultiDictProxy

from domain.game import FieldError, escape
from service.problems import malformed
from service.requests import read_body

View = TypeVar("View", bound=Callable[..., Any])


class Parser(FlaskParser):
    """Reads bodies and query strings; unknown members are refused everywhere."""

    def __init__(self) -> None:
        super().__init__()
        self.DEFAULT_UNKNOWN_BY_LOCATION = {"json": RAISE, "query": RAISE}

    def load_json(self, req: Request, schema: Schema) -> Any:
        return read_body(req)

    def load_querystring(self, req: Request, schema: Schema) -> Any:
        repeated = [name for name, values in req.args.lists() if len(values) > 1]
        proxy = MultiDictProxy(req.args, schema)
        single = [name for name in repeated if name not in proxy.multiple_keys]
        if single:
            raise malformed([FieldError(f"/{escape(name)}", "is given twice") for name in single])
        return proxy

    def handle_error(self, error: ValidationError, req: Request, schema: Schema, **_: Any) -> NoReturn:
        assert isinstance(error.messages, dict)
        raise malformed([found for part in error.messages.values() for found in _field_errors(part, "")])


def _field_errors(messages: Any, pointer: str) -> list[FieldError]:
    if isinstance(messages, Mapping):
        return [
            found
            for name, inner in messages.items()
            for found in _field_errors(inner, pointer if name == "_schema" else f"{pointer}/{escape(str(name))}")
        ]
    if isinstance(messages, list):
        return [FieldError(pointer, str(message).rstrip(".")) for message in messages]
    return [FieldError(pointer, str(messages).rstrip("."))]


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]
    """The routes of one resource."""

    ARGUMENTS_PARSER = Parser()

    def get(self, rule: str) -> Callable[[View], View]:
        """A route that reads."""
        return self._typed_route(rule, "GET")

    def post(self, rule: str) -> Callable[[View], View]:
        """A route that adds or acts."""
        return self._typed_route(rule, "POST")

    def put(self, rule: str) -> Callable[[View], View]:
        """A route that replaces."""
        return self._typed_route(rule, "PUT")

    def patch(self, rule: str) -> Callable[[View], View]:
        """A route that changes members."""
        return self._typed_route(rule, "PATCH")

    def delete(self, rule: str) -> Callable[[View], View]:
        """A route that takes away."""
        return self._typed_route(rule, "DELETE")

    def arguments(self, schema: type[Schema], *, location: str = "json") -> Callable[[View], View]:
        """What a route reads from the body or the query string, as its next positional argument."""
        return cast(Callable[[View], View], super().arguments(schema, location=location))

    def response(self, status: int, **options: Any) -> Callable[[View], View]:
        """What a route answers when all is well."""
        return cast(Callable[[View], View], super().response(status, **options))

    def _typed_route(self, rule: str, method: str) -> Callable[[View], View]:
        return cast(Callable[[View], View], self.route(rule, methods=[method]))
