"""Indexes for archives of a million matches: what is counted at each start, and lists by status or venue."""

from alembic import op

revision = "0026"
down_revision = "0025"

INDEXES = """
-- Counted at each start: matches by other rules than the present ones, and public ones that belong to nobody.
CREATE INDEX matches_by_rules ON matches (game, rules_version);
DROP INDEX matches_by_owner;
CREATE INDEX matches_by_owner ON matches (owner_id, visibility, withdrawn);
-- Few matches are not finished, and of some games none: a list in order of dates finds them late or never.
CREATE INDEX matches_by_status ON matches (status, game, played_at DESC, match_id DESC) WHERE status <> 'finished';
-- Most venues are named by few matches, which the list in order of dates finds late or never.
CREATE INDEX matches_by_venue ON matches (venue, played_at DESC, match_id DESC) WHERE venue IS NOT NULL;
"""


def upgrade() -> None:
    op.execute(INDEXES)
