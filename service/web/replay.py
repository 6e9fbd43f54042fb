"""The pages of a match that is looked at: ply by ply with its notes, and how others get to see it."""

from uuid import UUID

from flask import Response

from domain.catalogue import GAMES
from service.access.asking import asker, has
from service.access.rights import Right, Visibility
from service.carnet import carnet
from service.matches.reading import require_match
from service.web.pages import Pages, render
from service.web.texts import areas

blueprint = Pages("replaying", __name__)


@blueprint.page("/matches/<uuid:match_id>/replay", "GET", Right.READ)
def show_replay(match_id: UUID) -> Response:
    """A match from its end."""
    return _replay(match_id, None)


@blueprint.page("/matches/<uuid:match_id>/replay/<int:ply>", "GET", Right.READ)
def show_replay_at(match_id: UUID, ply: int) -> Response:
    """A match from one of its plies; one that it does not have is as good as its last."""
    return _replay(match_id, ply)


@blueprint.page("/matches/<uuid:match_id>/share", "GET", Right.READ)
def show_share(match_id: UUID) -> Response:
    """Who sees a match, and the addresses to hand on."""
    with carnet().database.transaction() as connection:
        row = require_match(connection, match_id)
    return render(
        "share.html",
        module="js/share.js",
        areas=("share",),
        data={"match": str(match_id), "may_manage": has(Right.MANAGE), "visibilities": list(Visibility)},
        match_id=match_id,
        names=[player["name"] for player in row["players"]],
    )


def _replay(match_id: UUID, ply: int | None) -> Response:
    with carnet().database.transaction() as connection:
        row = require_match(connection, match_id)
    return render(
        "replay.html",
        module="js/replay.js",
        areas=("replay", "recording", *({row["game"]} & areas().keys())),
        data={
            "match": str(match_id),
            "game": row["game"],
            "ply": ply,
            "reader": asker().actor,
            "may_annotate": has(Right.ANNOTATE),
            "may_manage": has(Right.MANAGE),
            "writes_all": asker().is_local,
        },
        match_id=match_id,
        game=GAMES[row["game"]],
        names=[player["name"] for player in row["players"]],
    )
