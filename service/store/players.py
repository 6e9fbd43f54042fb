"""People: their names with a history, and merges that can be taken back."""

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from service.store.database import Connection
from service.store.lists import Listing


def fold_name(name: str) -> str:
    """What two names have in common when they are the same: NFC, single spaces, no case."""
    return unicodedata.normalize("NFC", tidy_name(name).casefold())


def tidy_name(name: str) -> str:
    """A name as it is kept: NFC, trimmed, single spaces."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def named(connection: Connection, name: str) -> list[UUID]:
    """The players who bear a name, those merged into others left out."""
    rows = connection.execute(
        "SELECT player_id FROM players WHERE folded = %s AND merged_into IS NULL ORDER BY player_id", (fold_name(name),)
    )
    return [row["player_id"] for row in rows]


def lock_names(connection: Connection, names: Sequence[str]) -> None:
    """Keep others from adding players of these names until the end of the transaction.

    All lock in one order, so that two who name the same people wait for each other and not both.
    """
    connection.execute(
        """
        SELECT pg_advisory_xact_lock(hashtext('carnet name'), name)
        FROM (SELECT DISTINCT hashtext(folded) AS name FROM unnest(%s::text[]) AS folded ORDER BY name) AS names
        """,
        ([fold_name(name) for name in names],),
    )


def lock_merges(connection: Connection) -> None:
    """Keep others from merging or seating players until the end of the transaction."""
    connection.execute("SELECT pg_advisory_xact_lock(hashtext('carnet merges'))")


def hold_merges(connection: Connection) -> None:
    """Keep others from merging players until the end of the transaction, and let them seat some."""
    connection.execute("SELECT pg_advisory_xact_lock_shared(hashtext('carnet merges'))")


def insert(connection: Connection, player_id: UUID, name: str, actor: str | None) -> None:
    """Add a player."""
    connection.execute(
        """
        INSERT INTO players (player_id, revision, name, folded, survivor_id, created_at)
        VALUES (%(id)s, 0, %(name)s, %(folded)s, %(id)s, now())
        """,
        {"id": player_id, "name": tidy_name(name), "folded": fold_name(name)},
    )
    _keep(connection, player_id, actor)


def find(connection: Connection, player_id: UUID) -> Mapping[str, Any] | None:
    """A player, or the survivor of the merge that he went into."""
    return connection.execute(
        """
        SELECT survivor.* FROM players p JOIN players survivor ON survivor.player_id = p.survivor_id
        WHERE p.player_id = %s
        """,
        (player_id,),
    ).fetchone()


def lock(connection: Connection, player_ids: Sequence[UUID]) -> dict[UUID, Mapping[str, Any]]:
    """The bare rows of players, which nobody else may change until the end of the transaction."""
    rows = connection.execute(
        "SELECT * FROM players WHERE player_id = ANY(%s) ORDER BY player_id FOR UPDATE", (list(player_ids),)
    )
    return {row["player_id"]: row for row in rows}


def rename(connection: Connection, player_id: UUID, name: str, actor: str | None) -> None:
    """Give a player another name."""
    connection.execute(
        "UPDATE players SET revision = revision + 1, name = %s, folded = %s WHERE player_id = %s",
        (tidy_name(name), fold_name(name), player_id),
    )
    _keep(connection, player_id, actor)


def merge(connection: Connection, player_id: UUID, into: UUID | None, actor: str | None) -> None:
    """Let a player, with all who were merged into him, be another one from now on, or himself again."""
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


def merged_into(connection: Connection, player_id: UUID) -> list[UUID]:
    """Those who were merged into a player."""
    rows = connection.execute("SELECT player_id FROM players WHERE merged_into = %s ORDER BY player_id", (player_id,))
    return [row["player_id"] for row in rows]


def have_met(connection: Connection, one: UUID, other: UUID) -> bool:
    """Whether two players, with all who were merged into them, sat in one match."""
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
    """All that a player was called and merged into, the first entry first."""
    return list(
        connection.execute(
            """
            SELECT revision, name, merged_into, actor, changed_at FROM player_changes
            WHERE player_id = %s ORDER BY revision
            """,
            (player_id,),
        )
    )


def listing(name: str | None, after: tuple[str, UUID] | None) -> Listing:
    """The list of players by name, behind a position."""
    conditions = ["merged_into IS NULL"]
    values: dict[str, Any] = {}
    if name is not None:
        conditions.append("starts_with(folded, %(name)s)")
        values["name"] = fold_name(name)
    if after is not None:
        conditions.append("(folded, player_id) > (%(after_name)s, %(after_id)s)")
        values |= {"after_name": after[0], "after_id": after[1]}
    return Listing(f"SELECT * FROM players WHERE {' AND '.join(conditions)} ORDER BY folded, player_id", values)


def _keep(connection: Connection, player_id: UUID, actor: str | None) -> None:
    connection.execute(
        """
        INSERT INTO player_changes (player_id, revision, name, merged_into, actor, changed_at)
        SELECT player_id, revision, name, merged_into, %s, now() FROM players WHERE player_id = %s
        """,
        (actor, player_id),
    )
