"""Questions to what statistics know of matches: from sums where those are enough, else from the facts of each match."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import MINYEAR, UTC, date, datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from psycopg.rows import args_row, tuple_row

from domain.catalogue import GAMES
from service.db.categories import Figures, Selection
from service.db.facts import (
    ALL_MONTHS,
    EVERY_TAG,
    FAMILIES,
    MIN_MATCHES_OF_NODE,
    MIN_MATCHES_OF_SUMMED_TAG,
    POPULATION_CODES,
    count_tags,
)
from service.db.pool import Connection, Database
from service.db.principals import ALL_VISIBILITIES, IN_POPULATION, IS_MINE, POPULATION_VISIBILITIES

HALF_A_MONTH: Final = 15
LAST_MONTH: Final = date.max.replace(day=1)

MAX_UNFINISHED: Final = 1000
"""Of each game and visibility, which are looked at in each answer."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Which matches are asked about; `tags` and `players` must all be there."""

    game: str | None = None
    edition: str | None = None
    variant: str | None = None
    population: str | None = "public"
    """None for those of the viewer alone."""
    viewer: UUID | None = None
    sees_all: bool = False
    """Whether all matches are the viewer's own, since sign-in is switched off."""
    since: datetime | None = None
    until: datetime | None = None
    tags: Sequence[str] = ()
    has_tag_sums: bool = True
    """Whether a single tag has sums, as frequent ones have."""
    venue: str | None = None
    players: Sequence[Sequence[UUID]] = ()
    """For each player all their ids."""
    player_counts: Sequence[int] = ()
    """Numbers of players, any of which a match may have; all if there are none."""
    recorded: str | None = None
    rulings: str | None = None
    """As `Selection` has them."""
    figures: Figures = Figures.OUTCOMES
    """For which the matches are selected."""

    @property
    def selection(self) -> Selection:
        """Which categories of matches are asked about."""
        return Selection(self.edition is not None, self.rulings, self.recorded)

    def of(self, figures: Figures) -> "Scope":
        """The same question for other figures."""
        return replace(self, figures=figures)

    @property
    def is_summed(self) -> bool:
        """Whether sums tell all that is asked, but for months of which only a part is asked for."""
        has_sums = not self.tags or (len(self.tags) == 1 and self.has_tag_sums)
        return has_sums and not (self.players or self.venue is not None or self.population is None)

    @property
    def is_undated(self) -> bool:
        """Whether matches of all times are asked about."""
        return self.since is None and self.until is None

    @property
    def is_whole(self) -> bool:
        """Whether all matches of a game, or of all games, are asked about."""
        narrowed = (self.edition, self.variant, self.recorded, self.rulings)
        is_narrowed = bool(self.tags or self.player_counts) or any(value is not None for value in narrowed)
        return self.is_summed and self.is_undated and not is_narrowed

    @property
    def is_of_seats(self) -> bool:
        """Whether the seats of a player tell which matches are asked about."""
        return bool(self.players) and self.venue is None and self.population is not None

    @property
    def has_features_summed(self) -> bool:
        """Whether all matches of one player are asked about, of which sums tell what features came to."""
        return len(self.players) == 1 and self.is_of_seats and self.is_undated and not self.tags

    def of_one(self, ids: Sequence[UUID]) -> "Scope":
        """The same for the seats of one player, who of course played in their matches."""
        return replace(self, players=[other for other in self.players if set(other) != set(ids)])

    @property
    def _first(self) -> date | None:
        return None if self.since is None else _nearest_month(self.since)

    @property
    def _last(self) -> date | None:
        return None if self.until is None else _nearest_month(self.until)

    @property
    def values(self) -> dict[str, Any]:
        """What the conditions refer to."""
        values: dict[str, Any] = {
            "game": self.game,
            "edition": self.edition,
            "variant": self.variant,
            "viewer": self.viewer,
            "since": self.since,
            "until": self.until,
            "tags": list(self.tags),
            "tag": self.tags[0] if self.tags else EVERY_TAG,
            "venue": self.venue,
            "first_month": self._first,
            "last_month": self._last,
            "player_counts": list(self.player_counts),
            "categories": self.selection.categories(self.figures),
            "play": self.selection.categories(Figures.PLAY),
            "games": [self.game] if self.game is not None else list(GAMES),
            "visibilities": list(POPULATION_VISIBILITIES.get(self.population or "", ALL_VISIBILITIES)),
        }
        wanted = [(player_id, number) for number, ids in enumerate(self.players) for player_id in ids]
        return values | {
            "first_player": list(self.players[0]) if self.players else [],
            "last_player": list(self.players[-1]) if self.players else [],
            "player_ids": [player_id for player_id, _ in wanted],
            "player_numbers": [number for _, number in wanted],
        }

    def of_sums(self) -> str:
        """The condition on sums `m` by month: whole months, or all times together."""
        conditions = [*self._common(), "m.tag = %(tag)s"]
        if self.is_undated:
            conditions.append(f"m.month = {ALL_MONTHS}")
        else:
            conditions.append(f"m.month > {ALL_MONTHS}" if self.since is None else "m.month >= %(first_month)s")
        if self.until is not None:
            conditions.append("m.month < %(last_month)s")
        return " AND ".join(conditions)

    def of_points(self) -> str:
        """The condition on sums `m` of points, which are kept over all times only."""
        return " AND ".join((*self._common(), "m.tag = %(tag)s"))

    def of_population(self) -> str:
        """The condition on anything `m` of matches that it is of the population, whatever else is asked for."""
        return " AND ".join(("true", *self._in_population(), *self._his()))

    def of_features(self) -> str:
        """The condition on sums `m` of what features came to in the matches of players."""
        return " AND ".join(self._common())

    def of_left_out(self) -> str:
        """The condition on facts `m` of matches that never count."""
        conditions = (*self._common(), *self._dates(), *self._tags(), *self._venue(), *self._people())
        return " AND ".join(("m.left_out IS NOT NULL", *conditions))

    def of_unfinished(self) -> str:
        """The condition on rows `m` of matches that are not finished, of which no facts are kept."""
        number = "(SELECT count(*) FROM match_seats seat WHERE seat.match_id = m.match_id)"
        conditions = [
            *self._named(),
            *self._in_population(),
            *self._dates(),
            *self._tags(),
            *self._venue(),
            *self._people(),
            *([f"{number} = ANY(%(player_counts)s)"] if self.player_counts else []),
            *(["false"] if self.recorded == "result" else []),
        ]
        return " AND ".join(("m.status <> 'finished'", *conditions))

    def latest_unfinished(self) -> str:
        """Rows `m` of matches that are not finished; only the latest ones, where there may be any number of them."""
        if self.population is None and not self.sees_all:
            return "matches m"
        dates = " AND ".join(("true", *self._dates()))
        return f"""
            unnest(%(games)s::text[]) AS asked (game) CROSS JOIN unnest(%(visibilities)s::text[]) AS seen (visibility)
            CROSS JOIN LATERAL (
                SELECT m.* FROM matches m
                WHERE m.status <> 'finished' AND m.game = asked.game AND m.visibility = seen.visibility AND {dates}
                ORDER BY m.played_at DESC LIMIT {MAX_UNFINISHED}
            ) AS m
        """

    def of_counted(self) -> str:
        """The condition on facts `m` of matches that count."""
        conditions = (*self._common(), *self._dates(), *self._tags(), *self._venue(), *self._counted_people())
        return " AND ".join(("m.left_out IS NULL", *conditions))

    def of_edges(self) -> str:
        """The condition on facts `m` of what the months nearest to the dates have too much or too little."""
        if self.is_undated:
            return "false"
        first, last = (f"%({name}_month)s::date::timestamp AT TIME ZONE 'UTC'" for name in ("first", "last"))
        if self._first is not None and self._first == self._last:
            edges = "m.played_at >= %(since)s AND m.played_at < %(until)s"
        else:
            edges = " OR ".join(
                f"m.played_at >= least({month}, %({name})s) AND m.played_at < greatest({month}, %({name})s)"
                for month, name in ((first, "since"), (last, "until"))
                if getattr(self, name) is not None
            )
        return " AND ".join((*self._common(), *self._tags(), f"({edges})"))

    @property
    def in_play(self) -> str:
        """Whether facts or sums `m` count in figures of play too."""
        return "m.category = ANY(%(play)s::smallint[])"

    @property
    def sign(self) -> str:
        """What a fact `m` at the edges counts: 1 if it was left out of the months, -1 if it was in them by mistake."""
        within = " AND ".join(self._dates())
        return f"CASE WHEN {within} THEN 1 ELSE -1 END" if within else "1"

    def of_seats(self, since: int = 0) -> str:
        """The condition on facts `m` of seats, without what is known already of the players before one of them."""
        conditions = [*self._common(), *self._dates(), *self._tags(), *self._counted_people(since)]
        if self.venue is not None:
            conditions.append("m.match_id IN (SELECT match_id FROM match_facts WHERE venue = %(venue)s)")
        return " AND ".join(conditions)

    def matches(self) -> str:
        """The ids and categories `m` of all matches asked about that count."""
        if self.is_of_seats:
            whose = _whose("first_player", self.players[0])
            query = f"SELECT DISTINCT m.match_id, m.category FROM seat_facts m WHERE {whose} AND {self.of_seats(1)}"
        else:
            query = f"SELECT m.match_id, m.category FROM match_facts m WHERE {self.of_counted()}"
        # OFFSET 0 lets the server begin with the matches, of which there are few, and not with seats or players.
        return f"({query} OFFSET 0) AS m"

    def seats(self) -> str:
        """Rows `s` of the facts of all seats of these matches."""
        return f"(SELECT s.* FROM {self.matches()} JOIN seat_facts s USING (match_id) OFFSET 0) AS s"

    def _common(self) -> Iterable[str]:
        yield from self._named()
        if self.player_counts:
            yield "m.players = ANY(%(player_counts)s::smallint[])"
        yield "m.category = ANY(%(categories)s::smallint[])"
        yield from self._in_population()

    def _named(self) -> Iterable[str]:
        for name in ("game", "edition", "variant"):
            if getattr(self, name) is not None:
                yield f"m.{name} = %({name})s"

    def _in_population(self) -> Iterable[str]:
        yield "true" if self.population is None else IN_POPULATION[self.population]

    def _dates(self) -> Iterable[str]:
        if self.since is not None:
            yield "m.played_at >= %(since)s"
        if self.until is not None:
            yield "m.played_at < %(until)s"

    def _venue(self) -> Iterable[str]:
        if self.venue is not None:
            yield "m.venue = %(venue)s"

    def _tags(self) -> Iterable[str]:
        if self.tags:
            yield "m.tags @> %(tags)s::text[]"

    def _people(self) -> Iterable[str]:
        yield from self._all_seated("match_seats")
        yield from self._his()

    def _counted_people(self, since: int = 0) -> Iterable[str]:
        """The same for matches that count; where a player's seats are kept, fewer need be looked at."""
        narrowed = [*(["m.game = %(game)s"] if self.game is not None else []), *self._dates()]
        yield from self._all_seated("seat_facts", narrowed, since)
        yield from self._his()

    def _all_seated(self, seats: str, narrowed: Sequence[str] = (), since: int = 0) -> Iterable[str]:
        """One condition for all players from one of them on: planning a condition for each takes time without bound."""
        number = len(self.players) - since
        if number == 1:
            whose = " AND ".join((_whose("last_player", self.players[since]), *narrowed))
            yield f"m.match_id IN (SELECT m.match_id FROM {seats} m WHERE {whose})"
        elif number > 1:
            wanted = " AND ".join((f"wanted.number >= {since}", *narrowed))
            yield f"""m.match_id IN (
                SELECT m.match_id
                FROM unnest(%(player_ids)s::uuid[], %(player_numbers)s::integer[]) AS wanted (player_id, number)
                JOIN {seats} m USING (player_id)
                WHERE {wanted} GROUP BY m.match_id HAVING count(DISTINCT wanted.number) = {number}
            )"""

    def _his(self) -> Iterable[str]:
        if self.population is None and not self.sees_all:
            yield f"m.match_id IN (SELECT m.match_id FROM matches m WHERE {IS_MINE})"


