"""The page to begin a match, or to enter an old result."""

from flask import Response, request

from domain.catalogue import GAMES
from service.permissions import Right, Visibility
from service.web.pages import GAME_TITLES, Pages, render

blueprint = Pages("new", __name__)

PARTS = {
    game.id: {
        "seats": game.seats,
        "min_players": game.players[0],
        "max_players": game.players[-1],
        "default_edition": game.editions.default.id,
        "tie_breaks": game.tie_breaks,
    }
    for game in GAMES.values()
}
"""What the page needs of a game before its set-up is chosen."""


@blueprint.page("/matches/new", "GET", Right.RECORD)
def show_new_match() -> Response:
    """Everything that is decided before the first move of a match."""
    is_result_only = request.args.get("result_only") == "1"
    rematch = request.args.get("rematch")
    return render(
        "new_match.html",
        module="js/new_match.js",
        areas=("new", "tie", *GAME_TITLES),
        data={"games": PARTS, "result_only": is_result_only, "rematch": rematch},
        title="new.title_result" if is_result_only else "new.title_rematch" if rematch else "new.title",
        is_result_only=is_result_only,
        visibilities=list(Visibility),
    )
