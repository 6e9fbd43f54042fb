"""What statistics know of each match, and the sums of that, written together.

Sums are kept by adding what a match comes to and taking the same away again. All of it follows from the log, the
details of matches and these statements alone.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import Any, Final
from uuid import UUID

import orjson
from psycopg.rows import tuple_row

from service.db.categories import IS_RATED, REASONS, RULINGS_SETTINGS, WITHOUT_RULINGS
from service.db.pool import Connection
from service.db.ratings import POPULATIONS

UNKNOWN_SEAT: Final = "unknown"
"""The seat of those of whom only the result is known."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A node of the tree of openings that a match went through, and the parts of a win of who made its move."""

    node: int
    parent: int
    depth: int
    step: str
    wins: int


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """How one seat ended, and the numbers of the features that it had, each of which is kept as a byte."""

    seat: str
    player_id: str
    mover: str
    place: int
    points: int
    margin: int
    wins: int
    features: Sequence[int]
    available: Sequence[int]
    """The numbers of those that it could have had."""


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """What the log of a match tells statistics; `left_out` says why it never counts."""

    variant: str
    players: int
    category: int
    """Without rulings: what they count in is a setting of the match."""
    has_ruling: bool
    left_out: str | None
    results: Sequence[int]
    features: Sequence[int]
    amounts: Sequence[int]
    opening: Sequence[Opened]
    seats: Sequence[SeatFacts]


_MATCH_COLUMNS: Final = """match_id, game, edition, variant, players, category, visibility, played_at, venue, tags,
    left_out, results, features, amounts, opening, opening_wins"""
_KNOWN: Final = """json_to_recordset(%(known)s) AS k (
    match_id uuid, variant text, players smallint, category smallint, has_ruling boolean, left_out text,
    results integer[], features integer[], amounts integer[], opening bigint[], opening_wins smallint[]
)"""
"""The facts of some logs as rows. Statements name the matches besides, so that each server of several finds its own."""
_MATCH_ROWS: Final = f"""
SELECT m.match_id, m.game, m.edition, k.variant, k.players,
    (k.category + CASE WHEN k.has_ruling THEN {WITHOUT_RULINGS} * array_position(
        ARRAY{list(RULINGS_SETTINGS)}, m.rulings_in_statistics
    ) ELSE 0 END)::smallint AS category,
    m.visibility, m.played_at, m.venue, m.tags,
    CASE WHEN m.withdrawn THEN 'withdrawn' ELSE coalesce(
        k.left_out, CASE WHEN m.rules_conflict IS NOT NULL THEN 'rules_conflict' END
    ) END AS left_out,
    k.results, k.features, k.amounts, k.opening, k.opening_wins
FROM matches m JOIN {_KNOWN} ON k.match_id = m.match_id
WHERE m.match_id = ANY(%(ids)s) AND m.status = 'finished'
"""
_INSERT_MATCHES: Final = f"INSERT INTO match_facts ({_MATCH_COLUMNS}) {_MATCH_ROWS}"
_SEAT_COLUMNS: Final = """match_id, position, player_id, game, edition, variant, players, category, visibility,
    played_at, tags, seat, mover, place, points, margin, wins, features, available, opponents, ahead"""
