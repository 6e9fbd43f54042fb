"""Publishing anchors, and proofs for those whose matches they cover."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from flask import Response

from service.anchors.documents import Anchor, AnchorProof, anchor_document
from service.anchors.proofs import proof
from service.context import services
from service.db import anchors
from service.http.errors import not_found
from service.http.fields import Paging
from service.http.pagination import answer_page, read_position, write_position
from service.http.responses import answer, lines, wants_lines
from service.http.routing import Blueprint
from service.http.shapes import Page
from service.permissions import Right

blueprint = Blueprint("anchors", __name__, url_prefix="/api/v1", description="Signed digests over all logs.")

PAGE = 200
"""Anchors that are read together for a stream."""


@blueprint.get("/anchors", Right.FREE, query=Paging, answer=Page[Anchor])
def list_anchors(query: dict[str, Any]) -> Response:
    """All anchors, the newest first.

    An anchor is a signed digest over the last events of all logs. Keep some: if a log is cut or rewritten later, it no
    longer has what was signed. They tell neither which matches there are nor how many.
    """
    if wants_lines():
        return lines(_all_anchors)
    position, limit = read_position(query.get("cursor")), query["limit"]
    with services().database.transaction() as connection:
        page = anchors.page(connection, position or None, limit + 1)
    return answer_page(
        [anchor_document(anchor) for anchor in page], limit, lambda: write_position(page[limit - 1].number)
    )


@blueprint.get("/matches/<uuid:match_id>/anchors/<int:number>", Right.RECORD, answer=AnchorProof)
def get_anchor_proof(match_id: UUID, number: int) -> Response:
    """The proof that an anchor covers a match.

    `path` leads from the leaf of `head` to the root, as RFC 9162 says in section 2.1.3. The leaf is the canonical JSON
    (RFC 8785) of `head`. It requires the right to record the match, since the index in the tree reveals about how many
    matches there are.
    """
    with services().database.transaction() as connection:
        document = proof(connection, match_id, number)
    if document is None:
        raise not_found("anchor of this match")
    return answer(document)


def _all_anchors() -> Iterator[Any]:
    before: int | None = None
    while True:
        with services().database.statements() as connection:
            page = anchors.page(connection, before, PAGE)
        if not page:
            return
        yield from map(anchor_document, page)
        before = page[-1].number
