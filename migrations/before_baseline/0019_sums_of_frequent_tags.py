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


def upgrade() -> None:
    op.execute(UP)
