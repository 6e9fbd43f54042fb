"""What statistics know of each match, and the sums of that, written together.

Sums are kept by adding what a match comes to and taking the same away again. All of it follows from the log, the
details of matches and these statements alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import orjson

from service.store.categories import IS_RATED, RULINGS_SETTINGS, WITHOUT_RULINGS
from service.store.database import Connection
from service.store.ratings import POPULATIONS


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


_INSERT_MATCH: Final = f"""
INSERT INTO match_facts (match_id, game, edition, variant, players, category, visibility, played_at, venue, tags,
    left_out, results, features, amounts, opening, opening_wins)
SELECT match_id, game, edition, %(variant)s, %(players)s,
    %(category)s + CASE WHEN %(has_ruling)s THEN {WITHOUT_RULINGS} * array_position(
        ARRAY{list(RULINGS_SETTINGS)}, rulings_in_statistics
    ) ELSE 0 END,
    visibility, played_at, venue, tags,
    CASE WHEN withdrawn THEN 'withdrawn' ELSE coalesce(
        %(left_out)s::text, CASE WHEN rules_conflict IS NOT NULL THEN 'rules_conflict' END
    ) END,
    %(results)s, %(features)s, %(amounts)s, %(opening)s, %(opening_wins)s
FROM matches WHERE match_id = %(match_id)s AND status = 'finished'
"""
_INSERT_SEATS: Final = """
INSERT INTO seat_facts (match_id, position, player_id, game, edition, variant, players, category, visibility, played_at,
    tags, seat, mover, place, points, margin, wins, features, available, opponents, ahead)
SELECT f.match_id, s.position, s.player_id, f.game, f.edition, f.variant, f.players, f.category, f.visibility,
    f.played_at, f.tags, s.seat, s.mover, s.place, s.points, s.margin, s.wins, s.features, s.available, s.opponents,
    s.ahead
