"""The log, the read models of matches, people, annotations, editions and idempotency keys."""

from alembic import op

revision = "0001"
down_revision = None

UP = """
CREATE TABLE players (
    player_id uuid PRIMARY KEY,
    revision integer NOT NULL,
    name text NOT NULL,
    folded text NOT NULL,
    merged_into uuid REFERENCES players,
    survivor_id uuid NOT NULL REFERENCES players,
    created_at timestamptz NOT NULL
);
CREATE INDEX players_by_survivor ON players (survivor_id);
CREATE INDEX players_by_name ON players (folded, player_id);
CREATE INDEX players_merged ON players (merged_into) WHERE merged_into IS NOT NULL;

CREATE TABLE player_changes (
    player_id uuid NOT NULL REFERENCES players,
    revision integer NOT NULL,
    name text NOT NULL,
    merged_into uuid,
    actor text,
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (player_id, revision)
);

CREATE TABLE editions (
    edition_id uuid PRIMARY KEY,
    game text NOT NULL,
    title text NOT NULL,
    based_on text NOT NULL,
    document text NOT NULL,
    created_at timestamptz NOT NULL
);
CREATE INDEX editions_by_game ON editions (game, edition_id);

CREATE TABLE matches (
    match_id uuid PRIMARY KEY,
    game text NOT NULL,
    edition text NOT NULL,
    created_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    rules_version integer NOT NULL,
    version integer NOT NULL,
    ply integer NOT NULL,
    status text NOT NULL,
    to_move text,
    result jsonb,
    revision integer NOT NULL,
    played_at timestamptz NOT NULL,
    venue text,
    tags text[] NOT NULL,
    withdrawn boolean NOT NULL
);
CREATE INDEX matches_by_date ON matches (played_at DESC, match_id DESC);
CREATE INDEX matches_by_activity ON matches (changed_at DESC, match_id DESC);
CREATE INDEX matches_by_tag ON matches USING gin (tags);

CREATE TABLE match_seats (
    match_id uuid NOT NULL REFERENCES matches,
    position smallint NOT NULL,
    seat text NOT NULL,
    player_id uuid NOT NULL REFERENCES players,
    place smallint,
    points integer,
    PRIMARY KEY (match_id, position)
);
CREATE INDEX match_seats_by_player ON match_seats (player_id, match_id);

CREATE TABLE match_details (
    match_id uuid NOT NULL REFERENCES matches,
    revision integer NOT NULL,
    played_at timestamptz NOT NULL,
    venue text,
    tags text[] NOT NULL,
    withdrawn boolean NOT NULL,
    actor text,
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (match_id, revision)
);

CREATE TABLE events (
    match_id uuid NOT NULL REFERENCES matches,
    seq integer NOT NULL,
    kind text NOT NULL,
    payload text NOT NULL,
    actor text,
    recorded_at text NOT NULL,
    prev_hash text,
    hash text NOT NULL,
    PRIMARY KEY (match_id, seq)
);

CREATE TABLE ruling_reasons (
    match_id uuid NOT NULL,
    seq integer NOT NULL,
    salt text NOT NULL,
    reason text NOT NULL,
    PRIMARY KEY (match_id, seq),
    FOREIGN KEY (match_id, seq) REFERENCES events
);

CREATE TABLE annotations (
    match_id uuid NOT NULL REFERENCES matches,
    annotation_id uuid NOT NULL UNIQUE,
    revision integer NOT NULL,
    seq integer NOT NULL,
    content text NOT NULL,
    author text,
    created_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    deleted boolean NOT NULL,
    PRIMARY KEY (match_id, annotation_id)
);

CREATE TABLE annotation_changes (
    match_id uuid NOT NULL,
    annotation_id uuid NOT NULL,
    revision integer NOT NULL,
    content text NOT NULL,
    deleted boolean NOT NULL,
    actor text,
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (match_id, annotation_id, revision),
    FOREIGN KEY (match_id, annotation_id) REFERENCES annotations
);

CREATE TABLE idempotency_keys (
    asker text NOT NULL,
    method text NOT NULL,
    path text NOT NULL,
    key text NOT NULL,
    request_digest text NOT NULL,
    answer text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (asker, method, path, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'events are never changed or deleted';
END
$$;
CREATE TRIGGER events_are_kept BEFORE UPDATE OR DELETE ON events FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER events_are_never_emptied BEFORE TRUNCATE ON events EXECUTE FUNCTION refuse_change();
"""

DOWN = """
DROP TABLE idempotency_keys, annotation_changes, annotations, ruling_reasons, events, match_details, match_seats,
    matches, editions, player_changes, players;
DROP FUNCTION refuse_change;
"""


def upgrade() -> None:
    op.execute(UP)


def downgrade() -> None:
    op.execute(DOWN)