_SEAT_ROWS: Final = """
SELECT f.match_id, s.position, s.player_id, f.game, f.edition, f.variant, f.players, f.category, f.visibility,
    f.played_at, f.tags, s.seat, s.mover, s.place, s.points, s.margin, s.wins, s.features, s.available, s.opponents,
    s.ahead
FROM {facts} AS f JOIN json_to_recordset(%(seats)s) AS s (
    match_id uuid, position smallint, player_id uuid, seat text, mover text, place smallint, points integer,
    margin integer, wins smallint, features bytea, available bytea, opponents uuid[], ahead smallint[]
) ON s.match_id = f.match_id
WHERE f.match_id = ANY(%(ids)s) AND f.left_out IS NULL
"""
_INSERT_SEATS: Final = f"INSERT INTO seat_facts ({_SEAT_COLUMNS}) {_SEAT_ROWS.format(facts='match_facts')}"
MIN_MATCHES_OF_NODE: Final = 5
"""Matches below which a node of the tree of openings is not kept: its matches are pooled with others."""
ROOT: Final = 0
"""The node from which all openings begin; there are sums of it, but no row."""
_STORED: Final = f"SELECT {_MATCH_COLUMNS} FROM match_facts WHERE match_id = ANY(%(ids)s)"
_STORED_SEATS: Final = f"SELECT {_SEAT_COLUMNS} FROM seat_facts WHERE match_id = ANY(%(ids)s) ORDER BY position"
_FRESH: Final = f"SELECT {_MATCH_COLUMNS} FROM ({_MATCH_ROWS}) AS fresh"
_FRESH_SEATS: Final = f"{_SEAT_ROWS.format(facts=f'({_MATCH_ROWS})')} ORDER BY s.position"
_PASSES: Final = """
SELECT node, count(*) AS number FROM match_facts m CROSS JOIN LATERAL unnest(m.opening) AS node
WHERE m.game = %(game)s AND m.left_out IS NULL AND m.opening && %(nodes)s::bigint[]
    AND node = ANY(%(nodes)s::bigint[]) GROUP BY node
"""

ALL_MONTHS: Final = "'-infinity'::date"
"""Under which sums over all times are kept beside those of each month."""
EVERY_TAG: Final = ""
"""Under which sums over all matches are kept beside those with each tag."""
MIN_MATCHES_OF_SUMMED_TAG: Final = 20
"""Matches below which a tag has no sums: facts tell as fast, and most tags are given to few matches."""
_MONTHS: Final = f"""(
    SELECT unnest(ARRAY[{ALL_MONTHS}, date_trunc('month', m.played_at AT TIME ZONE 'UTC')::date]) AS month
)"""

_POPULATION_CODE: Final = f"coalesce(array_position(ARRAY{list(REASONS)}, left_out), 0)"
POPULATION_CODES: Final = f"SELECT {_POPULATION_CODE} AS code, 0 AS amount"
"""Facts from before categories say of rulings and editions that they are left out, until they are made anew."""
RESULT_CODES: Final = "SELECT unnest(m.results) AS code, 0 AS amount WHERE left_out IS NULL"
FEATURE_CODES: Final = "SELECT unnest(m.features) AS code, unnest(m.amounts) AS amount WHERE left_out IS NULL"
FAMILIES: Final = {"population": POPULATION_CODES, "results": RESULT_CODES, "features": FEATURE_CODES}
"""What is counted of the facts `m` of a match, as codes with amounts to be added up."""

_KEY: Final = "game, edition, variant, players, category, visibility"


@dataclass(frozen=True, slots=True)
class _Sums:
    """A table of sums: what its rows are about, what is added up in them, and the rows of facts that are added up."""

    table: str
    keys: str
    added: Mapping[str, str]
    facts: str
    """With a place for the condition `chosen` and for the `tags` of facts `m` that have sums."""

    def select(self, chosen: str, tags: str, factor: str = "") -> str:
        """The sums of some matches."""
        added = ", ".join(f"{factor}{sum_} AS {name}" for name, sum_ in self.added.items())
        source = self.facts.format(chosen=chosen, tags=tags, months=_MONTHS)
        return f"SELECT {self.keys}, {added} FROM {source} GROUP BY {self.keys}"

    def add(self, chosen: str, tags: str) -> str:
        """Add the sums of some matches, or take them away by a sign of -1.

        In the order of the keys rows of the same months are written side by side, as the table of players reads them.
        It is that of "C", so that the sums are hashed: sorting all that is added up takes three times as long.
        """
        rows = self.select(chosen, tags, "%(sign)s * ")
        first, *rest = self.keys.split(", ")
        order = ", ".join([f'{first} COLLATE "C"', *rest])
        return f"INSERT INTO {self.table} ({self.columns}) {rows} ORDER BY {order} {self.on_conflict}"

    @property
    def columns(self) -> str:
        """The columns of a row."""
        return ", ".join((self.keys, *self.added))

    @property
    def on_conflict(self) -> str:
        """How a row is added to the one that is there."""
        added = ", ".join(f"{name} = {self.table}.{name} + EXCLUDED.{name}" for name in self.added)
        return f"ON CONFLICT ({self.keys}) DO UPDATE SET {added}"

    def corrections(self) -> str:
        """What all rows lack, or have too much, beside the sums of all facts."""
        names = list(self.added)
        lacking = ", ".join(f"coalesce(t.{name}, 0) - coalesce(s.{name}, 0) AS {name}" for name in names)
        fresh, present = (", ".join(f"{row}.{name}" for name in names) for row in "ts")
        keys = self.keys.replace("month", "month::text AS month")  # for the first of all months is no date of Python
        return f"""
            SELECT {keys}, {lacking} FROM ({self.select("true", _SUMMED_TAGS)}) AS t
            FULL JOIN {self.table} AS s USING ({self.keys}) WHERE ({fresh}) IS DISTINCT FROM ({present})
        """

    def correct(self) -> str:
        """Add a correction."""
        values = ", ".join("%s" for _ in self.columns.split(", "))
        return f"INSERT INTO {self.table} ({self.columns}) VALUES ({values}) {self.on_conflict}"

    def sweep(self) -> str:
        """Delete a row that has come to nothing."""
        conditions = " AND ".join(f"{key} = %s" for key in self.keys.split(", "))
        return f"DELETE FROM {self.table} WHERE {conditions} AND number = 0"


