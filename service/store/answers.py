"""Answers kept under an idempotency key, in the transaction of the write that they tell of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from service.store.database import Connection

KEPT_FOR = "30 days"


@dataclass(frozen=True, slots=True)
class Key:
    """An idempotency key in its scope, and the digest of the request that came with it."""

    asker: str
    method: str
    path: str
    key: str
    request_digest: str


def lock(connection: Connection, key: Key) -> None:
    """Wait until no other request with this key is under way."""
    scope = "\n".join((key.asker, key.method, key.path, key.key))
    connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (scope,))


def find(connection: Connection, key: Key) -> Mapping[str, Any] | None:
    """The digest of the first request with this key, and what its answer is made from."""
    row = connection.execute(
        f"""
        SELECT request_digest, answer FROM idempotency_keys
        WHERE (asker, method, path, key) = (%s, %s, %s, %s) AND created_at > now() - interval '{KEPT_FOR}'
        """,
        (key.asker, key.method, key.path, key.key),
    ).fetchone()
    return row and {"request_digest": row["request_digest"], "answer": orjson.loads(row["answer"])}


def keep(connection: Connection, key: Key, answer: Mapping[str, Any]) -> None:
    """Keep what an answer is made from."""
    connection.execute(
        """
        INSERT INTO idempotency_keys (asker, method, path, key, request_digest, answer, created_at)
        VALUES (%s, %s, %s, %s, %s, %s, now())
        ON CONFLICT (asker, method, path, key) DO UPDATE
        SET request_digest = excluded.request_digest, answer = excluded.answer, created_at = excluded.created_at
        """,
        (key.asker, key.method, key.path, key.key, key.request_digest, orjson.dumps(answer).decode()),
    )


def drop_old(connection: Connection) -> None:
    """Let keys go whose time is over."""
    connection.execute(f"DELETE FROM idempotency_keys WHERE created_at < now() - interval '{KEPT_FOR}'")
