"""The start page: the list of matches."""

from flask import Response, request

from service.auth.authentication import has
from service.permissions import Right
from service.web.pages import GAME_TITLES, Pages, render

FILTERS = ("game", "player", "status", "tag", "venue", "from", "to")
"""Filters of the list of matches; they are passed to the API as they are."""

blueprint = Pages("start", __name__)


@blueprint.page("/", "GET", Right.VISIT)
def show_start() -> Response:
    """Matches in progress, and earlier ones."""
    filters = {name: request.args.get(name, "") for name in FILTERS}
    return render(
        "start.html",
        module="js/start.js",
        areas=("start", "matches"),
        data={"games": GAME_TITLES, "asked": {name: value for name, value in filters.items() if value}},
        asked=filters,
        is_filtered=any(filters.values()),
        may_record=has(Right.RECORD),
    )
