"""Sums with each tag beside those over all matches, and over all times beside those by month; what players had."""

from alembic import op

revision = "0007"
down_revision = "0006"

# What sums add up, as it was when they came to be; the service has its own words for it.
REMAKE = """
INSERT INTO tallies (game, family, tag, month, edition, variant, players, visibility, code, number, amount)
SELECT m.game, c.family, t.tag, d.month, m.edition, m.variant, m.players, m.visibility, c.code, count(*), sum(c.amount)
FROM match_facts m
    CROSS JOIN LATERAL (SELECT DISTINCT unnest(array_prepend('', m.tags)) AS tag) AS t
    CROSS JOIN LATERAL (
        SELECT unnest(ARRAY['-infinity'::date, date_trunc('month', m.played_at AT TIME ZONE 'UTC')::date]) AS month
    ) AS d
    CROSS JOIN LATERAL (
        SELECT 'population' AS family, coalesce(array_position(ARRAY['in_progress', 'abandoned', 'withdrawn', 'ruling',
            'custom_edition', 'rules_conflict'], m.left_out), 0) AS code, 0 AS amount
        UNION ALL SELECT 'results', unnest(m.results), 0 WHERE m.left_out IS NULL
        UNION ALL SELECT 'features', unnest(m.features), unnest(m.amounts) WHERE m.left_out IS NULL
    ) AS c
GROUP BY m.game, c.family, t.tag, d.month, m.edition, m.variant, m.players, m.visibility, c.code;

INSERT INTO player_tallies (tag, month, game, player_id, edition, variant, players, visibility, number, wins, points,
    margin)
SELECT t.tag, d.month, m.game, m.player_id, m.edition, m.variant, m.players, m.visibility, count(*), sum(m.wins),
    sum(m.points), sum(m.margin)
FROM seat_facts m
    CROSS JOIN LATERAL (SELECT DISTINCT unnest(array_prepend('', m.tags)) AS tag) AS t
    CROSS JOIN LATERAL (
        SELECT unnest(ARRAY['-infinity'::date, date_trunc('month', m.played_at AT TIME ZONE 'UTC')::date]) AS month
    ) AS d
GROUP BY t.tag, d.month, m.game, m.player_id, m.edition, m.variant, m.players, m.visibility;

INSERT INTO player_points (tag, game, player_id, edition, variant, visibility, points, number)
SELECT t.tag, m.game, m.player_id, m.edition, m.variant, m.visibility, m.points, count(*)
FROM seat_facts m CROSS JOIN LATERAL (SELECT DISTINCT unnest(array_prepend('', m.tags)) AS tag) AS t
GROUP BY t.tag, m.game, m.player_id, m.edition, m.variant, m.visibility, m.points;

INSERT INTO opening_tallies (game, node, tag, month, edition, variant, visibility, number, wins)
SELECT m.game, o.node, t.tag, d.month, m.edition, m.variant, m.visibility, count(*), sum(o.wins)
FROM match_facts m
    CROSS JOIN LATERAL unnest(m.opening, m.opening_wins) AS o (node, wins)
    CROSS JOIN LATERAL (SELECT DISTINCT unnest(array_prepend('', m.tags)) AS tag) AS t
    CROSS JOIN LATERAL (
        SELECT unnest(ARRAY['-infinity'::date, date_trunc('month', m.played_at AT TIME ZONE 'UTC')::date]) AS month
    ) AS d
WHERE m.left_out IS NULL
GROUP BY m.game, o.node, t.tag, d.month, m.edition, m.variant, m.visibility;
"""

UP = """
ALTER TABLE seat_facts ADD tags text[], ADD available smallint[];
UPDATE seat_facts s SET tags = m.tags, available = ARRAY(SELECT code >> 16 FROM unnest(m.features) AS code ORDER BY 1)
FROM match_facts m WHERE m.match_id = s.match_id;
ALTER TABLE seat_facts ALTER tags SET NOT NULL, ALTER available SET NOT NULL;

ALTER TABLE seat_facts DROP CONSTRAINT seat_facts_pkey,
    ADD PRIMARY KEY (match_id, position) INCLUDE (player_id, players, place, points, margin, wins, played_at);
DROP INDEX seat_facts_by_player, seat_facts_by_date;
CREATE INDEX seat_facts_by_player ON seat_facts (player_id, played_at, match_id)
    INCLUDE (game, edition, variant, visibility, players, position, place, points, wins);
CREATE INDEX seat_facts_by_date ON seat_facts (played_at, match_id, position)
    INCLUDE (player_id, place, game, visibility);
CREATE INDEX match_facts_left_out ON match_facts (match_id) WHERE left_out IS NOT NULL;

-- What is rated sits in matches, which have looked that up; ratings are made anew by the hundred thousand.
ALTER TABLE rating_history DROP CONSTRAINT rating_history_player_id_fkey;

TRUNCATE tallies, player_tallies, player_points, opening_tallies;
ALTER TABLE tallies DROP CONSTRAINT tallies_pkey, ADD tag text NOT NULL,
    ADD PRIMARY KEY (game, family, tag, month, edition, variant, players, visibility, code);
ALTER TABLE player_tallies DROP CONSTRAINT player_tallies_pkey, ADD tag text NOT NULL, ADD month date NOT NULL,
    ADD PRIMARY KEY (tag, month, game, player_id, edition, variant, players, visibility);
ALTER TABLE player_points DROP CONSTRAINT player_points_pkey, ADD tag text NOT NULL,
    ADD PRIMARY KEY (tag, game, player_id, edition, variant, visibility, points);
ALTER TABLE opening_tallies DROP CONSTRAINT opening_tallies_pkey, ADD tag text NOT NULL,
    ADD PRIMARY KEY (game, node, tag, month, edition, variant, visibility);
"""

DOWN = """
DELETE FROM tallies WHERE tag <> '' OR month = '-infinity';
DELETE FROM player_tallies WHERE tag <> '' OR month <> '-infinity';
DELETE FROM player_points WHERE tag <> '';
DELETE FROM opening_tallies WHERE tag <> '' OR month = '-infinity';
ALTER TABLE tallies DROP CONSTRAINT tallies_pkey, DROP tag,
    ADD PRIMARY KEY (game, family, edition, variant, players, visibility, month, code);
ALTER TABLE player_tallies DROP CONSTRAINT player_tallies_pkey, DROP tag, DROP month,
    ADD PRIMARY KEY (game, player_id, edition, variant, players, visibility);
ALTER TABLE player_points DROP CONSTRAINT player_points_pkey, DROP tag,
    ADD PRIMARY KEY (game, player_id, edition, variant, visibility, points);
ALTER TABLE opening_tallies DROP CONSTRAINT opening_tallies_pkey, DROP tag,
    ADD PRIMARY KEY (game, node, edition, variant, visibility, month);
ALTER TABLE seat_facts DROP CONSTRAINT seat_facts_pkey,
    ADD PRIMARY KEY (match_id, position) INCLUDE (player_id, players, wins, points, margin, played_at);
DROP INDEX seat_facts_by_player, seat_facts_by_date, match_facts_left_out;
CREATE INDEX seat_facts_by_player ON seat_facts (player_id, played_at, match_id);
CREATE INDEX seat_facts_by_date ON seat_facts (played_at)
    INCLUDE (game, player_id, edition, variant, visibility, players, wins, points, margin);
ALTER TABLE seat_facts DROP tags, DROP available;
ALTER TABLE rating_history ADD FOREIGN KEY (player_id) REFERENCES players;
"""


def upgrade() -> None:
    op.execute(UP)
    op.execute(REMAKE)


def downgrade() -> None:
    op.execute(DOWN)
