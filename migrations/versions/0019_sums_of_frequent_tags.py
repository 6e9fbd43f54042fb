"""Sums with a tag from its twentieth match on, and numbers of matches by tag."""

from alembic import op

revision = "0019"
down_revision = "0018"

UP = """
CREATE TABLE tag_counts (tag text PRIMARY KEY, number integer NOT NULL);
INSERT INTO tag_counts (tag, number)
SELECT tag, count(*) FROM match_facts CROSS JOIN LATERAL unnest(tags) AS tag GROUP BY tag;
DELETE FROM tallies WHERE tag IN (SELECT tag FROM tag_counts WHERE number < 20);
DELETE FROM player_tallies WHERE tag IN (SELECT tag FROM tag_counts WHERE number < 20);
DELETE FROM player_points WHERE tag IN (SELECT tag FROM tag_counts WHERE number < 20);
DELETE FROM opening_tallies WHERE tag IN (SELECT tag FROM tag_counts WHERE number < 20);
"""

MONTHS = """(
    SELECT unnest(ARRAY['-infinity'::date, date_trunc('month', m.played_at AT TIME ZONE 'UTC')::date]) AS month
) AS d"""
RARE = "(SELECT tag FROM tag_counts WHERE number < 20 AND tag = ANY(m.tags)) AS t"
KEY = "m.game, m.edition, m.variant, m.players, m.category, m.visibility, t.tag"
DOWN = f"""
INSERT INTO tallies (game, edition, variant, players, category, visibility, tag, month, family, code, number, amount)
SELECT {KEY}, d.month, c.family, c.code, count(*), sum(c.amount)
FROM match_facts m CROSS JOIN LATERAL {RARE} CROSS JOIN LATERAL {MONTHS}
    CROSS JOIN LATERAL (
        SELECT 'population' AS family, coalesce(array_position(ARRAY['in_progress', 'abandoned', 'withdrawn', 'ruling',
            'custom_edition', 'rules_conflict'], m.left_out), 0) AS code, 0 AS amount
        UNION ALL SELECT 'results', unnest(m.results), 0 WHERE m.left_out IS NULL
        UNION ALL SELECT 'features', unnest(m.features), unnest(m.amounts) WHERE m.left_out IS NULL
    ) AS c
GROUP BY {KEY}, d.month, c.family, c.code;
INSERT INTO player_tallies (game, edition, variant, players, category, visibility, tag, month, player_id, number, wins,
    points, margin)
SELECT {KEY}, d.month, m.player_id, count(*), sum(m.wins), sum(m.points), sum(m.margin)
FROM seat_facts m CROSS JOIN LATERAL {RARE} CROSS JOIN LATERAL {MONTHS} GROUP BY {KEY}, d.month, m.player_id;
INSERT INTO player_points (game, edition, variant, players, category, visibility, tag, player_id, points, number)
SELECT {KEY}, m.player_id, m.points, count(*)
FROM seat_facts m CROSS JOIN LATERAL {RARE} GROUP BY {KEY}, m.player_id, m.points;
INSERT INTO opening_tallies (game, edition, variant, players, category, visibility, tag, month, node, number, wins)
SELECT {KEY}, d.month, o.node, count(*), sum(o.wins)
FROM match_facts m CROSS JOIN LATERAL unnest(m.opening, m.opening_wins) AS o (node, wins)
    CROSS JOIN LATERAL {RARE} CROSS JOIN LATERAL {MONTHS}
WHERE m.left_out IS NULL GROUP BY {KEY}, d.month, o.node;
DROP TABLE tag_counts;
"""  # noqa: S608 -- it is made of constants


def upgrade() -> None:
    op.execute(UP)


def downgrade() -> None:
    op.execute(DOWN)
