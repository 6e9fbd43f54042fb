"""The migrations, and what the database itself sees to."""

import psycopg
import pytest
from alembic.script import ScriptDirectory

from service.db.migrations import BEFORE_BASELINE, MIGRATIONS, VERSIONS, migrate, newest_migration
from service.db.pool import Database
from tests.service.harness import OPENING, Match, nothing_changes, ok

OBJECTS = """
SELECT 'column', table_name || '.' || column_name, data_type || is_nullable || coalesce(column_default, '')
FROM information_schema.columns WHERE table_schema = 'public'
UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
UNION ALL SELECT 'constraint', conrelid::regclass::text || '.' || conname, pg_get_constraintdef(oid)
FROM pg_constraint WHERE connamespace = 'public'::regnamespace
UNION ALL SELECT 'trigger', tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
UNION ALL SELECT 'function', proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
ORDER BY 1, 2
"""
"""Everything in a database that a migration can have made."""


def objects(dsn: str) -> list[tuple[str, str, str]]:
    with psycopg.connect(dsn) as connection:
        return [(kind, name, text) for kind, name, text in connection.execute(OBJECTS.encode())]


def revision(dsn: str) -> str | None:
    database = Database(dsn)
    database.open()
    try:
        return database.migration()
    finally:
        database.close()


def test_a_new_database_is_made_by_the_baseline(empty_dsn: str) -> None:
    migrate(empty_dsn)
    assert revision(empty_dsn) == newest_migration()
    columns = {name.split(".")[0] for kind, name, _ in objects(empty_dsn) if kind == "column"}
    assert {"events", "matches", "players"} <= columns


def test_the_steps_to_the_baseline_end_with_its_revision() -> None:
    steps = ScriptDirectory(str(MIGRATIONS), version_locations=[str(BEFORE_BASELINE)])
    versions = ScriptDirectory(str(MIGRATIONS), version_locations=[str(VERSIONS)])
    assert steps.get_current_head() == versions.get_base()


def test_a_migrated_database_is_left_as_it_is(dsn: str, match: Match) -> None:
    match.record(*OPENING)
    with nothing_changes(match):
        migrate(dsn)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET payload = '{}'",
        "UPDATE events SET actor = 'x' WHERE seq = 1",
        "DELETE FROM events",
        "DELETE FROM events WHERE seq = 7",
        "TRUNCATE events CASCADE",
        "TRUNCATE matches CASCADE",
    ],
)
def test_events_are_never_changed_or_deleted(match: Match, dsn: str, statement: str) -> None:
    match.record(*OPENING)
    with nothing_changes(match):
        with psycopg.connect(dsn) as connection, pytest.raises(psycopg.errors.RaiseException, match="never changed"):
            connection.execute(statement.encode())
        assert ok(match.get("/verify"))["valid"] is True


def test_an_event_has_one_place(match: Match, dsn: str) -> None:
    copy = "INSERT INTO events SELECT * FROM events"
    with psycopg.connect(dsn) as connection, pytest.raises(psycopg.errors.UniqueViolation):
        connection.execute(copy)
    assert len(match.events()) == 1


def test_a_recorded_move_changes_no_index_of_the_matches(match: Match, dsn: str) -> None:
    match.record(*OPENING)
    with psycopg.connect(dsn) as connection:
        for _ in range(3):
            connection.execute(
                """
                UPDATE matches SET version = version + 1, ply = ply + 1, to_move = 'blue', result = NULL,
                    changed_at = date_bin('1 hour', changed_at, '2000-01-01Z') + interval '1 second' * version
                """
            )
        counted = connection.execute("SELECT pg_stat_get_xact_tuples_hot_updated('matches'::regclass)").fetchone()
    assert counted == (3,)
