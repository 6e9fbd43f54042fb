"""The pages on which files are imported and exported."""

from flask import Response

from domain.catalogue import GAMES
from service.auth.authentication import has
from service.context import services
from service.permissions import Right
from service.web.pages import GAME_TITLES, Pages, render

blueprint = Pages("files", __name__)


@blueprint.page("/import", "GET", Right.VISIT)
def show_import() -> Response:
    """Importing a file: what is new in it, who is who, and undoing that."""
    may_record = has(Right.RECORD)
    return render(
        "import.html",
        module="js/import.js" if may_record else None,
        areas=("exchange",),
        data={"games": GAME_TITLES},
        may_record=may_record,
        timezone=services().config.timezone.key,
    )


@blueprint.page("/export", "GET", Right.VISIT)
def show_export() -> Response:
    """Exporting matches: a form whose answer is a file."""
    return render("export.html", areas=("exchange",), games=GAME_TITLES, game_ids=list(GAMES))
