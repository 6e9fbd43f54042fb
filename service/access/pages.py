"""The page at which a link is opened. It has a button, so that programs that look at links do not use them up."""

from pathlib import Path

from flask import Response, request
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from service.access import accounts, sessions
from service.access.rights import Right
from service.access.routes import require_sign_in
from service.carnet import carnet
from service.fields import LONGEST_NAME
from service.problems import Problem
from service.store.secrets import Kind
from service.web.pages import Pages

HERE = Path(__file__).parent
STYLE = (HERE / "sign_in.css").read_bytes()
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "Referrer-Policy": "same-origin",  # with none at all a browser would not say that the form is ours
    "X-Robots-Tag": "noindex",
}
BUTTONS = {Kind.SIGN_IN: "Sign in", Kind.INVITATION: "Join"}

blueprint = Pages("pages", __name__)

_environment = Environment(
    loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
)


@blueprint.page("/sign-in.css", "GET", Right.FREE)
def get_style() -> Response:
    """How the page looks."""
    return Response(STYLE, headers={"Cache-Control": "public, max-age=3600"}, content_type="text/css; charset=utf-8")


@blueprint.page("/sign-in/<secret>", "GET", Right.FREE)
def show_link(secret: str) -> Response:
    """What a link is good for, with the button that uses it up."""
    try:
        require_sign_in()
        with carnet().database.transaction() as connection:
            link = accounts.look_at_link(connection, secret)
    except Problem as problem:
        return _refusal(problem)
    kind = Kind(link["kind"])
    if kind is Kind.SIGN_IN:
        return _page("Sign in", "This signs you in on this device. The link works once.", BUTTONS[kind])
    text = "This makes you the owner of this Carnet." if link["created_by"] is None else "You are invited to Carnet."
    return _page("Welcome", f"{text} The link works once.", BUTTONS[kind], name=link["label"] or "")


@blueprint.page("/sign-in/<secret>", "POST", Right.FREE)
def open_link(secret: str) -> Response:
    """Sign the opener in."""
    name = " ".join(request.form.get("name", "").replace("\0", "").split())[:LONGEST_NAME]
    try:
        require_sign_in()
        with carnet().database.transaction() as connection:
            account = accounts.open_link(connection, secret, name or None)
            session = sessions.begin(connection, account["account_id"])
    except Problem as problem:
        return _refusal(problem)
    response = _page("You are signed in", f"You are signed in as {account['name']}. You can close this page.")
    return sessions.give_cookie(response, session)


def _refusal(problem: Problem) -> Response:
    return _page(problem.title, problem.detail, status=problem.status)


def _page(title: str, text: str, button: str | None = None, *, name: str | None = None, status: int = 200) -> Response:
    page = _environment.get_template("sign_in.html").render(
        title=title,
        text=text,
        button=button,
        asks_name=name is not None,
        name=name,
    )
    return Response(page, status, HEADERS, content_type="text/html; charset=utf-8")
