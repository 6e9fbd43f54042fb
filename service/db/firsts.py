"""What happened for the first time in a match, in the matches that a viewer finds in lists."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from service.db.pool import Connection
from service.db.principals import LISTS_MATCH, Viewer

_OWN = """
WITH own AS MATERIALIZED (
    SELECT f.*, p.survivor_id FROM seat_facts f JOIN players p USING (player_id) WHERE f.match_id = %(match_id)s
)
"""
# The match is read first and what was earlier is joined to it, not the other way round in subqueries for each seat:
# where matches are on several servers, each of them can join its own.
_EARLIER = f"""
JOIN players entry ON entry.survivor_id = own.survivor_id JOIN seat_facts f ON f.player_id = entry.player_id
JOIN matches m ON m.match_id = f.match_id
WHERE f.game = own.game AND (f.played_at, f.match_id) < (own.played_at, own.match_id)
    AND NOT m.withdrawn AND {LISTS_MATCH}
"""


def of_seats(connection: Connection, match_id: UUID, viewer: Viewer) -> Sequence[Mapping[str, Any]]:
    """For each seat whether its player had played or won this game before, and their best points in it.

    The best points are those of the same variant with as many players; None if there are no such matches.
    """
    seats = connection.execute("SELECT seat FROM seat_facts WHERE match_id = %s ORDER BY position", (match_id,))
    earlier = connection.execute(
        f"""
        {_OWN}
        SELECT own.seat, bool_or(f.wins > 0) AS had_won,
            max(f.points) FILTER (WHERE f.variant = own.variant AND f.players = own.players) AS best
        FROM own {_EARLIER} GROUP BY own.seat
        """.encode(),
        {"match_id": match_id, **viewer.values},
    )
    known = {row["seat"]: {**row, "had_played": True} for row in earlier}
    new = {"had_played": False, "had_won": False, "best": None}
    return [known.get(row["seat"], {"seat": row["seat"], **new}) for row in seats.fetchall()]


def meetings(connection: Connection, match_id: UUID, viewer: Viewer) -> Sequence[Mapping[str, Any]]:
    """For each winner and each who lost and had met them in this game before, whether that had ended like this."""
    return connection.execute(
        f"""
        {_OWN}
        SELECT own.seat, loser.seat AS against,
            bool_or(f.wins > 0 AND f.ahead[array_position(f.opponents, rival.player_id)] = 2) AS had_won
        FROM own JOIN own loser ON own.wins > 0 AND loser.wins = 0
        JOIN players rival ON rival.survivor_id = loser.survivor_id
        {_EARLIER} AND rival.player_id = ANY(f.opponents)
        GROUP BY own.seat, own.position, loser.seat, loser.position ORDER BY own.position, loser.position
        """.encode(),
        {"match_id": match_id, **viewer.values},
    ).fetchall()


def highest(connection: Connection, match_id: UUID, visibilities: Sequence[str]) -> int | None:
    """The most points of other matches of this game, variant and number of players, of some visibilities.

    From the sums that statistics keep of each player, by an index that has the most points of a visibility first. None
    if there is no other such match.
    """
    row = connection.execute(
        """
        WITH own AS MATERIALIZED (SELECT * FROM seat_facts WHERE match_id = %(match_id)s)
        SELECT max(best.points) AS points FROM (SELECT DISTINCT game, variant, players FROM own) AS kind
        CROSS JOIN unnest(%(visibilities)s::text[]) AS visibility
        CROSS JOIN LATERAL (
            SELECT t.points FROM player_points t
            WHERE t.tag = '' AND t.game = kind.game AND t.variant = kind.variant AND t.players = kind.players
                AND t.visibility = visibility.visibility
                AND t.number > (
                    SELECT count(*) FROM own WHERE own.player_id = t.player_id AND own.points = t.points
                        AND own.visibility = t.visibility AND own.edition = t.edition AND own.category = t.category
                )
            ORDER BY t.points DESC LIMIT 1
        ) AS best
        """,
        {"match_id": match_id, "visibilities": list(visibilities)},
    ).fetchone()
    return None if row is None else row["points"]
