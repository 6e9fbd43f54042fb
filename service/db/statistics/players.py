"""Players: what their matches add up to, and the matches of one of them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from uuid import UUID

from psycopg.rows import args_row, tuple_row

from service.db.categories import Figures
from service.db.pool import Connection
from service.db.statistics.filters import FactFilters, of_player


class Totals(NamedTuple):
    """What a player's matches add up to; wins and expected ones in parts."""

    player_id: UUID
    name: str
    number: int
    wins: int
    expected: int
    scored: int
    """In how many of the matches points count, which are added up next."""
    points: int
    margin: int
    median: float | None = None
    latest: Sequence[int] | None = None
    """The parts of a win in the latest matches, the last one first. These two are known where it costs nothing."""


PLAYER_ORDERS: Final = {
    "matches": "number DESC",
    "name": 'p.folded COLLATE "C"',
    # The lower end of Wilson's interval of the win rate, as `wilson` has it.
    "win_rate": """(
        wins / 60.0::float + %(z)s ^ 2 / 2
        - %(z)s * sqrt(wins / 60.0::float * (number - wins / 60.0::float) / number + %(z)s ^ 2 / 4)
    ) / (number + %(z)s ^ 2) DESC""",
    "wins_above_expectation": "wins - expected DESC",
}
"""What tables of players can be ordered by; their ids decide between equals."""


@dataclass(frozen=True, slots=True)
class Page:
    """A part of a list: its order, where it begins and how long it is."""

    order: str
    first: int
    limit: int | None
    z: float
    """The standard deviations of the intervals by whose ends a list may be ordered."""


_MERGED: Final = """
LEFT JOIN (SELECT player_id, survivor_id FROM players WHERE merged_into IS NOT NULL) AS merged USING (player_id)
"""
_SURVIVOR: Final = "coalesce(merged.survivor_id, player_id)"
"""Who a player is now. Few are merged, so that this is asked of each row, and rows are added up once."""


def player_totals(connection: Connection, filters: FactFilters, latest: int, page: Page) -> list[Totals]:
    """What the matches of some players add up to, in an order."""
    has_points = filters.game is not None  # of several games they are not told
    if filters.is_summed:
        in_play = "coalesce(sum({}) FILTER (WHERE in_play), 0)" if has_points else "0"
        summed = f"""
            SELECT {_SURVIVOR} AS player_id, sum(number) AS number, sum(wins) AS wins,
                sum(60 * number / players) AS expected, {in_play.format("number")} AS scored,
                {in_play.format("points")} AS points, {in_play.format("margin")} AS margin,
                NULL::float AS median, NULL::smallint[] AS latest
            FROM ({_tallied(filters)}) AS parts {_MERGED} GROUP BY 1 HAVING sum(number) <> 0
        """
    else:
        scored = f"FILTER (WHERE {filters.in_play.replace('m.', 's.')})"
        in_play = f"coalesce(sum({{}}) {scored}, 0)" if has_points else "0"
        median = f"percentile_cont(0.5) WITHIN GROUP (ORDER BY s.points) {scored}"
        summed = f"""
            SELECT {_SURVIVOR} AS player_id, count(*) AS number, sum(wins) AS wins, sum(60 / players) AS expected,
                {in_play.format("1")} AS scored, {in_play.format("points")} AS points,
                {in_play.format("margin")} AS margin, {median if has_points else "NULL::float"} AS median,
                (array_agg(wins ORDER BY played_at DESC, match_id DESC))[:%(latest)s] AS latest
            FROM {filters.seats()} {_MERGED} GROUP BY 1
        """
    # Names are looked up last and of one page: the server would look for those of all players one by one.
    order, names = f"{PLAYER_ORDERS[page.order]}, player_id", "JOIN players p USING (player_id)"
    cursor = connection.cursor(binary=True, row_factory=args_row(Totals))
    cursor.execute(
        f"""
        SELECT player_id, p.name, number::integer, wins::integer, expected::integer, scored::integer, points::integer,
            margin::integer, median, latest
        FROM (
            SELECT summed.* FROM ({summed}) AS summed {names if page.order == "name" else ""}
            ORDER BY {order} OFFSET %(first)s LIMIT %(limit)s
        ) AS listed {names} ORDER BY {order}
        """,
        {**filters.values, "latest": latest, "first": page.first, "limit": page.limit, "z": page.z},
    )
    return cursor.fetchall()


def _tallied(filters: FactFilters) -> str:
    """Parts of the sums of players, where sums tell what is asked; those of one player may come to nothing.

    As integers they are added up in half the time of larger numbers.
    """
    return f"""
        SELECT m.player_id, m.players, {filters.in_play} AS in_play, m.number, m.wins::integer, m.points::integer,
            m.margin::integer
        FROM player_tallies m WHERE {filters.of_sums()}
        UNION ALL SELECT m.player_id, m.players, {filters.in_play}, s.sign, s.sign * m.wins, s.sign * m.points,
            s.sign * m.margin
        FROM seat_facts m CROSS JOIN LATERAL (SELECT {filters.sign} AS sign) AS s WHERE {filters.of_edges()}
    """


