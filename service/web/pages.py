"""What all pages share: rights, language, layout, and the display of problems."""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode

import orjson
from flask import Blueprint, Response, request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from domain.catalogue import GAMES
from domain.plurals import PLURAL_CATEGORIES
from service.auth import sessions
from service.context import services
from service.http.headers import EMBEDDED
from service.http.locale import preferred
from service.http.request import KEY, current_request
from service.http.vary import note_varies
from service.permissions import Right, Visibility
from service.web.static import files, scripts_of, static
from service.web.texts import LANGUAGES, Texts

View = TypeVar("View", bound=Callable[..., Response])

GAME_TITLES = {game.id: game.title for game in GAMES.values()}
PROBLEM = "application/problem+json"
UNKNOWN = 401
"""The status of a refusal for a request without credentials."""
REFUSED = frozenset({401, 403, 404, 410})
"""The statuses of what the reader may not read, or not any more: the device deletes its copy then."""
ACCOUNT_HEADER = "Carnet-Account"
"""Names the account of a page, so that the service worker keeps the pages of accounts apart."""
NO_ACCOUNT, LOCAL_ACCOUNT = "nobody", "local"
"""Stand for an account if nobody is signed in, and if sign-in is switched off."""
LANGUAGE_COOKIE = "carnet_lang"
THEME_COOKIE = "carnet_theme"
THEMES = ("light", "dark")
"""The themes that a reader may choose; without a choice it is that of the system."""
EVERYWHERE = ("shared",)
"""The areas whose texts every page has."""

_environment = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_environment.filters["minus"] = lambda points: str(points).replace("-", "\N{MINUS SIGN}")
_environment.globals |= {
    "games": GAME_TITLES,
    "has_file": lambda name: name in files().by_name,
    "languages": LANGUAGES,
    "themes": ("", *THEMES),
    "static": static,
}


class Pages(Blueprint):
    """Pages, which are not part of the API; each declares the right that it requires."""

    def __init__(self, name: str, import_name: str, *, is_for_plain_http: bool = False) -> None:
        super().__init__(name, import_name)
        self.rights: dict[str, Right] = {}
        self.is_for_plain_http = is_for_plain_http
        """Whether they also answer over plain HTTP where the service speaks HTTPS."""

    def page(self, rule: str, method: str, right: Right) -> Callable[[View], View]:
        """Declare a page, or the target of its form."""

        def note(view: View) -> View:
            self.rights[view.__name__] = right
            return self.route(rule, methods=[method])(view)

        return note


def language() -> str:
    """The language that the reader has chosen, otherwise the best one of `Accept-Language`."""
    chosen = request.cookies.get(LANGUAGE_COOKIE)
    if chosen is not None and chosen in LANGUAGES:
        return chosen
    return preferred(LANGUAGES)


def theme() -> str:
    """The theme that the reader has chosen; empty for that of the system."""
    chosen = request.cookies.get(THEME_COOKIE, "")
    return chosen if chosen in THEMES else ""


def texts_of(*areas: str) -> Texts:
    """The texts of some areas in the language of the reader."""
    return Texts(language(), [*EVERYWHERE, *areas])


def render(
    template: str,
    *,
    areas: Collection[str] = (),
    module: str | None = None,
    more: Collection[str] = (),
    account: str | None = None,
    is_refused: bool = False,
    headers: Mapping[str, str] | None = None,
    **about: Any,
) -> Response:
    """Render a page in our layout: `module` is its script, `areas` are those of its texts, `about` is as in `_filled`.

    `more` are the modules that its script imports later and shows nothing without, so that browsers fetch them at once.

    `account` is whose page it is, if not that of the authenticated request: devices keep what they store apart by it.
    """
    secret = None if module is None else sessions.secret_sent()
    account = account or _account()
    named = {} if account is None else {ACCOUNT_HEADER: account}
    return _filled(
        template,
        texts_of(*areas),
        [] if module is None else [module, *more],
        varies="Accept-Language, Cookie",
        csrf=None if secret is None else sessions.page_proof(secret),
        here=request.path,
        theme=theme(),
        key=_link_key(),
        sign_in=not services().config.is_open,
        has_own_authority=services().config.has_own_authority,
        is_signed_in=sessions.has_cookie(),
        account=account,
        is_refused=is_refused,
        headers={"Cache-Control": _caching(), **named, **(headers or {})},
        **about,
    )


