"""The picture that other programs show of a link to a match."""

from hashlib import blake2b
from typing import Any
from uuid import UUID

from flask import Response, request

from domain.catalogue import GAMES
from domain.match import Timeline
from service.auth.authentication import is_public
from service.context import services
from service.drawing import PreviewRow
from service.http.responses import REVALIDATED
from service.matches.boards import cached_board
from service.matches.queries import present
from service.permissions import Right
from service.web.match_page import about_match, players_of
from service.web.pages import Pages
from service.web.texts import game_folder

CACHING = "public, max-age=300"
"""For public matches: programs that show links ask again and again."""

blueprint = Pages("preview", __name__)


@blueprint.page("/matches/<uuid:match_id>/preview.png", "GET", Right.READ)
def draw(match_id: UUID) -> Response:
    """The board of a match as it stands, beside names and points."""
    with services().database.reading() as connection:
        row, timeline = present(connection, match_id)
    shown = _shown(row, timeline)
    digest = blake2b(repr(shown).encode(), digest_size=9).hexdigest()
    headers = {"ETag": f'"{digest}"', "Cache-Control": CACHING if is_public() else REVALIDATED}
    if request.if_none_match.contains_weak(digest):
        return Response(status=304, headers=headers)
    game, board, rows, head, foot = shown
    picture = services().previews.find(digest)
    if picture is None:
        from service.drawing.preview import draw_preview  # noqa: PLC0415 - 11 MB and 0.15 s that only pictures need

        picture = draw_preview(game, board, rows, head=head, foot=foot)
        services().previews.keep(digest, picture)
    return Response(picture, headers=headers, content_type="image/png")


def _shown(row: Any, timeline: Timeline) -> tuple[str, str | None, tuple[PreviewRow, ...], str, str]:
    """The contents of the picture: folder of the game, board, seats, and the lines above and below."""
    game = GAMES[row["game"]]
    state = None if timeline.is_result_only else game.view.dump(timeline.head.state)
    winners = row["result"]["winners"] if row["result"] else []
    rows = (
        PreviewRow(player["seat"], player["name"], player["points"], player["seat"] in winners)
        for player in players_of(row, state)
    )
    places = {ranked["seat"]: ranked["place"] for ranked in row["result"]["ranking"]} if row["result"] else {}
    ranked = tuple(sorted(rows, key=lambda player: places.get(player.seat, 0)))
    return game_folder(game.id).name, cached_board(row, timeline).drawing, ranked, game.title, about_match(row)
