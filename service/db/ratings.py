"""Ratings: what marks them as out of date, the matches that they rest on, and how they are kept by month."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from struct import Struct
from typing import Final, NamedTuple
from uuid import UUID

from psycopg.rows import args_row, tuple_row

from domain.catalogue import GAMES
from service.db.categories import IS_RATED
from service.db.pool import Connection
from service.db.principals import IN_POPULATION, POPULATION_VISIBILITIES
from service.identity import as_text

ALL_GAMES: Final = "all"
"""The scope of ratings over all games; that of one game is its id."""


def _populations_with(visibility: str) -> list[str]:
    return [name for name, visibilities in POPULATION_VISIBILITIES.items() if visibility in visibilities]


POPULATIONS: Final = "unnest(CASE m.visibility {} END) AS p (population)".format(
    " ".join(f"WHEN '{seen}' THEN ARRAY{_populations_with(seen)}" for seen in POPULATION_VISIBILITIES["club"])
)
"""The populations that facts `m` of a match belong to; those of a private or unlisted one belong to none."""


class Ranking(NamedTuple):
    """How the players of one match ended; ids in bytes."""

    key: bytes
    """Which match it was and when it was played, as it is kept."""
    game: str
    month: date
    players: Sequence[bytes]
    places: Sequence[int]


as_line: Final = Struct(">63sdd").pack
"""How a player was rated after a match, as it is kept: the key of its ranking, mu, sigma."""
_LINE: Final = Struct(">36s27sdd")
"""The same as it is read: the id of the match and when it was played, both as they are answered, mu, sigma."""
LINE_BYTES: Final = _LINE.size


class Rated(NamedTuple):
    """How a player was rated after the last of so many matches, and in which month it was played."""

    player: bytes
    matches: int
    month: date
    mu: float
    sigma: float


class PlayerMonth(NamedTuple):
    """The rating of a player after each match of a month, and their number of matches at its end."""

    scope: str
    month: date
    player: bytes
    matches: int
    lines: bytes | bytearray


class Forecasts(NamedTuple):
    """Matches of so many players in which the favourite had a chance of so many percent, and sums over them."""

    scope: str
    month: date
    players: int
    percent: int
    matches: int
    predicted: float
    """Chances of the favourite."""
    won: float
    """Wins of the favourite; a shared one is a part."""
    loss: float
    """-ln of the winner's chance."""
    squares: float
    """The squares of that."""


class Absence(NamedTuple):
    """How ratings become less certain with the months since the last match, up to those of unknown players."""

    today: date
    variance: float
    """What is added to the variance for each month without a match."""
    unknown: float
    """The standard deviation of an unknown player."""


class Present(NamedTuple):
    """How a player is rated today."""

    player_id: UUID
    name: str
    matches: int
    mu: float
    sigma: float


class Line(NamedTuple):
    """How a player was rated after a match."""

    match_id: str
    played_at: str
    mu: float
    sigma: float


def has_marks(connection: Connection) -> bool:
    """Whether any ratings are out of date."""
    row = connection.execute("SELECT EXISTS (SELECT FROM rating_marks) AS found").fetchone()
    return row is not None and bool(row["found"])


def take_marks(connection: Connection) -> dict[str, dict[str, date]]:
    """Delete all marks, and return by population and game the first month that is out of date."""
    rows = connection.execute(
        """
        WITH taken AS (DELETE FROM rating_marks RETURNING population, game, played_at)
        SELECT population, game, date_trunc('month', min(played_at) AT TIME ZONE 'UTC')::date AS month
        FROM taken GROUP BY population, game
        """
    )
    months: dict[str, dict[str, date]] = {}
    for row in rows:
        months.setdefault(row["population"], {})[row["game"]] = row["month"]
    return months


def count_marks(connection: Connection, population: str, scope: str) -> int:
    """How many changes of the matches of a population its ratings do not know of yet."""
    row = connection.execute(
        """
        SELECT count(*) AS number FROM rating_marks
        WHERE population = %(population)s AND %(scope)s IN (game, %(all)s)
        """,
        {"population": population, "scope": scope, "all": ALL_GAMES},
    ).fetchone()
    return int(row["number"]) if row else 0


def begin_anew(connection: Connection) -> None:
    """Forget all ratings and mark all of them."""
    for table in ("rating_marks", "rating_history", "rating_forecasts", "ratings", "rating_runs"):
        connection.execute(f"DELETE FROM {table}".encode())
    connection.execute(
        f"""
        INSERT INTO rating_marks (mark_id, population, game, played_at)
        SELECT gen_random_uuid(), population, game, min(played_at)
        FROM seat_facts m CROSS JOIN LATERAL {POPULATIONS} WHERE {IS_RATED} GROUP BY population, game
        """
    )


