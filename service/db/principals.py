"""Authentication queries, and the conditions of what a viewer finds in lists."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from service.db.annotations import match_of
from service.db.credentials import IS_VALID
from service.db.pool import Connection

_MANAGES = """(
    CASE WHEN {account} IS NULL THEN m.owner_id IS NULL ELSE EXISTS (
        SELECT FROM accounts maker WHERE maker.account_id = {account} AND maker.closed_at IS NULL AND (
            m.owner_id = {account}
            OR (maker.role = 'owner' AND (m.visibility IN ('club', 'public') OR maker.player_id = ANY (m.seated)))
        )
    ) END
)"""
"""Whether an account manages a match `m` with the players `seated`, as `rights_on` has it of a request; without an
account, whether nobody owns the match."""

OF_MATCH = """
SELECT match_id, visibility, withdrawn, owner_id, over_since,
    ARRAY(SELECT player_id FROM match_seats WHERE match_id = %(match_id)s) AS seated
FROM matches WHERE match_id = %(match_id)s
"""
"""The row of one match that tells rights. Both tables are asked by the id: they are where the match is."""

_PRINCIPAL = f"""
WITH asked AS MATERIALIZED ({OF_MATCH})
SELECT s.secret_id, s.scopes, a.account_id, a.role,
    s.used_at IS NULL OR s.used_at < now() - interval '1 minute' AS is_use_old,
    m.match_id, m.visibility, m.withdrawn, m.owner_id = a.account_id AS owns,
    coalesce(a.player_id = ANY (m.seated), false) AS plays, {{link}}
FROM (SELECT) AS one
LEFT JOIN secrets s ON s.digest = %(digest)s AND s.kind = %(kind)s AND {IS_VALID.format("s")}
LEFT JOIN accounts a ON a.account_id = s.account_id AND a.closed_at IS NULL
LEFT JOIN asked m ON true
"""
_WITHOUT_LINK = _PRINCIPAL.format(link="NULL::uuid AS link_id, NULL::text AS link_kind")
_WITH_LINK = f"""
{_PRINCIPAL.format(link="link.secret_id AS link_id, link.kind AS link_kind")}
LEFT JOIN secrets link ON link.digest = %(key)s AND link.match_id = m.match_id AND {IS_VALID.format("link")}
    AND (link.kind = 'reading' OR m.over_since IS NULL OR m.over_since > now() - interval '1 day')
    AND {_MANAGES.format(account="link.created_by")}
"""


def find_principal(
    connection: Connection,
    *,
    digest: bytes | None,
    kind: str,
    key: bytes | None,
    match_id: UUID | None,
    annotation_id: UUID | None,
) -> Mapping[str, Any]:
    """The account of a token or session, and its relation to a match, perhaps through a link of the match.

    The same work is done whether or not any of them exists.
    """
    if match_id is None and annotation_id is not None:
        match_id = match_of(connection, annotation_id)
    values = {"digest": digest, "kind": kind, "key": key, "match_id": match_id}
    row = connection.execute(_WITHOUT_LINK if key is None else _WITH_LINK, values).fetchone()
    assert row is not None
    return row


def links_of_match(connection: Connection, match_id: UUID) -> list[Mapping[str, Any]]:
    """The valid links of a match, oldest first."""
    rows = connection.execute(
        f"""
        WITH asked AS MATERIALIZED ({OF_MATCH})
        SELECT s.* FROM secrets s JOIN asked m ON m.match_id = s.match_id
        WHERE {IS_VALID.format("s")} AND {_MANAGES.format(account="s.created_by")} ORDER BY secret_id
        """,
        {"match_id": match_id},
    )
    return list(rows)


@dataclass(frozen=True, slots=True)
class Viewer:
    """The principal for whom rows are looked up or listed."""

    account_id: UUID | None = None
    match_id: UUID | None = None
    """A match whose players the viewer knows without an account."""
    sees_all: bool = False

    @property
    def values(self) -> Mapping[str, Any]:
        """The parameters of the conditions."""
        return {"viewer": self.account_id, "viewed_match": self.match_id, "sees_all": self.sees_all}


_OWN_SEATS = """(
    SELECT match_id FROM match_seats WHERE player_id = (SELECT player_id FROM accounts WHERE account_id = %(viewer)s)
)"""
IS_THEIRS = f"(m.owner_id = %(viewer)s OR m.match_id IN {_OWN_SEATS})"
"""Whether a match `m` belongs to a viewer or has a seat of theirs.

