"""Accounts with their roles."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from service.db.credentials import names_of
from service.db.pool import Connection
from service.db.principals import MET_ENTRIES, Viewer


def insert(connection: Connection, account_id: UUID, name: str, role: str, player_id: UUID | None) -> None:
    connection.execute(
        "INSERT INTO accounts (account_id, name, role, player_id, created_at) VALUES (%s, %s, %s, %s, now())",
        (account_id, name, role, player_id),
    )


def find(connection: Connection, account_id: UUID, *, locked: bool = False) -> Mapping[str, Any] | None:
    """An account that was not closed."""
    query = "SELECT * FROM accounts WHERE account_id = %s AND closed_at IS NULL"
    return connection.execute(f"{query}{' FOR UPDATE' if locked else ''}", (account_id,)).fetchone()


def find_by_name(connection: Connection, name: str) -> list[Mapping[str, Any]]:
    """The accounts with a name in any case, oldest first."""
    query = "SELECT * FROM accounts WHERE lower(name) = lower(%s) AND closed_at IS NULL ORDER BY account_id"
    return list(connection.execute(query, (name,)))


def known(connection: Connection, viewer: Viewer) -> list[Mapping[str, Any]]:
    """The accounts of a viewer and of people whom they met in a match, oldest first."""
    rows = connection.execute(
        f"""
        SELECT * FROM accounts person WHERE closed_at IS NULL AND (
            %(sees_all)s OR account_id = %(viewer)s
            OR player_id IN {MET_ENTRIES}
        ) ORDER BY account_id
        """,
        viewer.values,
    )
    return list(rows)


def recorders(connection: Connection, match_id: UUID) -> dict[str, str]:
    """The names of those who recorded a match, by their ids; for a link its label."""
    rows = connection.execute(
        "SELECT DISTINCT actor FROM events WHERE match_id = %s AND actor IS NOT NULL", (match_id,)
    ).fetchall()
    names = names_of(connection, [UUID(row["actor"]) for row in rows])
    return {str(actor): name for actor, name in names.items()}


def lock_owners(connection: Connection) -> list[UUID]:
    """The owners of the installation, oldest first, locked until the end of the transaction."""
    rows = connection.execute(
        "SELECT account_id FROM accounts WHERE role = 'owner' AND closed_at IS NULL ORDER BY account_id FOR UPDATE"
    )
    return [row["account_id"] for row in rows]


def holder(connection: Connection, player_id: UUID) -> UUID | None:
    """The account of exactly this entry of a player."""
    row = connection.execute(
        "SELECT account_id FROM accounts WHERE player_id = %s AND closed_at IS NULL", (player_id,)
    ).fetchone()
    return None if row is None else UUID(str(row["account_id"]))


def of_player(connection: Connection, player_id: UUID) -> list[UUID]:
    """The accounts of a player and of everybody merged with them."""
    rows = connection.execute(
        """
        SELECT a.account_id FROM accounts a JOIN players p USING (player_id)
        WHERE a.closed_at IS NULL AND p.survivor_id = (SELECT survivor_id FROM players WHERE player_id = %s)
        ORDER BY a.account_id
        """,
        (player_id,),
    )
    return [row["account_id"] for row in rows]


def change(connection: Connection, account_id: UUID, *, name: str, role: str, player_id: UUID | None) -> None:
    """Set name, role and player of an account."""
    connection.execute(
        "UPDATE accounts SET name = %s, role = %s, player_id = %s WHERE account_id = %s",
        (name, role, player_id, account_id),
    )


def close(connection: Connection, account_id: UUID) -> None:
    connection.execute("UPDATE accounts SET closed_at = now() WHERE account_id = %s", (account_id,))


def adopt(connection: Connection, account_id: UUID) -> int:
    """Give an account what was recorded without sign-in; return the number of matches."""
    adopted = connection.execute(
        "UPDATE matches SET owner_id = %s, revision = revision + 1 WHERE owner_id IS NULL", (account_id,)
    )
    connection.execute("UPDATE match_seats SET owner_id = %s WHERE owner_id IS NULL", (account_id,))
    connection.execute(
        "UPDATE secrets SET created_by = %s WHERE created_by IS NULL AND match_id IS NOT NULL", (account_id,)
    )
    connection.execute("UPDATE annotations SET author = %s WHERE author IS NULL", (str(account_id),))
    connection.execute("UPDATE players SET created_by = %s WHERE created_by IS NULL", (account_id,))
    return adopted.rowcount
