"""Questions to what statistics know of matches: from sums where those are enough, else from the facts of each match."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import MINYEAR, UTC, date, datetime, time
from typing import Any, Final
from uuid import UUID

from service.store.access import IN_POPULATION, IS_HIS
from service.store.database import Connection, Database
from service.store.facts import FAMILIES

FEWEST_IN_NODE: Final = 5
"""Matches below which a node of the tree of openings is pooled with others."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Which matches are asked about; `tags` and `players` must all be there."""

    game: str | None = None
    edition: str | None = None
    variant: str | None = None
    population: str | None = "public"
    """None for those of the viewer alone."""
    viewer: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None
    tags: Sequence[str] = ()
    venue: str | None = None
    players: Sequence[Sequence[UUID]] = ()
    """For each player all his ids."""

    @property
    def is_summed(self) -> bool:
        """Whether sums by month tell all that is asked, but for months of which only a part is asked for."""
        return not (self.tags or self.players or self.venue is not None or self.population is None)

    @property
    def is_undated(self) -> bool:
        """Whether matches of all times are asked about."""
        return self.since is None and self.until is None

    @property
    def is_whole(self) -> bool:
        """Whether all matches of a game, or of all games, are asked about."""
        return self.is_summed and self.is_undated and self.edition is None and self.variant is None

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
            "venue": self.venue,
            "first_month": None if self.since is None else _month_from(self.since),
            "last_month": None if self.until is None else _month(self.until),
        }
        return values | {f"player_{index}": list(ids) for index, ids in enumerate(self.players)}

    def of_sums(self) -> str:
        """The condition on sums `m` by month: whole months."""
        conditions = [*self._common()]
        if self.since is not None:
            conditions.append("m.month >= %(first_month)s")
        if self.until is not None:
            conditions.append("m.month < %(last_month)s")
        return " AND ".join(conditions)

    def of_matches(self) -> str:
        """The condition on rows `m` of matches or their facts."""
        conditions = [*self._common(), *self._dates(), *self._people()]
        if self.tags:
            conditions.append("m.tags @> %(tags)s::text[]")
        if self.venue is not None:
            conditions.append("m.venue = %(venue)s")
        return " AND ".join(conditions)

    def of_edges(self) -> str:
        """The condition on facts `m` of matches in months of which only a part is asked for."""
        if self.is_undated:
            return "false"
        first, last = (f"%({name}_month)s::date::timestamp AT TIME ZONE 'UTC'" for name in ("first", "last"))
        if self.since is None:
            edges = f"m.played_at >= {last} AND m.played_at < %(until)s"
        elif self.until is None:
            edges = f"m.played_at >= %(since)s AND m.played_at < {first}"
        elif _month_from(self.since) > _month(self.until):
            edges = "m.played_at >= %(since)s AND m.played_at < %(until)s"
        else:
            edges = (
                f"(m.played_at >= %(since)s AND m.played_at < {first} "
                f"OR m.played_at >= {last} AND m.played_at < %(until)s)"
            )
        return " AND ".join((*self._common(), edges))

    def of_seats(self) -> str:
        """The condition on facts `m` of seats."""
        conditions = [*self._common(), *self._dates(), *self._people()]
        if self.tags:
            conditions.append("m.match_id IN (SELECT match_id FROM match_facts WHERE tags @> %(tags)s::text[])")
        if self.venue is not None:
            conditions.append("m.match_id IN (SELECT match_id FROM match_facts WHERE venue = %(venue)s)")
        return " AND ".join(conditions)

    def seats(self) -> str:
        """Rows `s` of the facts of all seats asked about, found by their matches where those say what is asked for."""
        if self.is_summed:
            return f"(SELECT * FROM seat_facts m WHERE {self.of_seats()}) AS s"
        # OFFSET 0 lets the server begin with the matches, of which there are few, and not with seats or players.
        found = f"SELECT match_id FROM match_facts m WHERE {self.of_matches()} OFFSET 0"
        return f"(SELECT s.* FROM ({found}) AS m JOIN seat_facts s USING (match_id) OFFSET 0) AS s"

    def _common(self) -> Iterable[str]:
        for name in ("game", "edition", "variant"):
            if getattr(self, name) is not None:
                yield f"m.{name} = %({name})s"
        if self.population is not None:
            yield IN_POPULATION[self.population]
        else:
            yield "true"

    def _dates(self) -> Iterable[str]:
        if self.since is not None:
            yield "m.played_at >= %(since)s"
        if self.until is not None:
            yield "m.played_at < %(until)s"

    def _people(self) -> Iterable[str]:
        for index in range(len(self.players)):
            yield f"m.match_id IN (SELECT match_id FROM match_seats WHERE player_id = ANY(%(player_{index})s))"
        if self.population is None:
            yield f"m.match_id IN (SELECT m.match_id FROM matches m WHERE {IS_HIS})"