def _whose(name: str, ids: Sequence[UUID]) -> str:
    """The condition on facts `m` of seats that they are a player's; those of one id are read in order of playing."""
    return f"m.player_id = (%({name})s::uuid[])[1]" if len(ids) == 1 else f"m.player_id = ANY(%({name})s)"


@dataclass(frozen=True, slots=True)
class Counted:
    """How often a code occurs in matches of a number of players, and its amounts added up."""

    players: int
    code: int
    number: int
    amount: int
    in_play: bool
    """Whether these matches count in figures of play too."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the tree of openings, with the matches that went through it and what its movers won."""

    node: int
    parent: int
    depth: int
    step: str
    number: int
    wins: int


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


def read_only_snapshot(database: Database) -> AbstractContextManager[Connection]:
    """A connection that sees one state of the database throughout, and plans each question for what it asks."""
    return database.statistics()


def now(connection: Connection) -> datetime:
    """As of when the database answers."""
    row = connection.execute("SELECT now() AS now").fetchone()
    assert row is not None
    moment: datetime = row["now"]
    return moment


def ids_of(connection: Connection, player_ids: Sequence[UUID]) -> list[list[UUID]]:
    """For each player all the ids under which they played in matches."""
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


def unfinished(connection: Connection, scope: Scope) -> dict[str, int]:
    """How many of the latest matches are not finished, by their status."""
    rows = connection.execute(
        f"""
        SELECT m.status, count(*) AS number FROM {scope.latest_unfinished()} WHERE {scope.of_unfinished()}
        GROUP BY m.status
        """,
        scope.values,
    )
    return {row["status"]: row["number"] for row in rows}


