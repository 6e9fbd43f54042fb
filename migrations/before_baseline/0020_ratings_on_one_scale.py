"""All ratings computed anew: with the month of each player's last match, and what they predicted of matches."""

from alembic import op

revision = "0020"
down_revision = "0019"

UP = """
TRUNCATE ratings, rating_history, rating_runs, rating_marks;
INSERT INTO rating_marks (mark_id, population, game, played_at)
SELECT gen_random_uuid(), population, game, min(played_at)
FROM seat_facts CROSS JOIN LATERAL (
    SELECT 'public' AS population WHERE visibility = 'public'
    UNION ALL SELECT 'club' WHERE visibility IN ('public', 'club')
) AS p GROUP BY population, game;
ALTER TABLE ratings ADD month date NOT NULL;
CREATE TABLE rating_forecasts (
    population text NOT NULL,
    scope text NOT NULL,
    month date NOT NULL,
    players smallint NOT NULL,
    percent smallint NOT NULL,
    matches integer NOT NULL,
    predicted double precision NOT NULL,
    won double precision NOT NULL,
    loss double precision NOT NULL,
    squares double precision NOT NULL,
    PRIMARY KEY (population, scope, month, players, percent)
);
"""


def upgrade() -> None:
    op.execute(UP)
