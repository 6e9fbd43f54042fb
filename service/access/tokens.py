"""Making secrets of random bits, and the tokens that programs send."""

import secrets as chance
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, NamedTuple
from uuid import UUID

from service.access.rights import Scope
from service.identity import new_id, now
from service.problems import Problem
from service.store import accounts, matches, secrets
from service.store.database import Connection
from service.store.secrets import Kind, Secret

PREFIX = "carnet_"
"""By which people, and programs that look for secrets in texts, know one."""
BYTES = {Kind.READING: 16, Kind.RECORDING: 16}
"""Where fewer than `MOST_BYTES` make an address that is short enough for a small QR code."""
MOST_BYTES = 32


MAX_TOKENS = 50
"""Live ones of an account."""
MAX_LINKS = 50
"""Live ones of a match."""


class Made(NamedTuple):
    """A secret, whose text is shown this once, and its row."""

    text: str
    row: Mapping[str, Any]


def digest(text: str) -> bytes:
    """What is kept of a secret; as it is looked up by this, how long that takes tells nothing of its text."""
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def bytes_of(kind: Kind) -> int:
    """How many random bytes there are in a secret."""
    return BYTES.get(kind, MOST_BYTES)


def make(
    connection: Connection, kind: Kind, lasts: timedelta | None = None, text: str | None = None, **members: Any
) -> Made:
    """A new secret of a text, if there is one, else of chance; `members` are those of `Secret`."""
    text = text or PREFIX + chance.token_urlsafe(bytes_of(kind))
    if lasts is not None:
        members["expires_at"] = now() + lasts
    return Made(text, secrets.insert(connection, Secret(new_id(), digest(text), kind, **members)))


def create_token(
    connection: Connection,
    account_id: UUID,
    scopes: Collection[Scope],
    label: str,
    expires_at: datetime | None = None,
    text: str | None = None,
    made_with: UUID | None = None,
) -> Made:
    """A token of an account; every token may read. Raise `Problem`."""
    accounts.find(connection, account_id, locked=True)  # so that of two at once the second one counts the first
    if len(secrets.of(connection, [Kind.TOKEN], account_id=account_id)) >= MAX_TOKENS:
        raise too_many_tokens()
    held = [scope for scope in Scope if scope in {Scope.READ, *scopes}]
    members: dict[str, Any] = {"account_id": account_id, "scopes": held, "label": label, "expires_at": expires_at}
    return make(connection, Kind.TOKEN, text=text, made_with=made_with, **members)


def create_link(connection: Connection, kind: Kind, match_id: UUID, text: str, **members: Any) -> Made:
    """A link of a match; raise `Problem`."""
    matches.lock(connection, match_id)
    if len(secrets.of_match(connection, match_id)) >= MAX_LINKS:
        raise too_many_links()
    return make(connection, kind, text=text, match_id=match_id, **members)


def too_many_tokens() -> Problem:
    """The problem of an account that has all the tokens that it may have."""
    return Problem("too-many-tokens", f"An account has at most {MAX_TOKENS} tokens; revoke one that is not needed.")


def too_many_links() -> Problem:
    """The problem of a match that has all the links that it may have."""
    return Problem("too-many-links", f"A match has at most {MAX_LINKS} links; withdraw one that is not needed.")
