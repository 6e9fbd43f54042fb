"""The page of a match inside the pages of other sites. Only the address counts: cookies are ignored.

It has board, scores and controls. Without scripts a picture stands for the board, and links lead from ply to ply.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from flask import Response, request

from domain.match import Frame, OutOfRange, Timeline
from service.auth.authentication import is_public
from service.context import services
from service.http.errors import not_found
from service.http.locale import request_language
from service.http.request import KEY
from service.matches.documents import frame_document
from service.matches.queries import present
from service.permissions import Right
from service.replay.pictures import draw_frame
from service.web.match_page import MODULE, page_data, players_of, scripts_of
from service.web.pages import Pages, render_bare
from service.web.texts import areas, read

LAST_PLY = 10**9
"""Greater than any; the router reads no longer numbers."""

blueprint = Pages("embed", __name__)


@blueprint.page("/embed/matches/<uuid:match_id>", "GET", Right.EMBED)
def show_embedded(match_id: UUID) -> Response:
    """A ply of a match, by default the last one, with links to the plies before and after."""
    with services().database.reading() as connection:
        row, timeline = present(connection, match_id)
    frame = _frame(timeline, _asked_ply(timeline))
    language = request_language()
    here = f"/embed/matches/{match_id}"
    head = {**frame_document(timeline, timeline.head, language, {}), "annotations": []}
    shown = {**frame_document(timeline, frame, language, {}), "annotations": []}
    return render_bare(
        "embed.html",
        module=None if timeline.is_result_only else MODULE,
        more=() if timeline.is_result_only else scripts_of(timeline.game.id),
        areas=("match", "sync", *({timeline.game.id} & areas().keys())),
        data={**page_data(row, timeline, head, shown), "view": "embed", "ply": frame.ply, "rights": []},
        headers={} if is_public() else {"X-Robots-Tag": "noindex"},
        view="embed",
        game=timeline.game,
        players=players_of(row, shown["state"]),
        is_result_only=timeline.is_result_only,
        ply=frame.ply,
        plies=timeline.ply,
        text=_with_players(str(shown["text"]), row["players"], language),
        text_language=language,
        picture=None if timeline.is_result_only else _address(f"{here}/{frame.ply}.svg"),
        before=_address(here, ply=frame.ply - 1) if frame.ply > 0 else None,
        after=_address(here, ply=frame.ply + 1) if frame.ply < timeline.ply else None,
        whole=_address(f"/matches/{match_id}"),
    )


@blueprint.page("/embed/matches/<uuid:match_id>/<int:ply>.svg", "GET", Right.EMBED)
def draw_embedded(match_id: UUID, ply: int) -> Response:
    """The board after a ply."""
    with services().database.reading() as connection:
        _, timeline = present(connection, match_id)
    if timeline.is_result_only:
        raise not_found("picture, since only the result is known")
    picture = draw_frame(timeline, _frame(timeline, ply), request_language())
    return Response(picture, content_type="image/svg+xml; charset=utf-8")


def _asked_ply(timeline: Timeline) -> int:
    requested = request.args.get("ply", str(timeline.ply))
    if not (requested.isascii() and requested.isdigit() and len(requested) < len(str(LAST_PLY))):
        raise not_found("ply in this match")
    return int(requested)


def _frame(timeline: Timeline, ply: int) -> Frame:
    try:
        return timeline.frame(ply)
    except OutOfRange:
        raise not_found("ply in this match") from None


def _with_players(text: str, players: Sequence[Mapping[str, Any]], language: str) -> str:
    """A sentence with the names of players in place of those of their seats, as `withPlayers` in `seats.js`."""
    seats = read("shared", language)
    names = {seats[f"shared.seat_{player['seat']}"]: player["name"] for player in players}
    return re.sub(r"\w+", lambda word: names.get(word[0], word[0]), text)


def _address(path: str, **members: int) -> str:
    """The address of an embedded page, with the link of this one."""
    key = request.args.get(KEY)
    query = {**members, **({} if key is None else {KEY: key})}
    return f"{path}?{urlencode(query)}" if query else path