def last_run(connection: Connection, population: str, scope: str) -> datetime | None:
    """As of when ratings were computed, if they were."""
    row = connection.execute(
        "SELECT as_of FROM rating_runs WHERE population = %s AND scope = %s", (population, scope)
    ).fetchone()
    return None if row is None else row["as_of"]


def is_needed(connection: Connection, population: str, scope: str) -> bool:
    """Whether a population has matches of its own; without any its ratings are those of the public.

    The few sums over all matches tell it, where there are any number of matches.
    """
    if population == "public":
        return True
    row = connection.execute(
        f"""
        SELECT EXISTS (
            SELECT FROM tallies m
            WHERE m.game = ANY(%(games)s) AND m.family = 'population' AND m.tag = '' AND m.month = '-infinity'
                AND m.code = 0 AND m.visibility = 'club' AND {IS_RATED}
        ) AS found
        """,
        {"games": list(GAMES) if scope == ALL_GAMES else [scope]},
    ).fetchone()
    return row is not None and bool(row["found"])


def forget(connection: Connection, population: str, scope: str, since: date) -> None:
    """Take away the ratings of a month and all later ones."""
    key = (population, scope)
    for table in ("rating_history", "rating_forecasts"):
        connection.execute(
            f"DELETE FROM {table} WHERE population = %s AND scope = %s AND month >= %s".encode(), (*key, since)
        )
    connection.execute("DELETE FROM ratings WHERE population = %s AND scope = %s", key)
    connection.execute("DELETE FROM rating_runs WHERE population = %s AND scope = %s", key)


def checkpoint(connection: Connection, population: str, scope: str, since: date) -> Iterator[Rated]:
    """How all players were rated before a month: as they are at present, but for those who played since.

    Call it before the ratings since then are forgotten.
    """
    rows = connection.execute(
        """
        SELECT r.player_id, before.matches, before.month, before.mu, before.sigma, before.line FROM ratings r
        LEFT JOIN (
            SELECT DISTINCT player_id FROM rating_history
            WHERE population = %(population)s AND scope = %(scope)s AND month >= %(since)s
        ) AS later USING (player_id)
        CROSS JOIN LATERAL (
            SELECT r.matches, r.month, r.mu, r.sigma, NULL::bytea AS line WHERE later.player_id IS NULL
            UNION ALL (
                SELECT h.matches, h.month, NULL, NULL, substr(h.lines, length(h.lines) - %(size)s + 1)
                FROM rating_history h
                WHERE later.player_id IS NOT NULL AND h.population = %(population)s AND h.scope = %(scope)s
                    AND h.player_id = r.player_id AND h.month < %(since)s
                ORDER BY h.month DESC LIMIT 1
            )
        ) AS before
        WHERE r.population = %(population)s AND r.scope = %(scope)s
        """,
        {"population": population, "scope": scope, "since": since, "size": LINE_BYTES},
    )
    for row in rows:
        mu, sigma = (row["mu"], row["sigma"]) if row["line"] is None else _LINE.unpack(row["line"])[2:]
        yield Rated(row["player_id"].bytes, row["matches"], row["month"], mu, sigma)


def rankings(connection: Connection, population: str, since: date) -> Iterator[Ranking]:
    """The matches of a month and all later ones in order, as they come: until the last one the connection is taken."""
    cursor = connection.cursor(row_factory=tuple_row, binary=True)
    rows = cursor.stream(
        f"""
        SELECT
            convert_to(m.match_id || to_char(m.played_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'UTF8'),
            m.game,
            date_trunc('month', m.played_at AT TIME ZONE 'UTC')::date,
            array_agg(uuid_send(p.survivor_id) ORDER BY m.position), array_agg(m.place ORDER BY m.position)
        FROM seat_facts m JOIN players p USING (player_id)
        WHERE {IN_POPULATION[population]} AND {IS_RATED} AND m.played_at >= %(since)s::timestamp AT TIME ZONE 'UTC'
        GROUP BY m.played_at, m.match_id, m.game ORDER BY m.played_at, m.match_id
        """,
        {"since": since},
        size=1000,
    )
    return map(Ranking._make, rows)


