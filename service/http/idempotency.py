"""Idempotency keys: a write runs once for each, and its answer is stored."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Generic, TypeAlias, TypeVar

from service.context import services
from service.db import idempotency
from service.db.pool import Connection
from service.http.errors import Problem
from service.http.request import Request, current_request

MAX_KEY = 255
INCLUDE = b"include=legal_moves"
ANYONE = "anyone"
"""The principal of idempotency keys while sign-in is switched off."""
Value = TypeVar("Value")


Stored: TypeAlias = Mapping[str, Any]
"""What the response of a write is made from, stored under its idempotency key."""


@dataclass(frozen=True, slots=True)
class Fresh(Generic[Value]):
    """The outcome of a write that this request made."""

    value: Value
    stored: Stored


@dataclass(frozen=True, slots=True)
class Replayed:
    """The outcome of a write that an earlier request made under the same key."""

    stored: Stored


class IdempotentWrite:
    """Runs the write of a POST once per idempotency key. Views of routes that declare `idempotent` get one."""

    def __init__(self) -> None:
        self.is_replayed = False
        """Whether an earlier request stored what the response is made from."""

    def __call__(
        self, act: Callable[[Connection], Fresh[Value]], *, in_transaction: bool = True
    ) -> Fresh[Value] | Replayed:
        """Run the write in a transaction, or find what an earlier request stored under its key.

        An act with its own transactions needs none unless there is a key to store with it. With a key a write whose
        outcome was lost with the connection is tried again.
        """
        key = self.read_key()
        if key is None:
            database = services().database
            with database.transaction() if in_transaction else database.statements() as connection:
                return act(connection)
        return services().database.leader.retried(lambda: self._once(key, act))

    def _once(self, key: idempotency.Key, act: Callable[[Connection], Fresh[Value]]) -> Fresh[Value] | Replayed:
        with services().database.transaction() as connection:
            idempotency.lock(connection, key)
            row = idempotency.find(connection, key)
            if row is not None:
                if row.request_digest not in {key.request_digest, *key.former_digests}:
                    raise Problem("key-reused", "This Idempotency-Key was used for another request before.")
                self.is_replayed = True
                return Replayed(row.answer)
            fresh = act(connection)
            idempotency.keep(connection, key, fresh.stored)
            return fresh

    def read_name(self) -> str | None:
        """The idempotency key of the request as it was sent, where the view itself sees to it; raise `Problem`."""
        header: str | None = current_request().environ.get("HTTP_IDEMPOTENCY_KEY")
        if header is not None:
            _require_key(header)
        return header

    def read_key(self) -> idempotency.Key | None:
        """The idempotency key of the request with a digest of it; raise `Problem` for one that is malformed."""
        return _read_key(current_request())


def _read_key(request: Request) -> idempotency.Key | None:
    header = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if header is None:
        return None
    _require_key(header)
    assert request.principal is not None
    body = request.get_data()
    # The query only shapes the response (`include`, `lang`) or names the link of a match, so it does not count.
    digest, *former = (sha256(query + b"\n" + body).hexdigest() for query in (b"", *_queries(request.query_string)))
    return idempotency.Key(
        request.principal.actor or ANYONE, request.method, request.path, header, digest, frozenset(former)
    )


def _require_key(header: str) -> None:
    if not 0 < len(header) <= MAX_KEY or not header.isascii() or not header.isprintable():
        raise Problem("bad-request", f"Idempotency-Key must be 1 to {MAX_KEY} printable characters.")


def _queries(query: bytes) -> tuple[bytes, ...]:
    """The query strings with which the first request may have been sent.

    Until 2026-11 digests counted the query. Pages sent `include=legal_moves` or not, depending on what they knew. Keys
    are kept for 30 days; after that nothing needs this.
    """
    bare = b"&".join(member for member in query.split(b"&") if member != INCLUDE)
    return (query, bare, b"&".join(filter(None, (INCLUDE, bare))))