def _nodes(*, has_root: bool = False) -> str:
    """The nodes that the match of facts `m` went through, of given ones, with what was won there.

    They are given for all games: a node is a digest of moves, and no two games have the same.
    """
    if not has_root:
        return """
        SELECT o.* FROM unnest(m.opening, m.opening_wins) AS o (node, wins) WHERE o.node = ANY(%(nodes)s::bigint[])
        """
    return f"""
        SELECT o.* FROM unnest({ROOT}::bigint || m.opening, 0::smallint || m.opening_wins) AS o (node, wins)
        WHERE cardinality(m.opening) > 0 AND (o.node = {ROOT} OR o.node = ANY(%(nodes)s::bigint[]))
    """


def _opened(nodes: str) -> str:
    """Facts of matches that count, once for each of some nodes."""
    return f"""(
        SELECT m.*, o.node, o.wins FROM match_facts m CROSS JOIN LATERAL ({nodes}) AS o
        WHERE left_out IS NULL AND {{chosen}}
    ) AS m"""


def _opening_tallies(nodes: str) -> _Sums:
    """Sums over some nodes of the tree of openings."""
    return _Sums(
        "opening_tallies",
        f"{_KEY}, tag, month, node",
        {"number": "count(*)", "wins": "sum(wins)"},
        f"{_opened(nodes)} CROSS JOIN LATERAL {{tags}} AS t CROSS JOIN LATERAL {{months}} AS d",
    )


# In one list, since a union in a lateral join has to be on one server with all matches.
_CODES: Final = f"""
unnest(
    'population'::text || CASE WHEN left_out IS NULL THEN array_fill('results'::text, ARRAY[cardinality(m.results)])
        || array_fill('features'::text, ARRAY[cardinality(m.features)]) END,
    {_POPULATION_CODE} || CASE WHEN left_out IS NULL THEN m.results || m.features END,
    0 || CASE WHEN left_out IS NULL THEN array_fill(0, ARRAY[cardinality(m.results)]) || m.amounts END
) AS coded (family, code, amount)"""
_BY_TAG: Final = (
    _Sums(
        "tallies",
        f"{_KEY}, tag, family, month, code",
        {"number": "count(*)", "amount": "sum(amount)"},
        f"(SELECT * FROM match_facts WHERE {{chosen}}) AS m CROSS JOIN LATERAL {_CODES}"
        " CROSS JOIN LATERAL {tags} AS t CROSS JOIN LATERAL {months} AS d",
    ),
    _Sums(
        "player_tallies",
        f"{_KEY}, tag, month, player_id",
        {"number": "count(*)", "wins": "sum(wins)", "points": "sum(points)", "margin": "sum(margin)"},
        "(SELECT * FROM seat_facts WHERE {chosen}) AS m CROSS JOIN LATERAL {tags} AS t"
        " CROSS JOIN LATERAL {months} AS d",
    ),
    _Sums(
        "player_points",
        f"{_KEY}, tag, player_id, points",
        {"number": "count(*)"},
        "(SELECT * FROM seat_facts WHERE {chosen}) AS m CROSS JOIN LATERAL {tags} AS t",
    ),
    _opening_tallies(_nodes(has_root=True)),
)
_OF_ALL: Final = (
    _Sums(
        "tag_counts",
        "tag",
        {"number": "count(*)"},
        "match_facts CROSS JOIN LATERAL unnest(tags) AS tag WHERE {chosen}",
    ),
    _Sums(
        "player_features",
        "game, player_id, edition, variant, players, category, visibility, code",
        {"number": "count(*)", "amount": "sum(amount)"},
        "(SELECT f.*, s.player_id FROM match_facts f JOIN seat_facts s USING (match_id) WHERE {chosen}) AS m"
        f" CROSS JOIN LATERAL ({FEATURE_CODES}) AS coded",
    ),
)
_NODES: Final = _Sums("opening_nodes", "game, node", {"number": "count(*)"}, _opened(_nodes()))

