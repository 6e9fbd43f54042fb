"""Pagination: cursors, and responses with a page of a list or all of it as lines."""

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import orjson
from flask import Response, request

from domain.forms import FieldError
from service.context import services
from service.db.lists import Listing
from service.http.errors import Problem, malformed
from service.http.parsing import read_json
from service.http.responses import answer_digested, lines, wants_lines

LAST_POSITION = 2**31 - 1


def write_cursor(moment: datetime | str, last_id: UUID) -> str:
    """Encode the end of a page of a list."""
    return _seal_cursor([moment if isinstance(moment, str) else moment.isoformat(), str(last_id)])


def read_cursor(cursor: str | None, *, as_time: bool) -> tuple[Any, UUID] | None:
    """Decode the beginning of a page of a list."""
    if cursor is None:
        return None
    try:
        value, last_id = _open_cursor(cursor)
        if not isinstance(value, str):
            raise TypeError
        return datetime.fromisoformat(value) if as_time else value, UUID(last_id)
    except (ValueError, TypeError, AttributeError):
        raise _not_a_cursor() from None


def write_position(position: int) -> str:
    """Encode the beginning of the next page in an append-only list."""
    return _seal_cursor(position)


def read_position(cursor: str | None) -> int:
    """Decode the number of entries before a page."""
    position = 0 if cursor is None else _open_cursor(cursor)
    if type(position) is not int or not 0 <= position <= LAST_POSITION:
        raise _not_a_cursor()
    return position


def answer_list(
    listing: Listing,
    limit: int,
    document: Callable[[Mapping[str, Any]], Mapping[str, Any]],
    position: Callable[[Mapping[str, Any]], tuple[Any, UUID]],
) -> Response:
    """Respond with a page of a list, or with all of it as a stream."""
    if wants_lines():
        return lines(lambda: map(document, listing.stream(services().database, position)))
    with services().database.reading() as connection:
        rows = listing.page(connection, limit + 1)
    return _answer_page(page_document(rows, limit, document, position))


def page_document(
    rows: Sequence[Mapping[str, Any]],
    limit: int,
    document: Callable[[Mapping[str, Any]], Mapping[str, Any]],
    position: Callable[[Mapping[str, Any]], tuple[Any, UUID]],
) -> dict[str, Any]:
    """A page of a list, of which one row more than its limit was read."""
    following = write_cursor(*position(rows[limit - 1])) if len(rows) > limit else None
    return {"items": [document(row) for row in rows[:limit]], "next": following}


def answer_items(items: Sequence[Any], query: Mapping[str, Any]) -> Response:
    """Respond with a page of a list in memory, or with all of it as a stream."""
    if wants_lines():
        return lines(lambda: iter(items))
    first, limit = read_position(query.get("cursor")), query["limit"]
    return answer_page(items[first:], limit, lambda: write_position(first + limit))


def answer_page(items: Sequence[Any], limit: int, cursor: Callable[[], str]) -> Response:
    """Respond with a page of rows, with the cursor of the next page if there is one."""
    return _answer_page({"items": items[:limit], "next": cursor() if len(items) > limit else None})


def _answer_page(document: Mapping[str, Any]) -> Response:
    response = answer_digested(document)
    if document["next"] is not None:
        response.headers["Link"] = next_link(document["next"])
    return response


def next_link(cursor: str) -> str:
    """The `Link` to the next page of the list."""
    members = [(name, value) for name, value in request.args.items(multi=True) if name != "cursor"]
    return f'<{request.path}?{urlencode([*members, ("cursor", cursor)])}>; rel="next"'


def _seal_cursor(value: object) -> str:
    return base64.urlsafe_b64encode(orjson.dumps(value)).decode().rstrip("=")


def _open_cursor(cursor: str) -> Any:
    try:
        return read_json(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (binascii.Error, ValueError, Problem):
        raise _not_a_cursor() from None


def _not_a_cursor() -> Problem:
    return malformed([FieldError("/cursor", "is not a cursor of this list")])