@dataclass(frozen=True, slots=True)
class Counted:
    """How often a code occurs in matches of a number of players, and its amounts added up."""

    players: int
    code: int
    number: int
    amount: int


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the tree of openings, with the matches that went through it and what its movers won."""

    node: int
    parent: int
    depth: int
    step: str
    number: int
    wins: int


@dataclass(frozen=True, slots=True)
class Played:
    """How one player ended in one match."""

    match_id: UUID
    game: str
    played_at: datetime
    players: int
    seat: str
    mover: str
    place: int
    points: int
    margin: int
    wins: int
    features: Sequence[int] = field(default=())


@contextmanager
def looking(database: Database) -> Iterator[Connection]:
    """A connection that sees one state of the database throughout, and plans for what is in memory already."""
    with database.snapshot() as connection:
        connection.execute(
            """
            SELECT set_config('random_page_cost', '1.1', true), set_config('jit', 'off', true),
                set_config('max_parallel_workers_per_gather', '0', true), set_config('work_mem', '32MB', true)
            """
        )
        yield connection


def now(connection: Connection) -> datetime:
    """As of when the database answers."""
    row = connection.execute("SELECT now() AS now").fetchone()
    assert row is not None
    moment: datetime = row["now"]
    return moment


def ids_of(connection: Connection, player_ids: Sequence[UUID]) -> list[list[UUID]]:
    """For each player all the ids under which he sat in matches."""
    rows = connection.execute(
        """
        SELECT asked.player_id, array_agg(p.player_id ORDER BY p.player_id) AS ids
        FROM players asked JOIN players p ON p.survivor_id = asked.survivor_id
        WHERE asked.player_id = ANY(%s) GROUP BY asked.player_id
        """,
        (list(player_ids),),
    )
    found = {row["player_id"]: row["ids"] for row in rows}
    return [found.get(player_id, []) for player_id in player_ids]


def names(connection: Connection, player_ids: Sequence[UUID]) -> dict[UUID, str]:
    """What players are called."""
    rows = connection.execute("SELECT player_id, name FROM players WHERE player_id = ANY(%s)", (list(player_ids),))
    return {row["player_id"]: row["name"] for row in rows}


def unfinished(connection: Connection, scope: Scope) -> dict[str, int]:
    """How many matches are not finished, by their status."""
    rows = connection.execute(
        f"""
        SELECT m.status, count(*) AS number FROM matches m WHERE m.status <> 'finished' AND {scope.of_matches()}
        GROUP BY m.status
        """,
        scope.values,
    )
    return {row["status"]: row["number"] for row in rows}


def counts(connection: Connection, scope: Scope, family: str) -> list[Counted]:
    """How often each code of a family occurs."""
    facts = f"""
        SELECT m.players, code, count(*) AS number, sum(amount) AS amount
        FROM match_facts m CROSS JOIN LATERAL ({FAMILIES[family]}) AS coded WHERE {{}} GROUP BY m.players, code
    """
    if not scope.is_summed:
        query = facts.format(scope.of_matches())
    else:
        query = f"""
            SELECT players, code, sum(number)::integer AS number, sum(amount)::bigint AS amount FROM (
                SELECT m.players, m.code, sum(m.number) AS number, sum(m.amount) AS amount FROM tallies m
                WHERE m.family = '{family}' AND {scope.of_sums()} GROUP BY m.players, m.code
                UNION ALL {facts.format(scope.of_edges())}
            ) AS parts GROUP BY players, code
        """
    rows = connection.execute(query, scope.values)
    return [Counted(row["players"], row["code"], row["number"], int(row["amount"])) for row in rows]


@dataclass(frozen=True, slots=True)
class Totals:
    """What a player's matches add up to; wins and expected ones in parts."""

    player_id: UUID
    name: str
    number: int
    wins: int
    expected: int
    points: int
    margin: int
    median: float | None = None
    latest: Sequence[int] | None = None
    """The parts of a win in the latest matches, the last one first. These two are known where it costs nothing."""


