"""What belongs to the frame of all pages: their files, and the switch of languages."""

from datetime import timedelta

from flask import Response, request

from service.access.rights import Right
from service.web.pages import LANGUAGE_COOKIE, Pages
from service.web.static import answer_file
from service.web.texts import LANGUAGES

CHOICE_LASTS = timedelta(days=365)

blueprint = Pages("frame", __name__)


@blueprint.page("/static/<digest>/<path:name>", "GET", Right.FREE)
def get_static(digest: str, name: str) -> Response:
    """A file that pages load."""
    return answer_file(digest, name)


@blueprint.page("/language", "POST", Right.FREE)
def choose_language() -> Response:
    """Keep the choice of a language, and lead back to the page on which it was made."""
    response = Response(status=303, headers={"Location": _own_path(request.form.get("back", "/"))})
    chosen = request.form.get("lang", "")
    if chosen in LANGUAGES:
        response.set_cookie(
            LANGUAGE_COOKIE, chosen, max_age=CHOICE_LASTS, path="/", samesite="Strict", secure=request.is_secure
        )
    return response


def _own_path(path: str) -> str:
    """A path of ours; whatever a browser could take for another host leads to the start page."""
    is_ours = path.startswith("/") and path[1:2] not in {"/", "\\"} and path.isprintable()
    return path if is_ours else "/"
