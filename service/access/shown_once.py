"""Answers that show a new secret: to who repeats the request under its idempotency key, the same one again.

A secret is made of what the asker shows of himself and of chance. Only the latter is kept, so that nobody can tell the
secret from what is stored, and who repeats his request can be told again.
"""

import hmac
import secrets as chance
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping
from typing import Any

from flask import Response

from service.access import sessions, tokens
from service.access.asking import credential
from service.access.tokens import Made
from service.matches.reading import replay_header
from service.problems import Problem
from service.requests import once
from service.responses import answer
from service.store.database import Connection
from service.store.secrets import Kind

HEADERS = {"Cache-Control": "no-store"}


def answer_secret(
    kind: Kind,
    act: Callable[[Connection, str], Made],
    document: Callable[[Mapping[str, Any]], Mapping[str, Any]],
    show: Callable[[str], Mapping[str, Any]],
) -> Response:
    """Make a secret by `act` and answer with the document of its row and with what shows it; raise `Problem`."""

    def keep(connection: Connection) -> Mapping[str, Any]:
        salt = chance.token_hex(tokens.MOST_BYTES)
        made = act(connection, _text(kind, salt))
        return {"salt": salt, "digest": tokens.digest(made.text).hex(), "document": document(made.row)}

    kept, replayed = once(keep)
    text = _text(kind, kept["salt"])
    if tokens.digest(text).hex() != kept["digest"]:
        raise Problem("key-reused", "This Idempotency-Key came with another token or session before.")
    return answer({**kept["document"], **show(text)}, 201, {**HEADERS, **replay_header(replayed)})


def _text(kind: Kind, salt: str) -> str:
    # Without sign-in nobody shows anything; then it is as safe as the database, which whoever asks can change anyway.
    shown = credential()
    key = sessions.signing_key() if shown is None else shown.encode("utf-8", "surrogatepass")
    made = hmac.digest(key, f"{kind}:{salt}".encode(), "sha256")[: tokens.bytes_of(kind)]
    return tokens.PREFIX + urlsafe_b64encode(made).decode().rstrip("=")
