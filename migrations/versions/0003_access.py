"""Accounts and secrets, the owner and the visibility of matches, hidden annotations and anonymous players."""

from alembic import op

revision = "0003"
down_revision = "0002"

UP = """
CREATE TABLE installation (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    signing_key bytea NOT NULL
);

CREATE TABLE accounts (
    account_id uuid PRIMARY KEY,
    name text NOT NULL,
    role text NOT NULL,
    player_id uuid REFERENCES players,
    created_at timestamptz NOT NULL,
    closed_at timestamptz
);
CREATE UNIQUE INDEX accounts_by_player ON accounts (player_id) WHERE closed_at IS NULL;

CREATE TABLE secrets (
    secret_id uuid PRIMARY KEY,
    digest bytea NOT NULL UNIQUE,
    kind text NOT NULL,
    account_id uuid REFERENCES accounts,
    match_id uuid REFERENCES matches,
    scopes text[] NOT NULL,
    label text,
    role text,
    player_id uuid REFERENCES players,
    created_by uuid REFERENCES accounts,
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    used_at timestamptz,
    ended_at timestamptz
);
CREATE INDEX secrets_by_account ON secrets (account_id) WHERE ended_at IS NULL;
CREATE INDEX secrets_by_match ON secrets (match_id) WHERE ended_at IS NULL;

ALTER TABLE matches ADD owner_id uuid REFERENCES accounts, ADD visibility text NOT NULL DEFAULT 'public',
    ADD over_since timestamptz;
ALTER TABLE matches ALTER visibility DROP DEFAULT;
UPDATE matches SET over_since = changed_at WHERE status <> 'in_progress' OR withdrawn;
CREATE INDEX matches_by_owner ON matches (owner_id);

ALTER TABLE match_details ADD visibility text NOT NULL DEFAULT 'public';
ALTER TABLE match_details ALTER visibility DROP DEFAULT;

ALTER TABLE annotations ADD hidden boolean NOT NULL DEFAULT false;
ALTER TABLE annotations ALTER hidden DROP DEFAULT;
ALTER TABLE annotation_changes ADD hidden boolean NOT NULL DEFAULT false;
ALTER TABLE annotation_changes ALTER hidden DROP DEFAULT;

ALTER TABLE players ADD created_by uuid REFERENCES accounts, ADD anonymous integer;
CREATE INDEX players_by_creator ON players (created_by);
"""

DOWN = """
ALTER TABLE players DROP created_by, DROP anonymous;
ALTER TABLE annotation_changes DROP hidden;
ALTER TABLE annotations DROP hidden;
ALTER TABLE match_details DROP visibility;
ALTER TABLE matches DROP owner_id, DROP visibility, DROP over_since;
DROP TABLE secrets, accounts, installation;
"""


def upgrade() -> None:
    op.execute(UP)


def downgrade() -> None:
    op.execute(DOWN)
