"""Idempotency keys: what responses are made from, stored in the transaction of the write."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

import orjson

from service.db.pool import Connection

KEPT_FOR = "30 days"


@dataclass(frozen=True, slots=True)
class Key:
    """An idempotency key in its scope, and the digest of the body of the request."""

    principal: str
    method: str
    path: str
    key: str
    request_digest: str
    former_digests: frozenset[str] = frozenset()
    """The digests of the same request in the forms of earlier releases, which included the query."""


def lock(connection: Connection, key: Key) -> None:
    """Lock a key until the end of the transaction."""
    scope = "\n".join((key.principal, key.method, key.path, key.key))
    connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (scope,))


class Stored(NamedTuple):
    """The digest of the first request with a key, and what its response is made from."""

    request_digest: str
    answer: Mapping[str, Any]


def find(connection: Connection, key: Key) -> Stored | None:
    """What is stored under a key."""
    row = connection.execute(
        f"""
        SELECT request_digest, answer FROM idempotency_keys
        WHERE (asker, method, path, key) = (%s, %s, %s, %s) AND created_at > now() - interval '{KEPT_FOR}'
        """,
        (key.principal, key.method, key.path, key.key),
    ).fetchone()
    return None if row is None else Stored(row["request_digest"], orjson.loads(row["answer"]))


def keep(connection: Connection, key: Key, answer: Mapping[str, Any]) -> None:
    """Store what a response is made from."""
    connection.execute(
        """
        INSERT INTO idempotency_keys (asker, method, path, key, request_digest, answer, created_at)
        VALUES (%s, %s, %s, %s, %s, %s, now())
        ON CONFLICT (asker, method, path, key) DO UPDATE
        SET request_digest = excluded.request_digest, answer = excluded.answer, created_at = excluded.created_at
        """,
        (key.principal, key.method, key.path, key.key, key.request_digest, orjson.dumps(answer).decode()),
    )


def rename(connection: Connection, player_id: UUID, name: str) -> None:
    """Rename a player in all stored responses."""
    rows = connection.execute(
        "SELECT asker, method, path, key, answer FROM idempotency_keys WHERE strpos(answer, %s) > 0", (str(player_id),)
    ).fetchall()
    for row in rows:
        answer = _renamed(orjson.loads(row["answer"]), str(player_id), name)
        connection.execute(
            "UPDATE idempotency_keys SET answer = %s WHERE (asker, method, path, key) = (%s, %s, %s, %s)",
            (orjson.dumps(answer).decode(), row["asker"], row["method"], row["path"], row["key"]),
        )


def _renamed(json: Any, player_id: str, name: str) -> Any:
    if isinstance(json, list):
        return [_renamed(entry, player_id, name) for entry in json]
    if not isinstance(json, dict):
        return json
    is_he = "name" in json and player_id in {json.get("id"), json.get("player_id")}
    members = {member: _renamed(value, player_id, name) for member, value in json.items()}
    return {**members, "name": name} if is_he else members


def drop_old(connection: Connection, most: int) -> int:
    """Purge some expired keys; return their number."""
    dropped = connection.execute(
        f"""
        DELETE FROM idempotency_keys WHERE (asker, method, path, key) IN (
            SELECT asker, method, path, key FROM idempotency_keys
            WHERE created_at < now() - interval '{KEPT_FOR}' LIMIT %s FOR UPDATE SKIP LOCKED
        )
        """,
        (most,),
    )
    return dropped.rowcount
