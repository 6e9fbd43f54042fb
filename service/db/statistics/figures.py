"""How often anything occurs in the matches asked about: places, points, features and what else has a code."""

from dataclasses import dataclass

from service.db.facts import FAMILIES
from service.db.pool import Connection
from service.db.statistics.filters import FactFilters


@dataclass(frozen=True, slots=True)
class Counted:
    """How often a code occurs in matches of a number of players, and its amounts added up."""

    players: int
    code: int
    number: int
    amount: int
    in_play: bool
    """Whether these matches count in figures of play too."""


def counts(connection: Connection, filters: FactFilters, family: str) -> list[Counted]:
    """How often each code of a family occurs in matches that count."""
    query = f"""
        SELECT m.players, {filters.in_play} AS in_play, code, count(*) AS number, sum(amount) AS amount
        FROM match_facts m CROSS JOIN LATERAL ({FAMILIES[family]}) AS coded
        WHERE {filters.of_counted()} GROUP BY m.players, in_play, code
    """
    if filters.is_summed:
        query = _summed(filters, family)
    elif family == "features" and filters.has_features_summed:
        query = f"""
            SELECT m.players, {filters.in_play} AS in_play, m.code, sum(m.number)::integer AS number,
                sum(m.amount)::bigint AS amount
            FROM player_features m WHERE m.player_id = ANY(%(first_player)s) AND {filters.of_features()}
            GROUP BY m.players, in_play, m.code
        """
    # Sums of floats depend on the order of rows, which else depends on whatever else is stored.
    rows = connection.execute(f"SELECT * FROM ({query}) AS counted ORDER BY players, code, in_play", filters.values)
    return [
        Counted(row["players"], row["code"], row["number"], int(row["amount"]), in_play=row["in_play"]) for row in rows
    ]


def _summed(filters: FactFilters, family: str) -> str:
    """How often each code of a family occurs, where sums tell it."""
    return f"""
        SELECT players, in_play, code, sum(number)::integer AS number, sum(amount)::bigint AS amount FROM (
            SELECT m.players, {filters.in_play} AS in_play, m.code, m.number, m.amount FROM tallies m
            WHERE m.family = '{family}' AND {filters.of_sums()}
            UNION ALL SELECT m.players, {filters.in_play}, code, s.sign, s.sign * amount
            FROM match_facts m CROSS JOIN LATERAL ({FAMILIES[family]}) AS coded
                CROSS JOIN LATERAL (SELECT {filters.sign} AS sign) AS s
            WHERE {filters.of_edges()}
        ) AS parts GROUP BY players, in_play, code HAVING sum(number) <> 0
    """
