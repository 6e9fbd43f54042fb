"""Marks of ratings by population, so that those of one do not tell of matches that are not in it."""

from alembic import op

revision = "0014"
down_revision = "0013"

# Which matches the present marks are about is not known, so they stand for both populations.
UP = """
ALTER TABLE rating_marks ADD population text;
INSERT INTO rating_marks (mark_id, population, game, played_at)
SELECT gen_random_uuid(), 'club', game, played_at FROM rating_marks;
UPDATE rating_marks SET population = 'public' WHERE population IS NULL;
ALTER TABLE rating_marks ALTER population SET NOT NULL;
"""


def upgrade() -> None:
    op.execute(UP)
