"""Responses that show a new secret. A repeated request with the same idempotency key gets the same secret again.

The secret is computed from the credential of the request and random bits. Only the latter are stored, so stored data do
not reveal the secret, and a repeated request can compute it again.
"""

import hmac
import secrets as chance
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping
from typing import Any

from flask import Response

from service.auth import tokens
from service.auth.authentication import credential
from service.auth.tokens import Made
from service.context import services
from service.db import credentials
from service.db.credentials import Kind
from service.db.pool import Connection
from service.http.errors import Problem
from service.http.idempotency import Fresh, IdempotentWrite
from service.http.responses import answer

HEADERS = {"Cache-Control": "no-store"}


def answer_secret(
    kind: Kind,
    act: Callable[[Connection, str], Made],
    document: Callable[[Mapping[str, Any]], Mapping[str, Any]],
    show: Callable[[str], Mapping[str, Any]],
    idempotently: IdempotentWrite,
) -> Response:
    """Make a secret with `act` and return the document of its row and the secret; raise `Problem`."""

    def keep(connection: Connection) -> Fresh[None]:
        salt = chance.token_hex(tokens.MAX_BYTES)
        made = act(connection, _text(kind, salt))
        stored = {"salt": salt, "digest": tokens.digest(made.text).hex(), "document": document(made.row)}
        return Fresh(None, stored)

    stored = idempotently(keep).stored
    text = _text(kind, stored["salt"])
    if tokens.digest(text).hex() != stored["digest"]:
        raise Problem("key-reused", "This Idempotency-Key was used with another token or session before.")
    return answer({**stored["document"], **show(text)}, HEADERS)


def _text(kind: Kind, salt: str) -> str:
    shown = credential()
    key = _key_of_installation() if shown is None else shown.encode("utf-8", "surrogatepass")
    made = hmac.digest(key, f"{kind}:{salt}".encode(), "sha256")[: tokens.bytes_of(kind)]
    return tokens.PREFIX + urlsafe_b64encode(made).decode().rstrip("=")


def _key_of_installation() -> bytes:
    """The key where sign-in is off: the secret is as safe as the database then, which anybody can change."""
    with services().database.transaction() as connection:
        return credentials.installation_key(connection, chance.token_bytes(tokens.MAX_BYTES))
