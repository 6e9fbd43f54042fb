"""How many matches there are, and as of when: finished ones, unfinished ones, those that do not count."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from uuid import UUID

from service.db.categories import Figures
from service.db.facts import MIN_MATCHES_OF_SUMMED_TAG, POPULATION_CODES, count_tags
from service.db.pool import Connection, Database
from service.db.statistics.filters import FactFilters


def read_only_snapshot(database: Database) -> AbstractContextManager[Connection]:
    """A connection that sees one state of the database throughout, and plans each question for what it asks."""
    return database.statistics()


def now(connection: Connection) -> Iterator[datetime]:
    """As of when the database answers; fetched when it is iterated over, as the numbers below."""
    cursor = connection.execute("SELECT now() AS now")
    return (row["now"] for row in cursor)


def ids_of(connection: Connection, player_ids: Sequence[UUID]) -> list[list[UUID]]:
    """For each player all the ids under which they played in matches."""
    if not player_ids:
        return []
    rows = connection.execute(
        """
        SELECT asked.player_id, array_agg(p.player_id ORDER BY p.player_id) AS ids
        FROM players asked JOIN players p ON p.survivor_id = asked.survivor_id
        WHERE asked.player_id = ANY(%s) GROUP BY asked.player_id
        """,
        (list(player_ids),),
    )
    ids = {row["player_id"]: row["ids"] for row in rows}
    return [ids.get(player_id, []) for player_id in player_ids]


def has_sums(connection: Connection, tags: Sequence[str]) -> bool:
    """Whether a single tag has sums."""
    return len(tags) == 1 and count_tags(connection, tags).get(tags[0], 0) >= MIN_MATCHES_OF_SUMMED_TAG


def unfinished(connection: Connection, filters: FactFilters) -> Iterator[tuple[str, int]]:
    """How many of the latest matches are not finished, by their status."""
    source = f"SELECT m.status FROM {filters.latest_unfinished()}"
    query = f"{source} WHERE {filters.of_unfinished()}"
    if filters.player_counts:
        query = f"""
            {source} JOIN match_seats seat ON seat.match_id = m.match_id WHERE {filters.of_unfinished()}
            GROUP BY m.match_id, m.status HAVING count(*) = ANY(%(player_counts)s)
        """
    cursor = connection.execute(
        f"SELECT status, count(*) AS number FROM ({query}) AS unfinished GROUP BY status", filters.values
    )
    return ((row["status"], row["number"]) for row in cursor)


def population(connection: Connection, filters: FactFilters) -> Iterator[tuple[tuple[int, int], int]]:
    """How many finished matches there are, by the code of why they never count and by category."""
    filters = filters.of(Figures.ANY)
    if filters.is_summed:
        query = f"""
            SELECT m.code, m.category, m.number FROM tallies m WHERE m.family = 'population' AND {filters.of_sums()}
            UNION ALL SELECT code, m.category, {filters.sign}
            FROM match_facts m CROSS JOIN LATERAL ({POPULATION_CODES}) AS coded WHERE {filters.of_edges()}
        """
    else:
        query = f"""
            SELECT 0 AS code, m.category, count(*) AS number FROM {filters.matches()} GROUP BY m.category
            UNION ALL SELECT code, m.category, count(*)
            FROM match_facts m CROSS JOIN LATERAL ({POPULATION_CODES}) AS coded
            WHERE {filters.of_left_out()} GROUP BY code, m.category
        """
    summed = f"SELECT code, category, sum(number)::integer AS number FROM ({query}) AS parts GROUP BY code, category"
    cursor = connection.execute(summed, filters.values)
    return (((row["code"], row["category"]), row["number"]) for row in cursor)
