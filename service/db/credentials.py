"""Credentials, stored as digests: tokens, sessions, links to sign in, links of a match."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from service.db.pool import Connection

KEPT_FOR = "30 days"
"""How long an expired secret is kept, so that its acts can still be traced."""


class Kind(StrEnum):
    """The kinds of secrets."""

    TOKEN = "token"  # noqa: S105 - the name of a kind
    SESSION = "session"
    SIGN_IN = "sign_in"
    """One session of an existing account."""
    INVITATION = "invitation"
    """A new account for its opener."""
    READING = "reading"
    """One unlisted match, to read."""
    RECORDING = "recording"
    """One match, to record."""


@dataclass(frozen=True, slots=True)
class Secret:
    """The stored members of a new secret."""

    secret_id: UUID
    digest: bytes
    kind: Kind
    expires_at: datetime | None = None
    account_id: UUID | None = None
    """The account that it belongs to."""
    match_id: UUID | None = None
    scopes: Sequence[str] = ()
    label: str | None = None
    role: str | None = None
    """The role of the opener of an invitation."""
    player_id: UUID | None = None
    """The player that the opener of an invitation is."""
    created_by: UUID | None = None
    made_with: UUID | None = None
    """The token, session or link that made it; a child of a token, otherwise a sibling."""


IS_VALID = (
    "{0}.ended_at IS NULL AND ({0}.expires_at IS NULL OR {0}.expires_at > now())"
    " AND ({0}.parent_id IS NULL OR is_alive({0}.parent_id))"
)
"""The condition of a valid secret, for a name of its table: neither it nor the tokens that it
descends from have ended."""

_MAY_SIGN_IN = """(
    {0}.created_by IS NULL OR EXISTS (
        SELECT FROM accounts maker WHERE maker.account_id = {0}.created_by AND maker.closed_at IS NULL
            AND (maker.role = 'owner' OR maker.account_id IS NOT DISTINCT FROM {0}.account_id)
    )
)"""
"""The condition that the maker of an invitation or sign-in link could still make it."""


def insert(connection: Connection, secret: Secret) -> Mapping[str, Any]:
    """Insert a secret, which expires no later than the token that it descends from; return its row."""
    row = connection.execute(
        """
        WITH parent AS (
            SELECT parent.secret_id, parent.expires_at FROM secrets used JOIN secrets parent
                ON parent.secret_id = CASE used.kind WHEN 'token' THEN used.secret_id ELSE used.parent_id END
            WHERE used.secret_id = %(made_with)s
        )
        INSERT INTO secrets (secret_id, digest, kind, account_id, match_id, scopes, label, role, player_id, created_by,
            created_at, expires_at, parent_id)
        SELECT %(secret_id)s, %(digest)s, %(kind)s, %(account_id)s, %(match_id)s, %(scopes)s, %(label)s, %(role)s,
            %(player_id)s, %(created_by)s, now(),
            least(%(expires_at)s::timestamptz, (SELECT expires_at FROM parent)), (SELECT secret_id FROM parent)
        RETURNING *
        """,
        {**asdict(secret), "scopes": list(secret.scopes)},
    ).fetchone()
    assert row is not None
    return row


SIGN_IN_KINDS = (Kind.INVITATION, Kind.SIGN_IN)
"""The kinds of links to sign in."""


def find_link(connection: Connection, digest: bytes) -> Mapping[str, Any] | None:
    """The valid link to sign in with a digest."""
    return connection.execute(
        f"""
        SELECT * FROM secrets s
        WHERE digest = %s AND kind = ANY(%s) AND {IS_VALID.format("s")} AND {_MAY_SIGN_IN.format("s")}
        """,
        (digest, list(SIGN_IN_KINDS)),
    ).fetchone()


def use_up_link(connection: Connection, digest: bytes) -> Mapping[str, Any] | None:
    """Use up a link to sign in; of two concurrent requests one gets its row."""
    if find_link(connection, digest) is None:
        return None
    return connection.execute(
        "UPDATE secrets SET used_at = now(), ended_at = now() WHERE digest = %s AND ended_at IS NULL RETURNING *",
        (digest,),
    ).fetchone()


def note_use(connection: Connection, secret_id: UUID) -> None:
    """Record that a secret was used just now."""
    connection.execute("UPDATE secrets SET used_at = now() WHERE secret_id = %s", (secret_id,))


def id_of_link(connection: Connection, digest: bytes) -> UUID | None:
    """The id of a link to sign in, valid or not."""
    row = connection.execute(
        "SELECT secret_id FROM secrets WHERE digest = %s AND kind = ANY(%s)", (digest, list(SIGN_IN_KINDS))
    ).fetchone()
    return None if row is None else UUID(str(row["secret_id"]))


def end(connection: Connection, digest: bytes) -> Mapping[str, Any] | None:
    """End a secret; return its row if it was valid."""
    valid = connection.execute(f"SELECT FROM secrets s WHERE digest = %s AND {IS_VALID.format('s')}", (digest,))
    if valid.rowcount == 0:
        return None
    return connection.execute(
        "UPDATE secrets SET ended_at = now() WHERE digest = %s AND ended_at IS NULL RETURNING *", (digest,)
    ).fetchone()


def revoke(
    connection: Connection, secret_id: UUID, kinds: Sequence[Kind], *, account_id: UUID | None, match_id: UUID | None
) -> bool:
    """Revoke a secret of an account, of a match or of neither; return False if there is none."""
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
    """End all secrets of an account and everything that it made for others."""
    connection.execute(
        "UPDATE secrets SET ended_at = now() WHERE %(id)s IN (account_id, created_by) AND ended_at IS NULL",
        {"id": account_id},
    )


def end_sessions(connection: Connection, account_id: UUID, but: UUID | None = None) -> int:
    """End the sessions of an account, except for one; return their number."""
    sessions = connection.execute(
        f"""
        SELECT secret_id FROM secrets s
        WHERE account_id = %s AND kind = 'session' AND secret_id IS DISTINCT FROM %s AND {IS_VALID.format("s")}
        """,
        (account_id, but),
    ).fetchall()
    ended = connection.execute(
        "UPDATE secrets SET ended_at = now() WHERE secret_id = ANY(%s) AND ended_at IS NULL",
        ([session["secret_id"] for session in sessions],),
    )
    return ended.rowcount


def end_made_as_owner(connection: Connection, account_id: UUID) -> None:
    """End what an account made because it owned the installation.

    These are invitations, links to sign in to the accounts of others with the sessions that came of them, since nobody
    knows who opened those, and links of matches that are not its own.
    """
    made = "created_by = %(id)s AND account_id IS DISTINCT FROM %(id)s AND ended_at IS NULL"
    linked = connection.execute(f"SELECT DISTINCT match_id FROM secrets WHERE {made}", {"id": account_id}).fetchall()
    own = connection.execute(
        "SELECT match_id FROM matches WHERE match_id = ANY(%s) AND owner_id = %s",
        ([row["match_id"] for row in linked], account_id),
    ).fetchall()
    connection.execute(
        f"UPDATE secrets SET ended_at = now() WHERE {made} AND (match_id IS NULL OR match_id <> ALL(%(own)s))",
        {"id": account_id, "own": [row["match_id"] for row in own]},
    )


def end_first_links(connection: Connection) -> None:
    """End the links that the service itself made for its first owner."""
    connection.execute(
        "UPDATE secrets SET ended_at = now() WHERE kind = 'invitation' AND created_by IS NULL AND ended_at IS NULL"
    )


def of(connection: Connection, kinds: Sequence[Kind], account_id: UUID | None = None) -> list[Mapping[str, Any]]:
    """The valid secrets of an account or of nobody, oldest first."""
    rows = connection.execute(
        f"""
        SELECT * FROM secrets s
        WHERE kind = ANY(%s) AND account_id IS NOT DISTINCT FROM %s AND match_id IS NULL AND {IS_VALID.format("s")}
            AND (kind <> ALL(%s) OR {_MAY_SIGN_IN.format("s")})
        ORDER BY secret_id
        """,
        (list(kinds), account_id, list(SIGN_IN_KINDS)),
    )
    return list(rows)


def drop_old(connection: Connection, most: int) -> int:
    """Purge some secrets that have been invalid for long; return their number."""
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


def names_of(connection: Connection, actors: Collection[UUID]) -> dict[UUID, str]:
    """The names of accounts, and the labels of links, where they have any."""
    rows = connection.execute(
        """
        SELECT account_id AS id, name FROM accounts WHERE account_id = ANY(%(ids)s)
        UNION ALL SELECT secret_id, label FROM secrets WHERE secret_id = ANY(%(ids)s) AND label IS NOT NULL
        """,
        {"ids": list(actors)},
    )
    return {row["id"]: row["name"] for row in rows}


def installation_key(connection: Connection, proposed: bytes) -> bytes:
    """The key of the installation, which is the first one that was proposed."""
    connection.execute("INSERT INTO installation (signing_key) VALUES (%s) ON CONFLICT DO NOTHING", (proposed,))
    row = connection.execute("SELECT signing_key FROM installation").fetchone()
    assert row is not None
    return bytes(row["signing_key"])
