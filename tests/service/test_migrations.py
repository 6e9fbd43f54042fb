"""The migrations up and down, and what the database itself sees to."""

import psycopg
import pytest
from alembic import command
from alembic.script import ScriptDirectory

from service.db.migrations import MIGRATIONS, migrate, migration_config, newest_migration
from service.db.pool import Database
from tests.service.harness import OPENING, Match, Service, nothing_changes, ok

REVISIONS = [script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions()][::-1]
"""All migrations, the first one first."""

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


def without_alembic(found: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    return [row for row in found if not row[1].startswith("alembic_version")]


def test_migrations_lead_up_and_down_and_up_again(empty_dsn: str) -> None:
    migrate(empty_dsn)
    assert revision(empty_dsn) == newest_migration() == REVISIONS[-1]
    up = objects(empty_dsn)
    assert {"events", "matches", "players"} <= {name.split(".")[0] for kind, name, _ in up if kind == "column"}
    command.downgrade(migration_config(empty_dsn), "base")
    assert without_alembic(objects(empty_dsn)) == []
    migrate(empty_dsn)
    assert objects(empty_dsn) == up


def test_every_migration_can_be_taken_back_and_done_again(empty_dsn: str) -> None:
    made = {}
    for step in REVISIONS:
        migrate(empty_dsn, step)
        made[step] = objects(empty_dsn)
    for step in REVISIONS[-2::-1]:
        command.downgrade(migration_config(empty_dsn), step)
        assert objects(empty_dsn) == made[step], f"taken back to {step}"
    for step in REVISIONS[1:]:
        migrate(empty_dsn, step)
        assert objects(empty_dsn) == made[step], f"done again up to {step}"


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


def test_matches_from_before_sign_in_are_public_and_nobodys(empty_dsn: str) -> None:
    migrate(empty_dsn, "0002")
    with psycopg.connect(empty_dsn) as connection:
        for status, withdrawn in (("in_progress", False), ("finished", False), ("in_progress", True)):
            connection.execute(
                """
                INSERT INTO matches (match_id, game, edition, created_at, changed_at, rules_version, version, ply,
                    status, revision, played_at, tags, withdrawn)
                VALUES (gen_random_uuid(), 'cite-lumiere', 'devir-2019', now(), '2026-11-01Z', 1, 1, 0, %s, 0, now(),
                    '{}', %s)
                """,
                (status, withdrawn),
            )
    migrate(empty_dsn, "0003")
    asked = (
        "SELECT DISTINCT visibility, owner_id, status, withdrawn, over_since = changed_at FROM matches ORDER BY 3, 4"
    )
    with psycopg.connect(empty_dsn) as connection:
        assert connection.execute(asked).fetchall() == [
            ("public", None, "finished", False, True),
            ("public", None, "in_progress", False, None),
            ("public", None, "in_progress", True, True),
        ]


def test_names_from_before_are_compared_without_what_cannot_be_seen(empty_dsn: str) -> None:
    migrate(empty_dsn, "0015")
    names = ("A\u200bna \ufeff Ida", "Ana", "\u200b", "x\U000e0100y")
    with psycopg.connect(empty_dsn) as connection:
        for name in names:
            connection.execute(
                """
                INSERT INTO players (player_id, revision, name, folded, survivor_id, created_at)
                SELECT id, 0, %(name)s, lower(%(name)s), id, now() FROM gen_random_uuid() AS id
                """,
                {"name": name},
            )
    migrate(empty_dsn)
    with psycopg.connect(empty_dsn) as connection:
        folded: dict[str, str] = dict(connection.execute("SELECT name, folded FROM players").fetchall())
    assert folded == dict(zip(names, ("ana ida", "ana", "\u200b", "xy"), strict=True))


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


def test_ratings_of_another_model_are_computed_anew_after_the_upgrade(dsn: str, service: Service) -> None:
    setup = {"result_only": True, "points": {"orange": 48, "blue": 57}}
    people = [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]
    body = {"game": "cite-lumiere", "players": people, "setup": setup, "played_at": "2026-02-03T10:00:00Z"}
    ok(service.post("/matches", body), 201)
    command.downgrade(migration_config(dsn), "0017")
    with psycopg.connect(dsn) as connection:
        connection.execute("DELETE FROM rating_marks")
        connection.execute("INSERT INTO rating_runs (population, scope, as_of) VALUES ('club', 'all', now())")
    migrate(dsn)
    with psycopg.connect(dsn) as connection:
        marks = "SELECT population, game, played_at = '2026-02-03T10:00Z' FROM rating_marks"
        assert connection.execute(marks).fetchall() == [("club", "cite-lumiere", True)]
        assert connection.execute("SELECT count(*) FROM rating_runs").fetchone() == (0,)
