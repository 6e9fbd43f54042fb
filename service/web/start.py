"""The start page: the matches there are."""

from flask import Response

from domain.catalogue import GAMES
from service.access.rights import Right
from service.web.pages import Pages, render

blueprint = Pages("start", __name__)


@blueprint.page("/", "GET", Right.VISIT)
def show_start() -> Response:
    """The matches that are going on, and those before."""
    games = {game.id: game.title for game in GAMES.values()}
    return render("start.html", module="js/start.js", areas=("start",), data={"games": games})