_SUMMED_TAGS: Final = """(
    SELECT tag FROM unnest(%(tags)s::text[]) AS tag WHERE tag = ANY(array_append(m.tags, ''))
)"""
"""Of the tags of facts `m` those that are asked for; without a tag are the sums over all matches."""
_FREQUENT_TAGS: Final = """
SELECT tag FROM match_facts CROSS JOIN LATERAL unnest(tags) AS tag GROUP BY tag HAVING count(*) >= %s
"""
_CHOSEN: Final = "match_id = ANY(%(ids)s)"
_TALLY: Final = (
    *(sums.add(_CHOSEN, _SUMMED_TAGS) for sums in _BY_TAG),
    *(sums.add(_CHOSEN if sums.table == "tag_counts" else f"f.{_CHOSEN}", "") for sums in _OF_ALL),
)
_COUNT_NODES: Final = """
UPDATE opening_nodes n SET number = n.number + %(sign)s * passed.number
FROM unnest(%(games)s::text[], %(passed)s::bigint[], %(numbers)s::integer[]) AS passed (game, node, number)
WHERE n.game = passed.game AND n.node = passed.node
"""
_TALLY_TAG: Final = tuple(sums.add("tags @> %(tags)s::text[]", _SUMMED_TAGS) for sums in _BY_TAG)
_FORGET_TAG: Final = tuple(f"DELETE FROM {sums.table} WHERE tag = %(tag)s" for sums in _BY_TAG)