def population(connection: Connection, scope: Scope) -> Counter[tuple[int, int]]:
    """How many finished matches there are, by the code of why they never count and by category."""
    scope = scope.of(Figures.ANY)
    if scope.is_summed:
        query = f"""
            SELECT m.code, m.category, m.number FROM tallies m WHERE m.family = 'population' AND {scope.of_sums()}
            UNION ALL SELECT code, m.category, {scope.sign}
            FROM match_facts m CROSS JOIN LATERAL ({POPULATION_CODES}) AS coded WHERE {scope.of_edges()}
        """
    else:
        query = f"""
            SELECT 0 AS code, m.category, count(*) AS number FROM {scope.matches()} GROUP BY m.category
            UNION ALL SELECT code, m.category, count(*)
            FROM match_facts m CROSS JOIN LATERAL ({POPULATION_CODES}) AS coded
            WHERE {scope.of_left_out()} GROUP BY code, m.category
        """
    counts: Counter[tuple[int, int]] = Counter()
    summed = f"SELECT code, category, sum(number)::integer AS number FROM ({query}) AS parts GROUP BY code, category"
    for row in connection.execute(summed, scope.values):
        counts[row["code"], row["category"]] += row["number"]
    return counts


def counts(connection: Connection, scope: Scope, family: str) -> list[Counted]:
    """How often each code of a family occurs in matches that count."""
    query = f"""
        SELECT m.players, {scope.in_play} AS in_play, code, count(*) AS number, sum(amount) AS amount
        FROM match_facts m CROSS JOIN LATERAL ({FAMILIES[family]}) AS coded
        WHERE {scope.of_counted()} GROUP BY m.players, in_play, code
    """
    if scope.is_summed:
        query = _summed(scope, family)
    elif family == "features" and scope.has_features_summed:
        query = f"""
            SELECT m.players, {scope.in_play} AS in_play, m.code, sum(m.number)::integer AS number,
                sum(m.amount)::bigint AS amount
            FROM player_features m WHERE m.player_id = ANY(%(first_player)s) AND {scope.of_features()}
            GROUP BY m.players, in_play, m.code
        """
    # Sums of floats depend on the order of rows, which else depends on whatever else is stored.
    rows = connection.execute(f"SELECT * FROM ({query}) AS counted ORDER BY players, code, in_play", scope.values)
    return [
        Counted(row["players"], row["code"], row["number"], int(row["amount"]), in_play=row["in_play"]) for row in rows
    ]