_OF_SEATS: Final = """count(*) AS number, sum(wins) AS wins, sum(60 / players) AS expected, sum(points) AS points,
    sum(margin) AS margin"""
_OF_TALLIES: Final = """sum(number) AS number, sum(wins) AS wins, sum(60 * number / players) AS expected,
    sum(points) AS points, sum(margin) AS margin"""


def player_totals(connection: Connection, scope: Scope, latest: int) -> list[Totals]:
    """What the matches of every player add up to."""
    if scope.is_summed:
        source = (
            f"SELECT player_id, {_OF_TALLIES} FROM player_tallies m WHERE {scope.of_sums()} GROUP BY player_id"
            if scope.is_undated
            else f"SELECT player_id, {_OF_SEATS} FROM seat_facts m WHERE {scope.of_seats()} GROUP BY player_id"
        )
        summed = f"""
            SELECT p.survivor_id, sum(number) AS number, sum(wins) AS wins, sum(expected) AS expected,
                sum(points) AS points, sum(margin) AS margin, NULL::float AS median, NULL::smallint[] AS latest
            FROM ({source}) AS each JOIN players p USING (player_id) GROUP BY p.survivor_id
        """
    else:
        summed = f"""
            SELECT p.survivor_id, {_OF_SEATS}, percentile_cont(0.5) WITHIN GROUP (ORDER BY s.points) AS median,
                (array_agg(wins ORDER BY played_at DESC, match_id DESC))[:%(latest)s] AS latest
            FROM {scope.seats()} JOIN players p USING (player_id) GROUP BY p.survivor_id
        """
    rows = connection.execute(
        f"""
        SELECT p.player_id, p.name, number::integer, wins::integer, expected::integer, points::integer, margin::integer,
            median, latest
        FROM ({summed}) AS summed JOIN players p ON p.player_id = summed.survivor_id
        """,
        {**scope.values, "latest": latest},
    )
    return [Totals(**row) for row in rows]


def players_in(connection: Connection, scope: Scope) -> set[UUID]:
    """Who sat in the matches asked about."""
    source = f"SELECT DISTINCT player_id FROM {scope.seats()}"
    if scope.is_summed and scope.is_undated:
        source = f"SELECT player_id FROM player_tallies m WHERE {scope.of_sums()}"
    rows = connection.execute(
        f"""
        SELECT DISTINCT p.survivor_id FROM ({source}) AS found
        JOIN players p USING (player_id)
        """,
        scope.values,
    )
    return {row["survivor_id"] for row in rows}


