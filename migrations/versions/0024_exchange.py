"""Matches that came from elsewhere: imports, what they brought, and who is meant by the names in files."""

from alembic import op

revision = "0024"
down_revision = "0023"

TABLES = """
-- Nobody knows who sat where in some matches of which only the result is known.
ALTER TABLE matches ADD COLUMN seats_known boolean NOT NULL DEFAULT true;

CREATE TABLE imports (
    import_id uuid PRIMARY KEY,
    account_id uuid REFERENCES accounts,
    format text NOT NULL,
    digest text NOT NULL,
    idempotency_key text,
    started_at timestamptz NOT NULL,
    finished_at timestamptz,
    undone_at timestamptz,
    counts jsonb NOT NULL
);

-- One row for each match of a file. A resumed import goes on behind the last of them.
CREATE TABLE import_items (
    import_id uuid NOT NULL REFERENCES imports,
    number integer NOT NULL,
    line integer,
    outcome text NOT NULL,
    match_id uuid,
    version_before integer,
    report text NOT NULL,
    PRIMARY KEY (import_id, number)
);

-- What a match is called in other places, and what it was when it came from there.
CREATE TABLE match_sources (
    match_id uuid NOT NULL REFERENCES matches,
    system text NOT NULL,
    external_id text NOT NULL,
    digest text NOT NULL,
    version integer NOT NULL,
    revision integer NOT NULL,
    import_id uuid NOT NULL,
    PRIMARY KEY (match_id, system, external_id)
);

-- Who is meant by a name in the files of an account; the account is the nil UUID while sign-in is switched off.
CREATE TABLE import_names (
    owner_id uuid NOT NULL,
    system text NOT NULL,
    name text NOT NULL,
    player_id uuid NOT NULL REFERENCES players,
    PRIMARY KEY (owner_id, system, name)
);

-- When anything of a match was last changed that is not in its log: details, names, annotations.
CREATE TABLE match_touches (
    match_id uuid PRIMARY KEY REFERENCES matches,
    touched_at timestamptz NOT NULL
);
"""

INDEXES = """
CREATE INDEX imports_by_account ON imports (account_id, import_id);
CREATE UNIQUE INDEX imports_by_key ON imports (coalesce(account_id, '00000000-0000-0000-0000-000000000000'),
    idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX import_items_by_match ON import_items (match_id) WHERE match_id IS NOT NULL;
CREATE INDEX match_sources_by_id ON match_sources (system, external_id);
CREATE INDEX match_touches_by_time ON match_touches (touched_at);
"""


def upgrade() -> None:
    op.execute(TABLES)
    op.execute(INDEXES)