def _summed(scope: Scope, family: str) -> str:
    """How often each code of a family occurs, where sums tell it."""
    return f"""
        SELECT players, in_play, code, sum(number)::integer AS number, sum(amount)::bigint AS amount FROM (
            SELECT m.players, {scope.in_play} AS in_play, m.code, m.number, m.amount FROM tallies m
            WHERE m.family = '{family}' AND {scope.of_sums()}
            UNION ALL SELECT m.players, {scope.in_play}, code, s.sign, s.sign * amount
            FROM match_facts m CROSS JOIN LATERAL ({FAMILIES[family]}) AS coded
                CROSS JOIN LATERAL (SELECT {scope.sign} AS sign) AS s
            WHERE {scope.of_edges()}
        ) AS parts GROUP BY players, in_play, code HAVING sum(number) <> 0
    """


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


def player_totals(connection: Connection, scope: Scope, latest: int, page: Page) -> list[Totals]:
    """What the matches of some players add up to, in an order."""
    if scope.is_summed:
        # Players are few beside their sums, so these are added up before it is asked who became whom.
        summed = f"""
            SELECT p.survivor_id, sum(number) AS number, sum(wins) AS wins, sum(expected) AS expected,
                coalesce(sum(scored), 0) AS scored, coalesce(sum(points), 0) AS points,
                coalesce(sum(margin), 0) AS margin, NULL::float AS median, NULL::smallint[] AS latest
            FROM (
                SELECT player_id, sum(number) AS number, sum(wins) AS wins, sum(60 * number / players) AS expected,
                    sum(number) FILTER (WHERE in_play) AS scored, sum(points) FILTER (WHERE in_play) AS points,
                    sum(margin) FILTER (WHERE in_play) AS margin
                FROM ({_tallied(scope)}) AS parts GROUP BY player_id
            ) AS added JOIN players p USING (player_id) GROUP BY p.survivor_id HAVING sum(number) <> 0
        """
    else:
        scored = f"FILTER (WHERE {scope.in_play.replace('m.', 's.')})"
        median = f"percentile_cont(0.5) WITHIN GROUP (ORDER BY s.points) {scored}"
        summed = f"""
            SELECT p.survivor_id, count(*) AS number, sum(wins) AS wins, sum(60 / players) AS expected,
                count(*) {scored} AS scored, coalesce(sum(points) {scored}, 0) AS points,
                coalesce(sum(margin) {scored}, 0) AS margin,
                {"NULL::float" if scope.game is None else median} AS median,
                (array_agg(wins ORDER BY played_at DESC, match_id DESC))[:%(latest)s] AS latest
            FROM {scope.seats()} JOIN players p USING (player_id) GROUP BY p.survivor_id
        """
    cursor = connection.cursor(binary=True, row_factory=args_row(Totals))
    cursor.execute(
        f"""
        SELECT p.player_id, p.name, number::integer, wins::integer, expected::integer, scored::integer, points::integer,
            margin::integer, median, latest
        FROM ({summed}) AS summed JOIN players p ON p.player_id = summed.survivor_id
        ORDER BY {PLAYER_ORDERS[page.order]}, p.player_id OFFSET %(first)s LIMIT %(limit)s
        """,
        {**scope.values, "latest": latest, "first": page.first, "limit": page.limit, "z": page.z},
    )
    return cursor.fetchall()


