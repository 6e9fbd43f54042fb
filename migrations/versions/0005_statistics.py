"""What statistics know of each match, the sums of that, and ratings; all of it can be rebuilt from the log."""

from alembic import op

revision = "0005"
down_revision = "0004"

UP = """
ALTER TABLE matches ADD variant text;
CREATE INDEX matches_not_finished ON matches (game, status) WHERE status <> 'finished';

CREATE TABLE match_facts (
    match_id uuid PRIMARY KEY REFERENCES matches,
    game text NOT NULL,
    edition text NOT NULL,
    variant text NOT NULL,
    players smallint NOT NULL,
    visibility text NOT NULL,
    played_at timestamptz NOT NULL,
    venue text,
    tags text[] NOT NULL,
    left_out text,
    results integer[] NOT NULL,
    features integer[] NOT NULL,
    amounts integer[] NOT NULL,
    opening bigint[] NOT NULL,
    opening_wins smallint[] NOT NULL
);
CREATE INDEX match_facts_by_date ON match_facts (game, played_at);
CREATE INDEX match_facts_by_tag ON match_facts USING gin (tags);
CREATE INDEX match_facts_by_venue ON match_facts (venue);

CREATE TABLE seat_facts (
    match_id uuid NOT NULL REFERENCES match_facts,
    position smallint NOT NULL,
    player_id uuid NOT NULL REFERENCES players,
    game text NOT NULL,
    edition text NOT NULL,
    variant text NOT NULL,
    players smallint NOT NULL,
    visibility text NOT NULL,
    played_at timestamptz NOT NULL,
    seat text NOT NULL,
    mover text NOT NULL,
    place smallint NOT NULL,
    points integer NOT NULL,
    margin integer NOT NULL,
    wins smallint NOT NULL,
    features smallint[] NOT NULL,
    PRIMARY KEY (match_id, position) INCLUDE (player_id, players, wins, points, margin, played_at)
);
CREATE INDEX seat_facts_by_player ON seat_facts (player_id, played_at, match_id);
CREATE INDEX seat_facts_by_date ON seat_facts (played_at)
    INCLUDE (game, player_id, edition, variant, visibility, players, wins, points, margin);

CREATE TABLE tallies (
    game text NOT NULL,
    family text NOT NULL,
    edition text NOT NULL,
    variant text NOT NULL,
    players smallint NOT NULL,
    visibility text NOT NULL,
    month date NOT NULL,
    code integer NOT NULL,
    number integer NOT NULL,
    amount bigint NOT NULL,
    PRIMARY KEY (game, family, edition, variant, players, visibility, month, code)
);

CREATE TABLE player_tallies (
    game text NOT NULL,
    player_id uuid NOT NULL REFERENCES players,
    edition text NOT NULL,
    variant text NOT NULL,
    players smallint NOT NULL,
    visibility text NOT NULL,
    number integer NOT NULL,
    wins bigint NOT NULL,
    points bigint NOT NULL,
    margin bigint NOT NULL,
    PRIMARY KEY (game, player_id, edition, variant, players, visibility)
);

CREATE TABLE player_points (
    game text NOT NULL,
    player_id uuid NOT NULL REFERENCES players,
    edition text NOT NULL,
    variant text NOT NULL,
    visibility text NOT NULL,
    points integer NOT NULL,
    number integer NOT NULL,
    PRIMARY KEY (game, player_id, edition, variant, visibility, points)
);

CREATE TABLE opening_nodes (
    game text NOT NULL,
    node bigint NOT NULL,
    parent bigint NOT NULL,
    depth smallint NOT NULL,
    step text NOT NULL,
    number integer NOT NULL,
    PRIMARY KEY (game, node)
);
CREATE INDEX opening_nodes_by_parent ON opening_nodes (game, parent, number);

CREATE TABLE opening_tallies (
    game text NOT NULL,
    node bigint NOT NULL,
    edition text NOT NULL,
    variant text NOT NULL,
    visibility text NOT NULL,
    month date NOT NULL,
    number integer NOT NULL,
    wins bigint NOT NULL,
    PRIMARY KEY (game, node, edition, variant, visibility, month)
);

CREATE TABLE rating_marks (
    mark_id uuid PRIMARY KEY,
    game text NOT NULL,
    played_at timestamptz NOT NULL
);

CREATE TABLE rating_runs (
    population text NOT NULL,
    scope text NOT NULL,
    as_of timestamptz NOT NULL,
    PRIMARY KEY (population, scope)
);

CREATE TABLE ratings (
    population text NOT NULL,
    scope text NOT NULL,
    player_id uuid NOT NULL REFERENCES players,
    mu double precision NOT NULL,
    sigma double precision NOT NULL,
    matches integer NOT NULL,
    PRIMARY KEY (population, scope, player_id)
);

CREATE TABLE rating_history (
    population text NOT NULL,
    scope text NOT NULL,
    player_id uuid NOT NULL REFERENCES players,
    month date NOT NULL,
    matches integer NOT NULL,
    match_ids uuid[] NOT NULL,
    played_at timestamptz[] NOT NULL,
    mus double precision[] NOT NULL,
    sigmas double precision[] NOT NULL,
    PRIMARY KEY (population, scope, player_id, month)
);
CREATE INDEX rating_history_by_month ON rating_history (population, scope, month);
"""

DOWN = """
DROP TABLE rating_history, ratings, rating_runs, rating_marks, opening_tallies, opening_nodes, player_points,
    player_tallies, tallies, seat_facts, match_facts;
DROP INDEX matches_not_finished;
ALTER TABLE matches DROP variant;
"""


def upgrade() -> None:
    op.execute(UP)


def downgrade() -> None:
    op.execute(DOWN)
