"""The page to begin a match, or to enter an old result."""

from flask import Response, request

from domain.catalogue import GAMES
from service.games.editions import edition_document
from service.permissions import Right, Visibility
from service.web.pages import GAME_TITLES, Pages, render
from service.web.static import data_of, scripts_of, static

MODULE = "js/new_match.js"

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
        module=MODULE,
        areas=("new", "tie", *GAME_TITLES),
        data={
            "games": PARTS,
            "editions": {game.id: edition_document(game.editions.default) for game in GAMES.values()},
            "result_only": is_result_only,
            "ahead": [static(name) for game in GAMES for name in setup_files(game)],
        },
        title="new.title_result" if is_result_only else "new.title_rematch" if rematch else "new.title",
        is_result_only=is_result_only,
        visibilities=list(Visibility),
    )


def setup_files(game_id: str) -> list[str]:
    """The scripts of a game that are loaded when it is chosen, and when a match of it begins without network."""
    folder = f"games/{game_id}"
    return [*scripts_of(*(f"{folder}/{name}.js" for name in ("index", "setup", "beginning"))), *data_of(game_id)]