# Without joins: the facts of a match and the sums may be on different servers.
_SWEEP: Final = (
    """
    DELETE FROM tallies WHERE number = 0 AND game = %(game)s
        AND family = ANY(ARRAY['population', 'results', 'features']) AND tag = ANY(%(tags)s)
        AND month = ANY(%(months)s::date[]) AND edition = %(edition)s AND variant = %(variant)s
        AND players = %(players)s AND category = %(category)s AND visibility = %(visibility)s
    """,
    *(
        f"""
        DELETE FROM {table}
        WHERE number = 0 AND tag = ANY(%(tags)s) AND game = %(game)s AND player_id = ANY(%(player_ids)s)
        """
        for table in ("player_tallies", "player_points")
    ),
    "DELETE FROM player_features WHERE number = 0 AND game = %(game)s AND player_id = ANY(%(player_ids)s)",
    "DELETE FROM tag_counts WHERE number = 0 AND tag = ANY(%(match_tags)s)",
    f"""
    WITH rare AS (
        DELETE FROM opening_nodes
        WHERE number < {MIN_MATCHES_OF_NODE} AND game = %(game)s AND node = ANY(%(opening)s::bigint[]) RETURNING node
    )
    DELETE FROM opening_tallies WHERE game = %(game)s AND node = ANY({ROOT}::bigint || %(opening)s::bigint[])
        AND (number = 0 OR node IN (TABLE rare))
    """,
)
_TALLY_ADDED: Final = _opening_tallies(_nodes()).add(
    "m.game = %(game)s AND m.opening && %(nodes)s::bigint[]", _SUMMED_TAGS
)
_TAGS_THROUGH: Final = """
SELECT DISTINCT tag FROM match_facts m CROSS JOIN LATERAL unnest(m.tags) AS tag
WHERE m.game = %(game)s AND m.left_out IS NULL AND m.opening && %(nodes)s::bigint[]
"""
_REMOVE_NODES: Final = f"""
WITH rare AS (
    DELETE FROM opening_nodes WHERE game = ANY(%(games)s) AND node = ANY(%(nodes)s) AND number < {MIN_MATCHES_OF_NODE}
)
DELETE FROM opening_tallies t
WHERE game = ANY(%(games)s) AND node = ANY(%(nodes)s) AND node <> {ROOT} AND NOT EXISTS (
    SELECT FROM opening_nodes n WHERE n.game = t.game AND n.node = t.node AND n.number >= {MIN_MATCHES_OF_NODE}
)
"""
"""Removes corrected nodes that are rare, and sums of nodes that are not kept: some may have become rare meanwhile."""
_NEW_TAGS: Final = """
SELECT tag, count(*) AS number FROM matches m CROSS JOIN LATERAL (SELECT DISTINCT unnest(m.tags) AS tag) AS t
WHERE m.match_id = ANY(%(ids)s) AND m.status = 'finished' GROUP BY tag
"""
_TAGS: Final = """
SELECT f.match_id IS NOT NULL AS is_known, coalesce(f.tags, '{}') AS before,
    CASE WHEN m.status = 'finished' THEN m.tags ELSE '{}' END AS after
FROM matches m LEFT JOIN match_facts f USING (match_id) WHERE m.match_id = %s
"""
_MARK: Final = f"""
INSERT INTO rating_marks (mark_id, population, game, played_at)
SELECT gen_random_uuid(), population, game, min(played_at)
FROM match_facts m CROSS JOIN LATERAL {POPULATIONS}
WHERE match_id = ANY(%(ids)s) AND left_out IS NULL AND {IS_RATED} GROUP BY population, game
"""


def lock(connection: Connection) -> None:
    """Keep others from changing facts until the end of the transaction, so that sums are added to in one order."""
    connection.execute("SELECT pg_advisory_xact_lock(hashtext('carnet statistics'))")


def replace(connection: Connection, match_id: UUID, facts: MatchFacts) -> None:
    """Let this be what statistics know of a match, if it is finished, and let all sums follow."""
    lock(connection)
    tags = connection.execute(_TAGS, (match_id,)).fetchone()
    assert tags is not None
    before, after = set(tags["before"]), set(tags["after"])
    numbers = count_tags(connection, before | after) if before | after else {}
    summed = {tag for tag, number in numbers.items() if number >= MIN_MATCHES_OF_SUMMED_TAG}
    come = {tag for tag in after - before if numbers.get(tag, 0) + 1 == MIN_MATCHES_OF_SUMMED_TAG}
    gone = {tag for tag in before - after if numbers[tag] == MIN_MATCHES_OF_SUMMED_TAG}
    if tags["is_known"]:
        _take_away(connection, match_id, before & summed)
    _add(connection, {match_id: facts}, after & summed, come, gone)


def add(connection: Connection, added: Mapping[UUID, MatchFacts]) -> None:
    """Insert the facts of new matches, and add them to all aggregates at once.

    The sums are those that `replace` would leave match by match.
    """
    if not added:
        return
    lock(connection)
    rows = connection.execute(_NEW_TAGS, {"ids": list(added)}).fetchall()
    numbers = count_tags(connection, [row["tag"] for row in rows]) if rows else {}
    summed = {tag for tag, number in numbers.items() if number >= MIN_MATCHES_OF_SUMMED_TAG}
    come = {row["tag"] for row in rows if numbers.get(row["tag"], 0) + row["number"] >= MIN_MATCHES_OF_SUMMED_TAG}
    _add(connection, added, summed, come - summed, ())