def _tallied(scope: Scope) -> str:
    """Parts of the sums of players, where sums tell what is asked; those of one player may come to nothing."""
    return f"""
        SELECT m.player_id, m.players, {scope.in_play} AS in_play, m.number, m.wins, m.points, m.margin
        FROM player_tallies m WHERE {scope.of_sums()}
        UNION ALL SELECT m.player_id, m.players, {scope.in_play}, s.sign, s.sign * m.wins, s.sign * m.points,
            s.sign * m.margin
        FROM seat_facts m CROSS JOIN LATERAL (SELECT {scope.sign} AS sign) AS s WHERE {scope.of_edges()}
    """


def players_in(connection: Connection, scope: Scope) -> set[UUID]:
    """Who sat in the matches asked about."""
    source = f"SELECT DISTINCT player_id FROM {scope.seats()}"
    if scope.is_summed:
        source = f"SELECT player_id FROM ({_tallied(scope)}) AS parts GROUP BY player_id HAVING sum(number) <> 0"
    rows = connection.execute(
        f"SELECT DISTINCT p.survivor_id FROM ({source}) AS found JOIN players p USING (player_id)", scope.values
    )
    return {row["survivor_id"] for row in rows}


def player_points(connection: Connection, scope: Scope, player_ids: Sequence[UUID]) -> dict[UUID, dict[int, int]]:
    """How often some players ended with how many points, in matches of which sums by month tell."""
    scope = scope.of(Figures.PLAY)
    source = f"player_points m WHERE {scope.of_points()}"
    if not scope.is_undated:
        source = f"(SELECT *, 1 AS number FROM seat_facts) AS m WHERE {scope.of_seats()}"
    # OFFSET 0 lets the server look player by player, of whom there are few, and not match by match.
    cursor = connection.cursor(binary=True, row_factory=tuple_row)
    cursor.execute(
        f"""
        SELECT survivor_id, array_agg(points), array_agg(number) FROM (
            SELECT p.survivor_id, points, sum(number)::integer AS number
            FROM players p CROSS JOIN LATERAL (
                SELECT m.points, m.number FROM {source} AND m.player_id = p.player_id OFFSET 0
            ) AS scored
            WHERE p.survivor_id = ANY(%(player_ids)s) GROUP BY p.survivor_id, points
        ) AS added GROUP BY survivor_id
        """,
        {**scope.values, "player_ids": list(player_ids)},
    )
    return {player_id: dict(zip(points, numbers, strict=True)) for player_id, points, numbers in cursor}