def player_points(connection: Connection, scope: Scope, player_ids: Sequence[UUID]) -> dict[UUID, dict[int, int]]:
    """How often some players ended with how many points, in matches of which sums by month tell."""
    if scope.is_undated:
        source = f"SELECT player_id, points, number FROM player_points m WHERE {scope.of_sums()}"
    else:
        source = f"SELECT player_id, points, 1 AS number FROM seat_facts m WHERE {scope.of_seats()}"
    rows = connection.execute(
        f"""
        SELECT p.survivor_id AS player_id, points, sum(number)::integer AS number
        FROM players p JOIN ({source}) AS scored USING (player_id)
        WHERE p.survivor_id = ANY(%(player_ids)s) GROUP BY p.survivor_id, points
        """,
        {**scope.values, "player_ids": list(player_ids)},
    )
    found: dict[UUID, dict[int, int]] = {}
    for row in rows:
        found.setdefault(row["player_id"], {})[row["points"]] = row["number"]
    return found


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


_PLAYED: Final = "match_id, game, played_at, players, seat, mover, place, points, margin, wins, features"


def played(connection: Connection, scope: Scope, ids: Sequence[UUID]) -> list[Played]:
    """All matches of a player, the first one first."""
    rows = connection.execute(
        f"""
        SELECT {_PLAYED} FROM seat_facts m WHERE player_id = ANY(%(ids)s) AND {scope.of_seats()}
        ORDER BY played_at, match_id
        """,
        {**scope.values, "ids": list(ids)},
    )
    return [Played(**row) for row in rows]


def opponents(connection: Connection, scope: Scope, ids: Sequence[UUID]) -> list[Mapping[str, Any]]:
    """Whom a player met how often, and how often he was placed before, level with and behind each."""
    return list(
        connection.execute(
            f"""
            SELECT survivor.player_id, survivor.name, sum(number)::integer AS number, sum(ahead)::integer AS ahead,
                sum(level)::integer AS level, sum(behind)::integer AS behind
            FROM (
                SELECT o.player_id, count(*) AS number, count(*) FILTER (WHERE m.place < o.place) AS ahead,
                    count(*) FILTER (WHERE m.place = o.place) AS level,
                    count(*) FILTER (WHERE m.place > o.place) AS behind
                FROM seat_facts m JOIN seat_facts o ON o.match_id = m.match_id AND o.position <> m.position
                WHERE m.player_id = ANY(%(ids)s) AND {scope.of_seats()} GROUP BY o.player_id
            ) AS met JOIN players p USING (player_id) JOIN players survivor ON survivor.player_id = p.survivor_id
            GROUP BY survivor.player_id, survivor.name
            """,
            {**scope.values, "ids": list(ids)},
        )
    )


def available_features(connection: Connection, scope: Scope, ids: Sequence[UUID]) -> dict[int, tuple[int, int]]:
    """By feature, in how many matches of a player it could be had, and the parts of wins that he has in those."""
    rows = connection.execute(
        f"""
        SELECT code >> 16 AS feature, count(*)::integer AS number, sum(m.wins)::integer AS wins
        FROM seat_facts m JOIN match_facts f USING (match_id) CROSS JOIN LATERAL unnest(f.features) AS code
        WHERE m.player_id = ANY(%(ids)s) AND {scope.of_seats()} GROUP BY code >> 16
        """,
        {**scope.values, "ids": list(ids)},
    )
    return {row["feature"]: (row["number"], row["wins"]) for row in rows}


def meetings(
    connection: Connection, scope: Scope, ids: Sequence[UUID], others: Sequence[UUID]
) -> list[Mapping[str, Any]]:
    """The matches in which two players sat, the first one first."""
    return list(
        connection.execute(
            f"""
            SELECT m.match_id, m.game, m.played_at, m.players, m.seat AS a_seat, o.seat AS b_seat, m.mover AS a_mover,
                o.mover AS b_mover, m.place AS a_place, o.place AS b_place, m.points AS a_points, o.points AS b_points,
                m.wins AS a_wins, o.wins AS b_wins
            FROM seat_facts m JOIN seat_facts o ON o.match_id = m.match_id
            WHERE m.player_id = ANY(%(ids)s) AND o.player_id = ANY(%(others)s) AND {scope.of_seats()}
            ORDER BY m.played_at, m.match_id
            """,
            {**scope.values, "ids": list(ids), "others": list(others)},
        )
    )