def _add(
    connection: Connection,
    added: Mapping[UUID, MatchFacts],
    summed: Collection[str],
    come: Collection[str],
    gone: Collection[str],
) -> None:
    """Insert the facts of matches and add them to all sums.

    `summed` are the tags that have sums, `come` those that have them by these matches, `gone` those that had them.
    """
    _insert(connection, added)
    stored = connection.execute(_STORED, {"ids": list(added)}).fetchall()
    if not stored:
        return
    kept = _kept_nodes(connection, stored)
    parameters = {
        "ids": [row["match_id"] for row in stored],
        "tags": [EVERY_TAG, *sorted(summed)],
        "sign": 1,
        **_passed(stored, kept),
    }
    all_nodes = _all_nodes(connection) if come else []
    with connection.pipeline():
        _execute(connection, [*_TALLY, _COUNT_NODES], parameters)
        for tag in sorted(come):
            _execute(connection, _TALLY_TAG, {"tags": [tag], "sign": 1, "nodes": all_nodes})
        for tag in sorted(gone):
            _execute(connection, _FORGET_TAG, {"tag": tag})
    # With the tags that have sums by now.
    lacking: dict[str, dict[int, Opened]] = {}
    for row in stored:
        if row["left_out"] is None:
            opening = added[row["match_id"]].opening
            lacking.setdefault(row["game"], {}).update(
                (opened.node, opened) for opened in opening if opened.node not in kept
            )
    for game in sorted(lacking):
        _add_nodes(connection, game, lacking[game])
    connection.execute(_MARK, parameters)


def _take_away(connection: Connection, match_id: UUID, summed: Collection[str]) -> None:
    """Take the facts of a match out of all sums, and delete them."""
    chosen = {"ids": [match_id]}
    stored = connection.execute(_STORED, chosen).fetchone()
    assert stored is not None
    seats = connection.execute(_STORED_SEATS, chosen).fetchall()
    month = stored["played_at"].astimezone(UTC).date().replace(day=1)
    parameters = {
        **stored,
        **chosen,
        "tags": [EVERY_TAG, *sorted(summed)],
        "match_tags": stored["tags"],
        "sign": -1,
        **_passed([stored], _kept_nodes(connection, [stored])),
        "months": ["-infinity", month.isoformat()],
        "player_ids": [seat["player_id"] for seat in seats],
    }
    with connection.pipeline():
        connection.execute(_MARK, parameters)
        _execute(connection, [*_TALLY, _COUNT_NODES, *_SWEEP], parameters)
        _remove(connection, match_id)


def _kept_nodes(connection: Connection, stored: Sequence[Mapping[str, Any]]) -> set[int]:
    """The nodes of the openings of matches that have sums; matches that do not count have none."""
    opened = {node for row in stored if row["left_out"] is None for node in row["opening"]}
    if not opened:
        return set()
    games = sorted({row["game"] for row in stored})
    rows = connection.execute(
        "SELECT node FROM opening_nodes WHERE game = ANY(%s) AND node = ANY(%s)", (games, sorted(opened))
    )
    return {row["node"] for row in rows}


def _passed(stored: Sequence[Mapping[str, Any]], kept: Collection[int]) -> dict[str, Any]:
    """The nodes that have sums, and how many of some matches went through each of them."""
    numbers = Counter(
        (row["game"], node) for row in stored if row["left_out"] is None for node in row["opening"] if node in kept
    )
    passed = sorted(numbers)
    return {
        "nodes": sorted(kept),
        "games": [game for game, _ in passed],
        "passed": [node for _, node in passed],
        "numbers": [numbers[one] for one in passed],
    }


def _all_nodes(connection: Connection) -> list[int]:
    return [row["node"] for row in connection.execute("SELECT node FROM opening_nodes")]


def _add_nodes(connection: Connection, game: str, lacking: Mapping[int, Opened]) -> None:
    """Keep those of some nodes without sums that have come to be frequent."""
    numbers = _passes(connection, game, lacking)
    added = [node for node, number in numbers.items() if number >= MIN_MATCHES_OF_NODE]
    if not added:
        return
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO opening_nodes (game, node, parent, depth, step, number) VALUES (%s, %s, %s, %s, %s, %s)",
            [
                (game, node, lacking[node].parent, lacking[node].depth, lacking[node].step, numbers[node])
                for node in added
            ],
        )
    parameters = {"game": game, "nodes": added, "sign": 1}
    tags = [row["tag"] for row in connection.execute(_TAGS_THROUGH, parameters)]
    numbers_of_tags = count_tags(connection, tags) if tags else {}
    summed = [tag for tag, number in numbers_of_tags.items() if number >= MIN_MATCHES_OF_SUMMED_TAG]
    connection.execute(_TALLY_ADDED.encode(), {**parameters, "tags": [EVERY_TAG, *sorted(summed)]})