def latest_wins(
    connection: Connection, scope: Scope, player_ids: Sequence[UUID], number: int
) -> dict[UUID, Sequence[int]]:
    """The parts of a win in the latest matches of some players, the last one first, where sums by month tell."""
    rows = connection.execute(
        f"""
        SELECT p.survivor_id AS player_id,
            (array_agg(latest.wins ORDER BY latest.played_at DESC, latest.match_id DESC))[:%(number)s] AS wins
        FROM players p CROSS JOIN LATERAL (
            SELECT m.wins, m.played_at, m.match_id FROM seat_facts m
            WHERE m.player_id = p.player_id AND {scope.of_seats()}
            ORDER BY m.played_at DESC, m.match_id DESC LIMIT %(number)s
        ) AS latest
        WHERE p.survivor_id = ANY(%(player_ids)s) GROUP BY p.survivor_id
        """,
        {**scope.values, "player_ids": list(player_ids), "number": number},
    )
    return {row["player_id"]: row["wins"] for row in rows}


def played(connection: Connection, scope: Scope, ids: Sequence[UUID]) -> list[Alike]:
    """All matches of a player, those that went alike together."""
    scope = scope.of_one(ids)
    has_game = scope.game is not None
    nothing = "ARRAY[]::integer[], ''::bytea, ''::bytea"
    columns = "array_agg(margin), string_agg(features, ''), string_agg(available, '')"
    cursor = connection.cursor(binary=True, row_factory=args_row(Alike))
    cursor.execute(
        f"""
        SELECT game, players, seat, mover, wins, in_play, array_agg(number), array_agg(points),
            {columns if has_game else nothing}
        FROM (
            SELECT game, players, seat, mover, wins, {scope.in_play} AS in_play, points, margin, features, available,
                row_number() OVER (ORDER BY played_at, match_id)::integer AS number
            FROM seat_facts m WHERE {_whose("ids", ids)} AND {scope.of_seats()}
        ) AS numbered GROUP BY game, players, seat, mover, wins, in_play
        """,
        {**scope.values, "ids": list(ids)},
    )
    return cursor.fetchall()


def latest(connection: Connection, scope: Scope, ids: Sequence[UUID], number: int) -> list[Mapping[str, Any]]:
    """The latest matches of a player, the last one first."""
    scope = scope.of_one(ids)
    return list(
        connection.execute(
            f"""
            SELECT match_id, game, played_at, players, seat, place, points, wins FROM seat_facts m
            WHERE {_whose("ids", ids)} AND {scope.of_seats()}
            ORDER BY played_at DESC, match_id DESC LIMIT %(number)s
            """,
            {**scope.values, "ids": list(ids), "number": number},
        )
    )


