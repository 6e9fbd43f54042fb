"""The start page: what Carnet is for those who have no matches yet, else their matches."""

from typing import Any

import orjson
from flask import Response, request
from markupsafe import Markup

from service.auth.authentication import current_principal, has, viewer
from service.context import services
from service.db import matches
from service.db.lists import Row
from service.db.matches import ListFilters
from service.http.errors import not_found
from service.http.pagination import page_document
from service.matches.boards import BoardReader
from service.matches.documents import match_members
from service.permissions import Right
from service.web.pages import GAME_TITLES, Pages, language, render
from service.web.samples import SAMPLE, sample
from service.web.texts import LANGUAGES

FILTERS = ("game", "player", "status", "tag", "venue", "from", "to")
"""Filters of the list of matches; they are passed to the API as they are."""
MAX_GOING_ON = 6
"""Matches in progress on the start page."""
AT_ONCE = 20
"""Earlier matches in the first part of their list."""
SAMPLE_CACHING = {"Cache-Control": "public, max-age=86400"}

KEPT_AHEAD = ("/matches/new", "/matches/kept")
"""The pages that devices keep for a time without network, so that matches can be begun and shown then."""

blueprint = Pages("start", __name__)


@blueprint.page("/", "GET", Right.VISIT)
def show_start() -> Response:
    """Matches in progress, and earlier ones."""
    filters = {name: request.args.get(name, "") for name in FILTERS}
    is_filtered = any(filters.values())
    lists = None if is_filtered else _lists()
    is_new = lists is not None and not lists["going_on"] and not lists["before"]["items"]
    is_intro = is_new or (lists is not None and current_principal().is_anonymous)
    shown = sample(SAMPLE, language())
    return render(
        "start.html",
        module="js/start.js",
        areas=("start", "matches"),
        data={
            "games": GAME_TITLES,
            "asked": {name: value for name, value in filters.items() if value},
            "lists": lists,
            "may_search": not current_principal().is_anonymous,
            "sample": {"game": SAMPLE, "players": shown["players"]} if is_intro else None,
            "ahead": KEPT_AHEAD if has(Right.RECORD) else (),
        },
        asked=filters,
        is_filtered=is_filtered,
        is_new=is_new,
        is_intro=is_intro,
        sample_board=Markup(shown["frames"][-1]["board"]),  # noqa: S704 - our own drawing
        may_record=has(Right.RECORD),
        may_search=not current_principal().is_anonymous,
    )


@blueprint.page("/sample.<lang>.json", "GET", Right.FREE)
def get_sample(lang: str) -> Response:
    """The sample match, ply by ply, in a language of the pages."""
    if lang not in LANGUAGES:
        raise not_found("sample")
    return Response(orjson.dumps(sample(SAMPLE, lang)), 200, SAMPLE_CACHING, content_type="application/json")


def _lists() -> dict[str, Any]:
    """The first matches as the API lists them: in progress, those of the reader first, with boards; then all."""
    who = viewer()
    begun = ListFilters(status="in_progress")
    with services().database.transaction() as connection:
        rows = matches.listing(begun, "activity", None, who).page(connection, MAX_GOING_ON + 1)
        mine = matches.listing(begun, "activity", None, who, only_mine=True).page(connection, MAX_GOING_ON)
        before = matches.listing(ListFilters(), "played_at", None, who).page(connection, AT_ONCE + 1)
    known = {row["match_id"] for row in mine}
    going_on = [*mine, *(row for row in rows if row["match_id"] not in known)]
    boards = BoardReader()
    return {
        "going_on": [boards.document(row) for row in going_on[:MAX_GOING_ON]],
        "has_more": len(going_on) > MAX_GOING_ON,
        "before": page_document(before, AT_ONCE, match_members, _position),
    }


def _position(row: Row) -> tuple[Any, Any]:
    return row["played_at"], row["match_id"]
