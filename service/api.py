"""Declaration of routes: strict arguments, rights, and what the API document needs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast
from zoneinfo import ZoneInfo

import flask_smorest
from marshmallow import Schema, ValidationError
from marshmallow.fields import List

from domain.game import FieldError, escape
from service.access.asking import MAX_BODY, SMALL_BODY, asked
from service.access.rights import Right
from service.carnet import carnet
from service.problems import malformed
from service.requests import query_members, read_body

View = TypeVar("View", bound=Callable[..., Any])

OPERATION = "x-operation"
"""The key under which the API document finds what `Blueprint.response` declared."""
RIGHT = "x-right"
"""The key under which it finds the right of a route."""


def read_arguments(form: Schema, location: str = "json") -> Any:
    """Parse the body or the query string of the request; raise `Problem`."""
    try:
        if location == "json":
            return form.load(read_body(asked()))
        return dict(_load_query(form, asked().query_string, carnet().config.timezone))
    except ValidationError as error:
        raise malformed(_field_errors(error.messages, ""), getattr(form, "problem", "malformed")) from None


@lru_cache(maxsize=512)
def _load_query(form: Schema, query_string: bytes, timezone: ZoneInfo) -> Mapping[str, Any]:
    """Parse the query string with a cache: the result depends only on the time zone, and few occur."""
    return cast(Mapping[str, Any], form.load(_read_query(form)))


def _read_query(form: Schema) -> dict[str, Any]:
    """The members of the query string; only lists may be repeated."""
    given = query_members()
    nul = [name for name, values in given.items() if any("\0" in name + value for value in values)]
    if nul:
        raise malformed([FieldError(f"/{escape(name)}", "must not hold the character NUL") for name in nul])
    lists = {field.data_key or name for name, field in form.fields.items() if isinstance(field, List)}
    repeated = [name for name, values in given.items() if len(values) > 1 and name not in lists]
    if repeated:
        raise malformed([FieldError(f"/{escape(name)}", "is given twice") for name in repeated])
    return {name: values if name in lists else values[0] for name, values in given.items()}


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


@dataclass(frozen=True, slots=True)
class Operation:
    """The declaration of a route for the API document, besides its arguments."""

    status: int
    schema: str | None = None
    """The component of the response."""
    media_type: str = "application/json"
    lines: str | None = None
    """The component of a line, if the response is available as NDJSON too."""
    table: bool = False
    """Whether the response is available as CSV too."""
    location: bool = False
    """Whether the response has a `Location`."""
    tagged: bool = False
    """Whether the response has an ETag although it is no list; lists always have one."""
    guarded: bool = False
    """Whether `If-Match` applies."""
    keyed: bool = False
    """Whether `Idempotency-Key` applies."""
    stored: bool = True
    """Whether the response needs the database."""
    dry_run: bool = False
    """Whether a dry run returns the same response with status 200."""
    body: type[Schema] | None = None
    """The body, if the route parses it itself and reports malformed ones as usual."""
    problems: Sequence[str] = ()
    """Further problems, besides those that follow from the declaration."""

    @property
    def is_tagged(self) -> bool:
        """Whether the response has an ETag for `If-None-Match`."""
        return self.tagged or self.lines is not None


def parts_read(view: Callable[..., Any]) -> frozenset[str]:
    """The parts of a request that a route declares to read."""
    said = vars(view)["_apidoc"]
    parts = {parameters["in"] for parameters in said.get("arguments", {}).get("parameters", ())}
    return frozenset(parts | ({"json"} if said["operation"].body is not None else set()))


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]
    """The routes of one resource, each with the right that it requires."""

    def __init__(self, name: str, import_name: str, **options: Any) -> None:
        super().__init__(name, import_name, **options)
        self.rights: dict[str, Right] = {}
        self.max_bodies: dict[str, int] = {}
        self._prepare_doc_cbks = [self._prepare_arguments_doc, self._prepare_operation_doc]

    def get(self, rule: str, right: Right) -> Callable[[View], View]:
        """Declare a GET route."""
        return self._typed_route(rule, "GET", right)

    def post(self, rule: str, right: Right, *, max_body: int = MAX_BODY) -> Callable[[View], View]:
        """Declare a POST route."""
        return self._typed_route(rule, "POST", right, max_body)

    def put(self, rule: str, right: Right, *, max_body: int = MAX_BODY) -> Callable[[View], View]:
        """Declare a PUT route."""
        return self._typed_route(rule, "PUT", right, max_body)

    def patch(self, rule: str, right: Right, *, max_body: int = MAX_BODY) -> Callable[[View], View]:
        """Declare a PATCH route."""
        return self._typed_route(rule, "PATCH", right, max_body)

    def delete(self, rule: str, right: Right) -> Callable[[View], View]:
        """Declare a DELETE route."""
        return self._typed_route(rule, "DELETE", right)

    def arguments(self, schema: type[Schema], *, location: str = "json") -> Callable[[View], View]:
        """Declare the body or query string, which becomes the next positional argument."""
        form = schema()
        noted = {"in": location, "required": True, "schema": form}

        def read(view: View) -> View:
            @wraps(view)
            def reading(*given: Any, **named: Any) -> Any:
                return view(*given, read_arguments(form, location), **named)

            said = view.__dict__["_apidoc"]
            parameters = [*said.get("arguments", {}).get("parameters", ()), noted]
            reading.__dict__["_apidoc"] = {**said, "arguments": {"parameters": parameters}}
            return cast(View, reading)

        return read

    def response(self, status: int, schema: str | None = None, **options: Any) -> Callable[[View], View]:
        """Declare the response for the API document; the options are the members of `Operation`."""
        operation = Operation(status, schema, **options)

        def note(view: View) -> View:
            view.__dict__["_apidoc"] = {"operation": operation, "name": view.__name__}
            return view

        return note

    def _prepare_operation_doc(self, doc: dict[str, Any], doc_info: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        """Pass the declaration of `response` on; the responses of smorest are not used."""
        operation = doc_info["operation"]
        name = doc_info["name"]
        doc |= {"operationId": name, OPERATION: operation, RIGHT: self.rights[name], "responses": {}}
        if operation.body is not None:
            doc["requestBody"] = {"required": True, "content": {"application/json": {"schema": operation.body}}}
        return doc

    def _typed_route(self, rule: str, method: str, right: Right, max_body: int = SMALL_BODY) -> Callable[[View], View]:
        add = self.route(rule, methods=[method])

        def note(view: View) -> View:
            self.rights[view.__name__] = right
            self.max_bodies[view.__name__] = max_body if "json" in parts_read(view) else SMALL_BODY
            return cast(View, add(view))

        return note
