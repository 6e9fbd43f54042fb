"""The pages of the log and of corrections, and the scoreboard for a second screen."""

from uuid import UUID

from flask import Response

from service.permissions import Right
from service.web.match_page import render_match
from service.web.pages import Pages

blueprint = Pages("repair", __name__)


@blueprint.page("/matches/<uuid:match_id>/repair", "GET", Right.RECORD)
def show_repair(match_id: UUID) -> Response:
    """The moves of a match, its set-up and its players, each of which can be corrected."""
    return render_match(
        "repair.html", match_id, module="js/repair.js", areas=("repair", "tie", "log", "sync", "problem")
    )


@blueprint.page("/matches/<uuid:match_id>/log", "GET", Right.READ)
def show_log(match_id: UUID) -> Response:
    """The whole log, from which any earlier state can be viewed and restored."""
    return render_match("log.html", match_id, module="js/log.js", areas=("log", "sync", "problem"))


@blueprint.page("/matches/<uuid:match_id>/scoreboard", "GET", Right.READ)
def show_scoreboard(match_id: UUID) -> Response:
    """The board and the scores, large and live."""
    return render_match(
        "scoreboard.html", match_id, module="js/scoreboard.js", areas=("scoreboard", "log", "sync", "problem")
    )
