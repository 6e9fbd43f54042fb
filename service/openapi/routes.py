"""Routes of the API document, as JSON and as a page."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias, TypedDict

import orjson
from flask import Response, current_app, request

from domain.game import JsonObject
from service.http.responses import answer
from service.http.routing import Blueprint
from service.http.shapes import Component, Keywords
from service.openapi.page import write_page
from service.permissions import Right
from service.version import version

API: Final = "/api/v1"
DOCUMENT: Final = Path(__file__).parent / "openapi.json"
"""The document as it is served; `python -m scripts.openapi` writes it beside `openapi.yaml`, which says the same."""
STYLE = Path(__file__).parent / "reference.css"
POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

Document: TypeAlias = Annotated[JsonObject, Component("Document")]
Address: TypeAlias = Annotated[str, Keywords(format="uri-reference")]


class IndexLinks(TypedDict):
    """Addresses to begin with."""

    document: Address
    reference: Address
    games: Address


class Index(TypedDict):
    """Addresses to begin with: this document, the page that shows it, and the games."""

    name: Literal["Carnet"]
    version: str
    """The version of the service."""
    links: IndexLinks


blueprint = Blueprint("document", __name__, url_prefix=API, description="This document.")


@blueprint.get("", Right.FREE, answer=Index, etag=True, stored=False)
def get_index() -> Response:
    """Get the addresses to begin with.

    They lead to this document, to its page and to the games; `version` is that of the service.
    """
    links: IndexLinks = {"document": f"{API}/openapi.json", "reference": f"{API}/docs", "games": f"{API}/games"}
    document: Index = {"name": "Carnet", "version": version(), "links": links}
    return answer(document)


@blueprint.get("/openapi.json", Right.FREE, answer=Document, etag=True, stored=False)
def get_document() -> Response:
    """Get the API document.

    It describes every address of this service (OpenAPI 3.1).
    """
    return _answer("application/json", DOCUMENT.read_bytes)


@blueprint.get("/docs", Right.FREE, media_type="text/html", etag=True, stored=False)
def get_reference() -> Response:
    """Read the API document as a page.

    The page needs no script and loads nothing but its style sheet.
    """
    return _answer("text/html; charset=utf-8", lambda: write_page(orjson.loads(DOCUMENT.read_bytes())).encode())


@blueprint.get("/docs/reference.css", Right.FREE, media_type="text/css", etag=True, stored=False)
def get_reference_style() -> Response:
    """Get the style sheet of that page.

    It has a light and a dark form, and one for paper.
    """
    return _answer("text/css; charset=utf-8", STYLE.read_bytes)


def _answer(content_type: str, make: Callable[[], bytes]) -> Response:
    """A response that is constant for the process, made at the first request."""
    made: dict[str, bytes] = current_app.extensions.setdefault("carnet-document", {})
    if request.path not in made:
        made[request.path] = make()
    body = made[request.path]
    tag = sha256(body).hexdigest()[:32]
    headers = {"ETag": f'"{tag}"', "Cache-Control": "no-cache", "Content-Security-Policy": POLICY}
    if request.if_none_match.contains_weak(tag):
        return Response(status=304, headers=headers)
    return Response(body, headers=headers, content_type=content_type)
