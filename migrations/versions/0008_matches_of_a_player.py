"""All that is asked of the seats of a player in one index: what he had in bytes, and whom he met."""

from alembic import op

revision = "0008"
down_revision = "0007"

UP = """
DROP INDEX seat_facts_by_player;
ALTER TABLE seat_facts RENAME features TO features_before;
ALTER TABLE seat_facts RENAME available TO available_before;
ALTER TABLE seat_facts ADD features bytea, ADD available bytea, ADD opponents uuid[], ADD ahead smallint[];
UPDATE seat_facts s SET
    features = (
        SELECT coalesce(string_agg(decode(lpad(to_hex(f.number::integer), 2, '0'), 'hex'), '' ORDER BY f.place), '')
        FROM unnest(s.features_before) WITH ORDINALITY AS f (number, place)
    ),
    available = (
        SELECT coalesce(string_agg(decode(lpad(to_hex(f.number::integer), 2, '0'), 'hex'), '' ORDER BY f.place), '')
        FROM unnest(s.available_before) WITH ORDINALITY AS f (number, place)
    ),
    opponents = ARRAY(
        SELECT o.player_id FROM seat_facts o WHERE o.match_id = s.match_id AND o.position <> s.position
        ORDER BY o.position
    ),
    ahead = ARRAY(
        SELECT 1 + sign(o.place - s.place)::smallint FROM seat_facts o
        WHERE o.match_id = s.match_id AND o.position <> s.position ORDER BY o.position
    );
ALTER TABLE seat_facts DROP features_before, DROP available_before,
    ALTER features SET NOT NULL, ALTER available SET NOT NULL, ALTER opponents SET NOT NULL, ALTER ahead SET NOT NULL;
CREATE INDEX seat_facts_by_player ON seat_facts (player_id, played_at, match_id)
    INCLUDE (game, edition, variant, visibility, players, position, seat, mover, place, points, margin, wins, features,
        available, opponents, ahead);

ALTER TABLE seat_facts DROP CONSTRAINT seat_facts_match_id_fkey;
ALTER TABLE match_facts DROP CONSTRAINT match_facts_pkey, ADD PRIMARY KEY (match_id) INCLUDE (opening, opening_wins);
ALTER TABLE seat_facts ADD FOREIGN KEY (match_id) REFERENCES match_facts;
"""

DOWN = """
ALTER TABLE seat_facts DROP CONSTRAINT seat_facts_match_id_fkey;
ALTER TABLE match_facts DROP CONSTRAINT match_facts_pkey, ADD PRIMARY KEY (match_id);
ALTER TABLE seat_facts ADD FOREIGN KEY (match_id) REFERENCES match_facts;

DROP INDEX seat_facts_by_player;
ALTER TABLE seat_facts RENAME features TO features_after;
ALTER TABLE seat_facts RENAME available TO available_after;
ALTER TABLE seat_facts ADD features smallint[], ADD available smallint[];
UPDATE seat_facts SET
    features = ARRAY(
        SELECT get_byte(features_after, n) FROM generate_series(0, length(features_after) - 1) AS n ORDER BY n
    ),
    available = ARRAY(
        SELECT get_byte(available_after, n) FROM generate_series(0, length(available_after) - 1) AS n ORDER BY n
    );
ALTER TABLE seat_facts DROP features_after, DROP available_after, DROP opponents, DROP ahead,
    ALTER features SET NOT NULL, ALTER available SET NOT NULL;
CREATE INDEX seat_facts_by_player ON seat_facts (player_id, played_at, match_id)
    INCLUDE (game, edition, variant, visibility, players, position, place, points, wins);
"""


def upgrade() -> None:
    op.execute(UP)


def downgrade() -> None:
    op.execute(DOWN)
