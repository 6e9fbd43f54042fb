"""Sums of what features came to in the matches of each player, so that they need not be counted match by match."""

from alembic import op

revision = "0010"
down_revision = "0009"

UP = """
CREATE TABLE player_features (
    game text NOT NULL,
    player_id uuid NOT NULL REFERENCES players,
    edition text NOT NULL,
    variant text NOT NULL,
    visibility text NOT NULL,
    players smallint NOT NULL,
    code integer NOT NULL,
    number integer NOT NULL,
    amount bigint NOT NULL,
    PRIMARY KEY (game, player_id, edition, variant, visibility, players, code)
);
INSERT INTO player_features (game, player_id, edition, variant, visibility, players, code, number, amount)
SELECT m.game, s.player_id, m.edition, m.variant, m.visibility, m.players, c.code, count(*), sum(c.amount)
FROM match_facts m JOIN seat_facts s USING (match_id)
    CROSS JOIN LATERAL unnest(m.features, m.amounts) AS c (code, amount)
WHERE m.left_out IS NULL
GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7;
"""
DOWN = "DROP TABLE player_features"


def upgrade() -> None:
    op.execute(UP)


def downgrade() -> None:
    op.execute(DOWN)
