"""Pairs of players: opponents, head to head, and who began."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from psycopg.rows import args_row

from service.db.pool import Connection
from service.db.statistics.filters import FactFilters, of_player


class Met(NamedTuple):
    """How often a player met another one, and twice the matches in which they were ahead, where level ones are half."""

    player_id: str
    name: str
    number: int
    ahead: int


class Begun(NamedTuple):
    """How often somebody who began was ahead of another one in matches of a number of players: 2, level 1, or 0."""

    players: int
    first: UUID
    other: UUID
    ahead: int
    number: int


def opponents(connection: Connection, filters: FactFilters, ids: Sequence[UUID]) -> Iterable[Met]:
    """The opponents of a player, with the results against each; fetched when they are iterated over."""
    filters = filters.of_one(ids)
    cursor = connection.cursor(row_factory=args_row(Met))
    cursor.execute(
        f"""
        SELECT survivor.player_id::text, survivor.name, sum(met.number)::integer, sum(met.ahead)::integer
        FROM (
            SELECT player_id, count(*) AS number, sum(ahead) AS ahead
            FROM (
                SELECT unnest(m.opponents) AS player_id, unnest(m.ahead) AS ahead FROM seat_facts m
                WHERE {of_player("ids", ids)} AND {filters.of_seats()}
            ) AS seats GROUP BY player_id
        ) AS met JOIN players p USING (player_id) JOIN players survivor ON survivor.player_id = p.survivor_id
        GROUP BY survivor.player_id, survivor.name ORDER BY survivor.player_id
        """,
        {**filters.values, "ids": list(ids)},
    )
    return cursor


def meetings(
    connection: Connection, filters: FactFilters, ids: Sequence[UUID], others: Sequence[UUID]
) -> list[Mapping[str, Any]]:
    """The matches in which two players sat, the first one first."""
    return list(
        connection.execute(
            f"""
            SELECT m.match_id, m.game, m.played_at, m.players, m.seat AS a_seat, o.seat AS b_seat, m.mover AS a_mover,
                o.mover AS b_mover, m.place AS a_place, o.place AS b_place, m.points AS a_points, o.points AS b_points,
                m.wins AS a_wins, o.wins AS b_wins, {filters.in_play} AS in_play
            FROM seat_facts m JOIN seat_facts o ON o.match_id = m.match_id
            WHERE {of_player("ids", ids)} AND o.player_id = ANY(%(others)s) AND {filters.of_seats()}
            ORDER BY m.played_at, m.match_id
            """,
            {**filters.values, "ids": list(ids), "others": list(others)},
        )
    )


def begun(connection: Connection, filters: FactFilters, latest: int) -> list[Begun]:
    """How those who began fared beside each of the others, in so many of the latest matches at most."""
    cursor = connection.cursor(row_factory=args_row(Begun))
    # OFFSET 0 lets the server begin with the matches, of which there are few, and not with seats.
    cursor.execute(
        f"""
        SELECT players, one.survivor_id, two.survivor_id, ahead, sum(number)::integer
        FROM (
            SELECT s.players, s.player_id, o.player_id AS other_id, o.ahead, count(*) AS number
            FROM (
                SELECT m.match_id FROM match_facts m WHERE {filters.of_counted()}
                ORDER BY m.played_at DESC, m.match_id DESC LIMIT %(latest)s OFFSET 0
            ) AS latest JOIN seat_facts s USING (match_id)
                CROSS JOIN LATERAL unnest(s.opponents, s.ahead) AS o (player_id, ahead)
            WHERE s.mover = 'first' GROUP BY 1, 2, 3, 4
        ) AS counted JOIN players one USING (player_id) JOIN players two ON two.player_id = other_id
        GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
        """,
        {**filters.values, "latest": latest},
    )
    return cursor.fetchall()
