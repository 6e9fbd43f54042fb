"""Indexes from which the sums of all players and the matches of a venue or an owner are read without their rows.

The sums of 20,000 players over all times lie anywhere among those of each month and tag: 188,000 pages were read, and
are read as 2,600 of the index. The 29,000 matches of a club among a million lie on 23,000 pages of facts, and take 385;
the 5,000 of an owner lie on 4,900 pages, and take 49.
"""

from alembic import op

revision = "0030"
down_revision = "0029"

INDEXES = """
ALTER TABLE player_tallies DROP CONSTRAINT player_tallies_pkey;
ALTER TABLE player_tallies ADD PRIMARY KEY (
    tag, month, game, player_id, edition, variant, players, category, visibility
) INCLUDE (number, wins, points, margin);

DROP INDEX match_facts_by_venue;
CREATE INDEX match_facts_by_venue ON match_facts (venue, played_at)
    INCLUDE (match_id, game, edition, variant, players, category, visibility)
    WHERE venue IS NOT NULL AND left_out IS NULL;

DROP INDEX matches_by_owner;
CREATE INDEX matches_by_owner ON matches (owner_id, visibility, withdrawn) INCLUDE (match_id);
"""


def upgrade() -> None:
    op.execute(INDEXES)
