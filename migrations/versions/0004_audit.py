"""The audit trail of sign-ins and rights, to which nothing is done but adding."""

from alembic import op

revision = "0004"
down_revision = "0003"

UP = """
CREATE TABLE audit_entries (
    entry_id uuid PRIMARY KEY,
    act text NOT NULL,
    happened_at timestamptz NOT NULL,
    account_id uuid REFERENCES accounts,
    secret_id uuid,
    subject_id uuid,
    match_id uuid REFERENCES matches,
    details jsonb NOT NULL
);
CREATE INDEX audit_entries_by_time ON audit_entries (happened_at, entry_id);

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit trail is never changed or deleted';
END
$$;
CREATE TRIGGER audit_entries_are_kept BEFORE UPDATE OR DELETE ON audit_entries
    FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_entries_are_never_emptied BEFORE TRUNCATE ON audit_entries
    EXECUTE FUNCTION refuse_audit_change();
"""

DOWN = """
DROP TABLE audit_entries;
DROP FUNCTION refuse_audit_change;
"""


def upgrade() -> None:
    op.execute(UP)


def downgrade() -> None:
    op.execute(DOWN)
