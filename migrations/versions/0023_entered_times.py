"""When moves were entered, where that was not when they were recorded; beside the log and outside its hashes."""

from alembic import op

revision = "0023"
down_revision = "0022"

TABLE = """
-- Without a foreign key, as events are without one: the rows are written in the transaction of their events.
CREATE TABLE entered_times (
    match_id uuid NOT NULL,
    seq integer NOT NULL,
    entered_at timestamptz NOT NULL,
    PRIMARY KEY (match_id, seq)
);
"""


def upgrade() -> None:
    op.execute(TABLE)
    call = "EXECUTE FUNCTION refuse_history_change()"
    op.execute(f"CREATE TRIGGER entered_times_are_kept BEFORE UPDATE OR DELETE ON entered_times FOR EACH ROW {call}")
    op.execute(f"CREATE TRIGGER entered_times_are_never_emptied BEFORE TRUNCATE ON entered_times {call}")
