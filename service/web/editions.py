"""The page to check an edition against a box and to save a corrected one."""

from flask import Response

from domain.catalogue import GAMES
from service.context import services
from service.errors import UnknownEdition
from service.games.editions import readable_edition
from service.http.errors import not_found
from service.permissions import Right
from service.web.pages import Pages, render
from service.web.texts import areas as known_areas

blueprint = Pages("editions", __name__)


@blueprint.page("/games/<game_id>/editions/<edition_id>", "GET", Right.VISIT)
def show_edition(game_id: str, edition_id: str) -> Response:
    """The values of an edition with their sources, and fields to correct them."""
    if game_id not in GAMES:
        raise not_found("game")
    with services().database.reading() as connection:
        try:
            edition = readable_edition(connection, GAMES[game_id], edition_id)
        except UnknownEdition:
            raise not_found("edition") from None
    return render(
        "edition.html",
        module="js/edition.js",
        areas=("edition", "history", *({game_id} & known_areas().keys())),
        data={"game": game_id, "edition": edition.id},
        game=GAMES[game_id],
        title=edition.title,
    )
