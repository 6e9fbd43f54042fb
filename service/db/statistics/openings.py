"""The tree of openings."""

from dataclasses import dataclass
from typing import Final

from service.db.categories import Figures
from service.db.facts import ALL_MONTHS, EVERY_TAG, MIN_MATCHES_OF_NODE
from service.db.pool import Connection
from service.db.statistics.filters import FactFilters


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the tree of openings, with the matches that went through it and what its movers won."""

    node: int
    parent: int
    depth: int
    step: str
    number: int
    wins: int


def opening_tree(
    connection: Connection, filters: FactFilters, under: int, above: int, depth: int
) -> tuple[int, list[Node]]:
    """How many matches went through a node of some depth, and the nodes below it, down to another depth.

    Those that few matches went through are left out; the most frequent ones come first.
    """
    filters = filters.of(Figures.PLAY)
    values = {**filters.values, "under": under, "above": above, "depth": depth, "fewest": MIN_MATCHES_OF_NODE}
    tree = {row["node"]: row for row in connection.execute(_TREE, values)}
    values["nodes"] = list(tree)
    # A match went through one node of each depth, and has them in this order.
    steps = "unnest(m.opening[%(above)s + 1:%(depth)s], m.opening_wins[%(above)s + 1:%(depth)s]) AS o (node, wins)"
    passes = "m.opening @> ARRAY[%(under)s::bigint]" if under else "cardinality(m.opening) > 0"
    if filters.is_summed:
        opened = ""
        through = f"""
            SELECT sum(number) FROM (
                SELECT sum(m.number) AS number FROM opening_tallies m
                WHERE m.game = %(game)s AND m.node = %(under)s AND {filters.of_sums()}
                UNION ALL SELECT sum({filters.sign}) AS number FROM match_facts m
                WHERE m.left_out IS NULL AND {passes} AND {filters.of_edges()}
            ) AS parts
        """
        source = f"""
            SELECT m.node, m.number, m.wins FROM opening_tallies m
            WHERE m.game = %(game)s AND m.node = ANY(%(nodes)s::bigint[]) AND {filters.of_sums()}
            UNION ALL SELECT o.node, s.sign, s.sign * o.wins
            FROM match_facts m CROSS JOIN LATERAL {steps} CROSS JOIN LATERAL (SELECT {filters.sign} AS sign) AS s
            WHERE m.left_out IS NULL AND {filters.of_edges()}
        """
    else:
        matches = f"match_facts m WHERE {filters.of_counted()}"
        if filters.is_of_seats:
            matches = f"{filters.matches()} JOIN match_facts f USING (match_id)"
        opened = f"WITH opened AS MATERIALIZED (SELECT opening, opening_wins FROM {matches})"
        through = f"SELECT count(*) FROM opened m WHERE {passes}"
        source = f"SELECT o.node, 1 AS number, o.wins FROM opened m CROSS JOIN LATERAL {steps}"
    rows = connection.execute(
        f"""
        {opened}
        SELECT %(under)s::bigint AS node, ({through})::integer AS number, 0 AS wins
        UNION ALL (
            SELECT node, sum(number)::integer, sum(wins)::integer FROM ({source}) AS parts
            GROUP BY node HAVING sum(number) >= %(fewest)s ORDER BY sum(number) DESC, node
        )
        """,
        values,
    )
    top, *below = rows
    return top["number"] or 0, [Node(**{**tree[row["node"]], **row}) for row in below if row["node"] in tree]


# A statement of its own: where matches are on several servers, these cannot follow the tree.
_TREE: Final = """
WITH RECURSIVE tree AS (
    SELECT node, parent, depth, step FROM opening_nodes WHERE game = %(game)s AND parent = %(under)s
    UNION ALL
    SELECT n.* FROM tree CROSS JOIN LATERAL (
        SELECT node, parent, depth, step FROM opening_nodes n
        WHERE n.game = %(game)s AND n.parent = tree.node OFFSET 0
    ) AS n WHERE tree.depth < %(depth)s
)
SELECT * FROM tree
"""
# OFFSET 0 lets the server look node by node, of which there are few, and not at all nodes of the game.


def opening_depth(connection: Connection, filters: FactFilters, node: int) -> int | None:
    """The depth of a node of the tree of openings, if enough matches of the population went through it.

    A node says how a match began, and is kept for the sake of all matches, so one of too few in the population must be
    like one of none, in what it takes to answer too.
    """
    population = filters.of_population()
    if filters.population is not None:
        number = f"""
            SELECT sum(m.number) FROM opening_tallies m WHERE m.game = %(game)s AND m.node = %(node)s
                AND m.tag = '{EVERY_TAG}' AND m.month = {ALL_MONTHS} AND {population}
        """
    else:
        number = f"""
            SELECT count(*) FROM match_facts m
            WHERE m.game = %(game)s AND m.opening @> ARRAY[%(node)s::bigint] AND m.left_out IS NULL AND {population}
        """
    row = connection.execute(
        f"SELECT depth FROM opening_nodes n WHERE n.game = %(game)s AND n.node = %(node)s AND ({number}) >= %(fewest)s",
        {**filters.values, "node": node, "fewest": MIN_MATCHES_OF_NODE},
    ).fetchone()
    return None if row is None else int(row["depth"])
