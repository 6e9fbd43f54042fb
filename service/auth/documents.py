"""Accounts, tokens and links as JSON."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias, TypedDict

from flask import request

from service.auth.authentication import current_principal
from service.auth.tokens import PREFIX
from service.context import services
from service.db.credentials import Kind
from service.http.shapes import Id, Keywords, Time
from service.identity import as_text, text_of
from service.principals import Role, Scope

ALLOWS: Mapping[Kind, Literal["read", "record"]] = {Kind.READING: "read", Kind.RECORDING: "record"}
"""The purpose of each kind of link of a match."""
SecretText: TypeAlias = Annotated[str, Keywords(pattern=f"^{PREFIX}[A-Za-z0-9_-]+$", description="Shown this once.")]


class Account(TypedDict):
    """A person who may sign in."""

    id: Id
    name: str
    role: Role
    player_id: Id | None
    created_at: Time


class Me(TypedDict):
    """The principal of the request and their rights."""

    account: Account | None
    """Null for who is not signed in."""
    scopes: list[Scope]
    sign_in: bool
    """False if everybody may do everything."""
    csrf_token: str | None
    """To be sent as `X-CSRF-Token` with every change that a session asks for."""


class Rights(TypedDict):
    """What the principal may do with a match."""

    rights: Annotated[list[Scope], Keywords(description="What the principal may do.")]


class Lifetime(TypedDict):
    """When a credential was made and when it ends."""

    created_at: Time
    expires_at: Time | None


class Used(Lifetime):
    """A credential that is used more than once."""

    used_at: Time | None
    """When it was last used, to the minute."""


class WithMaker(Lifetime):
    """A credential with its maker."""

    created_by: Id | None
    """The account that made it, null for the service itself."""


class Token(Used):
    """The token of a program, without its secret."""

    id: Id
    label: str
    scopes: list[Scope]
    parent_id: Id | None
    """The token that it was made with, and with which it ends."""


class Session(Used):
    """A browser in which somebody is signed in."""

    id: Id
    label: str | None
    """The family of the browser, such as `Firefox · Android`."""
    current: bool
    """Whether it is the session that asks."""


class Invitation(WithMaker):
    """A link that makes an account, which was not opened yet."""

    id: Id
    name: str
    role: Role
    player_id: Id | None


class MatchLink(WithMaker):
    """A link by which people without an account read or record a match."""

    id: Id
    allows: Literal["read", "record"]
    label: str | None


class SignInLink(WithMaker):
    """A link to sign in on another device, which was not opened yet."""

    id: Id


class ShownSecret(TypedDict):
    """A secret that is shown once."""

    secret: SecretText


class ShownLink(ShownSecret):
    """A secret that is shown once, with the page that opens it."""

    url: Annotated[str, Keywords(format="uri", description="The page at which the link is opened.")]


class NewlyMadeToken(Token, ShownSecret):
    """A token with its secret, which is shown this once."""


class NewlyMadeMatchLink(MatchLink, ShownSecret):
    """The link of a match with its secret, which is shown this once."""


class NewlyMadeInvitation(Invitation, ShownLink):
    """An invitation with its secret, which is shown this once."""


class NewlyMadeSignInLink(SignInLink, ShownLink):
    """A link to sign in with its secret, which is shown this once."""


def account_document(row: Mapping[str, Any]) -> Account:
    return {
        "id": str(row["account_id"]),
        "name": row["name"],
        "role": row["role"],
        "player_id": text_of(row["player_id"]),
        "created_at": as_text(row["created_at"]),
    }


def token_document(row: Mapping[str, Any]) -> Token:
    return {
        "id": str(row["secret_id"]),
        "label": row["label"],
        "scopes": row["scopes"],
        "used_at": text_of(row["used_at"]),
        "parent_id": text_of(row["parent_id"]),
        **_lifetime(row),
    }


def session_document(row: Mapping[str, Any]) -> Session:
    return {
        "id": str(row["secret_id"]),
        "label": row["label"],
        "current": row["secret_id"] == current_principal().secret_id,
        "used_at": text_of(row["used_at"]),
        **_lifetime(row),
    }


def invitation_document(row: Mapping[str, Any]) -> Invitation:
    return {
        "id": str(row["secret_id"]),
        "name": row["label"],
        "role": row["role"],
        "player_id": text_of(row["player_id"]),
        "created_by": text_of(row["created_by"]),
        **_lifetime(row),
    }


def link_document(row: Mapping[str, Any]) -> MatchLink:
    return {
        "id": str(row["secret_id"]),
        "allows": ALLOWS[Kind(row["kind"])],
        "label": row["label"],
        "created_by": text_of(row["created_by"]),
        **_lifetime(row),
    }


def sign_in_document(row: Mapping[str, Any]) -> SignInLink:
    return {"id": str(row["secret_id"]), "created_by": text_of(row["created_by"]), **_lifetime(row)}


def shown_secret(secret: str) -> ShownSecret:
    return {"secret": secret}


def shown_link(secret: str) -> ShownLink:
    address = services().config.address_for(request.scheme, request.host)
    return {"secret": secret, "url": f"{address}/sign-in/{secret}"}


def _lifetime(row: Mapping[str, Any]) -> Lifetime:
    return {
        "created_at": as_text(row["created_at"]),
        "expires_at": text_of(row["expires_at"]),
    }
