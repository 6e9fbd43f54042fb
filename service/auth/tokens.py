"""Random secrets, and the tokens of programs."""

import secrets as chance
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, NamedTuple
from uuid import UUID

from service.db import accounts, credentials, matches, principals
from service.db.credentials import Kind, Secret
from service.db.pool import Connection
from service.http.errors import Problem
from service.identity import new_id, now
from service.principals import Scope

PREFIX = "carnet_"
"""A prefix by which people and secret scanners recognize a token."""
BYTES = {Kind.READING: 16, Kind.RECORDING: 16}
"""Fewer than `MAX_BYTES` where the address has to fit into a small QR code."""
MAX_BYTES = 32


MAX_TOKENS = 50
"""Live tokens of an account."""
MAX_LINKS = 50
"""Live links of a match."""


class Made(NamedTuple):
    """A secret with its text, which is shown once, and its row."""

    text: str
    row: Mapping[str, Any]


def digest(text: str) -> bytes:
    """The stored digest of a secret. As look-ups use it, their duration reveals nothing of the text."""
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def bytes_of(kind: Kind) -> int:
    """The number of random bytes in a secret."""
    return BYTES.get(kind, MAX_BYTES)


def make(
    connection: Connection, kind: Kind, lasts: timedelta | None = None, text: str | None = None, **members: Any
) -> Made:
    """Make a secret from a text or at random; `members` are those of `Secret`."""
    text = text or PREFIX + chance.token_urlsafe(bytes_of(kind))
    if lasts is not None:
        members["expires_at"] = now() + lasts
    return Made(text, credentials.insert(connection, Secret(new_id(), digest(text), kind, **members)))


def create_token(
    connection: Connection,
    account_id: UUID,
    scopes: Collection[Scope],
    label: str,
    expires_at: datetime | None = None,
    text: str | None = None,
    made_with: UUID | None = None,
) -> Made:
    """Make a token of an account; every token may read. Raise `Problem`."""
    accounts.find(connection, account_id, locked=True)  # so that one of two concurrent requests counts the other
    if len(credentials.of(connection, [Kind.TOKEN], account_id=account_id)) >= MAX_TOKENS:
        raise too_many_tokens()
    held = [scope for scope in Scope if scope in {Scope.READ, *scopes}]
    members: dict[str, Any] = {"account_id": account_id, "scopes": held, "label": label, "expires_at": expires_at}
    return make(connection, Kind.TOKEN, text=text, made_with=made_with, **members)


def create_link(connection: Connection, kind: Kind, match_id: UUID, text: str, **members: Any) -> Made:
    """Make a link of a match; raise `Problem`."""
    matches.lock(connection, match_id)
    if len(principals.links_of_match(connection, match_id)) >= MAX_LINKS:
        raise too_many_links()
    return make(connection, kind, text=text, match_id=match_id, **members)


def too_many_tokens() -> Problem:
    """The problem of an account with the maximum number of tokens."""
    return Problem("too-many-tokens", f"An account has at most {MAX_TOKENS} tokens; revoke one that is not needed.")


def too_many_links() -> Problem:
    """The problem of a match with the maximum number of links."""
    return Problem("too-many-links", f"A match has at most {MAX_LINKS} links; withdraw one that is not needed.")
