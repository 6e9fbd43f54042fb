"""Who made an edition, and the matches that are played with such editions."""

from alembic import op

revision = "0013"
down_revision = "0012"

UP = """
ALTER TABLE editions ADD owner_id uuid REFERENCES accounts;
CREATE INDEX editions_by_owner ON editions (owner_id, edition_id);
CREATE INDEX matches_by_custom_edition ON matches (edition) WHERE length(edition) = 36;
"""


def upgrade() -> None:
    op.execute(UP)
