"""Of the tree of openings only the nodes that five matches went through, and sums of its root."""

from alembic import op

revision = "0021"
down_revision = "0020"

UP = """
CREATE INDEX match_facts_by_opening ON match_facts USING gin (opening) WITH (fastupdate = off);
DELETE FROM opening_nodes WHERE number < 5;
DELETE FROM opening_tallies t
WHERE NOT EXISTS (SELECT FROM opening_nodes n WHERE n.game = t.game AND n.node = t.node);
INSERT INTO opening_tallies (game, edition, variant, players, category, visibility, tag, month, node, number, wins)
SELECT m.game, m.edition, m.variant, m.players, m.category, m.visibility, t.tag, d.month, 0, count(*), 0
FROM match_facts m CROSS JOIN LATERAL (
    SELECT '' AS tag UNION ALL SELECT tag FROM tag_counts WHERE number >= 20 AND tag = ANY(m.tags)
) AS t CROSS JOIN LATERAL (
    SELECT unnest(ARRAY['-infinity'::date, date_trunc('month', m.played_at AT TIME ZONE 'UTC')::date]) AS month
) AS d
WHERE m.left_out IS NULL AND cardinality(m.opening) > 0
GROUP BY m.game, m.edition, m.variant, m.players, m.category, m.visibility, t.tag, d.month;
"""


def upgrade() -> None:
    op.execute(UP)
