"""Responses: JSON, NDJSON and ETags."""

from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from itertools import chain, islice
from typing import Any, Final

import orjson
from flask import Response, stream_with_context

from service.http.document import Document
from service.http.request import current_request
from service.http.vary import note_varies

NDJSON: Final = "application/x-ndjson"
CSV: Final = "text/csv"
HTML: Final = "text/html"
REVALIDATED: Final = "private, no-cache"
"""For responses that depend on the reader, whose right to read is checked before a copy is used."""


def encoded(document: Any) -> bytes:
    """Serialize a JSON document."""
    return orjson.dumps(document, default=str)


def answer(document: Any, headers: Mapping[str, str] | None = None) -> Response:
    """Respond with a JSON document, serialized or not. The declaration of the route adds its status and headers."""
    make = current_request().document_class
    if isinstance(document, bytes):
        return make(document, 200, headers)
    response = make(encoded(document), 200, headers)
    response.document = document
    return response


def answer_digested(document: Any, version: int | None = None) -> Response:
    """Respond with a JSON document with an ETag from its digest and the version of its match, or with 304.

    The tag changes with everything in the body: names, texts, language, fields and annotations.
    """
    body = document if isinstance(document, bytes) else encoded(document)
    digest = blake2b(body, digest_size=9).hexdigest()
    return answer_tagged(body, f'"{digest}"' if version is None else f'"{version}-{digest}"')


def tag_by_digest(response: Document) -> Response:
    """The response with an ETag from its digest, or 304 if the client has it."""
    return answer_digested(response.document if response.document is not None else response.get_data())


def answer_tagged(document: Any, tag: str, cache: str = REVALIDATED) -> Response:
    """Respond with a JSON document and its ETag, or with 304 if the client has it."""
    request = current_request()
    known = request.environ.get("HTTP_IF_NONE_MATCH")
    if known is not None and known != "*" and request.if_none_match.contains_weak(tag.strip('"')):
        return Response(status=304, headers={"ETag": tag, "Cache-Control": cache})
    return answer(document, {"ETag": tag, "Cache-Control": cache})


def wants_lines() -> bool:
    """Whether the client accepts NDJSON."""
    note_varies("Accept")
    return current_request().accept_mimetypes.best_match(["application/json", NDJSON]) == NDJSON


def lines(documents: Callable[[], Iterator[Any]]) -> Response:
    """Stream NDJSON.

    The first line is made before the response begins, so that its errors become problem documents.
    """
    rest = documents()
    first = list(islice(rest, 1))
    sent = (encoded(document) + b"\n" for document in chain(first, rest))
    return Response(stream_with_context(sent), content_type=NDJSON)
