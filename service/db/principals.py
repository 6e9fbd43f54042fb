"""Authentication queries, and the conditions of what a viewer finds in lists."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from service.db.credentials import IS_VALID
from service.db.pool import Connection

_PRINCIPAL = f"""
SELECT s.secret_id, s.scopes, a.account_id, a.role,
    s.used_at IS NULL OR s.used_at < now() - interval '1 minute' AS is_use_old,
    m.match_id, m.visibility, m.withdrawn, m.owner_id = a.account_id AS owns,
    coalesce(a.player_id = ANY (ARRAY(SELECT player_id FROM match_seats WHERE match_id = m.match_id)), false) AS plays,
    link.secret_id AS link_id, link.kind AS link_kind
FROM (
    SELECT coalesce(
        %(match_id)s, (SELECT match_id FROM annotations WHERE annotation_id = %(annotation_id)s)
    ) AS match_id
) asked
LEFT JOIN secrets s ON s.digest = %(digest)s AND s.kind = %(kind)s AND {IS_VALID.format("s")}
LEFT JOIN accounts a ON a.account_id = s.account_id AND a.closed_at IS NULL
LEFT JOIN matches m ON m.match_id = asked.match_id
LEFT JOIN secrets link ON link.digest = %(key)s AND link.match_id = m.match_id AND {IS_VALID.format("link")}
    AND (link.kind = 'reading' OR m.over_since IS NULL OR m.over_since > now() - interval '1 day')
    AND manages(link.created_by, m.match_id)
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
    values = {"digest": digest, "kind": kind, "key": key, "match_id": match_id, "annotation_id": annotation_id}
    row = connection.execute(_PRINCIPAL, values).fetchone()
    assert row is not None
    return row


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


IS_THEIRS = """(
    m.owner_id = %(viewer)s OR EXISTS (
        SELECT FROM accounts a JOIN match_seats seat ON seat.player_id = a.player_id
        WHERE a.account_id = %(viewer)s AND seat.match_id = m.match_id
    )
)"""
"""Whether a match `m` belongs to a viewer or has a seat of theirs.

A seat belongs to the account whose player it names. A player who was merged into that one brings no right: otherwise
those who merge players would decide who reads matches.
"""

ALL_VISIBILITIES = ("public", "club", "unlisted", "private")
POPULATION_VISIBILITIES: Mapping[str, Sequence[str]] = {"public": ("public",), "club": ("public", "club")}
IN_POPULATION: Mapping[str, str] = {
    "public": "m.visibility = 'public'",
    "club": "m.visibility IN ('public', 'club')",
}
"""By population of statistics, whether it includes a match `m`; private and unlisted ones are in neither."""

IS_MINE = f"""(
    {IS_THEIRS} OR ({IN_POPULATION["club"]} AND EXISTS (
        SELECT FROM accounts a JOIN players me ON me.player_id = a.player_id
        JOIN players seated ON seated.survivor_id = me.survivor_id
        JOIN match_seats seat ON seat.player_id = seated.player_id
        WHERE a.account_id = %(viewer)s AND seat.match_id = m.match_id
    ))
)"""
"""Whether `mine=1` of statistics counts a match `m`: one that a viewer played under any entry and may read."""

LISTS_MATCH = f"""(
    %(sees_all)s OR m.visibility = 'public'
    OR (%(viewer)s::uuid IS NOT NULL AND (m.visibility = 'club' OR {IS_THEIRS}))
)"""
"""Whether a viewer finds a match `m` in lists."""

_MET_IN = """EXISTS (
    SELECT FROM players one JOIN match_seats seat ON seat.player_id = one.player_id
    JOIN matches m ON m.match_id = seat.match_id
    WHERE one.survivor_id = p.survivor_id AND {}
)"""

KNOWS_PLAYER = f"""(
    %(sees_all)s OR p.created_by = %(viewer)s
    OR p.survivor_id = (
        SELECT me.survivor_id FROM accounts a JOIN players me ON me.player_id = a.player_id
        WHERE a.account_id = %(viewer)s
    )
    OR {_MET_IN.format(f"({IS_THEIRS} OR m.match_id = %(viewed_match)s)")}
)"""
"""Whether a viewer added a player `p`, shared a match with them or is them."""

MET_ENTRY = f"""EXISTS (
    SELECT FROM match_seats seat JOIN matches m ON m.match_id = seat.match_id
    WHERE seat.player_id = p.player_id AND ({IS_THEIRS} OR m.match_id = %(viewed_match)s)
)"""
"""Whether a viewer shared a match with just this entry `p`, not with one that was merged into it."""

HELD_BY_ANOTHER = """EXISTS (
    SELECT FROM accounts WHERE player_id = p.player_id AND closed_at IS NULL AND account_id IS DISTINCT FROM %(viewer)s
)"""
"""Whether a player `p` has an account that is not the viewer's."""

MEETS_PLAYER = f"({KNOWS_PLAYER} OR {_MET_IN.format(f'NOT m.withdrawn AND {LISTS_MATCH}')})"
"""Whether a viewer knows a player `p` or finds them in the matches of their lists."""
