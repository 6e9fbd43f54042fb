"""What happened for the first time in a match, in the matches that a viewer finds in lists."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from service.db.pool import Connection
from service.db.principals import LISTS_MATCH, Viewer

_EARLIER = f"""
    SELECT f.* FROM players entry JOIN seat_facts f ON f.player_id = entry.player_id
    JOIN matches m ON m.match_id = f.match_id
    WHERE entry.survivor_id = p.survivor_id AND f.game = own.game
        AND (f.played_at, f.match_id) < (own.played_at, own.match_id) AND NOT m.withdrawn AND {LISTS_MATCH}
"""
_AGAINST = """EXISTS (
    SELECT FROM match_seats other JOIN players them ON them.player_id = other.player_id
    WHERE other.match_id = e.match_id AND other.position <> e.position AND them.survivor_id = rival.survivor_id
        AND {}
)"""


def of_seats(connection: Connection, match_id: UUID, viewer: Viewer) -> Sequence[Mapping[str, Any]]:
    """For each seat whether its player had played or won this game before, and their best points in it.

    The best points are those of the same variant with as many players; None if there are no such matches.
    """
    return connection.execute(
        f"""
        SELECT own.seat, EXISTS ({_EARLIER}) AS had_played,
            EXISTS (SELECT FROM ({_EARLIER}) e WHERE e.wins > 0) AS had_won,
            (SELECT max(e.points) FROM ({_EARLIER}) e WHERE e.variant = own.variant AND e.players = own.players) AS best
        FROM seat_facts own JOIN players p ON p.player_id = own.player_id
        WHERE own.match_id = %(match_id)s ORDER BY own.position
        """.encode(),
        {"match_id": match_id, **viewer.values},
    ).fetchall()


def wins(connection: Connection, match_id: UUID, viewer: Viewer) -> Sequence[Mapping[str, Any]]:
    """For each winner and each who lost whether the two had met in this game before, and had ended like this."""
    return connection.execute(
        f"""
        SELECT own.seat, loser.seat AS against,
            EXISTS (SELECT FROM ({_EARLIER}) e WHERE {_AGAINST.format("true")}) AS had_met,
            EXISTS (
                SELECT FROM ({_EARLIER}) e WHERE e.wins > 0 AND {_AGAINST.format("other.place > e.place")}
            ) AS had_won
        FROM seat_facts own JOIN players p ON p.player_id = own.player_id
        JOIN seat_facts loser ON loser.match_id = own.match_id AND loser.wins = 0
        JOIN players rival ON rival.player_id = loser.player_id
        WHERE own.match_id = %(match_id)s AND own.wins > 0 ORDER BY own.position, loser.position
        """.encode(),
        {"match_id": match_id, **viewer.values},
    ).fetchall()


def highest(connection: Connection, match_id: UUID, visibilities: Sequence[str]) -> int | None:
    """The most points of others matches of this game, variant and number of players, of some visibilities.

    From the sums that statistics keep of each player. None if there is no other such match.
    """
    row = connection.execute(
        """
        SELECT max(t.points) AS points FROM player_points t,
            (SELECT game, variant, players FROM match_facts WHERE match_id = %(match_id)s) AS own
        WHERE t.tag = '' AND t.game = own.game AND t.variant = own.variant AND t.players = own.players
            AND t.visibility = ANY(%(visibilities)s)
            AND t.number > (
                SELECT count(*) FROM seat_facts f WHERE f.match_id = %(match_id)s AND f.player_id = t.player_id
                    AND f.points = t.points AND f.visibility = t.visibility AND f.edition = t.edition
                    AND f.category = t.category
            )
        """,
        {"match_id": match_id, "visibilities": list(visibilities)},
    ).fetchone()
    return None if row is None else row["points"]
