"""The rules of the games as pages, with an anchor for each section that a refusal names."""

from functools import cache

from flask import Response

from domain.catalogue import GAMES
from service.http.errors import not_found
from service.permissions import Right
from service.web.markdown import Document, read_markdown
from service.web.pages import Pages, render
from service.web.texts import game_folder

blueprint = Pages("rules", __name__)


@blueprint.page("/games/<game_id>/rules", "GET", Right.FREE)
def show_rules(game_id: str) -> Response:
    """The rules of a game, in English."""
    if game_id not in GAMES:
        raise not_found("game")
    return render("rules.html", areas=("rules",), rules=rules_of(game_id))


@cache
def rules_of(game_id: str) -> Document:
    """The written rules of a game: a link to `docs/rules`."""
    return read_markdown((game_folder(game_id) / "rules.md").read_text("utf-8"))
