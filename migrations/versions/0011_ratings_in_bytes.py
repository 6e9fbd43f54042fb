"""The history of ratings in bytes, which are written several times as fast; made anew, to the last bit."""

from alembic import op

revision = "0011"
down_revision = "0010"

MARK = """
INSERT INTO rating_marks (mark_id, game, played_at)
SELECT gen_random_uuid(), game, min(played_at) FROM seat_facts GROUP BY game;
"""
UP = f"""
TRUNCATE rating_history;
ALTER TABLE rating_history DROP match_ids, DROP played_at, DROP mus, DROP sigmas, ADD lines bytea NOT NULL;
{MARK}
"""
DOWN = f"""
TRUNCATE rating_history;
ALTER TABLE rating_history DROP lines, ADD match_ids uuid[] NOT NULL, ADD played_at timestamptz[] NOT NULL,
    ADD mus double precision[] NOT NULL, ADD sigmas double precision[] NOT NULL;
{MARK}
"""


def upgrade() -> None:
    op.execute(UP)


def downgrade() -> None:
    op.execute(DOWN)