def opponents(connection: Connection, scope: Scope, ids: Sequence[UUID]) -> list[Met]:
    """The opponents of a player, with the results against each."""
    scope = scope.of_one(ids)
    cursor = connection.cursor(row_factory=args_row(Met))
    cursor.execute(
        f"""
        SELECT survivor.player_id::text, survivor.name, sum(met.number)::integer, sum(met.ahead)::integer
        FROM (
            SELECT player_id, count(*) AS number, sum(ahead) AS ahead
            FROM (
                SELECT unnest(m.opponents) AS player_id, unnest(m.ahead) AS ahead FROM seat_facts m
                WHERE {_whose("ids", ids)} AND {scope.of_seats()}
            ) AS seats GROUP BY player_id
        ) AS met JOIN players p USING (player_id) JOIN players survivor ON survivor.player_id = p.survivor_id
        GROUP BY survivor.player_id, survivor.name ORDER BY survivor.player_id
        """,
        {**scope.values, "ids": list(ids)},
    )
    return cursor.fetchall()


def meetings(
    connection: Connection, scope: Scope, ids: Sequence[UUID], others: Sequence[UUID]
) -> list[Mapping[str, Any]]:
    """The matches in which two players sat, the first one first."""
    return list(
        connection.execute(
            f"""
            SELECT m.match_id, m.game, m.played_at, m.players, m.seat AS a_seat, o.seat AS b_seat, m.mover AS a_mover,
                o.mover AS b_mover, m.place AS a_place, o.place AS b_place, m.points AS a_points, o.points AS b_points,
                m.wins AS a_wins, o.wins AS b_wins, {scope.in_play} AS in_play
            FROM seat_facts m JOIN seat_facts o ON o.match_id = m.match_id
            WHERE {_whose("ids", ids)} AND o.player_id = ANY(%(others)s) AND {scope.of_seats()}
            ORDER BY m.played_at, m.match_id
            """,
            {**scope.values, "ids": list(ids), "others": list(others)},
        )
    )


def begun(connection: Connection, scope: Scope, latest: int) -> list[Begun]:
    """How those who began fared beside each of the others, in so many of the latest matches at most."""
    cursor = connection.cursor(row_factory=args_row(Begun))
    # OFFSET 0 lets the server begin with the matches, of which there are few, and not with seats.
    cursor.execute(
        f"""
        SELECT players, one.survivor_id, two.survivor_id, ahead, sum(number)::integer
        FROM (
            SELECT s.players, s.player_id, o.player_id AS other_id, o.ahead, count(*) AS number
            FROM (
                SELECT m.match_id FROM match_facts m WHERE {scope.of_counted()}
                ORDER BY m.played_at DESC, m.match_id DESC LIMIT %(latest)s OFFSET 0
            ) AS latest JOIN seat_facts s USING (match_id)
                CROSS JOIN LATERAL unnest(s.opponents, s.ahead) AS o (player_id, ahead)
            WHERE s.mover = 'first' GROUP BY 1, 2, 3, 4
        ) AS counted JOIN players one USING (player_id) JOIN players two ON two.player_id = other_id
        GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
        """,
        {**scope.values, "latest": latest},
    )
    return cursor.fetchall()


