"""Events without a look-up of their match: the statement that adds them takes its id from the row that it changes."""

from alembic import op

revision = "0009"
down_revision = "0008"

UP = "ALTER TABLE events DROP CONSTRAINT events_match_id_fkey"
DOWN = "ALTER TABLE events ADD FOREIGN KEY (match_id) REFERENCES matches"


def upgrade() -> None:
    op.execute(UP)


def downgrade() -> None:
    op.execute(DOWN)
