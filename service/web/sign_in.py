"""The page that opens a one-time link. It has a button, so that programs that preview links do not use them up."""

from typing import Any

from flask import Response, request

from service.auth import accounts, sessions
from service.auth.routes import require_sign_in
from service.context import services
from service.db.credentials import Kind
from service.http.errors import Problem
from service.http.fields import MAX_NAME
from service.names import tidy_name
from service.permissions import Right
from service.web.pages import Pages, render, texts_of

HEADERS = {"Cache-Control": "no-store", "X-Robots-Tag": "noindex"}
REFUSALS = ("not-found", "already-so", "sign-in-off")
"""Problems with a sentence in every language."""

blueprint = Pages("sign_in", __name__)


@blueprint.page("/sign-in/<secret>", "GET", Right.FREE)
def show_link(secret: str) -> Response:
    """The purpose of a link, with the button that uses it up."""
    t = texts_of("sign_in").t
    try:
        require_sign_in()
        with services().database.transaction() as connection:
            link = accounts.look_at_link(connection, secret)
    except Problem as problem:
        return _refusal(problem)
    if link["kind"] == Kind.SIGN_IN:
        return _page(t("sign_in.title"), t("sign_in.device"), button=t("sign_in.button"))
    text = t("sign_in.first_owner" if link["created_by"] is None else "sign_in.invited")
    return _page(t("sign_in.welcome"), text, button=t("sign_in.join"), name=link["label"] or "")


@blueprint.page("/sign-in/<secret>", "POST", Right.FREE)
def open_link(secret: str) -> Response:
    """Sign the opener in."""
    t = texts_of("sign_in").t
    name = tidy_name(request.form.get("name", ""))[:MAX_NAME]
    try:
        require_sign_in()
        signed_in = accounts.sign_in(secret, name or None)
    except Problem as problem:
        return _refusal(problem)
    account = signed_in.account
    text = t("sign_in.done_as", name=account["name"])
    response = _page(t("sign_in.done"), text, leads_on=True, account=str(account["account_id"]))
    return sessions.give_cookie(response, signed_in.secret)


def _refusal(problem: Problem) -> Response:
    t = texts_of("sign_in").t
    text = t(f"sign_in.{problem.slug}") if problem.slug in REFUSALS else problem.detail
    return _page(t("sign_in.refused"), text, status=problem.status)


def _page(
    title: str,
    text: str,
    *,
    button: str | None = None,
    name: str | None = None,
    leads_on: bool = False,
    account: str | None = None,
    status: int = 200,
) -> Response:
    values: dict[str, Any] = {"title": title, "text": text, "button": button, "name": name, "leads_on": leads_on}
    return render("sign_in.html", areas=("sign_in",), status=status, account=account, headers=HEADERS, **values)
