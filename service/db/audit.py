"""The audit trail: an append-only table."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson

from service.db.lists import Listing
from service.db.pool import Connection


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry, with ids only."""

    entry_id: UUID
    act: str
    account_id: UUID | None
    secret_id: UUID | None
    subject_id: UUID | None
    match_id: UUID | None
    details: Mapping[str, Any]


_INSERT = """
INSERT INTO audit_entries (entry_id, act, happened_at, account_id, secret_id, subject_id, match_id, details)
SELECT %(entry_id)s, %(act)s, now(), %(account_id)s, %(secret_id)s, %(subject_id)s::uuid, %(match_id)s, %(details)s
"""


def insert(connection: Connection, entry: Entry) -> None:
    connection.execute(_INSERT, _values(entry))


def insert_rarely(connection: Connection, entry: Entry) -> None:
    """Insert an entry unless there is one of the same act and subject from the last minute."""
    connection.execute(
        f"""
        {_INSERT} WHERE NOT EXISTS (
            SELECT FROM audit_entries WHERE happened_at > now() - interval '1 minute' AND act = %(act)s
                AND subject_id IS NOT DISTINCT FROM %(subject_id)s
        )
        """,
        _values(entry),
    )


def listing(account_id: UUID | None, act: str | None, after: tuple[datetime, UUID] | None) -> Listing:
    """The entries, newest first, after a position: of one act, and those that an account made or that are about it."""
    conditions = ["true"]
    values: dict[str, Any] = {}
    if account_id is not None:
        conditions.append("%(account_id)s IN (account_id, subject_id)")
        values["account_id"] = account_id
    if act is not None:
        conditions.append("act = %(act)s")
        values["act"] = act
    return Listing(
        f"SELECT * FROM audit_entries WHERE {' AND '.join(conditions)}",
        ["happened_at DESC", "entry_id DESC"],
        "(happened_at, entry_id) < (%(after_key)s, %(after_id)s)",
        values,
        after,
        is_fixed=True,
    )


def names(connection: Connection, ids: Collection[UUID]) -> dict[UUID, str]:
    """The names of accounts, players and secrets, where they have any."""
    rows = connection.execute(
        """
        SELECT account_id AS id, name FROM accounts WHERE account_id = ANY(%(ids)s)
        UNION ALL SELECT player_id, name FROM players WHERE player_id = ANY(%(ids)s)
        UNION ALL SELECT secret_id, label FROM secrets WHERE secret_id = ANY(%(ids)s) AND label IS NOT NULL
        """,
        {"ids": list(ids)},
    )
    return {row["id"]: row["name"] for row in rows}


def _values(entry: Entry) -> Mapping[str, Any]:
    return {
        "entry_id": entry.entry_id,
        "act": entry.act,
        "account_id": entry.account_id,
        "secret_id": entry.secret_id,
        "subject_id": entry.subject_id,
        "match_id": entry.match_id,
        "details": orjson.dumps(entry.details).decode(),
    }