def _account() -> str | None:
    """The account of the page for devices; None without authentication, since the page is for everybody."""
    principal = current_request().principal
    if principal is None:
        return None
    if principal.is_local:
        return LOCAL_ACCOUNT
    return NO_ACCOUNT if principal.account_id is None else str(principal.account_id)


def _caching() -> str:
    """The `Cache-Control` of a page: not even for going back, if it has a session's proof or a hidden match."""
    credentials, standing = current_request().credentials, current_request().standing
    is_of_match = credentials is not None and credentials.is_about_match
    is_hidden = is_of_match and (standing is None or standing.visibility is not Visibility.PUBLIC)
    return "private, no-store" if is_hidden or sessions.has_cookie() else "private, no-cache"


def render_bare(
    template: str,
    *,
    areas: Collection[str] = (),
    module: str | None = None,
    more: Collection[str] = (),
    chosen: str | None = None,
    **about: Any,
) -> Response:
    """Render a page without our layout and independent of cookies, in a chosen language or the preferred one."""
    texts = Texts(chosen or preferred(LANGUAGES), [*EVERYWHERE, *areas])
    modules = [] if module is None else [module, *more]
    return _filled(template, texts, modules, varies="Accept-Language", csrf=None, **about)


def render_text(template: str, texts: Texts, **values: Any) -> str:
    """Fill a template that is no page of ours but a file."""
    return _environment.get_template(template).render(t=texts.t, tn=texts.tn, lang=texts.language, **values)


def _filled(
    template: str,
    texts: Texts,
    modules: Sequence[str],
    *,
    varies: str,
    csrf: str | None,
    data: Mapping[str, Any] | None = None,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **values: Any,
) -> Response:
    """Render a template; the first of the modules is its script, `data` is what that finds as `page`."""
    embedded = {
        "lang": texts.language,
        "plurals": PLURAL_CATEGORIES[texts.language],
        "texts": texts.all,
        "csrf": csrf,
        "static": static(),
        "page": dict(data or {}),
    }
    page = _environment.get_template(template).render(
        t=texts.t,
        tn=texts.tn,
        lang=texts.language,
        module=modules[0] if modules else None,
        scripts=scripts_of(*modules),
        embedded=_embedded(embedded),
        **values,
    )
    return Response(page, status, {"Vary": varies, **(headers or {})}, mimetype="text/html")


def _link_key() -> str:
    """The end of the addresses of a match's pages, so that they open with the link by which this one was opened."""
    key = request.args.get(KEY)
    return "" if key is None else f"?{urlencode({KEY: key})}"


def show_problem(response: Response) -> Response:
    """Show a problem as a page to people who open an address in a browser; a hook for `after_request`."""
    if response.content_type == PROBLEM and _is_read_by_people():
        page = _problem_page(orjson.loads(response.get_data()))
        response.set_data(page.get_data())
        response.content_type = page.content_type
        for name in ("Vary", "Cache-Control", ACCOUNT_HEADER):
            if name in page.headers:
                response.headers[name] = page.headers[name]
    return response


def _problem_page(problem: Mapping[str, Any]) -> Response:
    """A problem as a page in the reader's language, or with its own detail if there is no text for its type."""
    is_bare = request.path.startswith(EMBEDDED)
    texts = Texts(preferred(LANGUAGES) if is_bare else language(), ["problem"])
    key = f"problem.{problem['type'].rpartition('/')[2]}"
    is_known = key in texts.all
    title, text = (texts.t(f"{key}_title"), texts.t(key)) if is_known else (problem["title"], problem["detail"])
    if is_bare:
        return render_bare("bare.html", title=title, text=text)
    status = problem["status"]
    return render("problem.html", title=title, text=text, is_unknown=status == UNKNOWN, is_refused=status in REFUSED)


def _is_read_by_people() -> bool:
    is_page = not request.path.startswith(("/api/", "/static/"))
    if is_page:
        note_varies("Accept")
    return is_page and request.accept_mimetypes.best_match(["application/json", "text/html"]) == "text/html"


def _embedded(value: Any) -> Markup:
    """JSON that cannot end its element."""
    return Markup(orjson.dumps(value).decode().replace("<", "\\u003c"))  # noqa: S704 - nothing in it can be markup