def opening_tree(connection: Connection, scope: Scope, under: int, above: int, depth: int) -> tuple[int, list[Node]]:
    """How many matches went through a node of some depth, and the nodes below it, down to another depth.

    Those that few matches went through are left out; the most frequent ones come first.
    """
    scope = scope.of(Figures.PLAY)
    # A match went through one node of each depth, and has them in this order.
    steps = "unnest(m.opening[%(above)s + 1:%(depth)s], m.opening_wins[%(above)s + 1:%(depth)s]) AS o (node, wins)"
    passes = "m.opening @> ARRAY[%(under)s::bigint]" if under else "cardinality(m.opening) > 0"
    if scope.is_summed:
        opened = "(SELECT NULL)"
        through = f"""
            SELECT sum(number) FROM (
                SELECT sum(m.number) AS number FROM opening_tallies m
                WHERE m.game = %(game)s AND m.node = %(under)s AND {scope.of_sums()}
                UNION ALL SELECT sum({scope.sign}) AS number FROM match_facts m
                WHERE m.left_out IS NULL AND {passes} AND {scope.of_edges()}
            ) AS parts
        """
        source = f"""
            SELECT tree.node, m.number, m.wins FROM tree CROSS JOIN LATERAL (
                SELECT m.number, m.wins FROM opening_tallies m
                WHERE m.game = %(game)s AND m.node = tree.node AND {scope.of_sums()} OFFSET 0
            ) AS m
            UNION ALL SELECT o.node, s.sign, s.sign * o.wins
            FROM match_facts m CROSS JOIN LATERAL {steps} CROSS JOIN LATERAL (SELECT {scope.sign} AS sign) AS s
            WHERE m.left_out IS NULL AND {scope.of_edges()}
        """
    else:
        matches = f"match_facts m WHERE {scope.of_counted()}"
        if scope.is_of_seats:
            matches = f"{scope.matches()} JOIN match_facts f USING (match_id)"
        opened = f"(SELECT opening, opening_wins FROM {matches})"
        through = f"SELECT count(*) FROM opened m WHERE {passes}"
        source = f"SELECT o.node, 1 AS number, o.wins FROM opened m CROSS JOIN LATERAL {steps}"
    # OFFSET 0 lets the server look node by node, of which there are few, and not at all nodes of the game.
    rows = connection.execute(
        f"""
        WITH RECURSIVE tree AS (
            SELECT node, parent, depth, step FROM opening_nodes
            WHERE game = %(game)s AND parent = %(under)s
            UNION ALL
            SELECT n.* FROM tree CROSS JOIN LATERAL (
                SELECT node, parent, depth, step FROM opening_nodes n
                WHERE n.game = %(game)s AND n.parent = tree.node OFFSET 0
            ) AS n WHERE tree.depth < %(depth)s
        ), opened AS MATERIALIZED {opened}
        SELECT %(under)s::bigint AS node, 0::bigint AS parent, %(above)s::smallint AS depth, '' AS step,
            ({through})::integer AS number, 0 AS wins
        UNION ALL (
            SELECT tree.*, summed.number::integer, summed.wins::integer FROM (
                SELECT node, sum(number) AS number, sum(wins) AS wins FROM ({source}) AS parts GROUP BY node
            ) AS summed JOIN tree USING (node)
            WHERE summed.number >= %(fewest)s ORDER BY summed.number DESC, node
        )
        """,
        {**scope.values, "under": under, "above": above, "depth": depth, "fewest": MIN_MATCHES_OF_NODE},
    )
    top, *below = rows
    return top["number"] or 0, [Node(**row) for row in below]


def opening_depth(connection: Connection, scope: Scope, node: int) -> int | None:
    """The depth of a node of the tree of openings, if enough matches of the population went through it.

    A node says how a match began, and is kept for the sake of all matches, so one of too few in the population must be
    like one of none, in what it takes to answer too.
    """
    population = scope.of_population()
    if scope.population is not None:
        number = f"""
            SELECT sum(m.number) FROM opening_tallies m WHERE m.game = n.game AND m.node = n.node
                AND m.tag = '{EVERY_TAG}' AND m.month = {ALL_MONTHS} AND {population}
        """
    else:
        number = f"""
            SELECT count(*) FROM match_facts m
            WHERE m.game = n.game AND m.opening @> ARRAY[n.node] AND m.left_out IS NULL AND {population}
        """
    row = connection.execute(
        f"SELECT depth FROM opening_nodes n WHERE n.game = %(game)s AND n.node = %(node)s AND ({number}) >= %(fewest)s",
        {**scope.values, "node": node, "fewest": MIN_MATCHES_OF_NODE},
    ).fetchone()
    return None if row is None else int(row["depth"])


def _nearest_month(moment: datetime) -> date:
    """The first day of a month that is nearest to a moment; by months sums are kept."""
    try:
        day = moment.astimezone(UTC).date()
    except OverflowError:
        day = date.min if moment.year == MINYEAR else date.max
    first = day.replace(day=1)
    if day.day <= HALF_A_MONTH or first == LAST_MONTH:
        return first
    return (first + timedelta(days=31)).replace(day=1)
