"""People of an installation with sign-in, as the tests of access need them."""

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from service.auth import accounts
from service.context import Services
from tests.service.harness import SETUP, Service, ok

ALL_SCOPES = ("read", "record", "annotate", "manage")


class Person(Service):
    """A client with a token, a link, a session or nothing."""

    def __init__(self, app: Flask, token: str | None = None, key: str | None = None) -> None:
        super().__init__(app)
        self.app = app
        self.headers: dict[str, str] = {} if token is None else {"Authorization": f"Bearer {token}"}
        self.key = key
        self.account: Any = None

    def raw(
        self,
        method: str,
        path: str,
        body: bytes | None,
        content_type: str | None = "application/json",
        headers: Mapping[str, str] | None = None,
    ) -> TestResponse:
        if self.key is not None:
            path += f"{'&' if '?' in path else '?'}key={self.key}"
        return super().raw(method, path, body, content_type, {**self.headers, **(headers or {})})

    def sign_in(self, secret: str, name: str | None = None) -> "Person":
        """Open a link; the client keeps the cookie, and sends the proof that it is a page of ours."""
        body = {"link": secret} if name is None else {"link": secret, "name": name}
        me = ok(self.post("/sign-in", body))
        self.account = me["account"]
        self.headers["X-CSRF-Token"] = me["csrf_token"]
        return self

    def token(self, *scopes: str, expires_at: str | None = None) -> Any:
        """A new token of one's own."""
        return ok(self.post("/tokens", {"label": "test", "scopes": list(scopes), "expires_at": expires_at}), 201)

    def with_token(self, *scopes: str) -> "Person":
        """The same person by a token."""
        person = Person(self.app, self.token(*(scopes or ALL_SCOPES))["secret"])
        person.account = self.account
        return person

    def begin(self, *names: str, **members: Any) -> Any:
        """A new match of two people."""
        return ok(self.post("/matches", new_match(names or ("Ana", "Jan"), **members)), 201)


def new_match(names: Sequence[str], **members: Any) -> dict[str, Any]:
    """What begins a match of two people."""
    players = [{"seat": seat, "name": name} for seat, name in zip(("orange", "blue"), names, strict=True)]
    return {"game": "cite-lumiere", "players": players, "setup": SETUP, **members}


def first_owner(app: Flask, name: str = "Olga") -> Person:
    """Whoever opens the link that the service gives out when it is started for the first time."""
    services: Services = app.extensions["carnet"]
    with services.database.transaction() as connection:
        secret = accounts.welcome(connection)
    assert secret is not None
    return Person(app).sign_in(secret, name)


def invited(owner: Person, name: str, **members: Any) -> Person:
    """Somebody who has accepted an invitation."""
    invitation = ok(owner.post("/invitations", {"name": name, **members}), 201)
    return Person(owner.app).sign_in(invitation["secret"])
