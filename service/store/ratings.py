"""Ratings: what marks them as out of date, the matches that they rest on, and how they are kept by month."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple, TypeAlias
from uuid import UUID

import orjson
from psycopg.rows import tuple_row

from service.store.access import IN_POPULATION
from service.store.database import Connection

ALL_GAMES: Final = "all"
"""The scope of ratings over all games; that of one game is its id."""


class Rated(NamedTuple):
    """How a player was rated after so many matches."""

    mu: float
    sigma: float
    matches: int


class Ranking(NamedTuple):
    """How the players of one match ended; ids and moments as texts, as they are only handed on."""

    match_id: str
    game: str
    played_at: str
    month: date
    players: Sequence[str]
    places: Sequence[int]


Line: TypeAlias = tuple[str, str, float, float]
"""The rating of one player after one match: which match, when it was played, and his mu and sigma."""


def has_marks(connection: Connection) -> bool:
    """Whether any ratings are out of date."""
    row = connection.execute("SELECT EXISTS (SELECT FROM rating_marks) AS found").fetchone()
    return row is not None and bool(row["found"])


def take_marks(connection: Connection) -> dict[str, date]:
    """The first month that is out of date by game; whoever asks will see to it."""
    rows = connection.execute(
        """
        WITH taken AS (DELETE FROM rating_marks RETURNING game, played_at)
        SELECT game, date_trunc('month', min(played_at) AT TIME ZONE 'UTC')::date AS month FROM taken GROUP BY game
        """
    )
    return {row["game"]: row["month"] for row in rows}


def count_marks(connection: Connection, scope: str) -> int:
    """How many changes of matches ratings do not know of yet."""
    row = connection.execute(
        "SELECT count(*) AS number FROM rating_marks WHERE %(scope)s IN (game, %(all)s)",
        {"scope": scope, "all": ALL_GAMES},
    ).fetchone()
    return int(row["number"]) if row else 0


def begin_anew(connection: Connection) -> None:
    """Forget all ratings and mark all of them."""
    for table in ("rating_marks", "rating_history", "ratings", "rating_runs"):
        connection.execute(f"DELETE FROM {table}".encode())
    connection.execute(
        """
        INSERT INTO rating_marks (mark_id, game, played_at)
        SELECT gen_random_uuid(), game, min(played_at) FROM seat_facts GROUP BY game
        """
    )


def last_run(connection: Connection, population: str, scope: str) -> datetime | None:
    """As of when ratings were computed, if they were."""
    row = connection.execute(
        "SELECT as_of FROM rating_runs WHERE population = %s AND scope = %s", (population, scope)
    ).fetchone()
    return None if row is None else row["as_of"]


def is_needed(connection: Connection, population: str, scope: str) -> bool:
    """Whether a population has matches of its own; without any its ratings are those of the public."""
    if population == "public":
        return True
    row = connection.execute(
        """
        SELECT EXISTS (
            SELECT FROM seat_facts WHERE visibility = 'club' AND %(scope)s IN (game, %(all)s)
        ) AS found
        """,
        {"scope": scope, "all": ALL_GAMES},
    ).fetchone()
    return row is not None and bool(row["found"])


def forget(connection: Connection, population: str, scope: str, since: date) -> None:
    """Take away the ratings of a month and all later ones."""
    key = (population, scope)
    connection.execute("DELETE FROM rating_history WHERE population = %s AND scope = %s AND month >= %s", (*key, since))
    connection.execute("DELETE FROM ratings WHERE population = %s AND scope = %s", key)
    connection.execute("DELETE FROM rating_runs WHERE population = %s AND scope = %s", key)


def checkpoint(connection: Connection, population: str, scope: str) -> dict[str, Rated]:
    """How all players were rated at the end of what is kept."""
    rows = connection.execute(
        """
        SELECT DISTINCT ON (player_id) player_id::text AS player, matches, mus[cardinality(mus)] AS mu,
            sigmas[cardinality(sigmas)] AS sigma
        FROM rating_history WHERE population = %s AND scope = %s ORDER BY player_id, month DESC
        """,
        (population, scope),
    )
    return {row["player"]: Rated(row["mu"], row["sigma"], row["matches"]) for row in rows}


def rankings(connection: Connection, population: str, since: date) -> Iterator[Ranking]:
    """The matches of a month and all later ones in order, without holding them all."""
    with connection.cursor(name="rankings", row_factory=tuple_row) as cursor:
        cursor.itersize = 5000
        cursor.execute(
            f"""
            SELECT m.match_id::text, m.game, m.played_at::text,
                date_trunc('month', m.played_at AT TIME ZONE 'UTC')::date,
                array_agg(p.survivor_id::text ORDER BY m.position), array_agg(m.place ORDER BY m.position)
            FROM seat_facts m JOIN players p USING (player_id)
            WHERE {IN_POPULATION[population]} AND m.played_at >= %(since)s::timestamp AT TIME ZONE 'UTC'
            GROUP BY m.played_at, m.match_id, m.game ORDER BY m.played_at, m.match_id
            """,
            {"since": since},
        )
        for row in cursor:
            yield Ranking(*row)


def keep_month(
    connection: Connection,
    population: str,
    scope: str,
    month: date,
    lines: Mapping[str, Sequence[Line]],
    rated: Mapping[str, Rated],
) -> None:
    """Keep the ratings after the matches of a month."""
    with (
        connection.cursor() as cursor,
        cursor.copy(
            """
            COPY rating_history (population, scope, player_id, month, matches, match_ids, played_at, mus, sigmas)
            FROM STDIN
            """
        ) as copy,
    ):
        for player, after in sorted(lines.items()):
            match_ids, played_at, mus, sigmas = zip(*after, strict=True)
            columns = (*map(",".join, (match_ids, played_at)), *map(_listed, (mus, sigmas)))
            arrays = [f"{{{column}}}" for column in columns]
            copy.write_row((population, scope, player, month, rated[player].matches, *arrays))


def _listed(numbers: Sequence[float]) -> str:
    """Numbers with commas between them, which takes Python itself several times as long."""
    return orjson.dumps(numbers)[1:-1].decode()


def keep(connection: Connection, population: str, scope: str, rated: Mapping[str, Rated]) -> None:
    """Keep the present ratings of all players."""
    with (
        connection.cursor() as cursor,
        cursor.copy("COPY ratings (population, scope, player_id, mu, sigma, matches) FROM STDIN") as copy,
    ):
        for player, one in sorted(rated.items()):
            copy.write_row((population, scope, player, *one))
    connection.execute("INSERT INTO rating_runs (population, scope, as_of) VALUES (%s, %s, now())", (population, scope))


def present(connection: Connection, population: str, scope: str) -> list[Mapping[str, Any]]:
    """The present ratings of all players."""
    return list(
        connection.execute(
            """
            SELECT player_id, name, mu, sigma, matches FROM ratings JOIN players USING (player_id)
            WHERE population = %s AND scope = %s
            """,
            (population, scope),
        )
    )


def history(
    connection: Connection,
    population: str,
    scope: str,
    player_id: UUID,
    since: datetime | None,
    until: datetime | None,
) -> list[Line]:
    """How a player was rated after each match of a time, the first one first."""
    cursor = connection.cursor(row_factory=tuple_row)
    cursor.execute(
        """
        SELECT line.match_id::text, to_char(line.played_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
            line.mu, line.sigma
        FROM rating_history h
            CROSS JOIN LATERAL unnest(h.match_ids, h.played_at, h.mus, h.sigmas) WITH ORDINALITY
                AS line (match_id, played_at, mu, sigma, number)
        WHERE population = %(population)s AND scope = %(scope)s AND player_id = %(player_id)s
            AND (%(since)s::timestamptz IS NULL OR line.played_at >= %(since)s)
            AND (%(until)s::timestamptz IS NULL OR line.played_at < %(until)s)
        ORDER BY month, line.number
        """,
        {"population": population, "scope": scope, "player_id": player_id, "since": since, "until": until},
    )
    return cursor.fetchall()
