"""What all pages share: the right that each asks for, its language, its frame, and how a refusal looks."""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, TypeVar

import orjson
from flask import Blueprint, Flask, Response, current_app, request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from domain.catalogue import GAMES
from service.access import sessions
from service.access.rights import Right
from service.carnet import carnet
from service.headers import EMBEDDED
from service.problems import Problem
from service.web.static import files, static
from service.web.texts import LANGUAGES, Texts

View = TypeVar("View", bound=Callable[..., Response])

GAME_TITLES = {game.id: game.title for game in GAMES.values()}
LANGUAGE_COOKIE = "carnet_lang"
EVERYWHERE = ("shared",)
"""The areas whose texts every page has."""

_environment = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_environment.globals |= {
    "games": GAME_TITLES,
    "has_file": lambda name: name in files().by_name,
    "languages": LANGUAGES,
    "static": static,
}


class Pages(Blueprint):
    """Pages, which are no part of the API; each says which right it asks for."""

    def __init__(self, name: str, import_name: str) -> None:
        super().__init__(name, import_name)
        self.rights: dict[str, Right] = {}

    def page(self, rule: str, method: str, right: Right) -> Callable[[View], View]:
        """A page that is read, or what its form is sent to."""

        def note(view: View) -> View:
            self.rights[view.__name__] = right
            return self.route(rule, methods=[method])(view)

        return note


def language() -> str:
    """What the reader has chosen, else the best of what his browser asks for."""
    chosen = request.cookies.get(LANGUAGE_COOKIE)
    if chosen is not None and chosen in LANGUAGES:
        return chosen
    return request.accept_languages.best_match(LANGUAGES, default="en") or "en"


def texts_of(*areas: str) -> Texts:
    """The texts of some areas in the language of the reader."""
    return Texts(language(), [*EVERYWHERE, *areas])


def render(
    template: str,
    *,
    module: str | None = None,
    areas: Collection[str] = (),
    data: Mapping[str, Any] | None = None,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **values: Any,
) -> Response:
    """A page: `module` is its script, `areas` whose texts it has, and `data` what the script finds as `page`."""
    texts = texts_of(*areas)
    secret = sessions.secret_sent()
    embedded = {
        "lang": texts.language,
        "texts": texts.all if module is not None else {},
        "csrf": None if secret is None else sessions.page_proof(secret),
        "static": static(),
        "page": dict(data or {}),
    }
    page = _environment.get_template(template).render(
        t=texts.t,
        tn=texts.tn,
        lang=texts.language,
        module=module,
        embedded=_embedded(embedded),
        here=request.path,
        has_page=_has_page,
        sign_in=not carnet().config.is_open,
        is_signed_in=secret is not None,
        **values,
    )
    return Response(page, status, {"Vary": "Accept-Language, Cookie", **(headers or {})}, mimetype="text/html")


def render_bare(
    template: str,
    *,
    areas: Collection[str] = (),
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **values: Any,
) -> Response:
    """A page for the pages of others: without our frame and script, and the same whatever cookies come along."""
    language = request.accept_languages.best_match(LANGUAGES, default="en") or "en"
    texts = Texts(language, [*EVERYWHERE, *areas])
    page = _environment.get_template(template).render(t=texts.t, tn=texts.tn, lang=language, **values)
    return Response(page, status, {"Vary": "Accept-Language", **(headers or {})}, mimetype="text/html")


def show_problems(app: Flask) -> None:
    """Let people who open an address in a browser read what is wrong instead of a problem document."""
    answer = app.ensure_sync(app.error_handler_spec[None][None][Problem])

    @app.errorhandler(Problem)
    def _problem(problem: Problem) -> Response:
        return problem_page(problem) if _is_read_by_people() else answer(problem)


def problem_page(problem: Problem) -> Response:
    """What is wrong, as a page."""
    if request.path.startswith(EMBEDDED):
        return render_bare("bare.html", problem=problem, status=problem.status, headers=problem.headers)
    return render("problem.html", problem=problem, status=problem.status, headers=problem.headers)


def _is_read_by_people() -> bool:
    is_page = not request.path.startswith(("/api/", "/static/"))
    return is_page and request.accept_mimetypes.best_match(["application/json", "text/html"]) == "text/html"


def _has_page(rule: str) -> bool:
    return any(known.rule == rule for known in current_app.url_map.iter_rules())


def _embedded(value: Any) -> Markup:
    """JSON that cannot end the element it stands in."""
    return Markup(orjson.dumps(value).decode().replace("<", "\\u003c"))  # noqa: S704 - nothing in it can be markup
