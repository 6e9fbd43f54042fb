"""Players: names with their history, merges that can be undone, and anonymization."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from service.db import idempotency
from service.db.lists import Listing
from service.db.pool import Connection
from service.db.principals import HELD_BY_ANOTHER, KNOWS_PLAYER, MEETS_PLAYER, MET_ENTRY, Viewer
from service.names import fold_name, tidy_name


def named(connection: Connection, name: str, viewer: Viewer) -> list[UUID]:
    """The players whom a viewer means by a name, without those merged into others.

    Those whom they added or met come before those whom they know only by a merge. Of the players with an account that
    is not theirs only those whom they met count.
    """
    rows = connection.execute(
        f"""
        WITH known AS (
            SELECT player_id, {MET_ENTRY} AS is_met, {HELD_BY_ANOTHER} AS is_held,
                %(sees_all)s OR p.created_by = %(viewer)s OR EXISTS (
                    SELECT FROM accounts WHERE account_id = %(viewer)s AND accounts.player_id = p.player_id
                ) AS is_own
            FROM players p WHERE folded = %(name)s AND merged_into IS NULL AND anonymous IS NULL AND {KNOWS_PLAYER}
        )
        SELECT player_id, coalesce(is_own, false) OR is_met AS is_near FROM known
        WHERE %(sees_all)s OR is_met OR NOT is_held ORDER BY player_id
        """,
        {"name": fold_name(name), **viewer.values},
    ).fetchall()
    near = [row["player_id"] for row in rows if row["is_near"]]
    return near or [row["player_id"] for row in rows]


def lock_names(connection: Connection, names: Sequence[str]) -> None:
    """Lock names until the end of the transaction, so that nobody else adds players with them.

    All requests lock in the same order, so that two with the same names do not deadlock.
    """
    connection.execute(
        """
        SELECT pg_advisory_xact_lock(hashtext('carnet name'), name)
        FROM (SELECT DISTINCT hashtext(folded) AS name FROM unnest(%s::text[]) AS folded ORDER BY name) AS names
        """,
        ([fold_name(name) for name in names],),
    )


def lock_merges(connection: Connection) -> None:
    """Lock against merges and changes of seats until the end of the transaction."""
    connection.execute("SELECT pg_advisory_xact_lock(hashtext('carnet merges'))")


def hold_merges(connection: Connection) -> None:
    """Lock against merges until the end of the transaction; other seats may change."""
    connection.execute("SELECT pg_advisory_xact_lock_shared(hashtext('carnet merges'))")


def insert(connection: Connection, player_id: UUID, name: str, created_by: UUID | None, actor: str | None) -> None:
    connection.execute(
        """
        INSERT INTO players (player_id, revision, name, folded, survivor_id, created_at, created_by)
        VALUES (%(id)s, 0, %(name)s, %(folded)s, %(id)s, now(), %(created_by)s)
        """,
        {"id": player_id, "name": tidy_name(name), "folded": fold_name(name), "created_by": created_by},
    )
    _keep(connection, player_id, actor)


def find(connection: Connection, player_id: UUID) -> Mapping[str, Any] | None:
    """A player, or the survivor of their merge."""
    return _find(connection, player_id, Viewer(sees_all=True), KNOWS_PLAYER)


def find_known(connection: Connection, player_id: UUID, viewer: Viewer) -> Mapping[str, Any] | None:
    """A player whom a viewer knows, as from `find`."""
    return _find(connection, player_id, viewer, KNOWS_PLAYER)


def find_met(connection: Connection, player_id: UUID, viewer: Viewer) -> Mapping[str, Any] | None:
    """A player whom a viewer knows or finds in matches, as from `find`."""
    return _find(connection, player_id, viewer, MEETS_PLAYER)


def _find(connection: Connection, player_id: UUID, viewer: Viewer, condition: str) -> Mapping[str, Any] | None:
    return connection.execute(
        f"""
        SELECT survivor.* FROM players p JOIN players survivor ON survivor.player_id = p.survivor_id
        WHERE p.player_id = %(player_id)s AND {condition}
        """,
        {"player_id": player_id, **viewer.values},
    ).fetchone()


def names(connection: Connection, player_ids: Sequence[str]) -> dict[str, str]:
    """The current names of players, by their ids."""
    rows = connection.execute(
        """
        SELECT p.player_id, survivor.name FROM players p JOIN players survivor ON survivor.player_id = p.survivor_id
        WHERE p.player_id = ANY(%s::uuid[])
        """,
        (list(player_ids),),
    )
    return {str(row["player_id"]): row["name"] for row in rows}


def lock(connection: Connection, player_ids: Sequence[UUID]) -> dict[UUID, Mapping[str, Any]]:
    """Lock the bare rows of players until the end of the transaction."""
    rows = connection.execute(
        "SELECT * FROM players WHERE player_id = ANY(%s) ORDER BY player_id FOR UPDATE", (list(player_ids),)
    )
    return {row["player_id"]: row for row in rows}


def rename(connection: Connection, player_id: UUID, name: str, actor: str | None) -> None:
    connection.execute(
        "UPDATE players SET revision = revision + 1, name = %s, folded = %s WHERE player_id = %s",
        (tidy_name(name), fold_name(name), player_id),
    )
    _keep(connection, player_id, actor)


def merge(connection: Connection, player_id: UUID, into: UUID | None, actor: str | None) -> None:
    """Merge a player, with everybody merged into them, into another one, or undo that."""
    connection.execute(
        "UPDATE players SET revision = revision + 1, merged_into = %s WHERE player_id = %s", (into, player_id)
    )
    connection.execute(
        """
        WITH RECURSIVE family AS (
            SELECT %(id)s::uuid AS player_id
            UNION SELECT p.player_id FROM players p JOIN family f ON p.merged_into = f.player_id
        )
        UPDATE players SET survivor_id = coalesce(
            (SELECT survivor_id FROM players WHERE player_id = %(into)s::uuid), %(id)s::uuid
        )
        FROM family WHERE players.player_id = family.player_id
        """,
        {"id": player_id, "into": into},
    )
    _keep(connection, player_id, actor)


def is_known_to_others(connection: Connection, player_id: UUID, account_id: UUID | None) -> bool:
    """Whether a player, or one merged into them, played in a match that another account owns or played in."""
    row = connection.execute(
        """
        SELECT EXISTS (
            SELECT FROM players p JOIN match_seats seat USING (player_id) JOIN matches m USING (match_id)
            WHERE p.survivor_id = %(player_id)s AND (m.owner_id IS DISTINCT FROM %(account_id)s OR EXISTS (
                SELECT FROM match_seats beside JOIN accounts a ON a.player_id = beside.player_id
                WHERE beside.match_id = m.match_id AND a.closed_at IS NULL
                    AND a.account_id IS DISTINCT FROM %(account_id)s
            ))
        ) AS is_known
        """,
        {"player_id": player_id, "account_id": account_id},
    ).fetchone()
    return bool(row and row["is_known"])


def with_accounts(connection: Connection, player_ids: Sequence[UUID]) -> dict[UUID, Mapping[str, Any]]:
    """The survivor of each player, and the account of exactly that entry, if there is one."""
    rows = connection.execute(
        """
        SELECT p.player_id, p.survivor_id, a.account_id FROM players p
        LEFT JOIN accounts a ON a.player_id = p.player_id AND a.closed_at IS NULL WHERE p.player_id = ANY(%s)
        """,
        (list(player_ids),),
    )
    return {row["player_id"]: row for row in rows}


def have_met(connection: Connection, one: UUID, other: UUID) -> bool:
    """Whether two players, with everybody merged into them, played in one match."""
    row = connection.execute(
        """
        SELECT EXISTS (
            SELECT FROM match_seats a JOIN match_seats b USING (match_id)
            JOIN players p ON p.player_id = a.player_id JOIN players q ON q.player_id = b.player_id
            WHERE p.survivor_id = %s AND q.survivor_id = %s
        ) AS met
        """,
        (one, other),
    ).fetchone()
    return bool(row and row["met"])


def history(connection: Connection, player_id: UUID) -> list[Mapping[str, Any]]:
    """All names and merges of a player, oldest first."""
    return list(
        connection.execute(
            """
            SELECT revision, name, merged_into, actor, changed_at FROM player_changes
            WHERE player_id = %s ORDER BY revision
            """,
            (player_id,),
        )
    )


def anonymise(connection: Connection, player_id: UUID, actor: str | None) -> None:
    """Remove the names of a locked player and of everybody merged with them for good."""
    connection.execute("SELECT pg_advisory_xact_lock(hashtext('carnet anonymous players'))")
    row = connection.execute("SELECT coalesce(max(anonymous), 0) + 1 AS number FROM players").fetchone()
    assert row is not None
    name = f"Player {row['number']}"
    connection.execute("UPDATE players SET anonymous = %s WHERE survivor_id = %s", (row["number"], player_id))
    connection.execute("SELECT take_names_away(%s)", (player_id,))
    family = connection.execute("SELECT player_id FROM players WHERE survivor_id = %s", (player_id,)).fetchall()
    for member in family:
        rename(connection, member["player_id"], name, actor)
        idempotency.rename(connection, member["player_id"], name)


def listing(name: str | None, after: tuple[str, UUID] | None, viewer: Viewer) -> Listing:
    """The list of the players whom a viewer knows, by name, after a position."""
    conditions = ["merged_into IS NULL"]
    values: dict[str, Any] = {}
    if not viewer.sees_all:
        conditions.append(KNOWS_PLAYER)
        values |= viewer.values
    if name is not None:
        conditions.append("starts_with(folded, %(name)s)")
        values["name"] = fold_name(name)
    return Listing(
        f"SELECT * FROM players p WHERE {' AND '.join(conditions)}",
        ["folded", "player_id"],
        "(folded, player_id) > (%(after_key)s, %(after_id)s)",
        values,
        after,
    )


def _keep(connection: Connection, player_id: UUID, actor: str | None) -> None:
    connection.execute(
        """
        INSERT INTO player_changes (player_id, revision, name, merged_into, actor, changed_at)
        SELECT player_id, revision, name, merged_into, %s, now() FROM players WHERE player_id = %s
        """,
        (actor, player_id),
    )
