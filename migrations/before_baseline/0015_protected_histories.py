"""Histories of details, people, annotations and reasons are protected as events are."""

from alembic import op

revision = "0015"
down_revision = "0014"

HISTORIES = ("ruling_reasons", "match_details", "player_changes", "annotation_changes")

REFUSING = """
CREATE FUNCTION refuse_history_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a history is never changed or deleted: %', TG_TABLE_NAME;
END
$$;

-- The one change there is: the names of a player who is anonymous give way to the one that he goes by since.
CREATE FUNCTION refuse_name_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.player_id, NEW.revision, NEW.merged_into, NEW.actor, NEW.changed_at)
            IS NOT DISTINCT FROM (OLD.player_id, OLD.revision, OLD.merged_into, OLD.actor, OLD.changed_at)
        AND NEW.name = (SELECT 'Player ' || anonymous FROM players WHERE player_id = OLD.player_id) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a history is never changed or deleted: %', TG_TABLE_NAME;
END
$$;
"""

TAKING_AWAY = """
CREATE FUNCTION take_names_away(survivor uuid) RETURNS void LANGUAGE sql SECURITY DEFINER
SET search_path = {schema}, pg_temp AS $$
    UPDATE player_changes SET name = 'Player ' || p.anonymous FROM players p
    WHERE player_changes.player_id = p.player_id AND p.survivor_id = survivor AND p.anonymous IS NOT NULL
$$;
REVOKE EXECUTE ON FUNCTION take_names_away FROM PUBLIC;
"""
"""The service may not update the table, so it takes names away by the rights of the owner, and can do nothing else by
them. The search path is fixed, with temporary tables last, for nobody else's tables may be taken for these."""


def upgrade() -> None:
    op.execute(REFUSING)
    for table in HISTORIES:
        refused = "DELETE" if table == "player_changes" else "UPDATE OR DELETE"
        op.execute(f"""
            CREATE TRIGGER {table}_are_kept BEFORE {refused} ON {table}
                FOR EACH ROW EXECUTE FUNCTION refuse_history_change();
            CREATE TRIGGER {table}_are_never_emptied BEFORE TRUNCATE ON {table}
                EXECUTE FUNCTION refuse_history_change();
        """)
    op.execute("""
        CREATE TRIGGER player_changes_keep_names BEFORE UPDATE ON player_changes
            FOR EACH ROW EXECUTE FUNCTION refuse_name_change();
    """)
    schema = op.get_bind().exec_driver_sql("SELECT quote_ident(current_schema())").scalar_one()
    op.execute(TAKING_AWAY.format(schema=schema))
