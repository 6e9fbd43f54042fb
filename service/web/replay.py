"""The pages of a replay with its notes, and of sharing a match."""

from uuid import UUID

from flask import Response

from service.auth.authentication import current_principal, has
from service.context import services
from service.db.categories import RULINGS_SETTINGS
from service.permissions import Right, Visibility
from service.web.match_page import render_match
from service.web.pages import Pages

blueprint = Pages("replaying", __name__)


@blueprint.page("/matches/<uuid:match_id>/replay", "GET", Right.READ)
def show_replay(match_id: UUID) -> Response:
    """A match from its end."""
    return _replay(match_id, None)


@blueprint.page("/matches/<uuid:match_id>/replay/<int:ply>", "GET", Right.READ)
def show_replay_at(match_id: UUID, ply: int) -> Response:
    """A match from one of its plies, or from its last one if there is no such ply."""
    return _replay(match_id, ply)


@blueprint.page("/matches/<uuid:match_id>/share", "GET", Right.READ)
def show_share(match_id: UUID) -> Response:
    """Who may see a match, and the addresses to share."""
    return render_match(
        "share.html",
        match_id,
        module="js/share.js",
        areas=("share", "new"),
        visibilities=list(Visibility),
        rulings=RULINGS_SETTINGS,
        is_open=services().config.is_open,
    )


def _replay(match_id: UUID, ply: int | None) -> Response:
    return render_match(
        "replay.html",
        match_id,
        module="js/replay.js",
        areas=("replay", "recording", "problem"),
        ply=ply,
        reader=current_principal().actor,
        may_annotate=has(Right.ANNOTATE),
        writes_all=current_principal().is_local,
    )
