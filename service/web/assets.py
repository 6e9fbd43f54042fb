"""Assets and forms of all pages: static files, the choice of language, and QR codes."""

from datetime import timedelta
from io import BytesIO
from urllib.parse import urlsplit, urlunsplit

import segno
from flask import Response, request

from service.exchange.bgstats import CREATE_PLAY
from service.http.errors import Problem
from service.permissions import Right
from service.web.pages import LANGUAGE_COOKIE, THEME_COOKIE, THEMES, Pages
from service.web.static import answer_file, files
from service.web.texts import LANGUAGES

CHOICE_LASTS = timedelta(days=365)
MAX_CODE = 500
"""Bytes of an address that a phone can still scan from another; drawing the code takes longer with each byte."""
MAX_PLAY = 2000
"""Bytes of an address that holds a whole play (63 ms); most have 1,000 to 1,500 and are scanned off a large screen."""

blueprint = Pages("assets", __name__)


@blueprint.page("/static/<digest>/<path:name>", "GET", Right.FREE)
def get_static(digest: str, name: str) -> Response:
    """A static file."""
    return answer_file(digest, name)


@blueprint.page("/favicon.ico", "GET", Right.FREE)
def get_icon() -> Response:
    """The icon where browsers request it by default, for example for what is not a page."""
    return answer_file(files().digest, "icon.svg")


@blueprint.page("/language", "POST", Right.FREE)
def choose_language() -> Response:
    """Store the choice of a language, and return to the page on which it was made."""
    response = Response(status=303, headers={"Location": _page_before()})
    chosen = request.form.get("lang", "")
    if chosen in LANGUAGES:
        response.set_cookie(
            LANGUAGE_COOKIE, chosen, max_age=CHOICE_LASTS, path="/", samesite="Strict", secure=request.is_secure
        )
    return response


@blueprint.page("/theme", "POST", Right.FREE)
def choose_theme() -> Response:
    """Store the choice of a theme, or that it is that of the system, and return to the page on which it was made."""
    response = Response(status=303, headers={"Location": _page_before()})
    chosen = request.form.get("theme", "")
    if chosen in THEMES:
        response.set_cookie(
            THEME_COOKIE, chosen, max_age=CHOICE_LASTS, path="/", samesite="Strict", secure=request.is_secure
        )
    elif chosen == "":
        response.delete_cookie(THEME_COOKIE, path="/", samesite="Strict", secure=request.is_secure)
    return response


@blueprint.page("/qr", "POST", Right.FREE)
def draw_code() -> Response:
    """An address as a QR code, requested by a form because the address may hold a secret; raise `Problem`."""
    text = request.form.get("text", "")
    most = MAX_PLAY if text.startswith(CREATE_PLAY) else MAX_CODE
    if not 0 < len(text.encode()) <= most:
        raise Problem("bad-request", f"A code holds from one to {most} bytes.")
    drawn = BytesIO()
    segno.make(text, micro=False).save(drawn, kind="svg", xmldecl=False, border=3, light="#fff", omitsize=True)
    return Response(drawn.getvalue(), headers={"Cache-Control": "no-store"}, content_type="image/svg+xml")


def _page_before() -> str:
    """The path of our page that has sent a form."""
    before = urlsplit(request.referrer or "")
    is_ours = before.netloc == request.host and before.path[:1] == "/" and before.path[1:2] not in {"/", "\\"}
    return urlunsplit(("", "", before.path, before.query, "")) if is_ours else "/"
