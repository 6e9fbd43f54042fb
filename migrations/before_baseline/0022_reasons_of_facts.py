"""Why a match does not count, which stands in its facts alone."""

from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.execute("ALTER TABLE matches DROP left_out")
