"""Answers in JSON, lists in pages or as a stream, and ETags."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from uuid import UUID

import orjson
from flask import Response, request, stream_with_context
from werkzeug.datastructures import Headers

from service.carnet import carnet
from service.requests import read_position, write_cursor, write_position
from service.store.lists import Listing

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

NDJSON = "application/x-ndjson"


class Document(Response):
    """A JSON document that is at hand as a whole, so that nothing need be found out before it is sent."""

    def __init__(self, body: bytes, status: int, headers: Mapping[str, str] | None) -> None:
        length = ("Content-Length", str(len(body)))
        own = headers.items() if headers else ()
        super().__init__([body], status, Headers([("Content-Type", "application/json"), length, *own]))

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] == "HEAD":
            return super().__call__(environ, start_response)
        start_response(self.status, self.headers.to_wsgi_list())
        return self.iter_encoded()


def encoded(document: Any) -> bytes:
    """A JSON document as it goes over the wire."""
    return orjson.dumps(document, default=str)


def answer(document: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON document, encoded already or not."""
    body = document if isinstance(document, bytes) else encoded(document)
    return Document(body, status, headers)


def etag(row: Mapping[str, Any]) -> str:
    """The ETag of a match: its version, and its revision once its details were changed."""
    return f'"{row["version"]}.{row["revision"]}"' if row["revision"] else f'"{row["version"]}"'


def answer_tagged(document: Any, tag: str, cache: str = "private, no-cache") -> Response:
    """A JSON document with its ETag, or 304 where the client has it."""
    known = request.headers.get("If-None-Match")
    if known is not None and known != "*" and request.if_none_match.contains_weak(tag.strip('"')):
        return Response(status=304, headers={"ETag": tag, "Cache-Control": cache})
    return answer(document, headers={"ETag": tag, "Cache-Control": cache})


def wants_lines() -> bool:
    """Whether the client asks for one JSON object a line."""
    return request.accept_mimetypes.best_match(["application/json", NDJSON]) == NDJSON


def lines(documents: Callable[[], Iterator[Any]]) -> Response:
    """One JSON object a line, made while they are sent.

    The first one is made before the answer begins, so that what keeps it from being made is answered as a problem.
    """
    rest = documents()
    first = list(islice(rest, 1))
    sent = (encoded(document) + b"\n" for document in chain(first, rest))
    return Response(stream_with_context(sent), content_type=NDJSON)


def answer_list(
    listing: Listing,
    limit: int,
    document: Callable[[Mapping[str, Any]], Mapping[str, Any]],
    position: Callable[[Mapping[str, Any]], tuple[Any, UUID]],
) -> Response:
    """A list in pages, or all of it as a stream."""
    if wants_lines():
        return lines(lambda: map(document, listing.stream(carnet().database, position)))
    with carnet().database.transaction() as connection:
        rows = listing.page(connection, limit + 1)
    return answer_page([document(row) for row in rows], limit, lambda: write_cursor(*position(rows[limit - 1])))


def answer_items(items: Sequence[Any], query: Mapping[str, Any]) -> Response:
    """A list that is at hand as a whole, in pages or all of it as a stream."""
    if wants_lines():
        return lines(lambda: iter(items))
    first, limit = read_position(query.get("cursor")), query["limit"]
    return answer_page(items[first:], limit, lambda: write_position(first + limit))


def answer_page(items: Sequence[Any], limit: int, cursor: Callable[[], str]) -> Response:
    """What a page begins with; where there is more than fits on it, with the cursor of the next one."""
    following, headers = None, {}
    if len(items) > limit:
        following = cursor()
        address = urlencode(
            [*((k, v) for k, v in request.args.items(multi=True) if k != "cursor"), ("cursor", following)]
        )
        headers["Link"] = f'<{request.path}?{address}>; rel="next"'
    return answer({"items": items[:limit], "next": following}, headers=headers)
