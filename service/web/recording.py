"""The page of a match, on which it is recorded and, when it is over, viewed."""

from uuid import UUID

from flask import Response

from service.permissions import Right
from service.web.match_page import render_match
from service.web.pages import Pages

blueprint = Pages("recording", __name__)


@blueprint.page("/matches/<uuid:match_id>", "GET", Right.READ)
def show_match(match_id: UUID) -> Response:
    """A match with its board."""
    return render_match(
        "recording.html", match_id, module="js/recording.js", areas=("recording", "sync", "log", "problem")
    )