FROM match_facts f, json_to_recordset(%(seats)s) AS s (
    position smallint, player_id uuid, seat text, mover text, place smallint, points integer, margin integer,
    wins smallint, features bytea, available bytea, opponents uuid[], ahead smallint[]
)
WHERE f.match_id = %(match_id)s AND f.left_out IS NULL
"""
_INSERT_NODES: Final = """
INSERT INTO opening_nodes (game, node, parent, depth, step, number)
SELECT f.game, n.node, n.parent, n.depth, n.step, 0
FROM match_facts f, json_to_recordset(%(nodes)s) AS n (node bigint, parent bigint, depth smallint, step text)
WHERE f.match_id = %(match_id)s AND f.left_out IS NULL
ON CONFLICT DO NOTHING
"""

ALL_MONTHS: Final = "'-infinity'::date"
"""Under which sums over all times are kept beside those of each month."""
EVERY_TAG: Final = ""
"""Under which sums over all matches are kept beside those with each tag."""
_MONTHS: Final = f"""(
    SELECT unnest(ARRAY[{ALL_MONTHS}, date_trunc('month', m.played_at AT TIME ZONE 'UTC')::date]) AS month
)"""
_TAGS: Final = f"(SELECT DISTINCT unnest(array_prepend('{EVERY_TAG}', m.tags)) AS tag)"

POPULATION_CODES: Final = """
    SELECT coalesce(array_position(ARRAY['in_progress', 'abandoned', 'withdrawn', 'ruling', 'custom_edition',
        'rules_conflict'], left_out), 0) AS code, 0 AS amount"""
"""Facts from before categories say of rulings and editions that they are left out, until they are made anew."""
RESULT_CODES: Final = "SELECT unnest(m.results) AS code, 0 AS amount WHERE left_out IS NULL"
FEATURE_CODES: Final = "SELECT unnest(m.features) AS code, unnest(m.amounts) AS amount WHERE left_out IS NULL"
FAMILIES: Final = {"population": POPULATION_CODES, "results": RESULT_CODES, "features": FEATURE_CODES}
"""What is counted of the facts `m` of a match, as codes with amounts to be added up."""

_KEY: Final = "game, edition, variant, players, category, visibility"
_COUNTED: Final = f"{_KEY}, tag, family, month, code"
_WON: Final = f"{_KEY}, tag, month, player_id"
_SCORED: Final = f"{_KEY}, tag, player_id, points"
_FEATURED: Final = "game, player_id, edition, variant, players, category, visibility, code"
_OPENED: Final = f"{_KEY}, tag, month, node"

_TALLY: Final = f"""
WITH chosen AS MATERIALIZED (SELECT * FROM match_facts WHERE {{chosen}}),
seated AS MATERIALIZED (
    SELECT m.*, t.tag FROM seat_facts m CROSS JOIN LATERAL {_TAGS} AS t WHERE {{chosen}}
), counted AS (
    INSERT INTO tallies ({_COUNTED}, number, amount)
    SELECT {_COUNTED}, %(sign)s * count(*), %(sign)s * sum(amount)
    FROM chosen m CROSS JOIN LATERAL ({
    " UNION ALL ".join(f"SELECT '{family}' AS family, c.* FROM ({codes}) AS c" for family, codes in FAMILIES.items())
}) AS coded CROSS JOIN LATERAL {_TAGS} AS t CROSS JOIN LATERAL {_MONTHS} AS d
    GROUP BY {_COUNTED}
    ON CONFLICT ({_COUNTED}) DO UPDATE
        SET number = tallies.number + EXCLUDED.number, amount = tallies.amount + EXCLUDED.amount
), won AS (
    -- Made anew, sums of the same months are written side by side, as the table of players reads them.
    INSERT INTO player_tallies ({_WON}, number, wins, points, margin)
    SELECT {_WON}, %(sign)s * count(*), %(sign)s * sum(wins), %(sign)s * sum(points), %(sign)s * sum(margin)
    FROM seated m CROSS JOIN LATERAL {_MONTHS} AS d GROUP BY {_WON} ORDER BY {_WON}
    ON CONFLICT ({_WON}) DO UPDATE
        SET number = player_tallies.number + EXCLUDED.number, wins = player_tallies.wins + EXCLUDED.wins,
            points = player_tallies.points + EXCLUDED.points, margin = player_tallies.margin + EXCLUDED.margin
), scored AS (
    INSERT INTO player_points ({_SCORED}, number) SELECT {_SCORED}, %(sign)s * count(*) FROM seated GROUP BY {_SCORED}
    ON CONFLICT ({_SCORED}) DO UPDATE SET number = player_points.number + EXCLUDED.number
), featured AS (
    INSERT INTO player_features ({_FEATURED}, number, amount)
    SELECT {_FEATURED}, %(sign)s * count(*), %(sign)s * sum(amount)
    FROM (SELECT c.*, s.player_id FROM chosen c JOIN seat_facts s USING (match_id)) AS m
        CROSS JOIN LATERAL ({FEATURE_CODES}) AS coded
    GROUP BY {_FEATURED} ORDER BY {_FEATURED}
    ON CONFLICT ({_FEATURED}) DO UPDATE
        SET number = player_features.number + EXCLUDED.number, amount = player_features.amount + EXCLUDED.amount
), opened AS (
    SELECT m.*, o.node, o.wins
    FROM chosen m CROSS JOIN LATERAL unnest(m.opening, m.opening_wins) AS o (node, wins) WHERE left_out IS NULL
), gone AS (
    INSERT INTO opening_tallies ({_OPENED}, number, wins)
    SELECT {_OPENED}, %(sign)s * count(*), %(sign)s * sum(wins)
    FROM opened m CROSS JOIN LATERAL {_TAGS} AS t CROSS JOIN LATERAL {_MONTHS} AS d GROUP BY {_OPENED}
    ON CONFLICT ({_OPENED}) DO UPDATE
        SET number = opening_tallies.number + EXCLUDED.number, wins = opening_tallies.wins + EXCLUDED.wins
)
UPDATE opening_nodes n SET number = n.number + added.number
FROM (SELECT game, node, %(sign)s * count(*) AS number FROM opened GROUP BY game, node) AS added
WHERE n.game = added.game AND n.node = added.node
"""
_TALLY_ONE: Final = _TALLY.format(chosen="match_id = %(match_id)s")
_TALLY_ALL: Final = _TALLY.format(chosen="true")

_SWEEP: Final = f"""
WITH chosen AS MATERIALIZED (SELECT * FROM match_facts WHERE match_id = %(match_id)s),
counted AS (
    DELETE FROM tallies t USING chosen m CROSS JOIN LATERAL {_TAGS} AS g CROSS JOIN LATERAL {_MONTHS} AS d
    WHERE t.number = 0 AND t.game = m.game AND t.family = ANY(ARRAY['population', 'results', 'features'])
        AND t.tag = g.tag AND t.month = d.month AND t.edition = m.edition AND t.variant = m.variant
        AND t.players = m.players AND t.category = m.category AND t.visibility = m.visibility
), won AS (
    DELETE FROM player_tallies t USING seat_facts m CROSS JOIN LATERAL {_TAGS} AS g
    WHERE m.match_id = %(match_id)s AND t.number = 0 AND t.tag = g.tag AND t.game = m.game AND t.player_id = m.player_id
), scored AS (
    DELETE FROM player_points t USING seat_facts m CROSS JOIN LATERAL {_TAGS} AS g
    WHERE m.match_id = %(match_id)s AND t.number = 0 AND t.tag = g.tag AND t.game = m.game AND t.player_id = m.player_id
), featured AS (
    DELETE FROM player_features t USING seat_facts m
    WHERE m.match_id = %(match_id)s AND t.number = 0 AND t.game = m.game AND t.player_id = m.player_id
), gone AS (
    DELETE FROM opening_tallies t USING chosen m
    WHERE t.number = 0 AND t.game = m.game AND t.node = ANY(m.opening)
)
DELETE FROM opening_nodes n USING chosen m WHERE n.number = 0 AND n.game = m.game AND n.node = ANY(m.opening)
"""
_MARK: Final = f"""
INSERT INTO rating_marks (mark_id, population, game, played_at)
SELECT gen_random_uuid(), population, game, played_at
FROM match_facts m CROSS JOIN LATERAL {POPULATIONS} AS p
WHERE match_id = %(match_id)s AND left_out IS NULL AND {IS_RATED}
"""


def lock(connection: Connection) -> None:
    """Keep others from changing facts until the end of the transaction, so that sums are added to in one order."""
    connection.execute("SELECT pg_advisory_xact_lock(hashtext('carnet statistics'))")


def replace(connection: Connection, match_id: UUID, facts: MatchFacts) -> None:
    """Let this be what statistics know of a match, if it is finished, and let all sums follow."""
    lock(connection)
    one = {"match_id": match_id}
    known = connection.execute("SELECT FROM match_facts WHERE match_id = %(match_id)s", one).rowcount
    with connection.pipeline():
        if known:
            connection.execute(_MARK, one)
            connection.execute(_TALLY_ONE, {**one, "sign": -1})
            connection.execute(_SWEEP, one)
            _remove(connection, match_id)
        _insert(connection, match_id, facts)
        connection.execute(_TALLY_ONE, {**one, "sign": 1})
        connection.execute(_MARK, one)


def rewrite(connection: Connection, match_id: UUID, facts: MatchFacts) -> None:
    """Let this be what statistics know of a match; the sums are made anew when all matches are done."""
    lock(connection)
    _remove(connection, match_id)
    _insert(connection, match_id, facts)


def _remove(connection: Connection, match_id: UUID) -> None:
    connection.execute("DELETE FROM seat_facts WHERE match_id = %s", (match_id,))
    connection.execute("DELETE FROM match_facts WHERE match_id = %s", (match_id,))


def _insert(connection: Connection, match_id: UUID, facts: MatchFacts) -> None:
    values = {
        "match_id": match_id,
        "variant": facts.variant,
        "players": facts.players,
        "category": facts.category,
        "has_ruling": facts.has_ruling,
        "left_out": facts.left_out,
        "results": list(facts.results),
        "features": list(facts.features),
        "amounts": list(facts.amounts),
        "opening": [opened.node for opened in facts.opening],
        "opening_wins": [opened.wins for opened in facts.opening],
        "seats": _json([_seat(position, facts.seats) for position in range(len(facts.seats))]),
        "nodes": _json(facts.opening),
    }
    connection.execute(_INSERT_MATCH, values)
    connection.execute(_INSERT_SEATS, values)
    connection.execute(_INSERT_NODES, values)


def sum_up(connection: Connection) -> None:
    """Make all sums anew from the facts of all matches, whose nodes in the tree of openings are there."""
    lock(connection)
    for table in ("tallies", "player_tallies", "player_points", "player_features", "opening_tallies"):
        connection.execute(f"DELETE FROM {table}".encode())
    connection.execute("UPDATE opening_nodes SET number = 0 WHERE number <> 0")
    connection.execute(_TALLY_ALL, {"sign": 1})
    connection.execute("DELETE FROM opening_nodes WHERE number = 0")


def note_variant(connection: Connection, match_id: UUID, variant: str) -> None:
    """Note the variant of a match in its row, where those that do not count are found too."""
    connection.execute(
        "UPDATE matches SET variant = %(variant)s WHERE match_id = %(id)s AND variant IS DISTINCT FROM %(variant)s",
        {"variant": variant, "id": match_id},
    )


def mark_players(connection: Connection, player_ids: Sequence[UUID]) -> None:
    """Note that ratings are out of date from the first matches of some players on, who have become others."""
    connection.execute(
        f"""
        INSERT INTO rating_marks (mark_id, population, game, played_at)
        SELECT gen_random_uuid(), population, game, min(played_at)
        FROM seat_facts m CROSS JOIN LATERAL {POPULATIONS} AS p WHERE player_id = ANY(%s) AND {IS_RATED}
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
    said = {name: getattr(seat, name) for name in ("seat", "player_id", "mover", "place", "points", "margin", "wins")}
    numbers = {name: f"\\x{bytes(getattr(seat, name)).hex()}" for name in ("features", "available")}
    return {"position": position, **said, **numbers, "opponents": opponents, "ahead": ahead}


def _json(value: object) -> str:
    return orjson.dumps(value).decode()