def keep_months(connection: Connection, population: str, months: Iterable[PlayerMonth]) -> None:
    """Keep the ratings after the matches of some months; until the last one the connection is taken."""
    with (
        connection.cursor() as cursor,
        cursor.copy(
            "COPY rating_history (population, scope, month, player_id, matches, lines) FROM STDIN (FORMAT binary)"
        ) as copy,
    ):
        copy.set_types(["text", "text", "date", "bytea", "int4", "bytea"])  # the bytes of an id are its binary form
        for rating in months:
            copy.write_row((population, *rating))


def keep_forecasts(connection: Connection, population: str, forecasts: Iterable[Forecasts]) -> None:
    """Keep what ratings predicted of the matches of some months."""
    with connection.cursor() as cursor, cursor.copy("COPY rating_forecasts FROM STDIN") as copy:
        for forecast in forecasts:
            copy.write_row((population, *forecast))


def forecasts(connection: Connection, population: str, scope: str) -> list[Forecasts]:
    """What ratings predicted of all matches, by number of players and the favourite's chance."""
    cursor = connection.cursor(row_factory=args_row(Forecasts))
    return cursor.execute(
        """
        SELECT scope, min(month), players, percent, sum(matches)::integer, sum(predicted ORDER BY month),
            sum(won ORDER BY month), sum(loss ORDER BY month), sum(squares ORDER BY month)
        FROM rating_forecasts WHERE population = %s AND scope = %s
        GROUP BY scope, players, percent ORDER BY players, percent
        """,
        (population, scope),
    ).fetchall()


def keep(connection: Connection, population: str, scope: str, rated: Iterable[Rated]) -> None:
    """Keep the ratings of all players after their last matches."""
    with (
        connection.cursor() as cursor,
        cursor.copy(
            "COPY ratings (population, scope, player_id, matches, month, mu, sigma) FROM STDIN (FORMAT binary)"
        ) as copy,
    ):
        copy.set_types(["text", "text", "bytea", "int4", "date", "float8", "float8"])
        for rating in rated:
            copy.write_row((population, scope, *rating))
    connection.execute("INSERT INTO rating_runs (population, scope, as_of) VALUES (%s, %s, now())", (population, scope))


def present(
    connection: Connection,
    population: str,
    scope: str,
    absence: Absence,
    deviations: float,
    among: str | None,
    first: int = 0,
    limit: int | None = None,
) -> list[Present]:
    """A part of today's ratings, of all players or of some, highest cautious rating first.

    The certain part of a rating is so many standard deviations below it. Players are given as PostgreSQL writes an
    array of their ids.
    """
    cursor = connection.cursor(row_factory=args_row(Present))
    return cursor.execute(
        """
        SELECT player_id, name, matches, mu, sigma FROM (
            SELECT player_id, matches, mu, s.sigma, mu - %(deviations)s * s.sigma AS certain FROM ratings r
            CROSS JOIN LATERAL (
                SELECT greatest(
                    0, %(months)s - 12 * date_part('year', r.month) - date_part('month', r.month) - 1
                ) AS missed
            ) AS m
            CROSS JOIN LATERAL (
                SELECT least(sqrt(r.sigma * r.sigma + m.missed * %(variance)s), greatest(r.sigma, %(unknown)s)) AS sigma
            ) AS s
            WHERE population = %(population)s AND scope = %(scope)s
                AND (%(among)s::uuid[] IS NULL OR player_id = ANY(%(among)s::uuid[]))
            ORDER BY certain DESC, player_id OFFSET %(first)s LIMIT %(limit)s
        ) AS listed JOIN players USING (player_id) ORDER BY certain DESC, player_id
        """,
        {
            "population": population,
            "scope": scope,
            "months": 12 * absence.today.year + absence.today.month,
            "variance": absence.variance,
            "unknown": absence.unknown,
            "deviations": deviations,
            "among": among,
            "first": first,
            "limit": limit,
        },
    ).fetchall()


def history(
    connection: Connection,
    population: str,
    scope: str,
    player_id: UUID,
    since: datetime | None,
    until: datetime | None,
) -> Iterator[Line]:
    """How a player was rated after each match of a time, the first one first."""
    rows = connection.execute(
        """
        SELECT lines FROM rating_history
        WHERE population = %(population)s AND scope = %(scope)s AND player_id = %(player_id)s ORDER BY month
        """,
        {"population": population, "scope": scope, "player_id": player_id},
    )
    first, end = (None if moment is None else as_text(moment).encode() for moment in (since, until))
    for row in rows:
        for match_id, played_at, mu, sigma in _LINE.iter_unpack(row["lines"]):
            if (first is None or first <= played_at) and (end is None or played_at < end):
                yield Line(match_id.decode(), played_at.decode(), mu, sigma)
