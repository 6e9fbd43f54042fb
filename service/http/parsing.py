"""Parsing of requests: strict JSON, bodies and query strings."""

import re
from collections.abc import Collection, Mapping
from time import perf_counter
from typing import Any

import orjson
from marshmallow import Schema, ValidationError
from werkzeug.http import parse_options_header

from domain.forms import FieldError, escape
from service.context import services
from service.http.errors import Problem, malformed
from service.http.query import Members
from service.http.request import KEY, Request, current_request

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""The methods that change nothing."""
MAX_DEPTH = 32
MAX_VALUES = 10_000
"""Of a body; a batch of 200 moves has a few thousand."""
_TEXTS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
"""Texts in JSON; what follows a quotation mark that is never closed is one too, so that nothing is looked at twice."""


def read_json(raw: bytes) -> Any:
    """Parse JSON strictly: no NaN, lone surrogates, NUL or deep nesting."""
    if sum(map(raw.count, (b",", b"{", b"["))) >= MAX_VALUES:  # which also counts those in texts
        _require_few(raw)
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise Problem("bad-request", f"The body is not JSON: {error}.") from None
    # A quick check avoids looking at every value: NUL is always written like this.
    if rb"\u0000" in raw or raw.count(b"{") + raw.count(b"[") > MAX_DEPTH:
        _require_plain(value, "", MAX_DEPTH)
    return value


def _require_few(raw: bytes) -> None:
    """Refuse a text with too many values before it is parsed: making and freeing the objects takes long."""
    bare = _TEXTS.sub(b"0", raw)
    number = 1 + sum(map(bare.count, (b",", b"{", b"["))) - bare.count(b"{}") - bare.count(b"[]")
    if number > MAX_VALUES:
        raise malformed([FieldError("", f"has more than {MAX_VALUES} values")])


def _require_plain(value: object, pointer: str, levels: int) -> None:
    if isinstance(value, str) and "\0" in value:
        raise malformed([FieldError(pointer, "must not hold the character NUL")])
    if isinstance(value, dict | list):
        if levels == 0:
            raise malformed([FieldError("", f"is nested deeper than {MAX_DEPTH} levels")])
        members = value.items() if isinstance(value, dict) else enumerate(value)
        for name, member in members:
            if isinstance(name, str) and "\0" in name:
                raise malformed([FieldError(pointer, "must not have a member with the character NUL")])
            _require_plain(member, f"{pointer}/{escape(str(name))}", levels - 1)


def read_body(request: Request) -> Any:
    """Parse the JSON body of a request."""
    if not _is_json(request.content_type or ""):
        raise Problem("unsupported-media-type", "The body must be of the type application/json.")
    began = perf_counter()
    body = request.get_data()
    request.receiving += perf_counter() - began
    return read_json(body)


def _is_json(content_type: str) -> bool:
    return parse_options_header(content_type)[0].lower() in {"application/json", "application/merge-patch+json"}


def query_members() -> dict[str, list[str]]:
    """The query string without the link of a match, which is read before everything else."""
    request = current_request()
    is_about_match = {"match_id", "annotation_id"} & set(request.view_args or ())
    return {name: values for name, values in request.args.lists() if name != KEY or not is_about_match}


def require_nothing_unread(request: Request, read: Collection[str]) -> None:
    """Refuse a query or a body that the route does not read: it would silently have no effect.

    The body of a GET is ignored, and so is an empty object.
    """
    if request.query_string and "query" not in read and (given := query_members()):
        raise malformed([FieldError(f"/{escape(name)}", "is not known here") for name in given])
    if "json" not in read and request.method not in SAFE:
        has_body = request.content_length or "Transfer-Encoding" in request.headers
        if has_body and read_body(request) != {}:
            raise malformed([FieldError("", "must be empty")])


def read_arguments(form: Schema, location: str = "json") -> Any:
    """Parse the body or the query string of the request; raise `Problem`."""
    try:
        if location == "json":
            return current_request().load_body(form, read_body(current_request()))
        return current_request().load_query(form, _members(form))
    except ValidationError as error:
        raise malformed(_field_errors(error.messages, ""), getattr(form, "problem", "malformed")) from None


def _members(form: Schema) -> Members:
    """The members of the query string, with the time zone of the installation where a form wants one."""
    given = query_members()
    if "tz" in form.fields:
        given.setdefault("tz", [services().config.timezone.key])
    return tuple((name, tuple(values)) for name, values in given.items())


def _field_errors(messages: Any, pointer: str) -> list[FieldError]:
    if isinstance(messages, Mapping):
        return [
            error
            for name, inner in messages.items()
            for error in _field_errors(inner, pointer if name == "_schema" else f"{pointer}/{escape(str(name))}")
        ]
    if isinstance(messages, list):
        return [FieldError(pointer, str(message).rstrip(".")) for message in messages]
    return [FieldError(pointer, str(messages).rstrip("."))]
