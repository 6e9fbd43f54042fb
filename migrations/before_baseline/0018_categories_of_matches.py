"""Categories of matches in statistics: corrected editions, table rulings, results without moves; numbers of players."""

from alembic import op

revision = "0018"
down_revision = "0017"

COLUMNS = "game, edition, variant, players, category, visibility"
KEY = "m.game, m.edition, m.variant, m.players, m.category, m.visibility"
TAGS = "(SELECT DISTINCT unnest(array_prepend('', m.tags)) AS tag) AS t"
MONTHS = """(
    SELECT unnest(ARRAY['-infinity'::date, date_trunc('month', m.played_at AT TIME ZONE 'UTC')::date]) AS month
) AS d"""

# All sums as they were added up when this came to be; the service has its own words for it.
SUMS = f"""
INSERT INTO tallies ({COLUMNS}, tag, month, family, code, number, amount)
SELECT {KEY}, t.tag, d.month, c.family, c.code, count(*), sum(c.amount)
FROM match_facts m CROSS JOIN LATERAL {TAGS} CROSS JOIN LATERAL {MONTHS}
    CROSS JOIN LATERAL (
        SELECT 'population' AS family, coalesce(array_position(ARRAY['in_progress', 'abandoned', 'withdrawn', 'ruling',
            'custom_edition', 'rules_conflict'], m.left_out), 0) AS code, 0 AS amount
        UNION ALL SELECT 'results', unnest(m.results), 0 WHERE m.left_out IS NULL
        UNION ALL SELECT 'features', unnest(m.features), unnest(m.amounts) WHERE m.left_out IS NULL
    ) AS c
GROUP BY {KEY}, t.tag, d.month, c.family, c.code;

INSERT INTO player_tallies ({COLUMNS}, tag, month, player_id, number, wins, points, margin)
SELECT {KEY}, t.tag, d.month, m.player_id, count(*), sum(m.wins), sum(m.points), sum(m.margin)
FROM seat_facts m CROSS JOIN LATERAL {TAGS} CROSS JOIN LATERAL {MONTHS}
GROUP BY {KEY}, t.tag, d.month, m.player_id;

INSERT INTO player_points ({COLUMNS}, tag, player_id, points, number)
SELECT {KEY}, t.tag, m.player_id, m.points, count(*)
FROM seat_facts m CROSS JOIN LATERAL {TAGS}
GROUP BY {KEY}, t.tag, m.player_id, m.points;

INSERT INTO player_features ({COLUMNS}, player_id, code, number, amount)
SELECT {KEY}, s.player_id, c.code, count(*), sum(c.amount)
FROM match_facts m JOIN seat_facts s USING (match_id)
    CROSS JOIN LATERAL unnest(m.features, m.amounts) AS c (code, amount)
WHERE m.left_out IS NULL
GROUP BY {KEY}, s.player_id, c.code;

INSERT INTO opening_tallies ({COLUMNS}, tag, month, node, number, wins)
SELECT {KEY}, t.tag, d.month, o.node, count(*), sum(o.wins)
FROM match_facts m CROSS JOIN LATERAL unnest(m.opening, m.opening_wins) AS o (node, wins)
    CROSS JOIN LATERAL {TAGS} CROSS JOIN LATERAL {MONTHS}
WHERE m.left_out IS NULL
GROUP BY {KEY}, t.tag, d.month, o.node;
"""  # noqa: S608 -- it is made of constants


UP = """
ALTER TABLE matches ADD rulings_in_statistics text NOT NULL DEFAULT 'results';
ALTER TABLE match_details ADD rulings_in_statistics text NOT NULL DEFAULT 'results';
DROP INDEX matches_not_finished;
CREATE INDEX matches_not_finished ON matches (game, visibility, played_at) WHERE status <> 'finished';

-- Matches with rulings or editions of users stay left out until `carnet rebuild` has read their logs.
ALTER TABLE match_facts ADD category smallint;
UPDATE match_facts SET category = (results <> '{}' AND features = '{}' AND opening = '{}')::integer;
ALTER TABLE match_facts ALTER category SET NOT NULL;
ALTER TABLE seat_facts ADD category smallint;
UPDATE seat_facts s SET category = m.category FROM match_facts m WHERE m.match_id = s.match_id;
ALTER TABLE seat_facts ALTER category SET NOT NULL, DROP CONSTRAINT seat_facts_pkey,
    ADD PRIMARY KEY (match_id, position) INCLUDE (player_id, players, category, place, points, margin, wins, played_at);
DROP INDEX seat_facts_by_player, seat_facts_by_date;
CREATE INDEX seat_facts_by_player ON seat_facts (player_id, played_at, match_id)
    INCLUDE (game, edition, variant, visibility, players, category, position, seat, mover, place, points, margin, wins,
        features, available, opponents, ahead);
CREATE INDEX seat_facts_by_date ON seat_facts (played_at, match_id, position)
    INCLUDE (player_id, place, game, visibility, category);

TRUNCATE tallies, player_tallies, player_points, player_features, opening_tallies;
ALTER TABLE tallies DROP CONSTRAINT tallies_pkey, ADD category smallint NOT NULL,
    ADD PRIMARY KEY (game, family, tag, month, edition, variant, players, category, visibility, code);
ALTER TABLE player_tallies DROP CONSTRAINT player_tallies_pkey, ADD category smallint NOT NULL,
    ADD PRIMARY KEY (tag, month, game, player_id, edition, variant, players, category, visibility);
ALTER TABLE player_points DROP CONSTRAINT player_points_pkey, ADD players smallint NOT NULL,
    ADD category smallint NOT NULL,
    ADD PRIMARY KEY (tag, game, player_id, edition, variant, players, category, visibility, points);
ALTER TABLE player_features DROP CONSTRAINT player_features_pkey, ADD category smallint NOT NULL,
    ADD PRIMARY KEY (game, player_id, edition, variant, players, category, visibility, code);
ALTER TABLE opening_tallies DROP CONSTRAINT opening_tallies_pkey, ADD players smallint NOT NULL,
    ADD category smallint NOT NULL,
    ADD PRIMARY KEY (game, node, tag, month, edition, variant, players, category, visibility);
"""


def upgrade() -> None:
    op.execute(UP)
    op.execute(SUMS)
