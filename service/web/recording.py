"""The page of a match: it is recorded here, and looked at when it is over."""

from uuid import UUID

from flask import Response

from domain.catalogue import GAMES
from service.access.rights import Right
from service.carnet import carnet
from service.matches.reading import require_match
from service.web.pages import Pages, render
from service.web.texts import areas

blueprint = Pages("recording", __name__)


@blueprint.page("/matches/<uuid:match_id>", "GET", Right.READ)
def show_match(match_id: UUID) -> Response:
    """A match with its board."""
    with carnet().database.transaction() as connection:
        row = require_match(connection, match_id)
    return render(
        "recording.html",
        module="js/recording.js",
        areas=("recording", "sync", "log", *({row["game"]} & areas().keys())),
        data={"match": str(match_id), "game": row["game"]},
        match_id=match_id,
        game=GAMES[row["game"]],
        edition=row["edition"],
        names=[player["name"] for player in row["players"]],
    )