def _passes(connection: Connection, game: str, nodes: Collection[int]) -> dict[int, int]:
    """How many matches that count went through each of some nodes."""
    if not nodes:
        return {}
    rows = connection.execute(_PASSES, {"game": game, "nodes": list(nodes)})
    return {row["node"]: row["number"] for row in rows}


def _execute(connection: Connection, statements: Sequence[str], values: Mapping[str, Any]) -> None:
    for statement in statements:
        connection.execute(statement.encode(), values)


def count_tags(connection: Connection, tags: Collection[str]) -> dict[str, int]:
    """How many finished matches have each tag, of those that any has."""
    rows = connection.execute("SELECT tag, number FROM tag_counts WHERE tag = ANY(%s)", (list(tags),))
    return {row["tag"]: row["number"] for row in rows}


def is_kept(connection: Connection, match_id: UUID, facts: MatchFacts) -> bool:
    """Whether this is what statistics know of a match."""
    values = _values({match_id: facts})
    fresh = connection.execute(_FRESH, values).fetchone()
    if fresh != connection.execute(_STORED, values).fetchone():
        return False
    if fresh is None:
        return True
    if connection.execute(_FRESH_SEATS, values).fetchall() != connection.execute(_STORED_SEATS, values).fetchall():
        return False
    lacking = set(fresh["opening"]) - _kept_nodes(connection, [fresh]) if fresh["left_out"] is None else set()
    numbers = _passes(connection, fresh["game"], lacking)
    return all(number < MIN_MATCHES_OF_NODE for number in numbers.values())


def _remove(connection: Connection, match_id: UUID) -> None:
    connection.execute("DELETE FROM seat_facts WHERE match_id = %s", (match_id,))
    connection.execute("DELETE FROM match_facts WHERE match_id = %s", (match_id,))


def _insert(connection: Connection, added: Mapping[UUID, MatchFacts]) -> None:
    values = _values(added)
    connection.execute(_INSERT_MATCHES, values)
    connection.execute(_INSERT_SEATS, values)


def _values(known: Mapping[UUID, MatchFacts]) -> dict[str, Any]:
    return {
        "ids": list(known),
        "known": _json([{"match_id": match_id, **_known(facts)} for match_id, facts in known.items()]),
        "seats": _json(
            [
                {"match_id": match_id, **_seat(position, facts.seats)}
                for match_id, facts in known.items()
                for position in range(len(facts.seats))
            ]
        ),
    }


def _known(facts: MatchFacts) -> dict[str, object]:
    return {
        "variant": facts.variant,
        "players": facts.players,
        "category": facts.category,
        "has_ruling": facts.has_ruling,
        "left_out": facts.left_out,
        "results": facts.results,
        "features": facts.features,
        "amounts": facts.amounts,
        "opening": [opened.node for opened in facts.opening],
        "opening_wins": [opened.wins for opened in facts.opening],
    }


def sum_up(connection: Connection) -> None:
    """Make all sums anew at once, from the facts of all matches, where nobody else writes meanwhile."""
    lock(connection)
    connection.execute("UPDATE opening_nodes SET number = 0 WHERE number <> 0")
    connection.execute(
        f"""
        UPDATE opening_nodes n SET number = added.number FROM ({_NODES.select("true", "")}) AS added
        WHERE n.game = added.game AND n.node = added.node
        """,
        {"nodes": _all_nodes(connection)},
    )
    connection.execute("DELETE FROM opening_nodes WHERE number < %s", (MIN_MATCHES_OF_NODE,))
    parameters = {"sign": 1, "tags": _all_summed_tags(connection), "nodes": _all_nodes(connection)}
    for sums in (*_BY_TAG, *_OF_ALL):
        connection.execute(f"DELETE FROM {sums.table}".encode())
        connection.execute(sums.add("true", _SUMMED_TAGS).encode(), parameters)


