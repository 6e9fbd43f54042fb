"""Matches that the present rules no longer take as they were recorded."""

from alembic import op

revision = "0002"
down_revision = "0001"

UP = """
ALTER TABLE matches ADD COLUMN rules_conflict jsonb, ADD COLUMN left_out text;
"""

DOWN = """
ALTER TABLE matches DROP COLUMN rules_conflict, DROP COLUMN left_out;
"""


def upgrade() -> None:
    op.execute(UP)


def downgrade() -> None:
    op.execute(DOWN)