A seat belongs to the account whose player it names. A player who was merged into that one brings no right: otherwise
those who merge players would decide who reads matches.
"""

ALL_VISIBILITIES = ("public", "club", "unlisted", "private")
NOT_LISTED = ("unlisted", "private")
"""Those of matches that their own people alone find in lists."""
POPULATION_VISIBILITIES: Mapping[str, Sequence[str]] = {"public": ("public",), "club": ("public", "club")}
IN_POPULATION: Mapping[str, str] = {
    "public": "m.visibility = 'public'",
    "club": "m.visibility IN ('public', 'club')",
}
"""By population of statistics, whether it includes a match `m`; private and unlisted ones are in neither."""

_THEIR_MATCHES = f"SELECT match_id FROM matches WHERE owner_id = %(viewer)s UNION ALL {_OWN_SEATS}"
IS_ONE_OF_THEIRS = f"m.match_id IN ({_THEIR_MATCHES})"
"""The same as `IS_THEIRS` of an account, for lists of such matches alone: they are found without looking at others."""

IS_MINE = f"""m.match_id IN (
    {_THEIR_MATCHES}
    UNION ALL SELECT seat.match_id FROM accounts a JOIN players me ON me.player_id = a.player_id
    JOIN players seated ON seated.survivor_id = me.survivor_id
    JOIN match_seats seat ON seat.player_id = seated.player_id
    JOIN matches m ON m.match_id = seat.match_id AND {IN_POPULATION["club"]}
    WHERE a.account_id = %(viewer)s
)"""
"""Whether `mine=1` counts a match `m`: one that a viewer played under any entry and may read, or owns."""

IS_MANAGED = f"""(
    m.owner_id = %(viewer)s OR (
        EXISTS (SELECT 1 FROM accounts WHERE account_id = %(viewer)s AND role = 'owner')
        AND (m.visibility IN ('club', 'public') OR m.match_id IN {_OWN_SEATS})
    )
)"""
"""Whether a viewer manages a match `m`, as `rights_on` has it of a request."""

_LISTS = """(
    %(sees_all)s OR m.visibility = 'public'
    OR (%(viewer)s::uuid IS NOT NULL AND (m.visibility = 'club' OR {theirs}))
)"""
LISTS_MATCH = _LISTS.format(theirs=IS_THEIRS)
"""Whether a viewer finds a match `m` in lists. This and `IS_THEIRS` are for WHERE: nowhere else can a subquery over
all matches be asked of several servers."""

JOIN_OWN_SEAT = """
LEFT JOIN accounts reader ON reader.account_id = %(viewer)s
LEFT JOIN match_seats own ON own.match_id = m.match_id AND own.player_id = reader.player_id
"""
HAS_OWN = "(coalesce(m.owner_id = %(viewer)s, false) OR own.match_id IS NOT NULL)"
LISTS_OWN = _LISTS.format(theirs=HAS_OWN)
"""The same as `IS_THEIRS` and `LISTS_MATCH` for columns, of matches `m` that are joined to the seat of the viewer."""

MET_ENTRIES = """(
    SELECT seat.player_id FROM match_seats seat WHERE seat.owner_id = %(viewer)s
    UNION SELECT seat.player_id FROM accounts a
        JOIN match_seats own ON own.player_id = a.player_id JOIN match_seats seat ON seat.match_id = own.match_id
        WHERE a.account_id = %(viewer)s
    UNION SELECT seat.player_id FROM match_seats seat WHERE seat.match_id = %(viewed_match)s
)"""
"""The entries that sit in matches of a viewer, without those that were merged into them.

The query refers to no player, so that servers can answer it that have a part of the matches each.
"""

IS_ADDED_OR_SELF = """(
    %(sees_all)s OR p.created_by = %(viewer)s
    OR p.survivor_id = (
        SELECT me.survivor_id FROM accounts a JOIN players me ON me.player_id = a.player_id
        WHERE a.account_id = %(viewer)s
    )
)"""
"""Whether a viewer added a player `p` or is them."""

KNOWS_PLAYER = f"""(
    {IS_ADDED_OR_SELF}
    OR p.survivor_id IN (SELECT one.survivor_id FROM players one WHERE one.player_id IN {MET_ENTRIES})
)"""
"""Whether a viewer added a player `p`, shared a match with them or is them; for lists of players."""


_MET = """
SELECT {columns} FROM match_seats seat JOIN matches m ON m.match_id = seat.match_id
WHERE seat.player_id = ANY(%(among)s) AND {condition}
"""
_IS_MET = f"({IS_THEIRS} OR m.match_id = %(viewed_match)s)"
MET_AMONG = _MET.format(columns="DISTINCT seat.player_id", condition=_IS_MET)
"""Of some entries those with whom a viewer shared a match."""
MEETS_ONE = f"{_MET.format(columns='1', condition=_IS_MET)} LIMIT 1"
"""Finds a row if a viewer shared a match with any of some entries."""
LISTS_ONE = f"{_MET.format(columns='1', condition=f'NOT m.withdrawn AND {LISTS_MATCH}')} LIMIT 1"
"""Finds a row if any of some entries sits in a match of a viewer's lists."""