def players_in(connection: Connection, filters: FactFilters) -> str:
    """Who sat in the matches asked about, as PostgreSQL writes an array of ids.

    Reading 20,000 here and sending them back took 50 ms of a processor, and takes 1 ms as one text.
    """
    source = f"SELECT DISTINCT player_id FROM {filters.seats()}"
    if filters.is_summed:
        source = f"SELECT player_id FROM ({_tallied(filters)}) AS parts GROUP BY player_id HAVING sum(number) <> 0"
    row = connection.execute(
        f"SELECT coalesce(array_agg({_SURVIVOR}), '{{}}')::text AS ids FROM ({source}) AS found {_MERGED}",
        filters.values,
    ).fetchone()
    assert row is not None
    return str(row["ids"])


def player_points(
    connection: Connection, filters: FactFilters, player_ids: Sequence[UUID]
) -> dict[UUID, dict[int, int]]:
    """How often some players ended with how many points, in matches of which sums by month tell."""
    filters = filters.of(Figures.PLAY)
    source = f"player_points m WHERE {filters.of_points()}"
    if not filters.is_undated:
        source = f"(SELECT *, 1 AS number FROM seat_facts) AS m WHERE {filters.of_seats()}"
    ids = _survivors(connection, player_ids)
    cursor = connection.cursor(binary=True, row_factory=tuple_row)
    cursor.execute(
        f"""
        SELECT m.player_id, m.points, sum(m.number)::integer FROM {source} AND m.player_id = ANY(%(ids)s)
        GROUP BY m.player_id, m.points
        """,
        {**filters.values, "ids": list(ids)},
    )
    numbers: dict[UUID, Counter[int]] = defaultdict(Counter)
    for player_id, points, number in cursor:
        numbers[ids[player_id]][points] += number
    return {survivor_id: dict(counted) for survivor_id, counted in numbers.items()}


def latest_wins(
    connection: Connection, filters: FactFilters, player_ids: Sequence[UUID], number: int
) -> dict[UUID, Sequence[int]]:
    """The parts of a win in the latest matches of some players, the last one first, where sums by month tell."""
    ids = _survivors(connection, player_ids)
    if not ids:
        return {}
    # One part for each id, so that the server reads only the latest of its matches. A lateral join would do the same,
    # but not where matches are on several servers.
    condition = filters.of_seats()
    parts = (
        f"""(
            SELECT m.player_id, m.wins, m.played_at, m.match_id FROM seat_facts m
            WHERE m.player_id = %(id_{index})s AND {condition}
            ORDER BY m.played_at DESC, m.match_id DESC LIMIT %(number)s
        )"""
        for index in range(len(ids))
    )
    values = {f"id_{index}": player_id for index, player_id in enumerate(ids)}
    rows = connection.execute(
        f"SELECT * FROM ({' UNION ALL '.join(parts)}) AS latest ORDER BY played_at DESC, match_id DESC".encode(),
        {**filters.values, **values, "number": number},
    )
    wins: dict[UUID, list[int]] = defaultdict(list)
    for row in rows:
        wins[ids[row["player_id"]]].append(row["wins"])
    return {survivor_id: latest[:number] for survivor_id, latest in wins.items()}


def _survivors(connection: Connection, player_ids: Sequence[UUID]) -> dict[UUID, UUID]:
    """By each id under which some players played, who that is now."""
    rows = connection.execute(
        "SELECT player_id, survivor_id FROM players WHERE survivor_id = ANY(%s)", (list(player_ids),)
    )
    return {row["player_id"]: row["survivor_id"] for row in rows}


class Alike(NamedTuple):
    """Matches of one player that went alike; of each its number in order, its points and its margin."""

    game: str
    players: int
    seat: str
    mover: str
    wins: int
    in_play: bool
    """Whether they count in figures of play too."""
    order: Sequence[int]
    points: Sequence[int]
    margins: Sequence[int]
    features: bytes
    """Those that the player had in all of them, one byte each."""
    available: bytes
    """Those that the player could have had."""


def played(connection: Connection, filters: FactFilters, ids: Sequence[UUID]) -> Iterable[Alike]:
    """All matches of a player, those that went alike together; fetched when they are iterated over."""
    filters = filters.of_one(ids)
    has_game = filters.game is not None
    nothing = "ARRAY[]::integer[], ''::bytea, ''::bytea"
    columns = "array_agg(margin), string_agg(features, ''), string_agg(available, '')"
    cursor = connection.cursor(binary=True, row_factory=args_row(Alike))
    cursor.execute(
        f"""
        SELECT game, players, seat, mover, wins, in_play, array_agg(number), array_agg(points),
            {columns if has_game else nothing}
        FROM (
            SELECT game, players, seat, mover, wins, {filters.in_play} AS in_play, points, margin, features, available,
                row_number() OVER (ORDER BY played_at, match_id)::integer AS number
            FROM seat_facts m WHERE {of_player("ids", ids)} AND {filters.of_seats()}
        ) AS numbered GROUP BY game, players, seat, mover, wins, in_play
        """,
        {**filters.values, "ids": list(ids)},
    )
    return cursor


def latest(
    connection: Connection, filters: FactFilters, ids: Sequence[UUID], number: int
) -> Iterable[Mapping[str, Any]]:
    """The latest matches of a player, the last one first; fetched when they are iterated over."""
    filters = filters.of_one(ids)
    return connection.execute(
        f"""
        SELECT match_id, game, played_at, players, seat, place, points, wins FROM seat_facts m
        WHERE {of_player("ids", ids)} AND {filters.of_seats()}
        ORDER BY played_at DESC, match_id DESC LIMIT %(number)s
        """,
        {**filters.values, "ids": list(ids), "number": number},
    )
