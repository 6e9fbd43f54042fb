"""Keys and foreign keys with which the tables of a match can be distributed by `match_id`.

What is unique in such a table is so within a match, and no table without that key refers to one. A distributed table
has no triggers: there the histories are protected by the privileges of the service alone.
"""

from alembic import op

revision = "0025"
down_revision = "0024"

KEYS = """
ALTER TABLE annotations DROP CONSTRAINT annotations_annotation_id_key;
-- Requests name an annotation by its id alone; an id of version 7 is not made twice.
CREATE INDEX annotations_by_id ON annotations (annotation_id);

-- Matches are never deleted, and both tables are written in a transaction that has found the match.
ALTER TABLE secrets DROP CONSTRAINT secrets_match_id_fkey;
ALTER TABLE audit_entries DROP CONSTRAINT audit_entries_match_id_fkey;
"""

UNUSED = "DROP FUNCTION manages(uuid, uuid)"

TRIGGERS = """
DO $$
DECLARE guard record;
BEGIN
    IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
        FOR guard IN
            SELECT t.tgname AS name, t.tgrelid::regclass AS history FROM pg_trigger t
            JOIN pg_index i ON i.indrelid = t.tgrelid AND i.indisprimary
            JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
            WHERE NOT t.tgisinternal AND a.attname = 'match_id'
                AND t.tgrelid IN (SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace)
        LOOP
            EXECUTE format('DROP TRIGGER %I ON %s', guard.name, guard.history);
        END LOOP;
    END IF;
END
$$
"""


def upgrade() -> None:
    op.execute(KEYS)
    op.execute(UNUSED)
    op.execute(TRIGGERS)