def _all_summed_tags(connection: Connection) -> list[str]:
    """The tags that facts say should have sums, with the one of all matches."""
    rows = connection.execute(_FREQUENT_TAGS, (MIN_MATCHES_OF_SUMMED_TAG,))
    return [EVERY_TAG, *sorted(row["tag"] for row in rows)]


@dataclass(frozen=True, slots=True)
class Corrections:
    """What some rows of a table of sums lack beside the facts, or have too much."""

    sums: _Sums
    rows: Sequence[tuple[Any, ...]]


def wrong_sums(reading: Connection, at_a_time: int) -> Iterator[Corrections]:
    """All that sums lack beside the facts, as of one moment.

    Whatever changes facts changes sums by as much, so what is wrong now is wrong by as much later, and can be
    corrected while others write.
    """
    parameters = {"tags": _all_summed_tags(reading), "nodes": _all_nodes(reading)}
    for sums in (*_OF_ALL, *_BY_TAG, _NODES):
        with reading.cursor(name="wrong_sums", row_factory=tuple_row) as cursor:
            cursor.execute(sums.corrections().encode(), parameters)
            while rows := cursor.fetchmany(at_a_time):
                yield Corrections(sums, rows)


def correct_sums(connection: Connection, corrections: Corrections) -> None:
    """Correct some sums; changes of facts wait meanwhile."""
    lock(connection)
    sums, rows = corrections.sums, corrections.rows
    names = sums.keys.split(", ")
    keys = len(names)
    with connection.cursor() as cursor:
        if sums is _NODES:
            nodes = [(row[-1], *row[:-1]) for row in rows]
            cursor.executemany("UPDATE opening_nodes SET number = number + %s WHERE game = %s AND node = %s", nodes)
        else:
            cursor.executemany(sums.correct().encode(), rows)
            cursor.executemany(sums.sweep().encode(), [row[:keys] for row in rows])
        if "node" in names:
            corrected = {f"{name}s": [row[names.index(name)] for row in rows] for name in ("game", "node")}
            connection.execute(_REMOVE_NODES, corrected)


def note_variant(connection: Connection, match_id: UUID, variant: str, *, seats_known: bool) -> None:
    """Note in the row of a match its variant, by which those that do not count are found, and if seats are known."""
    connection.execute(
        """
        UPDATE matches SET variant = %(variant)s, seats_known = %(seats_known)s
        WHERE match_id = %(id)s AND (variant, seats_known) IS DISTINCT FROM (%(variant)s, %(seats_known)s)
        """,
        {"variant": variant, "seats_known": seats_known, "id": match_id},
    )


def mark_players(connection: Connection, player_ids: Sequence[UUID]) -> None:
    """Note that ratings are out of date from the first matches of some players on, who have become others."""
    connection.execute(
        f"""
        INSERT INTO rating_marks (mark_id, population, game, played_at)
        SELECT gen_random_uuid(), population, game, min(played_at)
        FROM seat_facts m CROSS JOIN LATERAL {POPULATIONS} WHERE player_id = ANY(%s) AND {IS_RATED}
        GROUP BY population, game
        """,
        (list(player_ids),),
    )


def met_by(position: int, seats: Sequence[SeatFacts]) -> tuple[list[str], list[int]]:
    """Whom a seat met, and how it ended beside each: 2 ahead, 1 level, 0 behind."""
    others = [*seats[:position], *seats[position + 1 :]]
    place = seats[position].place
    ahead = [1 + (place < other.place) - (place > other.place) for other in others]
    return [other.player_id for other in others], ahead


def _seat(position: int, seats: Sequence[SeatFacts]) -> dict[str, object]:
    seat = seats[position]
    opponents, ahead = met_by(position, seats)
    parameters = {
        name: getattr(seat, name) for name in ("seat", "player_id", "mover", "place", "points", "margin", "wins")
    }
    numbers = {name: f"\\x{bytes(getattr(seat, name)).hex()}" for name in ("features", "available")}
    return {"position": position, **parameters, **numbers, "opponents": opponents, "ahead": ahead}


def _json(value: object) -> str:
    return orjson.dumps(value).decode()
