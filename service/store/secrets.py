"""Secrets that open something, each by its digest alone: tokens, sessions, links to sign in with, links of a match."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from service.store.database import Connection

KEPT_FOR = "30 days"
"""How long a secret that opens nothing any more is known, so that what it did can still be traced."""


class Kind(StrEnum):
    """What a secret opens."""

    TOKEN = "token"  # noqa: S105 - the name of a kind
    SESSION = "session"
    SIGN_IN = "sign_in"
    """One session of an account that is there."""
    INVITATION = "invitation"
    """An account of its opener's own."""
    READING = "reading"
    """One unlisted match, to read."""
    RECORDING = "recording"
    """One match, to record."""


@dataclass(frozen=True, slots=True)
class Secret:
    """What is kept of a secret when it is made."""

    secret_id: UUID
    digest: bytes
    kind: Kind
    expires_at: datetime | None = None
    account_id: UUID | None = None
    """Whose it is."""
    match_id: UUID | None = None
    scopes: Sequence[str] = ()
    label: str | None = None
    role: str | None = None
    """What the opener of an invitation becomes."""
    player_id: UUID | None = None
    """Who the opener of an invitation is among the players."""
    created_by: UUID | None = None


IS_VALID = "{0}.ended_at IS NULL AND ({0}.expires_at IS NULL OR {0}.expires_at > now())"
"""The condition of a secret that still opens something, for a name of its table."""


def insert(connection: Connection, secret: Secret) -> Mapping[str, Any]:
    """Add a secret; answers with its row."""
    row = connection.execute(
        """
        INSERT INTO secrets (secret_id, digest, kind, account_id, match_id, scopes, label, role, player_id, created_by,
            created_at, expires_at)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, now(), %s) RETURNING *
        """,
        (
            secret.secret_id,
            secret.digest,
            secret.kind,
            secret.account_id,
            secret.match_id,
            list(secret.scopes),
            secret.label,
            secret.role,
            secret.player_id,
            secret.created_by,
            secret.expires_at,
        ),
    ).fetchone()
    assert row is not None
    return row


def find(connection: Connection, digest: bytes, kinds: Sequence[Kind]) -> Mapping[str, Any] | None:
    """The secret of a digest, as long as it opens something."""
    return connection.execute(
        f"SELECT * FROM secrets s WHERE digest = %s AND kind = ANY(%s) AND {IS_VALID.format('s')}",
        (digest, list(kinds)),
    ).fetchone()


def use_up(connection: Connection, digest: bytes, kinds: Sequence[Kind]) -> Mapping[str, Any] | None:
    """End a secret by using it; of two who try at once one gets its row."""
    return connection.execute(
        f"""
        UPDATE secrets s SET used_at = now(), ended_at = now()
        WHERE digest = %s AND kind = ANY(%s) AND {IS_VALID.format("s")} RETURNING *
        """,
        (digest, list(kinds)),
    ).fetchone()


def note_use(connection: Connection, secret_id: UUID) -> None:
    """Note that a secret was used just now."""
    connection.execute("UPDATE secrets SET used_at = now() WHERE secret_id = %s", (secret_id,))


def id_of(connection: Connection, digest: bytes, kinds: Sequence[Kind]) -> UUID | None:
    """The id of a secret, whether or not it still opens anything."""
    row = connection.execute(
        "SELECT secret_id FROM secrets WHERE digest = %s AND kind = ANY(%s)", (digest, list(kinds))
    ).fetchone()
    return None if row is None else UUID(str(row["secret_id"]))


def end(connection: Connection, digest: bytes) -> Mapping[str, Any] | None:
    """Let a secret open nothing any more; answers with its row if it opened something until now."""
    return connection.execute(
        f"UPDATE secrets s SET ended_at = now() WHERE digest = %s AND {IS_VALID.format('s')} RETURNING *", (digest,)
    ).fetchone()


def revoke(
    connection: Connection, secret_id: UUID, kinds: Sequence[Kind], *, account_id: UUID | None, match_id: UUID | None
) -> bool:
    """Let a secret of an account, of a match or of neither open nothing any more; False if there is no such one."""
    done = connection.execute(
        """
        UPDATE secrets SET ended_at = now()
        WHERE secret_id = %s AND kind = ANY(%s) AND account_id IS NOT DISTINCT FROM %s
            AND match_id IS NOT DISTINCT FROM %s AND ended_at IS NULL
        """,
        (secret_id, list(kinds), account_id, match_id),
    )
    return done.rowcount == 1


def end_all(connection: Connection, account_id: UUID) -> None:
    """Let all secrets of an account, and all that it gave to others to join, open nothing any more."""
    connection.execute(
        """
        UPDATE secrets SET ended_at = now()
        WHERE (account_id = %(id)s OR kind = 'invitation' AND created_by = %(id)s) AND ended_at IS NULL
        """,
        {"id": account_id},
    )


def end_first_links(connection: Connection) -> None:
    """Let the links that the service itself gave out for its first owner open nothing any more."""
    connection.execute(
        "UPDATE secrets SET ended_at = now() WHERE kind = 'invitation' AND created_by IS NULL AND ended_at IS NULL"
    )


def of(
    connection: Connection, kinds: Sequence[Kind], *, account_id: UUID | None = None, match_id: UUID | None = None
) -> list[Mapping[str, Any]]:
    """The secrets of an account, of a match or of neither that still open something, the first one first."""
    rows = connection.execute(
        f"""
        SELECT * FROM secrets s
        WHERE kind = ANY(%s) AND account_id IS NOT DISTINCT FROM %s AND match_id IS NOT DISTINCT FROM %s
            AND {IS_VALID.format("s")}
        ORDER BY secret_id
        """,
        (list(kinds), account_id, match_id),
    )
    return list(rows)


def drop_old(connection: Connection, most: int) -> int:
    """Let some secrets go that have opened nothing for long; answers with their number."""
    dropped = connection.execute(
        f"""
        DELETE FROM secrets WHERE secret_id IN (
            SELECT secret_id FROM secrets
            WHERE least(ended_at, expires_at) < now() - interval '{KEPT_FOR}' LIMIT %s FOR UPDATE SKIP LOCKED
        )
        """,
        (most,),
    )
    return dropped.rowcount


def signing_key(connection: Connection, proposed: bytes) -> bytes:
    """The key of this installation, which is the one that was proposed first."""
    connection.execute("INSERT INTO installation (signing_key) VALUES (%s) ON CONFLICT DO NOTHING", (proposed,))
    row = connection.execute("SELECT signing_key FROM installation").fetchone()
    assert row is not None
    return bytes(row["signing_key"])
