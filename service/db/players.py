"""Players: names with their history, merges that can be undone, and anonymization."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from service.db import idempotency
from service.db.lists import Listing
from service.db.pool import Connection
from service.db.principals import IS_ADDED_OR_SELF, KNOWS_PLAYER, LISTS_ONE, MEETS_ONE, MET_AMONG, Viewer
from service.db.statistics.populations import ids_of
from service.names import fold_name, tidy_name


def named(connection: Connection, name: str, viewer: Viewer) -> list[UUID]:
    """The players whom a viewer means by a name, without those merged into others.

    Those whom they added or met come before those whom they know only by a merge. Of the players with an account that
    is not theirs only those whom they met count.
    """
    rows = connection.execute(
        """
        SELECT p.player_id, family.player_id AS entry_id,
            coalesce(p.created_by = %(viewer)s, false) OR EXISTS (
                SELECT FROM accounts WHERE account_id = %(viewer)s AND accounts.player_id = p.player_id
            ) AS is_own,
            family.player_id = (SELECT player_id FROM accounts WHERE account_id = %(viewer)s) AS is_self,
            EXISTS (
                SELECT FROM accounts
                WHERE player_id = p.player_id AND closed_at IS NULL AND account_id IS DISTINCT FROM %(viewer)s
            ) AS is_held
        FROM players p JOIN players family ON family.survivor_id = p.player_id
        WHERE p.folded = %(name)s AND p.merged_into IS NULL AND p.anonymous IS NULL ORDER BY p.player_id
        """,
        {"name": fold_name(name), **viewer.values},
    ).fetchall()
    if viewer.sees_all:
        return list(dict.fromkeys(row["player_id"] for row in rows))
    entries = [row["entry_id"] for row in rows]
    met_rows = connection.execute(MET_AMONG, {"among": entries, **viewer.values}).fetchall() if entries else []
    met = {row["player_id"] for row in met_rows}
    known = {row["player_id"] for row in rows if row["is_own"] or row["is_self"] or row["entry_id"] in met}
    held = {row["player_id"] for row in rows if row["is_held"]}
    meant = [player_id for player_id in sorted(known) if player_id in met or player_id not in held]
    own = {row["player_id"] for row in rows if row["is_own"]}
    near = [player_id for player_id in meant if player_id in own or player_id in met]
    return near or meant


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
    return _find(connection, player_id, Viewer(sees_all=True))


def find_known(connection: Connection, player_id: UUID, viewer: Viewer) -> Mapping[str, Any] | None:
    """A player whom a viewer knows, as from `find`."""
    return _find(connection, player_id, viewer, MEETS_ONE)


def find_met(connection: Connection, player_id: UUID, viewer: Viewer) -> Mapping[str, Any] | None:
    """A player whom a viewer knows or finds in matches, as from `find`."""
    return _find(connection, player_id, viewer, MEETS_ONE, LISTS_ONE)


def survivors(connection: Connection, player_ids: Collection[UUID], viewer: Viewer) -> dict[UUID, tuple[UUID, bool]]:
    """The survivor of each of some players that are there, and whether a viewer knows them, as `find_known` has it."""
    if not player_ids:
        return {}
    rows = connection.execute(
        f"""
        SELECT p.player_id, p.survivor_id, {IS_ADDED_OR_SELF} AS is_known,
            ARRAY(SELECT player_id FROM players family WHERE family.survivor_id = p.survivor_id) AS family
        FROM players p WHERE p.player_id = ANY(%(ids)s)
        """,
        {"ids": list(player_ids), **viewer.values},
    ).fetchall()
    unknown = [entry for row in rows if not row["is_known"] for entry in row["family"]]
    found = connection.execute(MET_AMONG, {"among": unknown, **viewer.values}).fetchall() if unknown else []
    met = {row["player_id"] for row in found}
    return {row["player_id"]: (row["survivor_id"], bool(row["is_known"] or met & set(row["family"]))) for row in rows}


def _find(connection: Connection, player_id: UUID, viewer: Viewer, *queries: str) -> Mapping[str, Any] | None:
    """A player whom a viewer added or is, or of whose entries any of some queries finds a row."""
    row = connection.execute(
        f"""
        SELECT survivor.*, {IS_ADDED_OR_SELF} AS is_known,
            ARRAY(SELECT player_id FROM players WHERE survivor_id = p.survivor_id) AS family
        FROM players p JOIN players survivor ON survivor.player_id = p.survivor_id WHERE p.player_id = %(player_id)s
        """,
        {"player_id": player_id, **viewer.values},
    ).fetchone()
    if row is None or row["is_known"]:
        return row
    values = {"among": row["family"], **viewer.values}
    return row if any(connection.execute(query.encode(), values).fetchone() for query in queries) else None


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
        SELECT 1 FROM match_seats seat JOIN matches m USING (match_id)
        LEFT JOIN match_seats beside ON beside.match_id = m.match_id
        LEFT JOIN accounts a ON a.player_id = beside.player_id AND a.closed_at IS NULL
        WHERE seat.player_id = ANY(%(family)s) AND (
            m.owner_id IS DISTINCT FROM %(account_id)s
            OR (a.account_id IS NOT NULL AND a.account_id IS DISTINCT FROM %(account_id)s)
        ) LIMIT 1
        """,
        {"family": ids_of(connection, [player_id])[0], "account_id": account_id},
    ).fetchone()
    return row is not None


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
        SELECT 1 FROM match_seats a JOIN match_seats b USING (match_id)
        JOIN players p ON p.player_id = a.player_id JOIN players q ON q.player_id = b.player_id
        WHERE p.survivor_id = %s AND q.survivor_id = %s LIMIT 1
        """,
        (one, other),
    ).fetchone()
    return row is not None


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