def opening_tree(connection: Connection, scope: Scope, under: int, depth: int) -> list[Node]:
    """The nodes below another one that enough matches went through, down to a depth, the most frequent first."""
    facts = """
        SELECT o.node, count(*) AS number, sum(o.wins) AS wins
        FROM match_facts m CROSS JOIN LATERAL unnest(m.opening, m.opening_wins) AS o (node, wins)
        WHERE m.left_out IS NULL AND {} GROUP BY o.node
    """
    source = facts.format(scope.of_matches())
    if scope.is_summed:
        source = f"""
            SELECT m.node, sum(m.number) AS number, sum(m.wins) AS wins
            FROM tree JOIN opening_tallies m ON m.game = %(game)s AND m.node = tree.node
            WHERE {scope.of_sums()} GROUP BY m.node
            UNION ALL {facts.format(scope.of_edges())}
        """
    rows = connection.execute(
        f"""
        WITH RECURSIVE tree AS (
            SELECT node, parent, depth, step FROM opening_nodes
            WHERE game = %(game)s AND parent = %(under)s AND number >= %(fewest)s
            UNION ALL
            SELECT n.node, n.parent, n.depth, n.step FROM tree JOIN opening_nodes n ON n.parent = tree.node
            WHERE n.game = %(game)s AND n.number >= %(fewest)s AND n.depth <= %(depth)s
        )
        SELECT tree.*, summed.number::integer, summed.wins::integer FROM (
            SELECT node, sum(number) AS number, sum(wins) AS wins FROM ({source}) AS parts GROUP BY node
        ) AS summed JOIN tree USING (node)
        WHERE summed.number >= %(fewest)s ORDER BY summed.number DESC, node
        """,
        {**scope.values, "under": under, "depth": depth, "fewest": FEWEST_IN_NODE},
    )
    return [Node(**row) for row in rows]


def opening_node(connection: Connection, game: str, node: int) -> Mapping[str, Any] | None:
    """A node of the tree of openings, whatever it counts."""
    return connection.execute(
        "SELECT node, parent, depth, step FROM opening_nodes WHERE game = %s AND node = %s", (game, node)
    ).fetchone()


def count_through(connection: Connection, scope: Scope, node: int | None) -> int:
    """How many matches went through a node, or how many have an opening at all."""
    passes = "%(node)s = ANY(m.opening)" if node is not None else "cardinality(m.opening) > 0"
    facts = f"SELECT count(*) AS number FROM match_facts m WHERE m.left_out IS NULL AND {passes} AND {{}}"
    query = facts.format(scope.of_matches())
    if scope.is_summed:
        nodes = "m.node = %(node)s" if node is not None else "n.parent = 0"
        query = f"""
            SELECT sum(number)::integer AS number FROM (
                SELECT sum(m.number) AS number FROM opening_nodes n JOIN opening_tallies m USING (game, node)
                WHERE n.game = %(game)s AND {nodes} AND {scope.of_sums()}
                UNION ALL {facts.format(scope.of_edges())}
            ) AS parts
        """
    row = connection.execute(query, {**scope.values, "node": node}).fetchone()
    return 0 if row is None else row["number"] or 0


def _month(moment: datetime) -> date:
    """The first day of the month of a moment, by which sums are kept."""
    try:
        return moment.astimezone(UTC).date().replace(day=1)
    except OverflowError:
        return date.min if moment.year == MINYEAR else date.max


def _month_from(moment: datetime) -> date:
    """The first day of the first month that begins at a moment or after it."""
    begun = _month(moment)
    if begun == date.max or datetime.combine(begun, time(), UTC) == moment:
        return begun
    try:
        return begun.replace(year=begun.year + begun.month // 12, month=begun.month % 12 + 1)
    except ValueError:
        return date.max
