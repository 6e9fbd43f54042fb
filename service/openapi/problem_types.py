"""The pages of problem types, for people and programs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TypedDict

from flask import Response, request
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from service.http.errors import TITLES, not_found
from service.http.responses import HTML, answer_digested
from service.http.routing import Blueprint
from service.http.shapes import Keywords
from service.http.vary import note_varies
from service.openapi.help import HELP
from service.openapi.page import prose
from service.openapi.routes import POLICY
from service.permissions import Right

blueprint = Blueprint("problem_types", __name__, url_prefix="/problems", description="What went wrong.")


class ProblemType(TypedDict):
    """A type of problem, and what to do about it."""

    type: Annotated[str, Keywords(pattern="^/problems/[a-z-]+$", description="The address of this description.")]
    title: str
    status: Annotated[int, Keywords(minimum=400, maximum=599, description="The status of the response.")]
    help: str
    """What to do about it, for those who write programs."""


class ProblemTypes(TypedDict):
    """All types of problems."""

    items: list[ProblemType]


_environment = Environment(
    loader=FileSystemLoader(Path(__file__).parent),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_environment.filters["prose"] = prose


@blueprint.get("", Right.FREE, answer=ProblemTypes, etag=True, page=True, stored=False)
def list_problem_types() -> Response:
    """Get all types of problems.

    As a page with `Accept: text/html`.
    """
    types: ProblemTypes = {"items": [_document(slug) for slug in TITLES]}
    return _page(types["items"], is_list=True) if _wants_page() else answer_digested(types)


@blueprint.get("/<slug>", Right.FREE, answer=ProblemType, etag=True, page=True, stored=False)
def get_problem_type(slug: str) -> Response:
    """Get one type of problem and what to do about it.

    This is where the `type` of a problem document leads. As a page with `Accept: text/html`.
    """
    wants_page = _wants_page()
    if slug not in TITLES:
        raise not_found("type of problem")
    document = _document(slug)
    return _page([document], is_list=False) if wants_page else answer_digested(document)


def _document(slug: str) -> ProblemType:
    status, title = TITLES[slug]
    return {"type": f"/problems/{slug}", "title": title, "status": status, "help": HELP[slug]}


def _wants_page() -> bool:
    note_varies("Accept")
    return request.accept_mimetypes.best_match(["application/json", HTML]) == HTML


def _page(types: Sequence[ProblemType], *, is_list: bool) -> Response:
    shown = [{**each, "slug": each["type"].rpartition("/")[2]} for each in types]
    page = _environment.get_template("types.html").render(types=shown, is_list=is_list)
    return Response(page, headers={"Content-Security-Policy": POLICY}, content_type=f"{HTML}; charset=utf-8")
