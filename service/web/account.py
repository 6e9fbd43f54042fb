"""The page of an account and, for owners, of all accounts."""

from flask import Response

from service.auth.authentication import has
from service.permissions import Right
from service.principals import Role, Scope
from service.web.pages import Pages, render

blueprint = Pages("account", __name__)


@blueprint.page("/account", "GET", Right.VISIT)
def show_account() -> Response:
    """The account page: name, tokens, sessions and, for owners, all accounts."""
    return render(
        "account.html",
        module="js/account.js",
        areas=("account",),
        data={"may_manage": has(Right.MANAGE), "is_owner": has(Right.ADMINISTER), "roles": list(Role)},
        may_manage=has(Right.MANAGE),
        is_owner=has(Right.ADMINISTER),
        scopes=[scope for scope in Scope if scope is not Scope.READ],
        roles=list(Role),
    )
